"""A pattern as a set automaton: positions are bits, so a set of them is one integer.

Anchors are exact wherever they stand. ``^`` edges are followed only before the first character, ``$`` edges only when
the text ends. Python's ``$`` also holds before a final newline: its edge leads into a second copy of the automaton
that can read nothing but that newline.
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
from grammars.frontends.regex.syntax import ANYTHING, Alt, Begin, Chars, End, Node, Repeat, Seq, sequence, weight
from grammars.frontends.regex.tables import deterministic_of

_NEWLINE = 10
_POSITION_BYTES = 300
# Closures and sets of positions are bounded by the steps that it takes to find them.
_STEPS_PER_STATE = 40
_STEPS_TOGETHER = 120
# Which copy of the automaton a position belongs to: anywhere, before the final newline, after it.
_ANYWHERE, _BEFORE_NEWLINE, _AFTER_NEWLINE = 0, 1, 2


class _Fragments:
    """Thompson's construction; states are numbers, each with plain, anchor and character edges."""

    def __init__(self) -> None:
        self.plain: list[list[int]] = []
        self.anchors: list[list[tuple[Begin | End, int]]] = []
        self.chars: list[tuple[Ranges, int] | None] = []

    def state(self) -> int:
        self.plain.append([])
        self.anchors.append([])
        self.chars.append(None)
        return len(self.plain) - 1

    def add(self, node: Node, source: int) -> int:
        """Adds the node's states after `source`; the state where its matches end."""
        match node:
            case Chars(ranges):
                entry, end = self.state(), self.state()
                self.plain[source].append(entry)
                self.chars[entry] = (ranges, end)
                return end
            case Seq(items):
                previous: Node | None = None
                for item in items:
                    if isinstance(item, Chars) and isinstance(previous, Chars):
                        # Nothing else leads from the state behind a character, so the next may be read right there.
                        end = self.state()
                        self.chars[source] = (item.ranges, end)
                        source = end
                    else:
                        source = self.add(item, source)
                    previous = item
                return source
            case Alt(options):
                end = self.state()
                for option in options:
                    entry = self.state()
                    self.plain[source].append(entry)
                    self.plain[self.add(option, entry)].append(end)
                return end
            case Repeat(body, low, high):
                return self._repeat(body, low, high, source)
            case _:
                assert isinstance(node, Begin | End)
                end = self.state()
                self.anchors[source].append((node, end))
                return end

    def _repeat(self, body: Node, low: int, high: int | None, source: int) -> int:
        for _ in range(low):
            source = self.add(body, source)
        end = self.state()
        self.plain[source].append(end)
        if high is None:
            self.plain[self.add(body, end)].append(end)
            return end
        for _ in range(high - low):
            source = self.add(body, source)
            self.plain[source].append(end)
        return end


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
        budget = _Budget(max_states)
        fragments = _Fragments()
        start = fragments.state()
        final = fragments.add(sequence(ANYTHING, tree, ANYTHING) if search else tree, start)
        closures = _Closures(fragments, final, budget)
        self._accept = closures.accept
        self._max_states = max_states
        self._start = closures.of(start, _ANYWHERE, at_begin=True)
        self._ranges: list[Ranges] = []
        self._follow: list[int] = []
        for state, copy in closures.bit_of:
            edge = fragments.chars[state]
            assert edge is not None
            ranges, target = edge
            if copy == _BEFORE_NEWLINE:
                ranges = ((_NEWLINE, _NEWLINE),) if contains(ranges, _NEWLINE) else ()
            self._ranges.append(ranges)
            self._follow.append(closures.of(target, _ANYWHERE if copy == _ANYWHERE else _AFTER_NEWLINE))
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
            for position in _bits(current & ~self._accept):
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


