"""From the text of a schema to what a builder takes, as far as the schema is plain."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammars.errors import TooComplexError
from grammars.frontends.json.bundle import ANY_TYPE, TYPES
from grammars.frontends.json.formats import NAMES
from grammars.frontends.json.guarding import UNIQUE_ITEM
from grammars.frontends.json.keywords import ACTIVE
from grammars.frontends.json.library import plain_values
from grammars.frontends.json.options import JsonOptions, dialect_number
from grammars.frontends.json.plain import reading, work
from grammars.frontends.json.plain.emission import GIVEN_UP, TOO_MANY, emit_more, emit_plain, memory_for, ways_of
from grammars.frontends.json.plain.rules import HOLE, NOTHING
from grammars.kernels.layout import Shape, zeros
from grammars.kernels.options import Entry
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import UNIQUE
from grammars.network.operations import CHECKS
from grammars.network.units import UnitClass

# In the order of `plain.reading`.
_READ = (
    "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "additionalItems",
    "enum", "minLength", "maxLength", "$ref", "allOf", "anyOf", "oneOf", "uniqueItems", "format",
)  # fmt: skip
_IDENTIFIERS = ("$id", "id")
_LEFT_OUT = ACTIVE.difference(_READ)
NOT_ASKED = _LEFT_OUT | {"$ref", "format"}
"""Keywords of schemas that it is no use to ask for: they are never plain, or lead to others."""
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
_EMIT, _EMIT_MORE, _WAYS = Entry(emit_plain), Entry(emit_more), Entry(ways_of)
# Memory of runs, as integers of 64 and of 32 bits and as bytes; and that of runs that are done, for the next ones.
_Memory = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]
_FREE: deque[_Memory] = deque(maxlen=2)
_FIRST_ROOM, _MAX_KEPT_ROOM = 1 << 15, 1 << 19


class Hole(NamedTuple):
    """A subschema that is left to others.

    Attributes:
        begin: where it begins in the text; for strings behind the quote.
        rule: the state that is its rule, for others to fill.
        way: names of members, and numbers of items, that lead to it from the root.
    """

    begin: int
    rule: int
    way: tuple[str | int, ...]


class PlainText:
    """The operations for the JSON text of a schema, but for subschemas that are not plain.

    What others emit of it may ask for subschemas in turn, see `rule_at`; and what is emitted then may have holes again.

    Args:
        builder: has the rules of plain values, laid out as "bounded".
        text: of the schema, printable ASCII.

    Attributes:
        text: of the schema; dialect: that it is read in.
        is_read: whether the text is an object in a known dialect; else it is for others as a whole.
        is_one_resource: whether identifiers below the root change nothing, as where nothing refers to anything.
        root: the rule of the schema, or `NOTHING`.
        holes: subschemas that are left to others, in the order in which they were met.
        num_notes: entries of the enforcement report for what was emitted.
    """

    __slots__ = (
        "_builder", "_memory", "_octets", "_tells_items", "dialect", "holes", "is_one_resource", "is_read",
        "num_notes", "root", "text",
    )  # fmt: skip

    def __init__(self, builder: NetworkBuilder, text: str, options: JsonOptions) -> None:
        limits = builder.limits
        self._builder = builder
        self.text = text
        self._octets = np.frombuffer(text.encode(), dtype=np.uint8)
        self._memory = _memory(len(text))
        words, numbers, library_end, string_class, unique = _tables()
        base = builder.shared[_END] - library_end
        if base:
            string_class, unique = builder.class_index(UnitClass.JSON_STRING), builder.guard_index(UNIQUE)
        root: int
        (
            root, place, number, text_place, text_number, num_states, num_holes, new_item, self.num_notes, begin, end,
            self.is_one_resource,
        ) = _EMIT.call(
            self._memory[0], self._octets, words, numbers, *builder.place, base, string_class, unique,
            options.property_order == "schema", options.additional_properties_default,
            "draft-04" not in text and (dialect_number(options.dialect) or 0) > 4, options.formats == "assert",
            -1 if _refers(text) else text.count('$schema"'), limits.max_depth, limits.max_subschemas,
            limits.max_enum_values,
        )  # fmt: skip
        dialect = dialect_number(options.dialect if begin < 0 else text[begin:end])
        self.root = root
        self.is_read = root != GIVEN_UP and dialect is not None
        self.dialect = dialect or 0
        self.holes: list[Hole] = []
        self._tells_items = False
        if self.is_read:
            self._take(place, number, text_place, text_number, num_states, num_holes, new_item)
        else:
            self._give_back()

    def rule_at(self, pointer: str) -> int:
        """The rule of a subschema, `NOTHING`, or `HOLE`, where it is for others to find.

        Args:
            pointer: JSON pointer; nothing on the way has an identifier.

        Raises:
            TooComplexError: with it there are more schemas than `max_subschemas`.
        """
        if not pointer.isascii():
            return HOLE
        builder = self._builder
        rule, place, number, text_place, text_number, num_states, num_holes, new_item, self.num_notes = _EMIT_MORE.call(
            self._memory[0], self._octets, _tables()[0], np.frombuffer(pointer.encode(), dtype=np.uint8), *builder.place
        )
        if rule == TOO_MANY:
            most = builder.limits.max_subschemas
            raise TooComplexError("max_subschemas", most + 1, most, pointer)
        if number or num_holes > len(self.holes):
            self._take(place, number, text_place, text_number, num_states, num_holes, new_item)
        return rule  # type: ignore[no-any-return]

    def finish(self) -> int | None:
        """The rule of the schema once its holes are filled; None: nothing is valid against it."""
        self._give_back()
        return None if self.root == NOTHING else self.root

    def _give_back(self) -> None:
        if len(self._memory[0]) <= _MAX_KEPT_ROOM:
            _FREE.append(self._memory)

    def _take(
        self, place: int, number: int, text_place: int, text_number: int, num_states: int, num_holes: int, new_item: int
    ) -> None:
        (memory, ints, octets), builder = self._memory, self._builder
        operations, texts = ints[place : place + number], octets[text_place : text_place + text_number]
        builder.take(operations.tobytes(), texts.tobytes(), num_states)
        if new_item >= 0 and not self._tells_items:
            self._tells_items = True
            builder.write((CHECKS, new_item, builder.shared[_END], builder.guard_index(UNIQUE_ITEM), 1))
        known, text = len(self.holes), self.text
        if num_holes == known:
            return
        numbers, i = _WAYS.call(memory, self._octets, _tables()[0], known).tolist(), 0
        while i < len(numbers):
            begin, rule, depth = numbers[i : i + 3]
            after = i + 3 + 2 * depth
            steps = [(numbers[j], numbers[j + 1]) for j in range(i + 3, after, 2)]
            self.holes.append(Hole(begin, rule, tuple([text[j:k] if j >= 0 else k for j, k in steps])))
            i = after


def _memory(num_bytes: int) -> _Memory:
    """Memory that nobody else has for a text of so many bytes."""
    needed = memory_for(num_bytes)
    try:
        memory = _FREE.pop()
        if len(memory[0]) >= needed:
            return memory
    except IndexError:
        pass
    # Of what may be needed little is: what is never written to costs nothing.
    words = zeros(Shape((max(needed, _FIRST_ROOM),), np.dtype(np.int64)))
    return words, words.view(np.int32), words.view(np.uint8)


def _refers(text: str) -> bool:
    """Whether a schema of the text may refer to another one."""
    return '$ref"' in text or '$dynamicRef"' in text or '$recursiveRef"' in text


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int64], int, int, int]:
    """Keywords, types and formats, one after another, and the numbers of every run, see `reading` and `work`.

    Then the state where the rules of plain values end, and their numbers of the class of strings and of the guard.
    """
    words = [*_READ, *sorted(_LEFT_OUT), *_IDENTIFIERS, *_TYPES, *NAMES]
    numbers = np.full(work.NUM_NUMBERS, -1, dtype=np.int64)
    starts = [0, *accumulate(map(len, words))]
    numbers[reading.STARTS : reading.STARTS + len(starts)] = starts
    numbers[reading.LAST_FORMAT] = len(words)
    first_format = numbers[reading.FORMATS] = len(words) - len(NAMES)
    first_type = numbers[reading.TYPES] = first_format - len(_TYPES)
    numbers[reading.IDENTIFIERS] = first_type - len(_IDENTIFIERS)
    numbers[reading.BITS : reading.BITS + len(_TYPES)] = [TYPES[name] for name in _TYPES]
    shared, classes, guards = plain_values("bounded")
    for place, key in _PLACES.items():
        numbers[place] = shared[key]
    for types in range(ANY_TYPE + 1):
        numbers[work.RULES + types] = shared.get(("json", "bounded", types), -1)
    numbers[work.STRING_STATES] = len(UnitClass.JSON_STRING.table)
    text = np.frombuffer("".join(words).encode(), dtype=np.uint8)
    return text, numbers, shared[_END], classes[UnitClass.JSON_STRING], guards[UNIQUE]
