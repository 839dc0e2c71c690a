"""Report of enforcement: each keyword of a constraint and its means."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Enforcement:
    """One keyword at one place.

    Attributes:
        pointer: JSON pointer of the subschema (or the place in another kind of constraint).
        keyword: the keyword's name.
        how: "mask" (the automaton says it), "partly" (the automaton allows nothing else, and not all of it), "check" (a
            predicate on a region says it) or "annotation" (says nothing).
    """

    pointer: str
    keyword: str
    how: str = "mask"


# How a member is noted that no value fits; it is no keyword.
NEVER = "never"
# Pointer, keyword and how of each entry, one after another.
Notes = Sequence[str]


class EnforcementReport:
    """Every keyword of a constraint with how it is enforced; nothing is ever dropped.

    Args:
        notes: of one keyword at one place, "check" is what counts. The report keeps it.

    Attributes:
        num_notes: number of notes, repetitions included.
    """

    __slots__ = ("_entries", "_notes", "num_notes")

    def __init__(self, notes: Notes = ()) -> None:
        self._notes = notes
        self.num_notes = len(notes) // 3
        self._entries: tuple[Enforcement, ...] | None = None

    @property
    def notes(self) -> list[tuple[str, str, str]]:
        """Pointer, keyword and how of each entry as they were noted, repetitions and all."""
        return list(zip(self._notes[::3], self._notes[1::3], self._notes[2::3], strict=True))

    @property
    def entries(self) -> tuple[Enforcement, ...]:
        """The entries in the order in which they were found; made when they are first asked for."""
        if self._entries is None:
            found: dict[tuple[str, str], str] = {}
            for pointer, keyword, how in self.notes:
                if how != NEVER and found.get((pointer, keyword)) != "check":
                    found[pointer, keyword] = how
            self._entries = tuple(Enforcement(*place, how) for place, how in found.items())
        return self._entries

    @property
    def never_written(self) -> tuple[str, ...]:
        """Pointers of declared members that no value fits, so that no text has them."""
        return tuple(dict.fromkeys(pointer for pointer, _, how in self.notes if how == NEVER))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnforcementReport) and self.notes == other.notes

    def __hash__(self) -> int:
        return hash(tuple(self.notes))

    def __iter__(self) -> Iterator[Enforcement]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def counts(self) -> dict[str, int]:
        """Return the number of keywords for each means of enforcement."""
        return dict(Counter(entry.how for entry in self.entries))


class Noted:
    """Collects what a report says.

    Attributes:
        where: place of all that is built, for errors that concern no part of it; None: it has none.
        notes: entries of the report, each as a pointer, a keyword and how it is enforced.
    """

    def __init__(self) -> None:
        self.where: str | None = None
        self.notes: list[str] = []
        self._same: dict[tuple[str, str], None] = {}

    def note(self, pointer: str, keyword: str, how: str = "mask") -> None:
        """Add one entry."""
        self.notes += (pointer, keyword, how)

    def note_same(self, pointer: str, other: str) -> None:
        """Record that all notes of the first place, and below, hold for the other place too."""
        self._same[pointer, other] = None

    def report(self) -> EnforcementReport:
        """The report of everything so far."""
        self._spread()
        return EnforcementReport(self.notes)

    def _spread(self) -> None:
        """Notes of places what was noted of those that say the same."""
        if not self._same:
            return
        notes, said = self.notes, dict[str, list[str]]()
        for pointer, keyword, how in zip(notes[::3], notes[1::3], notes[2::3], strict=True):
            said.setdefault(pointer, []).extend((keyword, how))
        places = sorted(said)
        # What was met later may stand below what was met before.
        for pointer, other in reversed(self._same):
            for place in places[bisect_left(places, pointer) : bisect_left(places, f"{pointer}0")]:
                if place == pointer or place[len(pointer)] == "/":
                    like = other + place[len(pointer) :]
                    if like not in said:
                        insort(places, like)
                    said.setdefault(like, []).extend(said[place])
                    for keyword, how in zip(said[place][::2], said[place][1::2], strict=True):
                        notes += (like, keyword, how)
        self._same.clear()
