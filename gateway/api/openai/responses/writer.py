"""Deltas to items and events of a response."""

from __future__ import annotations

import json
import time

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from gateway.api.openai.chunks import padding
from gateway.api.openai.logprobs import token_logprobs
from gateway.api.openai.reply_parts import confidence_out, fields_out, guards_out
from gateway.api.openai.responses import events
from gateway.api.openai.responses.bodies import (
    CustomCallItem,
    FunctionCallItem,
    IncompleteDetails,
    InputTokensDetails,
    ItemStatus,
    MessageItem,
    OutputItem,
    OutputText,
    OutputTokensDetails,
    ReasoningItem,
    ReasoningText,
    ResponseFailure,
    ResponseOut,
    ResponseUsage,
    SearchCallItem,
)
from gateway.api.openai.responses.events import Event, closing, last_event, numbered, opening
from gateway.api.openai.responses.items import new_id
from gateway.api.openai.responses.tools import SEARCH, Names
from gateway.api.verdict import verdict_out
from gateway.core.answer import ArgumentsDelta, CallDelta, Delta, Finish, ReasoningDelta, TextDelta, Usage
from gateway.errors import GatewayError, OverloadedError


class ResponseWriter:
    """Writes one reply: `begin`, `feed` every delta of one answer, then `end`; or `fail` at any time.

    Args:
        response: The reply before its first item.
        obfuscates: Deltas are padded, so that their lengths on the wire say less of what they hold.
        names: Tools in namespaces.
        searches: Calls of `tool_search` are the client's searches.

    Attributes:
        response: The response so far; final after `end`.
    """

    def __init__(
        self, response: ResponseOut, obfuscates: bool = False, names: Names | None = None, *, searches: bool = False
    ) -> None:
        self.response = response
        self._obfuscates = obfuscates
        self._names = names or {}
        self._searches = searches
        self._item: OutputItem | None = None
        self._pieces: list[str] = []
        self._finish: Finish | None = None
        self._num_events = 0

    def begin(self) -> list[Event]:
        """Return the first events."""
        begun = replace(self.response, output=[])
        return self._numbered([events.Created(response=begun), events.InProgress(response=begun)])

    def feed(self, delta: Delta) -> list[Event]:
        """Return the events of one delta."""
        match delta:
            case TextDelta():
                return self._numbered(self._text(delta))
            case ReasoningDelta(_, text):
                return self._numbered(self._thought(text))
            case CallDelta():
                return self._numbered(self._opened(self._call_item(delta)))
            case ArgumentsDelta():
                return self._numbered(self._argument(delta))
            case Finish():
                self._finish = delta
                is_cut = delta.reason in ("length", "content_filter") and not delta.is_steered
                return self._numbered(self._closed("incomplete" if is_cut else "completed"))
            case Usage():
                self.response.usage = _usage(delta)
                self.response.verdict = verdict_out(delta)
                return []
            case _:
                return []  # log-probabilities of prompts, and citations: replies have no place for them

    def end(self) -> list[Event]:
        """Return the last event; the reply is complete."""
        assert self._finish is not None, "the answer has ended"
        self.response.verified_by = self._finish.verified_by or UNSET
        self.response.guards = guards_out(self._finish.findings)
        self.response.confidence = confidence_out(self._finish.confidence)
        if self._finish.reason in ("length", "content_filter"):
            self.response.status = "incomplete"
            self.response.incomplete_details = IncompleteDetails(
                reason="max_output_tokens" if self._finish.reason == "length" else "content_filter",
                budget_steered=self._finish.is_steered or UNSET,
            )
        else:
            self.response.status = "completed"
            self.response.completed_at = int(time.time())
        return self._numbered([last_event(self.response)])

    def fail(self, error: GatewayError) -> list[Event]:
        """Return the last events of a failed reply, and drop its output."""
        self.response.status = "failed"
        self.response.output = []
        self.response.error = ResponseFailure(
            code="rate_limit_exceeded" if isinstance(error, OverloadedError) else "server_error",
            message=f"{error.code}: {error.message}",
        )
        cause = events.Error(code=error.code, message=error.message, param=error.param)
        return self._numbered([cause, last_event(self.response)])

    def _text(self, more: TextDelta) -> list[Event]:
        found: list[Event] = []
        if not isinstance(self._item, MessageItem):
            found = self._opened(MessageItem(id=new_id("msg"), status="in_progress", content=[OutputText(text="")]))
        assert isinstance(self._item, MessageItem), "it was opened"
        logprobs = token_logprobs(more.logprobs)
        self._item.content[0].logprobs.extend(logprobs)
        self._pieces.append(more.text)
        return [
            *found,
            events.TextDelta(
                item_id=self._item.id,
                output_index=self._index,
                delta=more.text,
                logprobs=logprobs,
                obfuscation=self._padding(more.text),
                fields=fields_out(more),
            ),
        ]

    def _thought(self, text: str) -> list[Event]:
        found: list[Event] = []
        if not isinstance(self._item, ReasoningItem):
            found = self._opened(ReasoningItem(id=new_id("rs"), status="in_progress", content=[ReasoningText(text="")]))
        assert isinstance(self._item, ReasoningItem), "it was opened"
        self._pieces.append(text)
        delta = events.ReasoningDelta(
            item_id=self._item.id, output_index=self._index, delta=text, obfuscation=self._padding(text)
        )
        return [*found, delta]

    def _argument(self, more: ArgumentsDelta) -> list[Event]:
        assert isinstance(self._item, FunctionCallItem | CustomCallItem | SearchCallItem), "a call was begun"
        self._pieces.append(more.text)
        if isinstance(self._item, SearchCallItem):
            return []  # OpenAI's API has no such event
        kind = events.InputDelta if isinstance(self._item, CustomCallItem) else events.ArgumentsDelta
        told = kind(
            item_id=self._item.id, output_index=self._index, delta=more.text, obfuscation=self._padding(more.text)
        )
        if isinstance(told, events.ArgumentsDelta):
            told.fields = fields_out(more)
        return [told]

    def _call_item(self, delta: CallDelta) -> OutputItem:
        if self._searches and delta.name == SEARCH:
            return SearchCallItem(id=new_id("tsc"), call_id=delta.id, arguments={}, status="in_progress")
        namespace, name = self._names.get(delta.name, (UNSET, delta.name))
        if delta.kind == "custom":
            return CustomCallItem(id=new_id("ctc"), call_id=delta.id, name=name, namespace=namespace, input="")
        return FunctionCallItem(
            id=new_id("fc"), call_id=delta.id, name=name, namespace=namespace, arguments="", status="in_progress"
        )

    def _opened(self, item: OutputItem) -> list[Event]:
        """Return the events that end the previous item and begin this one."""
        found = self._closed("completed")
        self._item = item
        self.response.output.append(item)
        return [*found, *opening(item, self._index)]

    def _closed(self, status: ItemStatus) -> list[Event]:
        if self._item is None:
            return []
        item, text = self._item, "".join(self._pieces)
        self._item, self._pieces = None, []
        match item:
            case MessageItem() | ReasoningItem():
                item.content[0].text = text
            case FunctionCallItem():
                item.arguments = text
            case CustomCallItem():
                item.input = text
            case SearchCallItem() if status == "completed":
                item.arguments = json.loads(text)
        if not isinstance(item, CustomCallItem):
            item.status = status
        return closing(item, self._index)

    @property
    def _index(self) -> int:
        return len(self.response.output) - 1

    def _padding(self, text: str) -> str | UnsetType:
        return padding(len(text)) if self._obfuscates else UNSET

    def _numbered(self, found: list[Event]) -> list[Event]:
        numbered(found, self._num_events)
        self._num_events += len(found)
        return found


def _usage(usage: Usage) -> ResponseUsage:
    return ResponseUsage(
        input_tokens=usage.prompt_tokens,
        input_tokens_details=InputTokensDetails(cached_tokens=usage.cached_tokens),
        output_tokens=usage.completion_tokens,
        output_tokens_details=OutputTokensDetails(reasoning_tokens=usage.reasoning_tokens),
        total_tokens=usage.total_tokens,
    )
