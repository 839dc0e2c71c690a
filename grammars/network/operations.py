"""What a builder writes down: one row of integers an operation."""

from __future__ import annotations

from grammars.kernels.options import entry

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
CHECKS = 14  # state, exit, guard, slack
GRAFT = 15  # integers that follow, first state, offset of texts, number of classes and of guards, index of each
TWINS = 16  # first state, number of states, then twin and slack of each, see `network.twins`
NOTHING = 17  # the end


# What rows are counted of.
(
    NUM_EDGES, NUM_EPSILONS, NUM_CALLS, NUM_NAMES, NUM_SPANS, NUM_REPEATS, NUM_SELECTIONS, NUM_MEMBERS, NUM_CHECKS,
    NUM_TWINS, NUM_STATES, NUM_GUARDS, NUM_COUNTS,
) = range(13)  # fmt: skip


@entry
def count_rows(ops, rows):
    """Adds to `rows` how many edges, epsilons, calls, names, spans, repeats, selections, members, checks and rows of
    twins `expand` makes of the operations; of edges and epsilons, at most."""
    i = 0
    while ops[i] != NOTHING:
        op = ops[i]
        if op == BYTE:
            rows[NUM_EDGES] += 1
            i += 4
        elif op == EPSILON:
            rows[NUM_EPSILONS] += 1
            i += 3
        elif op == CALL:
            rows[NUM_CALLS] += 1
            i += 4
        elif op == ACCEPT:
            i += 2
        elif op == SPANS:
            rows[NUM_SPANS] += 1
            i += 7
        elif op == REPEATS:
            rows[NUM_REPEATS] += 1
            i += 6
        elif op == OTHERWISE:
            i += 3
        elif op == LITERAL:
            rows[NUM_EDGES] += ops[i + 5]
            i += 6
        elif op == GAP:
            rows[NUM_EDGES] += 2
            rows[NUM_EPSILONS] += 1
            rows[NUM_CALLS] += 1
            i += 5
        elif op == MEMBER:
            rows[NUM_EDGES] += ops[i + 4] + 1
            rows[NUM_EPSILONS] += 1
            rows[NUM_CALLS] += 1
            rows[NUM_NAMES] += 1
            i += 8
        elif op == BRANCH:
            rows[NUM_EDGES] += ops[i + 2]
            i += 3 + 2 * ops[i + 2]
        elif op in (WORDS, EXCLUDING):
            number = ops[i + 5]
            for j in range(i + 6, i + 6 + number):
                rows[NUM_EDGES] += ops[j] + 1
            i += 6 + number
        elif op == SELECT:
            rows[NUM_SELECTIONS] += 1
            rows[NUM_MEMBERS] += ops[i + 8]
            i += 9 + 2 * ops[i + 8]
        elif op == CHECKS:
            rows[NUM_CHECKS] += 1
            i += 5
        elif op == TWINS:
            rows[NUM_TWINS] += 1
            i += 3 + 2 * ops[i + 2]
        else:
            i += 6 + ops[i + 4] + ops[i + 5]


@entry
def trie_size(octets, lengths, without):
    """States of the trie of sorted words, which stand one after another; of each the last `without` bytes need none."""
    total, before, begin, made = 0, 0, 0, 0
    for length in lengths:
        shared = 0
        while shared < min(made, length) and octets[begin + shared] == octets[before + shared]:
            shared += 1
        made = length - without
        total += made - shared
        before, begin = begin, begin + length
    return total
