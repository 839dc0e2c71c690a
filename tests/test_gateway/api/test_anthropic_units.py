"""The parts of the dialect that no server is needed for."""

import json

import pytest
from streams import ARGUMENTS, DELTAS

from gateway import errors
from gateway.api.anthropic.blocks import BlockWriter, assembled
from gateway.api.anthropic.chat import chat_request, prompt_request
from gateway.api.anthropic.envelope import anthropic_status, envelope, error_event
from gateway.api.anthropic.messages import from_wire, to_wire
from gateway.api.anthropic.requests import MessagesBody, PromptFields
from gateway.api.http.decode import decode
from gateway.core.answer import TextDelta

CALL = {"type": "tool_use", "id": "toolu_a1", "name": "f", "input": {"x": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_a1", "content": "fine"}


def asked(kind=MessagesBody, **fields):
    body = {"model": "m", "max_tokens": 50, "messages": [{"role": "user", "content": "hi"}], **fields}
    make = chat_request if kind is MessagesBody else prompt_request
    return make(decode(kind, json.dumps(body).encode()))


def test_blocks_become_what_templates_read():
    turns = [
        {"role": "user", "content": "one"},
        {"role": "user", "content": [{"type": "text", "text": "two"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "I look."},
                CALL,
            ],
        },
        {"role": "user", "content": [{**RESULT, "is_error": True}, {"type": "text", "text": "and?"}]},
    ]
    request = asked(messages=turns, system=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    assert request.messages == (
        {"role": "system", "content": "a\nb"},
        {"role": "user", "content": "one\ntwo"},
        {
            "role": "assistant",
            "content": "I look.",
            "reasoning_content": "hm",
            "tool_calls": [{"id": "call_a1", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}],
        },
        {"role": "tool", "tool_call_id": "call_a1", "name": "f", "content": "Error: fine"},
        {"role": "user", "content": "and?"},
    )


def test_a_call_without_text_has_empty_content():
    turns = [{"role": "user", "content": "x"}, {"role": "assistant", "content": [CALL]}]
    request = asked(messages=[*turns, {"role": "user", "content": [RESULT]}])
    assert request.messages[1]["content"] == ""


def test_examples_of_inputs_are_part_of_the_schema():
    tool = {"name": "f", "input_schema": {"type": "object"}, "input_examples": [{"a": 1}]}
    assert asked(tools=[tool]).tools.get("f").parameters == {"type": "object", "examples": [{"a": 1}]}


@pytest.mark.parametrize(
    ("choice", "mode", "parallel"),
    [
        (None, "auto", True),
        ({"type": "auto", "disable_parallel_tool_use": True}, "auto", False),
        ({"type": "any"}, "required", True),
        ({"type": "none"}, "none", True),
        ({"type": "tool", "name": "f", "disable_parallel_tool_use": True}, "named", False),
    ],
)
def test_choices_are_understood(choice, mode, parallel):
    request = asked(tools=[{"name": "f", "input_schema": {"type": "object"}}], tool_choice=choice)
    assert (request.tool_choice.mode, request.tool_choice.parallel) == (mode, parallel)


@pytest.mark.parametrize("kind", [MessagesBody, PromptFields])
@pytest.mark.parametrize(
    ("thinking", "enabled", "budget"),
    [
        (None, None, None),
        ({"type": "adaptive"}, None, None),
        ({"type": "disabled"}, False, None),
        ({"type": "enabled", "budget_tokens": 20}, True, 20),
    ],
)
def test_thinking_is_understood(kind, thinking, enabled, budget):
    reasoning = asked(kind, thinking=thinking, output_config={"effort": "low"}).options.reasoning
    assert (reasoning.enabled, reasoning.budget, reasoning.effort) == (enabled, budget, "low")


@pytest.mark.parametrize("budget", [-1, 0, 50])
def test_budgets_must_leave_room_for_an_answer(budget):
    with pytest.raises(errors.InvalidRequestError, match=r"thinking\.budget_tokens must be"):
        asked(thinking={"type": "enabled", "budget_tokens": budget})


@pytest.mark.parametrize("id", ["call_8b52", "functions.get_weather:0", "a1B2c3D4e", "call_", "call_ü", "", "toolu_x"])
def test_ids_come_back(id):
    wire = to_wire(id)
    assert wire.startswith("toolu_")
    assert set(wire) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
    assert from_wire(wire) == id


@pytest.mark.parametrize("id", ["toolu_id-zz", "toolu_id-ff", "call_1", "x", "toolu_"])
def test_ids_of_others_stay_as_they_are(id):
    assert from_wire(id) == id


def written(hides_thinking=False):
    writer = BlockWriter(hides_thinking)
    return [event for delta in [*DELTAS, TextDelta(0, "Done.")] for event in writer.feed(delta)] + list(writer.finish())


def test_blocks_never_interleave():
    assert [(event.type.removeprefix("content_block_"), event.index) for event in written()] == [
        *[("start", 0), ("delta", 0), ("delta", 0), ("delta", 0), ("stop", 0)],
        *[("start", 1), ("delta", 1), ("delta", 1), ("stop", 1)],
        *[("start", 2), ("delta", 2), ("delta", 2), ("stop", 2)],
        *[("start", 3), ("stop", 3)],
        *[("start", 4), ("delta", 4), ("stop", 4)],
    ]


def test_blocks_are_put_together_byte_by_byte():
    thought, text, first, second, last = assembled(written())
    assert thought.thinking == "Let me see."
    assert thought.signature
    assert (text.text, last.text) == ("I will look.", "Done.")
    assert bytes(first.input) == ARGUMENTS.encode()
    assert (first.id, second.id) == ("toolu_1", "toolu_2")
    assert bytes(second.input) == b"{}"


def test_thoughts_that_are_not_shown_are_still_signed():
    shown, hidden = assembled(written())[0], assembled(written(hides_thinking=True))[0]
    assert hidden.thinking == ""
    assert hidden.signature == shown.signature
    kinds = [event.delta.type for event in written(hides_thinking=True) if event.type == "content_block_delta"]
    assert kinds.count("signature_delta") == 1
    assert "thinking_delta" not in kinds


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (errors.AuthenticationError("no key"), 401, "authentication_error"),
        (errors.OverloadedError("full"), 529, "overloaded_error"),
        (errors.NotReadyError("starting"), 503, "api_error"),
        (errors.DeadlineExceededError("late"), 504, "timeout_error"),
        (errors.VerificationError("wrong"), 500, "api_error"),
    ],
)
def test_kinds_of_failure_have_anthropics_names(error, status, kind):
    assert anthropic_status(error) == status
    told = envelope(error, "req_1")
    assert (told.error.type, told.request_id) == (kind, "req_1")
    assert told.error.message.startswith(error.message)


def test_a_failed_stream_ends_with_an_event():
    name, data, *end = error_event("req_1")(errors.EngineError("gone")).decode().split("\n")
    assert (name, end) == ("event: error", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {
        "type": "error",
        "error": {"type": "api_error", "message": "gone"},
        "request_id": "req_1",
    }
