"""Which types the arguments of a call may be of, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from grammars.errors import UnsupportedError
from grammars.frontends.arguments.spelling import ANY_TYPES
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.bundle import ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING, Bundle, Goal, type_of
from grammars.frontends.json.members import declared_names, goal_of_matches, member_goal
from grammars.frontends.json.names import matched_together

BITS = {"null": NULL, "boolean": BOOLEAN, "number": NUMBER, "string": STRING, "array": ARRAY, "object": OBJECT}


@dataclass(frozen=True, slots=True)
class ArgumentTypes:
    """Types of JSON that the values of members may be of, in any of the ways to meet the schema.

    Attributes:
        declared: by name.
        others: of all members that are not declared.
        num_bytes: what it was made from, and so about what it holds.
    """

    declared: dict[str, frozenset[str]]
    others: frozenset[str] = ANY_TYPES
    num_bytes: int = field(default=0, compare=False)

    def of(self, name: str) -> frozenset[str]:
        """The types of the member."""
        return self.declared.get(name, self.others)


class Shapes:
    """The ways in which an object can meet the root of a document.

    Attributes:
        bundles: one for each way.
        names: declared in any of them, in order.
        types: bits of what each of the names may be in any of the ways.
        other_types: the same for all other names.

    Raises:
        UnsupportedError: what is said of the object can only be held against all of it.
    """

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra
        goal: Goal = (algebra.document.root,)
        found = algebra.bundles(goal)
        if goal in algebra.widened:
            raise UnsupportedError("so many choices for arguments", "")
        self.bundles = [bundle for bundle in found if bundle.types & OBJECT]
        for bundle in self.bundles:
            if bundle.enum is not None or any(isinstance(value, dict) for value in bundle.excluded):
                raise UnsupportedError("arguments that are given as a whole", "")
            if bundle.exists:
                raise UnsupportedError("arguments of which one must be met by any name", "")
        self.names = list(dict.fromkeys(name for bundle in self.bundles for name in declared_names(bundle)))
        self.types = dict.fromkeys(self.names, 0)
        self.other_types = 0
        for bundle in self.bundles:
            for name in self.names:
                self.types[name] |= self.types_of(self.goal(bundle, name))
            for goal in self._other_goals(bundle):
                self.other_types |= self.types_of(goal)

    def goal(self, bundle: Bundle, name: str) -> Goal:
        """What the value of the member must be."""
        goal = member_goal(bundle, name, self._algebra.limits)
        is_open = self._algebra.options.additional_properties_default
        return goal if goal or is_open or name in declared_names(bundle) else (self._algebra.document.nothing,)

    def _other_goals(self, bundle: Bundle) -> list[Goal]:
        """What the values of undeclared members must be, by the patterns that their names match."""
        is_open = self._algebra.options.additional_properties_default
        if not is_open and all(part.additional is None and not part.patterns for part in bundle.objects):
            return []
        patterns = [pattern for part in bundle.objects for pattern, _, _ in part.patterns]
        regions = matched_together(dict.fromkeys(patterns), self._algebra.limits)
        goals = [goal_of_matches(bundle, matched) for matched, _ in regions]
        return [goal for goal in goals if self._algebra.document.nothing not in goal]

    def types_of(self, goal: Goal) -> int:
        """The types of the goal's values."""
        types = 0
        for bundle in self._algebra.bundles(goal):
            types |= bundle.types if bundle.enum is None else bundle.types & reduce(or_, map(type_of, bundle.enum), 0)
        return types


def named(types: int) -> frozenset[str]:
    """The types by their names in JSON Schema; "number" where some number is among them."""
    return frozenset(name for name, bit in BITS.items() if types & bit)
