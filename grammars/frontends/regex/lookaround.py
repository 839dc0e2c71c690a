"""Patterns that look ahead or behind, decided character by character.

A *thread* is a place in the pattern together with what it still has to show: its *debts*, each a set of threads of a
look ahead's body of which one must (or none may) reach the end of the text. A state is a set of threads. Each look
behind is a machine of its own that runs from the beginning of the text and says, between any two characters, whether
its body ends there; where its body looks ahead, the answer is a debt in turn. Everything nests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError
from grammars.frontends.regex.automaton import partition
from grammars.frontends.regex.charset import ALL, contains, unions
from grammars.frontends.regex.dfa import Budget, Dfa, Moves
from grammars.frontends.regex.normalize import Places
from grammars.frontends.regex.syntax import Begin, Chars, End, Look, Node, Seq

# Whether the threads must not (True) or must reach the end, and the number of their state.
Debt = tuple[bool, int]
Debts = frozenset[Debt]
# A leaf is a character set and the place after it; the leaf 0 is the end of the pattern.
Thread = tuple[int, Debts]
# What the machines of the looks behind say at one place of the text: yes, no, or a state that decides.
Answer = bool | int
# Whether the text begins here, and the answers.
Context = tuple[Answer, ...]

# A state, and those of the machines.
_Met = tuple[int, tuple[int, ...]]

_NO_DEBTS: Debts = frozenset()
_END = 0
# Steps of other automata in the time of one step here.
_STEPS_A_LOOK = 8
_NODE_BYTES, _MOVE_BYTES, _STEP_BYTES = 400, 250, 200


@dataclass(frozen=True, slots=True)
class Graph:
    """A nondeterministic automaton; node 0 is the start.

    Attributes:
        moves: from nodes to others.
        accepting: whether the text may end in a node.
        tails: of some nodes, what is still to match there, instead of moves.
    """

    moves: Moves
    accepting: NDArray[np.uint8]
    tails: dict[int, Node]

    @property
    def num_bytes(self) -> int:
        """Memory held, roughly."""
        return _NODE_BYTES * len(self.accepting) + _MOVE_BYTES * len(self.moves.source)


class LookAutomaton:
    """The texts that match a pattern with looks.

    Args:
        tree: of the pattern, assertions and all.
        max_states: bounds the work, and the nodes of `graph`.
    """

    def __init__(self, tree: Node, max_states: int) -> None:
        self._max_states = max_states
        self._all_steps = 0
        self._budget = Budget(self._max_states)
        self._places = Places()
        self._states: list[frozenset[Thread]] = []
        self._state_of: dict[frozenset[Thread], int] = {}
        self._reached: dict[tuple[int, Context], tuple[Thread, ...]] = {}
        self._stepped: dict[tuple[int, int, Context], int] = {}
        self._nothing = self._numbered(())
        tree = self._places.shared(tree)
        self._atoms, members = partition(self._places.sets)
        self._atoms_of = [frozenset(members[ranges]) for ranges in self._places.sets]
        self._loop = self._places.leaf(Chars(ALL), self._places.anywhere)
        self.everything = self._numbered([(self._loop, _NO_DEBTS), (_END, _NO_DEBTS)])
        self._root = self._places.place(tree, 0)
        self.machines, context = self._first_machines()
        self.start = self._closed([(self._root, _NO_DEBTS)], context)

    @property
    def num_bytes(self) -> int:
        """Memory held, roughly: each step may leave something behind."""
        return _STEP_BYTES * self._all_steps

    def accepts(self, text: str) -> bool:
        """True if the whole text is one of the pattern's."""
        self._budget = Budget(self._max_states)
        state, machines = self.start, self.machines
        for character in text:
            code = ord(character)
            atom = next((i for i, ranges in enumerate(self._atoms) if contains(ranges, code)), -1)
            state, machines = self.step(state, machines, atom)
        return self.is_final(state)

    def determinize(self, max_states: int) -> Dfa:
        """Return a deterministic automaton of the same texts, not yet minimal.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        self._budget = Budget(self._max_states)
        number: dict[_Met, int] = {}
        rows = []
        for met, row in self._explored_states():
            if len(number) == max_states:
                raise TooComplexError("max_pattern_states", max_states + 1, max_states)
            number[met] = len(number)
            rows.append(row)
        table = [[-1 if met is None else number[met] for met in row] for row in rows]
        return Dfa(self._atoms, table, [self.is_final(state) for state, _ in number])

    def has_text(self, max_steps: int) -> bool | None:
        """True if some text matches, the shortest ones tried first; None if the steps do not suffice."""
        last = self._all_steps + max_steps
        for (state, _), _ in self._explored_states():
            if self.is_final(state):
                return True
            if self._all_steps > last:
                return None
        return False

    def _explored_states(self) -> Iterator[tuple[_Met, list[_Met | None]]]:
        """Yield each reachable state, with the states of the looks behind, and the target of each atom, if any."""
        order = [(self.start, self.machines)]
        seen = set(order)
        for state, machines in order:
            row: list[_Met | None] = []
            for atom in range(len(self._atoms)):
                met = self.step(state, machines, atom)
                row.append(None if met[0] == self._nothing else met)
                if met[0] != self._nothing and met not in seen:
                    seen.add(met)
                    order.append(met)
            yield (state, machines), row

    def graph(self) -> Graph:
        """Return a nondeterministic automaton of the same texts, which is smaller and keeps counts.

        A node is a place with its debts; a place without debts, with no assertion after it, is a tree.

        Raises:
            TooComplexError: more than `max_states` nodes.
        """
        self._budget = Budget(self._max_states)
        first = (self._root, _NO_DEBTS, self.machines)
        known: dict[tuple[int, Debts, tuple[int, ...]], int] = {first: 0}
        order = [first]
        accepting: list[bool] = []
        tails: dict[int, Node] = {}
        moves: list[tuple[int, int, int]] = []
        which: dict[tuple[int, ...], int] = {}
        for index, (place, debts, machines) in enumerate(order):
            accepting.append(False)
            if not debts and self._places.is_plain(place):
                tails[index] = self._places.tail(place)
                continue
            state = self.start if index == 0 else self._closed([(place, debts)], self._context(machines))
            accepting[index] = self.is_final(state)
            targets: dict[int, set[int]] = {}
            for following, atom in self._moves(state, machines):
                if following not in known:
                    if len(order) >= self._max_states:
                        raise TooComplexError("max_pattern_states", len(order) + 1, self._max_states)
                    known[following] = len(order)
                    order.append(following)
                targets.setdefault(known[following], set()).add(atom)
            for goal, atoms in targets.items():
                moves.append((index, goal, which.setdefault(tuple(sorted(atoms)), len(which))))
        source, target, number = np.array(moves, dtype=np.int32).reshape(-1, 3).T.copy()
        found = Moves(source, target, number, unions(self._atoms, which))
        return Graph(found, np.array(accepting, dtype=np.uint8), tails)

    def _moves(self, state: int, machines: tuple[int, ...]) -> Iterator[tuple[tuple[int, Debts, tuple[int, ...]], int]]:
        """Return the places after each thread of the state, each with an atom that leads there."""
        after: dict[int, tuple[tuple[int, ...], Context]] = {}
        for leaf, debts in self._states[state]:
            chars, following = self._places.leaves[leaf]
            for atom in self._atoms_of[chars] if leaf != _END else ():
                self._spend(1)
                if atom not in after:
                    after[atom] = self._advanced(machines, atom)
                moved, context = after[atom]
                owed = self._owed(debts, atom, context)
                if owed is not None:
                    is_free = not owed and self._places.is_plain(following)
                    yield (following, owed, () if is_free else moved), atom

    def is_final(self, state: int) -> bool:
        """True if the text may end in the state."""
        return any(
            leaf == _END and all(self.is_final(other) != must_not for must_not, other in debts)
            for leaf, debts in self._states[state]
        )

    def step(self, state: int, machines: tuple[int, ...], atom: int) -> tuple[int, tuple[int, ...]]:
        """The state, and the states of the looks behind, after a character of the atom."""
        following, context = self._advanced(machines, atom)
        state = self._step(state, atom, context)
        return state, () if state == self.everything else following

    def _advanced(self, machines: tuple[int, ...], atom: int) -> tuple[tuple[int, ...], Context]:
        """Return the states of the looks behind after a character of the atom, and what they answer then."""
        context: Context = (False,)
        following = []
        for machine in machines:
            following.append(self._step(machine, atom, context))
            context = (*context, self._answer(following[-1]))
        return tuple(following), context

    def _context(self, machines: tuple[int, ...]) -> Context:
        return (False, *map(self._answer, machines))

    def _numbered(self, threads: Iterable[Thread]) -> int:
        """Return the number of the state with these threads, less those that another makes superfluous."""
        found = frozenset(threads)
        free = {leaf for leaf, debts in found if not debts}
        if len(free) < len(found):
            found = frozenset(thread for thread in found if not thread[1] or thread[0] not in free)
        if len(found) > 1 and self._places.counted:
            found = self._largest(found)
        if found not in self._state_of:
            self._state_of[found] = len(self._states)
            self._states.append(found)
        return self._state_of[found]

    def _largest(self, threads: frozenset[Thread]) -> frozenset[Thread]:
        """The threads less those that may repeat the same a smaller number of times."""
        counted, largest = self._places.counted, dict[tuple[object, Debts], int]()
        for leaf, debts in threads:
            if leaf in counted:
                what, count = counted[leaf]
                largest[what, debts] = max(count, largest.get((what, debts), 0))
        return frozenset(
            (leaf, debts)
            for leaf, debts in threads
            if leaf not in counted or counted[leaf][1] == largest[counted[leaf][0], debts]
        )

    def _spend(self, steps: int) -> None:
        self._all_steps += steps
        self._budget.spend(steps * _STEPS_A_LOOK)

    def _first_machines(self) -> tuple[tuple[int, ...], Context]:
        context: Context = (True,)
        machines = []
        for place in self._places.machines:
            machines.append(self._closed([(place, _NO_DEBTS)], context))
            context = (*context, self._answer(machines[-1]))
        return tuple(machines), context

    def _answer(self, machine: int) -> Answer:
        """True if the body of a look behind ends here."""
        conditions = [debts for leaf, debts in self._states[machine] if leaf == _END]
        if not conditions or _NO_DEBTS in conditions:
            return bool(conditions)
        return self._numbered((leaf, debts) for leaf in (_END, self._loop) for debts in conditions)

    def _step(self, state: int, atom: int, context: Context) -> int:
        if state in (self.everything, self._nothing):
            return state
        key = (state, atom, context)
        if key not in self._stepped:
            threads = self._states[state]
            self._spend(len(threads))
            moved = []
            for leaf, debts in threads:
                chars, following = self._places.leaves[leaf]
                if atom in self._atoms_of[chars]:
                    owed = self._owed(debts, atom, context) if debts else debts
                    if owed is not None:
                        moved.append((following, owed))
            self._stepped[key] = self._closed(moved, context)
        return self._stepped[key]

    def _owed(self, debts: Debts, atom: int, context: Context) -> Debts | None:
        """The debts after a character; None where one cannot be met."""
        left = []
        for must_not, state in debts:
            following = self._step(state, atom, context)
            if following == (self.everything if must_not else self._nothing):
                return None
            if following not in (self.everything, self._nothing):
                left.append((must_not, following))
        return frozenset(left)

    def _closed(self, moved: Iterable[tuple[int, Debts]], context: Context) -> int:
        """Return the state of the threads that are reached from these places without a character."""
        threads: set[Thread] = set()
        for place, owed in moved:
            reached = self._threads(place, context)
            self._spend(1 + len(reached) // 2)
            threads.update(((leaf, debts | owed) for leaf, debts in reached) if owed else reached)
        is_all = (self._loop, _NO_DEBTS) in threads and (_END, _NO_DEBTS) in threads
        return self.everything if is_all else self._numbered(threads)

    def _threads(self, place: int, context: Context) -> tuple[Thread, ...]:
        key = (place, context)
        if key not in self._reached:
            self._reached[key] = tuple(self._explored(place, context))
        return self._reached[key]

    def _explored(self, place: int, context: Context) -> set[Thread]:
        found: set[Thread] = set()
        seen = {(place, _NO_DEBTS)}
        stack = [(place, _NO_DEBTS)]
        while stack:
            place, debts = stack.pop()
            if place == 0:
                found.add((_END, debts))
                continue
            node, following = self._places.places[place]
            if isinstance(node, Chars):
                found.add((self._places.leaf(node, following), debts))
                continue
            if isinstance(node, Begin | End | Look):
                owed = self._assertion(node, debts, context)
                nexts = [] if owed is None else [(following, owed)]
            else:
                self._spend(len(node.items) if isinstance(node, Seq) else 0)
                nexts = [(after, debts) for after in self._places.unfolded(node, following)]
            for item in nexts:
                if item not in seen:
                    seen.add(item)
                    stack.append(item)
            self._spend(1 + len(debts))
        return found

    def _assertion(self, node: Begin | End | Look, debts: Debts, context: Context) -> Debts | None:
        """The debts of a thread that passes the assertion; None where it cannot."""
        match node:
            case Begin():
                return debts if context[0] else None
            case End():
                state, must_not = self._closed([(0, _NO_DEBTS)], context), False
            case Look(body, True, holds):
                state, must_not = self._closed([(self._places.ahead[id(body)], _NO_DEBTS)], context), not holds
            case Look(body, _, holds):
                answer = context[1 + self._places.behind[id(body)]]
                if isinstance(answer, bool):
                    return debts if answer == holds else None
                state, must_not = answer, not holds
        if state in (self.everything, self._nothing):
            return debts if (state == self.everything) != must_not else None
        return debts | {(must_not, state)}
