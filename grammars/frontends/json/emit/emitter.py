"""Goals to rules: one rule for each conjunction of schemas, made the first time it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.applicators import target
from grammars.frontends.json.algebra.enumeration import Listing
from grammars.frontends.json.algebra.evaluate import (
    bundle_allows,
    declared_names,
    goal_allows,
    goal_of_matches,
    item_goal,
    member_goals,
    says_nothing,
)
from grammars.frontends.json.algebra.names import Names, Signs, few_names, matched_together, other_names
from grammars.frontends.json.algebra.required_members import partitions
from grammars.frontends.json.document.document import Document, Site
from grammars.frontends.json.emit.items import ItemAutomata
from grammars.frontends.json.emit.library import Library
from grammars.frontends.json.emit.numbers import emit_new_numbers, emit_numbers
from grammars.frontends.json.emit.objects import any_of, declared_member, emit_array, emit_object, emit_values
from grammars.frontends.json.meaning.keywords import ACTIVE
from grammars.frontends.json.meaning.strings import pattern_language
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
    Bundle,
    Goal,
    goal_pointer,
    is_all_plain,
    is_plain,
    of_types,
)
from grammars.frontends.json.validation.value_guards import UNIQUE_WHEN_CLOSED, emit_guarded
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import Guard

_MAX_DEMANDS = 5


class Emitter:
    """Emits the network of a document.

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
        self._rules: dict[Goal, int | None] = {}
        self._listing = Listing(algebra)
        self._undeclared = Undeclared(builder, algebra, library)
        # Of members with these parts and these demands on names, the rule of each; None where there is none.
        self._known_members: dict[tuple[Any, ...], dict[str, int | None]] = {}
        # Where scalars end that must be new among the items of their array.
        self._ends_of_new: set[int] = set()
        self._queue: list[tuple[Goal, list[Bundle], int, int, int]] = []

    def emit(self, goals: Sequence[Goal]) -> list[int | None]:
        """The rules of the goals with everything they need; None of one that is plainly unsatisfiable."""
        rules = list(map(self._rule, goals))
        for waiting in self._queue:
            self._fill(*waiting)
        self._queue.clear()
        self._builder.note_never(partial(_never_written, self._rules, self._document.nothing))
        return rules

    def _rule(self, goal: Goal) -> int | None:
        rules = self._rules
        if goal not in rules:
            rules[goal] = self._new_rule(goal)
        return rules[goal]

    def _new_rule(self, goal: Goal) -> int | None:
        document = self._document
        if not goal:
            return self._library.values(ANY_TYPE)
        if len(goal) == 1:
            site = goal[0]
            if type(site) is Site and type(site.schema) is dict:
                if ACTIVE.isdisjoint(site.schema):
                    types = self._algebra.types_of(site)
                    return self._library.values(types) if types else None
                found = target(self._algebra, site)
                if found is not site:
                    return self._rule((found,))
                return self._algebra.known_values.of(goal, self._layout.name, self._rule_of_bundles)
            elif site is document.everything:
                return self._library.values(ANY_TYPE)
            elif site is document.nothing:
                return None
        elif document.nothing in goal:
            return None
        else:
            telling = tuple([literal for literal in goal if not says_nothing(literal)])
            if len(telling) < len(goal):
                return self._rule(telling)
        return self._rule_of_bundles(goal)

    def _rule_of_bundles(self, goal: Goal) -> int | None:
        algebra = self._algebra
        bundles = algebra.bundles(goal)
        if not bundles:
            return None
        first = bundles[0]
        if len(bundles) == 1 and first.enum is None and is_all_plain(first):
            rule = self._library.values(first.types)
        else:
            rule = self._builder.state()
            self._queue.append((goal, bundles, rule, self._end, self._end))
        if goal in algebra.widened:
            for bundle in bundles:
                if bundle.types & STRING and not is_plain(bundle, STRING):
                    # No mask would know what else a string that has begun must still contain.
                    raise UnsupportedError("so many combinations of what a string must match", goal_pointer(goal))
            guard = algebra.guard(goal)
            rule = rule if guard is None else emit_guarded(self._builder, guard, rule)
        return rule

    def _new_item(self, goal: Goal, guard: Guard, slack: int) -> int | None:
        """The rule of items that were not there before; None where it is plainly unsatisfiable.

        Arrays and objects are held against earlier ones before their last bracket: a blank before it, or the end of all
        that may stand in it, would leave no other way than to close it.
        """
        bundles = self._algebra.bundles(goal)
        if not any(bundle.types & (ARRAY | OBJECT | FRACTION) for bundle in bundles) or goal in self._algebra.widened:
            rule = self._rule(goal)
            return None if rule is None else emit_guarded(self._builder, guard, rule, slack)
        builder = self._builder
        key = "json new item", goal, slack
        if key not in builder.shared:
            rule, after, end = builder.rule(), builder.state(), builder.state()
            builder.accept(end)
            builder.epsilon(after, builder.check(guard, end, slack))
            self._layout.checked[end] = UNIQUE_WHEN_CLOSED, slack
            self._ends_of_new.add(after)
            self._queue.append((goal, bundles, rule, after, end))
            builder.shared[key] = rule
        return builder.shared[key]

    def _fill(self, goal: Goal, bundles: list[Bundle], start: int, end: int, closed: int) -> None:
        """Emits the values of the bundles from `start` to `end`, arrays and objects to `closed`."""
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
                self._fill_kind(bundle, kind, start, closed if kind in (ARRAY, OBJECT) else end, goal)
        if values:
            is_ordered = self._algebra.options.property_order == "schema"
            emit_values(self._builder, self._layout, values, start, end, is_ordered=is_ordered)

    def _enumerated(self, bundle: Bundle) -> Sequence[Any]:
        assert bundle.enum is not None
        most = self._limits.max_enum_values
        if len(bundle.enum) > most:
            raise TooComplexError("max_enum_values", len(bundle.enum), most)
        if is_all_plain(bundle):
            return of_types(bundle.enum, bundle.types)
        return [value for value in bundle.enum if bundle_allows(self._algebra, bundle, value)]

    def _fill_kind(self, bundle: Bundle, kind: int, start: int, end: int, goal: Goal) -> None:
        builder = self._builder
        if kind == OBJECT and bundle.objects and not bundle.excluded:
            self._fill_object(bundle, start, end, goal)  # what most are
        elif kind in (NULL, BOOLEAN):
            choices = [None] if kind == NULL else [True, False]
            left = [v for v in choices if not any(v is value for value in bundle.excluded)]
            emit_values(builder, self._layout, left, start, end)
        elif is_plain(bundle, kind) and not bundle.excluded and end not in self._layout.checked:
            builder.call(start, self._library.values(kind), end)
        elif kind == STRING:
            self._library.emit_strings(bundle, start, end)
        elif kind & NUMBER:
            emit = emit_new_numbers if kind & FRACTION and end in self._ends_of_new else emit_numbers
            emit(builder, bundle, kind, start, end, goal_pointer(goal))
        elif bundle.excluded and any(isinstance(v, list if kind == ARRAY else dict) for v in bundle.excluded):
            raise UnsupportedError("an array or object that is excluded by value", goal_pointer(goal))
        elif kind == ARRAY:
            self._fill_array(bundle, start, end, goal)
        else:
            self._fill_object(bundle, start, end, goal)

    def _fill_array(self, bundle: Bundle, start: int, end: int, goal: Goal) -> None:
        is_unique = bundle.unique and (bundle.max_items is None or bundle.max_items > 1)
        if is_unique or bundle.contains or bundle.repeats:
            # Not kept: they refer back here, and a cycle would live until the garbage collector comes.
            automata = ItemAutomata(self._builder, self._listing, self._layout, self._rule, self._new_item)
            automata.emit(bundle, start, end, goal_pointer(goal))
            return
        prefix: list[int] = []
        rest: int | None = None
        for index in range(max([len(part.prefix) for part in bundle.arrays], default=0) + 1):
            if bundle.max_items is not None and index >= bundle.max_items:
                break
            rest = self._rule(item_goal(bundle.arrays, index))
            if rest is None:
                break
            prefix.append(rest)
        else:
            prefix.pop()
        emit_array(self._builder, self._layout, prefix, rest, bundle.min_items, bundle.max_items, start, end)

    def _fill_object(self, bundle: Bundle, start: int, end: int, goal: Goal) -> None:
        if len(bundle.exists) > _MAX_DEMANDS:
            raise UnsupportedError("so many members that must exist", goal_pointer(goal))
        members = []
        names = self._declared_names(bundle)
        required = frozenset(bundle.required)
        known = self._known_members.setdefault((bundle.objects, bundle.names), {})
        unknown = [name for name in names if name not in known]
        if unknown:
            self._add_members(known, bundle, unknown)
        for name in names:
            rule = known[name]
            if rule is not None:
                members.append((rule, name in required))
            elif name in required:
                return
        for same, literal in [pair for part in bundle.objects for pair in part.same]:
            self._builder.note_same(goal_pointer((same,)), goal_pointer((literal,)))
        num_ordered = len(members) if self._algebra.options.property_order == "schema" else 0
        listed, others = self._other_members(bundle, names)
        if listed:
            members += [(rule, False) for rule in listed.values()]
        low, high = bundle.min_properties, bundle.max_properties
        if not bundle.exists:
            emit_object(self._builder, self._layout, members, others, low, high, start, end, num_ordered)
            return
        for witnesses in self._witnesses(bundle, names):
            every = [*members, *[(rule, True) for rule in witnesses]]
            emit_object(self._builder, self._layout, every, others, low, high, start, end, num_ordered)

    def _declared_names(self, bundle: Bundle) -> list[str]:
        return declared_names(bundle)

    def _other_members(self, bundle: Bundle, names: list[str]) -> tuple[dict[str, int], int | None]:
        return self._undeclared.members(bundle, names, self._rule, () if bundle.exists else None)

    def _add_members(self, known: dict[str, int | None], bundle: Bundle, names: list[str]) -> None:
        """Finds the rules of declared members; None of one that cannot have a value."""
        for name, goal in zip(names, member_goals(bundle, names, self._limits), strict=True):
            is_named = not bundle.names or all(goal_allows(self._algebra, (each,), name) for each in bundle.names)
            known[name] = self._member(bundle, name, goal) if is_named else None

    def _member(self, bundle: Bundle, name: str, goal: Goal) -> int | None:
        value = self._rule(goal)
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
        return self._undeclared.members(narrowed, names, self._rule, values)[1]


