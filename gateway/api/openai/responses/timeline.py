"""Events around an item, live or replayed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from gateway.api.openai.responses import events
from gateway.api.openai.responses.bodies import (
    CustomCallItem,
    FunctionCallItem,
    MessageItem,
    OutputItem,
    OutputText,
    ReasoningItem,
    ReasoningText,
    ResponseOut,
)
from gateway.api.openai.responses.events import Event


def opening(item: OutputItem, index: int) -> list[Event]:
    """Return the events before the first delta of an item."""
    added = events.ItemAdded(output_index=index, item=_empty(item))
    match item:
        case MessageItem():
            return [added, events.PartAdded(item_id=item.id, output_index=index, part=OutputText(text=""))]
        case ReasoningItem():
            return [added, events.PartAdded(item_id=item.id, output_index=index, part=ReasoningText(text=""))]
    return [added]


def closing(item: OutputItem, index: int) -> list[Event]:
    """Return the events after the last delta of a complete item."""
    done = events.ItemDone(output_index=index, item=item)
    match item:
        case MessageItem(content=[part]):
            text = events.TextDone(item_id=item.id, output_index=index, text=part.text, logprobs=part.logprobs)
            return [text, events.PartDone(item_id=item.id, output_index=index, part=part), done]
        case ReasoningItem(content=[part]):
            thought = events.ReasoningDone(item_id=item.id, output_index=index, text=part.text)
            return [thought, events.PartDone(item_id=item.id, output_index=index, part=part), done]
        case FunctionCallItem():
            told = events.ArgumentsDone(
                item_id=item.id, output_index=index, function_name=item.name, arguments=item.arguments
            )
            return [told, done]
        case CustomCallItem():
            return [events.InputDone(item_id=item.id, output_index=index, input=item.input), done]
    return [done]


def numbered(found: Iterable[Event], start: int = 0) -> list[Event]:
    """The events, numbered on from `start`."""
    listed = list(found)
    for number, event in enumerate(listed, start):
        event.sequence_number = number
    return listed


def last_event(response: ResponseOut) -> Event:
    """The event with which the stream of a finished response ends."""
    match response.status:
        case "failed":
            return events.Failed(response=response)
        case "incomplete":
            return events.Incomplete(response=response)
    return events.Completed(response=response)


def replay(response: ResponseOut) -> list[Event]:
    """The events of a response that is done, each text in one delta."""
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
    found: list[Event] = [events.Created(response=begun), events.InProgress(response=begun)]
    for index, item in enumerate(response.output):
        found += [*opening(item, index), *_delta(item, index), *closing(item, index)]
    return numbered([*found, last_event(response)])


def _delta(item: OutputItem, index: int) -> list[Event]:
    match item:
        case MessageItem(content=[part]):
            return [events.TextDelta(item_id=item.id, output_index=index, delta=part.text, logprobs=part.logprobs)]
        case ReasoningItem(content=[part]):
            return [events.ReasoningDelta(item_id=item.id, output_index=index, delta=part.text)]
        case FunctionCallItem():
            return [events.ArgumentsDelta(item_id=item.id, output_index=index, delta=item.arguments)]
        case CustomCallItem():
            return [events.InputDelta(item_id=item.id, output_index=index, delta=item.input)]
    return []


def _empty(item: OutputItem) -> OutputItem:
    match item:
        case FunctionCallItem():
            return replace(item, status="in_progress", arguments="")
        case CustomCallItem():
            return replace(item, input="")
    return replace(item, status="in_progress", content=[])
