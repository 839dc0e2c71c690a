"""Text that an answer begins with, given by the client: its tokens, and the constraint after it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gateway.core.request import ChatRequest, Options
from gateway.errors import InvalidRequestError
from gateway.service.constraints.section_budget import BoundedMatcher
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.plan import AnswerPrefix, Plan
from gateway.service.request.reasoning_plan import is_enabled
from grammars.matcher import Matcher

SHOWN = 60
"""Most characters of a prefix in a message."""


def answers_at_once(request: ChatRequest) -> ChatRequest:
    """Return the request without reasoning before an answer that has a prefix, unless it asks for reasoning.

    Raises:
        InvalidRequestError: It asks for reasoning, and the prefix is a message that the answer continues.
    """
    options = request.options
    if not options.answer_prefix:
        return request
    reasoning, origin = options.reasoning, options.answer_prefix_origin
    if is_enabled(reasoning) and not options.returns_prefix:
        raise InvalidRequestError(
            f"{origin}: an answer that continues the last message cannot begin with reasoning; turn reasoning off",
            param=origin,
        )
    if is_enabled(reasoning) is None and (reasoning.effort is None or not options.returns_prefix):
        request = replace(request, options=replace(options, reasoning=replace(reasoning, enabled=False, effort=None)))
    return request


def prefix_ids(loaded: LoadedModel, options: Options, marks: Mapping[int, str]) -> tuple[int, ...]:
    """Return the tokens of the prefix. No token crosses its beginning or end, or a marker of calls or reasoning.

    Args:
        marks: Special tokens that are markers, by id.

    Raises:
        ContextLengthError: The prefix is too long for the context.
        InvalidRequestError: The tokenizer has no tokens for it.
    """
    text, origin = options.answer_prefix, options.answer_prefix_origin
    loaded.check_fits(text, origin)
    ids_by_name = {name: token_id for token_id, name in marks.items()}
    names = "|".join(map(re.escape, sorted(ids_by_name, key=len, reverse=True)))
    found: list[int] = []
    for piece in re.split(f"({names})", text) if names else [text]:
        if piece:
            ids = [ids_by_name[piece]] if piece in ids_by_name else loaded.vocabulary.encode(piece.encode())
            if not ids:
                raise InvalidRequestError(f"{origin}: {piece[:SHOWN]!r} has no tokens in this model", param=origin)
            found += ids
    return tuple(found)


def with_prefix(loaded: LoadedModel, plan: Plan, options: Options) -> Plan:
    """Return the plan of answers that begin with the prefix.

    Raises:
        ContextLengthError: The prefix is too long for the context.
        InvalidRequestError: The constraint does not allow it, or nothing may follow it, or it has a stop string.
    """
    text, origin = options.answer_prefix, options.answer_prefix_origin
    for stop in options.stop:
        if stop in text:
            raise InvalidRequestError(f"{origin} contains the stop string {stop[:SHOWN]!r}", param=origin)
    ids, matcher = prefix_ids(loaded, options, plan.marks), plan.new_constraint()
    needed = 0
    if matcher is not None:
        _advance(loaded, matcher, ids, origin)
        needed = matcher.tokens_to_complete
    return replace(plan, prefix=AnswerPrefix(text, ids, needed, options.returns_prefix))


def _advance(loaded: LoadedModel, matcher: Matcher | BoundedMatcher, ids: tuple[int, ...], origin: str) -> None:
    for place, token in enumerate(ids):
        if matcher.accept(token):
            continue
        plain = matcher.matcher if isinstance(matcher, BoundedMatcher) else matcher
        data = loaded.vocabulary.spelled[token]
        allowed = data[: plain.allowed_prefix(data)].decode("utf-8", "ignore")
        before = loaded.decode(ids[:place], with_special=True) + allowed
        rest = loaded.decode(ids[place:], with_special=True)[len(allowed) :]
        after = f"{rest[:SHOWN]!r} after {before[-SHOWN:]!r}" if before else f"an answer that begins {rest[:SHOWN]!r}"
        raise InvalidRequestError(f"{origin}: the constraint does not allow {after}", param=origin)
    row = np.zeros(-(-len(loaded.vocabulary) // 32), np.uint32)
    matcher.fill_mask(row)
    for end in loaded.vocabulary.eos_token_ids:
        row[end >> 5] &= ~(np.uint32(1) << np.uint32(end & 31))
    if not row.any():
        raise InvalidRequestError(f"{origin} is already a whole answer; nothing may follow it", param=origin)
