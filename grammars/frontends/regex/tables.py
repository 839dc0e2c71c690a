"""Kernels over the tables of deterministic automata: lengths, minimal partition, product, columns that are alike."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry, i64, kernel

FAR = 1 << 40
"""More characters than any text has."""


@kernel
def sources_of(table):
    """The states that lead to each state, once for each column: where they begin, and all of them."""
    count, width = table.shape
    start = np.zeros(count + 2, np.int64)
    for s in range(count):
        for c in range(width):
            if table[s, c] >= 0:
                start[table[s, c] + 2] += 1
    for s in range(count):
        start[s + 2] += start[s + 1]
    source = np.empty(start[count + 1], np.int32)
    for s in range(count):
        for c in range(width):
            if table[s, c] >= 0:
                source[start[table[s, c] + 1]] = s
                start[table[s, c] + 1] += 1
    return start, source


@kernel
def shortest_of(start, source, accepting):
    """Fewest characters from each state to the end, `FAR` where there is no way."""
    shortest = np.full(len(accepting), FAR, np.int64)
    queue, used, done = np.empty(len(accepting), np.int32), 0, 0
    for s in range(len(accepting)):
        if accepting[s]:
            shortest[s], queue[used] = 0, s
            used += 1
    while done < used:
        s = queue[done]
        done += 1
        for i in range(start[s], start[s + 1]):
            if shortest[source[i]] == FAR:
                shortest[source[i]], queue[used] = shortest[s] + 1, source[i]
                used += 1
    return shortest


@entry
def lengths_of(table, accepting):
    """Fewest and most characters from each state to the end, `FAR` where there is no way, or no bound.

    The second is right for automata in which every state leads to the end.
    """
    count = len(table)
    start, source = sources_of(table)
    longest, most, num_open = np.full(count, FAR, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int32)
    for i in range(len(source)):
        num_open[source[i]] += 1
    queue, used, done = np.empty(count, np.int32), 0, 0
    for s in range(count):
        if num_open[s] == 0:
            queue[used] = s
            used += 1
    while done < used:
        s = queue[done]
        done += 1
        longest[s] = most[s]
        for i in range(start[s], start[s + 1]):
            p = source[i]
            most[p] = max(most[p], most[s] + 1)
            num_open[p] -= 1
            if num_open[p] == 0:
                queue[used] = p
                used += 1
    return shortest_of(start, source, accepting), longest


@kernel
def grouped_of(table):
    """The table with columns that are alike as one, in the order of the first of each, and where each column went."""
    columns = table.T.copy()
    width = len(columns)
    room = 4
    while room < 2 * width:
        room *= 2
    kept, slots, group, used = np.empty_like(columns), np.zeros(room, np.int32), np.empty(width, np.int32), 0
    for c in range(width):
        slot = slot_of(kept, columns[c], slots)
        if slots[slot] == 0:
            kept[used], slots[slot] = columns[c], used + 1
            used += 1
        group[c] = slots[slot] - 1
    return kept[:used].T.copy(), group


@kernel
def kept_of(table, accepting, chosen, name):
    """The table of some states, each called by its new name, -1 where it has none, as `grouped_of` says.

    Returns:
        That, which of the states accept, and where each column went.
    """
    width = table.shape[1]
    kept, accepts = np.empty((len(chosen), width), np.int32), np.empty(len(chosen), np.uint8)
    for i in range(len(chosen)):
        accepts[i] = accepting[chosen[i]]
        for c in range(width):
            t = table[chosen[i], c]
            kept[i, c] = name[t] if t >= 0 else -1
    kept, group = grouped_of(kept)
    return kept, accepts, group


@entry
def trimmed_of(table, accepting):
    """The table without states that lead nowhere, but for the start, as `kept_of` says."""
    start, source = sources_of(table)
    shortest = shortest_of(start, source, accepting)
    count, used = len(accepting), 0
    name, chosen = np.full(count, -1, np.int32), np.empty(count, np.int32)
    for s in range(count):
        if s == 0 or shortest[s] < FAR:
            name[s], chosen[used] = used, s
            used += 1
    return kept_of(table, accepting, chosen[:used], name)


@entry
def minimal_of(table, accepting):
    """Return the table with equivalent states merged, in the order of the first of each; see `kept_of`."""
    block = blocks_of(table, accepting)
    count, used = len(accepting), 0
    of_block, name, chosen = np.full(count + 2, -1, np.int32), np.empty(count, np.int32), np.empty(count, np.int32)
    for s in range(count):
        if of_block[block[s]] < 0:
            of_block[block[s]], chosen[used] = used, s
            used += 1
        name[s] = of_block[block[s]]
    return kept_of(table, accepting, chosen[:used], name)


@kernel
def blocks_of(table, accepting):
    """Return Hopcroft's partition into equivalent states (1971); -1 in the table counts as one more state."""
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


