"""Whatever is sent, the reply is an answer or one of our errors; never a fault of the server."""

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.counts import examples

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYWORDS = ["type", "properties", "required", "items", "enum", "const", "minimum", "maximum", "multipleOf", "pattern"]
KEYWORDS += ["format", "minLength", "maxLength", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref"]
KEYWORDS += ["$defs", "additionalProperties", "uniqueItems", "contains", "prefixItems", "$schema"]
SCHEMA = st.recursive(
    st.sampled_from([True, False, {}, {"type": "string"}, {"type": "integer"}, {"type": ["null", "boolean"]}]),
    lambda inner: st.dictionaries(
        st.sampled_from(KEYWORDS),
        inner
        | st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
        | st.sampled_from(["object", "array", "#", "#/$defs/a", "date", "^a+$", "(", 0, 3, -1, 2.5, ["a"], None]),
        max_size=3,
    ),
    max_leaves=6,
)
TEXT = st.text(max_size=12)
TOOL = st.fixed_dictionaries(
    {
        "type": st.just("function"),
        "function": st.fixed_dictionaries({"name": st.sampled_from("fgh")}, optional={"parameters": SCHEMA}),
    }
)
FIELDS = {
    "temperature": st.floats(0, 2),
    "top_p": st.floats(0, 1),
    "top_k": st.integers(-2, 50),
    "min_p": st.floats(0, 1),
    "seed": st.integers(),
    "stop": TEXT | st.lists(TEXT, max_size=3),
    "stop_token_ids": st.lists(st.integers(-1, 500), max_size=3),
    "n": st.integers(-1, 3),
    "max_tokens": st.integers(-1, 12),
    "min_tokens": st.integers(-1, 5),
    "logprobs": st.booleans(),
    "top_logprobs": st.integers(-1, 30),
    "logit_bias": st.dictionaries(st.integers(-1, 500).map(str) | TEXT, st.floats(-101, 101), max_size=3),
    "typical_p": st.floats(0, 1),
    "no_repeat_ngram_size": st.integers(-1, 5),
    "allowed_token_ids": st.lists(st.integers(-1, 350), max_size=5),
    "bad_words": st.lists(TEXT, max_size=3),
    "prompt_logprobs": st.integers(-1, 5),
    "stream": st.booleans(),
    "stream_options": st.fixed_dictionaries({"include_usage": st.booleans()}),
    "response_format": st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "json_object", "json_schema", "regex"])},
        optional={"json_schema": st.fixed_dictionaries({"schema": SCHEMA}), "schema": SCHEMA, "value": SCHEMA | TEXT},
    ),
    "guided_json": SCHEMA | SCHEMA.map(json.dumps),
    "guided_regex": st.from_regex(r"[a-c\[\](){}|*+?\\^$.,0-9]{0,12}", fullmatch=True),
    "guided_choice": st.lists(TEXT, max_size=3),
    "structured_outputs": st.fixed_dictionaries({}, optional={"json": SCHEMA, "choice": st.lists(TEXT)}),
    "tools": st.lists(TOOL, max_size=2),
    "tool_choice": st.sampled_from(["auto", "none", "required", "f"]),
    "parallel_tool_calls": st.booleans(),
    "ignore_eos": st.booleans(),
    "chat_template_kwargs": st.dictionaries(TEXT, TEXT, max_size=2),
}
CONTENT = TEXT | st.none() | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXT}), max_size=2)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "developer", "user", "assistant", "tool"]), "content": CONTENT},
    optional={"name": TEXT, "tool_call_id": TEXT},
)
PROMPT = TEXT | st.lists(TEXT, min_size=1, max_size=2) | st.lists(st.integers(0, 300), min_size=1, max_size=5)


@st.composite
def bodies(draw, base, **others):
    """A body that is mostly right, now and then with something else in one of its fields."""
    fields = {**FIELDS, **others}
    body = dict(draw(base))
    for name in draw(st.lists(st.sampled_from(sorted(fields)), max_size=5, unique=True)):
        body[name] = draw(fields[name])
    if draw(st.integers(0, 3)) == 0:
        body[draw(st.sampled_from([*sorted(fields), *body]))] = draw(JSON)
    return body


CHAT = bodies(st.fixed_dictionaries({"messages": st.lists(MESSAGE, min_size=1, max_size=3)}))
COMPLETION = bodies(st.fixed_dictionaries({"prompt": PROMPT}), logprobs=st.integers(0, 5), echo=st.booleans())

SEEN: Counter[int] = Counter()
RELAXED = settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.fixture(autouse=True, scope="module")
def both_outcomes_are_met():
    """Bodies that are all refused, or all served, would test little."""
    yield
    if SEEN.total() > 250:
        assert min(SEEN[200], SEEN[400]) > 60, SEEN


def check(live, path, content):
    reply = live.post(path, content=content)
    SEEN[reply.status_code] += 1
    if reply.status_code == 200:
        is_stream = reply.headers["content-type"].startswith("text/event-stream")
        assert '"error"' not in reply.text
        assert reply.text.endswith("data: [DONE]\n\n") if is_stream else reply.json()["choices"]
        return
    assert reply.status_code == 400, (reply.status_code, reply.text, content)
    error = reply.json()["error"]
    assert error["message"]
    assert error["code"] not in ("internal_error", "gateway_error")


def encode(body):
    return json.dumps({"max_tokens": 12, **body}, ensure_ascii=True).encode()


@RELAXED
@given(body=CHAT)
def test_any_chat_is_answered_or_refused(tiny_live, body):
    check(tiny_live, "/v1/chat/completions", encode(body))


@RELAXED
@given(body=COMPLETION)
def test_any_completion_is_answered_or_refused(tiny_live, body):
    check(tiny_live, "/v1/completions", encode(body))


@RELAXED
@given(content=JSON.map(json.dumps).map(str.encode) | st.binary(max_size=60))
def test_any_bytes_are_refused(tiny_live, content):
    check(tiny_live, "/v1/chat/completions", content)


def test_any_depth_is_answered_or_refused(tiny_live):
    for depth in (5, 50, 150, 250, 450, 900, 5_000):
        schema = '{"not":' * depth + "true" + "}" * depth
        items = '{"items":' * depth + '{"type":"integer"}' + "}" * depth
        pattern = json.dumps("(" * depth + "a" + ")" * depth)
        for field in (f'"guided_json": {schema}', f'"guided_json": {items}', f'"guided_regex": {pattern}'):
            body = '{"messages": [{"role": "user", "content": "x"}], "max_tokens": 2000, ' + field + "}"
            check(tiny_live, "/v1/chat/completions", body.encode())
        nested = "[" * depth + "]" * depth
        call = '{"function": {"name": "f", "arguments": ' + json.dumps('{"a": ' + nested + "}") + "}}"
        body = '{"max_tokens": 1, "messages": [{"role": "assistant", "tool_calls": [' + call + "]}]}"
        check(tiny_live, "/v1/chat/completions", body.encode())
