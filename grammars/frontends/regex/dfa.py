"""Deterministic automata over sets of characters: intersection, complement, lengths, minimization."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, MAX_CODE_POINT, Ranges, negate, of, union
from grammars.frontends.regex.tables import FAR, lengths_of, minimal_of, product_of, trimmed_of

# Cells of the tables of all automata of a constraint, of which each is made and minimized in some 100 ns; other work on
# a pattern is counted as this many.
_MAX_CELLS = 5_000_000
_CELLS_A_TABLE = 2_000
# For each state that there may be: steps from place to place of one pattern, and of all patterns of a constraint.
_STEPS_PER_STATE, _STEPS_TOGETHER = 40, 120


class Effort:
    """The work on one constraint's patterns: while it is entered, everything that this thread does is.

    Attributes:
        steps: from place to place of all patterns, see `Budget`.
        cells: of tables of deterministic automata that were made so far.
    """

    steps = 0
    cells = 0

    def __enter__(self) -> None:
        self._outer = _CURRENT.set(self)

    def __exit__(self, *_: object) -> None:
        _CURRENT.reset(self._outer)

    def spend_cells(self, cells: int, max_states: int) -> None:
        """Spend cells of a table, and some for the rest of a pattern; raise `TooComplexError` if none are left."""
        self.cells += cells + _CELLS_A_TABLE
        if self.cells > _MAX_CELLS:
            raise TooComplexError("max_pattern_states", max_states + 1, max_states)


_CURRENT = ContextVar[Effort | None]("effort", default=None)


def current_effort() -> Effort:
    """Return the effort of this thread's compilation; a new one outside a compilation."""
    return _CURRENT.get() or Effort()


class Budget:
    """Steps that the work on one pattern may take, and all patterns of a constraint together."""

    def __init__(self, max_states: int) -> None:
        self._max_states = max_states
        self._left, self._most = _STEPS_PER_STATE * max_states, _STEPS_TOGETHER * max_states
        self._effort = current_effort()

    @property
    def left(self) -> int:
        """Steps that may still be taken."""
        return min(self._left, self._most - self._effort.steps)

    def spend(self, steps: int) -> None:
        """Spend steps; raise `TooComplexError` if none are left."""
        self._left -= steps
        self._effort.steps += steps
        if self._left < 0 or self._effort.steps > self._most:
            raise TooComplexError("max_pattern_states", self._max_states + 1, self._max_states)


# Larger tables are only trimmed: minimizing needs as much memory again.
_MAX_MINIMIZED_CELLS = 4_000_000
# Of an atom, and of each of its ranges.
_ATOM_BYTES, _RANGE_BYTES = 64, 130


