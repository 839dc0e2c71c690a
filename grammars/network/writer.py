"""Writer of networks for front ends: states and edges, one operation after another."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from grammars.errors import TooComplexError
from grammars.limits import DEFAULT_LIMITS, Limits
from grammars.network import operations as op
from grammars.network.checks import Check
from grammars.network.network import UNREACHABLE, Ints
from grammars.report import Noted
from grammars.vocabulary.spelling import SpecialTokens
from grammars.vocabulary.units import UnitClass

_UNBOUNDED, _STATES_A_MEMBER = -1, 6  # of a place where members begin, which holds a few alternatives for each
_MAX_UNCOUNTED = 1 << 12


class NetworkWriter(Noted):
    """States and edges of one network under construction; linear in what is asked of it.

    A rule is its start state: calling it runs until a state that accepts and goes on at the caller's return state.
    Calls only append operations, see `operations`.

    Args:
        limits: `max_states` bounds the network.
        special_tokens: those that a grammar may name; None: there is no vocabulary.

    Attributes:
        num_states: number of states so far.
        shared: rules by key, for `shared_rule`.
    """

    def __init__(self, limits: Limits | None = None, special_tokens: SpecialTokens | None = None) -> None:
        super().__init__()
        self.limits = limits or DEFAULT_LIMITS
        self.special_tokens = special_tokens
        self.shared: dict[Any, int] = {}
        self._max_states = self.limits.max_states
        self.num_states = self._num_members = 0
        self._ops: list[int] = []
        self._chunks: list[bytes | memoryview] = []
        self._texts = bytearray()
        self._span_starts: set[int] = set()
        self._classes: dict[UnitClass, int] = {}
        self._checks: dict[Check, int] = {}

    def state(self) -> int:
        """Add a state without edges; return it."""
        state = self.num_states
        if state >= self._max_states:
            raise TooComplexError("max_states", state + 1, self._max_states)
        self.num_states = state + 1
        return state

    def states(self, number: int) -> int:
        """Add consecutive states; return the first."""
        first = self.num_states
        if first + number > self._max_states:
            raise TooComplexError("max_states", first + number, self._max_states)
        self.num_states = first + number
        return first

    def write(self, operations: tuple[int, ...]) -> None:
        """Append encoded operations, see `operations`: cheaper than a call for each."""
        self._ops.extend(operations)

    def write_array(self, operations: Ints) -> None:
        """Append many operations at once; the array must not change afterwards."""
        self._flush()
        self._chunks.append(operations.data.cast("B"))

    def class_index(self, units: UnitClass) -> int:
        """Return the number of the class in operations."""
        return self._classes.setdefault(units, len(self._classes))

    def _check_index(self, check: Check) -> int:
        return self._checks.setdefault(check, len(self._checks))

    def rule(self) -> int:
        """Add a rule; return its start state."""
        return self.state()

    def shared_rule(self, key: Any, build: Callable[[int], None]) -> int:
        """Return the rule of this key; `build(start)` fills it the first time."""
        rule = self.shared.get(key)
        if rule is None:
            rule = self.shared[key] = self.rule()
            build(rule)
        return rule

    def byte(self, source: int, low: int, high: int, target: int) -> None:
        """Add an edge from `source` to `target` on each byte from `low` to `high`, both included."""
        if not 0 <= low <= high <= 255:
            raise ValueError(f"not a range of bytes: {low} to {high}")
        self._ops.extend((op.BYTE, source, low | high << 8, target))

    def branch(self, source: int, *goals: int) -> None:
        """Add edges from `source`, each given as a byte and a target."""
        self._ops.extend((op.BRANCH, source, len(goals) >> 1, *goals))

    def dead(self, source: int, low: int, high: int) -> None:
        """Refuse the bytes at `source`, also where `otherwise` would allow them."""
        self.byte(source, low, high, -1)

    def literal(self, source: int, data: bytes, target: int | None = None) -> int:
        """Add a chain of edges that spells `data`; return its end: `target`, or a new state."""
        if not data:
            if target is None:
                return source
            self.epsilon(source, target)
            return target
        first = self.states(len(data) if target is None else len(data) - 1)
        end = self.num_states - 1 if target is None else target
        self._ops.extend((op.LITERAL, source, first, end, len(self._texts), len(data)))
        self._texts += data
        return end

    def words(self, source: int, words: Iterable[bytes], target: int) -> None:
        """Add the words, none empty, from `source` to `target`; they share their first bytes."""
        ordered = sorted(set(words))
        if ordered:
            self._trie(op.WORDS, source, target, ordered)

    def excluding(self, source: int, words: Iterable[bytes], span_state: int) -> None:
        """Let `source` behave like the span, but refuse the words.

        Args:
            words: each byte of one, but for the last, is a unit of the span.
            span_state: what a `span` call returned.
        """
        if span_state not in self._span_starts:
            raise ValueError("not the start state of a span")
        ordered = sorted(set(words))
        if ordered:
            self._trie(op.EXCLUDING, source, span_state, ordered)
        else:
            self.epsilon(source, span_state)

    def epsilon(self, source: int, target: int) -> None:
        """Let `source` behave like `target` as well, without a byte."""
        self._ops.extend((op.EPSILON, source, target))

    def gap(self, source: int, target: int, indent: int) -> None:
        """Add from `source` to `target`: nothing, a space, or a newline and then the rule `indent`."""
        self._ops.extend((op.GAP, source, target, self.state(), indent))

    def members(self, members: Iterable[tuple[bytes, int]], has_space: bool, end: int) -> list[int]:
        """Add rules, each a text, an optional space if `has_space`, a rule, then `end`; return their starts."""
        starts = []
        for text, value in members:
            start, length = self.states(len(text) + 1 + has_space), len(text)
            self._ops.extend((op.MEMBER, start, start + 1, len(self._texts), length, value, end, int(has_space)))
            self._texts += text
            starts.append(start)
        return starts

    def call(self, source: int, rule: int, target: int) -> None:
        """Call the rule at `source`; the match goes on at `target`."""
        self._ops.extend((op.CALL, source, rule, target))

    def accept(self, state: int) -> None:
        """Let the rule return at `state`; for the root, the text is complete there."""
        self._ops.extend((op.ACCEPT, state))

    def end(self) -> int:
        """Return the shared state that accepts and has no edges, where any rule may end."""
        end = self.shared.get("end")
        return self.shared_rule("end", self.accept) if end is None else end

    def unit(self, source: int, units: UnitClass, target: int) -> None:
        """Add one unit from `source` to `target`."""
        inner = self.states(len(units.table) - 1) - 1
        for state, low, high, goal in units.moves:
            self.byte(inner + state if state else source, low, high, inner + goal if goal else target)

    def span(self, units: UnitClass, low: int, high: int | None, exit: int) -> int:
        """Add `low` to `high` units (None: no bound) that lead to `exit`; return the start state."""
        self._check_counts(low, high)
        index = self.class_index(units)
        number = len(units.table)
        start = self.states(number)
        self._span_starts.add(start)
        self._ops.extend((op.SPANS, start, number, index, low, _UNBOUNDED if high is None else high, exit))
        return start

    def repeat(self, rule: int, low: int, high: int | None, exit: int) -> int:
        """Add `low` to `high` calls of the rule (None: no bound) that lead to `exit`; return the start state."""
        self._check_counts(low, high)
        state = self.state()
        self._ops.extend((op.REPEATS, state, rule, low, _UNBOUNDED if high is None else high, exit))
        return state

    def select(
        self,
        members: Sequence[tuple[int, bool]],
        others: int | None,
        separator: int,
        low: int,
        high: int | None,
        exit: int,
        num_ordered: int = 0,
    ) -> int:
        """Add members that run each at most once, with a separator between two of them.

        Args:
            members: rule of each, and whether it must run; no rule matches the empty text.
            others: rule of further members, which may run any number of times; None: there are none.
            separator: rule that runs between two members.
            low: fewest members; high: most (None: no bound).
            exit: where the match goes on after the last member.
            num_ordered: so many of the first members run in their order, before all others.

        Returns:
            The state where the first member begins. It does not lead to `exit`: no member at all is another way.
        """
        flat = list(chain.from_iterable(members))
        if low or high is not None:
            self._check_counts(low, high)
            low = 0 if low <= max(sum(flat[1::2]), 1) else low
        if high is not None and others is None and high >= len(members):
            high = None
        most = _UNBOUNDED if high is None else high
        self._num_members += len(members)
        if _STATES_A_MEMBER * self._num_members > self._max_states:
            raise TooComplexError("max_states", _STATES_A_MEMBER * self._num_members, self._max_states)
        choose = self.states(2)
        others = -1 if others is None else others
        self._ops.extend((op.SELECT, choose, low, most, num_ordered, separator, others, exit, len(members)))
        self._ops.extend(flat)
        return choose

    def require(self, check: Check, exit: int, slack: int = 1) -> int:
        """Add a state that leads to `exit` if the check holds of the text so far; return it.

        Args:
            slack: tokens that a text needs at most beyond the shortest one for the check to hold.
        """
        index = self._check_index(check)
        state = self.state()
        self._ops.extend((op.CHECKS, state, exit, index, slack))
        return state

    def otherwise(self, state: int, span_state: int) -> None:
        """Let `state` behave like the span on bytes for which it has no edge."""
        if span_state not in self._span_starts:
            raise ValueError("not the start state of a span")
        self._ops.extend((op.OTHERWISE, state, span_state))

    def write_from(self, first: int, operation: int, *others: int) -> None:
        """Append one operation, such as `OTHERWISE`, for every state from `first` on."""
        rows = np.empty((self.num_states - first, 2 + len(others)), dtype=np.int32)
        rows[:, 0], rows[:, 1], rows[:, 2:] = operation, np.arange(first, self.num_states), others
        self._flush()
        self._chunks.append(rows.tobytes())

    def _trie(self, kind: int, source: int, target: int, words: Sequence[bytes]) -> None:
        lengths = list(map(len, words))
        text, number = b"".join(words), sum(lengths)
        if number > _MAX_UNCOUNTED:
            octets, sizes = np.frombuffer(text, dtype=np.uint8), np.array(lengths, dtype=np.int32)
            number = int(op.trie_size(octets, sizes))
        self._ops.extend((kind, source, target, self.states(number), len(self._texts), len(words), *lengths))
        self._texts += text

    def _flush(self) -> None:
        if self._ops:
            self._chunks.append(array("i", self._ops).tobytes())
            self._ops.clear()

    @staticmethod
    def _check_counts(low: int, high: int | None) -> None:
        if low < 0 or (high is not None and high < low):
            raise ValueError(f"not a range of counts: {low} to {high}")
        if max(low, high or 0) >= UNREACHABLE:
            raise TooComplexError("max_count", max(low, high or 0), UNREACHABLE - 1)
