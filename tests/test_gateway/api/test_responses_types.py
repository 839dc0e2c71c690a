"""Every body and event of the dialect is what OpenAI's SDK types say, strictly."""

import json

import pydantic
import pytest
from sdk_types import sse, strictly

WEATHER = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome"]}, "days": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
CHAT_TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}]
FLAT_TOOLS = [{"type": "function", "name": "get_weather", "description": "The weather", "parameters": WEATHER}]
FORMAT = {"type": "json_schema", "name": "weather", "schema": WEATHER, "strict": True}
CITY = {"role": "user", "content": "What is the weather in Paris?"}

CHATS = {
    "plain": {},
    "two": {"n": 2, "seed": 1},
    "logprobs": {"logprobs": True, "top_logprobs": 2},
    "schema": {"response_format": {"type": "json_schema", "json_schema": FORMAT | {"type": None}}},
    "grammar": {"structured_outputs": {"grammar": 'start: "a" | "b"'}},
    "tools": {"tools": CHAT_TOOLS, "tool_choice": "required"},
    "named": {"tools": CHAT_TOOLS, "tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
    "auto": {"tools": CHAT_TOOLS, "stop": ["zzz"]},
    "stopped": {"stop": ["e"], "seed": 3},
    "prompt": {"prompt_logprobs": 1},
    "accepted": {"store": True, "metadata": {"a": "b"}, "service_tier": "auto", "user": "u"},
}
COMPLETIONS = {
    "plain": {},
    "echo": {"echo": True, "n": 2},
    "logprobs": {"logprobs": 2},
    "echo with logprobs": {"echo": True, "logprobs": 1},
    "regex": {"structured_outputs": {"regex": "[a-c]{3}"}},
}
RESPONSES = {
    "bare": {"input": "hi"},
    "plain": {"input": [CITY], "instructions": "Be brief."},
    "logprobs": {"input": "hi", "include": ["message.output_text.logprobs"], "top_logprobs": 2},
    "schema": {"input": [CITY], "text": {"format": FORMAT, "verbosity": "low"}},
    "object": {"input": [CITY], "text": {"format": {"type": "json_object"}}, "max_output_tokens": 60},
    "required": {"input": [CITY], "tools": FLAT_TOOLS, "tool_choice": "required"},
    "named": {"input": [CITY], "tools": FLAT_TOOLS, "tool_choice": {"type": "function", "name": "get_weather"}},
    "allowed": {
        "input": [CITY],
        "tools": FLAT_TOOLS,
        "tool_choice": {
            "type": "allowed_tools",
            "mode": "required",
            "tools": [{"type": "function", "name": "get_weather"}],
        },
        "max_tool_calls": 1,
    },
    "cut": {"input": "Say hello, then stop.", "max_output_tokens": 1, "min_tokens": 1, "seed": 1},
    "echoes": {
        "input": "hi",
        "metadata": {"a": "b"},
        "user": "u",
        "safety_identifier": "s",
        "prompt_cache_key": "k",
        "service_tier": "flex",
        "truncation": "auto",
        "reasoning": {"effort": "low", "summary": "auto"},
        "temperature": 0.5,
        "top_p": 0.9,
        "store": False,
    },
}
BASE = {"seed": 5, "temperature": 0.7}


def test_the_checker_refuses_what_the_sdk_forgives():
    good = {"id": "m", "object": "model", "created": 1, "owned_by": "x"}
    strictly("model", good)
    for bad in (good | {"created": "1"}, good | {"object": "thing"}, {**good, "id": None}, {"id": "m"}):
        with pytest.raises(pydantic.ValidationError):
            strictly("model", bad)
    with pytest.raises(AssertionError, match="nonsense"):
        strictly("model", good | {"nonsense": 1})


def ok(response):
    assert response.status_code == 200, response.text
    return response


@pytest.mark.parametrize("name", CHATS)
def test_chats_are_of_the_sdks_types(live, name):
    body = {"messages": [CITY], "max_tokens": 60, **BASE, **CHATS[name]}
    read = strictly("chat", ok(live.post("/v1/chat/completions", json=body)).text)
    assert len(read.choices) == body.get("n", 1)
    if name == "prompt":
        return
    body |= {"stream": True, "stream_options": {"include_usage": True}}
    *chunks, done = sse(ok(live.post("/v1/chat/completions", json=body)).text)
    assert done == (None, "[DONE]")
    chunks = [strictly("chat_chunk", data) for event, data in chunks]
    assert chunks[-1].usage.total_tokens == read.usage.total_tokens
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]


