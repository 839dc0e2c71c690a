"""Random texts under one constraint, and the memory it takes for them."""

from __future__ import annotations

import random

import numpy as np

from grammars import CompiledGrammar

LISTS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 60},
            "note": {"type": "string"},
            "size": {"type": "number"},
            "parts": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
        "required": ["name", "size"],
        "additionalProperties": False,
    },
}


def most_bytes(compiled: CompiledGrammar, num_tokens: int) -> tuple[int, int]:
    """Writes random allowed tokens, text after text; the most memory in the first half of them, and in all.

    One token in eight has a quote in it, where one is allowed: of the many that go on with a string few end it.
    """
    rng, row = random.Random(0), np.zeros(compiled.vocabulary.tables.num_words, dtype=np.uint32)
    closing = np.zeros_like(row)
    for token_id, data in enumerate(compiled.vocabulary.tokens):
        if data and b'"' in data:
            closing[token_id >> 5] |= np.uint32(1 << (token_id & 31))
    matcher, most, half = compiled.matcher(), 0, 0
    for number in range(num_tokens):
        matcher.fill_mask(row)
        wanted = row & closing if number % 8 == 0 and (row & closing).any() else row
        place = int(rng.choice(np.flatnonzero(wanted)))
        bits = [bit for bit in range(32) if int(wanted[place]) >> bit & 1]
        assert matcher.accept(32 * place + rng.choice(bits))
        if matcher.is_ended:
            matcher = compiled.matcher()
        if number % 100 == 0:
            most = max(most, compiled.num_bytes)
        if 2 * number <= num_tokens:
            half = most
    return half, most
