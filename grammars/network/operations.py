"""Operations of a builder: one row of integers each."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry

# Operations, with what follows in their row. Texts stand in one block of bytes: offset, length.
BYTE = 0  # source, low | high << 8, target
EPSILON = 1  # source, target
CALL = 2  # source, rule, target
ACCEPT = 3  # state
SPANS = 4  # first state, number of states, class, low, high, exit
REPEATS = 5  # state, rule, low, high, exit
OTHERWISE = 6  # state, span
LITERAL = 7  # source, first new state, target, offset, length
GAP = 8  # source, target, indented, indent
MEMBER = 9  # source, first new state, offset, length, rule, target, whether a space may stand before the rule
BRANCH = 10  # source, number of bytes, then byte and target of each
WORDS = 11  # source, target, first new state, offset, number of words, then the length of each
EXCLUDING = 12  # source, span, first new state, offset, number of words, then the length of each
SELECT = 13  # first state, low, high, ordered, separator, others, exit, number of members, then rule, required of each
CHECKS = 14  # state, exit, check, slack
GRAFT = 15  # integers that follow, first state, offset of texts, number of classes and of checks, index of each
NOTHING = 16  # the end


# What rows are counted of.
(
    NUM_EDGES, NUM_EPSILONS, NUM_CALLS, NUM_NAMES, NUM_SPANS, NUM_REPEATS, NUM_SELECTIONS, NUM_MEMBERS,
    NUM_CHECK_STATES, NUM_STATES, NUM_CHECKS, NUM_COUNTS,
) = range(12)  # fmt: skip


# Of each operation: integers in its row, and what is made of it, but for what depends on its numbers.
_WIDTHS = np.array([4, 3, 4, 2, 7, 6, 3, 6, 5, 8, 3, 6, 6, 9, 5, 6])
_MADE = np.zeros((len(_WIDTHS), NUM_COUNTS), dtype=np.int64)
for _operation, _rows in (
    (BYTE, (NUM_EDGES,)), (EPSILON, (NUM_EPSILONS,)), (CALL, (NUM_CALLS,)), (SPANS, (NUM_SPANS,)),
    (REPEATS, (NUM_REPEATS,)), (GAP, (NUM_EDGES, NUM_EPSILONS, NUM_CALLS)), (SELECT, (NUM_SELECTIONS,)),
    (MEMBER, (NUM_EDGES, NUM_EPSILONS, NUM_CALLS, NUM_NAMES)), (CHECKS, (NUM_CHECK_STATES,)),
):  # fmt: skip
    _MADE[_operation, _rows] = 1
_MADE[GAP, NUM_EDGES] = 2


@entry
def count_rows(ops, rows):
    """Add to `rows` how many edges, epsilons, calls, names, spans, repeats, selections, members and check states
    `expand` makes of the operations; of edges and epsilons, at most."""
    i = 0
    while ops[i] != NOTHING:
        op = ops[i]
        for k in range(NUM_COUNTS):
            rows[k] += _MADE[op, k]
        width = _WIDTHS[op]
        if op == LITERAL:
            rows[NUM_EDGES] += ops[i + 5]
        elif op == MEMBER:
            rows[NUM_EDGES] += ops[i + 4]
        elif op == BRANCH:
            rows[NUM_EDGES] += ops[i + 2]
            width += 2 * ops[i + 2]
        elif op in (WORDS, EXCLUDING):
            width += ops[i + 5]
            for j in range(i + 6, i + width):
                rows[NUM_EDGES] += ops[j]
        elif op == SELECT:
            rows[NUM_MEMBERS] += ops[i + 8]
            width += 2 * ops[i + 8]
        elif op == GRAFT:
            width += ops[i + 4] + ops[i + 5]
        i += width


@entry
def trie_size(octets, lengths):
    """States of the trie of sorted words, which stand one after another; of each the last byte needs none."""
    total, before, begin, made = 0, 0, 0, 0
    for length in lengths:
        shared = 0
        while shared < min(made, length) and octets[begin + shared] == octets[before + shared]:
            shared += 1
        made = length - 1
        total += made - shared
        before, begin = begin, begin + length
    return total
