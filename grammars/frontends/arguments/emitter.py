"""Arguments of calls, and strings, that are not JSON, as constraints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from grammars.byte_bounded_cache import remembered
from grammars.errors import GrammarError, UnsatisfiableError, UnsupportedError
from grammars.frontends.arguments.literals import (
    BareLayout,
    BareMembers,
    LiteralChecks,
    LiteralEmitter,
    PythonLayout,
    emit_quoted,
    value_library,
)
from grammars.frontends.arguments.spelling import BITS, MAX_NAME_LENGTH, ArgumentSpelling, ArgumentTypes, Shapes, named
from grammars.frontends.arguments.strings import Among, RawStrings
from grammars.frontends.base import spelled_out
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.evaluate import terms_allow
from grammars.frontends.json.document.document import Subschema
from grammars.frontends.json.document.options import escape
from grammars.frontends.json.emit.emitter import Emitter
from grammars.frontends.json.emit.library import Library
from grammars.frontends.json.meaning.type_bounds import BOOLEAN, NULL, STRING, Conjunction, TypeBounds, pointer_of
from grammars.frontends.json.spec import JsonSchema
from grammars.frontends.json.validation.value_checks import ValueChecks
from grammars.frontends.structural_tag import spelled
from grammars.limits import DEFAULT_LIMITS
from grammars.network.builder import NetworkBuilder

_PYTHON_WORDS = tuple(zip((None, True, False), PythonLayout.literals, strict=True))


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
        """Emit the text between two members."""
        self._builder.literal(source, self._separator, target)


class ArgumentsEmitter(Emitter):
    """Emits the members of the objects that a document allows, as those of JSON are but for how they are written."""

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, spelling: ArgumentSpelling) -> None:
        values = value_library(builder, algebra, spelling)
        self._values = (Emitter if spelling.values in ("json", "plain") else LiteralEmitter)(builder, algebra, values)
        layout = self._arguments = ArgumentsLayout(builder, spelling)
        super().__init__(builder, algebra, Library(builder, layout, BareMembers(builder, layout)))
        self._spelling, self._use = spelling, spelled_out(spelling)
        self._is_told_by_schema = spelling.values == "json" and not spelling.is_tagged
        self._shapes = Shapes(algebra)
        self._raw = RawStrings(builder, algebra)
        self._free = Among(tuple(filter(None, (spelling.marker, spelling.before, spelling.excluded))))
        special = builder.special_tokens
        self._tags = [(sum(map(BITS.__getitem__, tag.types)), spelled(tag.text, special)) for tag in spelling.tags]
        # After the name, by what the value must be, the types that decide how it is spelled, and what ends it.
        self._tails: dict[tuple[Conjunction, int | None, str], int | None] = {}
        self._is_narrow = False  # whether there are ways to meet the schema that cannot be written
        # After every value, by what ends it.
        self._afters: dict[str, int] = {}
        # Schemas that say no more than these types.
        self._kinds: dict[int, Subschema] = {}

    def emit_arguments(self) -> int | None:
        """Return the rule of all members together; None where no object is plainly possible."""
        for name in self._shapes.names:
            if len(name) > MAX_NAME_LENGTH or not self._arguments.can_write(name):
                raise UnsupportedError(f"the name {name!r}, which cannot be written", f"/properties/{escape(name)}")
        start = self._builder.rule()
        for bounds in self._shapes.alternatives:
            self._fill_object(bounds, start, self._end, (self._document.root,))
        if not self._arguments.is_used and self._is_narrow:
            raise UnsupportedError("several members of any name that must exist", "")
        return start if self._arguments.is_used else None

    def _declared_names(self, bounds: TypeBounds) -> list[str]:
        """Return names of any alternative, since a name alone decides how its value is spelled."""
        return self._shapes.names

    def _member_value(self, bounds: TypeBounds, name: str, terms: Conjunction) -> int | None:
        return self._tail(self._shapes.terms(bounds, name), name)

    def _declared_members(self, values: dict[str, int]) -> dict[str, int]:
        """Return the rules of members whose values begin in these states."""
        texts = self._layout.name_texts(values)
        starts = {name: self._builder.rule() for name in values}
        for text, start, tail in zip(texts, starts.values(), values.values(), strict=True):
            self._builder.literal(start, text, tail)
        return starts

    def _other_members(self, bounds: TypeBounds, names: list[str]) -> tuple[dict[str, int], int | None]:
        """Return the rules of undeclared members, which are counted together."""
        if bounds.exists or "{name}" in self._spelling.after:
            # Of members with one name the first counts, so none but the one that must be there has any.
            return {}, None
        listed, rule = self._undeclared.members(bounds, names, self._rule, ())
        if rule is not None and bounds.min_properties > len(set(bounds.required)) + 1:
            raise UnsupportedError("minProperties where names are not declared", pointer_of((self._document.root,)))
        return listed, rule

    def _required_members(self, bounds: TypeBounds, names: list[str]) -> list[list[int]]:
        """See `Emitter._required_members`; one alone, see above."""
        rule = None if "{name}" in self._spelling.after else self._required_member(bounds, names, list(bounds.exists))
        self._is_narrow |= rule is None
        return [] if rule is None else [[rule]]

    def _rule(self, terms: Conjunction) -> int | None:
        # No rule is asked for but those of what is after names that are not declared.
        return self._tail(terms)

    def _tail(self, terms: Conjunction, name: str | None = None) -> int | None:
        """The state after a name from which its value, and what ends the member, follow; None: there is no value."""
        ending, types = self._spelling.after, None
        if name is not None and "{name}" in ending:
            ending = ending.replace("{name}", self._arguments.bare(name) or name)
        if self._is_told_by_schema and (name is None or len(self._shapes.alternatives) > 1):
            types = self._shapes.other_types if name is None else self._shapes.types[name]
        key = terms, types, ending
        if key not in self._tails:
            made = partial(self._new_tail, types=types, ending=ending)
            self._tails[key] = self._algebra.known_values.of(terms, (self._use, types, ending), made)
        return self._tails[key]

    def _new_tail(self, terms: Conjunction, types: int | None, ending: str) -> int | None:
        builder = self._builder
        if types is None and self._is_told_by_schema:
            types = self._shapes.types_of(terms)
        state, is_possible = builder.state(), False
        for kinds, before in self._tags:
            rules = self._ways(terms, kinds, types or 0)
            if rules:
                is_possible = True
                value = builder.literal(state, before)
                if ending not in self._afters:
                    self._afters[ending] = builder.state()
                    builder.literal(self._afters[ending], spelled(ending, builder.special_tokens), self._end)
                for rule in rules:
                    builder.call(value, rule, self._afters[ending])
        return state if is_possible else None

    def _ways(self, terms: Conjunction, kinds: int, types: int) -> list[int]:
        """Return the rules of the conjunction's values of some kinds; `types` decide how they are spelled."""
        spelling = self._spelling
        if spelling.values in ("delimited", "plain"):
            found = [self._value(terms)]
        elif spelling.values == "python":
            found = [self._value(terms), self._single_quoted(terms)]
        elif spelling.is_tagged:
            strings = self._raw.rule(terms, self._free) if kinds & STRING else None
            found = [strings, self._value(terms, kinds & ~STRING)]
        elif types == STRING:
            found = [self._raw.rule(terms, self._free)]
        elif types & STRING:
            found = [self._value(terms), self._raw.rule(terms, self._free._replace(like_no_json=True))]
        else:
            found = [self._value(terms), self._python_words(terms) if types & (NULL | BOOLEAN) else None]
        return [rule for rule in found if rule is not None]

    def _python_words(self, terms: Conjunction) -> int | None:
        """The rule of the conjunction's null and booleans as Python writes them, and so templates that print values."""
        words = tuple([word for value, (word,) in _PYTHON_WORDS if terms_allow(self._algebra, terms, value)])
        build = partial(self._builder.words, words=words, target=self._end)
        return self._builder.shared_rule(("python words", words), build) if words else None

    def _single_quoted(self, terms: Conjunction) -> int | None:
        """Return the rule of the conjunction's strings between single quotes that need no escapes."""
        content = self._raw.rule(terms, Among(single_quoted=True)) if self._shapes.types_of(terms) & STRING else None
        if content is None:
            return None
        start = self._builder.rule()
        emit_quoted(self._builder, b"'", content, start, self._end)
        return start

    def _value(self, terms: Conjunction, kinds: int | None = None) -> int | None:
        """Return the rule of the conjunction's values (of these kinds), spelled as values are."""
        if kinds is not None:
            if not self._shapes.types_of(terms) & kinds:
                return None
            if kinds not in self._kinds:
                self._kinds[kinds] = self._document.made(self._document.root, {"type": sorted(named(kinds))})
            terms = (*terms, self._kinds[kinds])
        (rule,) = self._values.emit([terms])
        return rule


