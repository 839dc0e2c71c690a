"""How a family of formats spells the members of an object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grammars.errors import InvalidGrammarError

JSON_TYPES = ("null", "boolean", "number", "string", "array", "object")
ANY_TYPES = frozenset(JSON_TYPES)
MAX_NAME_LENGTH = 256
"""Characters of a declared name, so that who reads one can tell it from text without an end."""
MAX_OTHER_NAME_LENGTH = 100
"""The same of names that are not declared, each character of which is a state."""

Values = Literal["json", "python", "delimited"]


@dataclass(frozen=True, slots=True)
class ValueTag:
    """What stands between a name and a value of some types.

    Attributes:
        types: of JSON.
        text: what is written.
    """

    types: frozenset[str]
    text: str

    def __repr__(self) -> str:
        # The same for equal tags, whatever order a set has its members in: keys of caches are made of it.
        return f"{type(self).__name__}({sorted(self.types)!r}, {self.text!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentSpelling:
    """How members are written: each as `before`, the name, a tag's text, the value, `after`.

    Where the only tag is for all types the schema decides how a value is spelled. One that can only be a string is raw
    text; one that cannot be a string is JSON; else it is JSON, or raw text that is no JSON and does not begin like it.
    Where tags tell types apart, a string is raw text and everything else is JSON.

    Attributes:
        before: begins a member.
        tags: together they are for all types.
        after: ends a member; with `{name}` in it, which is the member's, only declared names can be written.
        separator: stands between two members.
        names: a regular expression (ECMA-262) of names that can be written, of at most `MAX_NAME_LENGTH` characters.
        marker: what raw text never contains, nor `before` and `excluded`: the part of `after` that tells its end.
        values: "json", as above; "python": literals of Python, strings in either quotes; "delimited": as JSON, but for
            strings, which are raw text between two `delimiter`s, and names, which are that only where they have to.
        delimiter: see `values`.
    """

    before: str
    tags: tuple[ValueTag, ...]
    after: str
    separator: str = ""
    names: str
    marker: str = ""
    excluded: str = ""
    values: Values = "json"
    delimiter: str = ""

    def __post_init__(self) -> None:
        if sorted(name for tag in self.tags for name in tag.types) != sorted(JSON_TYPES):
            raise InvalidGrammarError("the tags name each type once")
        if self.values == "json" and (not self.marker or self.marker not in self.after):
            raise InvalidGrammarError("raw text needs a marker in what follows it")
        if self.values == "delimited" and not self.delimiter:
            raise InvalidGrammarError("delimited strings need a delimiter")

    @property
    def is_tagged(self) -> bool:
        """Whether what stands before a value tells its type."""
        return len(self.tags) > 1
