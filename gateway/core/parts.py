"""Texts that keep the boundaries of their parts."""

from __future__ import annotations

from collections.abc import Iterable


class Parted(str):
    """A text with known parts, one per line: a secret may span several."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]


def in_parts(texts: Iterable[str]) -> str:
    """Return one text of several, a line feed between them."""
    parts = [part for text in texts for part in (text.parts if isinstance(text, Parted) else (text,))]
    if len(parts) < 2:
        return "".join(parts)
    whole = Parted("\n".join(parts))
    whole.parts = tuple(parts)
    return whole
