"""Spelling of tool-call arguments that are not JSON, and the types that they may have."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, reduce
from html import escape
from operator import or_
from typing import Literal

from grammars.errors import InvalidGrammarError, UnsupportedError
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.evaluate import allowed_of, declared_names, member_terms, terms_of_matches
from grammars.frontends.json.algebra.names import matched_together
from grammars.frontends.json.document.document import Subschema
from grammars.frontends.json.meaning.keywords import ACTIVE
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Conjunction,
    TypeBounds,
    type_of,
)

JSON_TYPES = ("null", "boolean", "number", "string", "array", "object")
ANY_TYPES = frozenset(JSON_TYPES)
MAX_NAME_LENGTH = 256
"""Most characters of a declared name, so that a reader can distinguish it from endless text."""
MAX_OTHER_NAME_LENGTH = 100
"""The same of names that are not declared, each character of which is a state."""

Values = Literal["json", "plain", "python", "delimited"]


@dataclass(frozen=True, slots=True)
class ValueTag:
    """Text between a name and a value of some types.

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
    """Spelling of members: each as `before`, the name, a tag's text, the value, `after`.

    Where the only tag is for all types the schema decides how a value is spelled. One that can only be a string is raw
    text; one that cannot be a string is JSON, or a word of Python for null or a boolean; else it is JSON, or raw text
    that is no JSON and does not begin like it.
    Where tags give types, a string is raw text and everything else is JSON.

    Attributes:
        before: begins a member.
        tags: together they are for all types.
        after: ends a member; with `{name}` in it, which is the member's, only declared names can be written.
        separator: is between two members.
        names: a regular expression (ECMA-262) of names that can be written, of at most `MAX_NAME_LENGTH` characters.
        marker: what raw text never contains, nor `before` and `excluded`: the part of `after` that ends it.
        has_entities: names that `names` lacks may be written with the entities of XML, as `a&lt;` for `a<`.
        values: "json", as above; "plain": JSON, strings and all; "python": literals of Python, strings in either
            quotes; "delimited": as JSON, but for strings, which are raw text between two `delimiter`s, names, which are
            that only where they have to, and null, which may be `None` as well.
        delimiter: see `values`.
    """

    before: str
    tags: tuple[ValueTag, ...]
    after: str
    separator: str = ""
    names: str
    marker: str = ""
    excluded: str = ""
    has_entities: bool = False
    values: Values = "json"
    delimiter: str = ""

    def __post_init__(self) -> None:
        if sorted(name for tag in self.tags for name in tag.types) != sorted(JSON_TYPES):
            raise InvalidGrammarError("the tags name each type once")
        if self.values == "json" and (not self.marker or self.marker not in self.after):
            raise InvalidGrammarError("raw text needs a marker in what follows it")
        if self.values == "delimited" and not self.delimiter:
            raise InvalidGrammarError("delimited strings need a delimiter")

    def with_entities(self, name: str) -> str | None:
        """Return the escaped spelling of a name that cannot be bare; None if there is none."""
        can_be = self.has_entities and "\n" not in name and name.strip() == name
        return escape(name) if can_be and escape(name) != name else None

    @property
    def is_tagged(self) -> bool:
        """True if the text before a value gives its type."""
        return len(self.tags) > 1


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
        alternatives: one for each way.
        names: declared in any of them, in order.
        types: bits of what each of the names may be in any of the ways.
        other_types: the same for all other names.

    Raises:
        UnsupportedError: what is said of the object can only be held against all of it.
    """

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra
        terms: Conjunction = (algebra.document.root,)
        found = algebra.alternatives(terms)
        if terms in algebra.checked_conjunctions:
            raise UnsupportedError("so many choices for arguments", "")
        self.alternatives = [each for bounds in found if bounds.types & OBJECT for each in self._by_member(bounds)]
        self.names = list(dict.fromkeys(name for bounds in self.alternatives for name in declared_names(bounds)))

    @cached_property
    def types(self) -> dict[str, int]:
        each = [{name: self.types_of(self.terms(bounds, name)) for name in self.names} for bounds in self.alternatives]
        return {name: reduce(or_, [types[name] for types in each]) for name in self.names}

    @cached_property
    def other_types(self) -> int:
        conjunctions = [terms for bounds in self.alternatives for terms in self._other_conjunctions(bounds)]
        return reduce(or_, map(self.types_of, conjunctions), 0)

    def _by_member(self, bounds: TypeBounds) -> list[TypeBounds]:
        """Return the alternatives with whole values split by member."""
        algebra = self._algebra
        if bounds.enum is None:
            if any(isinstance(value, dict) for value in bounds.excluded):
                raise UnsupportedError("arguments that are excluded as a whole", "")
            return [bounds]
        found = []
        for value in allowed_of(algebra, bounds, bounds.enum):
            if isinstance(value, dict):
                members = {name: {"const": given} for name, given in value.items()}
                whole = {"type": "object", "properties": members, "required": [*value], "additionalProperties": False}
                found += algebra.alternatives((algebra.document.made(algebra.document.root, whole),))
        return found

    def terms(self, bounds: TypeBounds, name: str) -> Conjunction:
        """Return the conjunction that the member's value must meet."""
        terms = member_terms(bounds, name, self._algebra.limits)
        is_open = self._algebra.options.additional_properties_default
        return terms if terms or is_open or name in declared_names(bounds) else (self._algebra.document.nothing,)

    def _other_conjunctions(self, bounds: TypeBounds) -> list[Conjunction]:
        """Return the conjunctions for values of undeclared members, by the patterns that their names match."""
        is_open = self._algebra.options.additional_properties_default
        if not is_open and all(part.additional is None and not part.patterns for part in bounds.objects):
            return []
        patterns = [pattern for part in bounds.objects for pattern, _, _ in part.patterns]
        regions = matched_together(dict.fromkeys(patterns), self._algebra.limits)
        conjunctions = [terms_of_matches(bounds, matched) for matched, _ in regions]
        return [terms for terms in conjunctions if self._algebra.document.nothing not in terms]

    def types_of(self, terms: Conjunction) -> int:
        """The types of the conjunction's values."""
        subschema = terms[0] if len(terms) == 1 else None
        if isinstance(subschema, Subschema) and type(subschema.schema) is dict and ACTIVE.isdisjoint(subschema.schema):
            return self._algebra.types_of(subschema)
        return self._algebra.known_values.of(terms, "types", self._new_types) or 0

    def _new_types(self, terms: Conjunction) -> int:
        types = 0
        for bounds in self._algebra.alternatives(terms):
            types |= bounds.types if bounds.enum is None else bounds.types & reduce(or_, map(type_of, bounds.enum), 0)
        return types


def named(types: int) -> frozenset[str]:
    """The types by their names in JSON Schema; "number" where some number is among them."""
    return frozenset(name for name, bit in BITS.items() if types & bit)
