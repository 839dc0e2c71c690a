"""Arrays that need more than positions: `contains` as an automaton over items, `uniqueItems` as a selection of values,
or, where the values cannot be listed, as a check on each item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import chain, product
from operator import or_
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra import complement, disjoint
from grammars.frontends.json.algebra.enumeration import Enumeration, MinBytes
from grammars.frontends.json.algebra.evaluate import allowed_of, example, item_terms, terms_allow
from grammars.frontends.json.emit.layout import Layout
from grammars.frontends.json.emit.objects import emit_array, emit_item_automaton, emit_values
from grammars.frontends.json.meaning import type_bounds as said
from grammars.frontends.json.validation.value_checks import REPEATED_ITEM, UNIQUE_ITEM, emit_checked
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import UNIQUE, UNIQUE_OF_FEW, Check

_OPEN, _CLOSE = b"[]"
# States of an automaton over items, and ways on from all of them: an item may meet any of what is contained, or not.
_MAX_STATES, _MAX_WAYS = 2_000, 64_000
# Of more values, each mask would look at sets of too many.
_MAX_LISTED = 1_000
# Where items differ by position or are counted, each set of values is a state of its own.
_MAX_LISTED_BY_STATE = 8

Counts = tuple[int, ...]
# How many items there are, how many of them are contained, which of the listed values are among them, and, where some
# item has to come twice: whether one has, or (another number) which value comes next so that it has.
Count = tuple[int, Counts, frozenset[Any], int]
_NOT_YET, _DONE = 0, 1
# Beyond what any budget has: what costs that much is no way out.
_FAR = 1 << 20
Moves = dict[Count, list[tuple[int, Count]]]


class ItemAutomata:
    """Emits the arrays that need more than positions.

    Args:
        rule_of: the rule of a conjunction; None where it is plainly unsatisfiable.
        rule_of_new: the same of items that were not there before, as a check says, with the slack of that.
    """

    def __init__(
        self,
        builder: NetworkBuilder,
        enumeration: Enumeration,
        layout: Layout,
        rule_of: Callable[[said.Conjunction], int | None],
        rule_of_new: Callable[[said.Conjunction, Check, int], int | None],
    ) -> None:
        self._builder = builder
        self._enumeration = enumeration
        self._algebra = enumeration.algebra
        self._layout = layout
        self._rule_of = rule_of
        self._rule_of_new = rule_of_new

    def emit(self, bounds: said.TypeBounds, start: int, end: int, where: str) -> None:
        """Emit the arrays of an alternative with `contains`, unique items, or one that comes twice."""
        if bounds.unique and bounds.repeats:
            return
        if bounds.unique and not bounds.contains and not any(part.prefix for part in bounds.arrays):
            self._emit_alike(bounds, start, end, where)
            return
        listed: dict[Any, Any] = {}
        if bounds.unique:
            for terms, _ in chain.from_iterable(
                self._choices(bounds, index, None) for index in range(min(_length(bounds), _MAX_STATES) + 1)
            ):
                listed |= self._enumeration.of(terms, _MAX_LISTED_BY_STATE)[0]
        for kept in (listed, {}) if listed else ({},):
            table = self._table(bounds, kept, where)
            if table is not None:
                emit_item_automaton(self._builder, self._layout, _first(bounds), table, _is_final(bounds), start, end)
                return
        raise UnsupportedError("contains with these counts", where)

    def _emit_alike(self, bounds: said.TypeBounds, start: int, end: int, where: str) -> None:
        """Emit arrays of unique items of which the same is asked at every position."""
        terms = item_terms(bounds.arrays, 0)
        listed, is_all = self._enumeration.of(terms, max(_MAX_LISTED, bounds.min_items))
        if len(listed) > _MAX_LISTED and len(listed) >= bounds.min_items:
            listed, is_all = {}, False
        rest = None if is_all else self._rest(terms, listed, bounds.min_items, where)
        low, high = bounds.min_items, bounds.max_items
        if not listed:
            emit_array(self._builder, self._layout, [], rest, low, high, start, end)
            return
        most = len(listed) if high is None and rest is None else high
        if rest is None and most is not None:
            most = min(most, len(listed))
        if most is None or low <= most:
            self._select(list(listed.values()), rest, low, most, start, end)

    def _select(self, values: list[Any], rest: int | None, low: int, most: int | None, start: int, end: int) -> None:
        """Emit the arrays of `low` to `most` items, each of the values at most once."""
        builder, layout = self._builder, self._layout
        opened, done = builder.state(), builder.state()
        builder.byte(start, _OPEN, _OPEN, opened)
        if low == 0:
            layout.close(opened, _CLOSE, end)
        if most == 0:
            return
        layout.close(done, _CLOSE, end)
        members = [(self._value_rule(value), False) for value in values]
        separator = builder.shared_rule(("json item separator", layout.name), self._build_separator)
        layout.gap(opened, builder.select(members, rest, separator, low, most, done))

    def _build_separator(self, start: int) -> None:
        self._layout.comma(start, self._builder.end())

    def _table(self, bounds: said.TypeBounds, listed: dict[Any, Any], where: str) -> Moves | None:
        """From each state the rules of the next item with the states after it; None where there are too many."""
        first, positions = _first(bounds), _length(bounds)
        most = min(_MAX_STATES, _MAX_WAYS >> len(_wanted(bounds)))
        items: dict[said.Conjunction, list[tuple[int, Any]]] = {}
        pairs: list[Any] = [None] * 2
        table: Moves = {first: []}
        queue = [first]
        for state in queue:
            index, counts, seen, phase = state
            if index == bounds.max_items:
                continue
            for terms, following in self._choices(bounds, index, counts):
                if bounds.repeats:
                    found = [(rule, seen, then) for rule, then in self._repeated(bounds, terms, index, phase, pairs)]
                else:
                    if terms not in items:
                        items[terms] = list(self._items(bounds, terms, listed, where))
                    unseen = [(rule, key) for rule, key in items[terms] if key is None or key not in seen]
                    found = [(rule, seen if key is None else seen | {key}, phase) for rule, key in unseen]
                for rule, among, then in found:
                    after = (min(index + 1, positions), following, among, then)
                    table[state].append((rule, after))
                    if after not in table:
                        if len(table) >= most:
                            return None
                        table[after] = []
                        queue.append(after)
        return table

    def _choices(
        self, bounds: said.TypeBounds, index: int, counts: Counts | None
    ) -> Iterator[tuple[said.Conjunction, Counts]]:
        """Yield the conjunctions for the item at the index, by the `contains` that it meets, and the counts after it.

        Args:
            counts: how many items met each; None: bounds do not matter.
        """
        wanted = _wanted(bounds)
        for hits in product((False, True), repeat=len(wanted)):
            terms = dict.fromkeys(item_terms(bounds.arrays, index))
            following = list(counts or [0] * len(wanted))
            for number, ((term, least, most, first), is_hit) in enumerate(zip(wanted, hits, strict=True)):
                if index < first:
                    if is_hit:
                        break
                elif is_hit:
                    bound = least if most is None else most
                    following[number] += 1
                    terms[term] = None
                    if counts is not None and following[number] > bound:
                        break
                elif most is not None:
                    terms[complement.term(self._algebra.document, term)] = None
            else:
                yield tuple(terms), tuple(following)

    def _items(
        self, bounds: said.TypeBounds, terms: said.Conjunction, listed: dict[Any, Any], where: str
    ) -> Iterator[tuple[int, Any]]:
        """Return rules of the items that meet the conjunction, each with the key of its value if listed."""
        if not bounds.unique:
            rule = self._rule_of(terms)
            if rule is not None:
                yield rule, None
            return
        own = {key: value for key, value in listed.items() if terms_allow(self._algebra, terms, value)}
        for key, value in own.items():
            yield self._value_rule(value), key
        values, is_all = self._enumeration.of(terms, _MAX_LISTED_BY_STATE)
        if not (is_all and values.keys() <= own.keys()):
            rest = self._rest(terms, own, bounds.min_items, where)
            if rest is not None:
                yield rest, None

    def _repeated(
        self, bounds: said.TypeBounds, terms: said.Conjunction, index: int, phase: int, pairs: list[Any]
    ) -> list[tuple[int, int]]:
        """Rules of the item at the index, with the phase after each.

        While no item has come twice, any may be the one that does, which is for a check to say. It is unknown what that
        costs; so the way out is a value that is written twice in a row, whatever was there.

        Args:
            pairs: the values that were found for that, by the phase between the two.
        """
        algebra = self._algebra
        if phase > _DONE:
            return [(self._value_rule(pairs[phase]), _DONE)] if terms_allow(algebra, terms, pairs[phase]) else []
        rule = self._rule_of(terms)
        if rule is None or phase == _DONE:
            return [] if rule is None else [(rule, phase)]
        found = [(rule, _NOT_YET)]
        num_first = max([len(part.prefix) for part in bounds.arrays], default=0)
        before = {item_terms(bounds.arrays, earlier) for earlier in range(min(index, num_first + 1))}
        if any(not disjoint.conjunctions_disjoint(algebra, earlier, terms, 0) for earlier in before):
            found.append((emit_checked(self._builder, REPEATED_ITEM, rule, _FAR), _DONE))
        if bounds.max_items is None or index + 2 <= bounds.max_items:
            for value in example(algebra, tuple(dict.fromkeys((*terms, *item_terms(bounds.arrays, index + 1))))):
                pairs.append(value)
                found.append((self._value_rule(value), len(pairs) - 1))
        return found

    def _rest(self, terms: said.Conjunction, listed: dict[Any, Any], num_earlier: int, where: str) -> int | None:
        """Return the rule of the conjunction's items that are not listed, each checked to be new."""
        if listed:
            terms = (*terms, self._enumeration.others(listed))
        types, check = 0, UNIQUE
        for bounds in self._algebra.alternatives(terms):
            values = None if bounds.enum is None else allowed_of(self._algebra, bounds, bounds.enum)
            types |= bounds.types if values is None else reduce(or_, map(said.type_of, values), 0)
            check = check if said.is_plain(bounds, said.STRING) else UNIQUE_OF_FEW
        check = check if types == said.STRING else UNIQUE_ITEM
        rule = self._rule_of_new(terms, check, max(1, MinBytes(self._enumeration, num_earlier).of(terms)))
        if rule is not None:
            self._builder.note(where, "uniqueItems", "check")
        return rule

    def _value_rule(self, value: Any) -> int:
        rule, end = self._builder.rule(), self._builder.end()
        is_ordered = self._algebra.options.property_order == "schema"
        emit_values(self._builder, self._layout, [value], rule, end, is_ordered=is_ordered)
        return rule


def _wanted(bounds: said.TypeBounds) -> list[said.Contained]:
    return [row for row in bounds.contains if row.least or row.most is not None]


def _first(bounds: said.TypeBounds) -> Count:
    return 0, (0,) * len(_wanted(bounds)), frozenset(), _NOT_YET if bounds.repeats else _DONE


def _length(bounds: said.TypeBounds) -> int:
    """From this position on nothing depends on how many items there are."""
    lengths = [*(len(part.prefix) for part in bounds.arrays), *(row.start for row in _wanted(bounds))]
    return max(bounds.min_items, bounds.max_items or 0, *lengths, 0)


def _is_final(bounds: said.TypeBounds) -> Callable[[Count], bool]:
    wanted = _wanted(bounds)

    def is_final(state: Count) -> bool:
        enough = all(have >= row.least for have, row in zip(state[1], wanted, strict=True))
        return enough and state[0] >= bounds.min_items and state[3] == _DONE

    return is_final
