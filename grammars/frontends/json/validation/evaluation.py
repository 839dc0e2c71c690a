"""What is carried along while a value is evaluated: the dynamic scope, the work left, what was evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammars.errors import TooComplexError
from grammars.frontends.json.document import Resource
from grammars.limits import Limits

# The names of members, or the indices of items, of one value that some schema has evaluated (an annotation).
Evaluated = set[Any]


class Evaluation:
    """One question to a `Validator`.

    Attributes:
        known: what references were found to say about values; None while that is being found out.
    """

    __slots__ = ("_left", "_limits", "_scopes", "known")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.max_validation_steps
        self._scopes: dict[tuple[Resource, ...], Scope] = {}
        self.known: dict[Any, tuple[bool, Evaluated | None] | None] = {}

    def scope(self, resources: tuple[Resource, ...]) -> Scope:
        """The scope of these resources; there is one for each tuple."""
        scope = self._scopes.get(resources)
        if scope is None:
            scope = self._scopes[resources] = Scope(self, resources)
        return scope

    def spend(self, steps: int) -> None:
        """Counts work.

        Raises:
            TooComplexError: it was too much.
        """
        self._left -= steps
        if self._left < 0:
            limit = self._limits.max_validation_steps
            raise TooComplexError("max_validation_steps", limit - self._left, limit)


class Scope:
    """The resources that evaluation has entered, outermost first, each once: what dynamic references look at.

    Resources that are entered again are not listed again, since only the outermost counts.
    """

    __slots__ = ("_entered", "evaluation", "resources", "spend")

    def __init__(self, evaluation: Evaluation, resources: tuple[Resource, ...]) -> None:
        self.evaluation = evaluation
        self.resources = resources
        self.spend = evaluation.spend
        self._entered: dict[Resource, Scope] = {}

    def entered(self, resource: Resource) -> Scope:
        """The scope inside the resource."""
        scope = self._entered.get(resource)
        if scope is None:
            inside = resource in self.resources
            scope = self if inside else self.evaluation.scope((*self.resources, resource))
            self._entered[resource] = scope
        return scope


# Whether a value meets something. What it evaluates of the value goes into the last argument, unless that is None.
Check = Callable[[Any, Scope, Evaluated | None], bool]


def always(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
    """Every value meets it."""
    return True


def never(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
    """No value meets it."""
    return False
