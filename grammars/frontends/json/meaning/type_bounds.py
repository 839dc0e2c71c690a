"""Constraints of a conjunction of schemas on a value, per type."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from operator import attrgetter
from typing import Any, NamedTuple

from grammars.frontends.json.document.decoding import canonical
from grammars.frontends.json.document.document import SchemaTerm, Subschema

NULL, BOOLEAN, INTEGER, FRACTION, STRING, ARRAY, OBJECT = 1, 2, 4, 8, 16, 32, 64
NUMBER = INTEGER | FRACTION
ANY_TYPE = 127
TYPES = {
    "null": NULL,
    "boolean": BOOLEAN,
    "integer": INTEGER,
    "number": NUMBER,
    "string": STRING,
    "array": ARRAY,
    "object": OBJECT,
}

# A conjunction of schemas; the empty one is anything.
Conjunction = tuple[SchemaTerm, ...]


def pointer_of(terms: Conjunction) -> str:
    """Return the pointer of the conjunction's first schema."""
    for term in terms:
        return term.pointer if isinstance(term, Subschema) else term.subschema.pointer
    return ""


class ObjectPart:
    """Constraints of one schema on members: each value meets the schema of its name, else `additional`.

    Attributes:
        known: the schemas for names that were asked for; same: pairs of them that say the same, of which the first
            stands for both.
        languages: of each pattern, made when they are first asked for.
    """

    __slots__ = ("additional", "known", "languages", "patterns", "properties", "same")

    def __init__(
        self,
        properties: Mapping[str, SchemaTerm],
        patterns: tuple[tuple[str, SchemaTerm, str], ...],
        additional: SchemaTerm | None,
    ) -> None:
        self.properties = properties
        self.patterns = patterns
        self.additional = additional
        self.known: dict[str, list[SchemaTerm]] = {}
        self.same: dict[tuple[SchemaTerm, SchemaTerm], None] = {}
        self.languages: list[Any] | None = None


class ArrayPart:
    """Constraints of one schema on items: by position, else `rest`."""

    __slots__ = ("prefix", "rest")

    def __init__(self, prefix: tuple[SchemaTerm, ...], rest: SchemaTerm | None) -> None:
        self.prefix = prefix
        self.rest = rest


class Contained(NamedTuple):
    """Fewest and most items that meet a schema, from a position on."""

    term: Subschema
    least: int
    most: int | None
    start: int


# What an alternative keeps of what it was asked; it says nothing.
_KEPT = ("_listed", "_unlisted", "_possible")
# What is made of JSON values, which have no hash.
_LISTS = ("enum", "excluded")


