"""Constraints on arguments of a call, and on texts, that are not spelled as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import GrammarError, UnsatisfiableError, UnsupportedError
from grammars.frontends.arguments.emitter import ArgumentsEmitter
from grammars.frontends.arguments.literals import LiteralGuards
from grammars.frontends.arguments.spelling import ArgumentSpelling, ArgumentTypes, Shapes, named
from grammars.frontends.arguments.strings import Among, RawStrings
from grammars.frontends.json.guarding import ValueGuards
from grammars.frontends.json.spec import JsonSchema
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.weighted import remembered


@dataclass(frozen=True, slots=True)
class Arguments:
    """The members of objects that are valid against a schema, without what stands around all of them.

    What the spelling cannot say is refused with its place: names with characters it has no way to write, and keywords
    that can only be held against the whole object. No name is kept from coming twice but for declared ones; whoever
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
        return f"arguments:{self.label!r}:{self.spelling!r}:{self.schema.cache_key()}"

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
        kind = ValueGuards if self.spelling.values == "json" else LiteralGuards
        algebra, guards = self.schema.opened(builder, kind)
        rule = ArgumentsEmitter(builder, algebra, self.spelling).emit_arguments()
        if guards.is_needed:
            raise UnsupportedError(
                "a keyword that is only held against a whole value, in arguments that are not JSON", ""
            )
        if rule is None:
            raise UnsatisfiableError("no arguments are valid against the schema", "")
        return rule


@remembered()
def argument_types(schema: JsonSchema) -> ArgumentTypes:
    """Which types the members of objects may be of that are valid against the schema.

    It is what `Arguments` decides by how a value is spelled.

    Raises:
        GrammarError: as `Arguments.emit` does.
    """
    shapes = Shapes(schema.opened(NetworkBuilder(Limits()))[0])
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
            algebra, guards = self.schema.opened(builder)
            rule = RawStrings(builder, algebra).rule((algebra.document.root,), Among(self.without))
            if guards.is_needed:
                raise UnsupportedError("a keyword that is only held against a whole value, in raw text", "")
            if rule is None:
                raise UnsatisfiableError("no string without the markers is valid against the schema", "")
            return rule
        except GrammarError as error:
            error.place("")
            raise
