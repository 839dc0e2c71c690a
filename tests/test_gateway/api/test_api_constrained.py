"""Constrained chats over a real socket: every spelling, every answer in its shape."""

import json
import re

import jsonschema
import pydantic
import pytest
from sdk_types import is_whole

HELLO = [{"role": "user", "content": "Describe Ann, who is 31 and lives in Rome."}]
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}
TEXT = json.dumps(PERSON)
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 10}, "unit": {"enum": ["C", "F"]}},
            "required": ["city", "unit"],
            "additionalProperties": False,
        },
    },
}
CLOCK = {"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "maxProperties": 0}}}
NOTHING = {"type": "function", "function": {"name": "nothing"}}


def ask(live, **fields):
    reply = live.post("/v1/chat/completions", json={"messages": HELLO, "max_tokens": 200, **fields})
    assert reply.status_code == 200, reply.text
    return reply.json()["choices"]


@pytest.mark.parametrize(
    "fields",
    [
        {"response_format": {"type": "json_schema", "json_schema": {"name": "p", "strict": True, "schema": PERSON}}},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": TEXT}}},
        {"response_format": {"type": "json_object", "schema": PERSON}},
        {"response_format": {"type": "json_object", "value": PERSON}},
        {"structured_outputs": {"json": PERSON}},
        {"structured_outputs": {"json": TEXT, "disable_any_whitespace": True}},
        {"guided_json": PERSON},
        {"guided_json": TEXT, "guided_decoding_backend": "xgrammar", "structured_outputs": {"json": PERSON}},
        {"json_schema": TEXT},
        {"grammar": {"type": "json", "value": PERSON}},
    ],
    ids=lambda fields: "+".join(fields),
)
def test_every_spelling_of_a_schema_holds(live, fields):
    for choice in ask(live, n=2, **fields):
        jsonschema.validate(json.loads(choice["message"]["content"]), PERSON)
        assert is_whole(choice)


def test_json_object_gives_an_object(live):
    for fields in ({"response_format": {"type": "json_object"}}, {"structured_outputs": {"json_object": True}}):
        assert isinstance(json.loads(ask(live, max_tokens=40, **fields)[0]["message"]["content"]), dict)


def test_disable_any_whitespace_leaves_none(live):
    fields = {"structured_outputs": {"json": PERSON, "disable_any_whitespace": True}}
    text = ask(live, temperature=2, **fields)[0]["message"]["content"]
    assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)


def test_regex_and_choice_hold(live):
    pattern = r"[A-Z][a-z]{2,6} \d{4}-\d\d"
    for field in ({"guided_regex": pattern}, {"regex": pattern}, {"structured_outputs": {"regex": pattern}}):
        for choice in ask(live, n=2, temperature=1.5, **field):
            assert re.fullmatch(pattern, choice["message"]["content"])
    words = ["ja", "nein", "vielleicht"]
    for field in ({"guided_choice": words}, {"structured_outputs": {"choice": words}}):
        assert ask(live, **field)[0]["message"]["content"] in words


@pytest.mark.parametrize("max_tokens", [24, 40, 70])
def test_a_constrained_answer_is_never_cut(live, max_tokens):
    schema = {"type": "array", "items": {"type": "string", "maxLength": 30}, "maxItems": 9}
    for choice in ask(live, n=4, max_tokens=max_tokens, guided_json=schema, temperature=1.7):
        jsonschema.validate(json.loads(choice["message"]["content"]), schema)
        assert is_whole(choice)


def test_stop_strings_do_not_cut_a_constrained_answer(live):
    for choice in ask(live, guided_json=PERSON, stop=['"', "a", "}"], n=2):
        jsonschema.validate(json.loads(choice["message"]["content"]), PERSON)


def test_ignore_eos_does_not_unbind_a_constraint(live):
    assert ask(live, guided_choice=["yes", "no"], ignore_eos=True)[0]["message"]["content"] in ("yes", "no")