@entry
def product_of(first, second, first_column, second_column, max_states):
    """Pairs of states that can be met, from (0, 0) on, and their table; no pair where there are too many."""
    width = len(first_column)
    pairs, table, slots = np.zeros(64, np.int64), np.empty((64, width), np.int32), np.zeros(128, np.int32)
    used, done = 1, 0
    slots[_slot_of_pair(pairs, i64(0), slots)] = 1
    while done < used:
        left, right = pairs[done] >> 32, pairs[done] & 0xFFFFFFFF
        for c in range(width):
            a, b = i64(first[left, first_column[c]]), i64(second[right, second_column[c]])
            if a < 0 or b < 0:
                table[done, c] = -1
                continue
            slot = _slot_of_pair(pairs, a << 32 | b, slots)
            if slots[slot] == 0:
                if used == max_states:
                    return table[:0], pairs[:0]
                if used == len(pairs):
                    pairs, table = doubled(pairs), doubled(table)
                pairs[used], slots[slot] = a << 32 | b, used + 1
                used += 1
                table[done, c] = used - 1
                if 2 * used > len(slots):
                    slots = np.zeros(2 * len(slots), np.int32)
                    for p in range(used):
                        slots[_slot_of_pair(pairs, pairs[p], slots)] = p + 1
            else:
                table[done, c] = slots[slot] - 1
        done += 1
    return table[:used].copy(), pairs[:used].copy()


@kernel
def _slot_of_pair(pairs, pair, slots):
    """Return the slot of a pair, which holds its number + 1 or is free."""
    slot = ((pair >> 32) * 0x9E3779B1 + (pair & 0xFFFFFFFF) * 0x85EBCA6B) & (len(slots) - 1)
    while slots[slot] != 0 and pairs[slots[slot] - 1] != pair:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@kernel
def doubled(rows):
    """The rows with room for as many more."""
    larger = np.empty((2 * len(rows), *rows.shape[1:]), rows.dtype)
    larger[: len(rows)] = rows
    return larger


@entry
def deterministic_of(follow, which, reached_start, reached, start, endless, alike, num_atoms, max_states, max_steps):
    """The sets of positions that are met from `start` on, by way of atoms of characters.

    Sets are rows of 64-bit words; behind the positions stands the bit that says that the text may end.

    Args:
        follow: uint64[P, W]; what can come after each position.
        which: the set of characters that each position reads.
        reached_start, reached: for each such set its atoms, one list after another.
        start: uint64[W]; where texts begin.
        endless: uint64[W]; positions from which every text is accepted; `alike`: the set that stands for all such sets.

    Returns:
        The table and which sets accept, and the steps that it took: more than `max_steps` where there are too many, and
        then there is no table; nor is there one where there are more than `max_states` sets.
    """
    positions, width = follow.shape
    accept_word, accept_bit = positions >> 6, np.uint64(1) << np.uint64(positions & 63)
    sets, table = np.zeros((32, width), np.uint64), np.empty((32, num_atoms), np.int32)
    slots = np.zeros(128, np.int32)
    following = np.empty((num_atoms, width), np.uint64)
    sets[0] = start
    slots[slot_of(sets, start, slots)] = 1
    used, done, steps = 1, 0, 0
    while done < used:
        following[:] = 0
        steps += num_atoms
        for w in range(width):
            word = sets[done, w]
            if w == accept_word:
                word &= ~accept_bit
            p = 64 * w
            while word != 0:
                if word & np.uint64(0xFF) == 0:
                    word >>= np.uint64(8)
                    p += 8
                    continue
                if word & np.uint64(1) != 0:
                    c = which[p]
                    steps += 1 + reached_start[c + 1] - reached_start[c]
                    for i in range(reached_start[c], reached_start[c + 1]):
                        for k in range(width):
                            following[reached[i], k] |= follow[p, k]
                word >>= np.uint64(1)
                p += 1
        if steps > max_steps:
            return table[:0], np.zeros(0, np.uint8), steps
        for a in range(num_atoms):
            row, is_empty, is_endless = following[a], True, False
            for k in range(width):
                is_empty &= row[k] == 0
                is_endless |= row[k] & endless[k] != 0
            if is_empty:
                table[done, a] = -1
                continue
            if is_endless and row[accept_word] & accept_bit != 0:
                row = alike
            slot = slot_of(sets, row, slots)
            if slots[slot] == 0:
                if used == max_states:
                    return table[:0], np.zeros(0, np.uint8), steps
                if used == len(sets):
                    sets, table = doubled(sets), doubled(table)
                sets[used], slots[slot] = row, used + 1
                used += 1
                if 2 * used > len(slots):
                    slots = more_slots(sets[:used], len(slots))
                table[done, a] = used - 1
            else:
                table[done, a] = slots[slot] - 1
        done += 1
    accepting = np.zeros(used, np.uint8)
    for s in range(used):
        accepting[s] = sets[s, accept_word] & accept_bit != 0
    return table[:used].copy(), accepting, steps


@kernel
def more_slots(sets, room):
    """Twice as many slots, with the same sets."""
    slots = np.zeros(2 * room, np.int32)
    for s in range(len(sets)):
        slots[slot_of(sets, sets[s], slots)] = s + 1
    return slots


@kernel
def slot_of(sets, row, slots):
    """Return the slot of a set, which holds its number + 1 or is free."""
    key = np.uint64(0)
    for k in range(len(row)):
        key = (key ^ np.uint64(row[k])) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
    slot = np.int64(key & np.uint64(len(slots) - 1))
    while slots[slot] != 0:
        other, k = slots[slot] - 1, 0
        while k < len(row) and sets[other, k] == row[k]:
            k += 1
        if k == len(row):
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot
