"""Conjunctions of objects that say nothing of the same members, which are one object."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.choices import MAX_CHAIN, resolve
from grammars.frontends.json.plain.reading import (
    A_CONJUNCTION,
    ADDITIONAL,
    ALL_OF,
    ANY_TYPE,
    FOUND,
    NARROWED,
    NUM_READ,
    OBJECT_TYPE,
    PROPERTIES,
    REQUIRED,
    TYPED,
)
from grammars.frontends.json.plain.tape import AFTER, KIND, OBJECT, TRUE
from grammars.kernels.options import i64, kernel

MAX_PARTS = 64


@kernel
def parts_of(work, schema, parts):
    """Which schemas say what members an object of the conjunction has, in the order in which they are applied.

    Args:
        parts: gets their rows, `MAX_PARTS` at most.

    Returns:
        How many there are, -1 where others have to look; how many schemas, and keywords of them, were read.
    """
    tape, at = work.tape, work.at
    stack, chain = np.empty(MAX_PARTS, dtype=np.int64), np.empty(MAX_CHAIN, dtype=np.int64)
    stack[0] = schema
    height, types, number, met, noted = 1, ANY_TYPE, 0, 0, 0
    while height > 0:
        height -= 1
        found, kind, own, length = resolve(work, stack[height], chain, False)
        met += 1
        if met > MAX_PARTS or (tape[found, KIND] != OBJECT and tape[found, KIND] != TRUE):
            return -1, met, noted
        if tape[found, KIND] == TRUE:
            continue
        noted += length
        for i in range(NUM_READ):
            noted += at[FOUND + i] >= 0
        is_part = at[FOUND + PROPERTIES] >= 0 or at[FOUND + REQUIRED] >= 0
        if kind == A_CONJUNCTION:
            values, first = at[FOUND + ALL_OF], height
            each = i64(values + 1)
            while each < tape[values, AFTER]:
                if height == MAX_PARTS:
                    return -1, met, noted
                stack[height] = each
                height, each = height + 1, i64(tape[each, AFTER])
            stack[first:height] = stack[first:height][::-1].copy()
        elif (kind != TYPED and (kind != NARROWED or own >> 7 != OBJECT_TYPE)) or at[FOUND + ADDITIONAL] >= 0:
            return -1, met, noted
        types &= own
        if is_part:
            parts[number] = found
            number += 1
    return (number if types & ANY_TYPE == OBJECT_TYPE else -1), met, noted
