"""A topic of records: its fields, the names that schemas give them, and the ways in which prose says them."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.embedded.data.values import Kind, kind_of


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


@dataclass(frozen=True, slots=True)
class Topic:
    """A thing that records describe. An opening may hold `{name}` places of fields; the others become clauses."""

    name: str
    openings: tuple[str, ...]
    fields: tuple[Field, ...]


def places(opening: str) -> set[str]:
    """The names of the fields that an opening holds."""
    return {piece.split("}")[0] for piece in opening.split("{")[1:]}


def topic(name: str, openings: str, *fields: str) -> Topic:
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
    return Topic(name, tuple(one.replace("¶", "\n") for line in lines for one in line.split(" / ")), tuple(read))