def test_constrained_stream_equals_the_whole(live):
    asked = {
        "model": "test-model",
        "messages": HELLO,
        "max_tokens": 120,
        "seed": 4,
        "response_format": {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON}},
    }
    whole = live.client.chat.completions.create(**asked).choices[0]
    chunks = list(live.client.chat.completions.create(**asked, stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole.message.content
    assert chunks[-1].choices[0].finish_reason == whole.finish_reason


class Address(pydantic.BaseModel):
    street: str = pydantic.Field(max_length=20)
    number: int = pydantic.Field(ge=1, le=999)


class Customer(pydantic.BaseModel):
    name: str = pydantic.Field(max_length=20)
    vip: bool
    addresses: list[Address] = pydantic.Field(max_length=2)


def test_parse_gives_a_pydantic_model(live):
    reply = live.client.chat.completions.parse(
        model="test-model", messages=HELLO, response_format=Customer, max_tokens=300
    )
    assert isinstance(reply.choices[0].message.parsed, Customer)
    with live.client.chat.completions.stream(
        model="test-model", messages=HELLO, response_format=Customer, max_tokens=300
    ) as stream:
        final = stream.get_final_completion()
    assert isinstance(final.choices[0].message.parsed, Customer)


@pytest.mark.parametrize(
    ("tool_choice", "finish_reason", "names"),
    [
        ("required", "tool_calls", ["get_weather", "clock", "nothing"]),
        ({"type": "function", "function": {"name": "get_weather"}}, "stop", ["get_weather"]),
        ({"function": {"name": "get_weather"}}, "stop", ["get_weather"]),
        ("get_weather", "stop", ["get_weather"]),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "clock"}}]},
            },
            "tool_calls",
            ["clock"],
        ),
    ],
    ids=str,
)
def test_forced_calls_are_made_and_hold_their_schema(live, tool_choice, finish_reason, names):
    fields = {"tools": [WEATHER, CLOCK, NOTHING], "tool_choice": tool_choice, "parallel_tool_calls": False}
    for choice in ask(live, n=3, temperature=1.5, **fields):
        assert choice["finish_reason"] == finish_reason
        assert choice["message"]["content"] is None
        (call,) = choice["message"]["tool_calls"]
        assert call["type"] == "function"
        assert call["id"]
        assert call["function"]["name"] in names
        arguments = json.loads(call["function"]["arguments"])
        if call["function"]["name"] == "get_weather":
            jsonschema.validate(arguments, WEATHER["function"]["parameters"])
        else:
            assert arguments == {}


def test_parallel_calls_are_made_only_where_they_are_allowed(tiny_live):
    fields = {"tools": [CLOCK, NOTHING], "tool_choice": "required", "n": 16, "temperature": 1.5, "seed": 1}
    numbers = [len(choice["message"]["tool_calls"]) for choice in ask(tiny_live, **fields)]
    assert min(numbers) >= 1
    assert max(numbers) > 1
    for choice in ask(tiny_live, **fields):
        ids = [call["id"] for call in choice["message"]["tool_calls"]]
        assert len(set(ids)) == len(ids)
    alone = ask(tiny_live, **fields, parallel_tool_calls=False)
    assert {len(choice["message"]["tool_calls"]) for choice in alone} == {1}


def test_auto_tools_beside_a_response_format_meet_both_outcomes(tiny_live):
    # The likeliest first byte is the model's whim; over many answers either beginning is drawn.
    fields = {"tools": [CLOCK], "guided_json": {"type": "object", "maxProperties": 0}, "n": 16, "temperature": 5}
    made = [bool(choice["message"].get("tool_calls")) for choice in ask(tiny_live, **fields, seed=3)]
    assert set(made) == {True, False}


def test_forced_calls_win_over_a_response_format(live):
    fields = {"tools": [CLOCK], "tool_choice": "required", "response_format": {"type": "json_object"}}
    assert ask(live, **fields)[0]["message"]["tool_calls"]


@pytest.mark.parametrize("temperature", [0.0, 1.0, 2.0])
def test_auto_tools_beside_a_response_format_give_calls_or_the_schema(live, temperature):
    quoting = {"type": "object", "properties": {"a": {"enum": ["<tool_call>"]}}, "required": ["a"]}
    for schema in (PERSON, quoting):
        fields = {"tools": [WEATHER], "guided_json": schema, "n": 4, "temperature": temperature}
        for choice in ask(live, **fields):
            calls = choice["message"].get("tool_calls")
            if calls:
                assert choice["finish_reason"] == "tool_calls"
                assert choice["message"]["content"] is None
                jsonschema.validate(json.loads(calls[0]["function"]["arguments"]), WEATHER["function"]["parameters"])
            else:
                assert is_whole(choice)
                jsonschema.validate(json.loads(choice["message"]["content"]), schema)


def test_no_calls_are_made_under_none(live):
    choice = ask(live, tools=[CLOCK], tool_choice="none", max_tokens=8)[0]
    assert "tool_calls" not in choice["message"]
    choice = ask(live, tools=[CLOCK], tool_choice="none", guided_json=PERSON)[0]
    jsonschema.validate(json.loads(choice["message"]["content"]), PERSON)


def test_streamed_calls_come_in_openais_order_and_equal_the_whole(live):
    asked = {
        "model": "test-model",
        "messages": HELLO,
        "max_tokens": 150,
        "seed": 6,
        "tools": [WEATHER, CLOCK],
        "tool_choice": "required",
        "temperature": 1.0,
    }
    whole = live.client.chat.completions.create(**asked).choices[0]
    calls: dict[int, dict[str, str]] = {}
    finishes = []
    for chunk in live.client.chat.completions.create(**asked, stream=True):
        choice = chunk.choices[0]
        finishes.append(choice.finish_reason)
        for part in choice.delta.tool_calls or []:
            if part.index not in calls:
                assert part.index == len(calls)
                assert part.id
                assert part.type == "function"
                calls[part.index] = {"id": part.id, "name": part.function.name, "arguments": ""}
            else:
                assert part.id is part.type is part.function.name is None
            calls[part.index]["arguments"] += part.function.arguments
    assert [reason for reason in finishes if reason] == ["tool_calls"]
    assert [list(call.values()) for call in calls.values()] == [
        [call.id, call.function.name, call.function.arguments] for call in whole.message.tool_calls
    ]


