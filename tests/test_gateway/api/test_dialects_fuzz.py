"""Whatever is sent in Anthropic's or Ollama's words, the reply is an answer or one of our errors in theirs."""

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_api_fuzz import JSON, SCHEMA, TEXT

NUMBER = st.integers(-3, 300) | st.floats(-3, 3)
TEXTS = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXT}), max_size=2)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "text", "tool_use", "tool_result", "thinking", "image", "x"])},
    optional={
        "text": TEXT,
        "id": st.sampled_from(["toolu_1", "toolu_id-ff", "x"]),
        "name": TEXT,
        "input": st.dictionaries(TEXT, JSON, max_size=2),
        "tool_use_id": st.sampled_from(["toolu_1", "x"]),
        "content": TEXT | TEXTS,
        "is_error": st.booleans(),
        "thinking": TEXT,
    },
)
TURN = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "user", "assistant", "system"]), "content": TEXT | TEXTS | st.lists(BLOCK)}
)
FORMAT = st.fixed_dictionaries({"type": st.just("json_schema"), "schema": SCHEMA})
ANTHROPIC = {
    "system": TEXT | TEXTS,
    "stream": st.booleans(),
    "stop_sequences": st.lists(TEXT, max_size=2),
    "temperature": NUMBER,
    "top_p": NUMBER,
    "top_k": st.integers(-1, 50),
    "tools": st.lists(
        st.fixed_dictionaries({"name": st.sampled_from("fgh"), "input_schema": SCHEMA}, optional={"type": TEXT}),
        max_size=2,
    ),
    "tool_choice": st.fixed_dictionaries(
        {"type": st.sampled_from(["auto", "any", "none", "tool"])}, optional={"name": st.sampled_from("fg")}
    ),
    "thinking": st.fixed_dictionaries(
        {"type": st.sampled_from(["enabled", "disabled", "adaptive"])}, optional={"budget_tokens": st.integers(-1, 9)}
    ),
    "output_config": st.fixed_dictionaries({}, optional={"format": FORMAT}),
    "metadata": st.dictionaries(TEXT, TEXT, max_size=1),
}
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool"])},
    optional={
        "content": TEXT,
        "thinking": TEXT,
        "tool_name": st.sampled_from("fg"),
        "tool_calls": st.lists(st.just({"function": {"name": "f", "arguments": {"a": 1}}}), max_size=2),
    },
)
OPTIONS = st.fixed_dictionaries(
    {"num_predict": st.integers(1, 12)},
    optional={
        "temperature": NUMBER,
        "top_k": st.integers(-1, 50),
        "top_p": NUMBER,
        "min_p": NUMBER,
        "typical_p": NUMBER,
        "seed": st.integers(-1, 2**40),
        "repeat_penalty": NUMBER,
        "repeat_last_n": st.integers(-1, 1),
        "stop": st.lists(TEXT, max_size=2),
        "num_ctx": st.integers(0, 600),
        "mirostat": st.integers(0, 1),
    },
)
OLLAMA = {
    "stream": st.booleans(),
    "format": st.sampled_from(["json", "", "xml"]) | SCHEMA,
    "think": st.booleans() | st.just("low"),
    "keep_alive": st.integers(-1, 3) | st.just("5m"),
    "logprobs": st.booleans(),
    "top_logprobs": st.integers(-1, 3),
    "raw": st.booleans(),
    "system": TEXT,
    "suffix": TEXT,
    "tools": st.lists(
        st.fixed_dictionaries(
            {"function": st.fixed_dictionaries({"name": st.sampled_from("fgh"), "parameters": SCHEMA})}
        ),
        max_size=2,
    ),
}


@st.composite
def bodies(draw, base, fields):
    """A body that is mostly right, now and then with something else in one of its fields."""
    body = {"model": "test-model", **draw(base)}
    for name in draw(st.lists(st.sampled_from(sorted(fields)), max_size=4, unique=True)):
        body[name] = draw(fields[name])
    if draw(st.integers(0, 4)) == 0:
        body[draw(st.sampled_from([*sorted(fields), *body]))] = draw(JSON)
    return body


CLEAN = st.lists(
    st.fixed_dictionaries({"role": st.just("user"), "content": TEXT.filter(bool) | TEXTS}), min_size=1, max_size=2
)
MESSAGES = bodies(
    st.fixed_dictionaries({"messages": CLEAN | st.lists(TURN, min_size=1, max_size=3), "max_tokens": st.just(12)}),
    ANTHROPIC,
)
CHAT = bodies(st.fixed_dictionaries({"messages": st.lists(MESSAGE, max_size=3), "options": OPTIONS}), OLLAMA)
GENERATE = bodies(st.fixed_dictionaries({"prompt": TEXT, "options": OPTIONS}), OLLAMA)

SEEN: Counter[tuple[str, int]] = Counter()
RELAXED = settings(max_examples=70, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.fixture(autouse=True, scope="module")
def both_outcomes_are_met():
    """Bodies that are all refused, or all served, would test little."""
    yield
    for path in {path for path, _ in SEEN}:
        if SEEN[path, 200] + SEEN[path, 400] >= 60:
            assert min(SEEN[path, 200], SEEN[path, 400]) > 8, SEEN


def check(live, path, content):
    reply = live.post(path, content=content)
    status = reply.status_code
    SEEN[path, status] += 1
    assert status in (200, 400), (status, reply.text, content)
    if status == 400:
        assert said(path, reply.json())
        return
    kind = reply.headers["content-type"]
    if kind.startswith("text/event-stream"):
        assert reply.text.endswith('event: message_stop\ndata: {"type":"message_stop"}\n\n')
        assert "event: error" not in reply.text
    elif kind.startswith("application/x-ndjson"):
        *pieces, last = (json.loads(line) for line in reply.text.splitlines())
        assert last["done"] is True
        assert not any(piece["done"] for piece in pieces)
    else:
        assert reply.json().get("done") is True or reply.json()["stop_reason"]


def said(path, body):
    """The text of an error, after a look at its envelope."""
    if path == "/v1/messages":
        assert body["type"] == "error"
        assert body["error"]["type"] == "invalid_request_error"
        return body["error"]["message"]
    assert set(body) == {"error"}
    return body["error"]


@RELAXED
@given(body=MESSAGES)
def test_any_message_is_answered_or_refused(tiny_live, body):
    check(tiny_live, "/v1/messages", json.dumps(body).encode())


@RELAXED
@given(body=CHAT)
def test_any_chat_is_answered_or_refused(tiny_live, body):
    check(tiny_live, "/api/chat", json.dumps(body).encode())


@RELAXED
@given(body=GENERATE)
def test_any_prompt_is_answered_or_refused(tiny_live, body):
    check(tiny_live, "/api/generate", json.dumps(body).encode())


@settings(RELAXED, max_examples=40)
@given(content=JSON.map(json.dumps).map(str.encode) | st.binary(max_size=60))
@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens", "/api/chat", "/api/show"])
def test_any_bytes_are_refused(tiny_live, path, content):
    reply = tiny_live.post(path, content=content)
    assert reply.status_code in ((400, 404) if path == "/api/show" else (400,)), (reply.text, content)
