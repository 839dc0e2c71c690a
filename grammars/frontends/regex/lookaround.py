"""Patterns that look ahead or behind, decided character by character.

A *thread* is a place in the pattern together with what it still has to show: its *debts*, each a set of threads of a
look ahead's body of which one must (or none may) reach the end of the text. A state is a set of threads. Each look
behind is a machine of its own that runs from the beginning of the text and says, between any two characters, whether
its body ends there; where its body looks ahead, the answer is a debt in turn. Everything nests.

A place is a list of the nodes that are still to match (partial derivatives: Antimirov, Theor. Comput. Sci. 155, 1996),
so that counts are counted down only as far as the text goes.
"""

from __future__ import annotations

from collections.abc import Iterable

from grammars.errors import TooComplexError
from grammars.frontends.regex.automaton import partition
from grammars.frontends.regex.charset import ALL, Ranges, contains
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.normalize import not_empty
from grammars.frontends.regex.syntax import (
    ANYTHING,
    EPSILON,
    OPTIONAL_NEWLINE,
    Alt,
    Begin,
    Chars,
    End,
    Look,
    Node,
    Repeat,
    Seq,
    has_anchor,
    is_nullable,
    sequence,
)

# Whether the threads must not (True) or must reach the end, and the number of their state.
Debt = tuple[bool, int]
Debts = frozenset[Debt]
# A leaf is a character set and the place behind it; the leaf 0 is the end of the pattern.
Thread = tuple[int, Debts]
# What the machines of the looks behind say at one place of the text: yes, no, or a state that decides.
Answer = bool | int
# Whether the text begins here, and the answers.
Context = tuple[Answer, ...]

_NO_DEBTS: Debts = frozenset()
_END = 0
_STEPS_PER_STATE = 25


