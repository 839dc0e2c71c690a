"""Results of calls come to the model in the order of the calls, whatever order and dialect they came in."""

import json
from types import SimpleNamespace

import pytest

from gateway.api.anthropic import chat as anthropic
from gateway.api.anthropic.requests import MessagesBody
from gateway.api.http.decode import decode
from gateway.api.ollama import chat as ollama
from gateway.api.ollama.requests import ChatBody
from gateway.api.openai import chat as openai
from gateway.api.openai.requests import ChatCompletionRequest
from gateway.api.openai.responses.items import items_of
from gateway.api.openai.responses.mapping import chat_of
from gateway.api.openai.responses.requests import ResponseBody
from gateway.core.model import ServedModel
from gateway.core.request import in_call_order

HI = {"role": "user", "content": "hi"}
CITIES = {"a": "A", "b": "B"}
RESULTS = {"b": "cold", "a": "hot"}
"""By the ids of the calls, in another order."""


def calls(*ids):
    made = [{"id": id, "type": "function", "function": {"name": "f", "arguments": {}}} for id in ids]
    return {"role": "assistant", "content": "", "tool_calls": made}


def results(*ids):
    return [{"role": "tool", "content": "x"} | ({} if id is None else {"tool_call_id": id}) for id in ids]


@pytest.mark.parametrize(
    ("given", "ordered"),
    [
        ([calls("a", "b"), *results("a", "b")], "ab"),
        ([calls("a", "b", "c"), *results("c", "a", "b")], "abc"),
        ([calls("a", "b"), *results("b"), HI, *results("a")], "ab"),
        ([calls("a", "b"), *results("b", "a"), calls("c", "d"), *results("d", "c")], "abcd"),
        ([calls("a", "b"), *results("b", "a"), calls("b", "a"), *results("a", "b")], "abba"),
        ([calls("a"), calls("b"), *results("b", "a")], "ab"),
        ([calls("a", "b", "c"), *results("c", None, "a")], "a-c"),
        ([calls(None, None), *results(None, None)], "--"),
        ([calls("a", "a"), *results("a", "a")], "aa"),
        ([calls("a"), *results("z", "a")], "za"),
        (results("b", "a"), "ba"),
    ],
    ids=["same", "other", "between", "turns", "again", "late", "unnamed", "no-ids", "one-id", "unknown", "no-calls"],
)
def test_in_call_order_sorts_each_turn(given, ordered):
    found = in_call_order(given)
    assert "".join(each.get("tool_call_id", "-") for each in found if each["role"] == "tool") == ordered
    assert [each["role"] for each in found] == [each["role"] for each in given]
    assert in_call_order(found) == found


def test_in_call_order_keeps_results_of_one_call_as_they_came():
    first, second = ({**result, "content": text} for result, text in zip(results("a", "a"), "xy", strict=True))
    assert in_call_order([calls("a"), first, second])[1:] == (first, second)


def read(kind, body):
    return decode(kind, json.dumps({"model": "m", **body}).encode())


def chats():
    made = [
        {"id": id, "function": {"name": "f", "arguments": json.dumps({"city": city})}} for id, city in CITIES.items()
    ]
    told = [{"role": "tool", "tool_call_id": id, "content": text} for id, text in RESULTS.items()]
    return openai.chat_request(
        read(ChatCompletionRequest, {"messages": [HI, {"role": "assistant", "tool_calls": made}, *told]})
    )


def responses():
    made = [
        {"type": "function_call", "call_id": id, "name": "f", "arguments": json.dumps({"city": city})}
        for id, city in CITIES.items()
    ]
    told = [{"type": "function_call_output", "call_id": id, "output": text} for id, text in RESULTS.items()]
    body = read(ResponseBody, {"input": [HI, *made, *told]})
    return chat_of(body, items_of(body.input, "input", lambda name: None))


def messages():
    made = [{"type": "tool_use", "id": id, "name": "f", "input": {"city": city}} for id, city in CITIES.items()]
    told = [{"type": "tool_result", "tool_use_id": id, "content": text} for id, text in RESULTS.items()]
    turns = [HI, {"role": "assistant", "content": made}, {"role": "user", "content": told}]
    return anthropic.chat_request(read(MessagesBody, {"max_tokens": 9, "messages": turns}))


def ollamas():
    made = [{"function": {"name": f"f{id}", "arguments": {"city": city}}} for id, city in CITIES.items()]
    told = [{"role": "tool", "tool_name": f"f{id}", "content": text} for id, text in RESULTS.items()]
    served = SimpleNamespace(model=ServedModel(name="m", aliases=(), max_context=99, created=0))
    return ollama.chat_request(
        read(ChatBody, {"messages": [HI, {"role": "assistant", "tool_calls": made}, *told]}), served
    )


@pytest.mark.parametrize("asked", [chats, responses, messages, ollamas])
def test_every_dialect_gives_results_in_the_order_of_their_calls(asked):
    _, turn, *told = asked().messages
    assert [call["function"]["arguments"]["city"] for call in turn["tool_calls"]] == ["A", "B"]
    assert [each["content"] for each in told] == ["hot", "cold"]


def test_the_model_reads_results_in_the_order_of_their_calls(live):
    def prompt(order):
        made = [
            {"id": id, "type": "function", "function": {"name": "f", "arguments": json.dumps({"city": city})}}
            for id, city in CITIES.items()
        ]
        told = [{"role": "tool", "tool_call_id": id, "content": RESULTS[id]} for id in order]
        body = {"messages": [HI, {"role": "assistant", "tool_calls": made}, *told]}
        return live.post("/apply-template", json=body).json()["prompt"]

    assert prompt("ba") == prompt("ab")
    assert prompt("ba").index("hot") < prompt("ba").index("cold")
