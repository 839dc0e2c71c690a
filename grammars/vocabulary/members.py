"""Tokens in a class of characters, found over the shapes of tokens.

Most classes treat all small letters alike, all capitals, all digits: a shape lies in such a class or leaves it, and its
tokens with it. Where a class has some letters of a kind and not others, the tokens of a shape are told apart by the
letters they have. Only where characters of several bytes are told apart within a shape, tokens are read one by one.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry, i64, kernel
from grammars.vocabulary.units import DEAD_UNIT

# Where the bytes of a class of bytes lead from a state of a class of characters, if not to one state.
_DEAD, _MIXED, _UNSURE = -1, -2, -3
# How tokens leave a class of characters after whole units, below a node of the trie of shapes: all at the node; those
# that come as far as the node; at a letter at or below it that the class does not have; anywhere; anywhere but at such
# a letter. Or all at a node of the trie of tokens without a shape.
ALL_HERE, SOME_HERE, AT_LETTERS, ANYWHERE, ELSEWHERE, OUTSIDE = range(6)


@kernel
def goals_of(s, table):
    """int32[number of unit states, 256]: where the class of bytes with this lowest byte leads from a state."""
    goals = np.full((len(table), 256), _UNSURE, np.int32)
    for low in range(256):
        last = i64(s.last[low])
        for state in range(len(table) if last >= 0 else 0):
            first = table[state, low]
            is_one = True
            for byte in range(low + 1, last + 1):
                is_one = is_one and table[state, byte] == first
            if is_one:
                goals[state, low] = _DEAD if first == DEAD_UNIT else i64(first)
        if last >= 0 and goals[0, low] == _UNSURE and s.letter[low] >= 0:
            goals[0, low] = _MIXED
            for byte in range(low, last + 1):
                if table[0, byte] != 0 and table[0, byte] != DEAD_UNIT:
                    goals[0, low] = _UNSURE
    return goals


@kernel
def missing_letters(s, table, goals):
    """The letters that the class does not have, as bits, of the kinds of which it has others."""
    missing = np.uint64(0)
    for byte in range(256):
        if s.letter[byte] >= 0 and goals[0, s.low[byte]] == _MIXED and table[0, byte] == DEAD_UNIT:
            missing |= np.uint64(1) << np.uint64(s.letter[byte])
    return missing


@kernel
def read_token(s, table, k):
    """Return how far the k-th token follows the class: last unit state, units begun, bytes."""
    state, units = i64(0), i64(0)
    first, last = s.start[k], s.start[k + 1]
    for place in range(first, last):
        goal = table[state, s.text[place]]
        if goal == DEAD_UNIT:
            return state, units, i64(place - first)
        units += 1 if state == 0 else 0
        state = i64(goal)
    return state, units, i64(last - first)


@entry
def sort_tokens(s, v, table, rows, most, long, begun, leaves, leaving):
    """Finds the members of a class, and where the other tokens leave it.

    Args:
        rows: zeros; row k becomes the members of at most k units, the last one all members.
        most: units that have a row of their own.
        long: columns of tokens of more units, and their units, in any order.
        begun: columns of members that end inside a unit, and their last unit states.
        leaves: columns of nodes, units before them, and how tokens leave there, see above.
        leaving: uint8[256]; set for first bytes of what remains of some tokens, and perhaps for others.

    Returns:
        Lengths of `long`, `begun`, `leaves`, and the largest number of units, or more.
    """
    goals = goals_of(s, table)
    missing = missing_letters(s, table, goals)
    deepest = max(_deepest(v.shape_depth), _deepest(s.outside_depth)) + 1
    states, units = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    # Whether letters on the way were told apart, and whether there were some inside characters of several bytes.
    mixed, inside = np.zeros(deepest, np.uint8), np.zeros(deepest, np.uint8)
    sizes = np.zeros(4, np.int64)
    i, end = i64(1), i64(len(v.shape_end))
    while i < end:
        depth, low = i64(v.shape_depth[i]), i64(v.shape_low[i])
        before = states[depth - 1]
        goal = i64(goals[before, low])
        inside[depth] = inside[depth - 1] | (before != 0 and s.letter[low] >= 0)
        if goal != _DEAD and (goal == _MIXED or mixed[depth - 1]) and inside[depth]:
            goal = i64(_UNSURE)
        if goal in (_DEAD, _UNSURE):
            if goal == _UNSURE:
                _add_leave(leaves, sizes, i, i64(0), ELSEWHERE if mixed[depth - 1] else ANYWHERE)
                for byte in range(256):
                    leaving[byte] |= table[0, byte] == DEAD_UNIT
                for k in range(v.shape_first[i], v.shape_first[v.shape_end[i]]):
                    state, count, length = read_token(s, table, i64(k))
                    if length == s.start[k + 1] - s.start[k]:
                        _add_member(rows, most, long, begun, sizes, i64(v.shape_token[k]), count, state)
            elif before == 0 and depth > 1:
                _add_leave(leaves, sizes, i, units[depth - 1], SOME_HERE if mixed[depth - 1] else ALL_HERE)
                leaving[low : i64(s.last[low]) + 1] = 1
            i = i64(v.shape_end[i])
            continue
        mixed[depth] = mixed[depth - 1]
        if goal == _MIXED:
            goal = i64(0)
            if mixed[depth] == 0:
                mixed[depth] = 1
                _add_leave(leaves, sizes, i, i64(0), AT_LETTERS)
        states[depth], units[depth] = goal, units[depth - 1] + (1 if before == 0 else 0)
        first, last = i64(v.shape_first[i]), i64(v.shape_first[i + 1])
        if first < last:
            barred = missing if mixed[depth] else np.uint64(0)
            if goal == 0 and units[depth] <= most:
                row = rows[min(units[depth], len(rows) - 1)]
                for k in range(first, last):
                    token = v.shape_token[k]
                    row[token >> 5] |= np.uint32(s.letters[k] & barred == 0) << np.uint32(token & 31)
                sizes[3] = max(sizes[3], units[depth])
            else:
                for k in range(first, last):
                    if s.letters[k] & barred == 0:
                        _add_member(rows, most, long, begun, sizes, i64(v.shape_token[k]), units[depth], goal)
        i += 1
    _sort_outside(s, table, rows, most, long, begun, leaves, leaving, states, units, sizes)
    for byte in range(256):
        if s.letter[byte] >= 0 and missing >> np.uint64(s.letter[byte]) & np.uint64(1):
            leaving[byte] = 1
    for k in range(1, len(rows)):
        if k <= sizes[3]:
            for w in range(rows.shape[1]):
                rows[k, w] |= rows[k - 1, w]
    return sizes


@kernel
def _sort_outside(s, table, rows, most, long, begun, leaves, leaving, states, units, sizes):
    """The same for the tokens without a shape."""
    i, end = i64(0), i64(len(s.outside_end) - 1)
    states[0], units[0] = 0, 0
    while i < end:
        depth, byte = i64(s.outside_depth[i]), i64(s.outside_byte[i])
        before = states[depth - 1]
        goal = table[before, byte]
        if goal == DEAD_UNIT:
            if before == 0 and depth > 1:
                _add_leave(leaves, sizes, i, units[depth - 1], OUTSIDE)
                leaving[byte] = 1
            i = i64(s.outside_end[i])
            continue
        states[depth], units[depth] = goal, units[depth - 1] + (1 if before == 0 else 0)
        for k in range(s.outside_first[i], s.outside_first[i + 1]):
            _add_member(rows, most, long, begun, sizes, i64(s.outside_token[k]), units[depth], i64(goal))
        i += 1


@kernel
def _deepest(depths):
    deepest = i64(0)
    for depth in depths:
        deepest = max(deepest, i64(depth))
    return deepest


@kernel
def _add_member(rows, most, long, begun, sizes, token, count, state):
    rows[min(count, len(rows) - 1), token >> 5] |= np.uint32(1) << np.uint32(token & 31)
    sizes[3] = max(sizes[3], count)
    if count > most:
        long[0, sizes[0]], long[1, sizes[0]] = token, count
        sizes[0] += 1
    if state > 0:
        begun[0, sizes[1]], begun[1, sizes[1]] = token, state
        sizes[1] += 1


@kernel
def _add_leave(leaves, sizes, node, units, kind):
    place = sizes[2]
    leaves[0, place], leaves[1, place], leaves[2, place] = node, units, kind
    sizes[2] = place + 1
