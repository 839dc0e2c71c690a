"""Members of an object in another spelling than JSON; their values are JSON, raw text or literals."""

from __future__ import annotations

from grammars.errors import UnsupportedError
from grammars.frontends.arguments.literals import BareLayout, BareMembers, LiteralEmitter, emit_quoted, value_library
from grammars.frontends.arguments.spelling import BITS, MAX_NAME_LENGTH, ArgumentSpelling, Shapes, named
from grammars.frontends.arguments.strings import Among, RawStrings
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.bundle import STRING, Bundle, Goal, goal_pointer
from grammars.frontends.json.document import Site
from grammars.frontends.json.emitter import Emitter
from grammars.frontends.json.library import Library
from grammars.frontends.marks import spelled
from grammars.network.builder import NetworkBuilder


class ArgumentsLayout(BareLayout):
    """Members with what the spelling has before and between them, and nothing around all of them.

    Attributes:
        is_used: some object is plainly possible.
    """

    is_used = False

    def __init__(self, builder: NetworkBuilder, spelling: ArgumentSpelling) -> None:
        super().__init__(builder, spelling, "arguments", spelling.before)
        self._separator = spelled(spelling.separator, builder.special_tokens)

    def frame(self, brackets: bytes, start: int, end: int, first: int, done: int, may_be_empty: bool) -> None:
        """See `Layout.frame`."""
        self.is_used = True
        self._builder.epsilon(start, first)
        self._builder.epsilon(done, end)
        if may_be_empty:
            self._builder.epsilon(start, end)

    def comma(self, source: int, target: int) -> None:
        """What stands between two members."""
        self._builder.literal(source, self._separator, target)


class ArgumentsEmitter(Emitter):
    """Emits the members of the objects that a document allows, as those of JSON are but for how they are written."""

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, spelling: ArgumentSpelling) -> None:
        values = value_library(builder, algebra, spelling)
        self._values = (Emitter if spelling.values == "json" else LiteralEmitter)(builder, algebra, values)
        layout = self._arguments = ArgumentsLayout(builder, spelling)
        super().__init__(builder, algebra, Library(builder, layout, BareMembers(builder, layout)))
        self._spelling = spelling
        self._shapes = Shapes(algebra)
        self._raw = RawStrings(builder, algebra)
        self._free = Among(tuple(filter(None, (spelling.marker, spelling.before, spelling.excluded))))
        # Behind the name, by what the value must be, the types that decide how it is spelled, and what ends it.
        self._tails: dict[tuple[Goal, int, str], int | None] = {}
        # Behind every value, by what ends it.
        self._afters: dict[str, int] = {}
        # Schemas that say no more than these types.
        self._kinds: dict[int, Site] = {}

    def emit_arguments(self) -> int | None:
        """The rule of all members together; None where no object is plainly possible."""
        for name in self._shapes.names:
            if len(name) > MAX_NAME_LENGTH or not self._arguments.can_write(name):
                raise UnsupportedError(f"the name {name!r} in a format that has no way to write it", "/properties")
        start = self._builder.rule()
        for bundle in self._shapes.bundles:
            self._fill_object(bundle, start, self._end, (self._document.root,))
        return start if self._arguments.is_used else None

    def _declared_names(self, bundle: Bundle) -> list[str]:
        """Those of any bundle, since a name alone tells how its value is spelled."""
        return self._shapes.names

    def _member(self, bundle: Bundle, name: str, goal: Goal) -> int | None:
        tail = self._tail(self._shapes.goal(bundle, name), self._shapes.types[name], name)
        if tail is None:
            return None
        start = self._builder.rule()
        self._builder.literal(start, self._layout.name_text(name), tail)
        return start

    def _other_members(self, bundle: Bundle, names: list[str]) -> tuple[dict[str, int], int | None]:
        """The rules of members that are not declared; there is none of one alone, so that they can all be counted."""
        shapes = self._shapes
        if "{name}" in self._spelling.after:
            return {}, None
        listed, rule = self._undeclared.members(bundle, names, lambda goal: self._tail(goal, shapes.other_types), ())
        if rule is not None and bundle.min_properties > len(set(bundle.required)) + 1:
            raise UnsupportedError("minProperties where names are not declared", goal_pointer((self._document.root,)))
        return listed, rule

    def _tail(self, goal: Goal, types: int, name: str = "") -> int | None:
        """The state behind a name from which its value, and what ends the member, follow; None: there is no value."""
        ending = self._spelling.after.replace("{name}", name)
        key = goal, types, ending
        if key not in self._tails:
            builder, spelling, special = self._builder, self._spelling, self._builder.special_tokens
            state, is_possible = builder.state(), False
            for tag in spelling.tags:
                kinds = sum(BITS[name] for name in tag.types)
                rules = self._ways(goal, kinds, types)
                if rules:
                    is_possible = True
                    value = builder.literal(state, spelled(tag.text, special))
                    if ending not in self._afters:
                        self._afters[ending] = builder.state()
                        builder.literal(self._afters[ending], spelled(ending, special), self._end)
                    for rule in rules:
                        builder.call(value, rule, self._afters[ending])
            self._tails[key] = state if is_possible else None
        return self._tails[key]

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
        start = self._builder.rule()
        emit_quoted(self._builder, b"'", content, start, self._end)
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
