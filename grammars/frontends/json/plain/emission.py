"""The operations of a builder for the text of a schema, as far as it is plain, in one call."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.objects import fill_object
from grammars.frontends.json.plain.others import fill_array, fill_string, fill_words
from grammars.frontends.json.plain.reading import AN_ARRAY, AN_ENUM, AN_OBJECT, read_schema
from grammars.frontends.json.plain.references import is_spelled
from grammars.frontends.json.plain.rules import GIVEN_UP, rule_of
from grammars.frontends.json.plain.tape import (
    AFTER,
    BEGIN,
    END,
    KIND,
    NOT_READ,
    NUM_COLUMNS,
    OBJECT,
    PARENT,
    RULE,
    STRING,
    read,
)  # fmt: skip
from grammars.frontends.json.plain.work import (
    END_OF_RULES,
    HOLE_ROW,
    HOLES,
    IS_OPEN,
    IS_ORDERED,
    MAX_SCHEMAS,
    MAX_WORDS,
    MET,
    NOTES,
    NUM_LISTS,
    NUM_NUMBERS,
    OPS,
    PLACE,
    QUEUE,
    QUEUED,
    STATES,
    STRING_CLASS,
    STRING_STATES,
    TEXT_BASE,
    TEXTS,
    UNIQUE,
    Work,
)  # fmt: skip
from grammars.kernels.options import i64, kernel

# A schema of n rows needs no more integers and bytes of operations than these times n, and as many as its text twice.
_OPS_A_ROW, _TEXTS_A_ROW, _SOME = 32, 6, 512


@kernel
def _fill(work, schema):
    """Emits what the schema allows; False: the text is left to others."""
    kind, _ = read_schema(
        work.text, work.tape, schema, work.words, work.at, work.at[MAX_WORDS]
    )  # fmt: skip
    start = i64(work.tape[schema, RULE])
    if kind == AN_OBJECT:
        return fill_object(work, start)
    if kind == AN_ARRAY:
        return fill_array(work, start)
    if kind == AN_ENUM:
        fill_words(work, start)
    else:
        fill_string(work, start)
    return True


@kernel
def _ways(work):
    """For each hole its row, where it begins, and how many names lead to it; then where each name begins and ends."""
    tape, total = work.tape, 0
    for i in range(work.at[HOLES]):
        row = work.lists[HOLE_ROW, i]
        total += 3
        while tape[row, PARENT] >= 0:
            total, row = total + 2, i64(tape[row, PARENT])
    ways, used = np.empty(total, dtype=np.int32), 0
    for i in range(work.at[HOLES]):
        row, depth = work.lists[HOLE_ROW, i], 0
        while tape[row, PARENT] >= 0:
            depth, row = depth + 1, i64(tape[row, PARENT])
        row = work.lists[HOLE_ROW, i]
        ways[used], ways[used + 1], ways[used + 2] = row, tape[row, BEGIN], depth
        used += 3 + 2 * depth
        for j in range(depth):
            ways[used - 2 - 2 * j], ways[used - 1 - 2 * j] = tape[row - 1, BEGIN], tape[row - 1, END]
            row = i64(tape[row, PARENT])
    return ways


@kernel
def _dialect(text, tape):
    """Where the text of `$schema` begins and ends: -1 where there is none, 0 where it is not plain text."""
    begin, end, name = -1, -1, 1
    while name < tape[0, AFTER]:
        if is_spelled(text, tape[name], b"$schema"):
            is_text = tape[name + 1, KIND] == STRING
            begin, end = (tape[name + 1, BEGIN], tape[name + 1, END]) if is_text else (0, 0)
        name = tape[name + 1, AFTER]
    return begin, end


@kernel
def emit_plain(
    text, words, numbers, hole_rules, num_states, num_texts, base, string_class, unique, is_ordered, is_open, max_depth,
    max_schemas, max_words,
):  # fmt: skip
    """The operations for the schema that `text` is, as far as it is plain.

    Args:
        text: JSON; words: see `Work`; numbers: those of every run, with the states of the library from `base` on.
        hole_rules: int32[n, 2]; schemas left to others whose rules are known, row and rule.
        num_states, num_texts: how many states, and bytes of texts, there are.
        string_class, unique: number of the class of characters of strings, and of the guard `UNIQUE`.
        is_ordered: members come in the order of the text; is_open: there may be undeclared ones where nothing is said.
        max_depth, max_schemas, max_words: most levels, schemas, values of an enum; the rest is left to others.

    Returns:
        The rule, or `GIVEN_UP`; how many states there are then, and entries of the report; where the name of the
        dialect begins and ends, see `_dialect`; operations, texts, and how one comes to the holes, see `_ways`.
    """
    # A row takes two bytes of text at least.
    tape = np.empty((len(text) // 2 + 2, NUM_COLUMNS), dtype=np.int32)
    num_rows = read(text, tape, max_depth)
    nothing, no_bytes = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8)
    if num_rows == NOT_READ or tape[0, KIND] != OBJECT:
        return i64(GIVEN_UP), num_states, i64(0), i64(-1), i64(-1), nothing, no_bytes, nothing
    at = numbers.copy()
    at[OPS:IS_OPEN] = 0
    at[STATES], at[TEXT_BASE], at[MAX_SCHEMAS], at[MAX_WORDS] = num_states, num_texts, max_schemas, max_words
    at[IS_ORDERED], at[IS_OPEN] = is_ordered, is_open
    if base != 0:
        for i in range(END_OF_RULES, NUM_NUMBERS):
            at[i] += base if at[i] >= 0 else 0
    at[STRING_CLASS], at[UNIQUE], at[STRING_STATES] = string_class, unique, numbers[STRING_STATES]
    num_places = 16
    while num_places < num_rows:
        num_places *= 2
    lists = np.empty((NUM_LISTS, num_places), dtype=np.int64)
    lists[PLACE, :] = -1
    ops = np.empty(_OPS_A_ROW * num_rows + _SOME, dtype=np.int32)
    texts = np.empty(2 * len(text) + _TEXTS_A_ROW * num_rows + _SOME, dtype=np.uint8)
    work = Work(text, tape, words, ops, texts, at, lists)
    for i in range(len(hole_rules)):
        tape[hole_rules[i, 0], RULE] = hole_rules[i, 1]
    root = rule_of(work, 0)
    done = 0
    while root != GIVEN_UP and done < at[QUEUED]:
        if at[MET] > max_schemas or not _fill(work, lists[QUEUE, done]):
            root = i64(GIVEN_UP)
        done += 1
    begin, end = _dialect(text, tape)
    return (
        root, at[STATES], at[NOTES], i64(begin), i64(end), ops[: at[OPS]], texts[: at[TEXTS]], _ways(work),
    )  # fmt: skip
