"""A pattern without assertions as a set automaton: Glushkov's (1961), of positions and what can follow each.

A tree is followed from its end. What may come after a part is known then, so each part receives it and returns what may
come where it begins; a loop, which comes after itself, is first a mark, replaced once its body is
known. A set of positions is one integer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, Ranges, contains, union
from grammars.frontends.regex.dfa import Budget, Dfa
from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq
from grammars.frontends.regex.tables import deterministic_of

_POSITION_BYTES = 300
# The bit that says that the text may end. Positions, and marks, are the bits above it.
_END = 1


class _Positions:
    """Positions, each with the characters that it reads and the set of those that may follow.

    Args:
        tree: without assertions.
        spend: is called with the number of steps taken, and raises where they are too many.

    Attributes:
        start: the set with which texts begin; ranges, follow: of each position. In the sets position p is the bit p,
            and the bit after the last says that the text may end.
    """

    def __init__(self, tree: Node, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self.ranges: list[Ranges] = [()]
        self.follow: list[int] = [0]
        start = self._add(tree, _END)
        accept = 1 << (len(self.ranges) - 1)
        self.start = start >> 1 | (accept if start & _END else 0)
        self.ranges = self.ranges[1:]
        self.follow = [after >> 1 | (accept if after & _END else 0) for after in self.follow[1:]]

    def _add(self, node: Node, after: int) -> int:
        """Add the positions of the node, which come before `after`; what may come where it begins."""
        match node:
            case Chars(ranges):
                return self._position(ranges, after)
            case Seq(items):
                for item in reversed(items):
                    after = self._add(item, after)
                return after
            case Alt(options):
                found = 0
                for option in options:
                    found |= self._add(option, after)
                return found
            case Repeat(body, low, high):
                return self._repeat(body, low, high, after)
        raise AssertionError("assertions are for automata that look around")

    def _position(self, ranges: Ranges, follow: int) -> int:
        self._spend(1)
        self.ranges.append(ranges)
        self.follow.append(follow)
        return 1 << (len(self.ranges) - 1)

    def _repeat(self, body: Node, low: int, high: int | None, after: int) -> int:
        if high is None:
            # Once around is the first of those that have to be.
            after = self._loop(body, after) | (0 if low else after)
            low -= 1
        else:
            end = after
            for _ in range(high - low):
                after = self._add(body, after) | end
        for _ in range(low):
            after = self._add(body, after)
        return after

    def _loop(self, body: Node, after: int) -> int:
        """The body any number of times, but at least once."""
        mark, first = self._position((), 0), len(self.ranges)
        begin = self._add(body, after | mark)
        # Whatever leads on to the mark leads on to what comes after the loop.
        again = begin & ~mark | after
        self._spend(len(self.ranges) - first)
        follow = self.follow
        for position in range(first, len(follow)):
            if follow[position] & mark:
                follow[position] = follow[position] & ~mark | again
        return begin & ~mark


class Automaton:
    """The texts that match a pattern.

    Args:
        tree: of the pattern, without assertions.
        max_states: bounds the positions.

    Raises:
        TooComplexError: more positions than `max_states`.
    """

    def __init__(self, tree: Node, max_states: int) -> None:
        if tree.facts.weight > max_states:
            raise TooComplexError("max_pattern_states", tree.facts.weight, max_states)
        positions = _Positions(tree, Budget(max_states).spend)
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
        """True if the whole text is one of the pattern's."""
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
        """Return a deterministic automaton of the same texts, not yet minimal.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        atoms, atoms_of = partition(self._ranges)
        budget = Budget(self._max_states)
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
        """Return one set in place of every set of positions from which all texts are accepted."""
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


def bits_of(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
