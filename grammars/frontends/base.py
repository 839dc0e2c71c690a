"""Interface between constraints and the compiler."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Protocol, TypeGuard

from grammars.errors import UnsupportedError
from grammars.network.builder import NetworkBuilder


class Constraint(Protocol):
    """A constraint as text or data; equal constraints have equal `cache_key`s."""

    def cache_key(self) -> str:
        """The constraint's whole content, as a string that names its kind."""
        ...

    def emit(self, builder: NetworkBuilder) -> int:
        """Writes the constraint's rules into `builder`; the start state of the root rule.

        Raises:
            GrammarError: one of the four leaves.
        """
        ...


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
        if key not in builder.shared:
            builder.shared[key] = self.content.emit(builder)
        return builder.shared[key]


@dataclass(frozen=True, slots=True)
class Kept:
    """`content`, which a compiler knows again in other constraints, and emits before all else.

    Attributes:
        key: of the content; short, so that keys of what holds very many are.
    """

    content: Constraint
    key: str = field(init=False)

    def __post_init__(self) -> None:
        key = self.content.cache_key().encode("utf-8", "surrogatepass")
        object.__setattr__(self, "key", f"kept:{blake2b(key, digest_size=24).hexdigest()}")

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return self.key

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        return builder.part(self.key, self.content.emit)


class TextConstraint:
    """A constraint on text that spells it raw, or as inside a JSON string, by the same code."""

    __slots__ = ()

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        return self._emit(builder, escaped=False)

    def emit_escaped(self, builder: NetworkBuilder) -> int:
        """Emit like `emit`, with every character spelled as inside a JSON string, canonically."""
        return self._emit(builder, escaped=True)

    def _emit(self, builder: NetworkBuilder, *, escaped: bool) -> int:
        raise NotImplementedError


def emit_escaped(constraint: Constraint, builder: NetworkBuilder) -> int:
    """Writes the rules of a constraint's texts, spelled as inside a JSON string; the start state of the root rule.

    Raises:
        UnsupportedError: the constraint is of a kind that cannot be spelled so.
    """
    if not isinstance(constraint, TextConstraint):
        raise UnsupportedError(f"a {type(constraint).__name__} inside a JSON string")
    return constraint.emit_escaped(builder)


def joined(texts: Iterable[str]) -> str:
    """Return the texts in one, which no others make."""
    return "".join([f"{len(text)}:{text}" for text in texts])


spelled_out = lru_cache(maxsize=256)(repr)
"""The `repr` of what many constraints have in common."""


def is_constraint(value: Any) -> TypeGuard[Constraint]:
    """True if a value is a constraint; much faster than a runtime-checkable protocol, and once for each compilation."""
    return hasattr(value, "cache_key") and hasattr(value, "emit") and not isinstance(value, type)