class Moves(NamedTuple):
    """Moves between the states of an automaton: by `which` of the sets each source leads to its target."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    which: NDArray[np.int32]
    sets: list[Ranges]


class Dfa:
    """States are numbers, 0 the start; a row of the table has one target for each atom, -1 where nothing goes on.

    Args:
        atoms: disjoint sets of characters that together are all characters.
        table: one row for each state.
        accepting: whether the text may end in the state.
    """

    def __init__(
        self,
        atoms: list[Ranges],
        table: Sequence[Sequence[int]] | NDArray[np.int32],
        accepting: Sequence[bool] | NDArray[np.uint8],
    ) -> None:
        self.atoms = atoms
        self.table: NDArray[np.int32] = np.asarray(table, dtype=np.int32).reshape(len(accepting), len(atoms))
        self.accepting: NDArray[np.uint8] = np.asarray(accepting, dtype=np.uint8)
        self._is_trimmed = False
        self._pieces: list[tuple[int, int, int]] | None = None

    @staticmethod
    def of_words(words: Iterable[str]) -> Dfa:
        """Exactly these texts."""
        words = list(words)
        characters = sorted({character for word in words for character in word})
        atoms = [of(character) for character in characters]
        atoms.append(negate(of("".join(characters))))
        index = {character: number for number, character in enumerate(characters)}
        table, accepting = [[-1] * len(atoms)], [False]
        for word in words:
            state = 0
            for character in word:
                if table[state][index[character]] < 0:
                    table[state][index[character]] = len(table)
                    table.append([-1] * len(atoms))
                    accepting.append(False)
                state = table[state][index[character]]
            accepting[state] = True
        return Dfa(atoms, table, accepting)

    @staticmethod
    def of_lengths(low: int, high: int | None) -> Dfa:
        """Every text of `low` to `high` characters."""
        last = low if high is None else high
        table = [[state + 1] for state in range(last)] + [[last if high is None else -1]]
        return Dfa([ALL], table, [state >= low for state in range(last + 1)])

    def accepts(self, text: str) -> bool:
        """True if the text leads to an accepting state."""
        state, pieces = 0, self.sorted_pieces()
        for code in map(ord, text):
            low, high, atom = pieces[bisect_right(pieces, (code, MAX_CODE_POINT, len(self.atoms))) - 1]
            state = int(self.table[state, atom]) if low <= code <= high else -1
            if state < 0:
                return False
        return bool(self.accepting[state])

    def sorted_pieces(self) -> list[tuple[int, int, int]]:
        """First and last character of each range, and its atom, in order."""
        if self._pieces is None:
            self._pieces = sorted([(*pair, index) for index, ranges in enumerate(self.atoms) for pair in ranges])
        return self._pieces

    def complement(self) -> Dfa:
        """Every other text."""
        sink = len(self.table)
        table = np.full((sink + 1, len(self.atoms)), sink, dtype=np.int32)
        table[:sink] = np.where(self.table >= 0, self.table, sink)
        return Dfa(self.atoms, table, np.append(1 - self.accepting, np.uint8(1)))

    def intersect(self, other: Dfa, max_states: int) -> Dfa:
        """Return the texts of both.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        common = _overlaps(self, other)
        atoms = [tuple(ranges) for ranges in common.values()]
        columns = np.array(list(common), dtype=np.int32).reshape(-1, 2).T.copy()
        table, pairs = product_of(self.table, other.table, columns[0], columns[1], max_states)
        current_effort().spend_cells(table.size or max_states * len(atoms), max_states)
        if not len(table):
            raise TooComplexError("max_pattern_states", max_states + 1, max_states)
        return Dfa(atoms, table, self.accepting[pairs >> 32] & other.accepting[pairs & 0xFFFFFFFF])

    def without(self, words: Iterable[str]) -> Dfa:
        """The texts but these."""
        others = Dfa.of_words(words).complement()
        # The beginning of a word is met in one state, and all else in those that there are.
        return self.intersect(others, len(self.table) + len(others.table)).trimmed()

    @cached_property
    def num_bytes(self) -> int:
        """Memory held."""
        # The atoms twice, since they may be sorted.
        atoms = _ATOM_BYTES * len(self.atoms) + _RANGE_BYTES * sum(map(len, self.atoms))
        return self.table.nbytes + self.accepting.nbytes + 2 * atoms

    @property
    def goes_on(self) -> bool:
        """True if every beginning of a text is one of longer and longer texts."""
        live = lengths_of(self.table, self.accepting)[0] < FAR
        goes_on = ((self.table >= 0) & live[self.table]).any(axis=1)
        return bool(goes_on[live].all())

    def words(self, most: int) -> list[str] | None:
        """Return all texts, shorter ones of a common prefix first; None if more than `most`."""
        live = self.trimmed()
        found: list[str] = []
        pending = [(0, "")] if len(live.table) else []
        while pending:
            state, prefix = pending.pop()
            # Every state leads to an accepting one, so what is pending is not more than what is found in the end.
            if len(prefix) > len(live.table) or len(found) + len(pending) > most:
                return None
            if live.accepting[state]:
                found.append(prefix)
            for atom, target in enumerate(live.table[state].tolist()):
                if target < 0:
                    continue
                for low, high in live.atoms[atom]:
                    if len(pending) + high - low > most:
                        return None
                    pending += [(target, prefix + chr(code)) for code in range(low, high + 1)]
        return found if len(found) <= most else None

    @property
    def is_empty(self) -> bool:
        """True if no text is accepted."""
        return bool(lengths_of(self.table, self.accepting)[0][0] == FAR)

    def minimized(self) -> Dfa:
        """Return an automaton of the same texts with the fewest states and atoms; a very large one unchanged."""
        table, accepting, group = trimmed_of(self.table, self.accepting)
        if table.size <= _MAX_MINIMIZED_CELLS:
            current_effort().spend_cells(table.size, len(table))
            table, accepting, further = minimal_of(table, accepting)
            group = further[group]
        return self._shrunk(table, accepting, group)

    def trimmed(self) -> Dfa:
        """Return an automaton of the same texts without dead states; atoms with equal moves are merged."""
        return self if self._is_trimmed else self._shrunk(*trimmed_of(self.table, self.accepting))

    def _shrunk(self, table: NDArray[np.int32], accepting: NDArray[np.uint8], group: NDArray[np.int32]) -> Dfa:
        """The automaton with such a table; `group` says where each atom of this one went."""
        found = Dfa(_united(self.atoms, group), table, accepting)
        found._is_trimmed = True
        return found


def _united(atoms: list[Ranges], group: NDArray[np.int32]) -> list[Ranges]:
    """Return one set for each group of atoms; `group` maps atoms to groups."""
    members: list[list[Ranges]] = []
    for atom, number in zip(atoms, group.tolist(), strict=True):
        if number == len(members):
            members.append([atom])
        else:
            members[number].append(atom)
    return [sets[0] if len(sets) == 1 else union(*sets) for sets in members]


def _overlaps(first: Dfa, second: Dfa) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return the overlaps of atoms of both, in order of their indices."""
    ours, theirs = first.sorted_pieces(), second.sorted_pieces()
    common: dict[tuple[int, int], list[tuple[int, int]]] = {}
    i = j = 0
    while i < len(ours) and j < len(theirs):
        low, high, one = ours[i]
        other_low, other_high, other = theirs[j]
        if high <= other_high:
            i += 1
        if other_high <= high:
            j += 1
            high = other_high
        if other_low > low:
            low = other_low
        if low <= high:
            common.setdefault((one, other), []).append((low, high))
    return dict(sorted(common.items()))
