"""The operations of a builder for the text of a schema, as far as it is plain: first for all of it, then as asked."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.objects import fill_object
from grammars.frontends.json.plain.others import fill_array, fill_string, fill_words
from grammars.frontends.json.plain.reading import (
    A_CHOICE,
    AN_ENUM,
    ANY_TYPE,
    ARRAY_TYPE,
    NOT_PLAIN,
    OBJECT_TYPE,
    STRING_TYPE,
    list_at,
    read_schema,
)
from grammars.frontends.json.plain.references import is_spelled, row_at
from grammars.frontends.json.plain.rules import HOLE, MAX_LOOKS, NOTHING, hole, rule_of, values_rule
from grammars.frontends.json.plain.tape import (
    AFTER,
    ARRAY,
    BEGIN,
    END,
    KIND,
    NOT_READ,
    NUM_COLUMNS,
    OBJECT,
    PARENT,
    RULE,
    STRING,
    UNMET,
    read,
)
from grammars.frontends.json.plain.work import (
    END_OF_RULES,
    FILLED,
    HOLE_ROW,
    HOLES,
    IS_OPEN,
    IS_ORDERED,
    LOOKS,
    MAX_SCHEMAS,
    MAX_WORDS,
    MET,
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
    write,
)
from grammars.kernels.options import i64, kernel
from grammars.network import expansion as op

# A schema of n rows needs no more integers and bytes of operations than these times n, and as many as its text twice.
_OPS_A_ROW, _TEXTS_A_ROW, _SOME = 32, 6, 512
# Instead of a rule: the whole text is left to others, for it is no JSON object or for its dialect; more schemas were
# met than there may be.
GIVEN_UP, TOO_MANY = -3, -4


@kernel
def _read_again(work, schema):
    return read_schema(work.text, work.tape, schema, work.words, work.at, work.at[MAX_WORDS])


@kernel
def _fill_choice(work, start):
    """From `start` what any schema of the list allows."""
    values = list_at(work.at)
    each, last = i64(values + 1), work.tape[values, AFTER]
    while each < last:
        rule = rule_of(work, each)
        if rule != NOTHING:
            write(work, (op.EPSILON, start, rule))
        each = i64(work.tape[each, AFTER])


@kernel
def _fill(work, schema):
    """Emits what the schema allows from the state that is its rule."""
    kind, types = _read_again(work, schema)
    start = i64(work.tape[schema, RULE])
    if kind == A_CHOICE:
        _fill_choice(work, start)
        return
    if kind == AN_ENUM:
        fill_words(work, start)
        return
    narrowed = types >> 7
    if narrowed & OBJECT_TYPE and not fill_object(work, start):
        left = hole(work, schema)
        work.tape[schema, RULE] = left
        write(work, (op.EPSILON, start, left))
        return
    if narrowed & ARRAY_TYPE:
        _read_again(work, schema)
        fill_array(work, start)
    if narrowed & STRING_TYPE:
        _read_again(work, schema)
        fill_string(work, start)
    rest = i64(types & ANY_TYPE & ~narrowed)
    if rest:
        write(work, (op.CALL, start, values_rule(work, rest), work.at[END_OF_RULES]))


@kernel
def _emit(work, schema):
    """The rule of the schema, with everything that it needs, or `TOO_MANY`."""
    rule = rule_of(work, schema)
    while work.at[FILLED] < work.at[QUEUED]:
        if work.at[MET] > work.at[MAX_SCHEMAS]:
            return i64(TOO_MANY)
        _fill(work, work.lists[QUEUE, work.at[FILLED]])
        work.at[FILLED] += 1
    return rule


@kernel
def _ways(work, first):
    """For each hole from `first` on where it begins, and how many steps lead to it; then each step.

    A step is where a name begins and ends, or -1 and the number of an item.
    """
    tape, total = work.tape, 0
    for i in range(first, work.at[HOLES]):
        row = work.lists[HOLE_ROW, i]
        total += 2
        while tape[row, PARENT] >= 0:
            total, row = total + 2, i64(tape[row, PARENT])
    ways, used = np.empty(total, dtype=np.int32), 0
    for i in range(first, work.at[HOLES]):
        row, depth = work.lists[HOLE_ROW, i], 0
        while tape[row, PARENT] >= 0:
            depth, row = depth + 1, i64(tape[row, PARENT])
        row = work.lists[HOLE_ROW, i]
        ways[used], ways[used + 1] = tape[row, BEGIN], depth
        used += 2 + 2 * depth
        for j in range(depth):
            parent = i64(tape[row, PARENT])
            begin, end = i64(tape[row - 1, BEGIN]), i64(tape[row - 1, END])
            if tape[parent, KIND] == ARRAY:
                begin, end, each = i64(-1), i64(0), parent + 1
                while each != row:
                    end, each = end + 1, i64(tape[each, AFTER])
            ways[used - 2 - 2 * j], ways[used - 1 - 2 * j] = begin, end
            row = parent
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
    text, words, numbers, num_states, num_texts, base, string_class, unique, is_ordered, is_open, max_depth,
    max_schemas, max_words,
):  # fmt: skip
    """The operations for the schema that `text` is, as far as it is plain.

    Args:
        text: JSON; words: see `Work`; numbers: those of every run, with the states of the library from `base` on.
        num_states, num_texts: how many states, and bytes of texts, there are.
        string_class, unique: number of the class of characters of strings, and of the guard `UNIQUE`.
        is_ordered: members come in the order of the text; is_open: there may be undeclared ones where nothing is said.
        max_depth, max_schemas, max_words: most levels, schemas, values of an enum; the rest is left to others.

    Returns:
        The rule, see `rule_of`, or `GIVEN_UP`; operations, texts, and how one comes to the holes, see `_ways`; where
        the name of the dialect begins and ends, see `_dialect`; the arrays of `Work` that `emit_more` goes on with.
    """
    # A row takes two bytes of text at least.
    tape = np.empty((len(text) // 2 + 2, NUM_COLUMNS), dtype=np.int32)
    num_rows = read(text, tape, max_depth)
    nothing, no_bytes, at = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8), numbers.copy()
    if num_rows == NOT_READ or tape[0, KIND] != OBJECT:
        lists = np.empty((NUM_LISTS, 0), dtype=np.int64)
        return i64(GIVEN_UP), nothing, no_bytes, nothing, i64(-1), i64(-1), tape, nothing, no_bytes, at, lists
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
    rule = _emit(work, 0)
    if rule == TOO_MANY:
        rule = i64(GIVEN_UP)
    begin, end = _dialect(text, tape)
    ways = _ways(work, 0)
    return rule, ops[: at[OPS]], texts[: at[TEXTS]], ways, i64(begin), i64(end), tape, ops, texts, at, lists


@kernel
def emit_more(text, tape, words, ops, texts, at, lists, pointer, num_states, num_texts):
    """The operations for the schema at a place of a text that `emit_plain` has read.

    Args:
        text, tape, words, ops, texts, at, lists: see `Work`.
        pointer: JSON pointer of the schema; no other resource begins on the way.
        num_states, num_texts: how many states, and bytes of texts, there are.

    Returns:
        The rule, `NOTHING`, `TOO_MANY`, or `HOLE`, where others have to find it; operations, texts, and how one comes
        to further holes, see `_ways`.
    """
    work = Work(text, tape, words, ops, texts, at, lists)
    nothing = np.empty(0, dtype=np.int32)
    rule, schema = i64(HOLE), i64(-1)
    if at[LOOKS] < MAX_LOOKS:
        found, looks = row_at(text, tape, pointer, 0, len(pointer), True)
        at[LOOKS] += looks
        schema = i64(found)
    if schema >= 0:
        rule = i64(tape[schema, RULE])
    if rule == UNMET and (tape[schema, KIND] != OBJECT or _read_again(work, schema)[0] == NOT_PLAIN):
        rule = i64(HOLE)
    if rule != UNMET:
        return max(rule, i64(HOLE)), nothing, texts[:0], nothing
    at[OPS] = at[TEXTS] = 0
    at[STATES], at[TEXT_BASE] = num_states, num_texts
    first = at[HOLES]
    rule = _emit(work, schema)
    return rule if rule == TOO_MANY else max(rule, i64(HOLE)), ops[: at[OPS]], texts[: at[TEXTS]], _ways(work, first)
