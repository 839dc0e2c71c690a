"""What every kind of constraint is to the compiler."""

from __future__ import annotations

from typing import Any, Protocol, TypeGuard

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


def is_constraint(value: Any) -> TypeGuard[Constraint]:
    """Whether a value is a constraint; much faster than a runtime-checkable protocol, and once for each compilation."""
    return hasattr(value, "cache_key") and hasattr(value, "emit") and not isinstance(value, type)
