"""Goals to rules: one rule for each conjunction of schemas, made the first time it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.arrays import emit_array
from grammars.frontends.json.bundle import (
    ANY_TYPE,
    ARRAY,
    BOOLEAN,
    KINDS,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Bundle,
    Goal,
    goal_pointer,
    is_all_plain,
    is_plain,
    of_types,
)
from grammars.frontends.json.document import Document, Site
from grammars.frontends.json.evaluate import bundle_allows, goal_allows, item_goal
from grammars.frontends.json.guarding import emit_guarded
from grammars.frontends.json.items import ItemAutomata
from grammars.frontends.json.library import Library
from grammars.frontends.json.members import declared_names, member_goal, says_nothing
from grammars.frontends.json.numbers import emit_numbers
from grammars.frontends.json.objects import declared_member, emit_object
from grammars.frontends.json.plain.rules import HOLE, NOTHING
from grammars.frontends.json.plain_text import NOT_ASKED, Hole, PlainText
from grammars.frontends.json.simple import SimpleEmitter, is_simple
from grammars.frontends.json.targets import target
from grammars.frontends.json.undeclared import Undeclared
from grammars.frontends.json.values import emit_values
from grammars.frontends.json.witnesses import partitions
from grammars.network.builder import NetworkBuilder

_MAX_DEMANDS = 5


class Emitter:
    """Emits the network of a document.

    Rules are filled from a queue, so recursion in the schema never becomes recursion here.

    Args:
        library: the rules that every schema shares, which say how everything is spelled.
        plain: emits what is plain of the same document.
    """

    def __init__(
        self, builder: NetworkBuilder, algebra: Algebra, library: Library, plain: PlainText | None = None
    ) -> None:
        self._builder = builder
        self._plain = plain
        self._algebra = algebra
        self._document: Document = algebra.document
        self._resource = algebra.document.root.resource
        self._limits = algebra.limits
        self._layout = layout = library.layout
        self._library = library
        self._simple = SimpleEmitter(builder, algebra.document, layout, self._library, algebra.options)
        self._end = self._library.end
        self._rules: dict[Goal, int | None] = {}
        self._undeclared = Undeclared(builder, algebra, library)
        # Of members with these parts and these demands on names, the rule of each; None where there is none.
        self._known_members: dict[tuple[Any, ...], dict[str, int | None]] = {}
        # Without bundles: a site that is simple.
        self._queue: list[tuple[Goal, list[Bundle] | None, int]] = []

    def emit(self, goals: Sequence[Goal]) -> list[int | None]:
        """The rules of the goals with everything they need; None of one that is plainly unsatisfiable."""
        rules = list(map(self._rule, goals))
        self._fill_all()
        return rules

    def emit_holes(self, holes: Sequence[Hole], fill_scalar: Callable[[Hole], bool]) -> None:
        """Fills holes of the plain text, and those of subschemas that these need.

        Args:
            holes: those that there are so far, but for some that are filled.
            fill_scalar: fills a hole that needs no algebra; False: it does.
        """
        plain = self._plain
        assert plain is not None
        known, wanted = plain.holes, list(holes)
        num_seen = len(known)
        while wanted:
            for hole in wanted:
                self._fill_hole(hole, plain)
            self._fill_all()
            wanted, num_seen = [hole for hole in known[num_seen:] if not fill_scalar(hole)], len(known)

    def _fill_hole(self, hole: Hole, plain: PlainText) -> None:
        goal, start, rules = (self._document.at(hole.way),), hole.rule, self._rules
        if goal not in rules:
            rules[goal] = self._new_rule(goal, start)
        rule = rules[goal]
        if rule is None and start == plain.root:
            plain.root = NOTHING
        elif rule is not None and rule != start:
            self._builder.epsilon(start, rule)

    def _fill_all(self) -> None:
        queue = self._queue
        for asked, bundles, start in queue:
            if bundles is None:
                self._simple.fill(asked[0], start, self._rule)  # type: ignore[arg-type]
            else:
                self._fill(asked, bundles, start)
        queue.clear()

    def _rule(self, goal: Goal) -> int | None:
        rules = self._rules
        if goal not in rules:
            rules[goal] = self._new_rule(goal)
        return rules[goal]

    def _new_rule(self, goal: Goal, start: int | None = None) -> int | None:
        """The rule of the goal.

        Args:
            start: a state that may become the rule; None: a new one may.
        """
        algebra, everything = self._algebra, self._document.everything
        if len(goal) == 1:
            site = goal[0]
            if type(site) is Site and type(site.schema) is dict:
                types = self._simple.plain_types(site)
                if types is not None:
                    return self._library.values(types)
                plain = self._plain
                if (
                    plain is not None
                    and NOT_ASKED.isdisjoint(site.schema)
                    and (plain.is_one_resource or site.resource is self._resource)
                ):
                    rule = plain.rule_at(site.pointer)
                    if rule != HOLE:
                        return None if rule == NOTHING else rule
                if is_simple(site.schema, self._limits):
                    rule = self._builder.state()
                    self._queue.append((goal, None, rule))
                    return rule
                found = target(algebra, site)
                if found is not site:
                    return self._rule((found,))
            elif site is everything:
                return self._rule(())
            elif site is self._document.nothing:
                return None
        elif not goal:
            return self._library.values(ANY_TYPE)
        elif self._document.nothing in goal:
            return None
        else:
            telling = tuple([literal for literal in goal if not says_nothing(literal)])
            if len(telling) < len(goal):
                return self._rule(telling)
        return self._rule_of_bundles(goal, start)

    def _rule_of_bundles(self, goal: Goal, start: int | None) -> int | None:
        algebra = self._algebra
        bundles = algebra.bundles(goal)
        if not bundles:
            return None
        first = bundles[0]
        if len(bundles) == 1 and first.enum is None and is_all_plain(first):
            rule = self._library.values(first.types)
        else:
            rule = self._builder.state() if start is None or goal in algebra.widened else start
            self._queue.append((goal, bundles, rule))
        if goal in algebra.widened:
            guard = algebra.guard(goal)
            rule = rule if guard is None else emit_guarded(self._builder, guard, rule)
        return rule

    def _fill(self, goal: Goal, bundles: list[Bundle], start: int) -> None:
        end = self._end
        seen: set[tuple[Any, ...]] = set()
        values: list[Any] = []
        for bundle in bundles:
            if bundle.enum is not None:
                values.extend(self._enumerated(bundle))
                continue
            for kind in KINDS[bundle.types]:
                if len(bundles) > 1:
                    key = (*bundle.key_of(kind), *map(id, bundle.excluded))
                    if key in seen:
                        continue
                    seen.add(key)
                self._fill_kind(bundle, kind, start, end, goal)
        if values:
            emit_values(self._builder, self._layout, values, start, end)

    def _enumerated(self, bundle: Bundle) -> Sequence[Any]:
        assert bundle.enum is not None
        most = self._limits.max_enum_values
        if len(bundle.enum) > most:
            raise TooComplexError("max_enum_values", len(bundle.enum), most)
        if is_all_plain(bundle):
            return of_types(bundle.enum, bundle.types)
        rest = bundle.copy()
        rest.enum = None
        return [value for value in bundle.enum if bundle_allows(self._algebra, rest, value)]

    def _fill_kind(self, bundle: Bundle, kind: int, start: int, end: int, goal: Goal) -> None:
        builder = self._builder
        if kind == OBJECT and bundle.objects and not bundle.excluded:
            self._fill_object(bundle, start, end, goal)  # what most are
        elif kind in (NULL, BOOLEAN):
            choices = [None] if kind == NULL else [True, False]
            emit_values(builder, self._layout, [v for v in choices if v not in _scalars(bundle)], start, end)
        elif is_plain(bundle, kind) and not bundle.excluded:
            builder.call(start, self._library.values(kind), end)
        elif kind == STRING:
            self._library.emit_strings(bundle, start, end)
        elif kind & NUMBER:
            emit_numbers(builder, bundle, kind, start, end, goal_pointer(goal))
        elif bundle.excluded and any(isinstance(v, list if kind == ARRAY else dict) for v in bundle.excluded):
            raise UnsupportedError("an array or object that is excluded by value", goal_pointer(goal))
        elif kind == ARRAY:
            self._fill_array(bundle, start, end, goal)
        else:
            self._fill_object(bundle, start, end, goal)

    def _fill_array(self, bundle: Bundle, start: int, end: int, goal: Goal) -> None:
        rule_of: Callable[[Goal], int | None] = self._rule
        if bundle.unique and (bundle.max_items is None or bundle.max_items > 1):
            automata = self._item_automata()
            values = automata.few_values(bundle)
            if values is not None:
                automata.emit_unique_values(values, bundle.min_items, bundle.max_items, start, end)
                return
            self._builder.note(goal_pointer(goal), "uniqueItems", "guard")

            def rule_of(goal: Goal) -> int | None:
                return automata.item_rule(bundle, goal)

        if bundle.contains:
            self._item_automata().emit_contains(bundle, start, end, goal_pointer(goal))
            return
        prefix: list[int] = []
        rest: int | None = None
        for index in range(max([len(part.prefix) for part in bundle.arrays], default=0) + 1):
            if bundle.max_items is not None and index >= bundle.max_items:
                break
            rest = rule_of(item_goal(bundle.arrays, index))
            if rest is None:
                break
            prefix.append(rest)
        else:
            prefix.pop()
        emit_array(self._builder, self._layout, prefix, rest, bundle.min_items, bundle.max_items, start, end)

    def _item_automata(self) -> ItemAutomata:
        # Not kept: it refers back to the emitter, and a cycle would live until the garbage collector comes.
        return ItemAutomata(self._builder, self._algebra, self._layout, self._rule)

    def _fill_object(self, bundle: Bundle, start: int, end: int, goal: Goal) -> None:
        if len(bundle.exists) > _MAX_DEMANDS:
            raise UnsupportedError("so many members that must exist", goal_pointer(goal))
        members = []
        names = declared_names(bundle)
        required = frozenset(bundle.required)
        known = self._known_members.setdefault((bundle.objects, bundle.names), {})
        for name in names:
            if name not in known:
                known[name] = self._member(bundle, name)
            rule = known[name]
            if rule is not None:
                members.append((rule, name in required))
            elif name in required:
                return
        for same, literal in [pair for part in bundle.objects for pair in part.alike]:
            self._builder.note_alike(goal_pointer((same,)), goal_pointer((literal,)))
        num_ordered = len(members) if self._algebra.options.property_order == "schema" else 0
        listed, others = self._undeclared.members(bundle, names, self._rule)
        if listed:
            members += [(rule, False) for rule in listed.values()]
        low, high = bundle.min_properties, bundle.max_properties
        if not bundle.exists:
            emit_object(self._builder, self._layout, members, others, low, high, start, end, num_ordered)
            return
        for witnesses in self._witnesses(bundle, names):
            every = [*members, *[(rule, True) for rule in witnesses]]
            emit_object(self._builder, self._layout, every, others, low, high, start, end, num_ordered)

    def _member(self, bundle: Bundle, name: str) -> int | None:
        """The rule of a declared member; None where it cannot have a value."""
        if bundle.names and not all(goal_allows(self._algebra, (demand,), name) for demand in bundle.names):
            return None
        value = self._rule(member_goal(bundle, name, self._limits))
        return None if value is None else declared_member(self._builder, self._layout, name, value, self._end)

    def _witnesses(self, bundle: Bundle, names: list[str]) -> list[list[int]]:
        """Choices of undeclared members that together meet `exists`: one for each group of demands, in every way."""
        choices: list[list[int]] = []
        for groups in partitions(list(bundle.exists)):
            rules = [self._witness(bundle, names, group) for group in groups]
            found = [rule for rule in rules if rule is not None]
            if len(found) == len(rules):
                choices.append(found)
        return choices

    def _witness(self, bundle: Bundle, names: list[str], demands: list[tuple[Any, Any]]) -> int | None:
        """The rule of an undeclared member that meets the demands; None where there is none."""
        values = tuple(value for _, value in demands if value is not self._document.everything)
        narrowed = bundle.copy()
        narrowed.names = (*bundle.names, *(name for name, _ in demands))
        return self._undeclared.rule(narrowed, names, values, self._rule)


def _scalars(bundle: Bundle) -> list[Any]:
    return [value for value in bundle.excluded if value is None or isinstance(value, bool)]
