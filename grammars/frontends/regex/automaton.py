"""A pattern as a set automaton: positions are bits, so a set of them is one integer.

Anchors are exact wherever they stand. ``^`` holds only before the first character, ``$`` only when the text ends.
Python's ``$`` also holds before a final newline: then positions follow that read that newline alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, Ranges, contains, union
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.effort import current_effort
from grammars.frontends.regex.positions import Positions, bits_of
from grammars.frontends.regex.syntax import ANYTHING, Node, sequence, weight
from grammars.frontends.regex.tables import deterministic_of

_POSITION_BYTES = 300
# Positions and sets of them are bounded by the steps that it takes to find them.
_STEPS_PER_STATE = 40
_STEPS_TOGETHER = 120


class _Budget:
    """Steps that the work on one automaton may take."""

    def __init__(self, max_states: int) -> None:
        self._max_states = max_states
        self._left = _STEPS_PER_STATE * max_states
        self._effort = current_effort()

    @property
    def left(self) -> int:
        """So many steps may still be taken."""
        return min(self._left, _STEPS_TOGETHER * self._max_states - self._effort.positions)

    def spend(self, steps: int) -> None:
        """Takes so many steps, or raises `TooComplexError`."""
        self._left -= steps
        self._effort.positions += steps
        if self._left < 0 or self._effort.positions > _STEPS_TOGETHER * self._max_states:
            raise TooComplexError("max_pattern_states", self._max_states + 1, self._max_states)


class Automaton:
    """The texts that match a pattern.

    Args:
        tree: of the pattern, anchors and all.
        search: whether the pattern may match anywhere in the text.
        max_states: bounds the positions.

    Raises:
        TooComplexError: more positions than `max_states`.
    """

    def __init__(self, tree: Node, *, search: bool, max_states: int) -> None:
        if weight(tree) > max_states:
            raise TooComplexError("max_pattern_states", weight(tree), max_states)
        positions = Positions(sequence(ANYTHING, tree, ANYTHING) if search else tree, _Budget(max_states).spend)
        self._max_states = max_states
        self._start, self._ranges, self._follow = positions.start, positions.ranges, positions.follow
        self._accept = 1 << len(self._ranges)
        # Positions from which every text is accepted, but perhaps the empty one.
        self._endless = sum(
            1 << position
            for position, (ranges, follow) in enumerate(zip(self._ranges, self._follow, strict=True))
            if ranges == ALL and follow >> position & 1 and follow & self._accept
        )
        self._start = self._simplified(self._start)

    @property
    def num_bytes(self) -> int:
        """Memory held, roughly: two sets of positions for each position."""
        return len(self._follow) * (_POSITION_BYTES + len(self._follow) // 4)

    def accepts(self, text: str) -> bool:
        """Whether the whole text is one of the pattern's."""
        current = self._start
        for character in text:
            following, code = 0, ord(character)
            for position in bits_of(current & ~self._accept):
                if contains(self._ranges[position], code):
                    following |= self._follow[position]
            if not following:
                return False
            current = following
        return bool(current & self._accept)

    def determinize(self, max_states: int) -> Dfa:
        """The same texts as a deterministic automaton, not yet minimal.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        atoms, atoms_of = partition(self._ranges)
        budget = _Budget(self._max_states)
        number = {ranges: index for index, ranges in enumerate(atoms_of)}
        which = np.array([number[ranges] for ranges in self._ranges], dtype=np.int64)
        reached_start = np.cumsum([0, *map(len, atoms_of.values())])
        reached = np.array([atom for row in atoms_of.values() for atom in row], dtype=np.int64)
        alike = (self._endless & -self._endless) | self._accept
        follow, (start, endless, everything) = map(self._words, (self._follow, (self._start, self._endless, alike)))
        table, accepting, steps = deterministic_of(
            follow, which, reached_start, reached, start, endless, everything, len(atoms), max_states, budget.left
        )
        budget.spend(steps)
        if not len(accepting):
            raise TooComplexError("max_pattern_states", max_states + 1, max_states)
        return Dfa(atoms, table, accepting)

    def _words(self, sets: Sequence[int]) -> NDArray[np.uint64]:
        """Sets of positions as rows of words, the lowest first."""
        size = len(self._follow) // 64 + 1
        data = bytearray().join([positions.to_bytes(8 * size, "little") for positions in sets])
        words = np.frombuffer(data, dtype=np.uint64) if data else np.zeros(0, dtype=np.uint64)
        return words.reshape(len(sets), size)

    def _simplified(self, mask: int) -> int:
        """The same for every set of positions from which every text is accepted."""
        if mask & self._accept and mask & self._endless:
            return (self._endless & -self._endless) | self._accept
        return mask


def partition(sets: Iterable[Ranges]) -> tuple[list[Ranges], dict[Ranges, list[int]]]:
    """Disjoint sets that together are all characters, and which of them each given set is the union of."""
    distinct = list(dict.fromkeys(sets))
    events: dict[int, list[int]] = {}
    for index, ranges in enumerate((ALL, *distinct)):
        for low, high in ranges:
            events.setdefault(low, []).append(index)
            events.setdefault(high + 1, []).append(index)
    pieces: dict[int, list[tuple[int, int]]] = {}
    cuts = sorted(events)
    inside = 0
    for low, after in itertools.pairwise(cuts):
        for index in events[low]:
            inside ^= 1 << index
        if inside & 1:
            pieces.setdefault(inside, []).append((low, after - 1))
    atoms = [union(ranges) for ranges in pieces.values()]
    members: dict[Ranges, list[int]] = {ranges: [] for ranges in distinct}
    for atom, signature in enumerate(pieces):
        for index in bits_of(signature >> 1):
            members[distinct[index]].append(atom)
    return atoms, members