class _Closures:
    """What is reached from a state without a character.

    Args:
        fragments: the states; final: the one where the pattern ends.
        budget: of steps.

    Attributes:
        bit_of: of each position, a state that reads a character and its copy.
        accept: the bit that says that the text may end.
    """

    def __init__(self, fragments: _Fragments, final: int, budget: _Budget) -> None:
        self._fragments = fragments
        self._budget = budget
        anchors = [row for row in fragments.anchors if row]
        has_newline = any(isinstance(anchor, End) and anchor.before_newline for row in anchors for anchor, _ in row)
        copies = (_ANYWHERE, _BEFORE_NEWLINE) if has_newline else (_ANYWHERE,)
        self._has_copies = has_newline
        consuming = [state for state, edge in enumerate(fragments.chars) if edge is not None]
        self.bit_of = {place: 1 << index for index, place in enumerate(itertools.product(consuming, copies))}
        self.accept = 1 << len(self.bit_of)
        self._ends = _reaching(fragments, final, at_begin=False)
        self._ends_at_begin = _reaching(fragments, final, at_begin=True) if anchors else self._ends
        self._known: dict[tuple[int, int], int] = {}

    def of(self, state: int, copy: int, *, at_begin: bool = False) -> int:
        """Positions that can read the next character, and the accepting bit where the text may end here."""
        known = None if at_begin else self._known.get((state, copy))
        if known is not None:
            return known
        ends = self._ends_at_begin if at_begin else self._ends
        mask = self.accept if state in ends and copy != _BEFORE_NEWLINE else 0
        chars, plain, anchors = self._fragments.chars, self._fragments.plain, self._fragments.anchors
        if chars[state] is not None and copy == _ANYWHERE:
            # Inside a literal nothing else is reached; each such state is asked for once.
            self._budget.spend(1)
            return mask | self.bit_of[state, copy]
        if not self._has_copies and not at_begin:
            return self._of_one_copy(state, mask)
        seen = {(state, copy)}
        stack = [(state, copy)]
        while stack:
            node = stack.pop()
            at, of = node
            if chars[at] is not None:
                if of != _AFTER_NEWLINE:
                    mask |= self.bit_of[node]
                continue
            nexts = [(target, of) for target in plain[at]]
            for anchor, target in anchors[at]:
                if isinstance(anchor, Begin):
                    nexts += [(target, of)] if at_begin else []
                elif anchor.before_newline and of != _AFTER_NEWLINE:
                    nexts.append((target, _BEFORE_NEWLINE))
            for following in nexts:
                if following not in seen:
                    seen.add(following)
                    stack.append(following)
        self._budget.spend(len(seen))
        if not at_begin:
            self._known[state, copy] = mask
        return mask

    def _of_one_copy(self, state: int, mask: int) -> int:
        """As `of`, where there is one copy and no anchor holds; `mask`: what is known already."""
        chars, plain, known, bit_of = self._fragments.chars, self._fragments.plain, self._known, self.bit_of
        seen, stack = {state}, [state]
        while stack:
            for target in plain[stack.pop()]:
                if target in seen:
                    continue
                seen.add(target)
                if chars[target] is not None:
                    mask |= bit_of[target, _ANYWHERE]
                elif (reached := known.get((target, _ANYWHERE))) is not None:
                    mask |= reached
                else:
                    stack.append(target)
        self._budget.spend(len(seen))
        known[state, _ANYWHERE] = mask
        return mask


def _reaching(fragments: _Fragments, final: int, *, at_begin: bool) -> set[int]:
    """The states from which the final one is reached where the text ends, which is where it begins if `at_begin`."""
    sources: dict[int, list[int]] = {}
    for state, targets in enumerate(fragments.plain):
        for target in targets:
            sources.setdefault(target, []).append(state)
    for state, row in enumerate(fragments.anchors):
        for anchor, target in row:
            if at_begin or isinstance(anchor, End):
                sources.setdefault(target, []).append(state)
    found, stack = {final}, [final]
    while stack:
        for source in sources.get(stack.pop(), ()):
            if source not in found:
                found.add(source)
                stack.append(source)
    return found


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
        for index in _bits(signature >> 1):
            members[distinct[index]].append(atom)
    return atoms, members


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
