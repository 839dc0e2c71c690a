"""Front ends write a network through this builder; `finish` checks it and turns it into arrays."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError
from grammars.limits import Limits
from grammars.network import analysis, costs
from grammars.network.guards import ASKED, UNIQUE, UNIQUE_STRING, Guard
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, REPEAT, SPAN, UNREACHABLE, Ints, Network
from grammars.network.units import DEAD_UNIT, UnitClass
from grammars.report import Enforcement, EnforcementReport
from grammars.vocabulary.tables import VocabularyTables

_UNBOUNDED = -1
_SELECTION = (
    "select_choose", "select_after", "select_low", "select_high", "select_ordered", "select_separator",
    "select_others", "select_exit",
)  # fmt: skip


class NetworkBuilder:
    """States and edges of one network under construction; linear in what is asked of it.

    A rule is its start state: calling it runs until a state that accepts and goes on at the caller's return state.

    Args:
        limits: `max_states` bounds the network.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.shared: dict[Any, int] = {}
        self._kind, self._item = bytearray(), array("i")
        self._accepts, self._otherwise = bytearray(), array("i")
        self._edges = (array("i"), bytearray(), bytearray(), array("i"))
        self._epsilons = (array("i"), array("i"))
        self._calls = (array("i"), array("i"), array("i"))
        self._spans = tuple(array("i") for _ in range(5))
        self._repeats = tuple(array("i") for _ in range(4))
        self._selections = tuple(array("i") for _ in _SELECTION)
        self._member_start, self._members = array("i", (0,)), (array("i"), array("i"))
        self._checks = tuple(array("i") for _ in range(3))
        self._guards: dict[Guard, int] = {}
        self._classes: dict[UnitClass, int] = {}
        self._notes: list[Enforcement] = []

    @property
    def num_states(self) -> int:
        """How many states exist so far."""
        return len(self._kind)

    def state(self) -> int:
        """A new state without edges."""
        return self._new_state(NORMAL, -1)

    def rule(self) -> int:
        """The start state of a new rule."""
        return self._new_state(NORMAL, -1)

    def shared_rule(self, key: Any, build: Callable[[int], None]) -> int:
        """The rule known by `key`; `build(start)` fills it the first time it is asked for."""
        if key not in self.shared:
            self.shared[key] = self.rule()
            build(self.shared[key])
        return self.shared[key]

    def byte(self, source: int, low: int, high: int, target: int) -> None:
        """An edge from `source` to `target` on each byte from `low` to `high`, both included."""
        if not 0 <= low <= high <= 255:
            raise ValueError(f"not a range of bytes: {low} to {high}")
        sources, lows, highs, targets = self._edges
        sources.append(source)
        lows.append(low)
        highs.append(high)
        targets.append(target)

    def dead(self, source: int, low: int, high: int) -> None:
        """Claims the bytes into nowhere, so that `otherwise` of `source` does not see them."""
        self.byte(source, low, high, -1)

    def literal(self, source: int, data: bytes, target: int | None = None) -> int:
        """A chain of edges that spells `data`; ends in `target`, or a new state, which is returned."""
        if not data:
            if target is None:
                return source
            self.epsilon(source, target)
            return target
        for byte in data[:-1]:
            following = self.state()
            self.byte(source, byte, byte, following)
            source = following
        end = self.state() if target is None else target
        self.byte(source, data[-1], data[-1], end)
        return end

    def epsilon(self, source: int, target: int) -> None:
        """From `source` one may go on as from `target` without a byte."""
        self._epsilons[0].append(source)
        self._epsilons[1].append(target)

    def call(self, source: int, rule: int, target: int) -> None:
        """From `source` the rule may run, then the match goes on at `target`."""
        for column, value in zip(self._calls, (source, rule, target), strict=True):
            column.append(value)

    def accept(self, state: int) -> None:
        """The rule may return at `state`; for the root: the text is complete."""
        self._accepts[state] = 1

    def span(self, units: UnitClass, low: int, high: int | None, exit: int) -> int:
        """A state that consumes `low` to `high` units (None: no bound) and goes on at `exit`; returns its start."""
        self._check_counts(low, high)
        index = self._classes.setdefault(units, len(self._classes))
        start, span = len(self._kind), len(self._spans[0])
        for _ in range(len(units.table)):
            self._new_state(SPAN, span)
        row = (start, index, low, _UNBOUNDED if high is None else high, exit)
        for column, value in zip(self._spans, row, strict=True):
            column.append(value)
        return start

    def repeat(self, rule: int, low: int, high: int | None, exit: int) -> int:
        """A state that calls `rule` `low` to `high` times (None: no bound) and goes on at `exit`."""
        self._check_counts(low, high)
        row = (rule, low, _UNBOUNDED if high is None else high, exit)
        for column, value in zip(self._repeats, row, strict=True):
            column.append(value)
        return self._new_state(REPEAT, len(self._repeats[0]) - 1)

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
        """A state that runs members, each at most once, with a separator between two of them.

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
        self._check_counts(low, high)
        item = len(self._selections[0])
        choose, after = self._new_state(CHOOSE, item), self._new_state(AFTER, item)
        required = sum(is_required for _, is_required in members)
        low = 0 if low <= max(required, 1) else low
        if high is not None and others is None and high >= len(members):
            high = None
        most = _UNBOUNDED if high is None else high
        row = (choose, after, low, most, num_ordered, separator, -1 if others is None else others, exit)
        for column, value in zip(self._selections, row, strict=True):
            column.append(value)
        self._members[0].extend(rule for rule, _ in members)
        self._members[1].extend(is_required for _, is_required in members)
        self._member_start.append(len(self._members[0]))
        return choose

    def check(self, guard: Guard, exit: int, slack: int = 1) -> int:
        """A state from which the match goes on at `exit` where the guard holds of the text so far.

        Args:
            slack: tokens that a text needs at most beyond the shortest one for the guard to hold.
        """
        index = self._guards.setdefault(guard, len(self._guards))
        for column, value in zip(self._checks, (exit, index, slack), strict=True):
            column.append(value)
        return self._new_state(CHECK, len(self._checks[0]) - 1)

    def otherwise(self, state: int, span_state: int) -> None:
        """On bytes for which `state` has no edge it behaves like `span_state`, which a `span` call returned."""
        if self._kind[span_state] != SPAN:
            raise ValueError("otherwise needs the start state of a span")
        self._otherwise[state] = span_state

    def note(self, pointer: str, keyword: str, how: str = "mask") -> None:
        """One entry of the enforcement report."""
        self._notes.append(Enforcement(pointer, keyword, how))

    def finish(self, root: int, tables: VocabularyTables | None = None) -> Network:
        """The checked network whose texts are those of the rule `root`.

        Args:
            root: start state of the root rule.
            tables: the vocabulary for costs in tokens; without it costs are in bytes.

        Raises:
            InvalidGrammarError: a rule can call itself before a byte was consumed, or a repeated rule may be empty.
            UnsatisfiableError: no text matches.
            TooComplexError: more states than `limits.max_states`.
        """
        raw = self._raw_arrays()
        classes = tuple(self._classes)
        unit_bytes = [units.fewest_bytes for units in classes]
        unit_start = np.concatenate([[0], np.cumsum([len(u) for u in unit_bytes])]).astype(np.int32)
        fewest_unit_bytes = np.concatenate([*unit_bytes, np.zeros(1, np.int32)]).astype(np.int32)
        order = analysis.children_first(raw, root)
        fewest = analysis.fewest_bytes(raw, order, unit_start, fewest_unit_bytes)
        if fewest[root] >= UNREACHABLE:
            raise UnsatisfiableError("no text matches the constraint")
        raw = analysis.without_dead_ends(raw, fewest)
        self._check_recursion(raw, fewest)
        first_bytes = np.array([units.table[0] != DEAD_UNIT for units in classes], dtype=np.uint8).reshape(-1, 256)
        cost = costs.costs_in_tokens(raw, order, fewest, unit_start, fewest_unit_bytes, first_bytes, tables)
        return Network(
            root=root,
            fewest_bytes=fewest,
            cost=cost,
            classes=classes,
            guards=tuple(self._guards),
            report=EnforcementReport.of(self._notes),
            **raw,
        )

    def _raw_arrays(self) -> dict[str, Any]:
        count = len(self._kind)
        ints = {
            "item": self._item,
            "otherwise": self._otherwise,
            **dict(zip(("span_first", "span_class", "span_low", "span_high", "span_exit"), self._spans, strict=True)),
            **dict(zip(("repeat_rule", "repeat_low", "repeat_high", "repeat_exit"), self._repeats, strict=True)),
            **dict(zip(_SELECTION, self._selections, strict=True)),
            **dict(zip(("member_rule", "member_required"), self._members, strict=True)),
            **dict(zip(("check_exit", "check_guard", "check_slack"), self._checks, strict=True)),
            "member_start": self._member_start,
            "guard_kind": array("i", (UNIQUE_STRING if guard == UNIQUE else ASKED for guard in self._guards)),
        }
        raw: dict[str, Any] = {name: _ints(values) for name, values in ints.items()}
        raw["kind"] = np.frombuffer(bytes(self._kind), dtype=np.uint8)
        raw["accepts"] = np.frombuffer(bytes(self._accepts), dtype=np.uint8)
        sources, lows, highs, targets = self._edges
        order, raw["edge_start"] = analysis.rows_of(_ints(sources), count)
        raw["edge_low"] = np.frombuffer(bytes(lows), dtype=np.uint8)[order]
        raw["edge_high"] = np.frombuffer(bytes(highs), dtype=np.uint8)[order]
        raw["edge_to"] = _ints(targets)[order]
        order, raw["epsilon_start"] = analysis.rows_of(_ints(self._epsilons[0]), count)
        raw["epsilon_to"] = _ints(self._epsilons[1])[order]
        order, raw["call_start"] = analysis.rows_of(_ints(self._calls[0]), count)
        raw["call_rule"] = _ints(self._calls[1])[order]
        raw["call_return"] = _ints(self._calls[2])[order]
        return raw

    def _check_recursion(self, raw: dict[str, Any], fewest: Ints) -> None:
        culprit = analysis.left_recursive_state(raw, fewest)
        if culprit >= 0:
            raise InvalidGrammarError(f"a rule calls itself before any text was consumed (state {culprit})")
        if (fewest[raw["repeat_rule"]] == 0).any():
            raise InvalidGrammarError("a repeated rule matches the empty text")

    def _new_state(self, kind: int, item: int) -> int:
        state = len(self._kind)
        if state >= self.limits.max_states:
            raise TooComplexError("max_states", state + 1, self.limits.max_states)
        self._kind.append(kind)
        self._item.append(item)
        self._accepts.append(0)
        self._otherwise.append(-1)
        return state

    @staticmethod
    def _check_counts(low: int, high: int | None) -> None:
        if low < 0 or (high is not None and high < low):
            raise ValueError(f"not a range of counts: {low} to {high}")
        if max(low, high or 0) >= UNREACHABLE:
            raise TooComplexError("max_count", max(low, high or 0), UNREACHABLE - 1)


def _ints(values: array[int]) -> Ints:
    return np.frombuffer(values, dtype=np.int32) if len(values) else np.zeros(0, dtype=np.int32)
