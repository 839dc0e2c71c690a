"""Constraints on an answer. `origin` is the request field, for error messages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from gateway.core.documents import Document

_GBNF_RULE = re.compile(r"^\s*[A-Za-z][\w-]*\s*::=", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonConstraint:
    """A JSON text that satisfies a schema.

    Attributes:
        schema: The schema as the client sent it: an object or a boolean.
        origin: `response_format.json_schema.schema` and the like.
        compact: No whitespace between tokens of the JSON text.
        closed: Objects take no properties that the schema does not name, unless it says so itself.
        strict: The schema is meant in OpenAI's strict sense: closed objects, all properties required.
    """

    schema: dict[str, Any] | bool
    origin: str
    compact: bool = False
    closed: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RegexConstraint:
    """A text that the pattern matches in full."""

    pattern: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceConstraint:
    """One of the given texts."""

    options: tuple[str, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarConstraint:
    """A text of a context-free grammar.

    Attributes:
        text: In Lark's language or GBNF.
        syntax: `lark` or `gbnf`; None detects it from the text, since clients mislabel grammars.
    """

    text: str
    origin: str
    syntax: str | None = None

    @property
    def language(self) -> Literal["lark", "gbnf"]:
        """Return the language of the grammar."""
        is_gbnf = _GBNF_RULE.search(self.text) is not None if self.syntax is None else self.syntax == "gbnf"
        return "gbnf" if is_gbnf else "lark"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredConstraint:
    """A constraint stored on the server, or one of the library, by its id."""

    id: str
    origin: str


@dataclass(frozen=True, slots=True)
class Segment:
    """Constrained text between a fixed begin and end."""

    begin: str
    content: Constraint | Piece
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TagsConstraint:
    """Segments in free text or in sequence, as in `grammars.StructuralTag`."""

    segments: tuple[Segment, ...]
    origin: str
    triggers: tuple[str, ...] = ()
    at_least_one: bool = False
    stop_after_first: bool = False
    separator: str = ""
    free_text: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceConstraint:
    """Texts of the parts, in order."""

    parts: tuple[Constraint | Piece, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenConstraint:
    """A token of the vocabulary, by id, name or text. See `grammars.Token`."""

    token: int | str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensConstraint:
    """One token, or any number, except those excluded. See `grammars.OneToken` and `grammars.AnyTokens`.

    Attributes:
        excluded: Tokens by number, name or text.
        without: Texts that do not occur; none where it is one token.
    """

    excluded: tuple[int | str, ...]
    origin: str
    without: tuple[str, ...] = ()
    is_one: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentsConstraint:
    """Arguments of a tool call as a tool format writes them, between the call's markers.

    Attributes:
        format: The name of the tool format.
    """

    schema: dict[str, Any] | bool
    format: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortTextConstraint:
    """Text of at most `max_chars` characters without certain substrings."""

    max_chars: int
    without: tuple[str, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotationConstraint:
    """A quotation from a document. See `grammars.Quotation`.

    Attributes:
        without: A text that occurs in no quotation.
    """

    document: Document
    without: str
    origin: str


Constraint = (
    JsonConstraint | RegexConstraint | ChoiceConstraint | GrammarConstraint | TagsConstraint | SequenceConstraint
)
Piece = TokenConstraint | TokensConstraint | ArgumentsConstraint | ShortTextConstraint | QuotationConstraint
"""Constraints for parts of an answer only, in a sequence or between tags."""
