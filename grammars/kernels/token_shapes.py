"""Long walks over the shapes of tokens instead of the tokens.

Where many bytes are allowed, as at a place in a pattern, a walk over the whole trie would look at hundreds of thousands
of nodes. One over shapes carries, for each node, the configurations to which any bytes of the shape lead: where all are
alive, so are the tokens, where all are dead, so are they. Tokens between the two are looked at one by one, or where
their first bytes are plain, by a walk over their part of the trie. Tokens without a shape get a walk of their own.
Such sets of configurations are few, and where each leads is found once: the walk itself reads one number a node.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import DEAD, NUM_CONFIGS, NUM_TARGET_SETS
from grammars.kernels.closure import PENDING
from grammars.kernels.columns import MOST_TARGET_SETS, MOST_TARGETS
from grammars.kernels.hashing import stack_hash
from grammars.kernels.successor import row_of, successor
from grammars.kernels.walk import reached, walk, walk_below, walk_part
from grammars.network.network import UNREACHABLE
from grammars.vocabulary.partitions import SHAPELESS
from grammars.vocabulary.pool import add_row

GIVEN_UP = 1
_WIDE = 256
_MOST_UNSURE = 3_000
_MOST_IN_SET = 256
# The same once a walk has made so many configurations: in counted text they would be more and more.
_FEW_TARGETS, _MANY_NEW = 8, 128
_NOT_ASKED, _NONE, _UNSURE = -1, 0, MOST_TARGET_SETS


@kernel
def walk_all(a, v, p, config, limit, row):
    """Like `walk`, the short way where the walk would be long."""
    status = walk_if_shorter(a, v, p, config, i64(DEAD), limit, row)
    if status != GIVEN_UP:
        return status
    return walk(a, v, config, limit, row)


@kernel
def walk_if_shorter(a, v, p, config, loop, limit, row):
    """`_walk_shapes` where there is no limit and a walk is longer; else, GIVEN_UP. For `loop` see `_walk_length`."""
    if limit != UNREACHABLE:
        return i64(GIVEN_UP)
    length = _walk_length(a, v, config, loop)
    if length < 0:
        return length
    if length <= len(v.shape_end):
        return i64(GIVEN_UP)
    return _walk_shapes(a, v, p, config, row)


@kernel
def _walk_length(a, v, config, loop):
    """About how many nodes a walk looks at, if not more than there are shapes, not below the bytes that lead to `loop`.

    Or FULL.
    """
    length, place = i64(0), row_of(a, config)
    if place < 0:
        return place
    for node in range(v.level_start[0], v.level_start[1]):
        if length > len(v.shape_end):
            break
        byte = i64(v.level_byte[node])
        target = i64(a.rows[place + a.byte_class[byte]])
        if target < 0:
            target = successor(a, config, byte)
        if target == DEAD or target == loop:
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
            if following < 0:
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
    # Set k is members[start[k]:start[k + 1]], sorted, and far[k] its largest cost; after[k] says where it leads.
    members, start, far, after = a.target_config, a.target_start, a.target_cost, a.target_after
    a.target_slots[:] = -1
    after[:2] = _NOT_ASKED
    members[0], far[1] = config, a.config_cost[config]
    start[0], start[1], start[2] = 0, 0, 1
    used, many = i64(2), a.counters[NUM_CONFIGS] + _MANY_NEW
    # Of each depth its set, and its byte if those on the way to it are one each, else -1.
    path, bytes_ = a.shape_path, a.shape_byte
    path[0], bytes_[0] = 1, 0
    reach, visited, unsure = i64(0), i64(0), i64(0)
    i, end = i64(1), i64(len(v.shape_end))
    while i < end:
        visited += 1
        depth, low, before = i64(v.shape_depth[i]), i64(v.shape_low[i]), i64(path[v.shape_depth[i] - 1])
        known = i64(after[before, low])
        if known == _NOT_ASKED:
            most_targets = i64(_FEW_TARGETS if a.counters[NUM_CONFIGS] > many else _MOST_IN_SET)
            known = _after(a, used, before, low, i64(v.shape_high[i]), most_targets)
            if known < 0:
                return known
            if known == used:
                after[used] = _NOT_ASKED
                used += 1
                a.counters[NUM_TARGET_SETS] = max(a.counters[NUM_TARGET_SETS], used)
            after[before, low] = known
        first, last = i64(v.shape_first[i]), i64(v.shape_first[v.shape_end[i]])
        if known != _NONE and known != _UNSURE:
            path[depth] = known
            if v.shape_first[i + 1] > first:
                reach = max(reach, i64(far[known]))
            bytes_[depth] = low if low == v.shape_high[i] and bytes_[depth - 1] >= 0 else i64(-1)
            i += 1
            continue
        for k in range(first, last):
            token = v.shape_token[k]
            aside[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
        if known == _UNSURE:
            if bytes_[depth - 1] >= 0 and start[before + 1] == start[before] + 1:
                only, high, top = i64(members[start[before]]), i64(v.shape_high[i]), i64(0)
                for k in range(1, depth):
                    top = _child(v, top, i64(bytes_[k]))
                status = _walk_children(a, v, top, only, low, high, aside)
            else:
                unsure += last - first
                if unsure > _MOST_UNSURE:
                    return i64(GIVEN_UP)
                status = _look_at_each(a, v, config, first, last, aside)
            if status != 0:
                return status
        i = i64(v.shape_end[i])
    add_row(row, aside)
    reached(a, reach, visited)
    return walk_part(a, v, p, config, i64(SHAPELESS), i64(0), i64(0), i64(UNREACHABLE), row)


@kernel
def _after(a, used, before, low, high, most_targets):
    """The set of configurations to which any of these bytes leads from any of a set; `used` where it is a new one.

    `_NONE` where all are dead, `_UNSURE` where only some are, where a check is met or where there is no room; or FULL.
    """
    members, start = a.target_config, a.target_start
    begin, found, is_dead, latest = i64(start[used]), i64(0), False, i64(DEAD - 9)
    if used == MOST_TARGET_SETS - 1 or begin + _MOST_IN_SET > MOST_TARGETS:
        return i64(_UNSURE)
    for j in range(start[before], start[before + 1]):
        source = i64(members[j])
        r = row_of(a, source)
        if r < 0:
            return r
        for c in range(a.byte_class[low], i64(a.byte_class[high]) + 1):
            target = i64(a.rows[r + c])
            if target == latest:
                continue
            if target < 0:
                target = successor(a, source, i64(a.class_byte[c]))
                if target < 0:
                    return target
            latest = target
            if target == DEAD:
                is_dead = True
                continue
            if a.config_row[target] == PENDING:
                return i64(_UNSURE)
            if found == most_targets:
                return i64(_UNSURE)
            found += _put(members, begin, begin + found, target)
    if found == 0 or is_dead:
        return i64(_NONE if found == 0 else _UNSURE)
    return _number_of(a, used, found)


@kernel
def _put(members, first, end, target):
    """Puts `target` in its place in the sorted ``members[first:end]``; 0 if it is there."""
    low, high = first, end
    while low < high:
        middle = (low + high) >> 1
        if members[middle] < target:
            low = middle + 1
        else:
            high = middle
    if low < end and members[low] == target:
        return 0
    for k in range(end, low, -1):
        members[k] = members[k - 1]
    members[low] = target
    return 1


@kernel
def _number_of(a, used, size):
    """The number of the set that stands behind the others; `used` where it is a new one."""
    members, start, slots = a.target_config, a.target_start, a.target_slots
    begin, key, cost = i64(start[used]), i64(0), i64(0)
    for k in range(begin, begin + size):
        key = stack_hash(key & 0x7FFFFFFF, i64(members[k]), size)
        cost = max(cost, i64(a.config_cost[members[k]]))
    slot = key & (len(slots) - 1)
    while slots[slot] >= 0:
        known = i64(slots[slot])
        first = i64(start[known])
        if start[known + 1] - first == size:
            same = i64(0)
            while same < size and members[first + same] == members[begin + same]:
                same += 1
            if same == size:
                return known
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot], start[used + 1], a.target_cost[used] = used, begin + size, cost
    return used


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
    for child in range(v.level_start[top], v.level_start[top + 1]):
        byte = i64(v.level_byte[child])
        if byte < low or byte > high:
            continue
        target = successor(a, config, byte)
        if target > DEAD:
            target = walk_below(a, v, i64(child), target, i64(UNREACHABLE), row)
        if target < 0:
            return target
    return i64(0)


@kernel
def _look_at_each(a, v, config, first, last, row):
    """Sets the tokens of a slice of `shape_token` that are allowed; GIVEN_UP where a check is met."""
    reach = i64(0)
    for k in range(first, last):
        token, target = i64(v.shape_token[k]), config
        for place in range(v.token_start[token], v.token_start[token + 1]):
            target = successor(a, target, i64(v.token_bytes[place]))
            if target <= 0:
                break
            if a.config_row[target] == PENDING:
                return i64(GIVEN_UP)
        if target < 0:
            return target
        if target != DEAD:
            row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
            reach = max(reach, i64(a.config_cost[target]))
    reached(a, reach, last - first)
    return i64(0)
