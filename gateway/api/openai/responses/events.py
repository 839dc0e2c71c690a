"""Events of a streamed response, each under its own name and numbered from 0, and their order around an item."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from gateway.api.openai.bodies import Fields, TokenLogprobOut
from gateway.api.openai.responses.bodies import (
    CustomCallItem,
    FunctionCallItem,
    MessageItem,
    OutputItem,
    OutputText,
    ReasoningItem,
    ReasoningText,
    ResponseOut,
    SearchCallItem,
)


class Event(Struct, kw_only=True, tag_field="type"):
    """Any of them."""

    sequence_number: int = 0

    @property
    def name(self) -> str:
        """Return its `type`."""
        tag = self.__struct_config__.tag
        assert isinstance(tag, str), "every event has one"
        return tag


class Created(Event, kw_only=True, tag="response.created"):
    """The response begins."""

    response: ResponseOut


class InProgress(Event, kw_only=True, tag="response.in_progress"):
    """The response is being generated."""

    response: ResponseOut


class Completed(Event, kw_only=True, tag="response.completed"):
    """The response is complete and verified."""

    response: ResponseOut


class Incomplete(Event, kw_only=True, tag="response.incomplete"):
    """The response ended early: out of tokens, or by a policy."""

    response: ResponseOut


class Failed(Event, kw_only=True, tag="response.failed"):
    """The response failed; its output must not be used."""

    response: ResponseOut


class Error(Event, kw_only=True, tag="error"):
    """Why it failed; `response.failed` follows."""

    code: str | None
    message: str
    param: str | None


class ItemAdded(Event, kw_only=True, tag="response.output_item.added"):
    """An item begins, still empty."""

    output_index: int
    item: OutputItem


class ItemDone(Event, kw_only=True, tag="response.output_item.done"):
    """An item is whole."""

    output_index: int
    item: OutputItem


class PartEvent(Event, kw_only=True):
    """Something about a part of an item."""

    item_id: str
    output_index: int
    content_index: int = 0


class PartAdded(PartEvent, kw_only=True, tag="response.content_part.added"):
    """A part begins, still empty."""

    part: OutputText | ReasoningText


class PartDone(PartEvent, kw_only=True, tag="response.content_part.done"):
    """A part is whole."""

    part: OutputText | ReasoningText


class TextDelta(PartEvent, kw_only=True, tag="response.output_text.delta"):
    """More text."""

    delta: str
    logprobs: list[TokenLogprobOut] = []
    obfuscation: str | UnsetType = UNSET
    fields: Fields = UNSET


class TextDone(PartEvent, kw_only=True, tag="response.output_text.done"):
    """The text, whole."""

    text: str
    logprobs: list[TokenLogprobOut] = []


class ReasoningDelta(PartEvent, kw_only=True, tag="response.reasoning_text.delta"):
    """More reasoning."""

    delta: str
    obfuscation: str | UnsetType = UNSET


class ReasoningDone(PartEvent, kw_only=True, tag="response.reasoning_text.done"):
    """The whole reasoning."""

    text: str


class CallEvent(Event, kw_only=True):
    """Something about the text of a call."""

    item_id: str
    output_index: int


class ArgumentsDelta(CallEvent, kw_only=True, tag="response.function_call_arguments.delta"):
    """More of a function's arguments."""

    delta: str
    obfuscation: str | UnsetType = UNSET
    fields: Fields = UNSET


class ArgumentsDone(CallEvent, kw_only=True, tag="response.function_call_arguments.done"):
    """The whole arguments. Version 2 of OpenAI's client requires the function's name; version 3 does not know it."""

    function_name: str = field(name="name")
    arguments: str


class InputDelta(CallEvent, kw_only=True, tag="response.custom_tool_call_input.delta"):
    """More of a custom tool's input."""

    delta: str
    obfuscation: str | UnsetType = UNSET


class InputDone(CallEvent, kw_only=True, tag="response.custom_tool_call_input.done"):
    """The input, whole."""

    input: str


AnyEvent: Any = (
    Created
    | InProgress
    | Completed
    | Incomplete
    | Failed
    | Error
    | ItemAdded
    | ItemDone
    | PartAdded
    | PartDone
    | TextDelta
    | TextDone
    | ReasoningDelta
    | ReasoningDone
    | ArgumentsDelta
    | ArgumentsDone
    | InputDelta
    | InputDone
)
"""For the document."""


def opening(item: OutputItem, index: int) -> list[Event]:
    """Return the events before the first delta of an item."""
    added = ItemAdded(output_index=index, item=_empty(item))
    match item:
        case MessageItem():
            return [added, PartAdded(item_id=item.id, output_index=index, part=OutputText(text=""))]
        case ReasoningItem():
            return [added, PartAdded(item_id=item.id, output_index=index, part=ReasoningText(text=""))]
    return [added]


def closing(item: OutputItem, index: int) -> list[Event]:
    """Return the events after the last delta of a complete item."""
    done = ItemDone(output_index=index, item=item)
    match item:
        case MessageItem(content=[part]):
            text = TextDone(item_id=item.id, output_index=index, text=part.text, logprobs=part.logprobs)
            return [text, PartDone(item_id=item.id, output_index=index, part=part), done]
        case ReasoningItem(content=[part]):
            thought = ReasoningDone(item_id=item.id, output_index=index, text=part.text)
            return [thought, PartDone(item_id=item.id, output_index=index, part=part), done]
        case FunctionCallItem():
            told = ArgumentsDone(item_id=item.id, output_index=index, function_name=item.name, arguments=item.arguments)
            return [told, done]
        case CustomCallItem():
            return [InputDone(item_id=item.id, output_index=index, input=item.input), done]
    return [done]


def numbered(found: Iterable[Event], start: int = 0) -> list[Event]:
    """Return the events, numbered on from `start`."""
    listed = list(found)
    for number, event in enumerate(listed, start):
        event.sequence_number = number
    return listed


def last_event(response: ResponseOut) -> Event:
    """Return the event with which the stream of a finished response ends."""
    match response.status:
        case "failed":
            return Failed(response=response)
        case "incomplete":
            return Incomplete(response=response)
    return Completed(response=response)


def replay(response: ResponseOut) -> list[Event]:
    """Return the events of a response that is done, each text in one delta."""
    begun = replace(
        response,
        status="in_progress",
        completed_at=None,
        error=None,
        incomplete_details=None,
        output=[],
        usage=None,
        verdict=UNSET,
        verified_by=UNSET,
    )
    found: list[Event] = [Created(response=begun), InProgress(response=begun)]
    for index, item in enumerate(response.output):
        found += [*opening(item, index), *_delta(item, index), *closing(item, index)]
    return numbered([*found, last_event(response)])


def _delta(item: OutputItem, index: int) -> list[Event]:
    match item:
        case MessageItem(content=[part]):
            return [TextDelta(item_id=item.id, output_index=index, delta=part.text, logprobs=part.logprobs)]
        case ReasoningItem(content=[part]):
            return [ReasoningDelta(item_id=item.id, output_index=index, delta=part.text)]
        case FunctionCallItem():
            return [ArgumentsDelta(item_id=item.id, output_index=index, delta=item.arguments)]
        case CustomCallItem():
            return [InputDelta(item_id=item.id, output_index=index, delta=item.input)]
    return []


def _empty(item: OutputItem) -> OutputItem:
    match item:
        case FunctionCallItem():
            return replace(item, status="in_progress", arguments="")
        case CustomCallItem():
            return replace(item, input="")
        case SearchCallItem():
            return replace(item, status="in_progress", arguments={})
    return replace(item, status="in_progress", content=[])