class TypeBounds:
    """A conjunction without choices. Each field narrows the values of one type; `types` narrows the types.

    Fields are replaced, never changed in place, so that a copy is a copy of references.
    """

    types = ANY_TYPE
    enum: tuple[Any, ...] | None = None
    excluded: tuple[Any, ...] = ()
    _listed: tuple[Any, frozenset[Any]] = (None, frozenset())
    _unlisted: tuple[Any, frozenset[Any]] = (None, frozenset())
    # The required names and what is said of members that were found to go together.
    _possible: tuple[tuple[str, ...], tuple[ObjectPart, ...]] = ((), ())
    # numbers
    low: Decimal | None = None
    high: Decimal | None = None
    low_open = False
    high_open = False
    multiples: tuple[Decimal, ...] = ()
    not_multiples: tuple[Decimal, ...] = ()
    # strings
    min_length = 0
    max_length: int | None = None
    patterns: tuple[tuple[str, bool, str], ...] = ()
    formats: tuple[tuple[str, bool, str], ...] = ()
    # arrays
    min_items = 0
    max_items: int | None = None
    unique = False
    # some item comes twice
    repeats = False
    arrays: tuple[ArrayPart, ...] = ()
    contains: tuple[Contained, ...] = ()
    # objects
    min_properties = 0
    max_properties: int | None = None
    required: tuple[str, ...] = ()
    objects: tuple[ObjectPart, ...] = ()
    names: tuple[SchemaTerm, ...] = ()
    # for each, a member must exist whose name and value meet these
    exists: tuple[tuple[SchemaTerm, SchemaTerm], ...] = ()

    def copy(self) -> TypeBounds:
        """An alternative that can be narrowed on its own."""
        other = TypeBounds()
        other.__dict__ = self.__dict__.copy()
        return other

    def content(self) -> frozenset[Any]:
        """Equal for alternatives that say the same, as long as both are there."""
        return frozenset(
            (name, id(value) if name in _LISTS else value) for name, value in self.__dict__.items() if name not in _KEPT
        )

    def says_no_more_than(self, base: TypeBounds) -> bool:
        """True if this alternative, made by narrowing the base, is the base unchanged."""
        theirs = base.__dict__
        for name, value in self.__dict__.items():
            other = theirs.get(name)
            if other is not value and other != value and name not in _KEPT:
                return False
        return True

    def listed(self) -> frozenset[Any]:
        """Keys of the values of `enum`, see `canonical`."""
        assert self.enum is not None
        if self._listed[0] is not self.enum:
            self._listed = (self.enum, frozenset(map(canonical, self.enum)))
        return self._listed[1]

    def unlisted(self) -> frozenset[Any]:
        """Keys of the values of `excluded`, like `listed`."""
        if self._unlisted[0] is not self.excluded:
            self._unlisted = (self.excluded, frozenset(map(canonical, self.excluded)))
        return self._unlisted[1]

    def doubtful_names(self) -> Collection[str]:
        """Required names of which more is said than when all were last found to be possible."""
        names, objects = self._possible
        if not names or self.objects[: len(objects)] != objects:
            return self.required
        said: set[str] = set()
        for part in self.objects[len(objects) :]:
            if part.patterns or part.additional is not None:
                return self.required
            said.update(part.properties)
        if not said and self.required is names:
            return ()
        known = frozenset(names) - said
        return [name for name in self.required if name not in known]

    def keep_possible(self) -> None:
        """Record that all required names are possible."""
        self._possible = (self.required, self.objects)

    def key_of(self, kind: int) -> tuple[Any, ...]:
        """Equal for alternatives that allow the same values of one type."""
        return (kind, *_VALUES[kind](self)) if kind in _VALUES else (kind,)


# What narrows the values of each type.
_FIELDS = {
    STRING: ("min_length", "max_length", "patterns", "formats"),
    ARRAY: ("min_items", "max_items", "unique", "repeats", "arrays", "contains"),
    OBJECT: ("min_properties", "max_properties", "required", "objects", "names", "exists"),
    **dict.fromkeys(
        (INTEGER, FRACTION, NUMBER), ("low", "high", "low_open", "high_open", "multiples", "not_multiples")
    ),
}
_VALUES = {kind: attrgetter(*names) for kind, names in _FIELDS.items()}
# For each field its default, and the types of which another value leaves only some.
_NARROWS: dict[str, tuple[Any, int]] = {
    name: (getattr(TypeBounds, name), kind) for kind in (STRING, ARRAY, OBJECT, NUMBER) for name in _FIELDS[kind]
}


def narrowed(bounds: TypeBounds) -> int:
    """The types of which the alternative does not allow every value (but for `excluded` ones)."""
    found = 0
    for name, value in bounds.__dict__.items():
        narrows = _NARROWS.get(name)
        if narrows is not None and value != narrows[0]:
            found |= narrows[1]
    return found


def is_plain(bounds: TypeBounds, kind: int) -> bool:
    """True if the alternative allows every value of the type (but for `excluded` ones)."""
    return not narrowed(bounds) & kind


def is_all_plain(bounds: TypeBounds) -> bool:
    """True if the alternative allows every value of its types, or every one of these in `enum`."""
    return not bounds.excluded and not narrowed(bounds) & bounds.types


KINDS = tuple(
    tuple(types & kind for kind in (NULL, BOOLEAN, STRING, ARRAY, OBJECT, NUMBER) if types & kind)
    for types in range(ANY_TYPE + 1)
)
"""For each set of types those in it, integers and fractions together where both are in it."""


def type_of(value: Any) -> int:
    """The type bit of a JSON value; a number without a fractional part is an integer."""
    kind = TYPE_BITS[type(value)]
    return kind if kind != NUMBER else INTEGER if value == int(value) else FRACTION


TYPE_BITS = {
    type(None): NULL, bool: BOOLEAN, int: INTEGER, Decimal: NUMBER, str: STRING, list: ARRAY, dict: OBJECT,
}  # fmt: skip


def of_types(values: tuple[Any, ...], types: int) -> tuple[Any, ...]:
    """Return the values of these types."""
    if types == ANY_TYPE or (types & STRING and set(map(type, values)) == {str}):
        return values
    return tuple([value for value in values if type_of(value) & types])
