"""Arguments between markers, where raw text contains neither its own end nor what begins another argument."""

from __future__ import annotations

from dataclasses import dataclass

from grammars import Arguments, ArgumentSpelling
from grammars.errors import UnsatisfiableError, UnsupportedError
from grammars.frontends.arguments.emitter import ArgumentsEmitter
from grammars.frontends.arguments.strings import Among
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.guarding import ValueGuards
from grammars.network.builder import NetworkBuilder


class _Emitter(ArgumentsEmitter):
    def __init__(self, builder: NetworkBuilder, algebra: Algebra, spelling: ArgumentSpelling) -> None:
        super().__init__(builder, algebra, spelling)
        self._free = Among((spelling.marker, spelling.before))


@dataclass(frozen=True, slots=True)
class TaggedArguments(Arguments):
    """See `Arguments`; raw text does not contain `spelling.before` either."""

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"tagged-{Arguments.cache_key(self)}"

    def _emit(self, builder: NetworkBuilder) -> int:
        algebra, guards = self.schema.opened(builder, ValueGuards)
        rule = _Emitter(builder, algebra, self.spelling).emit_arguments()
        if guards.is_needed:
            raise UnsupportedError(
                "a keyword that is only held against a whole value, in arguments that are not JSON", ""
            )
        if rule is None:
            raise UnsatisfiableError("no arguments are valid against the schema", "")
        return rule
