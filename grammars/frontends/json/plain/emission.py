"""The operations of a builder for the text of a schema, as far as it is plain: first for all of it, then as asked."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.choices import MAX_LOOKS, has_any_string, is_list
from grammars.frontends.json.plain.conjunctions import MAX_PARTS, parts_of
from grammars.frontends.json.plain.objects import fill_object
from grammars.frontends.json.plain.others import (
    BY_OTHERS,
    NO_CHECK,
    check_of_items,
    fill_array,
    fill_string,
    fill_words,
)
from grammars.frontends.json.plain.reading import (
    A_CHOICE,
    A_CONJUNCTION,
    ADDITIONAL,
    AN_ENUM,
    ANY_OF,
    ANY_TYPE,
    ARRAY_TYPE,
    FORMATS,
    FOUND,
    IDENTIFIERS,
    LAST_BELOW,
    LAST_FORMAT,
    NOT_PLAIN,
    OBJECT_TYPE,
    PROPERTIES,
    REQUIRED,
    STRING_TYPE,
    TYPES,
    is_unique,
    list_at,
    read_schema,
)
from grammars.frontends.json.plain.references import is_spelled, row_at
from grammars.frontends.json.plain.rules import FIRST_HOLE, HOLE, NOTHING, hole, rule_of, values_rule
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
    HAS_CONST,
    HOLE_ROW,
    HOLES,
    IS_OPEN,
    IS_ORDERED,
    LOOKS,
    MAX_SCHEMAS,
    MAX_WORDS,
    MET,
    NEW_ITEM,
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
    write,
)
from grammars.kernels.options import entry, i64, kernel
from grammars.network import operations as op

# A schema of n rows needs no more integers and bytes of operations than these times n, and as many as its text twice.
_OPS_A_ROW, _TEXTS_A_ROW, _SOME = 32, 6, 512
# The memory begins with how many rows, and places of `PLACE`, there are.
_NUM_ROWS, _NUM_PLACES, _HEADER = range(3)
# Instead of a rule: the whole text is left to others, for it is no JSON object or for its dialect; more schemas were
# met than there may be.
GIVEN_UP, TOO_MANY = -3, -4


@kernel
def _read_again(work, schema):
    return read_schema(work.text, work.tape, schema, work.words, work.at, work.at[MAX_WORDS])


@kernel
def _fill_choice(work, start):
    """From `start` what any schema of the list allows."""
    values, is_any = list_at(work.at), work.at[FOUND + ANY_OF] >= 0
    each, last = i64(values + 1), work.tape[values, AFTER]
    has_any = is_any and has_any_string(work, values)
    while each < last:
        rule = i64(NOTHING) if has_any and is_list(work, each) else rule_of(work, each)
        if rule != NOTHING:
            write(work, (op.EPSILON, start, rule))
        each = i64(work.tape[each, AFTER])


@kernel
def _fill_object(work, schema, kind, start):
    """Objects from `start` that meet the schema, which was just read; False: this is for others."""
    parts, number, additional = np.empty(MAX_PARTS, dtype=np.int64), i64(1), i64(-1)
    parts[0] = schema
    if kind == A_CONJUNCTION:
        found, _, _ = parts_of(work, schema, parts)
        number = i64(found)
    else:
        additional = work.at[FOUND + ADDITIONAL]
    tables, lists = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
    for i in range(number):
        if kind == A_CONJUNCTION:
            _read_again(work, parts[i])
        tables[i], lists[i] = work.at[FOUND + PROPERTIES], work.at[FOUND + REQUIRED]
    return fill_object(work, start, tables, lists, additional)


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
    # A conjunction is of objects alone.
    narrowed, check = (OBJECT_TYPE if kind == A_CONJUNCTION else types >> 7), NO_CHECK
    if narrowed & ARRAY_TYPE and is_unique(work.tape, work.at):
        check = check_of_items(work)
        _read_again(work, schema)
    if check == BY_OTHERS or (narrowed & OBJECT_TYPE and not _fill_object(work, schema, kind, start)):
        work.tape[schema, RULE] = hole(work, schema)
        write(work, (op.EPSILON, start, rule_of(work, schema)))
        return
    if narrowed & ARRAY_TYPE:
        _read_again(work, schema)
        fill_array(work, start, check)
    if narrowed & STRING_TYPE:
        _read_again(work, schema)
        fill_string(work, start)
    rest = i64(types & ANY_TYPE & ~narrowed)
    if rest and kind != A_CONJUNCTION:
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
def _work_in(memory, text, words, is_new):
    """The arrays of a run, which stand in the memory behind each other, see `memory_for`.

    Args:
        is_new: they are laid out, for the rows that the tape begins with; else they stand where they stood.
    """
    integers = memory.view(np.int32)
    num_rows, num_places = memory[_NUM_ROWS], memory[_NUM_PLACES]
    if is_new:
        num_places = i64(16)
        while num_places < num_rows:
            num_places *= 2
        memory[_NUM_PLACES] = num_places
    begin = _HEADER
    at = memory[begin : begin + NUM_NUMBERS]
    begin += NUM_NUMBERS
    tape = integers[2 * begin : 2 * begin + NUM_COLUMNS * num_rows].reshape((num_rows, NUM_COLUMNS))
    begin += (NUM_COLUMNS * num_rows + 1) // 2
    lists = memory[begin : begin + NUM_LISTS * num_places].reshape((NUM_LISTS, num_places))
    begin += NUM_LISTS * num_places
    ops_at, num_ops = 2 * begin, _OPS_A_ROW * num_rows + _SOME
    ops = integers[ops_at : ops_at + num_ops]
    begin += num_ops // 2
    texts_at, num_texts = 8 * begin, 2 * len(text) + _TEXTS_A_ROW * num_rows + _SOME
    texts = memory.view(np.uint8)[texts_at : texts_at + num_texts]
    assert begin + num_texts // 8 < len(memory)
    return Work(text, tape, words, ops, texts, at, lists), i64(ops_at), i64(texts_at)


def memory_for(num_bytes: int) -> int:
    """How many integers of 64 bits suffice for what is done with a text of so many bytes: the rows are half of them."""
    num_rows = num_bytes // 2 + 2
    num_places = max(16, 1 << num_rows.bit_length())
    integers = NUM_COLUMNS * num_rows + _OPS_A_ROW * num_rows + _SOME
    in_bytes = 2 * num_bytes + _TEXTS_A_ROW * num_rows + _SOME
    return _HEADER + NUM_NUMBERS + NUM_LISTS * num_places + integers // 2 + in_bytes // 8 + 8


@entry
def emit_plain(
    memory, text, words, numbers, num_states, num_texts, base, string_class, unique, is_ordered, is_open, has_const,
    has_formats, num_dialects, max_depth, max_schemas, max_words,
):  # fmt: skip
    """The operations for the schema that `text` is, as far as it is plain.

    Args:
        memory: int64, as many as `memory_for` says; `emit_more` and `ways_of` go on with what is left there.
        text: JSON; words: see `Work`; numbers: those of every run, with the states of the library from `base` on.
        num_states, num_texts: how many states, and bytes of texts, there are.
        string_class, unique: number of the class of characters of strings, and of the guard `UNIQUE`.
        is_ordered: members come in the order of the text; is_open: there may be undeclared ones where nothing is said.
        has_const: `const` is a keyword; has_formats: formats are asserted.
        num_dialects: how often a dialect is named, where nothing refers to anything; -1: something does.
        max_depth, max_schemas, max_words: most levels, schemas, values of an enum; the rest is left to others.

    Returns:
        The rule, see `rule_of`, or `GIVEN_UP`; where in the memory the operations begin, in integers of 32 bits, and
        how many there are; the same of texts, in bytes; how many states and holes there are now; the state from which
        an item goes on that must be new, for the caller to check it, or -1; how many entries the report has; where the
        name of the dialect begins and ends, see `_dialect`; whether identifiers below the root name nothing that
        matters.
    """
    nothing, none = i64(GIVEN_UP), i64(0)
    # A row takes two bytes of text at least.
    most, begin = len(text) // 2 + 2, 2 * (_HEADER + NUM_NUMBERS)
    tape = memory.view(np.int32)[begin : begin + NUM_COLUMNS * most].reshape((most, NUM_COLUMNS))
    num_rows = read(text, tape, max_depth)
    if num_rows == NOT_READ or tape[0, KIND] != OBJECT:
        return nothing, none, none, none, none, num_states, none, i64(-1), none, i64(-1), i64(-1), False
    memory[_NUM_ROWS] = num_rows
    work, ops_at, texts_at = _work_in(memory, text, words, True)
    at = work.at
    at[:] = numbers
    at[OPS:IS_OPEN] = 0
    at[STATES], at[TEXT_BASE], at[MAX_SCHEMAS], at[MAX_WORDS] = num_states, num_texts, max_schemas, max_words
    at[IS_ORDERED], at[IS_OPEN], at[HAS_CONST] = is_ordered, is_open, has_const
    if base != 0:
        for i in range(END_OF_RULES, NUM_NUMBERS):
            at[i] += base if at[i] >= 0 else 0
    if not has_formats:
        at[LAST_FORMAT] = at[FORMATS]
    at[STRING_CLASS], at[UNIQUE], at[STRING_STATES] = string_class, unique, numbers[STRING_STATES]
    work.lists[PLACE, :] = -1
    begin, end = _dialect(text, work.tape)
    # A resource below the root may be of another dialect; and references in it, or to it, are read by its identifier.
    is_one_resource = 0 <= num_dialects <= (begin >= 0)
    at[LAST_BELOW] = at[IDENTIFIERS] if is_one_resource else at[TYPES]
    rule = _emit(work, 0)
    if rule == TOO_MANY:
        rule = nothing
    return (
        rule, ops_at, i64(at[OPS]), texts_at, i64(at[TEXTS]), i64(at[STATES]), i64(at[HOLES]), i64(at[NEW_ITEM]),
        i64(at[NOTES]), i64(begin), i64(end), is_one_resource,
    )  # fmt: skip


@entry
def emit_more(memory, text, words, pointer, num_states, num_texts):
    """The operations for the schema at a place of a text that `emit_plain` has read.

    Args:
        memory, text, words: the same as there.
        pointer: JSON pointer of the schema; no other resource begins on the way.
        num_states, num_texts: how many states, and bytes of texts, there are.

    Returns:
        The rule, `NOTHING`, or `HOLE`, where others have to find it, or `TOO_MANY`; then as `emit_plain` up to entries
        of the report.
    """
    work, ops_at, texts_at = _work_in(memory, text, words, False)
    tape, at, none = work.tape, work.at, i64(0)
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
        number, new = i64(at[HOLES]), i64(at[NEW_ITEM])
        return max(rule, i64(HOLE)), none, none, none, none, num_states, number, new, i64(at[NOTES])
    at[OPS] = at[TEXTS] = 0
    at[STATES], at[TEXT_BASE] = num_states, num_texts
    rule = _emit(work, schema)
    if tape[schema, RULE] <= FIRST_HOLE:
        rule = i64(HOLE)
    return (
        rule, ops_at, i64(at[OPS]), texts_at, i64(at[TEXTS]), i64(at[STATES]), i64(at[HOLES]), i64(at[NEW_ITEM]),
        i64(at[NOTES]),
    )  # fmt: skip


@entry
def ways_of(memory, text, words, first):
    """For each hole from `first` on where it begins, the state to fill, and how many steps lead to it; then each step.

    A step is where a name begins and ends, or -1 and the number of an item.
    """
    work, _, _ = _work_in(memory, text, words, False)
    tape, total = work.tape, 0
    for i in range(first, work.at[HOLES]):
        row = work.lists[HOLE_ROW, i]
        total += 3
        while tape[row, PARENT] >= 0:
            total, row = total + 2, i64(tape[row, PARENT])
    ways, used = np.empty(total, dtype=np.int32), 0
    for i in range(first, work.at[HOLES]):
        row, depth = work.lists[HOLE_ROW, i], 0
        while tape[row, PARENT] >= 0:
            depth, row = depth + 1, i64(tape[row, PARENT])
        row = work.lists[HOLE_ROW, i]
        ways[used], ways[used + 1], ways[used + 2] = tape[row, BEGIN], FIRST_HOLE - tape[row, RULE], depth
        used += 3 + 2 * depth
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
