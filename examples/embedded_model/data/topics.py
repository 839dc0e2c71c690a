"""Topics of records, from the corpus: their fields, the keys of these in schemas, and their wordings in prose.

A topic is a block of rows: its name, openings (separated by ` / `, with `¶` for a new line), and its fields as
`- key other_key = kind : clause ; clause`, with `{}` for the value; a clause that begins with a capital letter is a
sentence of its own. A block `[language]` sets the wording of the topics after it; its first occurrence defines it.
"""

from __future__ import annotations

from dataclasses import dataclass

from embedded_model.data.corpus import read_blocks, read_fields, split_rows
from embedded_model.data.values import Kind, kind_of


@dataclass(frozen=True, slots=True)
class Field:
    """Field of a record: its keys in schemas, the first of which names it in openings; its kind; its clauses."""

    keys: tuple[str, ...]
    kind: Kind
    clauses: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the field in openings."""
        return self.keys[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Words of a language around facts: before, between and after sentences, and in a letter."""

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
    """Subject of records. An opening may hold `{name}` places of fields; the other fields become clauses."""

    name: str
    openings: tuple[str, ...]
    fields: tuple[Field, ...]
    wording: Wording = ENGLISH


def places(opening: str) -> set[str]:
    """Return the names of the fields that an opening holds."""
    return {piece.split("}")[0] for piece in opening.split("{")[1:]}


def read_topics(name: str) -> tuple[Topic, ...]:
    """Return the topics of `corpus/topics/<name>.txt`, in the order of the file."""
    topics: list[Topic] = []
    wordings: dict[str, Wording] = {}
    wording = ENGLISH
    for header, *rows in read_blocks(f"topics/{name}"):
        if header.startswith("["):
            if rows:
                wordings[header] = Wording(**read_fields(rows))
            wording = wordings[header]
        else:
            openings, fields = split_rows(rows)
            texts = tuple(one.replace("¶", "\n") for row in openings for one in row.split(" / "))
            topics.append(Topic(header, texts, tuple(map(_field, fields)), wording))
    return tuple(topics)


def _field(text: str) -> Field:
    keys, _, rest = text.partition(" = ")
    kind, _, clauses = rest.partition(" : ")
    said = tuple(clause.strip() for clause in clauses.split(" ; ") if clause.strip())
    return Field(tuple(keys.split()), kind_of(kind.strip()), said)


TOPICS = tuple(topic for name in ("people", "trade", "life", "travel", "machines") for topic in read_topics(name))
FOREIGN_TOPICS = read_topics("foreign")
HELDOUT_FOREIGN_TOPICS = read_topics("italian")
