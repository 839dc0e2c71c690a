"""Histories of chats: results belong to calls, and what older clients wrote is read."""

import json

import pytest

from gateway.api.http.decode import decode
from gateway.api.openai.chat import chat_request
from gateway.api.openai.requests import ChatCompletionRequest
from gateway.errors import InvalidRequestError, UnsupportedParameterError

HI = {"role": "user", "content": "hi"}


def read(*messages):
    return chat_request(decode(ChatCompletionRequest, json.dumps({"messages": messages}).encode())).messages


def called(**fields):
    call = {"type": "function", "function": {"name": "f", "arguments": "{}"}, **fields}
    return {"role": "assistant", "tool_calls": [call]}


def result(**fields):
    return {"role": "tool", "content": "1", **fields}


@pytest.mark.parametrize(
    ("messages", "says", "param"),
    [
        ([called(id="a"), result(tool_call_id="b")], "no earlier call has the id 'b'", "messages[1].tool_call_id"),
        ([called(id="a"), result()], "is missing", "messages[1].tool_call_id"),
        ([result(tool_call_id="a"), called(id="a")], "no earlier call", "messages[0].tool_call_id"),
        ([result()], "is missing", "messages[0].tool_call_id"),
        ([called(), result(tool_call_id="a")], "no earlier call", "messages[1].tool_call_id"),
        ([HI, {"role": "function", "content": "1"}], "is missing", "messages[1].name"),
        ([HI, {"role": "function", "name": "g", "content": "1"}], "no earlier function_call", "messages[1].name"),
        (
            [{"role": "assistant", "function_call": {"name": "f", "arguments": "["}}],
            "not JSON",
            "messages[0].function_call.arguments",
        ),
    ],
)
def test_results_of_no_call_are_refused(messages, says, param):
    with pytest.raises(InvalidRequestError, match=says) as caught:
        read(*messages)
    assert caught.value.param == param


def test_calls_without_ids_have_results_without_ids():
    _, told = read(called(), result(name="f"))
    assert told == {"role": "tool", "content": "1", "name": "f"}


def test_results_may_come_late_and_twice():
    messages = read(called(id="a"), HI, result(tool_call_id="a"), called(id="b"), *[result(tool_call_id="a")] * 2)
    assert [each["role"] for each in messages] == ["assistant", "user", "tool", "assistant", "tool", "tool"]


def test_legacy_function_calls_are_calls_with_their_results():
    def said(name):
        return {"role": "assistant", "content": None, "function_call": {"name": name, "arguments": '{"q": 1}'}}

    messages = read(
        HI,
        said("f"),
        {"role": "function", "name": "f", "content": "one"},
        said("g"),
        {"role": "function", "name": "g", "content": "two"},
        said("f"),
        {"role": "function", "name": "f", "content": "three"},
    )
    calls = [message["tool_calls"][0] for message in messages[1::2]]
    results = messages[2::2]
    assert [call["function"] for call in calls] == [{"name": name, "arguments": {"q": 1}} for name in "fgf"]
    assert [each["content"] for each in results] == ["one", "two", "three"]
    assert [each["role"] for each in results] == ["tool"] * 3
    assert [each["tool_call_id"] for each in results] == [call["id"] for call in calls]
    assert len({call["id"] for call in calls}) == 3


def test_a_legacy_function_call_reaches_the_model(live):
    def prompt(*messages):
        return live.post("/apply-template", json={"messages": [HI, *messages]}).json()["prompt"]

    older = prompt(
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"q": "elm"}'}},
        {"role": "function", "name": "f", "content": "fir"},
    )
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"q": "elm"}'}}
    newer = prompt(
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "fir"},
    )
    assert older == newer
    assert "elm" in older


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        ({"content": None, "refusal": "No."}, "No."),
        ({"content": "Well.", "refusal": "No."}, "Well.\nNo."),
        ({"content": [{"type": "refusal", "refusal": "No."}], "refusal": None}, "No."),
        ({"content": "Well."}, "Well."),
    ],
)
def test_refusals_are_what_was_said(fields, content):
    assert read({"role": "assistant", **fields}) == ({"role": "assistant", "content": content},)


@pytest.mark.parametrize(
    ("message", "param"),
    [
        ({"role": "assistant", "content": "He", "prefix": True}, "messages[1].prefix"),
        ({"role": "assistant", "audio": {"id": "a"}}, "messages[1].audio"),
    ],
)
def test_what_cannot_be_continued_is_refused_by_name(message, param):
    with pytest.raises(UnsupportedParameterError) as caught:
        read(HI, message)
    assert caught.value.param == param


def test_a_prefix_that_was_answered_asks_for_nothing():
    assert len(read({"role": "assistant", "content": "He", "prefix": True}, HI)) == 2
    assert len(read(HI, {"role": "assistant", "content": "He", "prefix": False})) == 2


def test_refusals_come_in_openais_envelope(live):
    reply = live.post("/v1/chat/completions", json={"messages": [called(id="a"), result(tool_call_id="b")]})
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == "messages[1].tool_call_id"
