"""Responses over HTTP: what items mean, what is kept for whom, what is refused."""

import json

import jsonschema
import openai
import pytest
from held_engine import after_tokens, held, let_deadlines_pass
from sdk_types import sse, strictly

WEATHER = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome"]}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOLS = [{"type": "function", "name": "get_weather", "parameters": WEATHER}]
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "get_weather",
    "status": "completed",
    "arguments": '{"city": "Paris"}',
}
OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "21 degrees"}
ASKED = {"role": "user", "content": "What is the weather in Paris?"}
GREEDY = {"temperature": 0, "seed": 1, "max_output_tokens": 40}


def made(live, **body):
    response = live.post("/v1/responses", json={**GREEDY, **body})
    assert response.status_code == 200, response.text
    return response.json()


def text_of(response):
    parts = [part for item in response["output"] if item["type"] == "message" for part in item["content"]]
    return "".join(part["text"] for part in parts)


def count(live, items, **fields):
    counted = live.post("/v1/responses/input_tokens", json={"input": items, **fields})
    assert counted.status_code == 200, counted.text
    return counted.json()["input_tokens"]


def refused(live, **body):
    response = live.post("/v1/responses", json=body)
    assert response.status_code == 400, response.text
    return response.json()["error"]


@pytest.mark.parametrize(
    ("items", "messages"),
    [
        ("Say hello.", [{"role": "user", "content": "Say hello."}]),
        (
            [{"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}, ASKED],
            [{"role": "system", "content": "Be brief."}, ASKED],
        ),
        (
            [ASKED, {"type": "reasoning", "id": "rs_1", "summary": []}, CALL, OUTPUT],
            [
                ASKED,
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "21 degrees"},
            ],
        ),
    ],
    ids=["text", "developer", "call"],
)
def test_the_same_conversation_and_seed_give_the_text_that_chats_give(tiny_live, items, messages):
    chat = tiny_live.client.chat.completions.create(
        model="test-model", messages=messages, temperature=0.8, seed=3, max_tokens=40
    )
    response = made(tiny_live, input=items, temperature=0.8, seed=3)
    assert text_of(response) == chat.choices[0].message.content
    assert response["usage"]["input_tokens"] == chat.usage.prompt_tokens


def test_streamed_and_whole_are_the_same(live):
    body = {"input": [ASKED], "tools": TOOLS, "temperature": 1.0, "max_output_tokens": 60}
    for seed in range(4):
        whole = made(live, **body, seed=seed)
        events = [
            json.loads(data)
            for _, data in sse(live.post("/v1/responses", json={**body, "seed": seed, "stream": True}).text)
        ]
        last = events[-1]["response"]
        for response in (whole, last):
            for item in response["output"]:
                del item["id"]
        assert last["output"] == whole["output"]
        told = "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")
        assert told == text_of(whole)


def test_events_come_in_openais_order(live):
    events = [
        json.loads(data)
        for _, data in sse(live.post("/v1/responses", json={**GREEDY, "input": "Say hello.", "stream": True}).text)
    ]
    kinds = [event["type"].removeprefix("response.") for event in events]
    deltas = kinds.count("output_text.delta")
    assert kinds == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        *["output_text.delta"] * deltas,
        "output_text.done",
        "content_part.done",
        "output_item.done",
        events[-1]["type"].removeprefix("response."),
    ]
    assert deltas
    assert {event["item_id"] for event in events if "item_id" in event} == {events[-1]["response"]["output"][0]["id"]}
    assert events[2]["item"]["content"] == []
    assert events[0]["response"]["output"] == []


def test_a_required_call_is_an_item_with_its_events(live):
    body = {"input": [ASKED], "tools": TOOLS, "tool_choice": "required", "stream": True, "max_tool_calls": 1}
    events = [json.loads(data) for _, data in sse(live.post("/v1/responses", json=body).text)]
    (item,) = events[-1]["response"]["output"]
    assert item["type"] == "function_call"
    assert item["call_id"].startswith("call_")
    jsonschema.validate(json.loads(item["arguments"]), WEATHER)
    deltas = [event["delta"] for event in events if event["type"] == "response.function_call_arguments.delta"]
    assert "".join(deltas) == item["arguments"]
    kinds = [event["type"] for event in events]
    assert kinds[2] == "response.output_item.added"
    assert kinds[-3:] == ["response.function_call_arguments.done", "response.output_item.done", "response.completed"]
    assert (events[-3]["name"], events[-3]["arguments"]) == (item["name"], item["arguments"])


