"""Constraints made of others: one after another, any of them, inside a JSON string."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError
from grammars.frontends.base import Constraint, emit_escaped
from grammars.frontends.marks import units
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True, init=False)
class Concat:
    """A text of each of `parts`, in order.

    A part given as text stands for itself, and where the name of a special token stands in it, for that token.
    """

    parts: tuple[str | Constraint, ...]

    def __init__(self, parts: Iterable[str | Constraint]) -> None:
        object.__setattr__(self, "parts", tuple(parts))

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return "concat:" + repr([part if isinstance(part, str) else (part.cache_key(),) for part in self.parts])

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        # What begins with a fragment comes first: it is copied in as it is where nothing was built before.
        rules = [None if isinstance(part, str) else part.emit(builder) for part in self.parts]
        start = state = builder.rule()
        for part, rule in zip(self.parts, rules, strict=True):
            if isinstance(part, str):
                state = builder.literal(state, b"".join(units(part, builder.special_tokens)))
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


@dataclass(frozen=True, slots=True)
class Once:
    """`content`, emitted only the first time that it is asked for."""

    content: Constraint

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return self.content.cache_key()

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        key = "once", id(self.content)
        rule = builder.shared.get(key)
        if rule is None:
            rule = builder.shared[key] = self.content.emit(builder)
        return rule


@dataclass(frozen=True, slots=True)
class JsonString:
    """A text of `content` as a JSON string literal, quotes included.

    It is spelled canonically: what JSON has to escape is escaped, shortly where it can be (`\\n`, else `\\u00xx` in
    lower case), everything else stands as it is.

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
