"""Strings as they are, without quotes and escapes; their end is a marker that they do not contain."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import GrammarError, TooComplexError, UnsatisfiableError, UnsupportedError
from grammars.frontends.arguments.strings import Among, RawStrings, among_language
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.document import Document
from grammars.frontends.json.guarding import ValueGuards
from grammars.frontends.json.spec import JsonSchema
from grammars.frontends.regex import Regex, language_of
from grammars.network.builder import NetworkBuilder


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
            document, algebra, guards = opened(self.schema, builder)
            rule = RawStrings(builder, algebra).rule((document.root,), Among(self.without))
            if guards.is_needed:
                raise UnsupportedError("a keyword that is only held against a whole value, in raw text", "")
            if rule is None:
                raise UnsatisfiableError("no string without the markers is valid against the schema", "")
            return rule
        except GrammarError as error:
            error.place("")
            raise


@dataclass(frozen=True, slots=True)
class RawMatch:
    """Text that a regular expression matches as a whole.

    Attributes:
        regex: the expression.
        without: the text contains none of these.
    """

    regex: Regex
    without: tuple[str, ...] = ()

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"raw-match:{self.without!r}:{self.regex.cache_key()}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        limits, pattern = builder.limits, self.regex.pattern
        if len(pattern) > limits.max_pattern_length:
            raise TooComplexError("max_pattern_length", len(pattern), limits.max_pattern_length)
        found = language_of(pattern, self.regex.dialect, False, limits.max_depth, limits.max_pattern_states)
        found = found.intersect(among_language(Among(self.without), limits), limits.max_pattern_states)
        if found.is_empty(limits.max_pattern_states):
            raise UnsatisfiableError("the pattern matches nothing without the markers")
        builder.note("", "pattern")
        return found.emit(builder, builder.end(), escaped=False)


def opened(
    schema: JsonSchema, builder: NetworkBuilder, kind: type[ValueGuards] = ValueGuards
) -> tuple[Document, Algebra, ValueGuards]:
    """The schema's document, what answers questions about it, and what makes its guards.

    Raises:
        GrammarError: the schema is too large, or is not one.
    """
    limits, options, resources = builder.limits, schema.options, dict(schema.resources)
    size = len(schema.text) + sum(map(len, resources.values()))
    if size > limits.max_schema_bytes:
        raise TooComplexError("max_schema_bytes", size, limits.max_schema_bytes)
    document = Document(schema.text, options, resources, limits)
    guards = kind(document, schema.text, resources, options, limits)
    return document, Algebra(document, options, limits, builder, guards), guards
