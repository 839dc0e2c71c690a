"""Bodies that hold more than is read at once are refused before anything is made of them."""

import json

import pytest

from gateway.api.http.decode import MAX_CONTAINERS, MAX_MEMBERS, MAX_VALUES, check_body
from gateway.errors import InvalidRequestError

HI = {"role": "user", "content": "hi"}
PART = {"type": "text", "text": "a"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ([[]] * MAX_CONTAINERS, f"{MAX_CONTAINERS + 1} objects and arrays; at most {MAX_CONTAINERS}"),
        ({str(i): 1 for i in range(MAX_MEMBERS + 1)}, f"{MAX_MEMBERS + 1} members of objects; at most {MAX_MEMBERS}"),
        ([1] * (MAX_VALUES + 2), f"{MAX_VALUES + 1} values; at most {MAX_VALUES}"),
    ],
    ids=["containers", "members", "values"],
)
def test_too_much_is_refused_and_counted(body, told):
    with pytest.raises(InvalidRequestError, match=told):
        check_body(json.dumps(body).encode())


@pytest.mark.parametrize(
    "text",
    ["{" * MAX_CONTAINERS, ":" * 2 * MAX_MEMBERS, "," * MAX_VALUES * 2, '"{' * MAX_CONTAINERS, "\\[" * MAX_CONTAINERS],
    ids=["braces", "colons", "commas", "quotes", "backslashes"],
)  # fmt: skip
def test_what_stands_in_strings_does_not_count(text):
    check_body(json.dumps({"text": text, "more": ["\\", '"', text]}).encode())


def test_as_much_as_may_be_is_read():
    check_body(json.dumps([[]] * (MAX_CONTAINERS - 1)).encode())
    check_body(json.dumps([5] * MAX_VALUES).encode())


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/detokenize", {"tokens": [[5]] * 20_000}),
        ("/v1/decisions", {"input": "x", "questions": [
            {"type": "choice", "instructions": "w", "choices": [{"value": str(i)} for i in range(150)]}] * 400}),
        ("/v1/responses", {"input": [HI] * 60_000}),
        ("/v1/responses", {"input": [HI] * 3_000}),
        ("/v1/responses/input_tokens", {"input": [HI] * 3_000}),
        ("/api/chat", {"messages": [HI] * 60_000}),
        ("/v1/messages", {"max_tokens": 2, "messages": [{"role": "user", "content": [PART] * 60_000}]}),
        ("/v1/chat/completions", {"messages": [HI], "logit_bias": {str(i): 1 for i in range(200_000)}}),
        ("/v1/chat/completions", {"messages": [HI, {"role": "assistant", "tool_calls": [CALL] * 30_000}]}),
        ("/v1/completions", {"prompt": [5] * 600_000}),
    ],
    ids=["lists", "labels", "items", "few items", "counted items", "messages", "blocks", "biases", "calls", "ids"],
)  # fmt: skip
def test_routes_refuse_what_is_too_much(tiny_live, path, body):
    """That no handler held the event loop meanwhile is looked at behind each test."""
    reply = tiny_live.post(path, json={"model": "test-model", **body})
    assert reply.status_code == 400, reply.text
    assert "at most" in reply.text