@pytest.mark.parametrize("most", [1, 2, 3])
def test_max_tool_calls_bounds_the_calls_of_an_answer(tiny_live, most):
    body = {"input": [ASKED], "tools": TOOLS, "tool_choice": "required", "temperature": 1.5, "max_output_tokens": 400}
    counts = [
        len(made(tiny_live, **body, max_tool_calls=most, seed=seed, logit_bias={}, min_p=0)["output"])
        for seed in range(6)
    ]
    assert all(1 <= number <= most for number in counts)
    assert max(counts) == most


def test_no_calls_at_all_where_none_is_allowed(live):
    response = made(live, input=[ASKED], tools=TOOLS, max_tool_calls=0)
    assert [item["type"] for item in response["output"]] in (["message"], [])
    error = refused(live, input=[ASKED], tools=TOOLS, max_tool_calls=0, tool_choice="required")
    assert error["param"] == "max_tool_calls"


def test_a_response_continues_another(live):
    first = made(live, input="Say hello.", instructions="Be brief.")
    second = made(live, input="Again.", previous_response_id=first["id"])
    assert second["previous_response_id"] == first["id"]
    by_hand = [{"role": "user", "content": "Say hello."}, *first["output"], {"role": "user", "content": "Again."}]
    assert second["usage"]["input_tokens"] == count(live, by_hand)
    assert text_of(second) == text_of(made(live, input=by_hand))


def test_a_kept_call_is_answered_by_its_output(live):
    first = made(live, input=[ASKED], tools=TOOLS, tool_choice="required")
    call = first["output"][0]
    output = {
        "type": "function_call_output",
        "call_id": call["call_id"],
        "output": [{"type": "input_text", "text": "9"}],
    }
    second = made(live, input=[output], previous_response_id=first["id"])
    assert second["usage"]["input_tokens"] == count(live, [ASKED, *first["output"], output])


def test_items_are_referred_to_by_their_ids(live):
    first = made(live, input="Say hello.")
    reference = {"type": "item_reference", "id": first["output"][0]["id"]}
    asked = {"role": "user", "content": "Again."}
    assert count(live, [reference, asked]) == count(live, [*first["output"], asked])
    assert refused(live, input=[{"type": "item_reference", "id": "msg_x"}])["param"] == "input[0].id"


def test_input_items_come_in_pages(live):
    first = made(live, input=[{"role": "user", "content": text} for text in "abc"])
    second = made(live, input="d", previous_response_id=first["id"])
    place = f"/v1/responses/{second['id']}/input_items"
    items = live.get(place, params={"order": "asc"}).json()
    texts = [item["content"][0]["text"] for item in items["data"]]
    assert texts == ["a", "b", "c", *([text_of(first)] if first["output"] else []), "d"]
    newest = live.get(place, params={"limit": 1}).json()
    assert newest["data"] == items["data"][-1:]
    assert newest["has_more"]
    rest = live.get(place, params={"after": newest["last_id"], "limit": 100}).json()
    assert rest["data"] == items["data"][-2::-1]
    assert not rest["has_more"]
    for params in ({"limit": 0}, {"limit": 101}, {"order": "up"}, {"after": "x"}):
        assert live.get(place, params=params).status_code == 400


def test_what_is_deleted_or_never_kept_is_not_found(live):
    kept = made(live, input="hi")
    assert live.http.delete(f"/v1/responses/{kept['id']}").json() == {
        "id": kept["id"],
        "object": "response",
        "deleted": True,
    }
    unkept = made(live, input="hi", store=False)
    assert unkept["store"] is False
    for name in (kept["id"], unkept["id"], "resp_x"):
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/input_items"), ("POST", "/cancel")):
            reply = live.http.request(method, f"/v1/responses/{name}{path}")
            assert reply.status_code == 404, path
            assert reply.json()["error"]["type"] == "invalid_request_error"
        assert refused(live, previous_response_id=name)["code"] == "previous_response_not_found"
    with pytest.raises(openai.NotFoundError):
        live.client.responses.retrieve("resp_x")


