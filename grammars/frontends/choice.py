"""`Choice`: one of a list of strings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True, init=False)
class Choice:
    """Exactly one of `options`, each a non-empty string or not."""

    options: tuple[str, ...]

    def __init__(self, options: Iterable[str]) -> None:
        object.__setattr__(self, "options", tuple(options))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return "choice:" + repr(self.options)

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`; options share their common beginnings."""
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
        start = builder.rule()
        emit_trie(builder, start, [option.encode() for option in self.options])
        builder.note("", "choice")
        return start


def emit_trie(builder: NetworkBuilder, start: int, texts: Iterable[bytes]) -> None:
    """From `start`, exactly the `texts`, each ending where its state accepts."""
    children: dict[tuple[int, int], int] = {}
    for text in texts:
        state = start
        for byte in text:
            following = children.get((state, byte))
            if following is None:
                following = children[state, byte] = builder.state()
                builder.byte(state, byte, byte, following)
            state = following
        builder.accept(state)