class LookAutomaton:
    """The texts that match a pattern with looks.

    Args:
        tree: of the pattern, assertions and all.
        search: whether the pattern may match anywhere in the text.
        max_states: bounds the work, and the states of `determinize`.
    """

    def __init__(self, tree: Node, *, search: bool, max_states: int) -> None:
        self._max_states = max_states
        self._steps = 0
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._places: list[tuple[Node, int]] = [(EPSILON, 0)]
        self._place_of: dict[tuple[int, int], int] = {}
        self._sets: list[Ranges] = [()]
        self._leaves: list[tuple[int, int]] = [(0, 0)]
        self._leaf_of: dict[tuple[int, int], int] = {}
        self._set_of: dict[Ranges, int] = {}
        self._states: list[frozenset[Thread]] = []
        self._state_of: dict[frozenset[Thread], int] = {}
        self._reached: dict[tuple[int, Context], tuple[Thread, ...]] = {}
        self._stepped: dict[tuple[int, int, Context], int] = {}
        self._behind: dict[int, int] = {}
        self._machines: list[int] = []
        self._nothing = self._numbered(())
        self._anything = self._shared(ANYTHING)
        self._anywhere = self._place(self._anything, 0)
        tree = self._shared(sequence(ANYTHING, tree, ANYTHING) if search else tree)
        self._atoms, members = partition(self._sets)
        self._atoms_of = [frozenset(members[ranges]) for ranges in self._sets]
        self._loop = self._leaf(Chars(ALL), self._anywhere)
        self.everything = self._numbered([(self._loop, _NO_DEBTS), (_END, _NO_DEBTS)])
        self._root = self._place(tree, 0)
        self.machines, context = self._first_machines()
        self.start = self._closed([(self._root, _NO_DEBTS)], context)

    def accepts(self, text: str) -> bool:
        """Whether the whole text is one of the pattern's."""
        state, machines = self.start, self.machines
        for character in text:
            code = ord(character)
            atom = next((i for i, ranges in enumerate(self._atoms) if contains(ranges, code)), -1)
            state, machines = self.step(state, machines, atom)
        return self.is_final(state)

    def determinize(self) -> Dfa:
        """The same texts as a deterministic automaton, not yet minimal.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        first = (self.start, self.machines)
        known = {first: 0}
        order = [first]
        table = []
        for state, machines in order:
            row = []
            for atom in range(len(self._atoms)):
                following = self.step(state, machines, atom)
                if following[0] == self._nothing:
                    row.append(-1)
                    continue
                if following[0] == self.everything:
                    following = (self.everything, ())
                if following not in known:
                    if len(order) >= self._max_states:
                        raise TooComplexError("max_pattern_states", len(order) + 1, self._max_states)
                    known[following] = len(order)
                    order.append(following)
                row.append(known[following])
            table.append(row)
        return Dfa(self._atoms, table, [self.is_final(state) for state, _ in order])

    def is_final(self, state: int) -> bool:
        """Whether the text may end in the state."""
        return any(
            leaf == _END and all(self.is_final(other) != must_not for must_not, other in debts)
            for leaf, debts in self._states[state]
        )

    def step(self, state: int, machines: tuple[int, ...], atom: int) -> tuple[int, tuple[int, ...]]:
        """The state, and the states of the looks behind, after a character of the atom."""
        if not machines:
            return self._step(state, atom, (False,)), ()
        context: Context = (False,)
        following = []
        for machine in machines:
            following.append(self._step(machine, atom, context))
            context = (*context, self._answer(following[-1]))
        return self._step(state, atom, context), tuple(following)

    def _shared(self, node: Node) -> Node:
        """The tree with equal parts made the same object, its sets and looks behind registered, inner ones first."""
        match node:
            case Chars(ranges):
                self._set(ranges)
                key: tuple[object, ...] = ("chars", ranges)
            case Seq(items) | Alt(items):
                items = tuple(map(self._shared, items))
                node = type(node)(items)
                key = (type(node), *map(id, items))
            case Repeat(body, low, high):
                if is_nullable(body) and not has_anchor(body):
                    body, low = not_empty(body), 0
                return self._repeat(self._shared(body), low, high)
            case Look(body, ahead, holds):
                body = self._shared(body)
                node = Look(body, ahead, holds)
                key = ("look", id(body), ahead, holds)
                if key not in self._nodes and not ahead and id(body) not in self._behind:
                    self._behind[id(body)] = len(self._machines)
                    self._machines.append(self._place(self._anything, self._place(body, 0)))
            case _:
                if isinstance(node, End) and node.before_newline:
                    self._shared(OPTIONAL_NEWLINE)
                key = (node,)
        return self._nodes.setdefault(key, node)

    def _repeat(self, body: Node, low: int, high: int | None) -> Node:
        key = ("repeat", id(body), low, high)
        if key not in self._nodes:
            self._nodes[key] = Repeat(body, low, high)
        return self._nodes[key]

    def _set(self, ranges: Ranges) -> int:
        if ranges not in self._set_of:
            self._set_of[ranges] = len(self._sets)
            self._sets.append(ranges)
        return self._set_of[ranges]

    def _place(self, node: Node, following: int) -> int:
        key = (id(node), following)
        if key not in self._place_of:
            self._place_of[key] = len(self._places)
            self._places.append((node, following))
        return self._place_of[key]

    def _leaf(self, node: Node, following: int) -> int:
        assert isinstance(node, Chars)
        key = (self._set_of[node.ranges], following)
        if key not in self._leaf_of:
            self._leaf_of[key] = len(self._leaves)
            self._leaves.append(key)
        return self._leaf_of[key]

    def _numbered(self, threads: Iterable[Thread]) -> int:
        """The number of the state with these threads, less those that another makes superfluous."""
        found = frozenset(threads)
        free = {leaf for leaf, debts in found if not debts}
        if len(free) < len(found):
            found = frozenset(thread for thread in found if not thread[1] or thread[0] not in free)
        if found not in self._state_of:
            self._state_of[found] = len(self._states)
            self._states.append(found)
        return self._state_of[found]

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > self._max_states * _STEPS_PER_STATE:
            raise TooComplexError("max_pattern_states", self._max_states + 1, self._max_states)

    def _first_machines(self) -> tuple[tuple[int, ...], Context]:
        context: Context = (True,)
        machines = []
        for place in self._machines:
            machines.append(self._closed([(place, _NO_DEBTS)], context))
            context = (*context, self._answer(machines[-1]))
        return tuple(machines), context

    def _answer(self, machine: int) -> Answer:
        """Whether the body of a look behind ends here."""
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
                chars, following = self._leaves[leaf]
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
        """The state of the threads that are reached from these places without a character."""
        threads: set[Thread] = set()
        for place, owed in moved:
            reached = self._threads(place, context)
            self._spend(1 + len(reached) // 4)
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
            node, following = self._places[place]
            if isinstance(node, Chars):
                found.add((self._leaf(node, following), debts))
                continue
            if isinstance(node, Begin | End | Look):
                owed = self._assertion(node, debts, context)
                nexts = [] if owed is None else [(following, owed)]
            else:
                nexts = [(after, debts) for after in self._unfolded(node, following)]
            for item in nexts:
                if item not in seen:
                    seen.add(item)
                    stack.append(item)
            self._spend(1 + len(debts))
        return found

    def _unfolded(self, node: Node, following: int) -> list[int]:
        """The places from which a sequence, a choice or a repeat goes on."""
        match node:
            case Seq(items):
                for item in reversed(items):
                    following = self._place(item, following)
                return [following]
            case Alt(options):
                return [self._place(option, following) for option in options]
            case Repeat(body, low, high):
                found = [following] if low == 0 else []
                if high != 0:
                    rest = self._repeat(body, max(low - 1, 0), None if high is None else high - 1)
                    found.append(self._place(body, self._place(rest, following)))
                return found
            case _:
                raise AssertionError("assertions are read elsewhere")

    def _assertion(self, node: Begin | End | Look, debts: Debts, context: Context) -> Debts | None:
        """The debts of a thread that passes the assertion; None where it cannot."""
        match node:
            case Begin():
                return debts if context[0] else None
            case End(before_newline):
                place = self._place(self._shared(OPTIONAL_NEWLINE), 0) if before_newline else 0
                state, must_not = self._closed([(place, _NO_DEBTS)], context), False
            case Look(body, True, holds):
                state = self._closed([(self._place(body, self._anywhere), _NO_DEBTS)], context)
                must_not = not holds
            case Look(body, _, holds):
                answer = context[1 + self._behind[id(body)]]
                if isinstance(answer, bool):
                    return debts if answer == holds else None
                state, must_not = answer, not holds
        if state in (self.everything, self._nothing):
            return debts if (state == self.everything) != must_not else None
        return debts | {(must_not, state)}
