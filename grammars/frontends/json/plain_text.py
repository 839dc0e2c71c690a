"""From the text of a schema to what a builder takes, as far as the schema is plain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammars.frontends.json.algebra import ACTIVE
from grammars.frontends.json.bundle import ANY_TYPE, TYPES
from grammars.frontends.json.library import plain_values
from grammars.frontends.json.options import JsonOptions, dialect_number
from grammars.frontends.json.plain import reading, work
from grammars.frontends.json.plain.emission import emit_plain
from grammars.frontends.json.plain.rules import GIVEN_UP, NOTHING
from grammars.kernels.options import Entry
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import UNIQUE
from grammars.network.network import Ints
from grammars.network.units import UnitClass

# In the order of `plain.reading`.
_READ = (
    "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "enum", "minLength",
    "maxLength", "$ref",
)  # fmt: skip
_IDENTIFIERS = ("$id", "id")
_TYPES = ("string", "object", "array", "number", "integer", "boolean", "null")
_END = ("json end", "bounded")
_PLACES = {
    work.END_OF_RULES: _END,
    work.SEPARATOR: ("json separator", "bounded"),
    work.INDENT: "json indent",
    work.CLOSE_OBJECT: ("json closing", "bounded", ord("}")),
    work.CLOSE_ARRAY: ("json closing", "bounded", ord("]")),
    work.OTHERS_OF_ANY: ("json others", "bounded"),
}
_NO_RULES = np.empty((0, 2), dtype=np.int32)
_EMIT = Entry(emit_plain)


class Hole(NamedTuple):
    """A subschema that is left to others.

    Attributes:
        begin: where it begins in the text; for strings behind the quote.
        way: names of members that lead to it from the root.
    """

    begin: int
    way: tuple[str, ...]


class PlainText:
    """The operations for the JSON text of a schema, but for subschemas that are not plain.

    Args:
        builder: has the rules of plain values, laid out as "bounded".
        text: of the schema, printable ASCII.

    Attributes:
        text: of the schema; dialect: that it is read in.
        is_read: whether there is more than these subschemas; else the text is for others as a whole.
        holes: these subschemas.
        num_notes: entries of the enforcement report for everything else.
    """

    __slots__ = (
        "_builder",
        "_emitted",
        "_options",
        "_rows",
        "_text",
        "dialect",
        "holes",
        "is_read",
        "num_notes",
        "text",
    )

    def __init__(self, builder: NetworkBuilder, text: str, options: JsonOptions) -> None:
        self._builder = builder
        self._options = options
        self.text = text
        self._text = np.frombuffer(text.encode(), dtype=np.uint8)
        rule, _, self.num_notes, begin, end, *_, ways = self._emitted = self._run(_NO_RULES)
        dialect = dialect_number(options.dialect if begin < 0 else text[begin:end])
        self.is_read = rule != GIVEN_UP and dialect is not None
        self.dialect = dialect or 0
        self._rows: list[int] = []
        self.holes: list[Hole] = []
        if self.is_read and len(ways):
            self._read_ways(ways.tolist())

    def filled(self, rules: Sequence[int | None]) -> int | None:
        """Gives the builder everything; the rule of the schema.

        Args:
            rules: of the holes; None: of a subschema that nothing is valid against.
        """
        if self._rows:
            found = [(row, NOTHING if rule is None else rule) for row, rule in zip(self._rows, rules, strict=True)]
            self._emitted = self._run(np.array(found, dtype=np.int32))
        rule, num_states, _, _, _, operations, texts, _ = self._emitted
        self._builder.take(operations, texts, num_states)
        return None if rule == NOTHING else rule

    def _run(self, hole_rules: Ints) -> Any:
        builder, options, limits = self._builder, self._options, self._builder.limits
        words, numbers, end, string_class, unique = _tables()
        base = builder.shared[_END] - end
        if base:
            string_class, unique = builder.class_index(UnitClass.JSON_STRING), builder.guard_index(UNIQUE)
        return _EMIT.call(
            self._text, words, numbers, hole_rules, builder.num_states, builder.num_text_bytes, base, string_class,
            unique, options.property_order == "schema", options.additional_properties_default, limits.max_depth,
            limits.max_subschemas, limits.max_enum_values,
        )  # fmt: skip

    def _read_ways(self, ways: list[int]) -> None:
        i, text = 0, self.text
        while i < len(ways):
            row, begin, depth = ways[i : i + 3]
            after = i + 3 + 2 * depth
            self._rows.append(row)
            self.holes.append(Hole(begin, tuple([text[ways[j] : ways[j + 1]] for j in range(i + 3, after, 2)])))
            i = after


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int64], int, int, int]:
    """Keywords and names of types, one after another, and the numbers of every run, see `reading` and `work`.

    Then the state where the rules of plain values end, and their numbers of the class of strings and of the guard.
    """
    words = [*_READ, *sorted(ACTIVE.difference(_READ)), *_IDENTIFIERS, *_TYPES]
    numbers = np.full(work.NUM_NUMBERS, -1, dtype=np.int64)
    starts = [0, *accumulate(map(len, words))]
    numbers[reading.STARTS : reading.STARTS + len(starts)] = starts
    numbers[reading.NUM_WORDS] = len(words)
    numbers[reading.TYPES] = len(words) - len(_TYPES)
    numbers[reading.IDENTIFIERS] = len(words) - len(_TYPES) - len(_IDENTIFIERS)
    numbers[reading.BITS : reading.BITS + len(_TYPES)] = [TYPES[name] for name in _TYPES]
    shared, classes, guards = plain_values("bounded")
    for place, key in _PLACES.items():
        numbers[place] = shared[key]
    for types in range(ANY_TYPE + 1):
        numbers[work.RULES + types] = shared.get(("json", "bounded", types), -1)
    numbers[work.STRING_STATES] = len(UnitClass.JSON_STRING.table)
    text = np.frombuffer("".join(words).encode(), dtype=np.uint8)
    return text, numbers, shared[_END], classes[UnitClass.JSON_STRING], guards[UNIQUE]
