"""Rules for conjunctions of schemas, each made on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.applicators import target
from grammars.frontends.json.algebra.base import CHOOSING
from grammars.frontends.json.algebra.enumeration import Enumeration
from grammars.frontends.json.algebra.evaluate import (
    bounds_allow,
    declared_names,
    item_terms,
    member_conjunctions,
    says_nothing,
    terms_allow,
)
from grammars.frontends.json.algebra.required_members import partitions
from grammars.frontends.json.document.document import Document, Subschema
from grammars.frontends.json.emit.items import ItemAutomata
from grammars.frontends.json.emit.library import Library, Undeclared
from grammars.frontends.json.emit.numbers import emit_new_numbers, emit_numbers
from grammars.frontends.json.emit.objects import declared_members, emit_array, emit_object, emit_values
from grammars.frontends.json.meaning.keywords import ACTIVE
from grammars.frontends.json.meaning.type_bounds import (
    ANY_TYPE,
    ARRAY,
    BOOLEAN,
    FRACTION,
    KINDS,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Conjunction,
    TypeBounds,
    is_all_plain,
    is_plain,
    of_types,
    pointer_of,
)
from grammars.frontends.json.validation.value_checks import UNIQUE_WHEN_CLOSED, emit_checked
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import Check

_MAX_DEMANDS = 5


class Emitter:
    """Emitter of the network of a document.

    Rules are filled from a queue, so recursion in the schema never becomes recursion here.

    Args:
        library: the rules that every schema shares, which say how everything is spelled.
    """

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, library: Library) -> None:
        self._builder = builder
        self._algebra = algebra
        self._document: Document = algebra.document
        self._limits = algebra.limits
        self._layout = library.layout
        self._library = library
        self._end = self._library.end
        self._rules: dict[Conjunction, int | None] = {}
        self._undeclared = Undeclared(builder, algebra, library)
        # Of members with these parts and these demands on names, the rule of each; None where there is none.
        self._known_members: dict[tuple[Any, ...], dict[str, int | None]] = {}
        # Where scalars end that must be new among the items of their array.
        self._ends_of_new: set[int] = set()
        self._queue: list[tuple[Conjunction, list[TypeBounds], int, int, int]] = []

    @cached_property
    def _enumeration(self) -> Enumeration:
        return Enumeration(self._algebra)

    def emit(self, conjunctions: Sequence[Conjunction]) -> list[int | None]:
        """Return the rules of the conjunctions; None for each that is plainly unsatisfiable."""
        rules = list(map(self._rule, conjunctions))
        for waiting in self._queue:
            self._fill(*waiting)
        self._queue.clear()
        self._builder.never.append(partial(_never_written, self._rules, self._document.nothing))
        return rules

    def _rule(self, terms: Conjunction) -> int | None:
        rules = self._rules
        if terms not in rules:
            rules[terms] = self._new_rule(terms)
        return rules[terms]

    def _new_rule(self, terms: Conjunction) -> int | None:
        document = self._document
        if not terms:
            return self._library.values(ANY_TYPE)
        if len(terms) == 1:
            subschema = terms[0]
            if type(subschema) is Subschema and type(subschema.schema) is dict:
                if ACTIVE.isdisjoint(subschema.schema):
                    types = self._algebra.types_of(subschema)
                    return self._library.values(types) if types else None
                if not CHOOSING.isdisjoint(subschema.schema):
                    found = target(self._algebra, subschema)
                    if found is not subschema:
                        return self._rule((found,))
                if self._builder.new_values is None:
                    return self._rule_of_alternatives(terms)
                return self._algebra.known_values.of(terms, self._layout.name, self._rule_of_alternatives)
            elif subschema is document.everything:
                return self._library.values(ANY_TYPE)
            elif subschema is document.nothing:
                return None
        elif document.nothing in terms:
            return None
        else:
            telling = tuple([term for term in terms if not says_nothing(term)])
            if len(telling) < len(terms):
                return self._rule(telling)
        return self._rule_of_alternatives(terms)

    def _rule_of_alternatives(self, terms: Conjunction) -> int | None:
        algebra = self._algebra
        alternatives = algebra.alternatives(terms)
        if not alternatives:
            return None
        first = alternatives[0]
        if len(alternatives) == 1 and first.enum is None and is_all_plain(first):
            rule = self._library.values(first.types)
        else:
            rule = self._builder.state()
            self._queue.append((terms, alternatives, rule, self._end, self._end))
        if terms in algebra.checked_conjunctions:
            for bounds in alternatives:
                if bounds.types & STRING and not is_plain(bounds, STRING):
                    # No mask would know what else a string that has begun must still contain.
                    raise UnsupportedError("so many combinations of what a string must match", pointer_of(terms))
            check = algebra.check(terms)
            rule = rule if check is None else emit_checked(self._builder, check, rule)
        return rule

    def _new_item(self, terms: Conjunction, check: Check, slack: int) -> int | None:
        """Return the rule of items that differ from earlier ones; None if it is plainly unsatisfiable.

        Arrays and objects are compared with earlier ones before their last bracket, where they can still go on.
        """
        alternatives = self._algebra.alternatives(terms)
        if (
            not any(bounds.types & (ARRAY | OBJECT | FRACTION) for bounds in alternatives)
            or terms in self._algebra.checked_conjunctions
        ):
            rule = self._rule(terms)
            return None if rule is None else emit_checked(self._builder, check, rule, slack)
        builder = self._builder
        key = "json new item", terms, slack
        if key not in builder.shared:
            rule, after, end = builder.rule(), builder.state(), builder.state()
            builder.accept(end)
            builder.epsilon(after, builder.require(check, end, slack))
            self._layout.checked[end] = UNIQUE_WHEN_CLOSED, slack
            self._ends_of_new.add(after)
            self._queue.append((terms, alternatives, rule, after, end))
            builder.shared[key] = rule
        return builder.shared[key]

    def _fill(self, terms: Conjunction, alternatives: list[TypeBounds], start: int, end: int, closed: int) -> None:
        """Emit the values of the alternatives from `start` to `end`, arrays and objects to `closed`."""
        seen: set[tuple[Any, ...]] = set()
        values: list[Any] = []
        for bounds in alternatives:
            if bounds.enum is not None:
                values.extend(self._enumerated(bounds))
                continue
            for kind in KINDS[bounds.types]:
                if len(alternatives) > 1:
                    key = (*bounds.key_of(kind), *map(id, bounds.excluded))
                    if key in seen:
                        continue
                    seen.add(key)
                self._fill_kind(bounds, kind, start, closed if kind in (ARRAY, OBJECT) else end, terms)
        if values:
            is_ordered = self._algebra.options.property_order == "schema"
            emit_values(self._builder, self._layout, values, start, end, is_ordered=is_ordered)

    def _enumerated(self, bounds: TypeBounds) -> Sequence[Any]:
        assert bounds.enum is not None
        most = self._limits.max_enum_values
        if len(bounds.enum) > most:
            raise TooComplexError("max_enum_values", len(bounds.enum), most)
        if is_all_plain(bounds):
            return of_types(bounds.enum, bounds.types)
        return [value for value in bounds.enum if bounds_allow(self._algebra, bounds, value)]

    def _fill_kind(self, bounds: TypeBounds, kind: int, start: int, end: int, terms: Conjunction) -> None:
        builder = self._builder
        if kind == OBJECT and bounds.objects and not bounds.excluded:
            self._fill_object(bounds, start, end, terms)  # what most are
        elif kind in (NULL, BOOLEAN):
            choices = [None] if kind == NULL else [True, False]
            left = [v for v in choices if not any(v is value for value in bounds.excluded)]
            emit_values(builder, self._layout, left, start, end)
        elif is_plain(bounds, kind) and not bounds.excluded and end not in self._layout.checked:
            builder.call(start, self._library.values(kind), end)
        elif kind == STRING:
            self._library.emit_strings(bounds, start, end)
        elif kind & NUMBER:
            emit = emit_new_numbers if kind & FRACTION and end in self._ends_of_new else emit_numbers
            emit(builder, bounds, kind, start, end, pointer_of(terms))
        elif bounds.excluded and any(isinstance(v, list if kind == ARRAY else dict) for v in bounds.excluded):
            raise UnsupportedError("an array or object that is excluded by value", pointer_of(terms))
        elif kind == ARRAY:
            self._fill_array(bounds, start, end, terms)
        else:
            self._fill_object(bounds, start, end, terms)

    def _fill_array(self, bounds: TypeBounds, start: int, end: int, terms: Conjunction) -> None:
        is_unique = bounds.unique and (bounds.max_items is None or bounds.max_items > 1)
        if is_unique or bounds.contains or bounds.repeats:
            # Not kept: they refer back here, and a cycle would live until the garbage collector comes.
            automata = ItemAutomata(self._builder, self._enumeration, self._layout, self._rule, self._new_item)
            automata.emit(bounds, start, end, pointer_of(terms))
            return
        prefix: list[int] = []
        rest: int | None = None
        for index in range(max([len(part.prefix) for part in bounds.arrays], default=0) + 1):
            if bounds.max_items is not None and index >= bounds.max_items:
                break
            rest = self._rule(item_terms(bounds.arrays, index))
            if rest is None:
                break
            prefix.append(rest)
        else:
            prefix.pop()
        emit_array(self._builder, self._layout, prefix, rest, bounds.min_items, bounds.max_items, start, end)

    def _fill_object(self, bounds: TypeBounds, start: int, end: int, terms: Conjunction) -> None:
        if len(bounds.exists) > _MAX_DEMANDS:
            raise UnsupportedError("so many members that must exist", pointer_of(terms))
        members = []
        names = self._declared_names(bounds)
        required = frozenset(bounds.required)
        known = self._known_members.setdefault((bounds.objects, bounds.names), {})
        unknown = [name for name in names if name not in known]
        if unknown:
            self._add_members(known, bounds, unknown)
        for name in names:
            rule = known[name]
            if rule is not None:
                members.append((rule, name in required))
            elif name in required:
                return
        for same, term in [pair for part in bounds.objects for pair in part.same]:
            self._builder.note_same(pointer_of((same,)), pointer_of((term,)))
        num_ordered = len(members) if self._algebra.options.property_order == "schema" else 0
        listed, others = self._other_members(bounds, names)
        if listed:
            members += [(rule, False) for rule in listed.values()]
        low, high = bounds.min_properties, bounds.max_properties
        if not bounds.exists:
            emit_object(self._builder, self._layout, members, others, low, high, start, end, num_ordered)
            return
        for required_members in self._required_members(bounds, names):
            every = [*members, *[(rule, True) for rule in required_members]]
            emit_object(self._builder, self._layout, every, others, low, high, start, end, num_ordered)

    def _declared_names(self, bounds: TypeBounds) -> list[str]:
        return declared_names(bounds)

    def _other_members(self, bounds: TypeBounds, names: list[str]) -> tuple[dict[str, int], int | None]:
        return self._undeclared.members(bounds, names, self._rule, () if bounds.exists else None)

    def _add_members(self, known: dict[str, int | None], bounds: TypeBounds, names: list[str]) -> None:
        """Add the rules of declared members; None for each without a value."""
        values: dict[str, int] = {}
        for name, terms in zip(names, member_conjunctions(bounds, names, self._limits), strict=True):
            is_named = not bounds.names or all(terms_allow(self._algebra, (each,), name) for each in bounds.names)
            value = self._member_value(bounds, name, terms) if is_named else None
            known[name] = None
            if value is not None:
                values[name] = value
        known |= self._declared_members(values)

    def _member_value(self, bounds: TypeBounds, name: str, terms: Conjunction) -> int | None:
        return self._rule(terms)

    def _declared_members(self, values: dict[str, int]) -> dict[str, int]:
        return declared_members(self._builder, self._layout, values, self._end)

    def _required_members(self, bounds: TypeBounds, names: list[str]) -> list[list[int]]:
        """Return the choices of undeclared members that together meet `exists`, one for each grouping of demands."""
        choices: list[list[int]] = []
        for groups in partitions(list(bounds.exists)):
            rules = [self._required_member(bounds, names, group) for group in groups]
            found = [rule for rule in rules if rule is not None]
            if len(found) == len(rules):
                choices.append(found)
        return choices

    def _required_member(self, bounds: TypeBounds, names: list[str], demands: list[tuple[Any, Any]]) -> int | None:
        """Return the rule of an undeclared member that meets the demands; None where there is none."""
        values = tuple(value for _, value in demands if value is not self._document.everything)
        narrowed = bounds.copy()
        narrowed.names = (*bounds.names, *(name for name, _ in demands))
        return self._undeclared.members(narrowed, names, self._rule, values)[1]


def _never_written(
    rules: dict[Conjunction, int | None], nothing: Subschema, has_text: Callable[[list[int]], list[bool]]
) -> list[str]:
    """Return the pointers of declared members that no value fits; not of those forbidden outright."""
    made = {terms: rule for terms, rule in rules.items() if rule is not None}
    written = {terms for terms, is_written in zip(made, has_text(list(made.values())), strict=True) if is_written}
    if len(written) == len(rules):
        return []
    used = {term for terms in written for term in terms}
    never = [term for terms in rules if terms not in written and nothing not in terms for term in terms]
    subschemas = [subschema for subschema in never if isinstance(subschema, Subschema) and subschema not in used]
    return [subschema.pointer for subschema in subschemas if subschema.pointer.split("/")[-2:-1] == ["properties"]]
