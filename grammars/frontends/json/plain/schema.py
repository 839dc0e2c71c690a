"""From the text of a schema to what a builder takes, as far as the schema is plain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from grammars.frontends.json.algebra import ACTIVE
from grammars.frontends.json.bundle import TYPES
from grammars.frontends.json.library import numbered_rules
from grammars.frontends.json.options import JsonOptions, dialect_number
from grammars.frontends.json.plain.emission import GIVEN_UP, NOTHING, emit_plain
from grammars.frontends.json.plain.work import DIALECT_BEGIN, DIALECT_END, NOTES, NUM_COUNTERS, STATES, TEXT_BASE
from grammars.kernels.options import Entry
from grammars.network.builder import NetworkBuilder
from grammars.network.network import Ints

# In the order of `reading`.
_READ = (
    "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "enum", "minLength",
    "maxLength", "$ref",
)  # fmt: skip
_IDENTIFIERS = ("$id", "id")
_TYPES = ("string", "object", "array", "number", "integer", "boolean", "null")
_NO_RULES = np.empty((0, 2), dtype=np.int32)
_EMIT = Entry(emit_plain)

# Names of members that lead from the root of a schema to a subschema.
Way = tuple[str, ...]


class PlainText:
    """The operations for the JSON text of a schema, but for subschemas that are not plain.

    Args:
        builder: has the rules of plain values, laid out as "bounded".
        text: of the schema, printable ASCII.

    Attributes:
        is_read: whether there is more than these subschemas; else the text is for others as a whole.
        holes: where they stand.
        num_notes: entries of the enforcement report for everything else.
    """

    def __init__(self, builder: NetworkBuilder, text: str, options: JsonOptions) -> None:
        limits = builder.limits
        self._builder = builder
        self._text = np.frombuffer(text.encode(), dtype=np.uint8)
        self._bounds = np.array(
            [
                limits.max_depth,
                limits.max_subschemas,
                limits.max_enum_values,
                options.property_order == "schema",
                options.additional_properties_default,
            ],
            dtype=np.int64,
        )
        self._rule, self._operations, self._texts, ways = self._run(_NO_RULES)
        begin, end = self._counters[DIALECT_BEGIN : DIALECT_END + 1].tolist()
        self.is_read = self._rule != GIVEN_UP and (begin < 0 or dialect_number(text[begin:end]) is not None)
        self.num_notes = int(self._counters[NOTES])
        self._rows: list[int] = []
        self.holes: list[Way] = []
        if self.is_read and len(ways):
            self._read_ways(text, ways.tolist())

    def filled(self, rules: Sequence[int | None]) -> int | None:
        """Gives the builder everything; the rule of the schema.

        Args:
            rules: of the holes; None: of a subschema that nothing is valid against.
        """
        if self._rows:
            found = [(row, NOTHING if rule is None else rule) for row, rule in zip(self._rows, rules, strict=True)]
            self._rule, self._operations, self._texts, _ = self._run(np.array(found, dtype=np.int32))
        self._builder.take(self._operations, self._texts, int(self._counters[STATES]))
        return None if self._rule == NOTHING else self._rule

    def _run(self, hole_rules: Ints) -> Any:
        builder = self._builder
        self._counters = np.zeros(NUM_COUNTERS, dtype=np.int64)
        self._counters[STATES], self._counters[TEXT_BASE] = builder.num_states, builder.num_text_bytes
        return _EMIT.call(self._text, *_words(), numbered_rules(builder), self._bounds, self._counters, hole_rules)

    def _read_ways(self, text: str, ways: list[int]) -> None:
        i = 0
        while i < len(ways):
            self._rows.append(ways[i])
            after = i + 2 + 2 * ways[i + 1]
            self.holes.append(tuple([text[ways[j] : ways[j + 1]] for j in range(i + 2, after, 2)]))
            i = after


@cache
def _words() -> tuple[Ints, Ints, Ints, Ints]:
    """Keywords and names of types: as `Work` has them."""
    words = [*_READ, *sorted(ACTIVE.difference(_READ)), *_IDENTIFIERS, *_TYPES]
    starts = [0, *accumulate(map(len, words))]
    num_keywords = len(words) - len(_TYPES) - len(_IDENTIFIERS)
    sections = [len(_READ), num_keywords, num_keywords + len(_IDENTIFIERS), len(words)]
    bits = [TYPES[name] for name in _TYPES]
    text = np.frombuffer("".join(words).encode(), dtype=np.uint8)
    return text, *[np.array(each, dtype=np.int64) for each in (starts, sections, bits)]  # type: ignore[return-value]
