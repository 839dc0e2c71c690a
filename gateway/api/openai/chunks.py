"""Chunks of a streamed reply, with the usage and padding that `stream_options` ask for."""

from __future__ import annotations

import secrets

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from gateway.api.http.sse import RepeatedEvent, event
from gateway.api.openai.bodies import ChatChunk, ChatChunkChoice, Completion, CompletionChoice
from gateway.api.openai.reply_parts import usage_out
from gateway.api.openai.requests import GenerationFields
from gateway.api.verdict import verdict_out
from gateway.core.answer import Usage
from gateway.service.request.plan import Prepared

BLOCK = 16
"""Streamed text is padded to a multiple of this many characters."""


def padding(length: int) -> str:
    """Return random characters that fill a text of this length up to a multiple of `BLOCK`."""
    return secrets.token_hex(BLOCK // 2)[: -length % BLOCK]


class ChunkFrames:
    """Writes the chunks of a reply around the pieces of its choices.

    Args:
        base: A chunk without choices.
        body: Body with the `stream_options`.
        prepared: Request whose prompt tokens are counted.
    """

    def __init__(self, base: ChatChunk | Completion, body: GenerationFields, prepared: Prepared) -> None:
        options = body.stream_options
        self.includes_usage = bool(options and options.include_usage)
        self._is_continuous = reports_continuous_usage(body)
        self._obfuscates = bool(options and options.include_obfuscation)
        self._base = replace(base, usage=None if self.includes_usage else UNSET)
        self._repeated = RepeatedEvent(self._base)
        self._usage = Usage(prompt_tokens=sum(len(prompt.ids) for prompt in prepared.prompts))

    def count(self, usage: Usage) -> bytes:
        """Store the usage so far."""
        self._usage = usage
        return b""

    def of(self, choice: ChatChunkChoice | CompletionChoice) -> bytes:
        """Return the chunk with this piece."""
        if not (self._is_continuous or self._obfuscates):
            return self._repeated.of(choice)
        chunk = replace(self._base, choices=[choice])
        if self._is_continuous:
            chunk.usage = usage_out(self._usage)
        if self._obfuscates:
            chunk.obfuscation = padding(len(msgspec.json.encode(choice)))
        return event(chunk)

    def last(self) -> bytes:
        """Return the chunk with the usage and the verdict, or nothing if neither is asked for."""
        verdict = verdict_out(self._usage)
        if not self.includes_usage and verdict is UNSET:
            return b""
        usage = usage_out(self._usage) if self.includes_usage else UNSET
        return event(replace(self._base, usage=usage, verdict=verdict))


def reports_continuous_usage(body: GenerationFields) -> bool:
    """True if every chunk carries the usage so far, an option of vLLM's clients."""
    options = body.stream_options
    return bool(body.stream and options and options.include_usage and options.continuous_usage_stats)
