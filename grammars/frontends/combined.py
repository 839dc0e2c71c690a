"""Plain constraints, and those made of others: one of given texts; one after another, any of them, in a JSON string."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.base import Constraint, TextConstraint, emit_escaped, joined
from grammars.frontends.regex.emit import spell
from grammars.frontends.structural_tag import spelled
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True, init=False)
class Concat:
    """A text of each of `parts`, in order.

    A part given as text is literal; the name of a special token in it is that token.
    """

    parts: tuple[str | Constraint, ...]

    def __init__(self, parts: Iterable[str | Constraint]) -> None:
        object.__setattr__(self, "parts", tuple(parts))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        keys = (repr(part) if isinstance(part, str) else part.cache_key() for part in self.parts)
        return f"concat:{joined(keys)}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        # What begins with a fragment comes first: it is copied in as it is where nothing was built before.
        rules = [None if isinstance(part, str) else part.emit(builder) for part in self.parts]
        start = state = builder.rule()
        for part, rule in zip(self.parts, rules, strict=True):
            if isinstance(part, str):
                state = builder.literal(state, spelled(part, builder.special_tokens))
            elif rule is not None:
                after = builder.state()
                builder.call(state, rule, after)
                state = after
        builder.accept(state)
        return start


@dataclass(frozen=True, slots=True, init=False)
class Either:
    """Texts of at least one of `options`."""

    options: tuple[Constraint, ...]

    def __init__(self, options: Iterable[Constraint]) -> None:
        object.__setattr__(self, "options", tuple(options))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"either:{joined(option.cache_key() for option in self.options)}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        if not self.options:
            raise InvalidGrammarError("no option to choose from")
        start = builder.rule()
        for option in self.options:
            builder.call(start, option.emit(builder), builder.end())
        return start


@dataclass(frozen=True, slots=True)
class JsonString:
    """A text of `content` as a JSON string literal, quotes included.

    It is spelled canonically: what JSON has to escape is escaped, shortly where it can be (`\\n`, else `\\u00xx` in
    lower case), everything else is literal.

    Args:
        content: A constraint on text: `Regex`, `Lark`, `Gbnf` or `Choice`.
    """

    content: Constraint

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"json_string:{self.content.cache_key()}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`.

        Raises:
            UnsupportedError: the content is of another kind, or embeds a part that is.
        """
        content = emit_escaped(self.content, builder)
        start = builder.rule()
        end = builder.state()
        builder.call(builder.literal(start, b'"'), content, end)
        builder.accept(builder.literal(end, b'"'))
        return start


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
