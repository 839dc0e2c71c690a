"""Long walks over the shapes of tokens instead of the tokens.

Where many bytes are allowed, as at a place in a pattern, a walk over the whole trie would look at hundreds of thousands
of nodes. One over shapes carries, for each node, the configurations to which any bytes of the shape lead: where all are
alive, so are the tokens, where all are dead, so are they. Tokens between the two are looked at one by one, or where
their first bytes are plain, by a walk over their part of the trie. Tokens without a shape get a walk of their own.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import DEAD, LEAVES
from grammars.kernels.closure import PENDING
from grammars.kernels.options import i64, kernel
from grammars.kernels.successor import row_of, successor
from grammars.kernels.walk import walk, walk_below, walk_outside
from grammars.network.network import UNREACHABLE
from grammars.vocabulary.partitions import SHAPELESS

GIVEN_UP = 1
_WIDE = 256
_MOST_TARGETS = 16
_MOST_UNSURE = 3_000
_UNSURE = _MOST_TARGETS + 1


@kernel
def walk_all(a, v, p, config, limit, row):
    """Like `walk`, the short way where the walk would be long."""
    status, reach, visited = walk_if_shorter(a, v, p, config, i64(DEAD), limit, row)
    if status != GIVEN_UP:
        return status, reach, visited
    return walk(a, v, config, limit, row)


@kernel
def walk_if_shorter(a, v, p, config, loop, limit, row):
    """`_walk_shapes` where there is no limit and a walk is longer; else, GIVEN_UP. For `loop` see `_walk_length`."""
    if limit != UNREACHABLE:
        return i64(GIVEN_UP), i64(0), i64(0)
    length = _walk_length(a, v, config, loop)
    if length < 0:
        return length, i64(0), i64(0)
    if length <= len(v.shape_end):
        return i64(GIVEN_UP), i64(0), i64(0)
    return _walk_shapes(a, v, p, config, row)


@kernel
def _walk_length(a, v, config, loop):
    """About how many nodes a walk looks at, not below the bytes that lead to `loop`; or FULL."""
    length, place = i64(0), row_of(a, config)
    if place < 0:
        return place
    for node in range(v.level_start[0], v.level_start[1]):
        byte = i64(v.level_byte[node])
        target = i64(a.rows[place + a.byte_class[byte]])
        if target < 0:
            target = successor(a, config, byte)
        if target == DEAD or target == loop or target == LEAVES:
            continue
        if target < 0:
            return target
        size = i64(v.node_end[v.level_node[node]] - v.level_node[node])
        if size < _WIDE or a.config_row[target] == PENDING:
            length += size
            continue
        # A blank begins half of all tokens: what counts is what may follow it.
        for child in range(v.level_start[node], v.level_start[node + 1]):
            following = successor(a, target, i64(v.level_byte[child]))
            if following < 0 and following != LEAVES:
                return following
            if following > 0:
                length += v.node_end[v.level_node[child]] - v.level_node[child]
    return length


@kernel
def _walk_shapes(a, v, p, config, row):
    """Like `walk` without a limit, but reach may be more than it has to be.

    The status is GIVEN_UP, and nothing was done, where too many tokens would have to be looked at one by one.
    """
    aside, source = a.scratch[0], v.shape_row
    for w in range(len(row)):
        aside[w] = source[w]
    sets, sizes = np.empty((len(a.path), _MOST_TARGETS), np.int32), np.zeros(len(a.path), np.int32)
    tops = np.full(len(a.path), -1, np.int32)
    sets[0, 0], sizes[0], tops[0] = config, 1, 0
    reach, visited, unsure = i64(0), i64(0), i64(0)
    i, end = i64(1), i64(len(v.shape_end))
    while i < end:
        visited += 1
        depth, low, high = i64(v.shape_depth[i]), i64(v.shape_low[i]), i64(v.shape_high[i])
        size = _targets(a, sets, depth - 1, i64(sizes[depth - 1]), low, high)
        if size < 0:
            return size, reach, visited
        first, last = i64(v.shape_first[i]), i64(v.shape_first[v.shape_end[i]])
        if size == 0 or size == _UNSURE:
            for k in range(first, last):
                token = v.shape_token[k]
                aside[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
            i = i64(v.shape_end[i])
        if size == _UNSURE:
            top = i64(tops[depth - 1])
            if top >= 0 and sizes[depth - 1] == 1:
                status, far, seen = _walk_children(a, v, top, i64(sets[depth - 1, 0]), low, high, aside)
            else:
                unsure += last - first
                if unsure > _MOST_UNSURE:
                    return i64(GIVEN_UP), reach, visited
                status, far, seen = _look_at_each(a, v, config, first, last, aside)
            if status != 0:
                return status, reach, visited
            reach, visited = max(reach, far), visited + seen
        elif size > 0:
            sizes[depth] = size
            tops[depth] = _child(v, i64(tops[depth - 1]), low) if low == high and tops[depth - 1] >= 0 else i64(-1)
            if v.shape_first[i + 1] > first:
                for k in range(size):
                    reach = max(reach, i64(a.config_cost[sets[depth, k]]))
            i += 1
    for w in range(len(row)):
        row[w] |= aside[w]
    status, far, seen = walk_outside(a, v, p, config, i64(SHAPELESS), i64(UNREACHABLE), row)
    return status, max(reach, far), visited + seen


@kernel
def _targets(a, sets, before, size, low, high):
    """Puts where any byte leads from any of the configurations into the next set; its size, `_UNSURE`, or FULL."""
    found, is_dead, latest = i64(0), False, i64(DEAD - 9)
    for k in range(size):
        source = i64(sets[before, k])
        r = row_of(a, source)
        if r < 0:
            return r
        for c in range(a.byte_class[low], i64(a.byte_class[high]) + 1):
            target = i64(a.rows[r + c])
            if target == latest:
                continue
            if target < 0:
                target = successor(a, source, i64(a.class_byte[c]))
                if target == LEAVES:
                    return i64(_UNSURE)
                if target < 0:
                    return target
            latest = target
            if target == DEAD:
                is_dead = True
                continue
            if a.config_row[target] == PENDING:
                return i64(_UNSURE)
            j = 0
            while j < found and sets[before + 1, j] != target:
                j += 1
            if j == found:
                if found == _MOST_TARGETS:
                    return i64(_UNSURE)
                sets[before + 1, found] = target
                found += 1
    return i64(_UNSURE) if is_dead and found > 0 else found


@kernel
def _child(v, top, byte):
    """The child of the node by `byte`, both by level; -1 where there is none."""
    for child in range(v.level_start[top], v.level_start[top + 1]):
        if v.level_byte[child] == byte:
            return i64(child)
    return i64(-1)


@kernel
def _walk_children(a, v, top, config, low, high, row):
    """Walks below the children of the node (by level) by these bytes, with `config` before them."""
    reach, visited = i64(0), i64(0)
    for child in range(v.level_start[top], v.level_start[top + 1]):
        byte = i64(v.level_byte[child])
        if byte < low or byte > high:
            continue
        target = successor(a, config, byte)
        if target < 0:
            return target, reach, visited
        if target != DEAD:
            status, far, seen = walk_below(a, v, i64(child), target, i64(UNREACHABLE), row)
            if status < 0:
                return status, reach, visited
            reach, visited = max(reach, far), visited + seen
    return i64(0), reach, visited


@kernel
def _look_at_each(a, v, config, first, last, row):
    """Sets the tokens of a slice of `shape_token` that are allowed; GIVEN_UP where a guard is met."""
    reach = i64(0)
    for k in range(first, last):
        token, target = i64(v.shape_token[k]), config
        for place in range(v.token_start[token], v.token_start[token + 1]):
            target = successor(a, target, i64(v.token_bytes[place]))
            if target <= 0:
                break
            if a.config_row[target] == PENDING:
                return i64(GIVEN_UP), reach, i64(0)
        if target < 0:
            return target, reach, i64(0)
        if target != DEAD:
            row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
            reach = max(reach, i64(a.config_cost[target]))
    return i64(0), reach, last - first
