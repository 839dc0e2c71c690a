"""`Choice`: one of a list of strings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.base import TextConstraint
from grammars.frontends.regex.emit import spell
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True, init=False)
class Choice(TextConstraint):
    """Exactly one of `options`, each a non-empty string or not."""

    options: tuple[str, ...]

    def __init__(self, options: Iterable[str]) -> None:
        object.__setattr__(self, "options", tuple(options))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return "choice:" + repr(self.options)

    def _emit(self, builder: NetworkBuilder, *, escaped: bool) -> int:
        """Options share their common beginnings."""
        limits = builder.limits
        if len(self.options) > limits.max_enum_values:
            raise TooComplexError("max_enum_values", len(self.options), limits.max_enum_values)
        if not self.options:
            raise InvalidGrammarError("a choice needs at least one option")
        for index, option in enumerate(self.options):
            if not isinstance(option, str):
                raise InvalidGrammarError("an option is a string", f"/{index}")
        size = sum(map(len, self.options))
        if size > limits.max_schema_bytes:
            raise TooComplexError("max_schema_bytes", size, limits.max_schema_bytes)
        start, end = builder.rule(), builder.state()
        builder.accept(end)
        if "" in self.options:
            builder.accept(start)
        builder.words(start, [spell(option, escaped) for option in self.options if option], end)
        builder.note("", "choice")
        return start