@dataclass(frozen=True, slots=True)
class Arguments:
    """The members of objects that are valid against a schema, without what is around all of them.

    What the spelling cannot say is refused with its place: names with characters it has no way to write, and keywords
    that can only be held against the whole object. Only declared names are kept from coming twice; whoever
    reads the text is to take the first.

    Attributes:
        schema: what is an object of it, in its options; whitespace is theirs within JSON values.
        spelling: how members are written.
        label: what the schema is of, named in errors.
    """

    schema: JsonSchema
    spelling: ArgumentSpelling
    label: str = ""

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"arguments:{self.label!r}:{spelled_out(self.spelling)}:{self.schema.cache_key()}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        try:
            return self._emit(builder)
        except GrammarError as error:
            error.place("")
            if self.label:
                error.place_within(self.label)
            raise

    def _emit(self, builder: NetworkBuilder) -> int:
        kind = ValueChecks if self.spelling.values in ("json", "plain") else LiteralChecks
        algebra, checks = self.schema.opened(builder, kind)
        rule = ArgumentsEmitter(builder, algebra, self.spelling).emit_arguments()
        if checks.is_needed:
            raise UnsupportedError(
                "a keyword that is only held against a whole value, in arguments that are not JSON", ""
            )
        if rule is None:
            raise UnsatisfiableError("no arguments are valid against the schema", "")
        return rule


