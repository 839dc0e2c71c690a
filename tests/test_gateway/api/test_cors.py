"""Cross-origin requests of web pages."""

import pytest
from serving import config_for, serving

from gateway.config import ServerConfig
from gateway.errors import ConfigError

APP = "https://app.example"
OTHER = "https://other.example"
MESSAGES = [{"role": "user", "content": "hi"}]
BODIES = {
    "/v1/chat/completions": {"model": "test-model", "messages": MESSAGES, "max_tokens": 2},
    "/v1/completions": {"model": "test-model", "prompt": "hi", "max_tokens": 2},
    "/v1/responses": {"model": "test-model", "input": "hi", "max_output_tokens": 2},
    "/v1/messages": {"model": "test-model", "messages": MESSAGES, "max_tokens": 2},
    "/api/chat": {"model": "test-model", "messages": MESSAGES, "options": {"num_predict": 2}},
    "/generate": {"inputs": "hi", "parameters": {"max_new_tokens": 2}},
    "/v1/verify": {"response_format": {"type": "json_object"}, "text": "{}"},
}


@pytest.fixture(scope="module")
def keyed(tiny_model):
    """A server with a key that one page may call."""
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=("k",), allowed_origins=(APP,)))) as live:
        yield live


@pytest.fixture(scope="module", params=[APP, "*"])
def open_live(request, tiny_model):
    """A server of this machine without keys, and the origin that it gives pages of `APP`."""
    with serving(config_for(tiny_model, server=ServerConfig(port=0, allowed_origins=(request.param,)))) as live:
        yield live, request.param


def preflight(live, path, origin=APP):
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}
    return live.http.options(path, headers={"origin": origin, **asked})


@pytest.mark.parametrize("path", [*BODIES, "/nowhere"])
def test_a_preflight_is_answered_without_a_key(keyed, path):
    reply = preflight(keyed, path)
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["access-control-allow-origin"] == APP
    assert reply.headers["access-control-allow-headers"] == "authorization,content-type"
    assert "POST" in reply.headers["access-control-allow-methods"]
    assert reply.headers["vary"] == "origin"


def test_a_preflight_of_another_origin_allows_nothing(keyed):
    assert not any(name.startswith("access-control") for name in preflight(keyed, "/v1/models", OTHER).headers)


@pytest.mark.parametrize("path", BODIES)
def test_replies_of_every_dialect_are_readable(keyed, path):
    for headers in ({"authorization": "Bearer k"}, {"authorization": "Bearer wrong"}):
        reply = keyed.post(path, json=BODIES[path], headers={"origin": APP, **headers})
        assert reply.headers["access-control-allow-origin"] == APP
        assert "x-request-id" in reply.headers["access-control-expose-headers"]
        assert (reply.status_code == 401) == ("wrong" in headers["authorization"]), reply.text
    other = keyed.post(path, json=BODIES[path], headers={"origin": OTHER, "authorization": "Bearer k"})
    assert "access-control-allow-origin" not in other.headers


def test_a_stream_is_readable(keyed):
    headers = {"origin": APP, "authorization": "Bearer k"}
    body = BODIES["/v1/chat/completions"] | {"stream": True}
    with keyed.http.stream("POST", "/v1/chat/completions", json=body, headers=headers) as reply:
        assert reply.headers["access-control-allow-origin"] == APP
        assert list(reply.iter_lines())[-2] == "data: [DONE]"


def test_a_server_without_keys_answers_allowed_pages(open_live):
    live, allowed = open_live
    reply = live.post("/v1/chat/completions", json=BODIES["/v1/chat/completions"], headers={"origin": APP})
    assert (reply.status_code, reply.headers["access-control-allow-origin"]) == (200, allowed)
    reply = live.get("/v1/models", headers={"origin": OTHER})
    assert reply.status_code == (200 if allowed == "*" else 403)
    # The name of the host is checked whatever the origin is.
    assert live.get("/v1/models", headers={"origin": APP, "host": "attacker.example"}).status_code == 403


@pytest.mark.parametrize("origin", ["app.example", "https://app.example/", "https://App.example", "", "null"])
def test_what_is_no_origin_is_refused(origin):
    with pytest.raises(ConfigError, match=r"server\.allowed_origins"):
        ServerConfig(allowed_origins=(origin,))