def test_only_what_runs_in_the_background_is_cancelled(live):
    kept = made(live, input="hi")
    reply = live.post(f"/v1/responses/{kept['id']}/cancel")
    assert reply.status_code == 400
    assert "background" in reply.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"background": True}, "background"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"prompt": {"id": "pmpt_1"}}, "prompt"),
        ({"moderation": {"model": "m"}}, "moderation"),
        ({"tools": [{"type": "local_shell"}]}, "tools[0].type"),
        ({"tools": [{"type": "web_search"}], "tool_choice": "required"}, "tool_choice"),
        ({"tools": [{"type": "namespace", "tools": TOOLS}]}, "tools[0].name"),
        ({"tools": [{"type": "namespace", "name": "n", "tools": {}}]}, "tools[0].tools"),
        ({"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "mcp"}]}]}, "tools[0].tools[0].type"),
        ({"tools": [{"type": "namespace", "name": "a b", "tools": TOOLS}]}, "tools[0].tools[0].name"),
        ({"tools": [{"type": "namespace", "name": "n", "tools": [TOOLS[0]] * 2}]}, "tools[0].tools[1].name"),
        ({"tools": [{"type": "function", "name": "a b"}]}, "tools[0].name"),
        ({"tools": TOOLS, "tool_choice": {"type": "file_search"}}, "tool_choice.type"),
        ({"tools": TOOLS, "tool_choice": {"type": "function", "name": "no"}}, "tool_choice.name"),
        (
            {"tools": TOOLS, "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function"}]}},
            "tool_choice.tools[0].name",
        ),
        ({"tools": [{**TOOLS[0], "parameters": {"properties": {"a": {"type": 5}}}}]}, "tools[0].parameters"),
        ({"input": [{"type": "web_search_call", "id": "x"}]}, "input[0].type"),
        ({"input": [{"type": "nonsense"}]}, "input[0].type"),
        ({"input": [{"role": "user", "content": [{"type": "input_smell"}]}]}, "input[0].content[0].type"),
        ({"input": [{"role": "tool", "content": "x"}]}, "input[0].role"),
        ({"input": [{"role": "user"}]}, "input[0].content"),
        ({"input": [{**CALL, "arguments": "{"}]}, "input[0].arguments"),
        ({"input": [{**OUTPUT, "output": None}]}, "input[0].output"),
        ({"input": [ASKED, OUTPUT]}, "input[1].call_id"),
        ({"input": [CALL, {**OUTPUT, "call_id": "call_2"}]}, "input[1].call_id"),
        ({"input": [OUTPUT, CALL]}, "input[0].call_id"),
        ({"input": [{**CALL, "status": "incomplete"}, OUTPUT]}, "input[1].call_id"),
        ({"input": None}, "input"),
        ({"input": []}, "input"),
        ({"input": None, "instructions": "Be brief."}, "input"),
        ({"input": None, "messages": [ASKED]}, "input"),
        ({"messages": [ASKED]}, "input"),
        ({"include": ["nonsense"]}, "include[0]"),
        ({"top_logprobs": 2}, "top_logprobs"),
        ({"truncation": "middle"}, "truncation"),
        ({"text": {"verbosity": "loud"}}, "text.verbosity"),
        ({"text": {"format": {"type": "xml"}}}, "text.format.type"),
        ({"text": {"format": {"type": "json_schema"}}}, "text.format.schema"),
        ({"text": {"format": {"type": "json_schema", "schema": {"type": 5}}}}, "text.format.schema"),
        ({"reasoning": {"effort": "extreme"}}, "reasoning.effort"),
        ({"n": 2}, "n"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
        ({"max_tool_calls": -1}, "max_tool_calls"),
        ({"metadata": {"a": 5}}, "metadata[...]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_served_is_refused_by_its_name(live, body, param):
    assert refused(live, **{"input": "hi"} | body)["param"] == param


def test_without_input_there_is_nothing_to_answer_or_count(live):
    for path in ("/v1/responses", "/v1/responses/input_tokens"):
        for body, says in (({}, "send input"), ({"messages": [ASKED]}, "send the conversation as input")):
            reply = live.post(path, json={"model": "test-model", **body})
            assert reply.status_code == 400
            assert says in reply.json()["error"]["message"]


def test_outputs_belong_to_calls_of_earlier_responses_and_of_items_that_are_referred_to(tiny_live):
    asked = made(tiny_live, input="hi", tools=TOOLS, tool_choice="required", seed=1, max_output_tokens=60)
    (call,) = [item for item in asked["output"] if item["type"] == "function_call"]
    output = {**OUTPUT, "call_id": call["call_id"]}
    made(tiny_live, previous_response_id=asked["id"], input=[output])
    made(tiny_live, input=[{"type": "item_reference", "id": call["id"]}, output])
    made(tiny_live, previous_response_id=asked["id"])
    other = refused(tiny_live, previous_response_id=asked["id"], input=[ASKED, OUTPUT])
    assert other["param"] == "input[1].call_id"


@pytest.mark.parametrize(
    ("format", "check"),
    [
        (
            {"type": "json_schema", "name": "w", "schema": WEATHER},
            lambda text: jsonschema.validate(json.loads(text), WEATHER),
        ),
        ({"type": "json_object"}, lambda text: isinstance(json.loads(text), dict) or pytest.fail(text)),
        (
            {"type": "regex", "pattern": "[ab]{4}"},
            lambda text: (set(text) <= set("ab") and len(text) == 4) or pytest.fail(text),
        ),
        (
            {"type": "grammar", "syntax": "lark", "definition": 'start: "x" "y"'},
            lambda text: text == "xy" or pytest.fail(text),
        ),
        (
            {"type": "grammar", "grammar": {"syntax": "regex", "definition": "q{3}"}},
            lambda text: text == "qqq" or pytest.fail(text),
        ),
        ({"type": "grammar", "grammar": 'root ::= "g"'}, lambda text: text == "g" or pytest.fail(text)),
    ],
    ids=["schema", "object", "regex", "lark", "nested", "gbnf"],
)
def test_text_format_holds(tiny_live, format, check):
    response = made(tiny_live, input="x", text={"format": format}, temperature=1.0, max_output_tokens=200)
    assert response["status"] == "completed"
    assert response["text"]["format"]["type"] == format["type"]
    check(text_of(response))


def test_an_answer_without_room_is_incomplete(tiny_live):
    response = made(tiny_live, input="x", max_output_tokens=3, min_tokens=3)
    assert response["status"] == "incomplete"
    assert response["incomplete_details"] == {"reason": "max_output_tokens"}
    assert response["output"][0]["status"] == "incomplete"
    assert response["completed_at"] is None


def test_a_conversation_that_is_too_long_loses_its_beginning_where_it_may(tiny_live):
    turns = [{"role": role, "content": "word " * 300} for _ in range(8) for role in ("user", "assistant")]
    items = [{"role": "system", "content": "Be brief."}, *turns, {"role": "user", "content": "last"}]
    assert refused(tiny_live, input=items)["code"] == "context_length_exceeded"
    response = made(tiny_live, input=items, truncation="auto", max_output_tokens=4)
    fitting = response["usage"]["input_tokens"]
    kept = next(
        number
        for number in range(len(turns), -1, -2)
        if count(tiny_live, [items[0], *turns[len(turns) - number :], items[-1]]) == fitting
    )
    longer = [items[0], *turns[len(turns) - kept - 2 :], items[-1]]
    assert kept >= 2
    assert refused(tiny_live, input=longer)["code"] == "context_length_exceeded"
    alone = [{"role": "user", "content": "word " * 6000}]
    assert refused(tiny_live, input=alone, truncation="auto")["code"] == "context_length_exceeded"


def test_padding_hides_the_length_of_deltas(live):
    body = {**GREEDY, "input": "Say hello.", "stream": True}
    for asked in (True, False):
        text = live.post("/v1/responses", json={**body, "stream_options": {"include_obfuscation": asked}}).text
        deltas = [json.loads(data) for event, data in sse(text) if event == "response.output_text.delta"]
        assert all(("obfuscation" in delta) is asked for delta in deltas)
        if asked:
            assert {len(delta["delta"] + delta["obfuscation"]) % 16 for delta in deltas} == {0}


def test_a_stream_that_fails_withdraws_its_response(tiny_live, monkeypatch):
    body = {"input": "x", "max_output_tokens": 900, "ignore_eos": True, "timeout": 60, "stream": True, "seed": 1}
    engine = tiny_live.service._loaded.engine
    with (
        held(engine, after_tokens(engine, 60)) as let_go,
        tiny_live.http.stream("POST", "/v1/responses", json=body) as response,
    ):
        assert response.status_code == 200
        let_deadlines_pass(engine, monkeypatch)
        let_go()
        response.read()
    *_, (kind, cause), (last, failed) = sse(response.text)
    assert (kind, last) == ("error", "response.failed")
    assert strictly("event", cause).code == "deadline_exceeded"
    response = strictly("event", failed).response
    assert (response.status, response.output, response.error.code) == ("failed", [], "server_error")
    assert tiny_live.get(f"/v1/responses/{response.id}").json()["status"] == "failed"
    assert refused(tiny_live, previous_response_id=response.id)["param"] == "previous_response_id"
