"""Kinds of constraint whose names are public and which are refused by name."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import UnsupportedError
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True)
class Lark:
    """A grammar in Lark's language."""

    text: str

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return "lark:" + self.text

    def emit(self, builder: NetworkBuilder) -> int:
        """Refuses the constraint."""
        raise UnsupportedError("a Lark grammar")


@dataclass(frozen=True, slots=True)
class Gbnf:
    """A grammar in GBNF."""

    text: str

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return "gbnf:" + self.text

    def emit(self, builder: NetworkBuilder) -> int:
        """Refuses the constraint."""
        raise UnsupportedError("a GBNF grammar")
