"""Deterministic automata over sets of characters: intersection, complement, lengths, minimization."""

from __future__ import annotations

from collections.abc import Iterable

from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, Ranges, contains, intersect, negate, of

# Partition refinement is quadratic at worst; a larger automaton is only trimmed.
_MAX_MINIMIZED = 400


class Dfa:
    """States are numbers, 0 the start; a row of the table has one target for each atom, -1 where nothing goes on.

    Args:
        atoms: disjoint sets of characters that together are all characters.
        table: one row for each state.
        accepting: whether the text may end in the state.
    """

    def __init__(self, atoms: list[Ranges], table: list[list[int]], accepting: list[bool]) -> None:
        self.atoms = atoms
        self.table = table
        self.accepting = accepting

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
        """Whether the text leads to an accepting state."""
        state = 0
        for character in text:
            atom = next((i for i, ranges in enumerate(self.atoms) if contains(ranges, ord(character))), None)
            if atom is None or self.table[state][atom] < 0:
                return False
            state = self.table[state][atom]
        return self.accepting[state]

    def complement(self) -> Dfa:
        """Every other text."""
        sink = len(self.table)
        table = [[target if target >= 0 else sink for target in row] for row in self.table]
        table.append([sink] * len(self.atoms))
        return Dfa(self.atoms, table, [not accepts for accepts in self.accepting] + [True])

    def intersect(self, other: Dfa, max_states: int) -> Dfa:
        """The texts of both.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        pairs = [
            (common, i, j)
            for i, first in enumerate(self.atoms)
            for j, second in enumerate(other.atoms)
            if (common := intersect(first, second))
        ]
        known = {(0, 0): 0}
        order = [(0, 0)]
        table = []
        for a, b in order:
            row = []
            for _, i, j in pairs:
                target = (self.table[a][i], other.table[b][j])
                if target[0] < 0 or target[1] < 0:
                    row.append(-1)
                    continue
                if target not in known:
                    if len(order) >= max_states:
                        raise TooComplexError("max_pattern_states", len(order) + 1, max_states)
                    known[target] = len(order)
                    order.append(target)
                row.append(known[target])
            table.append(row)
        accepting = [self.accepting[a] and other.accepting[b] for a, b in order]
        return Dfa([common for common, _, _ in pairs], table, accepting)

    @property
    def is_empty(self) -> bool:
        """Whether no text is accepted."""
        return not self._live()[0]

    def minimized(self) -> Dfa:
        """The same texts with no useless state and, but for very large automata, as few states as possible."""
        trimmed = self.trimmed()
        if len(trimmed.table) > _MAX_MINIMIZED:
            return trimmed
        block = [int(accepts) for accepts in trimmed.accepting]
        count = 0
        while len(set(block)) != count:
            count = len(set(block))
            names: dict[tuple[int, ...], int] = {}
            block = [
                names.setdefault((block[state], *(block[t] if t >= 0 else -1 for t in row)), len(names))
                for state, row in enumerate(trimmed.table)
            ]
        return trimmed._renamed(block)

    def trimmed(self) -> Dfa:
        """The same texts without states that lead nowhere."""
        live = self._live()
        names = {state: index for index, state in enumerate(s for s in range(len(live)) if live[s] or s == 0)}
        table = [[names[t] if t >= 0 and live[t] else -1 for t in self.table[state]] for state in names]
        return Dfa(self.atoms, table, [self.accepting[state] for state in names])

    def _renamed(self, block: list[int]) -> Dfa:
        """One state for each block; the start's is 0 and equal columns become one atom."""
        order = list(dict.fromkeys(block))
        names = {old: index for index, old in enumerate(order)}
        table: list[list[int]] = [[] for _ in order]
        accepting = [False] * len(order)
        for state, row in enumerate(self.table):
            name = names[block[state]]
            if not table[name]:
                table[name] = [names[block[t]] if t >= 0 else -1 for t in row]
                accepting[name] = self.accepting[state]
        return Dfa(self.atoms, table, accepting)

    def _live(self) -> list[bool]:
        """Which states lead to an accepting one."""
        sources: list[list[int]] = [[] for _ in self.table]
        for state, row in enumerate(self.table):
            for target in set(row):
                if target >= 0:
                    sources[target].append(state)
        live = list(self.accepting)
        stack = [state for state, accepts in enumerate(live) if accepts]
        while stack:
            for source in sources[stack.pop()]:
                if not live[source]:
                    live[source] = True
                    stack.append(source)
        return live
