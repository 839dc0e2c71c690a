"""Arrays, lists of words and strings of some length: the same masks as those of `Emitter`."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.choices import MAX_CHAIN, resolve
from grammars.frontends.json.plain.reading import (
    AN_ENUM,
    ANY_TYPE,
    BOOLEAN_TYPE,
    ENUM,
    FOUND,
    ITEMS,
    MAX_ITEMS,
    MAX_LENGTH,
    MIN_ITEMS,
    MIN_LENGTH,
    NARROWED,
    NULL_TYPE,
    OBJECT_TYPE,
    STRING_TYPE,
    TYPED,
    count_at,
    types_of,
)
from grammars.frontends.json.plain.rules import NOTHING, rule_of
from grammars.frontends.json.plain.tape import AFTER, FALSE, KIND, OBJECT, is_same, sort
from grammars.frontends.json.plain.work import (
    CLOSE_ARRAY,
    END_OF_RULES,
    LIST,
    LIST_ROW,
    LISTS,
    NEW_ITEM,
    NOTES,
    RULES,
    STRING_CLASS,
    STRING_STATES,
    UNIQUE,
    byte,
    close,
    comma,
    frame,
    gap,
    states,
    trie,
    write,
)
from grammars.kernels.options import i64, kernel
from grammars.network import operations as op

_QUOTE, _OPEN_LIST, _CLOSE_LIST = 0x22, 0x5B, 0x5D
_MANY = 32
# How the items of an array are told from those before them, where no item may be there twice.
NO_CHECK, OF_STRINGS, OF_ITEMS, BY_OTHERS = range(4)
# Types of which there are very many values, whatever is said of their members, items or lengths.
_OF_MANY = ANY_TYPE & ~(STRING_TYPE | BOOLEAN_TYPE | NULL_TYPE)


@kernel
def check_of_items(work):
    """How items of the array that was just read are told from those before them.

    Returns:
        `NO_CHECK`, `OF_STRINGS`, `OF_ITEMS`, or `BY_OTHERS`, where the values of items may be few.
    """
    items, most = work.at[FOUND + ITEMS], work.at[FOUND + MAX_ITEMS]
    if most >= 0 and count_at(work.text, work.tape, most, 0) < 2:
        return NO_CHECK
    low = count_at(work.text, work.tape, work.at[FOUND + MIN_ITEMS], 0)
    if items < 0:
        return OF_ITEMS
    chain = np.empty(MAX_CHAIN, dtype=np.int64)
    found, kind, types, _ = resolve(work, items, chain, False)
    if work.tape[found, KIND] != OBJECT:
        return NO_CHECK if work.tape[found, KIND] == FALSE else OF_ITEMS
    if kind in (TYPED, NARROWED):
        if kind == TYPED and types == STRING_TYPE:
            return OF_STRINGS
        return OF_ITEMS if types & _OF_MANY or (kind == TYPED and types & STRING_TYPE) else BY_OTHERS
    # What else is said may leave few objects.
    is_of_objects = types_of(work.text, work.tape, found, work.words, work.at) == OBJECT_TYPE
    return OF_ITEMS if kind != AN_ENUM and is_of_objects and low < 2 else BY_OTHERS


@kernel
def _checked(work, rule, check):
    """The rule of the items of the rule that were not there before."""
    work.at[NOTES] += 1
    start = states(work, 1)
    if check == OF_STRINGS:
        checked = states(work, 1)
        write(work, (op.CHECKS, checked, work.at[END_OF_RULES], work.at[UNIQUE], 1))
    else:
        if work.at[NEW_ITEM] < 0:
            work.at[NEW_ITEM] = states(work, 1)
        checked = work.at[NEW_ITEM]
    write(work, (op.CALL, start, rule, checked))
    return start


@kernel
def fill_array(work, start, check):
    """Arrays from `start`, see `emit_array`.

    Args:
        check: of each item, see `check_of_items`.
    """
    before = work.at[CLOSE_ARRAY]
    low = count_at(work.text, work.tape, work.at[FOUND + MIN_ITEMS], 0)
    most = count_at(work.text, work.tape, work.at[FOUND + MAX_ITEMS], -1) if work.at[FOUND + MAX_ITEMS] >= 0 else -1
    item = i64(NOTHING)
    if most != 0:
        items = work.at[FOUND + ITEMS]
        item = rule_of(work, items) if items >= 0 else work.at[RULES + ANY_TYPE]
    if item == NOTHING:
        most = 0
    elif check != NO_CHECK:
        item = _checked(work, item, check)
    if 0 <= most < low:
        return
    if most < 0 and low < 2:
        first = states(work, 2)
        frame(work, _OPEN_LIST, _CLOSE_LIST, before, start, first, first + 1, low == 0)
        write(work, (op.CALL, first, item, first + 1))
        comma(work, first + 1, first)
        return
    opened = states(work, 1)
    byte(work, start, _OPEN_LIST, opened)
    if low == 0:
        close(work, opened, _CLOSE_LIST, before)
    if most == 0:
        return
    source = states(work, 1)
    gap(work, opened, source)
    after = states(work, 1)
    write(work, (op.CALL, source, item, after))
    if most == 1:
        close(work, after, _CLOSE_LIST, before)
        return
    rule = states(work, 4)
    following, last, closing = rule + 1, rule + 2, rule + 3
    comma(work, rule, following)
    write(work, (op.CALL, following, item, last))
    write(work, (op.ACCEPT, last))
    repeat = states(work, 1)
    write(work, (op.REPEATS, repeat, rule, max(low - 1, 0), -1 if most < 0 else most - 1, closing))
    write(work, (op.EPSILON, after, repeat))
    close(work, closing, _CLOSE_LIST, before)


@kernel
def fill_words(work, start):
    """The words of an enum from `start`, see `emit_values`."""
    values = work.at[FOUND + ENUM]
    rows = np.arange(values + 1, work.tape[values, AFTER]).astype(np.int32)
    sort(work.text, work.tape, rows, 1)
    number = 1
    for i in range(1, len(rows)):
        if not is_same(work.text, work.tape[rows[i]], work.tape[rows[number - 1]]):
            rows[number] = rows[i]
            number += 1
    if len(rows) < _MANY:
        trie(work, op.WORDS, start, work.at[END_OF_RULES], rows[:number], 1)
        return
    for i in range(work.at[LISTS]):
        if is_same(work.text, work.tape[work.lists[LIST_ROW, i]], work.tape[values]):
            write(work, (op.EPSILON, start, work.lists[LIST, i]))
            return
    first = states(work, 1)
    trie(work, op.WORDS, first, work.at[END_OF_RULES], rows[:number], 1)
    work.lists[LIST_ROW, work.at[LISTS]], work.lists[LIST, work.at[LISTS]] = values, first
    work.at[LISTS] += 1
    write(work, (op.EPSILON, start, first))


@kernel
def fill_string(work, start):
    """Strings of bounded lengths from `start`, see `emit_strings`."""
    at = work.at
    low = count_at(work.text, work.tape, work.at[FOUND + MIN_LENGTH], 0)
    high = count_at(work.text, work.tape, work.at[FOUND + MAX_LENGTH], -1)
    body = states(work, 2)
    byte(work, start, _QUOTE, body)
    byte(work, body + 1, _QUOTE, at[END_OF_RULES])
    span = states(work, at[STRING_STATES])
    write(work, (op.SPANS, span, at[STRING_STATES], at[STRING_CLASS], low, high, body + 1))
    write(work, (op.EPSILON, body, span))
