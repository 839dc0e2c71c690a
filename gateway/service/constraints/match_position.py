"""Where in a text a constraint stops to match, and what could have stood there; what may come after a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gateway.errors import InvalidRequestError
from gateway.service.constraints.matcher_recheck import END, bytewise
from grammars import CompiledGrammar


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPosition:
    """How much of a text matches.

    Attributes:
        is_match: All of it, and it is whole.
        num_bytes: As many from its beginning may stand at the beginning of a match.
        num_characters: The same in characters; one that is cut is not counted.
        expected: Bytes that may follow these.
        is_whole: These bytes are a match themselves.
    """

    is_match: bool
    num_bytes: int
    num_characters: int
    expected: bytes
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowingTokens:
    """What may come after a text.

    Attributes:
        place: How much of the text matches; where not all of it does, the rest says nothing.
        token_ids: Those that may come next, lowest first, as many as were asked for.
        num_allowed: How many there are.
        forced: Those that must come next.
        tokens_to_complete: Tokens that surely suffice to complete the text.
    """

    place: MatchPosition
    token_ids: tuple[int, ...] = ()
    num_allowed: int = 0
    forced: tuple[int, ...] = ()
    tokens_to_complete: int = 0


def place_of(compiled: CompiledGrammar, data: bytes) -> MatchPosition:
    """How much of a text matches, byte by byte.

    Cost: linear in the text, about a microsecond a byte.

    Raises:
        GrammarError: matching takes more than its limits.
    """
    matcher = bytewise(compiled).matcher()
    num_bytes = matcher.allowed_prefix(data)
    for number, byte in enumerate(data[:num_bytes]):
        if not matcher.accept(byte):
            num_bytes = number  # a guard asked here looks at more than at what follows
            break
    row = np.zeros(matcher.compiled.num_words, dtype=np.uint32)
    matcher.fill_mask(row)
    allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
    is_whole = matcher.is_complete
    return MatchPosition(
        is_match=is_whole and num_bytes == len(data),
        num_bytes=num_bytes,
        num_characters=len(data[:num_bytes].decode("utf-8", "ignore")),
        expected=bytes(byte for byte in allowed if byte != END),
        is_whole=is_whole,
    )


def following(compiled: CompiledGrammar, data: bytes, most: int, tokens_left: int | None) -> FollowingTokens:
    """What may come after a text; at most so many tokens are listed.

    Raises:
        InvalidRequestError: The model's tokens cannot spell the text.
    """
    place = place_of(compiled, data)
    if place.num_bytes < len(data):
        return FollowingTokens(place=place)
    matcher, tokens = compiled.matcher(), compiled.vocabulary.encode(data)
    if bool(data) != bool(tokens) or not all(map(matcher.accept, tokens)):
        raise InvalidRequestError("the model's tokens cannot spell this text", param="text")
    row = np.zeros(compiled.num_words, dtype=np.uint32)
    matcher.fill_mask(row, tokens_left)
    allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
    return FollowingTokens(
        place=place,
        token_ids=tuple(allowed[:most].tolist()),
        num_allowed=len(allowed),
        forced=tuple(matcher.forced_tokens()),
        tokens_to_complete=matcher.tokens_to_complete,
    )
