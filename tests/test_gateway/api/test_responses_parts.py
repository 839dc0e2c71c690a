"""Parts of Responses on their own: items, conversations, the store, what is told again."""

import msgspec
import pytest
from sdk_types import strictly
from streams import ARGUMENTS, DELTAS

from gateway.api.openai.chat import chat_completion
from gateway.api.openai.reply_parts import Identity
from gateway.api.openai.requests import ChatCompletionRequest
from gateway.api.openai.responses.conversation import messages_of
from gateway.api.openai.responses.events import replay
from gateway.api.openai.responses.items import items_of
from gateway.api.openai.responses.mapping import chat_of, new_response
from gateway.api.openai.responses.requests import ItemIn, PartIn, ResponseBody
from gateway.api.openai.responses.store import ResponseStore
from gateway.api.openai.responses.writer import ResponseWriter
from gateway.core.answer import Answer, ArgumentsDelta, Call, CallDelta, ChatAnswers, Finish, TextDelta, Usage
from gateway.errors import (
    EngineError,
    InvalidRequestError,
    OverloadedError,
    PreviousResponseError,
    ResponseNotFoundError,
)
from gateway.service import Prepared


def items(*given):
    return items_of(list(given), "input", lambda name: None)


def call(name, call_id="c"):
    return ItemIn(type="function_call", call_id=call_id, name=name, arguments="{}")


def said(text, role="assistant"):
    return ItemIn(role=role, content=text)


def thought(text):
    return ItemIn(type="reasoning", id="rs_1", content=[PartIn(type="reasoning_text", text=text)])


OUTPUT = ItemIn(type="function_call_output", call_id="c", output="done")


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        ([said("a"), call("f"), call("g"), OUTPUT], ["a fg", "tool"]),
        ([call("f"), OUTPUT, call("g")], [" f", "tool", " g"]),
        ([call("f"), said("a"), said("b")], [" f", "a ", "b "]),
        ([thought("t"), said("a"), call("f"), thought("u"), call("g")], ["t:a f", "u: g"]),
        ([thought("t"), call("f"), OUTPUT, said("a")], ["t: f", "tool", "a "]),
        ([said("x", "user"), thought("t")], ["user", "t: "]),
    ],
)
def test_what_one_turn_consists_of_is_one_message(given, shape):
    found = []
    for message in messages_of(None, items(*given), 0):
        if message["role"] != "assistant":
            found.append(message["role"])
            continue
        names = "".join(call["function"]["name"] for call in message.get("tool_calls", ()))
        thoughts = message.get("reasoning_content")
        found.append(f"{thoughts + ':' if thoughts else ''}{message['content'] or ''} {names}")
    assert found == shape


def test_instructions_and_leading_system_messages_are_one():
    messages = messages_of("one", items(said("two", "developer"), said("hi", "user"), said("three", "system")), 0)
    assert [(message["role"], message["content"]) for message in messages] == [
        ("system", "one\n\ntwo"),
        ("user", "hi"),
        ("system", "three"),
    ]


@pytest.mark.parametrize(
    ("format", "param"),
    [
        ({"type": "text", "schema": {}}, "schema"),
        ({"type": "json_object", "json_schema": {"schema": {}}}, "json_schema"),
        ({"type": "json_schema", "schema": {}, "grammar": "x"}, "grammar"),
        ({"type": "regex", "pattern": "a", "value": "b"}, "pattern"),
        ({"type": "regex"}, "pattern"),
        ({"type": "grammar", "grammar": "x", "definition": "y"}, "definition"),
        ({"type": "xml"}, "type"),
    ],
    ids=str,
)
def test_formats_that_say_two_things_are_refused(format, param):
    body = msgspec.convert({"input": "hi", "text": {"format": format}}, ResponseBody)
    with pytest.raises(InvalidRequestError) as caught:
        chat_of(body, items(said("hi", "user")))
    assert caught.value.param == f"text.format.{param}"


def test_every_item_gets_an_id_and_keeps_its_own():
    first, second = items(said("a"), thought("b"))
    assert first["id"].startswith("msg_")
    assert second["id"] == "rs_1"
    assert items(said("a"))[0]["id"] != first["id"]


def response(text="x", **body):
    writer = ResponseWriter(new_response(ResponseBody(**body), "m", True))
    for delta in (TextDelta(0, text), Finish(0, "stop"), Usage(1, 2)):
        writer.feed(delta)
    writer.end()
    return writer.response


def test_the_store_keeps_what_was_used_last():
    store = ResponseStore(2, 1 << 20)
    first, second, third = response(), response(), response()
    store.keep("a", first, ())
    store.keep("a", second, ())
    store.get("a", first.id)
    store.keep("a", third, ())
    assert store.get("a", first.id).response is first
    with pytest.raises(ResponseNotFoundError):
        store.get("a", second.id)


