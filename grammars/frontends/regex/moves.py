"""Kernels that turn tables of deterministic automata into edges of a network.

A *move* leads from a state to another by a set of characters. Moves are arrays `source`, `target` and `which`, the
last being the number of the set; few sets are very many moves'. What is written are those of `network.operations`.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import entry, i64, kernel
from grammars.network import operations as op

BYTE, EPSILON, CALL, SPANS = op.BYTE, op.EPSILON, op.CALL, op.SPANS
FAR = 1 << 40
"""More characters than any text has."""


@kernel
def _twice(values):
    larger = np.empty(2 * len(values), values.dtype)
    larger[: len(values)] = values
    return larger


@entry
def moves_of_table(table):
    """One move from each state to each of its targets, by states.

    Returns:
        `source`, `target` and `which`; then where the columns of each set begin, and the columns of all sets.
    """
    count, width = table.shape
    source, target, which = np.empty(64, np.int32), np.empty(64, np.int32), np.empty(64, np.int32)
    set_start, columns = np.zeros(64, np.int32), np.empty(64, np.int32)
    moves, sets, used = 0, 0, 0
    # Of each target of a state: its columns as a list; of each set: a slot by its columns.
    head, last, after = np.full(count, -1, np.int32), np.empty(count, np.int32), np.empty(width, np.int32)
    slots, alone = np.full(256, -1, np.int32), np.full(width, -1, np.int32)
    for s in range(count):
        first = moves
        for c in range(width):
            t = table[s, c]
            if t < 0:
                continue
            after[c] = -1
            if head[t] < 0:
                if moves == len(source):
                    source, target, which = _twice(source), _twice(target), _twice(which)
                source[moves], target[moves], which[moves] = s, t, -1
                moves += 1
                head[t] = c
            else:
                after[last[t]] = c
            last[t] = c
        for m in range(first, moves):
            t = target[m]
            c, size, key = head[t], 0, np.int64(0)
            head[t] = -1
            begin = c
            if after[c] < 0 and alone[c] >= 0:
                which[m] = alone[c]
                continue
            while c >= 0:
                key = (key * 0x9E3779B1 + c + 1) & 0x7FFFFFFF
                size += 1
                c = after[c]
            slot = key & (len(slots) - 1)
            while slots[slot] >= 0:
                k = slots[slot]
                if set_start[k + 1] - set_start[k] == size:
                    c, i = begin, set_start[k]
                    while c >= 0 and columns[i] == c:
                        c = after[c]
                        i += 1
                    if c < 0:
                        which[m] = k
                        break
                slot = (slot + 1) & (len(slots) - 1)
            if which[m] >= 0:
                continue
            while used + size > len(columns):
                columns = _twice(columns)
            if sets + 2 > len(set_start):
                set_start = _twice(set_start)
            c = begin
            while c >= 0:
                columns[used] = c
                used += 1
                c = after[c]
            slots[slot], which[m] = sets, sets
            if size == 1:
                alone[begin] = sets
            sets += 1
            set_start[sets] = used
            if 2 * sets > len(slots):
                slots = _slots_of(set_start[: sets + 1], columns, 2 * len(slots))
    return source[:moves], target[:moves], which[:moves], set_start[: sets + 1], columns[:used]


@kernel
def _slots_of(set_start, columns, room):
    slots = np.full(room, -1, np.int32)
    for k in range(len(set_start) - 1):
        key = np.int64(0)
        for i in range(set_start[k], set_start[k + 1]):
            key = (key * 0x9E3779B1 + columns[i] + 1) & 0x7FFFFFFF
        slot = key & (room - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (room - 1)
        slots[slot] = k
    return slots


@entry
def lengths_of(source, target, accepting):
    """Fewest and most characters from each state to the end, `FAR` where there is no way, or no bound.

    The second is right for automata in which every state leads to the end.
    """
    count = len(accepting)
    start, fill = np.zeros(count + 1, np.int32), np.empty(count + 1, np.int32)
    for m in range(len(source)):
        start[target[m] + 1] += 1
    for s in range(count):
        start[s + 1] += start[s]
    fill[:] = start
    sources, num_open = np.empty(len(source), np.int32), np.zeros(count, np.int32)
    for m in range(len(source)):
        sources[fill[target[m]]] = source[m]
        fill[target[m]] += 1
        num_open[source[m]] += 1
    shortest, longest = np.full(count, FAR, np.int64), np.full(count, FAR, np.int64)
    queue, used, done = np.empty(count, np.int32), 0, 0
    for s in range(count):
        if accepting[s]:
            shortest[s], queue[used] = 0, s
            used += 1
    while done < used:
        s = queue[done]
        done += 1
        for i in range(start[s], start[s + 1]):
            if shortest[sources[i]] == FAR:
                shortest[sources[i]], queue[used] = shortest[s] + 1, sources[i]
                used += 1
    most, used, done = np.zeros(count, np.int64), 0, 0
    for s in range(count):
        if num_open[s] == 0:
            queue[used] = s
            used += 1
    while done < used:
        s = queue[done]
        done += 1
        longest[s] = most[s]
        for i in range(start[s], start[s + 1]):
            p = sources[i]
            most[p] = max(most[p], most[s] + 1)
            num_open[p] -= 1
            if num_open[p] == 0:
                queue[used] = p
                used += 1
    return shortest, longest


@entry
def counted_moves(source, target, which, accepting, shortest, longest, low, high, max_states):
    """Moves between pairs of a state and a number of characters read, from (0, 0) on, as far as counts matter.

    Args:
        shortest, longest: as `lengths_of` says.
        low, high: how many characters a text has; `high` is `FAR` where there is no bound.
        max_states: the most pairs.

    Returns:
        Number of pairs, more than `max_states` where there are too many; moves, whose target is a pair or, from -1 on
        downwards, a state from which every text is right; pairs where the text may end; state and number of each pair.
    """
    count = len(accepting)
    start = np.zeros(count + 1, np.int32)
    for m in range(len(source)):
        start[source[m] + 1] += 1
    for s in range(count):
        start[s + 1] += start[s]
    by, to, over = np.empty(256, np.int32), np.empty(256, np.int32), np.empty(256, np.int32)
    ends, state_of, length_of = np.empty(256, np.int32), np.zeros(256, np.int32), np.zeros(256, np.int32)
    moves, num_ends, first, used, size = 0, 0, 0, 1, 0
    met, met_at = np.zeros(count, np.int32), np.zeros(count, np.int64)
    while first < used:
        layer = used
        size += 1
        for p in range(first, layer):
            s = state_of[p]
            if accepting[s] and size > low:
                if num_ends == len(ends):
                    ends = _twice(ends)
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
                            return used + 1, by[:0], to[:0], over[:0], ends[:0], state_of[:0], length_of[:0]
                        if used == len(state_of):
                            state_of, length_of = _twice(state_of), _twice(length_of)
                        met[t], state_of[used], length_of[used] = used, t, size
                        used += 1
                if moves == len(by):
                    by, to, over = _twice(by), _twice(to), _twice(over)
                by[moves], to[moves], over[moves] = p, met[t], which[m]
                moves += 1
        first = layer
    return used, by[:moves], to[:moves], over[:moves], ends[:num_ends], state_of[:used], length_of[:used]


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
def written_moves(source, target, which, ends, first, free, exit, byte_start, pairs, rules):
    """Operations for what `counted_moves` found.

    Args:
        first: number of the network's state for the first pair; free: of each state for which counts do not matter.
        exit: where the text goes on.
        byte_start, pairs: of each set, its bytes as in `operations`; rules: that of its other characters, or -1.
    """
    ops, used = np.empty(_num_written(which, byte_start, rules) + 3 * len(ends), np.int32), 0
    for i in range(len(ends)):
        ops[used], ops[used + 1], ops[used + 2] = EPSILON, first + ends[i], exit
        used += 3
    for m in range(len(source)):
        goal = i64(first + target[m] if target[m] >= 0 else free[-1 - target[m]])
        used = _write(ops, i64(used), i64(first + source[m]), goal, i64(which[m]), byte_start, pairs, rules)
    return ops


@entry
def written_states(
    source, target, which, accepting, tails, first, exit, loop_class, loop_states, byte_start, pairs, rules
):
    """Operations for an automaton, a loop of a state onto itself being a span.

    Args:
        tails: where a state without moves starts that is in the network already; else -1.
        first: number of the network's first state that is free; exit: where the text goes on.
        loop_class, loop_states: of each set that a loop has, its class of units and how many states that has.
        byte_start, pairs, rules: as for `written_moves`.

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
