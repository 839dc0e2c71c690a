"""Parts of a text that follow one another in it.

The network of a text's parts is the suffix automaton of the chunks (Blumer et al., "The smallest automaton recognizing
the subwords of a text", 1985): at most two states a chunk, however many parts the text has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from grammars.errors import InvalidGrammarError
from grammars.network.builder import NetworkBuilder

_WORDS = re.compile(r"\w+|\s+|[^\w\s]+")
_KINDS = ("substring_chars", "substring_words", "substring_lines", "substring_chunks")


@dataclass(frozen=True, slots=True)
class Substring:
    """Any number of chunks that follow one another in `chunks`, none at all included."""

    chunks: tuple[str, ...]

    @staticmethod
    def read(value: Any) -> Substring:
        """Return the content of the JSON after ``%regex``.

        ``substring_chars`` cuts its text between any two characters; ``substring_words`` around runs of letters and
        digits, of blanks, and of other characters; ``substring_lines`` after each line break; ``substring_chunks`` is
        a list of texts.

        Raises:
            InvalidGrammarError: it is something else.
        """
        if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in _KINDS:
            raise InvalidGrammarError(f"%regex takes an object with one of {', '.join(_KINDS)}")
        ((kind, content),) = value.items()
        if kind == "substring_chunks":
            if not isinstance(content, list) or not all(isinstance(chunk, str) for chunk in content):
                raise InvalidGrammarError(f"{kind} is an array of texts")
            return Substring(tuple(filter(None, content)))
        if not isinstance(content, str):
            raise InvalidGrammarError(f"{kind} is a text")
        if kind == "substring_words":
            return Substring(tuple(_WORDS.findall(content)))
        return Substring(tuple(content if kind == "substring_chars" else content.splitlines(keepends=True)))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"substring:{self.chunks!r}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        moves = suffix_automaton(self.chunks)
        states = [builder.rule() for _ in moves]
        for state, following in zip(states, moves, strict=True):
            builder.accept(state)
            for chunk, target in following.items():
                builder.literal(state, chunk.encode(), states[target])
        return states[0]


def suffix_automaton(chunks: tuple[str, ...]) -> list[dict[str, int]]:
    """For each state where a chunk leads; every path from state 0 is a part of the chunks."""
    moves: list[dict[str, int]] = [{}]
    links, lengths, last = [-1], [0], 0
    for chunk in chunks:
        fresh, state = len(moves), last
        moves.append({})
        links.append(0)
        lengths.append(lengths[last] + 1)
        while state >= 0 and chunk not in moves[state]:
            moves[state][chunk] = fresh
            state = links[state]
        if state >= 0:
            target = moves[state][chunk]
            links[fresh] = target
            if lengths[target] != lengths[state] + 1:
                twin = links[fresh] = len(moves)
                moves.append(dict(moves[target]))
                links.append(links[target])
                lengths.append(lengths[state] + 1)
                links[target] = twin
                while state >= 0 and moves[state].get(chunk) == target:
                    moves[state][chunk] = twin
                    state = links[state]
        last = fresh
    return moves
