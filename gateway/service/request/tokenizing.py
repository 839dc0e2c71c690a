"""Tokenizing off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from gateway.config import LimitsConfig
from gateway.core.decisions import DecisionRequest
from gateway.core.request import ChatRequest, CompletionRequest
from gateway.errors import ContextLengthError
from gateway.service.constraints.fair_queue import FairQueue

T = TypeVar("T")

LONG = 50_000
"""Least characters of a long text, which takes some ten milliseconds."""

_MOST_SEEN = 2_000
"""Most parts of a value that are counted; one with more is long."""


class TokenizerThreads:
    """Threads that tokenize texts. Long ones wait in a fair queue, with as many slots as there are for constraints.
    Used by one event loop."""

    def __init__(self, limits: LimitsConfig) -> None:
        self.queue = FairQueue(limits.max_compilations, limits.max_waiting_compilations, "long texts")

    async def read(self, call: Callable[[], T], num_characters: int, tenant: str) -> T:
        """Return the result of `call`, run in a thread.

        Args:
            num_characters: Size of the texts.

        Raises:
            OverloadedError: The queue of long texts is full, for all tenants or for this one.
        """
        if num_characters < LONG:
            return await asyncio.to_thread(call)
        await self.queue.take(tenant)
        # A cancelled caller leaves the thread running, which occupies its slot until it ends.
        work = asyncio.ensure_future(asyncio.to_thread(call))
        work.add_done_callback(lambda _: self.queue.give_back(tenant))
        work.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return await asyncio.shield(work)


def size_of(request: ChatRequest | CompletionRequest | DecisionRequest) -> int:
    """Return the approximate number of characters to be screened."""
    if isinstance(request, ChatRequest):
        tools = [tool.to_openai() for tool in request.tools or ()]
        documents = [[each.parts, each.title, each.context] for each in request.documents]
        terms = [term.messages for term in request.options.terms]
        return _characters([request.messages, tools, request.template_kwargs, documents, terms])
    if isinstance(request, DecisionRequest):
        return sum(len(question.text) for question in request.questions)
    return len(request.suffix) + sum(len(prompt) for prompt, _ in _prompts(request))


def check_length(request: ChatRequest | CompletionRequest | DecisionRequest, most: int | None) -> None:
    """Raise if the request is longer than any prompt, before other work on it.

    Raises:
        ContextLengthError: The request is too long.
    """
    if isinstance(request, ChatRequest):
        given = [(request.messages, "messages"), *((term.messages or (), term.place) for term in request.options.terms)]
        found = [(sum(len(message.get("content") or "") for message in messages), place) for messages, place in given]
        found += [(len(document.text), document.place) for document in request.documents]
    elif isinstance(request, DecisionRequest):
        found = [(len(question.text), question.origin) for question in request.questions]
    else:
        found = [(len(prompt), place) for prompt, place in _prompts(request)]
    longest, param = max(found, default=(0, ""))
    if most is not None and longest > most:
        raise ContextLengthError(
            f"the prompt has {longest} characters or more; the model's context holds at most {most}", param=param
        )


def _prompts(request: CompletionRequest) -> list[tuple[str | tuple[int, ...], str]]:
    """Return the prompts, and those of other terms, each with its field."""
    others = [(term.prompt, term.place) for term in request.options.terms if term.prompt is not None]
    return [*((prompt, "prompt") for prompt in request.prompts), *others]


def _characters(value: Any) -> int:
    """Return the number of characters of the texts in a value; at least `LONG` if it has many parts."""
    total, num_seen, rest = 0, 0, [value]
    while rest:
        each = rest.pop()
        num_seen += 1
        if num_seen > _MOST_SEEN:
            return max(total, LONG)
        if isinstance(each, str):
            total += len(each)
        elif isinstance(each, Mapping):
            rest += each.keys()
            rest += each.values()
        elif isinstance(each, list | tuple):
            rest += each
    return total
