"""`Quotation`: any part of a text that begins and ends at a word's border."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from grammars.frontends.lark.substrings import suffix_automaton
from grammars.frontends.structural_tag import emit_trie
from grammars.network.builder import NetworkBuilder

_CHUNKS = re.compile(r"\w+|\s+|[^\w\s]")
_BREAK = "\0"
"""Begins a chunk that nothing leads past. A NUL of the text is one, too."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A part of `text` that is not empty, begins and ends with no blank, and cuts no run of letters and digits.

    Attributes:
        without: A text that no part holds or overlaps, such as the mark after a quotation; empty for none.
    """

    text: str
    without: str = ""

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"quotation:{len(self.without)}:{self.without}:{self.text}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        moves = suffix_automaton(tuple(self._chunks()))
        states = [builder.rule(), *(builder.state() for _ in moves[1:])]
        for state, following in enumerate(moves):
            parts = {
                chunk: target
                for chunk, target in following.items()
                if chunk[0] != _BREAK and not (state == 0 and chunk.isspace())
            }
            self._emit_state(builder, states, states[state], parts)
        return states[0]

    def _chunks(self) -> Iterator[str]:
        """Yield the words, blanks and signs of the text; what nothing leads past in place of those in `without`."""
        outside = re.split(f"({re.escape(self.without)})", self.text) if self.without else [self.text]
        ends = [*accumulate(map(len, outside))]
        for found in _CHUNKS.finditer(self.text):
            begin, end = found.span()
            is_outside = bisect_right(ends, begin) % 2 == 0 and bisect_right(ends, begin) == bisect_left(ends, end)
            yield found[0] if is_outside else f"{_BREAK}{begin}"

    def _emit_state(self, builder: NetworkBuilder, states: list[int], source: int, parts: dict[str, int]) -> None:
        """Emit what leads from a state; a chunk that is no blank may be the last."""
        for chunk, target in parts.items():
            if not chunk.isspace():
                builder.accept(states[target])
        if len(parts) == 1:
            ((chunk, target),) = parts.items()
            builder.literal(source, chunk.encode(), states[target])
            return
        words = [[bytes([byte]) for byte in chunk.encode()] for chunk in parts]
        for end, target in zip(emit_trie(builder, source, words), parts.values(), strict=True):
            builder.epsilon(end, states[target])