@pytest.mark.parametrize("name", COMPLETIONS)
def test_completions_are_of_the_sdks_types(live, name):
    body = {"prompt": "The weather", "max_tokens": 8, **BASE, **COMPLETIONS[name]}
    strictly("completion", _foretold(ok(live.post("/v1/completions", json=body)).json()))
    *chunks, done = sse(ok(live.post("/v1/completions", json=body | {"stream": True})).text)
    assert done == (None, "[DONE]")
    for _, data in chunks:
        chunk = _foretold(json.loads(data))
        for choice in chunk["choices"]:
            # OpenAI's server sends null before the end, as all do; the SDK has one type for whole replies and chunks.
            choice["finish_reason"] = choice["finish_reason"] or "stop"
        strictly("completion", chunk)


def _foretold(reply):
    """As if something had foretold an echoed prompt's first token. OpenAI's server sends null for it, as all do."""
    for choice in reply["choices"]:
        logprobs = choice["logprobs"]
        if logprobs and None in logprobs["token_logprobs"]:
            assert logprobs["token_logprobs"].index(None) == logprobs["top_logprobs"].index(None) == 0
            logprobs["token_logprobs"][0], logprobs["top_logprobs"][0] = 0.0, {}
    return reply


def test_models_are_of_the_sdks_types(live):
    listed = live.get("/v1/models").json()
    assert listed.pop("object") == "list"
    for model in listed.pop("data"):
        strictly("model", model)
        strictly("model", ok(live.get(f"/v1/models/{model['id']}")).text)
    assert not listed


@pytest.mark.parametrize("name", RESPONSES)
def test_responses_are_of_the_sdks_types_streamed_and_not(live, name):
    body = RESPONSES[name] if name == "bare" else {"max_output_tokens": 60, **BASE, **RESPONSES[name]}
    whole = strictly("response", ok(live.post("/v1/responses", json=body)).text)
    text = ok(live.post("/v1/responses", json=body | {"stream": True})).text
    found = [(event, strictly("event", data)) for event, data in sse(text)]
    assert [event for event, _ in found] == [read.type for _, read in found]
    assert [read.sequence_number for _, read in found] == list(range(len(found)))
    if name != "bare":
        last = found[-1][1].response
        assert _without_ids(last) == _without_ids(whole)


@pytest.mark.parametrize("name", ["plain", "logprobs", "schema", "required", "cut"])
def test_kept_responses_are_told_again(live, name):
    body = {"max_output_tokens": 60, **BASE, **RESPONSES[name]}
    whole = strictly("response", ok(live.post("/v1/responses", json=body)).text)
    place = f"/v1/responses/{whole.id}"
    assert strictly("response", ok(live.get(place)).text) == whole
    items = strictly("items", ok(live.get(f"{place}/input_items")).text)
    assert (items.first_id, items.last_id) == (items.data[0].id, items.data[-1].id)
    found = [strictly("event", data) for _, data in sse(ok(live.get(f"{place}?stream=true")).text)]
    assert found[-1].response == whole
    assert [event.sequence_number for event in found] == list(range(len(found)))
    rest = sse(ok(live.get(f"{place}?stream=true&starting_after=2")).text)
    assert [json.loads(data)["sequence_number"] for _, data in rest] == list(range(3, len(found)))


def test_counted_tokens_are_those_of_the_answer(live):
    body = RESPONSES["required"]
    counted = strictly("input_tokens", ok(live.post("/v1/responses/input_tokens", json=body)).text)
    answered = strictly("response", ok(live.post("/v1/responses", json=body)).text)
    assert counted.input_tokens == answered.usage.input_tokens


def _without_ids(response):
    plain = response.model_dump(exclude={"id", "created_at", "completed_at", "usage"})
    for item in plain["output"]:
        item.pop("id")
    return plain
