"""What is kept of Responses: for whom, how many, and whether at all."""

from serving import config_for, serving

from gateway.config import LimitsConfig, ServerConfig


def test_keys_see_their_own_alone_and_bounds_hold(tiny_model):
    config = config_for(
        tiny_model, server=ServerConfig(port=0, api_keys=("one", "two")), limits=LimitsConfig(max_stored_responses=2)
    )
    one, two = ({"authorization": f"Bearer {name}"} for name in ("one", "two"))
    with serving(config) as live:

        def make(headers, **body):
            reply = live.post("/v1/responses", json={"input": "x", "max_output_tokens": 2, **body}, headers=headers)
            assert reply.status_code == 200, reply.text
            return reply.json()["id"]

        first = make(one)
        assert live.get(f"/v1/responses/{first}", headers=one).status_code == 200
        assert live.get(f"/v1/responses/{first}", headers=two).status_code == 404
        assert live.get(f"/v1/responses/{first}").status_code == 401
        for _ in range(3):
            make(two)
        second = make(one)
        live.get(f"/v1/responses/{first}", headers=one)
        third = make(one)
        found = [live.get(f"/v1/responses/{name}", headers=one).status_code for name in (first, second, third)]
        assert found == [200, 404, 200]
        assert live.post("/v1/responses", json={"previous_response_id": first}, headers=two).status_code == 400


def test_nothing_is_kept_where_the_server_says_so(tiny_model):
    with serving(config_for(tiny_model, limits=LimitsConfig(max_stored_responses=0))) as live:
        response = live.post("/v1/responses", json={"input": "x", "max_output_tokens": 2}).json()
        assert response["store"] is False
        assert live.get(f"/v1/responses/{response['id']}").status_code == 404