@remembered()
def argument_types(schema: JsonSchema) -> ArgumentTypes:
    """Return the types that members of valid objects may have.

    It is what `Arguments` decides by how a value is spelled.

    Raises:
        GrammarError: as `Arguments.emit` does.
    """
    shapes = Shapes(schema.opened(NetworkBuilder(DEFAULT_LIMITS))[0])
    declared = {name: named(types) for name, types in shapes.types.items()}
    return ArgumentTypes(declared, named(shapes.other_types), num_bytes=len(schema.cache_key()))


@dataclass(frozen=True, slots=True)
class RawString:
    """The text of a string that is valid against a schema, as it is: no quotes, no escapes.

    Attributes:
        schema: values other than strings are left out.
        without: the text contains none of these.
    """

    schema: JsonSchema
    without: tuple[str, ...] = ()

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"raw-string:{self.without!r}:{self.schema.cache_key()}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        try:
            algebra, checks = self.schema.opened(builder)
            rule = RawStrings(builder, algebra).rule((algebra.document.root,), Among(self.without))
            if checks.is_needed:
                raise UnsupportedError("a keyword that is only held against a whole value, in raw text", "")
            if rule is None:
                raise UnsatisfiableError("no string without the markers is valid against the schema", "")
            return rule
        except GrammarError as error:
            error.place("")
            raise
