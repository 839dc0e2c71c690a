"""Members of an object in another spelling than JSON; their values are JSON, raw text or literals."""

from __future__ import annotations

from collections.abc import Sequence

from grammars.errors import UnsupportedError
from grammars.frontends.arguments.literals import names_language, spelled_name, value_emitter
from grammars.frontends.arguments.spelling import MAX_NAME_LENGTH, MAX_OTHER_NAME_LENGTH, ArgumentSpelling
from grammars.frontends.arguments.strings import Among, RawStrings
from grammars.frontends.arguments.types import BITS, Shapes, named
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.bundle import STRING, Bundle, Goal, goal_pointer
from grammars.frontends.json.document import Document, Site
from grammars.frontends.json.evaluate import goal_allows
from grammars.frontends.json.names import other_names
from grammars.frontends.marks import units
from grammars.frontends.regex import Language
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment
from grammars.weighted import remembered

_QUOTE = b"'"


class ArgumentsEmitter:
    """Emits the members of the objects that a document allows.

    Args:
        shapes: of the document's root.
    """

    def __init__(
        self,
        builder: NetworkBuilder,
        document: Document,
        algebra: Algebra,
        spelling: ArgumentSpelling,
        shapes: Shapes,
    ) -> None:
        self._builder = builder
        self._document = document
        self._algebra = algebra
        self._limits = builder.limits
        self._spelling = spelling
        self._shapes = shapes
        self._values = value_emitter(builder, algebra, spelling)
        self._raw = RawStrings(builder, algebra)
        self._free = Among((spelling.marker,))
        self._end = builder.end()
        self._separator = builder.rule()
        builder.accept(builder.literal(self._separator, self._bytes(spelling.separator)))
        self._names = names_language(spelling.names, self._limits)
        # Behind the name, by what the value must be and the types that decide how it is spelled.
        self._tails: dict[tuple[Goal, int], int | None] = {}
        # Schemas that say no more than these types.
        self._kinds: dict[int, Site] = {}

    def emit(self) -> int | None:
        """The rule of all members together; None where no object is plainly possible."""
        for name in self._shapes.names:
            if len(name) > MAX_NAME_LENGTH or self._spelled(name) is None:
                raise UnsupportedError(f"the name {name!r} in a format that has no way to write it", "/properties")
        start, is_possible = self._builder.rule(), False
        for bundle in self._shapes.bundles:
            is_possible |= self._emit_bundle(bundle, start)
        return start if is_possible else None

    def _emit_bundle(self, bundle: Bundle, start: int) -> bool:
        members: list[tuple[int, bool]] = []
        required = frozenset(bundle.required)
        for name in self._shapes.names:
            rule = self._declared(bundle, name)
            if rule is not None:
                members.append((rule, name in required))
            elif name in required:
                return False
        others = self._others(bundle)
        low, high = bundle.min_properties, bundle.max_properties
        num_required = sum(is_required for _, is_required in members)
        if others is not None and low > num_required + 1:
            raise UnsupportedError("minProperties where names are not declared", goal_pointer((self._document.root,)))
        most = high if others is not None else len(members) if high is None else min(high, len(members))
        if most is not None and max(low, num_required) > most:
            return False
        if num_required == 0 and low == 0:
            self._builder.epsilon(start, self._end)
        if most != 0:
            num_ordered = len(members) if self._algebra.options.property_order == "schema" else 0
            select = self._builder.select
            self._builder.epsilon(start, select(members, others, self._separator, low, high, self._end, num_ordered))
        return True

    def _declared(self, bundle: Bundle, name: str) -> int | None:
        """The rule of a declared member; None where it cannot have a value."""
        if bundle.names and not all(goal_allows(self._algebra, (demand,), name) for demand in bundle.names):
            return None
        tail = self._tail(self._shapes.goal(bundle, name), self._shapes.types[name])
        if tail is None:
            return None
        start = self._builder.rule()
        spelled = self._spelled(name)
        assert spelled is not None
        self._builder.literal(start, self._bytes(self._spelling.before) + spelled, tail)
        return start

    def _others(self, bundle: Bundle) -> int | None:
        """The rule of members that are not declared; None where there can be none."""
        builder = self._builder
        rules: list[int] = []
        for goal, signs in self._shapes.other_goals(bundle):
            choices = other_names(self._algebra, bundle, signs, self._shapes.names)
            written = [rule for choice in choices if (rule := self._names_rule(*choice)) is not None]
            tail = self._tail(goal, self._shapes.other_types) if written else None
            for names in written if tail is not None else ():
                assert tail is not None
                start = builder.rule()
                builder.call(builder.literal(start, self._bytes(self._spelling.before)), names, tail)
                rules.append(start)
        if not rules:
            return None
        start = builder.rule()
        for rule in rules:
            builder.call(start, rule, self._end)
        return start

    def _names_rule(self, names: Language | None, excluded: Sequence[str]) -> int | None:
        """The rule of names that can be written and are not excluded; None where there is none."""
        builder, limits, pattern = self._builder, self._limits, self._spelling.names
        key = "argument names", pattern, names, *excluded
        rule: int | None = builder.shared.get(key)
        if rule is None:
            if names is None:
                rule = builder.graft(_plain_names(pattern, tuple(excluded), limits))
            else:
                allowed = self._names.intersect(names, limits.max_pattern_states)
                allowed = allowed.without(excluded, limits.max_pattern_states).with_lengths(1, MAX_OTHER_NAME_LENGTH)
                if allowed.is_empty(limits.max_pattern_states):
                    return None
                rule = builder.rule()
                builder.epsilon(rule, allowed.emit(builder, builder.end(), escaped=False))
            builder.shared[key] = rule
        return rule

    def _tail(self, goal: Goal, types: int) -> int | None:
        """The state behind a name from which its value, and what ends the member, follow; None: there is no value."""
        key = goal, types
        if key not in self._tails:
            builder, spelling = self._builder, self._spelling
            state, is_possible = builder.state(), False
            for tag in spelling.tags:
                kinds = sum(BITS[name] for name in tag.types)
                rules = self._ways(goal, kinds, types)
                if rules:
                    is_possible = True
                    value, after = builder.literal(state, self._bytes(tag.text)), builder.state()
                    for rule in rules:
                        builder.call(value, rule, after)
                    builder.literal(after, self._bytes(spelling.after), self._end)
            self._tails[key] = state if is_possible else None
        return self._tails[key]

    def _bytes(self, text: str) -> bytes:
        return b"".join(units(text, self._builder.special_tokens))

    def _spelled(self, name: str) -> bytes | None:
        return spelled_name(self._names, name, self._spelling.delimiter, self._builder)

    def _ways(self, goal: Goal, kinds: int, types: int) -> list[int]:
        """The rules of the goal's values of some kinds; `types` decide how they are spelled."""
        spelling = self._spelling
        if spelling.values == "delimited":
            found = [self._value(goal)]
        elif spelling.values == "python":
            found = [self._value(goal), self._single_quoted(goal)]
        elif spelling.is_tagged:
            strings = self._raw.rule(goal, self._free) if kinds & STRING else None
            found = [strings, self._value(goal, kinds & ~STRING)]
        elif types == STRING:
            found = [self._raw.rule(goal, self._free)]
        elif types & STRING:
            found = [self._value(goal), self._raw.rule(goal, self._free._replace(like_no_json=True))]
        else:
            found = [self._value(goal)]
        return [rule for rule in found if rule is not None]

    def _single_quoted(self, goal: Goal) -> int | None:
        """The rule of the goal's strings between single quotes, as far as they need no escapes."""
        content = self._raw.rule(goal, Among(single_quoted=True)) if self._shapes.types_of(goal) & STRING else None
        if content is None:
            return None
        builder = self._builder
        start, close = builder.rule(), builder.state()
        builder.call(builder.literal(start, _QUOTE), content, close)
        builder.literal(close, _QUOTE, self._end)
        return start

    def _value(self, goal: Goal, kinds: int | None = None) -> int | None:
        """The rule of the goal's values (of these kinds), spelled as values are."""
        if kinds is not None:
            if not self._shapes.types_of(goal) & kinds:
                return None
            if kinds not in self._kinds:
                self._kinds[kinds] = self._document.made(self._document.root, {"type": sorted(named(kinds))})
            goal = (*goal, self._kinds[kinds])
        (rule,) = self._values.emit([goal])
        return rule


@remembered()
def _plain_names(pattern: str, excluded: tuple[str, ...], limits: Limits) -> Fragment:
    """The rule, at state 0, of the names that can be written, but for some."""
    builder = NetworkBuilder(limits)
    start = builder.rule()
    found = names_language(pattern, limits).without(excluded, limits.max_pattern_states)
    found = found.with_lengths(1, MAX_OTHER_NAME_LENGTH)
    builder.epsilon(start, found.emit(builder, builder.end(), escaped=False))
    return builder.fragment()
