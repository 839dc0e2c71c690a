"""What of a constraint is enforced, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Enforcement:
    """One keyword at one place.

    Attributes:
        pointer: JSON pointer of the subschema (or the place in another kind of constraint).
        keyword: the keyword's name.
        how: "mask" (the automaton says it), "guard" (a predicate on a region says it) or "annotation" (says nothing).
    """

    pointer: str
    keyword: str
    how: str = "mask"


@dataclass(frozen=True, slots=True)
class EnforcementReport:
    """Every keyword of a constraint with how it is enforced; nothing is ever dropped."""

    entries: tuple[Enforcement, ...] = ()

    def __iter__(self) -> Iterator[Enforcement]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @classmethod
    def of(cls, entries: Iterable[Enforcement]) -> EnforcementReport:
        """One entry for each place and keyword; what a guard says beside the mask is said by a guard."""
        found: dict[tuple[str, str], Enforcement] = {}
        for entry in entries:
            key = (entry.pointer, entry.keyword)
            if key not in found or entry.how == "guard":
                found[key] = entry
        return cls(tuple(found.values()))

    def counts(self) -> dict[str, int]:
        """How many keywords each way of enforcement holds."""
        return dict(Counter(entry.how for entry in self.entries))
