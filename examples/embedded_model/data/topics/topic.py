"""A topic of records: its fields, the names that schemas give them, and the ways in which prose says them."""

from __future__ import annotations

from dataclasses import dataclass

from embedded_model.data.values import Kind, kind_of


@dataclass(frozen=True, slots=True)
class Field:
    """One field: the keys that a schema may give it, the first of which names it in openings; its kind; its clauses."""

    keys: tuple[str, ...]
    kind: Kind
    clauses: tuple[str, ...]

    @property
    def name(self) -> str:
        """What openings call it."""
        return self.keys[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a language puts around facts: before, between and behind sentences, and in a letter."""

    conjunction: str
    about: tuple[str, ...]
    leads: tuple[str, ...]
    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    subjects: tuple[str, ...]
    tails: tuple[str, ...] = ()


ENGLISH = Wording(
    conjunction="and",
    about=("A {}", "The {}", "This is a {}", "About the {}", "One {}", "We have a {}"),
    leads=(
        "Yesterday", "As you know,", "In short:", "Note that", "I heard that", "For the record:", "FYI:", "Update:",
        "Hi,", "Hello!", "So,", "By the way,", "Just so you know:", "Good morning.", "Quick note:", "News:",
        "Hey team,", "Thanks for waiting.", "I think that", "It seems that", "Please note:", "Reminder:", "Note:",
    ),
    greetings=("Hi,", "Hello,", "Dear Sir or Madam,", "Dear {},", "Good morning,"),
    closings=("Best regards", "Thanks", "Kind regards,", "Cheers", "Sincerely"),
    subjects=("Subject: {}\n\n", "", "", "Subject: your {}\n"),
    tails=(
        "Thanks!", "Please check.", "Let me know.", "That is all.", "Have a nice day.", "Is that right?", "See you.",
        "Please save this.", "I hope this helps.", "More later.", "Can you confirm?", "What do you think?",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """A thing that records describe. An opening may hold `{name}` places of fields; the others become clauses."""

    name: str
    openings: tuple[str, ...]
    fields: tuple[Field, ...]
    wording: Wording = ENGLISH


def places(opening: str) -> set[str]:
    """The names of the fields that an opening holds."""
    return {piece.split("}")[0] for piece in opening.split("{")[1:]}


def topic(name: str, openings: str, *fields: str, wording: Wording = ENGLISH) -> Topic:
    """A topic; openings stand on lines or between slashes.

    A field is written `key other_key = kind : clause ; clause`, with `{}` for the value; a clause that begins with a
    capital letter is a sentence of its own.
    """
    read = []
    for text in fields:
        keys, _, rest = text.partition(" = ")
        kind, _, clauses = rest.partition(" : ")
        said = tuple(clause.strip() for clause in clauses.split(" ; ") if clause.strip())
        read.append(Field(tuple(keys.split()), kind_of(kind.strip()), said))
    lines = [line.strip() for line in openings.strip().splitlines()]
    told = tuple(one.replace("¶", "\n") for line in lines for one in line.split(" / "))
    return Topic(name, told, tuple(read), wording)
