"""All patterns of one side of a policy as one lazily built automaton over characters.

A *state* is what may be under way at a place of a text: for each shape the states of its automaton that matches have
come to, and which shapes may begin now. Of matches in the same state one began first, and covers all that the others
will; where those began is forgotten, but for shapes with a check. So a state is a few numbers, whatever the text, and
what a character does to it is worked out once: searching is linear, and no text is read twice.

See: Thompson, "Regular Expression Search Algorithm", CACM 11(6), 1968.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.guards.rule import CompiledPattern
from grammars.frontends.regex.automaton import partition
from grammars.frontends.regex.charset import MAX_CODE_POINT

MAX_STATES = 20_000
"""States kept; beyond that all are computed again."""
_LAST_CACHED = "\u024f"
_NOWHERE = -1

Slot = tuple[int, int]
"""A shape, and the state of its automaton that matches are in."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Effect of one character.

    Attributes:
        closing: Slots whose matches are complete, now that this character and no other follows.
        sources: For each slot that is reached, those that lead there; -1 is a match that begins with the character.
        completing: Of those that are reached, by place in `sources`: a match is complete with the character.
        kept: Of those that are reached, the slots of `target`, in order.
    """

    closing: tuple[int, ...]
    sources: tuple[tuple[int, ...], ...]
    reached: tuple[int, ...]
    completing: tuple[int, ...]
    kept: tuple[int, ...]
    target: State

    @property
    def is_quiet(self) -> bool:
        """True if no match is in progress before or after it."""
        return not (self.closing or self.sources)


@dataclass(slots=True, eq=False)
class State:
    """Matches that may be in progress.

    Attributes:
        slots: Positions of matches in progress.
        shapes: The shape of each slot.
        ending: Slots whose matches are complete if the text ends here.
    """

    slots: tuple[Slot, ...]
    begins: tuple[int, ...]
    shapes: tuple[int, ...]
    ending: tuple[int, ...]
    by_character: dict[str, Step] = field(default_factory=dict)
    by_atom: dict[int, Step] = field(default_factory=dict)


class Scanner:
    """The automaton. Thread-safe: concurrent computations of a state agree."""

    def __init__(self, shapes: Sequence[CompiledPattern | None]) -> None:
        """Args: shapes: By number; None skips the number."""
        self._shapes = {number: shape for number, shape in enumerate(shapes) if shape is not None}
        sets = [ranges for shape in self._shapes.values() for ranges in (*shape.dfa.atoms, shape.before, shape.after)]
        atoms, members = partition(sets)
        self._pieces = sorted((low, high, number) for number, ranges in enumerate(atoms) for low, high in ranges)
        self._columns: dict[int, dict[int, int]] = {}
        self._before = {number: frozenset(members[shape.before]) for number, shape in self._shapes.items()}
        self._after = {number: frozenset(members[shape.after]) for number, shape in self._shapes.items()}
        self._goes_on = {
            number: [any(target >= 0 for target in row) for row in shape.dfa.table.tolist()]
            for number, shape in self._shapes.items()
        }
        for number, shape in self._shapes.items():
            own = ((atom, column) for column, ranges in enumerate(shape.dfa.atoms) for atom in members[ranges])
            self._columns[number] = dict(own)
        self.checked = frozenset(number for number, shape in self._shapes.items() if shape.check is not None)
        self._states: dict[tuple[tuple[Slot, ...], tuple[int, ...]], State] = {}
        self.start = self._state((), tuple(self._shapes))

    def step(self, state: State, character: str) -> Step:
        """Return the effect of the character in this state."""
        found = state.by_character.get(character)
        if found is not None:
            return found
        atom = self._atom(ord(character))
        found = state.by_atom.get(atom)
        if found is None:
            found = state.by_atom[atom] = self._step(state, atom)
        if character <= _LAST_CACHED:
            state.by_character[character] = found
        return found

    def _atom(self, code: int) -> int:
        place = bisect_right(self._pieces, (code, MAX_CODE_POINT, len(self._pieces))) - 1
        if place < 0 or self._pieces[place][1] < code:
            return _NOWHERE  # half a character, which is in no set
        return self._pieces[place][2]

    def _step(self, state: State, atom: int) -> Step:
        closing: list[int] = []
        reached: dict[Slot, list[int]] = {}
        for index, (number, at) in enumerate(state.slots):
            if index in state.ending and atom not in self._after[number]:
                closing.append(index)
            self._reach(reached, number, at, atom, index)
        for number in state.begins:
            self._reach(reached, number, 0, atom, -1)
        completing, kept = [], []
        for place, (number, at) in enumerate(reached):
            is_complete = bool(self._shapes[number].dfa.accepting[at])
            waits = is_complete and bool(self._after[number])
            if is_complete and not waits:
                completing.append(place)
            if waits or self._goes_on[number][at]:
                kept.append(place)
        slots = tuple(reached)
        begins = tuple(number for number in self._shapes if atom not in self._before[number])
        return Step(
            closing=tuple(closing),
            sources=tuple(map(tuple, reached.values())),
            reached=tuple(number for number, _ in slots),
            completing=tuple(completing),
            kept=tuple(kept),
            target=self._state(tuple(slots[place] for place in kept), begins),
        )

    def _reach(self, reached: dict[Slot, list[int]], number: int, at: int, atom: int, source: int) -> None:
        column = self._columns[number].get(atom)
        if column is None:
            return
        target = int(self._shapes[number].dfa.table[at, column])
        if target >= 0:
            reached.setdefault((number, target), []).append(source)

    def _state(self, slots: tuple[Slot, ...], begins: tuple[int, ...]) -> State:
        key = (slots, begins)
        found = self._states.get(key)
        if found is None:
            if len(self._states) >= MAX_STATES:
                self._forget()
            ending = tuple(
                index
                for index, (number, at) in enumerate(slots)
                if self._after[number] and self._shapes[number].dfa.accepting[at]
            )
            shapes = tuple(number for number, _ in slots)
            found = self._states[key] = State(slots, begins, shapes, ending)
        return found

    def _forget(self) -> None:
        """Drop the computed states; screens continue from those they hold."""
        for state in self._states.values():
            state.by_character.clear()
            state.by_atom.clear()
        self._states.clear()
