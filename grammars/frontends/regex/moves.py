"""Kernels that turn tables of deterministic automata into edges of a network.

A *move* leads from a state to another by a set of characters. Moves are arrays `source`, `target` and `which`, the
last being the number of the set; few sets are very many moves'. What is written are those of `network.operations`.
"""

from __future__ import annotations

import numpy as np

from grammars.frontends.regex.tables import FAR, doubled, more_slots, slot_of
from grammars.jit.options import entry, i64, kernel
from grammars.network import operations as op

BYTE, EPSILON, CALL, SPANS = op.BYTE, op.EPSILON, op.CALL, op.SPANS


@entry
def moves_of_table(table):
    """One move from each state to each of its targets: rows of source, target and the number of a set of columns.

    Returns:
        Those, and the sets as rows of 64-bit words.
    """
    count, width = table.shape
    sets, slots, used = np.zeros((32, (width + 63) // 64), np.uint64), np.zeros(128, np.int32), 0
    moves, number, move_to = np.empty((64, 3), np.int32), 0, np.full(count, -1, np.int32)
    columns = np.empty((width, sets.shape[1]), np.uint64)
    for s in range(count):
        first = number
        for c in range(width):
            t = table[s, c]
            if t < 0:
                continue
            if move_to[t] < first:
                if number == len(moves):
                    moves = doubled(moves)
                moves[number, 0], moves[number, 1], move_to[t] = s, t, number
                columns[number - first] = 0
                number += 1
            columns[move_to[t] - first, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
        for m in range(first, number):
            row = columns[m - first]
            slot = slot_of(sets, row, slots)
            if slots[slot] == 0:
                if used == len(sets):
                    sets = doubled(sets)
                sets[used], slots[slot] = row, used + 1
                used += 1
            moves[m, 2] = slots[slot] - 1
            if 2 * used > len(slots):
                slots = more_slots(sets[:used], len(slots))
    return moves[:number].copy(), sets[:used].copy()


@entry
def counted_moves(source, target, which, accepting, shortest, longest, low, high, max_states):
    """Return the moves between pairs (state, number of characters read), from (0, 0) on, up to the largest count.

    Args:
        shortest, longest: as `lengths_of` says.
        low, high: how many characters a text has; `high` is `FAR` where there is no bound.
        max_states: the most pairs.

    Returns:
        Number of pairs, more than `max_states` where there are too many; moves, whose target is a pair or, from -1 on
        downwards, a state from which every text is right; pairs where the text may end.
    """
    count = len(accepting)
    start = np.zeros(count + 1, np.int32)
    for m in range(len(source)):
        start[source[m] + 1] += 1
    for s in range(count):
        start[s + 1] += start[s]
    by, to, over = np.empty(256, np.int32), np.empty(256, np.int32), np.empty(256, np.int32)
    ends, state_of = np.empty(256, np.int32), np.zeros(256, np.int32)
    moves, num_ends, first, used, size = 0, 0, 0, 1, 0
    met, met_at = np.zeros(count, np.int32), np.zeros(count, np.int64)
    while first < used:
        layer = used
        size += 1
        for p in range(first, layer):
            s = state_of[p]
            if accepting[s] and size > low:
                if num_ends == len(ends):
                    ends = doubled(ends)
                ends[num_ends] = p
                num_ends += 1
            for m in range(start[s], start[s + 1]):
                t = target[m]
                if size + shortest[t] > high:
                    continue
                if met_at[t] != size:
                    met_at[t] = size
                    if size + shortest[t] >= low and (high == FAR or size + longest[t] <= high):
                        met[t] = -1 - t
                    else:
                        if used == max_states:
                            return used + 1, by[:0], to[:0], over[:0], ends[:0]
                        if used == len(state_of):
                            state_of = doubled(state_of)
                        met[t], state_of[used] = used, t
                        used += 1
                if moves == len(by):
                    by, to, over = doubled(by), doubled(to), doubled(over)
                by[moves], to[moves], over[moves] = p, met[t], which[m]
                moves += 1
        first = layer
    return used, by[:moves], to[:moves], over[:moves], ends[:num_ends]


@kernel
def _write(ops, used, source, target, which, byte_start, pairs, rules):
    for i in range(byte_start[which], byte_start[which + 1]):
        ops[used], ops[used + 1], ops[used + 2], ops[used + 3] = BYTE, source, pairs[i], target
        used += 4
    if rules[which] >= 0:
        ops[used], ops[used + 1], ops[used + 2], ops[used + 3] = CALL, source, rules[which], target
        used += 4
    return used


@kernel
def _num_written(which, byte_start, rules):
    total = 0
    for m in range(len(which)):
        total += byte_start[which[m] + 1] - byte_start[which[m]] + (rules[which[m]] >= 0)
    return 4 * total


@entry
def written_states(
    source, target, which, accepting, tails, first, exit, loop_class, loop_states, byte_start, pairs, rules
):
    """Operations for an automaton, a loop of a state onto itself being a span.

    Args:
        tails: where a state without moves starts that is in the network already; else -1.
        first: number of the network's first state that is free; exit: where the text goes on.
        loop_class, loop_states: of each set that a loop has, its class of units and how many states that has.
        byte_start, pairs: of each set, its bytes as in `operations`; rules: that of its other characters, or -1.

    Returns:
        The operations, where each state starts, and the number of states used.
    """
    count = len(accepting)
    loop, has_others = np.full(count, -1, np.int32), np.zeros(count, np.uint8)
    for m in range(len(source)):
        if source[m] == target[m]:
            loop[source[m]] = which[m]
        else:
            has_others[source[m]] = 1
    ops, used = np.empty(_num_written(which, byte_start, rules) + 10 * count, np.int32), 0
    leaving, entering = np.empty(count, np.int32), np.empty(count, np.int32)
    begin = first
    for s in range(count):
        if tails[s] >= 0:
            leaving[s], entering[s] = exit, tails[s]
            continue
        leaving[s] = exit
        if has_others[s] or not accepting[s]:
            leaving[s] = first
            first += 1
            if accepting[s]:
                ops[used], ops[used + 1], ops[used + 2] = EPSILON, leaving[s], exit
                used += 3
        entering[s] = leaving[s]
        if loop[s] >= 0:
            entering[s] = first
            number = loop_states[loop[s]]
            first += number
            ops[used], ops[used + 1], ops[used + 2], ops[used + 3] = SPANS, entering[s], number, loop_class[loop[s]]
            ops[used + 4], ops[used + 5], ops[used + 6] = 0, -1, leaving[s]
            used += 7
    for m in range(len(source)):
        if source[m] != target[m]:
            start, goal = i64(leaving[source[m]]), i64(entering[target[m]])
            used = _write(ops, i64(used), start, goal, i64(which[m]), byte_start, pairs, rules)
    return ops[:used].copy(), entering, first - begin
