"""Values in another spelling than JSON: literals of Python, and strings between delimiters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.arguments.spelling import MAX_OTHER_NAME_LENGTH, ArgumentSpelling
from grammars.frontends.arguments.strings import Among, RawStrings
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.bundle import STRING, Bundle, Goal, goal_pointer
from grammars.frontends.json.emitter import Emitter
from grammars.frontends.json.guarding import ValueGuards
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.library import Library
from grammars.frontends.json.objects import OtherMembers
from grammars.frontends.marks import units
from grammars.frontends.regex import Language, language_of
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import UNIQUE, UNIQUE_OF_FEW, Guard

_SPACE, _COLON = 0x20, 0x3A


def value_emitter(builder: NetworkBuilder, algebra: Algebra, spelling: ArgumentSpelling) -> Emitter:
    """What emits whole values in the spelling."""
    if spelling.values == "json":
        whitespace = algebra.options.whitespace
        Library.install(builder, whitespace)
        return Emitter(builder, algebra, Library(builder, Layout(builder, whitespace)))
    if spelling.values == "python":
        return LiteralEmitter(builder, algebra, Library(builder, PythonLayout(builder)))
    layout = DelimitedLayout(builder, spelling)
    return LiteralEmitter(builder, algebra, DelimitedLibrary(builder, layout, algebra, spelling))


def spelled_name(names: Language, name: str, delimiter: str, builder: NetworkBuilder) -> bytes | None:
    """A name as it is written: as it is, else as a string; None if there is no way to."""
    if names.accepts(name, builder.limits.max_pattern_states):
        return name.encode()
    if not delimiter or delimiter in name:
        return None
    quote = b"".join(units(delimiter, builder.special_tokens))
    return quote + name.encode() + quote


def names_language(pattern: str, limits: Limits) -> Language:
    """The names that a spelling can write, see `ArgumentSpelling.names`."""
    return language_of(pattern, "ecma", False, limits.max_depth, limits.max_pattern_states)


class PythonLayout(Layout):
    """Literals of Python, of which strings are spelled as in JSON, which mean the same."""

    literals = (b"None", b"True", b"False")

    def __init__(self, builder: NetworkBuilder) -> None:
        super().__init__(builder, "python")
        self.has_space = True

    def gap(self, source: int, target: int) -> None:
        """A space or none."""
        self._builder.epsilon(source, target)
        self._builder.byte(source, _SPACE, _SPACE, target)


class DelimitedLayout(Layout):
    """No whitespace, strings between delimiters, names as they are unless they hold what ends one."""

    name_quote = b""

    def __init__(self, builder: NetworkBuilder, spelling: ArgumentSpelling) -> None:
        super().__init__(builder, f"delimited by {spelling.delimiter}, names {spelling.names}")
        self._spelling = spelling
        self.delimiter = b"".join(units(spelling.delimiter, builder.special_tokens))
        self.names = names_language(spelling.names, builder.limits)

    def text(self, value: str) -> bytes:
        """See `Layout.text`."""
        return self.delimiter + value.encode() + self.delimiter

    def name_text(self, name: str) -> bytes:
        """See `Layout.name_text`.

        Raises:
            UnsupportedError: the name cannot be written.
        """
        spelled = spelled_name(self.names, name, self._spelling.delimiter, self._builder)
        if spelled is None:
            raise UnsupportedError(f"the name {name!r} in a format that has no way to write it")
        return spelled

    def spellable(self, values: Iterable[Any]) -> Iterable[Any]:
        """See `Layout.spellable`."""
        return [value for value in values if not _contains(value, self._spelling.delimiter)]


def _contains(value: Any, text: str) -> bool:
    """Whether a string in the value has the text in it."""
    if isinstance(value, str):
        return text in value
    if isinstance(value, dict):
        return any(_contains(item, text) for item in value.values())
    return isinstance(value, list) and any(_contains(item, text) for item in value)


class DelimitedMembers(OtherMembers):
    """Members with names that are not declared, and have no quotes; one may come twice."""

    def __init__(self, builder: NetworkBuilder, layout: DelimitedLayout) -> None:
        super().__init__(builder, layout, {})
        self._names = layout.names
        self._behind: dict[int, int] = {}

    def rule(self, names: Language | None, declared: Iterable[str], value_rule: int) -> int:
        """See `OtherMembers.rule`."""
        builder = self._builder
        limit = builder.limits.max_pattern_states
        allowed = self._names if names is None else self._names.intersect(names, limit)
        allowed = allowed.without(declared, limit).with_lengths(1, MAX_OTHER_NAME_LENGTH)
        start = builder.state()
        if value_rule not in self._behind:
            colon, value = builder.states(2), builder.end()
            builder.byte(colon, _COLON, _COLON, colon + 1)
            builder.call(colon + 1, value_rule, value)
            self._behind[value_rule] = colon
        if not allowed.is_empty(limit):
            builder.epsilon(start, allowed.emit(builder, self._behind[value_rule], escaped=False))
        return start


class DelimitedLibrary(Library):
    """Rules whose strings stand between delimiters."""

    def __init__(
        self, builder: NetworkBuilder, layout: DelimitedLayout, algebra: Algebra, spelling: ArgumentSpelling
    ) -> None:
        self._delimiter = layout.delimiter
        self._free = Among((spelling.delimiter,))
        self._raw = RawStrings(builder, algebra)
        self._delimited = layout
        super().__init__(builder, layout)

    def others_from(self, spans: dict[int, int]) -> OtherMembers:
        """See `Library.others_from`."""
        return DelimitedMembers(self._builder, self._delimited)

    def emit_strings(self, bundle: Bundle, start: int, end: int) -> None:
        """See `Library.emit_strings`."""
        builder = self._builder
        content = self._raw.of_bundle(bundle, self._free, "")
        if content is not None:
            close = builder.state()
            builder.call(builder.literal(start, self._delimiter), content, close)
            builder.literal(close, self._delimiter, end)

    def _build_kind(self, kind: int, start: int, end: int) -> None:
        if kind == STRING:
            self.emit_strings(Bundle(), start, end)
        else:
            super()._build_kind(kind, start, end)


class LiteralEmitter(Emitter):
    """Emits values that are not JSON, of which nothing can be said at their end."""

    def _new_item(self, goal: Goal, guard: Guard, slack: int) -> int | None:
        """See `Emitter._new_item`.

        Raises:
            UnsupportedError: only strings of Python are told apart.
        """
        if not isinstance(self._layout, PythonLayout) or guard not in (UNIQUE, UNIQUE_OF_FEW):
            raise UnsupportedError("uniqueItems of such values in a format that is not JSON", goal_pointer(goal))
        return super()._new_item(goal, guard, slack)


class LiteralGuards(ValueGuards):
    """There is no guard of a value that is not JSON."""

    def goal(self, goal: Goal) -> Guard | None:
        """Refuse.

        Raises:
            UnsupportedError: always.
        """
        raise UnsupportedError("so many choices for a value in a format that is not JSON", goal_pointer(goal))
