"""What a conjunction of schemas says about a value, type by type."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from grammars.frontends.json.document import Literal, Site

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
Goal = tuple[Literal, ...]


def goal_pointer(goal: Goal) -> str:
    """Where the goal's first schema stands."""
    for literal in goal:
        return literal.pointer if isinstance(literal, Site) else literal.site.pointer
    return ""


class ObjectPart:
    """What one schema says about members: each value meets the schema of its name, else `additional`."""

    __slots__ = ("additional", "patterns", "properties")

    def __init__(
        self, properties: dict[str, Literal], patterns: tuple[tuple[str, Literal, str], ...], additional: Literal | None
    ) -> None:
        self.properties = properties
        self.patterns = patterns
        self.additional = additional


class ArrayPart:
    """What one schema says about items: by position, else `rest`."""

    __slots__ = ("prefix", "rest")

    def __init__(self, prefix: tuple[Literal, ...], rest: Literal | None) -> None:
        self.prefix = prefix
        self.rest = rest


class Contained(NamedTuple):
    """How many items must at least, and may at most, meet a schema, from a position on."""

    literal: Site
    least: int
    most: int | None
    start: int


# Of a bundle, what was worked out from other fields.
_KEPT = ("_listed", "_unlisted")


class Bundle:
    """A conjunction without choices. Each field narrows the values of one type; `types` narrows the types.

    Fields are replaced, never changed in place, so that a copy is a copy of references.
    """

    types = ANY_TYPE
    enum: tuple[Any, ...] | None = None
    excluded: tuple[Any, ...] = ()
    _listed: tuple[Any, frozenset[Any]] = (None, frozenset())
    _unlisted: tuple[Any, frozenset[Any]] = (None, frozenset())
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
    arrays: tuple[ArrayPart, ...] = ()
    contains: tuple[Contained, ...] = ()
    # objects
    min_properties = 0
    max_properties: int | None = None
    required: tuple[str, ...] = ()
    objects: tuple[ObjectPart, ...] = ()
    names: tuple[Literal, ...] = ()
    # for each, a member must exist whose name and value meet these
    exists: tuple[tuple[Literal, Literal], ...] = ()

    def copy(self) -> Bundle:
        """A bundle that can be narrowed on its own."""
        other = Bundle()
        other.__dict__.update(self.__dict__)
        return other

    def says_no_more_than(self, base: Bundle) -> bool:
        """Whether this bundle, made by narrowing the base, is the base unchanged."""
        mine, theirs = self.__dict__, base.__dict__
        return all(theirs.get(name) == value for name, value in mine.items() if name not in _KEPT)

    def lists(self, value: Any) -> bool:
        """Whether the value is one of `enum`."""
        assert self.enum is not None
        if self._listed[0] is not self.enum:
            self._listed = (self.enum, frozenset(map(canonical, self.enum)))
        return canonical(value) in self._listed[1]

    def excludes(self, value: Any) -> bool:
        """Whether the value is one of `excluded`."""
        if self._unlisted[0] is not self.excluded:
            self._unlisted = (self.excluded, frozenset(map(canonical, self.excluded)))
        return canonical(value) in self._unlisted[1]

    def string_key(self) -> tuple[Any, ...]:
        """Equal for bundles that allow the same strings."""
        return (self.min_length, self.max_length, self.patterns, self.formats)

    def number_key(self) -> tuple[Any, ...]:
        """Equal for bundles that allow the same numbers."""
        return (self.low, self.high, self.low_open, self.high_open, self.multiples, self.not_multiples)

    def array_key(self) -> tuple[Any, ...]:
        """Equal for bundles that allow the same arrays."""
        return (self.min_items, self.max_items, self.unique, self.arrays, self.contains)

    def object_key(self) -> tuple[Any, ...]:
        """Equal for bundles that allow the same objects."""
        return (self.min_properties, self.max_properties, self.required, self.objects, self.names, self.exists)

    def key_of(self, kind: int) -> tuple[Any, ...]:
        """Equal for bundles that allow the same values of one type."""
        if kind & NUMBER:
            return (kind, *self.number_key())
        keys = {STRING: self.string_key, ARRAY: self.array_key, OBJECT: self.object_key}
        return (kind, *keys[kind]()) if kind in keys else (kind,)


_PLAIN = Bundle()
_PLAIN_KEYS = {kind: _PLAIN.key_of(kind) for kind in (NULL, BOOLEAN, INTEGER, FRACTION, STRING, ARRAY, OBJECT)}
_PLAIN_KEYS[NUMBER] = _PLAIN.key_of(NUMBER)


_SAYS_NOTHING = frozenset(("types", "enum", "excluded", *_KEPT))


def is_plain(bundle: Bundle, kind: int) -> bool:
    """Whether the bundle allows every value of the type (but for `excluded` ones)."""
    if bundle.__dict__.keys() <= _SAYS_NOTHING:
        return True
    if kind == OBJECT and (bundle.objects or bundle.required):
        return False
    return bundle.key_of(kind) == _PLAIN_KEYS[kind]


def kinds(types: int) -> Iterator[int]:
    """The types in the set, integers and fractions together where both are in it."""
    for kind in (NULL, BOOLEAN, STRING, ARRAY, OBJECT):
        if types & kind:
            yield kind
    if types & NUMBER:
        yield types & NUMBER


def type_of(value: Any) -> int:
    """The type bit of a JSON value; a number without a fractional part is an integer."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, (int, Decimal)):
        return INTEGER if value == int(value) else FRACTION
    return STRING if isinstance(value, str) else ARRAY if isinstance(value, list) else OBJECT


def canonical(value: Any) -> Any:
    """A hashable stand-in: equal for values that JSON calls equal, so for 1 and 1.0 but not for 1 and true."""
    if isinstance(value, bool) or value is None:
        return (type(value), value)
    if isinstance(value, list):
        return ("array", *map(canonical, value))
    if isinstance(value, dict):
        return ("object", frozenset((name, canonical(item)) for name, item in value.items()))
    return value
