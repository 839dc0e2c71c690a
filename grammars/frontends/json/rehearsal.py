"""What many schemas need, made once a process: so that none of them has to wait for it."""

from __future__ import annotations

from functools import cache

import numpy as np

from grammars.frontends.json.formats import NAMES
from grammars.frontends.json.spec import JsonSchema
from grammars.limits import DEFAULT_LIMITS
from grammars.network.builder import NetworkBuilder
from grammars.network.operations import NOTHING, NUM_COUNTS, count_rows, trie_size


@cache
def rehearse() -> None:
    """Every format is made, and the machine code behind patterns and numbers is loaded."""
    formats = [{"type": "string", "format": name} for name in NAMES]
    patterns = {"allOf": [{"pattern": "a.*b"}, {"pattern": "[0-9]$"}, {"not": {"pattern": "c"}}], "type": "string"}
    counted = {"type": "string", "pattern": "^(ab|c)*$", "maxLength": 9}
    numbers = {"type": "number", "minimum": 0, "multipleOf": 0.5, "not": {"const": 1}}
    few = {"type": "object", "patternProperties": {"^x": {"type": "array", "items": numbers}}, "required": ["x"]}
    plain = {"type": "object", "properties": {"a": {"type": "string"}, "b": patterns}}
    JsonSchema(plain).emit(NetworkBuilder(DEFAULT_LIMITS))
    # Large networks, and lists of very many words, are measured before they are assembled.
    count_rows(np.array([NOTHING], dtype=np.int32), np.zeros(NUM_COUNTS, dtype=np.int64))
    trie_size(np.frombuffer(b"a", dtype=np.uint8), np.ones(1, dtype=np.int32), 1)
    schema = JsonSchema({"oneOf": [few, {"type": "array", "items": {"anyOf": [patterns, counted, *formats]}}]})
    schema.emit(NetworkBuilder(DEFAULT_LIMITS))
