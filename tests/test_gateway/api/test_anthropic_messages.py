"""Anthropic's Messages over a real socket: shapes, order of events, and every way to be refused."""

import json

import pytest

HELLO = [{"role": "user", "content": "Say hello."}]
WEATHER = [{"role": "user", "content": "What is the weather in Paris?"}]
TOOL = {
    "name": "get_weather",
    "description": "The weather of a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
VERSION = {"anthropic-version": "2023-06-01"}


def body(**fields):
    return {"model": "test-model", "messages": HELLO, "max_tokens": 16, **fields}


def told(live, **fields):
    reply = live.post("/v1/messages", json=body(**fields))
    assert reply.status_code == 200, reply.text
    return reply.json()


def events_of(text):
    """Names and bodies of a stream's events."""
    *blocks, end = text.split("\n\n")
    assert end == ""
    found = []
    for block in blocks:
        name, data = block.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        found.append(event)
    return found


def streamed(live, **fields):
    reply = live.post("/v1/messages", json=body(**fields, stream=True))
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.headers["request-id"].startswith("req_")
    return events_of(reply.text)


def assembled(events):
    """Content as a client puts it together."""
    blocks, inputs = [], {}
    for event in events:
        if event["type"] == "content_block_start":
            assert event["index"] == len(blocks)
            blocks.append(dict(event["content_block"]))
        elif event["type"] == "content_block_delta":
            block, delta = blocks[event["index"]], event["delta"]
            assert event["index"] == len(blocks) - 1
            if delta["type"] == "text_delta":
                block["text"] += delta["text"]
            else:
                assert delta["type"] == "input_json_delta"
                inputs[event["index"]] = inputs.get(event["index"], "") + delta["partial_json"]
    for index, text in inputs.items():
        blocks[index]["input"] = json.loads(text)
    return blocks


def test_a_message_has_its_shape(live):
    reply = live.post("/v1/messages", json=body())
    message = reply.json()
    assert reply.headers["request-id"].startswith("req_")
    assert message["id"].startswith("msg_")
    assert (message["type"], message["role"], message["model"]) == ("message", "assistant", "test-model")
    assert [block["type"] for block in message["content"]] == ["text"]
    assert message["stop_reason"] in ("end_turn", "max_tokens")
    assert message["stop_sequence"] is None
    assert message["usage"]["output_tokens"] <= 16


def test_events_come_in_order(live):
    events = streamed(live, seed=1)
    names = [event["type"] for event in events]
    assert names[:3] == ["message_start", "content_block_start", "ping"]
    assert set(names[3:-3]) == {"content_block_delta"}
    assert names[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    start = events[0]["message"]
    assert (start["content"], start["stop_reason"]) == ([], None)
    assert events[1]["content_block"] == {"type": "text", "text": "", "citations": None}


@pytest.mark.parametrize(
    "fields",
    [
        {"seed": 1, "max_tokens": 24},
        {"seed": 2, "messages": WEATHER, "tools": [TOOL], "tool_choice": {"type": "any"}, "max_tokens": 80},
        {"seed": 3, "messages": WEATHER, "tools": [TOOL], "max_tokens": 80},
        {"seed": 4, "output_config": {"format": {"type": "json_schema", "schema": {"enum": ["a", "b"]}}}},
        {"seed": 5, "temperature": 0, "stop_sequences": ["e"], "max_tokens": 64},
    ],
    ids=["text", "forced", "auto", "schema", "stop"],
)
def test_streamed_and_whole_are_the_same(live, fields):
    whole = told(live, **fields)
    events = streamed(live, **fields)
    assert assembled(events) == whole["content"]
    end = events[-2]
    assert end["delta"] == {"stop_reason": whole["stop_reason"], "stop_sequence": whole["stop_sequence"]}
    assert end["usage"]["output_tokens"] == whole["usage"]["output_tokens"]
    prompt = [
        usage["input_tokens"] + usage["cache_read_input_tokens"]
        for usage in (whole["usage"], end["usage"], events[0]["message"]["usage"])
    ]
    assert len(set(prompt)) == 1


def test_a_forced_call_is_a_tool_use_block(live):
    message = told(live, messages=WEATHER, tools=[TOOL], tool_choice={"type": "tool", "name": "get_weather"}, seed=1)
    (call,) = message["content"]
    assert (call["type"], call["name"]) == ("tool_use", "get_weather")
    assert call["id"].startswith("toolu_")
    assert isinstance(call["input"]["city"], str)
    assert message["stop_reason"] == "tool_use"


def test_numbers_of_a_call_come_digit_by_digit(live):
    number = "123456789012345678901234567890"
    schema = {"type": "object", "properties": {"n": {"const": int(number)}}, "required": ["n"]}
    fields = {"tools": [{"name": "f", "input_schema": schema}], "tool_choice": {"type": "any"}, "max_tokens": 64}
    reply = live.post("/v1/messages", json=body(**fields))
    assert number in reply.text
    assert "e+" not in reply.text


def test_one_call_at_most_when_parallel_use_is_off(tiny_live):
    choice = {"type": "any", "disable_parallel_tool_use": True}
    for seed in range(6):
        message = told(tiny_live, tools=[TOOL], tool_choice=choice, seed=seed, max_tokens=120)
        assert [block["type"] for block in message["content"]] == ["tool_use"]


def test_a_stop_sequence_is_named(live):
    message = told(live, stop_sequences=["qqq", "o"], temperature=0, max_tokens=40)
    assert (message["stop_reason"], message["stop_sequence"]) == ("stop_sequence", "o")
    assert "o" not in message["content"][0]["text"]


def test_the_end_of_the_context_is_told_from_the_end_of_the_budget(tiny_live):
    assert told(tiny_live, max_tokens=3, seed=1)["stop_reason"] == "max_tokens"
    whole = told(tiny_live, messages=[{"role": "user", "content": "a" * 4000}], max_tokens=100_000, seed=1)
    assert whole["stop_reason"] == "model_context_window_exceeded"


def test_results_of_tools_are_read(live):
    (call,) = told(live, messages=WEATHER, tools=[TOOL], tool_choice={"type": "any"}, seed=1)["content"]
    for content in ("mild", [{"type": "text", "text": "mild", "cache_control": {"type": "ephemeral"}}], None):
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": content, "is_error": content is None}
        turns = [*WEATHER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        # What the model makes of it may be nothing: its answer ends where it likes.
        assert told(live, messages=turns, tools=[TOOL])["stop_reason"] in ("end_turn", "max_tokens", "tool_use")


def test_counting_is_what_the_model_reads(live):
    fields = {"system": [{"type": "text", "text": "Be brief."}], "tools": [TOOL], "messages": WEATHER}
    usage = told(live, **fields)["usage"]
    reply = live.post("/v1/messages/count_tokens", json={"model": "test-model", **fields})
    assert reply.json() == {"input_tokens": usage["input_tokens"] + usage["cache_read_input_tokens"]}
    plain = live.post("/v1/messages/count_tokens", json={"model": "test-model", "messages": WEATHER})
    assert plain.json()["input_tokens"] < reply.json()["input_tokens"]


@pytest.mark.parametrize("field", ["output_config", "output_format"])
def test_counting_counts_the_schema_that_the_model_is_told(live, field):
    schema = {"type": "object", "properties": {"mood": {"enum": ["good", "bad"]}}, "required": ["mood"]}
    format = {"type": "json_schema", "schema": schema}
    fields = {"messages": WEATHER, field: {"format": format} if field == "output_config" else format}
    usage = told(live, **fields)["usage"]
    reply = live.post("/v1/messages/count_tokens", json={"model": "test-model", **fields})
    assert reply.json() == {"input_tokens": usage["input_tokens"] + usage["cache_read_input_tokens"]}


def test_what_asks_for_nothing_is_ignored(live):
    message = told(
        live,
        metadata={"user_id": "someone"},
        service_tier="auto",
        speed="standard",
        thinking={"type": "disabled"},
        cache_control={"type": "ephemeral"},
        context_management={"edits": []},
        mcp_servers=[],
        container=None,
        tool_choice={"type": "any"},
        unknown=1,
    )
    assert message["content"]


def result(**fields):
    return [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", **fields}]}]


def assistant(*blocks):
    return [*HELLO, {"role": "assistant", "content": list(blocks)}, *HELLO]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"model": 1}, "model: Expected `str`"),
        ({"max_tokens": 0}, "max_tokens must be at least 1"),
        ({"messages": []}, "messages is empty"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": [{"type": "smell"}]}]}, "messages[0].content[0]: content of type"),
        ({"system": [{"type": "smell"}]}, "system[0]: content of type 'smell'"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text is missing"),
        ({"messages": assistant({"type": "server_tool_use", "id": "s", "name": "w", "input": {}})}, "server_tool_use"),
        ({"messages": assistant({"type": "tool_use", "id": "x", "input": {}})}, "messages[1].content[0].name"),
        ({"messages": assistant({"type": "tool_use", "id": "x", "name": "f"})}, "messages[1].content[0].input"),
        ({"messages": result(content="x")}, "messages[0].content[0].tool_use_id: no earlier"),
        ({"messages": assistant({"type": "tool_use", "id": "x", "name": "f", "input": {}})[:2]}, "text alone"),
        ({"temperature": -1}, "temperature must be between"),
        ({"top_p": 2}, "top_p must be between"),
        ({"stop_sequences": [""]}, "stop_sequences holds an empty text"),
        ({"stop_sequences": ["a"] * 17}, "stop_sequences has 17 entries"),
        ({"service_tier": "fast"}, "service_tier"),
        ({"inference_geo": "eu"}, "inference_geo is not served"),
        ({"thinking": {"type": "between_tools"}}, "thinking.type 'between_tools' is not served"),
        ({"thinking": {"type": "hard"}}, "thinking.type must be"),
        ({"thinking": {"type": "enabled"}}, "thinking.budget_tokens is missing"),
        ({"output_config": {"effort": "huge"}}, "output_config.effort"),
        ({"output_config": {"format": {"type": "text"}}}, "output_config.format.type must be"),
        ({"output_config": {"format": {"type": "json_schema"}}}, "output_config.format.schema is missing"),
        ({"output_config": {"format": {"type": "json_schema", "schema": "{"}}}, "output_config.format.schema is a"),
        (
            {"output_config": {"format": {"type": "json_schema", "schema": {"type": "x"}}}},
            "output_config.format.schema",
        ),
        ({"output_format": {"type": "json_schema", "schema": {"minimum": "x"}}}, "output_format.schema"),
        (
            {
                "output_config": {"format": {"type": "json_schema", "schema": {"const": 1}}},
                "output_format": {"type": "json_schema", "schema": {"const": 2}},
            },
            "output_config.format and output_format ask for different things",
        ),
        ({"tools": [{"type": "bash_20250124", "name": "bash"}]}, "'bash_20250124' are not served"),
        (
            {"tools": [{"type": "web_search_20250305", "name": "web_search"}], "tool_choice": {"type": "any"}},
            "tool_choice requires a call, and no tool is served",
        ),
        ({"tools": [{"name": "f"}]}, "tools[0].input_schema is missing"),
        ({"tools": [{"input_schema": {}}]}, "tools[0].name: a name"),
        ({"tools": [{**TOOL, "name": "a b"}]}, "tools[0].name: a name"),
        ({"tools": [TOOL, TOOL]}, "tools[1].name: the name 'get_weather' is taken"),
        ({"tools": [{"name": "f", "input_schema": {"type": "array"}}]}, "tools[0].input_schema.type"),
        ({"tools": [{"name": "f", "input_schema": {"properties": {"location": "bar"}}}]}, "tools[0].input_schema"),
        (
            {"tools": [TOOL, {"name": "f", "input_schema": {"properties": {"q": {"required": ["a", "a"]}}}}]},
            "tools[1].input_schema: ",
        ),
        ({"tools": [{**TOOL, "allowed_callers": ["code_execution_20250825"]}]}, "tools[0].allowed_callers"),
        ({"tools": [TOOL], "tool_choice": {"type": "some"}}, "tool_choice.type must be"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool"}}, "tool_choice.name"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "g"}}, "tool_choice.name: no tool named 'g'"),
        ({"tool_choice": {"type": "tool", "name": "g"}}, "tool_choice"),
    ],
)
def test_what_cannot_be_served_is_refused_by_name(tiny_live, fields, says):
    reply = tiny_live.post("/v1/messages", json=body(**fields))
    message = refused(reply, 400, "invalid_request_error")
    assert says in message, message
    assert tiny_live.post("/v1/messages", json=body(**fields, stream=True)).status_code == 400


def test_threads_are_refused_so_that_clients_do_without(tiny_live):
    reply = tiny_live.post("/v1/messages", json=body(thread={"type": "create"}))
    assert reply.status_code == 400
    assert reply.json()["error"]["details"] == {"error_code": "thread_unsupported_request"}
    assert "thread is not served" in reply.json()["error"]["message"]


def refused(reply, status, kind):
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    envelope = reply.json()
    assert set(envelope) == {"type", "error", "request_id"}
    assert set(envelope["error"]) == {"type", "message"}
    assert envelope["type"] == "error"
    assert envelope["request_id"] == reply.headers["request-id"]
    assert envelope["error"]["type"] == kind
    return envelope["error"]["message"]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens"])
def test_failures_have_their_types(tiny_live, path):
    assert "column 1" in refused(tiny_live.post(path, content=b"x"), 400, "invalid_request_error")
    assert "model is missing" in refused(tiny_live.post(path, json={"messages": HELLO}), 400, "invalid_request_error")
    assert "not served here" in refused(tiny_live.post(path, json=body(model="nope")), 404, "not_found_error")
    refused(tiny_live.post(path, content=b" " * 5_000_000), 413, "request_too_large")
    refused(tiny_live.get(path), 405, "invalid_request_error")
    refused(tiny_live.post(f"{path}/nothing", json={}), 404, "not_found_error")


def test_models_have_the_shape_of_the_client_that_asks(tiny_live):
    page = tiny_live.get("/v1/models", headers=VERSION).json()
    assert [model["id"] for model in page["data"]] == ["test-model", "gpt-test", "org/name"]
    assert {model["type"] for model in page["data"]} == {"model"}
    assert (page["has_more"], page["first_id"], page["last_id"]) == (False, "test-model", "org/name")
    assert tiny_live.get("/v1/models").json()["object"] == "list"
    one = tiny_live.get("/v1/models/org/name", headers=VERSION)
    assert (one.json()["id"], one.json()["type"]) == ("org/name", "model")
    assert tiny_live.get("/v1/models/org/name").json()["object"] == "model"
    refused(tiny_live.get("/v1/models/nope", headers=VERSION), 404, "not_found_error")
    assert tiny_live.get("/v1/models/nope").json()["error"]["code"] == "model_not_found"


@pytest.mark.parametrize(
    ("query", "names", "has_more"),
    [
        ("limit=2", ["test-model", "gpt-test"], True),
        ("limit=2&after_id=gpt-test", ["org/name"], False),
        ("limit=1&before_id=org/name", ["gpt-test"], True),
        ("after_id=org/name", [], False),
        ("lifecycle[]=retired", [], False),
        ("lifecycle[]=retired&lifecycle[]=active&limit=1", ["test-model"], True),
    ],
)
def test_models_come_in_pages(tiny_live, query, names, has_more):
    page = tiny_live.get(f"/v1/models?{query}", headers=VERSION).json()
    assert [model["id"] for model in page["data"]] == names
    assert page["has_more"] is has_more
    assert (page["first_id"], page["last_id"]) == ((names[0], names[-1]) if names else (None, None))


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=x", "after_id=nope", "after_id=a&before_id=b"])
def test_pages_that_are_none_are_refused(tiny_live, query):
    refused(tiny_live.get(f"/v1/models?{query}", headers=VERSION), 400, "invalid_request_error")
