"""Literals in which the name of a special token stands for the token, as a tokenizer reads a chat template."""

from __future__ import annotations

import re
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.special import BEGIN, SpecialTokens

BYTES = [bytes([byte]) for byte in range(256)]
_known: WeakKeyDictionary[SpecialTokens, tuple[re.Pattern[str], dict[str, bytes]]] = WeakKeyDictionary()


def units(text: str, special: SpecialTokens | None) -> list[bytes]:
    """The bytes of `text` one by one, but the spelling of a special token, see `special`, in one piece.

    Of names that begin at one place the longest counts. Tokens that end a text stand for nothing inside of one: where
    their names occur, they are text.

    Args:
        special: None: there is no vocabulary, and all is text.
    """
    found: list[bytes] = []
    for piece in _pieces(text, special):
        found += [piece] if is_special(piece) else map(BYTES.__getitem__, piece)
    return found


def spelled(text: str, special: SpecialTokens | None) -> bytes:
    """The `units` of a text together."""
    return b"".join(_pieces(text, special))


def is_special(unit: bytes) -> bool:
    """Whether a unit is a special token."""
    return unit.startswith(BEGIN)


def _pieces(text: str, special: SpecialTokens | None) -> list[bytes]:
    """Special tokens as they are spelled, and what stands between their names."""
    if special is None or not len(special):
        return [text.encode()]
    if special not in _known:
        spellings = {name: special.spelling(token_id) for name, token_id in special if name}
        longest_first = sorted(spellings, key=len, reverse=True)
        _known[special] = re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'})"), spellings
    pattern, spellings = _known[special]
    return [spellings.get(piece) or piece.encode() for piece in pattern.split(text)]


def step(builder: NetworkBuilder, source: int, unit: bytes, target: int) -> int:
    """An edge, or for a special token the chain that spells it: one of its own, so that it costs one token."""
    if is_special(unit):
        builder.literal(source, unit, target)
    else:
        builder.byte(source, unit[0], unit[0], target)
    return target


def emit_trie(builder: NetworkBuilder, source: int, words: Iterable[list[bytes]]) -> list[int]:
    """Paths that share their beginnings; the state behind each word."""
    known: dict[tuple[int, bytes], int] = {}
    ends = []
    for word in words:
        state = source
        for unit in word:
            after = known.get((state, unit))
            if after is None:
                after = known[state, unit] = step(builder, state, unit, builder.state())
            state = after
        ends.append(state)
    return ends


def fall_back(builder: NetworkBuilder, first: int, span: int, accepts: bool) -> None:
    """From each state from `first` on one goes on as from the span, on bytes that lead nowhere there, or may end."""
    for state in range(first, builder.num_states):
        builder.otherwise(state, span)
        if accepts:
            builder.accept(state)
