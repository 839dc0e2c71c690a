"""Kernels over the tables of deterministic automata: minimal partition, product, states that lead to the end."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import kernel


@kernel
def live_states(table, accepting):
    """Whether each state leads to an accepting one: 1 or 0."""
    count, width = table.shape
    start = np.zeros(count + 1, np.int64)
    for s in range(count):
        for c in range(width):
            if table[s, c] >= 0:
                start[table[s, c] + 1] += 1
    for s in range(count):
        start[s + 1] += start[s]
    fill, source = start.copy(), np.empty(start[count], np.int32)
    for s in range(count):
        for c in range(width):
            t = table[s, c]
            if t >= 0:
                source[fill[t]] = s
                fill[t] += 1
    live, stack, used = accepting.copy(), np.empty(count, np.int32), 0
    for s in range(count):
        if live[s]:
            stack[used] = s
            used += 1
    while used:
        used -= 1
        s = stack[used]
        for i in range(start[s], start[s + 1]):
            if not live[source[i]]:
                live[source[i]] = 1
                stack[used] = source[i]
                used += 1
    return live


@kernel
def trimmed_of(table, accepting):
    """The table without states that lead nowhere, but for the start, and which states accept."""
    live = live_states(table, accepting)
    live[0] = 1
    count, width = table.shape
    name, used = np.full(count, -1, np.int32), 0
    for s in range(count):
        if live[s]:
            name[s] = used
            used += 1
    kept, accepts = np.empty((used, width), np.int32), np.empty(used, np.uint8)
    for s in range(count):
        if live[s]:
            accepts[name[s]] = accepting[s]
            for c in range(width):
                kept[name[s], c] = name[table[s, c]] if table[s, c] >= 0 else -1
    return kept, accepts


@kernel
def minimal_of(table, accepting):
    """The table with states that cannot be told apart as one, in the order of the first of each, and which accept."""
    block = blocks_of(table, accepting)
    count, width = table.shape
    name, first, used = np.full(count + 2, -1, np.int32), np.empty(count, np.int32), 0
    for s in range(count):
        if name[block[s]] < 0:
            name[block[s]], first[used] = used, s
            used += 1
    kept, accepts = np.empty((used, width), np.int32), np.empty(used, np.uint8)
    for i in range(used):
        accepts[i] = accepting[first[i]]
        for c in range(width):
            t = table[first[i], c]
            kept[i, c] = name[block[t]] if t >= 0 else -1
    return kept, accepts


@kernel
def blocks_of(table, accepting):
    """Hopcroft's partition into states that cannot be told apart (1971); -1 in the table counts as one more state."""
    size, width = table.shape
    count = size + 1
    start, source = np.zeros((width, count + 1), np.int32), np.empty((width, count), np.int32)
    for c in range(width):
        for s in range(count):
            t = size if s == size or table[s, c] < 0 else table[s, c]
            start[c, t + 1] += 1
        for s in range(count):
            start[c, s + 1] += start[c, s]
        fill = start[c].copy()
        for s in range(count):
            t = size if s == size or table[s, c] < 0 else table[s, c]
            source[c, fill[t]] = s
            fill[t] += 1
    # The states in an order in which each block is a slice; `place` is the inverse of `order`.
    order, place, block = np.empty(count, np.int32), np.empty(count, np.int32), np.zeros(count, np.int32)
    first, after, marked = np.zeros(count, np.int32), np.zeros(count, np.int32), np.zeros(count, np.int32)
    used = 0
    for kind in range(2):
        for s in range(count):
            if (s < size and accepting[s] != 0) == (kind == 1):
                order[used], place[s], block[s] = s, used, kind
                used += 1
        if kind == 0:
            after[0], first[1] = used, used
    after[1] = used
    blocks = 2 if first[1] < after[1] else 1
    waiting, queue, queued = np.zeros(count, np.uint8), np.empty(count, np.int32), 0
    for b in range(blocks):
        waiting[b], queue[queued] = 1, b
        queued += 1
    splitter, touched = np.empty(count, np.int32), np.empty(count, np.int32)
    while queued:
        queued -= 1
        b = queue[queued]
        waiting[b] = 0
        members = after[b] - first[b]
        splitter[:members] = order[first[b] : after[b]]
        for c in range(width):
            num_touched = 0
            for i in range(members):
                t = splitter[i]
                for k in range(start[c, t], start[c, t + 1]):
                    s = source[c, k]
                    y = block[s]
                    to = first[y] + marked[y]
                    if marked[y] == 0:
                        touched[num_touched] = y
                        num_touched += 1
                    other, at = order[to], place[s]
                    order[to], order[at], place[s], place[other] = s, other, to, at
                    marked[y] += 1
            for i in range(num_touched):
                y = touched[i]
                cut = first[y] + marked[y]
                marked[y] = 0
                if cut == after[y]:
                    continue
                first[blocks], after[blocks] = first[y], cut
                first[y] = cut
                for k in range(first[blocks], cut):
                    block[order[k]] = blocks
                is_smaller = cut - first[blocks] < after[y] - cut
                new = blocks if waiting[y] or is_smaller else y
                waiting[new], queue[queued] = 1, new
                queued += 1
                blocks += 1
    return block[:size].copy()


@kernel
def product_of(first, second, first_column, second_column, max_states):
    """Pairs of states that can be met, from (0, 0) on, and their table; no pair where there are too many."""
    width = len(first_column)
    room = 64
    while room < 2 * max_states + 2:
        room *= 2
    slots = np.zeros(room, np.int32)
    left, right = np.zeros(max_states + 1, np.int32), np.zeros(max_states + 1, np.int32)
    table = np.empty((64, width), np.int32)
    slots[0], used, done = 1, 1, 0
    while done < used:
        if done == len(table):
            larger = np.empty((2 * done, width), np.int32)
            larger[:done] = table
            table = larger
        for c in range(width):
            a, b = first[left[done], first_column[c]], second[right[done], second_column[c]]
            if a < 0 or b < 0:
                table[done, c] = -1
                continue
            slot = (np.int64(a) * 0x9E3779B1 + np.int64(b) * 0x85EBCA6B) & (room - 1)
            while slots[slot] > 0 and (left[slots[slot] - 1] != a or right[slots[slot] - 1] != b):
                slot = (slot + 1) & (room - 1)
            if slots[slot] == 0:
                if used == max_states:
                    return table[:0], left[:0], right[:0]
                left[used], right[used] = a, b
                used += 1
                slots[slot] = used
            table[done, c] = slots[slot] - 1
        done += 1
    return table[:used].copy(), left[:used].copy(), right[:used].copy()
