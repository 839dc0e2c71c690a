"""Bound on the tokens of a section at the beginning of an answer: the model's reasoning.

The grammar of the whole answer determines how the section ends and the least that follows it. So a bound on the section
is a bound on the whole answer while the section lasts: the tokens left to the section, plus those that the rest needs.

A message may be put before the end marker when the budget is spent: each of its tokens is then the only one allowed. It
is left out where the model has begun the end marker itself, or the answer's budget has no room for it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import cast

import numpy as np
from numpy.typing import NDArray

from grammars import CompiledGrammar, Compiler
from grammars.matcher import Matcher

Row = NDArray[np.uint32]

_MAGIC = b"bounded\0"
_HEAD = struct.Struct("<QQQQ")
_LINE_FEED = 0x0A


@dataclass(frozen=True, slots=True)
class SectionBudget:
    """Markers of the section, in bytes as in `Vocabulary.spelled`, and its budget.

    Attributes:
        begin: Marker that begins a text with the section, after any line feeds; empty where the prompt began it.
        end: Marker that ends the section.
        num_tokens: Most tokens between the two, the message not counted.
        message: Tokens put before the end marker when the budget is spent.
    """

    begin: bytes
    end: bytes
    num_tokens: int
    message: tuple[int, ...] = ()


class BoundedGrammar:
    """Compiled grammar whose first section is bounded; it makes the matchers, also in another process."""

    def __init__(self, compiled: CompiledGrammar, bound: SectionBudget) -> None:
        self.compiled = compiled
        self.bound = bound
        self.spelled = compiled.vocabulary.spelled
        self.message = b"".join(self.spelled[token] for token in bound.message)

    def matcher(self) -> BoundedMatcher:
        """Return a matcher at the beginning of the text."""
        return BoundedMatcher(self, self.compiled.matcher())

    def to_bytes(self) -> bytes:
        """Return the grammar and its bound as bytes, for `load`."""
        bound = self.bound
        message = np.array(bound.message, dtype="<u4").tobytes()
        head = _HEAD.pack(bound.num_tokens, len(bound.begin), len(bound.end), len(message))
        return b"".join((_MAGIC, head, bound.begin, bound.end, message, self.compiled.to_bytes()))


@lru_cache(maxsize=32)
def bounded(compiled: CompiledGrammar, bound: SectionBudget) -> BoundedGrammar:
    """Return the grammar with the bound, cached: a grammar that another process has is not sent again."""
    return BoundedGrammar(compiled, bound)


def load(compiler: Compiler, data: bytes, key: str | None = None) -> CompiledGrammar | BoundedGrammar:
    """Return the grammar whose `to_bytes` is `data`, bounded or not; `key` as for `Compiler.load`."""
    if not data.startswith(_MAGIC):
        return compiler.load(data, key)
    num_tokens, *sizes = _HEAD.unpack_from(data, len(_MAGIC))
    begin, end, message, rest = accumulate(sizes, initial=len(_MAGIC) + _HEAD.size)
    token_ids = tuple(np.frombuffer(data[message:rest], dtype="<u4").tolist())
    bound = SectionBudget(data[begin:end], data[end:message], num_tokens, token_ids)
    return BoundedGrammar(compiler.load(data[rest:], key), bound)


@dataclass(frozen=True, slots=True)
class _Place:
    """State after a token, until the section is over.

    Attributes:
        is_inside: Inside the section; otherwise before it.
        num_matched: Bytes of the next marker that the text ends with.
        num_tokens: Tokens of the section so far, those of the message not counted.
        num_message: Tokens of the message so far.
        floor: Tokens that suffice from the section's beginning to the end of the text.
    """

    is_inside: bool = False
    num_matched: int = 0
    num_tokens: int = 0
    floor: int = 0
    num_message: int = 0


class BoundedMatcher:
    """Matcher that forces the end of the section when its budget is spent; see the engine's `TokenConstraint`."""

    __slots__ = ("_grammar", "_matcher", "_places")

    def __init__(
        self, grammar: BoundedGrammar, matcher: Matcher, places: tuple[_Place | None, ...] | None = None
    ) -> None:
        """Args: places: State at the beginning and after each token; the last is None once the section is over."""
        self._grammar = grammar
        self._matcher = matcher
        self._places: list[_Place | None] = list(places or (self._first(),))

    def _first(self) -> _Place:
        return _Place() if self._grammar.bound.begin else _Place(True, floor=self._matcher.tokens_to_complete)

    @property
    def grammar(self) -> BoundedGrammar:
        """The grammar that the matcher was made from."""
        return self._grammar

    @property
    def matcher(self) -> Matcher:
        """The matcher of the whole answer."""
        return self._matcher

    @property
    def floor(self) -> int | None:
        """Tokens that suffice from the section's beginning to the end of the text; None outside the section."""
        place = self._places[-1]
        return place.floor if place is not None and place.is_inside else None

    @property
    def is_complete(self) -> bool:
        """True if the text so far is complete."""
        return self._matcher.is_complete

    @property
    def tokens_to_complete(self) -> int:
        """Tokens that surely suffice to complete the text."""
        return self._matcher.tokens_to_complete

    def is_narrowed_by(self, tokens_left: int) -> bool:
        """True if the budget of the answer, not that of the section, may have left tokens out of the last mask."""
        place = self._places[-1]
        return (place is None or not place.is_inside) and self._matcher.is_narrowed_by(tokens_left)

    @property
    def num_short_masks(self) -> int:
        """Number of short masks; see `Matcher.num_short_masks`."""
        return self._matcher.num_short_masks

    def end_section(self) -> bool:
        """Spend the rest of the section's budget; return False if the text is not inside the section."""
        place = self._places[-1]
        if place is None or not place.is_inside:
            return False
        self._places[-1] = replace(place, num_tokens=place.floor + self._grammar.bound.num_tokens)
        return True

    def limit(self, tokens_left: int | None) -> int | None:
        """Return the budget under which the next token is chosen: that of the answer or that of the section."""
        place = self._places[-1]
        if place is None or not place.is_inside:
            return tokens_left
        # Below the floor while the end marker is being written: each of its tokens must continue it.
        bound = place.floor + self._grammar.bound.num_tokens - place.num_tokens
        if tokens_left is not None and tokens_left <= bound:
            return tokens_left
        # A smaller budget than the shortest completion would leave no token.
        return max(bound, self._matcher.tokens_to_complete)

    def fill_mask(self, row: Row, tokens_left: int | None = None) -> None:
        """Write the mask of tokens that may come next."""
        self._matcher.fill_mask(row, self.limit(tokens_left))
        self.force_message(row, tokens_left)

    def force_message(self, row: Row, tokens_left: int | None) -> None:
        """Leave only the next token of the message in a mask, if the message is due and the answer has room for it."""
        due = self._message_due()
        if due and (tokens_left is None or tokens_left >= len(due) + cast(_Place, self._places[-1]).floor):
            row.fill(0)
            row[due[0] >> 5] = np.uint32(1) << np.uint32(due[0] & 31)

    def _message_due(self) -> tuple[int, ...]:
        """Return the tokens of the message that must come next, room for them in the answer assumed."""
        bound, place = self._grammar.bound, self._places[-1]
        if not bound.message or place is None or not place.is_inside or place.num_message == len(bound.message):
            return ()
        if place.num_message:
            return bound.message[place.num_message :]
        # In an end marker that the model has begun it ends by itself; within a character the message is not allowed.
        message = self._grammar.message
        is_due = place.num_tokens >= bound.num_tokens and not place.num_matched
        return bound.message if is_due and self._matcher.allowed_prefix(message) == len(message) else ()

    def accept(self, token_id: int) -> bool:
        """Advance by one token; False, and unchanged, when it is not allowed."""
        due = self._message_due()
        if not self._matcher.accept(token_id):
            return False
        place = self._places[-1]
        if place is not None:
            after = None if self._matcher.is_ended else self._after(place, self._grammar.spelled[token_id])
            if after is not None and due[:1] == (token_id,):
                after = replace(after, num_tokens=place.num_tokens, num_message=place.num_message + 1)
            self._places.append(after)
        return True

    def forced_tokens(self) -> list[int]:
        """Return the tokens that must come next."""
        return list(self._message_due()) or self._matcher.forced_tokens()

    def fork(self) -> BoundedMatcher:
        """Return an independent copy."""
        return BoundedMatcher(self._grammar, self._matcher.fork(), tuple(self._places))

    def rollback(self, n: int) -> None:
        """Take back the last `n` accepted tokens."""
        self._matcher.rollback(n)
        del self._places[self._matcher.num_tokens + 1 :]

    def _after(self, place: _Place, data: bytes) -> _Place | None:
        bound = self._grammar.bound
        matched, inside = place.num_matched, place.is_inside
        for at, byte in enumerate(data):
            if not inside:
                if bound.begin[matched] != byte:
                    if not matched and byte == _LINE_FEED:
                        continue
                    return None
                matched += 1
                if matched == len(bound.begin):
                    entered = _Place(True, floor=self._matcher.tokens_to_complete)
                    return self._after(entered, data[at + 1 :]) if data[at + 1 :] else entered
            else:
                matched = _step(bound.end, matched, byte)
                if matched == len(bound.end):
                    return None
        return _Place(inside, matched, place.num_tokens + inside, place.floor, place.num_message)


@lru_cache(maxsize=1 << 15)
def _step(marker: bytes, matched: int, byte: int) -> int:
    """Return how many bytes of the marker the text ends with after one more byte, given the number before it."""
    text = marker[:matched] + bytes((byte,))
    return next(size for size in range(len(text), -1, -1) if text.endswith(marker[:size]))
