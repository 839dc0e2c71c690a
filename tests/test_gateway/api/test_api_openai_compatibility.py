"""What clients are known to send, each as it was seen on the wire, and what other servers' fields come to here."""

import json

import jsonschema
import pytest
from sdk_types import sse, strictly

from gateway.api.openai.structural_tags import structural_tag
from gateway.service.constraints.specs import spec_of

HI = [{"role": "user", "content": "hi"}]
SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome"]}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "find", "parameters": SCHEMA}}
NAMED = {"type": "function", "function": {"name": "find"}}


def post(live, body, path="/v1/chat/completions", **kwargs):
    response = live.post(path, json=body, **kwargs)
    assert response.status_code == 200, response.text
    return response.json()


def chat(live, messages=HI, **fields):
    return post(live, {"messages": messages, "max_tokens": 100, "seed": 1, **fields})


def content(reply):
    return reply["choices"][0]["message"]["content"]


def holds(text):
    jsonschema.validate(json.loads(text), SCHEMA)


# Rule 1


def test_unknown_fields_are_ignored_and_null_is_absent(live):
    nulls = dict.fromkeys(("tools", "top_p", "regex", "stop", "response_format", "stream", "n", "seed"))
    plain = chat(live, temperature=0)
    assert content(chat(live, temperature=0, max_retries=3, nonsense={"a": 1}, **nulls)) == content(plain)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_both_names_of_the_longest_answer_count(live, name):
    reply = chat(live, **{"max_tokens": None, name: 1, "min_tokens": 1})
    assert reply["usage"]["completion_tokens"] == 1


# Rule 2 is TGI's: see its tests.

# Rules 3 and 4


@pytest.mark.parametrize(
    "fields",
    [
        {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": json.dumps(SCHEMA)}}},
        {"response_format": {"type": "json_object", "value": SCHEMA}},
        {"response_format": {"type": "json_object", "schema": SCHEMA}},
        {"structured_outputs": {"json": SCHEMA}},
        {"structured_outputs": {"json": json.dumps(SCHEMA)}},
        {"guided_json": SCHEMA},
        {"guided_json": json.dumps(SCHEMA)},
        {"json_schema": json.dumps(SCHEMA)},
        {"grammar": {"type": "json", "value": SCHEMA}},
        {"grammar": {"type": "json_schema", "value": json.dumps(SCHEMA)}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_every_spelling_of_a_schema_holds(tiny_live, fields):
    holds(content(chat(tiny_live, **fields)))


GBNF, LARK = 'root ::= "yes" | "no"', 'start: "yes" | "no"'


@pytest.mark.parametrize("text", [GBNF, LARK], ids=["gbnf", "lark"])
@pytest.mark.parametrize("field", ["structured_outputs", "guided_grammar", "ebnf", "grammar", "response_format"])
def test_grammars_are_told_apart_by_content_whatever_the_field(tiny_live, field, text):
    value = {"structured_outputs": {"grammar": text}, "response_format": {"type": "grammar", "grammar": text}}.get(
        field, text
    )
    assert content(chat(tiny_live, **{field: value})) in ("yes", "no")


@pytest.mark.parametrize(
    "fields",
    [
        {"regex": "[ab]{3}"},
        {"guided_regex": "[ab]{3}"},
        {"structured_outputs": {"regex": "[ab]{3}"}},
        {"grammar": {"type": "regex", "value": "[ab]{3}"}},
        {"response_format": {"type": "regex", "value": "[ab]{3}"}},
        {"guided_choice": ["aba", "bab"]},
        {"structured_outputs": {"choice": ["aba", "bab"]}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_every_spelling_of_a_pattern_or_a_choice_holds(tiny_live, fields):
    text = content(chat(tiny_live, **fields))
    assert len(text) == 3
    assert set(text) <= set("ab")


# Rules 5 and 6


def test_a_tool_choice_needs_no_type(tiny_live):
    reply = chat(tiny_live, tools=[TOOL], tool_choice={"function": {"name": "find"}})
    holds(reply["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"])


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("required", "tool_calls"),
        (NAMED, "stop"),
        ({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [NAMED]}}, "tool_calls"),
    ],
    ids=["required", "named", "allowed"],
)
def test_a_forced_call_wins_over_a_format_and_finishes_as_openais_do(tiny_live, choice, reason):
    format = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "integer"}}}
    reply = chat(tiny_live, tools=[TOOL], tool_choice=choice, response_format=format)
    (found,) = reply["choices"]
    assert found["finish_reason"] == reason
    assert found["message"]["content"] is None
    for call in found["message"]["tool_calls"]:
        holds(call["function"]["arguments"])


def test_an_open_choice_beside_a_format_gives_a_call_or_the_format(tiny_live):
    format = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"enum": [1, 2]}}}
    for seed in range(6):
        message = chat(tiny_live, tools=[TOOL], response_format=format, seed=seed, temperature=1.5)["choices"][0][
            "message"
        ]
        if message.get("tool_calls"):
            assert message["content"] is None
            for call in message["tool_calls"]:
                holds(call["function"]["arguments"])
        else:
            assert json.loads(message["content"]) in (1, 2)


