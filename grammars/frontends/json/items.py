"""Arrays with `contains`, or with `uniqueItems` over a finite set of values, as automata over items."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json import complement
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.arrays import emit_item_automaton
from grammars.frontends.json.bundle import BOOLEAN, NULL, Bundle, Goal, canonical, type_of
from grammars.frontends.json.evaluate import bundle_allows, item_goal
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.values import emit_values
from grammars.network.builder import NetworkBuilder

_MAX_STATES = 2_000
_MAX_UNIQUE_VALUES = 9

Count = tuple[int, tuple[int, ...]]


class ItemAutomata:
    """Emits the arrays that need more than positions.

    Args:
        rule_of: the rule of a goal; None where it is plainly unsatisfiable.
    """

    def __init__(
        self, builder: NetworkBuilder, algebra: Algebra, layout: Layout, rule_of: Callable[[Goal], int | None]
    ) -> None:
        self._builder = builder
        self._algebra = algebra
        self._layout = layout
        self._rule_of = rule_of

    def emit_contains(self, bundle: Bundle, start: int, end: int, where: str) -> None:
        """Emits the arrays of a bundle with `contains`; states count items and those that are contained."""
        wanted = [row for row in bundle.contains if row.least or row.most is not None]
        lengths = [*(len(part.prefix) for part in bundle.arrays), *(row.start for row in wanted)]
        positions = max(bundle.min_items, bundle.max_items or 0, *lengths, 0)

        def moves(state: Count) -> list[tuple[int, Count]]:
            index, counts = state
            if bundle.max_items is not None and index >= bundle.max_items:
                return []
            found = []
            for hits in product((False, True), repeat=len(wanted)):
                goal = dict.fromkeys(item_goal(bundle.arrays, index))
                following = list(counts)
                for number, ((literal, least, most, first), is_hit) in enumerate(zip(wanted, hits, strict=True)):
                    if index < first:
                        if is_hit:
                            break
                    elif is_hit:
                        following[number] += 1
                        goal[literal] = None
                        if following[number] > (least if most is None else most):
                            break
                    elif most is not None:
                        goal[complement.literal(self._algebra.document, literal)] = None
                else:
                    rule = self._rule_of(tuple(goal))
                    if rule is not None:
                        found.append((rule, (min(index + 1, positions), tuple(following))))
            return found

        def is_final(state: Count) -> bool:
            enough = all(have >= row.least for have, row in zip(state[1], wanted, strict=True))
            return enough and state[0] >= bundle.min_items

        first = (0, (0,) * len(wanted))
        if not emit_item_automaton(self._builder, self._layout, first, moves, is_final, _MAX_STATES, start, end):
            raise UnsupportedError("contains with these counts", where)

    def emit_unique(self, bundle: Bundle, start: int, end: int, where: str) -> None:
        """Emits the arrays of a bundle with `uniqueItems` whose items are of a small finite set."""
        values = self._finite(item_goal(bundle.arrays, 0))
        if values is None or any(part.prefix for part in bundle.arrays) or bundle.contains:
            raise UnsupportedError("uniqueItems", where)
        rules = [self._value_rule(value) for value in values]
        bits = [(rule, 1 << index) for index, rule in enumerate(rules)]
        most = len(values) if bundle.max_items is None else bundle.max_items

        def moves(used: int) -> list[tuple[int, int]]:
            return [(rule, used | bit) for rule, bit in bits if not used & bit] if used.bit_count() < most else []

        def is_final(used: int) -> bool:
            return used.bit_count() >= bundle.min_items

        emit_item_automaton(self._builder, self._layout, 0, moves, is_final, 1 << _MAX_UNIQUE_VALUES, start, end)

    def _finite(self, goal: Goal) -> list[Any] | None:
        """All values of the goal, if they are few."""
        found: dict[Any, Any] = {}
        for bundle in self._algebra.bundles(goal):
            values = bundle.enum
            if values is None and not bundle.types & ~(NULL | BOOLEAN):
                values = tuple(value for value in (None, True, False) if type_of(value) & bundle.types)
            if values is None:
                return None
            found.update((canonical(v), v) for v in values if bundle_allows(self._algebra, bundle, v))
        return list(found.values()) if len(found) <= _MAX_UNIQUE_VALUES else None

    def _value_rule(self, value: Any) -> int:
        rule, end = self._builder.rule(), self._builder.state()
        self._builder.accept(end)
        emit_values(self._builder, self._layout, [value], rule, end)
        return rule