def test_the_store_is_bounded_in_bytes():
    size = 40_000
    store = ResponseStore(100, 3 * size)
    kept = [response("x" * size) for _ in range(5)]
    for each in kept:
        store.keep("a", each, ())
    store.keep("a", response("y" * 4 * size), ())
    alive = []
    for each in kept:
        try:
            alive.append(store.get("a", each.id).response)
        except ResponseNotFoundError:
            continue
    assert alive == kept[-2:]


def test_tenants_have_stores_of_their_own():
    store = ResponseStore(2, 1 << 20)
    mine = response()
    store.keep("a", mine, tuple(items(said("hi", "user"))))
    for _ in range(5):
        store.keep("b", response(), ())
    assert [item["type"] for item in store.continued("a", mine.id)] == ["message", "message"]
    assert store.item("a", mine.output[0].id) is not None
    assert store.item("b", mine.output[0].id) is None
    with pytest.raises(PreviousResponseError):
        store.continued("b", mine.id)
    store.drop("a", mine.id)
    with pytest.raises(ResponseNotFoundError):
        store.drop("a", mine.id)
    assert store.continued("a", None) == ()


def test_items_come_in_the_order_in_which_they_were_written():
    writer = ResponseWriter(new_response(ResponseBody(), "m", True))
    found = writer.begin()
    last = [CallDelta(0, 2, "call_3", "h", "custom"), ArgumentsDelta(0, 2, "raw"), TextDelta(0, "after")]
    for delta in (*DELTAS, ArgumentsDelta(0, 1, "{}"), *last, Finish(0, "tool_calls"), Usage(3, 9, 1, 2)):
        found += writer.feed(delta)
    found += writer.end()
    kinds = [type(item).__name__ for item in writer.response.output]
    assert kinds == ["ReasoningItem", "MessageItem", *["FunctionCallItem"] * 2, "CustomCallItem", "MessageItem"]
    thoughts, before, function, empty, custom, after = writer.response.output
    assert thoughts.content[0].text == "Let me see."
    assert (before.content[0].text, after.content[0].text) == ("I will look.", "after")
    assert (function.call_id, function.arguments) == ("call_1", ARGUMENTS)
    assert (empty.call_id, empty.arguments) == ("call_2", "{}")
    assert (custom.call_id, custom.input) == ("call_3", "raw")
    assert writer.response.usage.output_tokens_details.reasoning_tokens == 2
    assert [event.sequence_number for event in found] == list(range(len(found)))
    names = [event.name for event in found]
    deltas = {name for name in names if name.endswith(".delta")}
    once = [name for place, name in enumerate(names) if name not in deltas or names[place - 1] != name]
    assert [event.name for event in replay(writer.response)] == once
    for event in (*found, *replay(writer.response)):
        strictly("event", msgspec.json.encode(event))


@pytest.mark.parametrize(
    ("error", "code"), [(EngineError("no"), "server_error"), (OverloadedError("no"), "rate_limit_exceeded")]
)
def test_a_failure_withdraws_what_was_written(error, code):
    writer = ResponseWriter(new_response(ResponseBody(), "m", True))
    writer.begin()
    writer.feed(TextDelta(0, "half"))
    cause, last = writer.fail(error)
    assert (cause.name, last.name) == ("error", "response.failed")
    for event in (cause, last):
        strictly("event", msgspec.json.encode(event))
    assert last.sequence_number == cause.sequence_number + 1
    assert (last.response.status, last.response.output, last.response.error.code) == ("failed", [], code)
    store = ResponseStore(1, 1 << 20)
    store.keep("", writer.response, ())
    with pytest.raises(InvalidRequestError):
        store.continued("", writer.response.id)


def test_a_chats_reasoning_is_told_beside_its_content():
    answer = Answer(
        choice=0,
        text="said",
        calls=(Call("call_1", "f", "{}"), Call("call_2", "g", "raw", "custom")),
        finish_reason="tool_calls",
        stop_reason=None,
        logprobs=(),
        reasoning="thought",
    )
    body = ChatCompletionRequest(messages=[])
    prepared = Prepared(model_name="m", prompts=(), n=1, candidates=1)
    reply = chat_completion(Identity.new("chatcmpl", "m"), ChatAnswers((answer,), Usage(1, 2, 0, 1)), prepared, body)
    read = strictly("chat", msgspec.json.encode(reply))
    message = read.choices[0].message
    assert (message.content, message.reasoning, message.reasoning_content) == ("said", "thought", "thought")
    assert [call.type for call in message.tool_calls] == ["function", "custom"]
    assert read.usage.completion_tokens_details.reasoning_tokens == 1
