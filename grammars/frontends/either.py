"""`Either`: a text of any one of several constraints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError
from grammars.frontends.base import Constraint
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True, init=False)
class Either:
    """Texts of at least one of `options`."""

    options: tuple[Constraint, ...]

    def __init__(self, options: Iterable[Constraint]) -> None:
        object.__setattr__(self, "options", tuple(options))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return "either:" + repr([option.cache_key() for option in self.options])

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        if not self.options:
            raise InvalidGrammarError("no option to choose from")
        start, end = builder.rule(), builder.state()
        builder.accept(end)
        for option in self.options:
            builder.call(start, option.emit(builder), end)
        return start
