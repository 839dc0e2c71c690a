"""What the kernels that emit a plain schema work on, and the operations they write."""

from __future__ import annotations

from typing import Any, NamedTuple

from grammars.frontends.json.plain.reading import LAST_START
from grammars.frontends.json.plain.tape import BEGIN, END
from grammars.kernels.options import kernel
from grammars.network import operations as op

# Further numbers of a run, after those of `reading`: counters, what there may be, and what the library has, which is
# states and then the rules by types, -1 where there is none yet.
(
    OPS, TEXTS, TEXT_BASE, STATES, QUEUED, FILLED, HOLES, MET, LOOKS, NOTES, SPANS, LISTS, MEMBERS, MAX_SCHEMAS,
    MAX_WORDS, IS_ORDERED, IS_OPEN, HAS_CONST, END_OF_RULES, SEPARATOR, INDENT, CLOSE_OBJECT, CLOSE_ARRAY,
    OTHERS_OF_ANY, STRING_CLASS, STRING_STATES, UNIQUE, NEW_ITEM, RULES,
) = range(LAST_START + 1, LAST_START + 30)  # fmt: skip
NUM_NUMBERS = RULES + 128
# The lists of a run: schemas whose rules are begun; those left to others; of undeclared members the rule and
# the span; of long enums the row and the state; of members the name, the rule and the state, and by their hash which.
QUEUE, HOLE_ROW, SPAN_RULE, SPAN, LIST_ROW, LIST, MEMBER_NAME, MEMBER_RULE, MEMBER, PLACE, NUM_LISTS = range(11)

_SPACE, _NEWLINE, _COLON = 0x20, 0x0A, 0x3A
_MAX_UNCOUNTED = 1 << 12


class Work(NamedTuple):
    """Arrays of one run.

    Attributes:
        text: of the schema; tape: its rows; words: keywords and names, one after another.
        ops, texts: what is written; at: numbers, lists: see the constants.
    """

    text: Any
    tape: Any
    words: Any
    ops: Any
    texts: Any
    at: Any
    lists: Any


@kernel
def write(work, row):
    """Adds integers to the operations."""
    used = work.at[OPS]
    for value in row:
        work.ops[used] = value
        used += 1
    work.at[OPS] = used


@kernel
def states(work, number):
    """So many new states; the first of them."""
    first = work.at[STATES]
    work.at[STATES] = first + number
    return first


@kernel
def byte(work, source, value, target):
    """An edge from `source` to `target` on one byte."""
    write(work, (op.BYTE, source, value | value << 8, target))


@kernel
def close(work, state, closing, before):
    """The closing bracket may stand at the state, with whitespace before it."""
    end = work.at[END_OF_RULES]
    write(work, (op.BRANCH, state, 3, closing, end, _SPACE, before, _NEWLINE, before + 1))


@kernel
def gap(work, source, target):
    """Optional whitespace from `source` to `target`."""
    write(work, (op.GAP, source, target, states(work, 1), work.at[INDENT]))


@kernel
def comma(work, source, target):
    """A comma with the whitespace around it."""
    after = states(work, 1)
    byte(work, source, 0x2C, after)
    gap(work, after, target)


@kernel
def colon(work, source, target):
    """A colon with the whitespace around it."""
    after = states(work, 1)
    byte(work, source, _COLON, after)
    write(work, (op.EPSILON, after, target))
    byte(work, after, _SPACE, target)


@kernel
def frame(work, opening, closing, before, start, first, done, may_be_empty):
    """An object or array from `start`: what it holds runs from `first` to `done`."""
    opened = states(work, 2)
    byte(work, start, opening, opened)
    write(work, (op.GAP, opened, first, opened + 1, work.at[INDENT]))
    close(work, done, closing, before)
    if may_be_empty:
        close(work, opened, closing, before)


@kernel
def spell(work, row):
    """Adds what is spelled at the row to the texts."""
    used = work.at[TEXTS]
    for i in range(row[BEGIN], row[END]):
        work.texts[used] = work.text[i]
        used += 1
    work.at[TEXTS] = used


@kernel
def spell_byte(work, value):
    """Adds a byte to the texts."""
    work.texts[work.at[TEXTS]] = value
    work.at[TEXTS] += 1


@kernel
def trie(work, kind, source, target, rows, quotes):
    """Sorted, distinct words from `source`, see `NetworkBuilder.words` and `excluding`.

    Args:
        quotes: 1: with the quotes around each.
    """
    most, counted, made, before = 0, 0, 0, -1
    without = 1 if kind == op.WORDS else 0
    for each in rows:
        row = work.tape[each]
        length = row[END] - row[BEGIN] + 2 * quotes
        begin = row[BEGIN] - quotes
        shared = 0
        while before >= 0 and shared < min(made, length) and work.text[begin + shared] == work.text[before + shared]:
            shared += 1
        made, before = length - without, begin
        most, counted = most + length, counted + made - shared
    first = states(work, most if most <= _MAX_UNCOUNTED else counted)
    write(work, (kind, source, target, first, work.at[TEXTS] + work.at[TEXT_BASE], len(rows)))
    for each in rows:
        row = work.tape[each]
        used = work.at[TEXTS]
        length = row[END] - row[BEGIN] + 2 * quotes
        for i in range(length):
            work.texts[used + i] = work.text[row[BEGIN] - quotes + i]
        work.at[TEXTS] = used + length
        write(work, (length,))