def test_a_required_choice_without_tools_is_ignored(live):
    assert content(chat(live, tool_choice="required"))


# Rule 7


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant", "tool"])
def test_content_is_text_null_or_parts_in_every_role(live, role):
    call = {"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked = [{"role": "assistant", "tool_calls": [call]}] if role == "tool" else []

    def count(given):
        message = {"role": role, "content": given, **({"tool_call_id": "x"} if role == "tool" else {})}
        return chat(live, [*asked, message, *HI], max_tokens=1)["usage"]["prompt_tokens"]

    assert count("one two") == count([{"type": "text", "text": "one two"}])
    assert count(None) == count("") < count("one two")


# Rules 8 to 11


def test_the_list_of_models_is_the_clients_own(live):
    assert live.get("/v1/models").json()["object"] == "list"
    anthropic = live.get("/v1/models", headers={"anthropic-version": "2026-10-21"}).json()
    assert anthropic["data"][0]["type"] == "model"
    assert {"has_more", "first_id", "last_id"} <= set(anthropic)


def test_models_have_aliases(live):
    for name in ("test-model", "gpt-test", "org/name"):
        assert chat(live, model=name, max_tokens=1)["model"] == name


def test_bench_tools_are_served(live):
    body = {"messages": HI, "max_tokens": 12, "ignore_eos": True, "stream": True, "temperature": 0}
    options = {"include_usage": True, "continuous_usage_stats": True}
    *chunks, _ = sse(live.post("/v1/chat/completions", json={**body, "stream_options": options}).text)
    counts = [strictly("chat_chunk", data).usage for _, data in chunks]
    assert counts[0].completion_tokens == 0
    totals = [usage.completion_tokens for usage in counts]
    assert totals == sorted(totals)
    assert totals[-1] == 12
    assert len(set(totals)) > 2
    assert all(usage.total_tokens == usage.prompt_tokens + usage.completion_tokens for usage in counts)
    body = {"prompt": "hi", "max_tokens": 12, "ignore_eos": True, "stream": True, "stream_options": options}
    *chunks, _ = sse(live.post("/v1/completions", json=body).text)
    totals = [json.loads(data)["usage"]["completion_tokens"] for _, data in chunks]
    assert totals[-1] == 12
    assert totals == sorted(totals)
    *chunks, _ = sse(
        live.post("/v1/completions", json=body | {"stream_options": {"continuous_usage_stats": True}}).text
    )
    assert all("usage" not in json.loads(data) for _, data in chunks)


# Of OpenAI's own


def test_what_asks_for_nothing_here_is_accepted(live):
    plain = chat(live, temperature=0)
    fields = {
        "prediction": {"type": "content", "content": "hello"},
        "verbosity": "low",
        "store": True,
        "metadata": {"a": "b"},
        "service_tier": "flex",
        "user": "u",
        "safety_identifier": "s",
        "prompt_cache_key": "k",
        "modalities": ["text"],
        "audio": {"format": "wav", "voice": "alloy"},
        "functions": [{"name": "f"}],
        "function_call": "none",
        "logit_bias": {},
    }
    reply = chat(live, temperature=0, **fields)
    assert content(reply) == content(plain)
    assert (reply["metadata"], reply["service_tier"]) == ({"a": "b"}, "default")
    assert not {"metadata", "service_tier"} & set(plain)


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions"])
def test_chunks_are_padded_where_that_is_asked_for(live, path):
    body = {"messages": HI, "prompt": "hi", "max_tokens": 8, "stream": True, "temperature": 0}
    for asked in (True, False):
        *chunks, _ = sse(live.post(path, json={**body, "stream_options": {"include_obfuscation": asked}}).text)
        chunks = [json.loads(data) for _, data in chunks]
        assert all(("obfuscation" in chunk) is asked for chunk in chunks)


# Structural tags


def tag(begin, content, end):
    return {"begin": begin, "content": content, "end": end}


CITY = {"type": "json_schema", "json_schema": SCHEMA}
SHAPES = {
    "const": ({"type": "const_string", "value": "fixed"}, "fixed"),
    "regex": ({"type": "regex", "pattern": "[ab]{2}"}, None),
    "grammar": ({"type": "grammar", "grammar": 'root ::= "go"'}, "go"),
    "tag": ({"type": "tag", **tag("<a>", {"type": "const_string", "value": "x"}, "</a>")}, "<a>x</a>"),
    "sequence": (
        {"type": "sequence", "elements": [{"type": "const_string", "value": "x"}, {"type": "regex", "pattern": "y"}]},
        "xy",
    ),
    "or": ({"type": "or", "elements": [{"type": "const_string", "value": value} for value in "pq"]}, None),
    "separated": (
        {
            "type": "tags_with_separator",
            "tags": [tag("[", {"type": "const_string", "value": "x"}, "]")],
            "separator": ", ",
            "at_least_one": True,
            "stop_after_first": True,
        },
        "[x]",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_structural_tags_hold(tiny_live, name):
    format, text = SHAPES[name]
    for fields in (
        {"response_format": {"type": "structural_tag", "format": format}},
        {"structural_tag": json.dumps({"type": "structural_tag", "format": format})},
        {"structured_outputs": {"structural_tag": {"format": format}}},
    ):
        reply = chat(tiny_live, **fields)
        by = {"const": None, "regex": None, "grammar": "earley"}.get(name, "pieces")
        assert reply["choices"][0].get("verified_by") == by
        assert content(reply) in ({"regex": ["aa", "ab", "ba", "bb"], "or": ["p", "q"]}.get(name) or [text])


def test_tags_stand_in_free_text(tiny_live):
    new = {"type": "triggered_tags", "triggers": ["<city>"], "tags": [tag("<city>", CITY, "</city>")]}
    new |= {"at_least_one": True, "stop_after_first": True}
    text = content(chat(tiny_live, response_format={"type": "structural_tag", "format": new}, max_tokens=60))
    before, _, rest = text.partition("<city>")
    holds(rest.removesuffix("</city>"))
    assert rest.endswith("</city>")
    assert "<city>" not in before


def test_the_old_form_of_structural_tags_says_what_the_new_one_does():
    schemas = [SCHEMA, {"type": "integer"}]
    old = [{"begin": f"<{index}>", "schema": schema, "end": "</>"} for index, schema in enumerate(schemas)]
    new = [
        tag(f"<{index}>", {"type": "json_schema", "json_schema": schema}, "</>") for index, schema in enumerate(schemas)
    ]
    format = {"type": "triggered_tags", "triggers": ["<"], "tags": new}
    one, other = structural_tag({"structures": old, "triggers": ["<"]}, "x"), structural_tag({"format": format}, "x")
    assert spec_of(one).cache_key() == spec_of(other).cache_key()


@pytest.mark.parametrize(
    ("given", "param"),
    [
        ({}, "response_format.format"),
        ({"format": 5}, "response_format.format"),
        ({"format": {"type": "tag", "begin": "x", "content": CITY}}, "response_format.format.end"),
        ({"format": {"type": "sequence", "elements": []}}, "response_format.format.elements"),
        (
            {"format": {"type": "sequence", "elements": [{"type": "some_tokens"}]}},
            "response_format.format.elements[0].type",
        ),
        ({"structures": [{"begin": "x"}], "triggers": ["x"]}, "response_format.structures[0].schema"),
        ({"format": {"type": "triggered_tags", "tags": [tag("x", CITY, "")]}}, "response_format.format.triggers"),
        (
            {"format": {"type": "triggered_tags", "triggers": ["y"], "tags": [tag("x", CITY, "")]}},
            "response_format.format",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_structural_tag_is_said(live, given, param):
    body = {"messages": HI, "response_format": {"type": "structural_tag", **given}}
    response = live.post("/v1/chat/completions", json=body)
    assert response.status_code == 400, response.text
    assert response.json()["error"]["param"] == param
