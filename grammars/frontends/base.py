"""What every kind of constraint is to the compiler."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from grammars.network.builder import NetworkBuilder


@runtime_checkable
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
