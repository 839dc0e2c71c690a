"""Arrays, lists of words and strings of some length: the same operations, one by one, as `Emitter` comes to."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.reading import (
    ANY_TYPE,
    ENUM,
    FOUND,
    ITEMS,
    MAX_ITEMS,
    MAX_LENGTH,
    MIN_ITEMS,
    MIN_LENGTH,
    count_at,
)
from grammars.frontends.json.plain.rules import NOTHING, rule_of
from grammars.frontends.json.plain.tape import AFTER, is_same, sort
from grammars.frontends.json.plain.work import (
    CLOSE_ARRAY,
    END_OF_RULES,
    LIST,
    LIST_ROW,
    LISTS,
    RULES,
    STRING_CLASS,
    STRING_STATES,
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


@kernel
def fill_array(work, start):
    """Arrays from `start`, see `emit_array`."""
    before = work.at[CLOSE_ARRAY]
    low = count_at(work.text, work.tape, work.at[FOUND + MIN_ITEMS], 0)
    most = count_at(work.text, work.tape, work.at[FOUND + MAX_ITEMS], -1) if work.at[FOUND + MAX_ITEMS] >= 0 else -1
    item = i64(NOTHING)
    if most != 0:
        items = work.at[FOUND + ITEMS]
        item = rule_of(work, items) if items >= 0 else work.at[RULES + ANY_TYPE]
    if item == NOTHING:
        most = 0
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