def test_auto_calls_hold_their_schema_when_they_are_made(live):
    messages = [{"role": "user", "content": "What is the weather in Paris, in C? Call get_weather."}]
    for choice in ask(live, messages=messages, tools=[WEATHER], n=4, max_tokens=120):
        calls = choice["message"].get("tool_calls", [])
        assert choice["finish_reason"] == "tool_calls" if calls else choice["finish_reason"] in ("stop", "length")
        for call in calls:
            jsonschema.validate(json.loads(call["function"]["arguments"]), WEATHER["function"]["parameters"])


def test_free_text_beside_tools_that_runs_out_of_tokens_says_so(live):
    choice = ask(live, tools=[WEATHER], max_tokens=3, ignore_eos=True, logit_bias={})[0]
    if not choice["message"].get("tool_calls"):
        assert choice["finish_reason"] in ("length", "stop")


INNER = {"type": "object", "properties": {"c": {"enum": [1, 2]}}}
LOOSE = {"type": "object", "properties": {"a": {"type": "boolean"}, "b": INNER}}


def test_strict_closes_objects_and_requires_all(live):
    fields = {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": LOOSE}}}
    for choice in ask(live, n=3, temperature=1.5, **fields):
        value = json.loads(choice["message"]["content"])
        assert set(value) == {"a", "b"}
        assert set(value["b"]) == {"c"}
        assert value["b"]["c"] in (1, 2)


def test_without_strict_a_schema_is_meant_as_it_is_written(live):
    for strict, status in ((True, 400), (False, 200), (None, 200)):
        format = {"type": "json_schema", "json_schema": {"name": "x", "strict": strict, "schema": LOOSE}}
        body = {"messages": HELLO, "max_tokens": 3, "response_format": format}
        reply = live.post("/v1/chat/completions", json=body)
        assert reply.status_code == status, reply.text
        if status == 400:
            assert reply.json()["error"]["code"] == "budget_too_small"
        else:
            jsonschema.validate(json.loads(reply.json()["choices"][0]["message"]["content"]), LOOSE)


def test_strict_tools_take_all_arguments_and_no_other(live):
    tool = {"type": "function", "function": {"name": "f", "parameters": LOOSE, "strict": True}}
    for choice in ask(live, n=3, temperature=1.5, tools=[tool], tool_choice="required"):
        for call in choice["message"]["tool_calls"]:
            arguments = json.loads(call["function"]["arguments"])
            assert set(arguments) == {"a", "b"}
            assert set(arguments["b"]) == {"c"}


def test_a_strict_schema_that_cannot_be_converted_is_refused_by_its_place(live):
    schema = {"type": "object", "properties": {"a": {"$id": "http://x/y"}}}
    format = {"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": schema}}
    tool = {"type": "function", "function": {"name": "f", "parameters": schema, "strict": True}}
    for fields, param in (
        ({"response_format": format}, "response_format.json_schema.schema"),
        ({"tools": [tool]}, "tools[0].function.parameters"),
    ):
        reply = live.post("/v1/chat/completions", json={"messages": HELLO, **fields})
        assert reply.status_code == 400
        error = reply.json()["error"]
        assert error["param"] == param
        assert "/properties/a" in error["message"]


@pytest.mark.parametrize(
    ("keywords", "place"),
    [
        ({"type": "array", "items": [{"type": "integer"}, {"type": "string"}]}, "/properties/q/items"),
        ({"type": "integer", "minimum": 3, "exclusiveMinimum": True}, "/properties/q/exclusiveMinimum"),
        ({"type": "object", "required": ["a", "a"]}, "/properties/q/required"),
    ],
    ids=["items", "exclusiveMinimum", "required"],
)
def test_a_schema_that_is_none_is_refused_by_its_place(live, keywords, place):
    schema = {"type": "object", "properties": {"q": keywords}}
    format = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    tool = {"type": "function", "function": {"name": "f", "parameters": schema}}
    for fields, param in (
        ({"response_format": format}, "response_format.json_schema.schema"),
        ({"tools": [WEATHER, tool]}, "tools[1].function.parameters"),
    ):
        reply = live.post("/v1/chat/completions", json={"messages": HELLO, **fields})
        assert reply.status_code == 400
        error = reply.json()["error"]
        assert error["param"] == param
        assert error["message"].startswith(f"{param}: ")
        assert f"(at {place})" in error["message"]
