"""Arrays that need more than positions: `contains` as an automaton over items, `uniqueItems` as a selection of values,
or, where the values cannot be listed, as a guard on each item.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import ceil, floor
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json import complement
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.arrays import emit_item_automaton
from grammars.frontends.json.bundle import BOOLEAN, INTEGER, NULL, STRING, Bundle, Goal, canonical, is_plain, type_of
from grammars.frontends.json.evaluate import bundle_allows, item_goal
from grammars.frontends.json.guarding import UNIQUE_ITEM, emit_guarded
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.strings import language
from grammars.frontends.json.values import emit_values
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import UNIQUE, UNIQUE_OF_FEW

_OPEN, _CLOSE = b"[]"
_MAX_STATES = 2_000
# Of more values, each mask would look at sets of too many.
_MAX_LISTED = 1_000

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
        self._guarded: dict[int, int] = {}

    def item_rule(self, bundle: Bundle, goal: Goal) -> int | None:
        """The rule of an item; None where there can be none."""
        rule = self._rule_of(goal)
        is_unique = bundle.unique and (bundle.max_items is None or bundle.max_items > 1)
        return rule if rule is None or not is_unique else self.guard(goal, rule)

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
                    rule = self.item_rule(bundle, tuple(goal))
                    if rule is not None:
                        found.append((rule, (min(index + 1, positions), tuple(following))))
            return found

        def is_final(state: Count) -> bool:
            enough = all(have >= row.least for have, row in zip(state[1], wanted, strict=True))
            return enough and state[0] >= bundle.min_items

        first = (0, (0,) * len(wanted))
        if not emit_item_automaton(self._builder, self._layout, first, moves, is_final, _MAX_STATES, start, end):
            raise UnsupportedError("contains with these counts", where)

    def emit_unique_values(self, values: list[Any], low: int, high: int | None, start: int, end: int) -> None:
        """Emits the arrays of `low` to `high` items, each of the values at most once."""
        builder, layout = self._builder, self._layout
        most = len(values) if high is None else min(high, len(values))
        if low > most:
            return
        opened, done = builder.state(), builder.state()
        builder.byte(start, _OPEN, _OPEN, opened)
        if low == 0:
            layout.close(opened, _CLOSE, end)
        if most == 0:
            return
        layout.close(done, _CLOSE, end)
        members = [(self._value_rule(value), False) for value in values]
        separator = builder.shared_rule(("json item separator", layout.name), self._build_separator)
        layout.gap(opened, builder.select(members, None, separator, low, most, done))

    def _build_separator(self, start: int) -> None:
        end = self._builder.state()
        self._layout.comma(start, end)
        self._builder.accept(end)

    def few_values(self, bundle: Bundle) -> list[Any] | None:
        """The values that every item of an array may have, if they can be listed."""
        if any(part.prefix for part in bundle.arrays) or bundle.contains:
            return None
        found: dict[Any, Any] = {}
        goal = item_goal(bundle.arrays, 0)
        bundles = self._algebra.bundles(goal)
        if goal in self._algebra.widened:
            return None
        for choice in bundles:
            values = choice.enum
            if values is None:
                values = _listed(choice, self._algebra.limits)
            if values is None:
                return None
            found.update((canonical(v), v) for v in values if bundle_allows(self._algebra, choice, v))
        if len(found) > _MAX_LISTED and bundle.min_items <= len(found):
            return None
        return list(found.values())

    def guard(self, goal: Goal, rule: int) -> int:
        """The rule of the goal's items that were not there before; `rule` is that of all of them."""
        if rule not in self._guarded:
            types, are_few = 0, False
            for bundle in self._algebra.bundles(goal):
                types |= bundle.types
                are_few = are_few or not is_plain(bundle, STRING)
            guard = UNIQUE_ITEM if types != STRING else UNIQUE_OF_FEW if are_few else UNIQUE
            self._guarded[rule] = emit_guarded(self._builder, guard, rule)
        return self._guarded[rule]

    def _value_rule(self, value: Any) -> int:
        rule, end = self._builder.rule(), self._builder.state()
        self._builder.accept(end)
        emit_values(self._builder, self._layout, [value], rule, end)
        return rule


def _listed(bundle: Bundle, limits: Limits) -> tuple[Any, ...] | None:
    """The values of a bundle without `enum`, if they are few."""
    found: list[Any] = [value for value in (None, True, False) if type_of(value) & bundle.types]
    if bundle.types & ~(NULL | BOOLEAN | INTEGER | STRING):
        return None
    if bundle.types & INTEGER:
        if bundle.low is None or bundle.high is None or bundle.high - bundle.low > _MAX_LISTED:
            return None
        found += range(ceil(bundle.low), floor(bundle.high) + 1)
    if bundle.types & STRING:
        is_bounded = bundle.patterns or bundle.max_length is not None
        words = language(bundle, limits).words(_MAX_LISTED, limits.max_pattern_states) if is_bounded else None
        if words is None:
            return None
        found += words
    return tuple(found)
