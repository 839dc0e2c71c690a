"""Values in another spelling than JSON: literals of Python, and strings between delimiters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from grammars.byte_bounded_cache import remembered
from grammars.errors import UnsupportedError
from grammars.frontends.arguments.spelling import MAX_NAME_LENGTH, MAX_OTHER_NAME_LENGTH, ArgumentSpelling
from grammars.frontends.arguments.strings import Among, RawStrings
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.emit.emitter import Emitter
from grammars.frontends.json.emit.layout import Layout
from grammars.frontends.json.emit.library import Library
from grammars.frontends.json.emit.objects import OtherMembers
from grammars.frontends.json.meaning.strings import fragment_of
from grammars.frontends.json.meaning.type_bounds import STRING, Conjunction, TypeBounds, pointer_of
from grammars.frontends.json.validation.value_checks import ValueChecks
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.charset import Ranges, contains
from grammars.frontends.regex.syntax import Chars, Repeat, Seq
from grammars.frontends.structural_tag import BYTES, emit_trie, spelled
from grammars.limits import Limits
from grammars.network import operations as op
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import UNIQUE, UNIQUE_OF_FEW, Check
from grammars.network.fragment import Fragment
from grammars.vocabulary.units import UnitClass

_SPACE = 0x20


def value_library(builder: NetworkBuilder, algebra: Algebra, spelling: ArgumentSpelling) -> Library:
    """Return the rules for whole values."""
    if spelling.values in ("json", "plain"):
        whitespace = algebra.options.whitespace
        Library.install(builder, whitespace)
        return Library(builder, Layout(builder, whitespace))
    if spelling.values == "python":
        return Library(builder, PythonLayout(builder))
    return DelimitedLibrary(builder, algebra, spelling)


def names_language(pattern: str, limits: Limits) -> Language:
    """Return the names that a spelling can write, see `ArgumentSpelling.names`."""
    return language_of(pattern, "ecma", False, limits)


@lru_cache(maxsize=4_096)
def _is_name(pattern: str, name: str, limits: Limits) -> bool:
    return len(name) <= MAX_NAME_LENGTH and names_language(pattern, limits).accepts(name, limits.max_pattern_states)


class PythonLayout(Layout):
    """Literals of Python, of which strings are spelled as in JSON, which mean the same."""

    literals = ((b"None",), (b"True",), (b"False",))

    def __init__(self, builder: NetworkBuilder) -> None:
        super().__init__(builder, "python")
        self.has_space = True

    def gap(self, source: int, target: int) -> None:
        """A space or none."""
        self._builder.epsilon(source, target)
        self._builder.byte(source, _SPACE, _SPACE, target)


class BareLayout(Layout):
    """No whitespace; names have no quotes unless they hold what ends one.

    Args:
        name: of the layout.
        before: begins a member; after: is after a name.
    """

    name_quote = b""

    def __init__(
        self, builder: NetworkBuilder, spelling: ArgumentSpelling, name: str, before: str = "", after: bytes = b""
    ) -> None:
        super().__init__(builder, f"{name} {spelling.names}")
        self._spelling, self.pattern = spelling, spelling.names
        self.delimiter, self.before = (spelled(text, builder.special_tokens) for text in (spelling.delimiter, before))
        self.name_end = after

    def can_write(self, name: str) -> bool:
        """True if there is a way to write the name."""
        return self.bare(name) is not None or (bool(self.delimiter) and self._spelling.delimiter not in name)

    def name_text(self, name: str) -> bytes:
        """See `Layout.name_text`.

        Raises:
            UnsupportedError: the name cannot be written.
        """
        bare = self.bare(name)
        if bare is not None:
            return self.before + bare.encode()
        if not self.can_write(name):
            raise UnsupportedError(f"the name {name!r}, which cannot be written")
        return self.before + self.delimiter + name.encode() + self.delimiter

    def bare(self, name: str) -> str | None:
        """Return the name as written without quotes; None if it cannot be."""
        return name if _is_name(self.pattern, name, self._builder.limits) else self._spelling.with_entities(name)


class DelimitedLayout(BareLayout):
    """Strings between delimiters; templates of such families write null as Python does."""

    literals = ((b"null", b"None"), (b"true",), (b"false",))

    def __init__(self, builder: NetworkBuilder, spelling: ArgumentSpelling) -> None:
        super().__init__(builder, spelling, f"delimited by {spelling.delimiter}", after=b":")

    def text(self, value: str) -> bytes:
        """See `Layout.text`."""
        return self.delimiter + value.encode() + self.delimiter

    def spellable(self, values: Iterable[Any]) -> Iterable[Any]:
        """See `Layout.spellable`."""
        return [value for value in values if not _contains(value, self._spelling.delimiter)]


def _contains(value: Any, text: str) -> bool:
    """True if a string in the value has the text in it."""
    if isinstance(value, str):
        return text in value
    if isinstance(value, dict):
        return any(_contains(item, text) for item in value.values())
    return isinstance(value, list) and any(_contains(item, text) for item in value)


class BareMembers(OtherMembers):
    """Members with names that are not declared, and have no quotes; one may come twice."""

    def __init__(self, builder: NetworkBuilder, layout: BareLayout) -> None:
        super().__init__(builder, layout, {})
        self._bare = layout
        self._behind: dict[int, int] = {}

    def rule(self, names: Language | None, declared: Iterable[str], value_rule: int) -> int | None:
        """See `OtherMembers.rule`."""
        builder = self._builder
        found = self._names_rule(names, tuple(self._bare.bare(name) or name for name in declared))
        if found is None:
            return None
        if value_rule not in self._behind:
            self._behind[value_rule] = builder.state()
            after = builder.literal(self._behind[value_rule], self._bare.name_end)
            builder.call(after, value_rule, builder.end())
        start = builder.rule()
        builder.call(builder.literal(start, self._bare.before), found, self._behind[value_rule])
        return start

    def _names_rule(self, names: Language | None, excluded: tuple[str, ...]) -> int | None:
        """Return the rule of names that can be written and are not excluded; None where there is none."""
        builder, pattern = self._builder, self._bare.pattern
        classes = _plain_classes(pattern, builder.limits) if names is None else None
        if classes and all(contains(classes[0], ord(char)) and char.isascii() for char in set("".join(excluded))):
            return _emit_plain_names(builder, *classes, excluded)
        fragment = _names_fragment(pattern, names, excluded, builder.limits)
        if fragment.count == 1:
            return None  # its start leads nowhere
        return builder.grafted(("bare names", pattern, names, *excluded), fragment)


@remembered()
def _names_fragment(pattern: str, names: Language | None, excluded: tuple[str, ...], limits: Limits) -> Fragment:
    """The rule, at state 0, of the names that can be written, but for some."""
    found, most = names_language(pattern, limits), limits.max_pattern_states
    found = (found if names is None else found.intersect(names, most)).without(excluded, most)
    return fragment_of(found.with_lengths(1, MAX_OTHER_NAME_LENGTH), limits, escaped=False)


@lru_cache(maxsize=64)
def _plain_classes(pattern: str, limits: Limits) -> tuple[Ranges, Ranges] | None:
    """Return the characters that names begin with, end with and have between, where nothing else is required."""
    match names_language(pattern, limits).tree:
        case Seq((Chars(outer), Repeat(Seq((Repeat(Chars(inner), 0, None), Chars(last))), 0, 1))) if last == outer:
            return outer, inner
    return None


def _emit_plain_names(builder: NetworkBuilder, outer: Ranges, inner: Ranges, excluded: tuple[str, ...]) -> int:
    """Return the rule of names of such classes but for some; one that begins like such a one may be longer."""
    key, shared = ("bare names", outer, inner), builder.shared
    if key not in shared:
        last, one, end = builder.state(), builder.state(), builder.end()
        ends_with, within = UnitClass.from_ranges(outer), UnitClass.from_ranges(inner)
        builder.unit(last, ends_with, end)
        shared[*key, "more"] = more = builder.span(within, 0, MAX_OTHER_NAME_LENGTH - 2, last)
        builder.accept(one)
        builder.epsilon(one, more)
        shared[key] = builder.span(ends_with, 1, 1, one)
    start, more = builder.rule(), shared[*key, "more"]
    builder.otherwise(start, shared[key])
    ends = {*emit_trie(builder, start, [[*map(BYTES.__getitem__, word.encode())] for word in excluded])}
    for state in range(start + 1, builder.num_states):
        builder.write((op.OTHERWISE, state, more) if state in ends else (op.OTHERWISE, state, more, op.ACCEPT, state))
    return start


def emit_quoted(builder: NetworkBuilder, quote: bytes, content: int, start: int, end: int) -> None:
    """Emit texts of a rule between two quotes, from `start` to `end`."""
    close = builder.state()
    builder.call(builder.literal(start, quote), content, close)
    builder.literal(close, quote, end)


class DelimitedLibrary(Library):
    """Rules whose strings are between delimiters."""

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, spelling: ArgumentSpelling) -> None:
        layout = DelimitedLayout(builder, spelling)
        super().__init__(builder, layout, BareMembers(builder, layout))
        self._delimiter = layout.delimiter
        self._free = Among((spelling.delimiter,))
        self._raw = RawStrings(builder, algebra)

    def emit_strings(self, bounds: TypeBounds, start: int, end: int) -> None:
        """See `Library.emit_strings`."""
        content = self._raw.of_bounds(bounds, self._free, "")
        if content is not None:
            emit_quoted(self._builder, self._delimiter, content, start, end)

    def _build_kind(self, kind: int, start: int, end: int) -> None:
        if kind == STRING:
            self.emit_strings(TypeBounds(), start, end)
        else:
            super()._build_kind(kind, start, end)


class LiteralEmitter(Emitter):
    """Emits values that are not JSON, of which nothing can be said at their end."""

    def _new_item(self, terms: Conjunction, check: Check, slack: int) -> int | None:
        """See `Emitter._new_item`.

        Raises:
            UnsupportedError: uniqueness is known for strings of Python alone.
        """
        if not isinstance(self._layout, PythonLayout) or check not in (UNIQUE, UNIQUE_OF_FEW):
            raise UnsupportedError("uniqueItems of such values in a format that is not JSON", pointer_of(terms))
        return super()._new_item(terms, check, slack)


class LiteralChecks(ValueChecks):
    """Refuse checks: a value that is not JSON has none."""

    def terms(self, terms: Conjunction) -> Check | None:
        """Refuse.

        Raises:
            UnsupportedError: always.
        """
        raise UnsupportedError("so many choices for a value in a format that is not JSON", pointer_of(terms))
