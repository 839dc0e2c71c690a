"""Literals in which the name of a special token stands for the token, as a tokenizer reads a chat template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from grammars.vocabulary.special import BEGIN, SpecialTokens

_Names = tuple[re.Pattern[str] | None, Mapping[str, bytes]]
_known: WeakKeyDictionary[SpecialTokens, _Names] = WeakKeyDictionary()


def units(text: str, special: SpecialTokens | None) -> list[bytes]:
    """The bytes of `text` one by one, but the spelling of a special token, see `special`, in one piece.

    Of names that begin at one place the longest counts. Tokens that end a text stand for nothing inside of one: where
    their names occur, they are text.

    Args:
        special: None: there is no vocabulary, and all is text.
    """
    pattern, spellings = _names(special) if special is not None and len(special) else (None, {})
    pieces = pattern.split(text) if pattern is not None else [text]
    found: list[bytes] = []
    for piece in pieces:
        spelling = spellings.get(piece)
        if spelling is not None:
            found.append(spelling)
        else:
            found += (bytes([byte]) for byte in piece.encode())
    return found


def spelled(text: str, special: SpecialTokens | None) -> bytes:
    """The `units` of a text together."""
    return b"".join(units(text, special))


def is_special(unit: bytes) -> bool:
    """Whether a unit is a special token."""
    return unit.startswith(BEGIN)


def _names(special: SpecialTokens) -> _Names:
    known = _known.get(special)
    if known is None:
        spellings = {name: special.spelling(token_id) for name, token_id in special if name}
        longest_first = sorted(spellings, key=len, reverse=True)
        pattern = re.compile(f"({'|'.join(map(re.escape, longest_first))})") if spellings else None
        known = _known[special] = pattern, spellings
    return known
