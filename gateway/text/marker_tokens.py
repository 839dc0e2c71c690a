"""Special tokens that are markers, distinguished from text that looks like them.

A parser of markers reads text. Where the vocabulary has a marker as a special token, that token is the marker, and the
same characters spelled by other tokens, as in a string that quotes them, are not. So the token becomes its name, and in
ordinary text a name is broken by a character that no text holds (half a surrogate pair, which UTF-8 cannot spell), to
be removed again after the parser.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from itertools import pairwise

from gateway.text.detokenizer import TokenBytes
from tools.formats.reading.text import BREAK


def unbroken(text: str) -> str:
    """Return the text without the separators of `MarkedText`."""
    return text.replace(BREAK, "") if BREAK in text else text


class MarkedText:
    """Turns the tokens of one sequence into text for a parser, as `Detokenizer` does, markers included.

    Cost: linear in the text, for each marker.
    """

    __slots__ = ("_decoder", "_marks", "_names", "_tail", "_tail_size", "_token_bytes")

    def __init__(self, token_bytes: TokenBytes, marks: Mapping[int, str]) -> None:
        """Args: marks: The names of special tokens that are markers, by token id."""
        self._token_bytes = token_bytes
        self._marks = marks
        self._names = tuple(set(marks.values()))
        self._tail_size = max(map(len, self._names), default=1) - 1
        self._tail = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, token_ids: Iterable[int]) -> str:
        """Return the text that these tokens complete."""
        pieces: list[str] = []
        run: list[bytes] = []
        for token in token_ids:
            if token in self._marks:
                pieces += (self._ordinary(b"".join(run), final=True), self._marks[token])
                run, self._tail = [], ""
            else:
                run.append(self._token_bytes[token] or b"")
        pieces.append(self._ordinary(b"".join(run), final=False))
        return "".join(pieces)

    def finish(self) -> str:
        """Return U+FFFD where the sequence ended inside a character, else the empty text."""
        return self._ordinary(b"", final=True)

    def _ordinary(self, data: bytes, final: bool) -> str:
        text = self._decoder.decode(data, final)
        if not text:
            return ""
        whole = self._tail + text
        begin = len(self._tail)
        # Before the last character of each name that ends in the new text.
        breaks = {at + len(name) - 1 for name in self._names for at in _places(whole, name)}
        cuts = [begin, *sorted(place for place in breaks if place >= begin), len(whole)]
        self._tail = whole[max(len(whole) - self._tail_size, 0) :]
        return BREAK.join(whole[start:end] for start, end in pairwise(cuts))


def _places(text: str, name: str) -> list[int]:
    found, at = [], text.find(name)
    while at >= 0:
        found.append(at)
        at = text.find(name, at + 1)
    return found
