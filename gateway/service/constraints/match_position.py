"""Position up to which a text matches a constraint, the bytes possible there, and the tokens that may follow a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gateway.errors import InvalidRequestError
from gateway.service.constraints.matcher_recheck import END, bytewise
from grammars import CompiledGrammar


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPosition:
    """Position up to which a text matches.

    Attributes:
        is_match: The text is a complete match.
        num_bytes: Length of the longest prefix that a match can begin with.
        num_characters: Length of the prefix in characters; a partial last character is not counted.
        expected: Bytes that may follow the prefix.
        is_whole: The prefix is a complete match.
    """

    is_match: bool
    num_bytes: int
    num_characters: int
    expected: bytes
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowingTokens:
    """Tokens that may follow a text.

    Attributes:
        place: Position up to which the text matches; if that is not its end, the other fields have their defaults.
        token_ids: Allowed next tokens, lowest first, as many as were asked for.
        num_allowed: Number of all allowed next tokens.
        forced: Tokens that must come next.
        tokens_to_complete: Tokens that surely suffice to complete the text.
    """

    place: MatchPosition
    token_ids: tuple[int, ...] = ()
    num_allowed: int = 0
    forced: tuple[int, ...] = ()
    tokens_to_complete: int = 0


def match_position(compiled: CompiledGrammar, data: bytes) -> MatchPosition:
    """Return the position up to which a text matches, byte by byte.

    Cost: linear in the text, about a microsecond a byte.

    Raises:
        GrammarError: Matching exceeds its limits.
    """
    matcher = bytewise(compiled).matcher()
    num_bytes = matcher.allowed_prefix(data)
    for number, byte in enumerate(data[:num_bytes]):
        if not matcher.accept(byte):
            num_bytes = number  # a run-time check rejects a byte that the automaton allows
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
    """Return the tokens that may follow a text.

    Args:
        most: Most tokens that are listed.
        tokens_left: Budget in which the text must be completed; None sets no bound.

    Raises:
        InvalidRequestError: The model's tokens cannot spell the text.
    """
    place = match_position(compiled, data)
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