def _never_written(
    rules: dict[Goal, int | None], nothing: Site, has_text: Callable[[list[int]], list[bool]]
) -> list[str]:
    """Pointers of declared members that no value fits, wherever they could stand; not of those forbidden outright."""
    made = {goal: rule for goal, rule in rules.items() if rule is not None}
    written = {goal for goal, is_written in zip(made, has_text(list(made.values())), strict=True) if is_written}
    if len(written) == len(rules):
        return []
    used = {literal for goal in written for literal in goal}
    never = [literal for goal in rules if goal not in written and nothing not in goal for literal in goal]
    sites = [site for site in never if isinstance(site, Site) and site not in used]
    return [site.pointer for site in sites if site.pointer.split("/")[-2:-1] == ["properties"]]


# The rule of a goal, None where it is plainly unsatisfiable. It is given each time: who keeps it would be kept by it.
RuleOf = Callable[[Goal], int | None]


class Undeclared:
    """Emits members that are not declared, the same for all objects of which the same is said.

    Args:
        library: the rules that every schema shares.
    """

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, library: Library) -> None:
        self._builder = builder
        self._algebra = algebra
        self._layout, self._others, self._end = library.layout, library.others, library.end
        self._known: dict[tuple[Any, ...], tuple[dict[str, int], int | None]] = {}

    def members(
        self, bundle: Bundle, names: list[str], rule_of: RuleOf, values: Goal | None = None
    ) -> tuple[dict[str, int], int | None]:
        """Rules of those whose names can be listed, and the rule of all others; None where there can be none.

        Which of the listed ones were there is known at every place, so a name is never begun that cannot be ended.

        Args:
            values: what their values must be besides, where they are ones that must exist: then none is listed.
        """
        key = (bundle.objects, bundle.names, *names, values)
        if key not in self._known:
            listed: dict[str, int] = {}
            rules = self._rules(bundle, names, values or (), rule_of, listed if values is None else None)
            self._known[key] = listed, any_of(self._builder, rules)
        return self._known[key]

    def _rules(
        self, bundle: Bundle, names: list[str], values: Goal, rule_of: RuleOf, listed: dict[str, int] | None
    ) -> list[int | None]:
        """The rules, one for each set of patterns that a name may match.

        Args:
            listed: gets the rules of members by name where the names are few; None: there is a rule for those too.
        """
        parts, is_open = bundle.objects, self._algebra.options.additional_properties_default
        nothing = self._algebra.document.nothing
        if len(parts) == 1 and not parts[0].patterns and not bundle.names:
            # What most are; the same as below in fewer steps.
            additional = parts[0].additional
            if additional is nothing or (additional is None and not is_open):
                return []
            value = rule_of(values if additional is None else (additional, *values))
            return [] if value is None else [self._others.rule(None, names, value)]
        if not is_open and all(part.additional is None and not part.patterns for part in parts):
            return []
        patterns = {pattern: where for part in parts for pattern, _, where in part.patterns}
        if not patterns and nothing in [part.additional for part in parts]:
            return []
        for pattern, where in patterns.items():
            pattern_language(pattern, where, self._algebra.limits)
        literals = [literal for part in parts for _, literal, _ in part.patterns] + [part.additional for part in parts]
        if not bundle.names and (not patterns or all(map(says_nothing, literals))):
            value = rule_of((*goal_of_matches(bundle, frozenset()), *values))
            return [] if value is None else [self._others.rule(None, names, value)]
        rules: list[int | None] = []
        for matched, signs in matched_together(patterns, self._algebra.limits):
            # What names are asked for seldom leaves one here, and what their values must be may be much work.
            choices = self._names_ahead(bundle, signs, names) if bundle.names else None
            if choices == []:
                continue
            value = rule_of((*goal_of_matches(bundle, matched), *values))
            if value is None:
                continue
            choices = choices or other_names(self._algebra, bundle, signs, names)
            few = None if listed is None else few_names(choices, self._algebra.limits)
            if listed is not None and few is not None:
                for name in few:
                    listed[name] = declared_member(self._builder, self._layout, name, value, self._end)
                continue
            rules += [self._others.rule(allowed, excluded, value) for allowed, excluded in choices]
        return rules

    def _names_ahead(self, bundle: Bundle, signs: Signs, names: list[str]) -> list[Names] | None:
        """As `other_names`; None where they cannot be combined, which matters only if there is a value for them."""
        try:
            return other_names(self._algebra, bundle, signs, names)
        except UnsupportedError:
            return None
