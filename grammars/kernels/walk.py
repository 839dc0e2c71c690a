"""Walks over the trie of the vocabulary: which tokens does a configuration allow?

A walk carries the configuration of each depth and skips the subtree of a dead byte.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels import arena as memory
from grammars.kernels.checks import OPEN, cost_of, set_if_allowed, settle, step
from grammars.kernels.closure import PENDING
from grammars.kernels.stacks import lift_steps
from grammars.kernels.successor import after_last_unit, cost_after, row_of, successor, units_left
from grammars.kernels.uniqueness_masks import assume_unique, defer_token, if_strings_are_new, what_to_note
from grammars.vocabulary.pool import clear_tokens, set_tokens
from grammars.vocabulary.tables import SAME

_LONGER = 8
_UNASKED = -9


@kernel
def reached(a, cost, visited):
    """Record the cost after a token of the mask, and the number of nodes visited."""
    a.counters[memory.REACH] = max(a.counters[memory.REACH], cost)
    a.counters[memory.VISITED] += visited


@kernel
def walk(a, v, config, limit, row):
    """Sets the bits of all tokens that `config` allows and after which at most `limit` tokens suffice."""
    a.open_node[0], a.open_config[0], a.open_units[0] = 0, config, 0
    return _walk_open(a, v, i64(len(v.level_byte)), limit, row)


@kernel
def walk_short(a, v, config, limit, row):
    """Walk all tokens of one byte, and longer ones as far as a bounded walk reaches, at least one.

    Where no byte is a token, or the limit forbids all that were seen, further steps are taken: each leads to successors
    that were not known before.
    """
    last, most, part = i64(v.level_start[1]), i64(len(v.level_byte)), a.counters[memory.MOST_STEPS] // memory.MASK_PART
    left = lift_steps(a)
    while True:
        if last == v.level_start[1] and len(a.check_kind) == 0:
            status = _add_bytes(a, v, config, limit, row)
        else:
            a.open_node[0], a.open_config[0], a.open_units[0] = 0, config, 0
            status = _walk_open(a, v, last, limit, row)
        is_found = False
        for word in row:
            is_found = is_found or word != 0
        if status < 0:
            if is_found and status == memory.FULL:
                break
            if status != memory.FULL or a.counters[memory.FULL_ARRAY] != memory.FULL_STEPS:
                a.counters[memory.STEPS_LEFT] = left
                return status
        elif last == most or (is_found and (a.counters[memory.NUM_QUESTIONS] > 0 or left < -part)):
            # What checks say of short tokens is asked first, and where much is owed, there are no others.
            break
        else:
            last = min(_LONGER * last, most)
        a.counters[memory.STEPS_LEFT] = part
    a.counters[memory.STEPS_LEFT] = left + min(a.counters[memory.STEPS_LEFT], i64(0))
    return i64(0)


@kernel
def _add_bytes(a, v, config, limit, row):
    """The same for tokens of one byte in a network without checks: no configuration is made."""
    costs = np.full(a.counters[memory.NUM_CLASSES], _UNASKED, dtype=np.int64)  # alike for bytes of one class
    for node in range(v.level_start[0], v.level_start[1]):
        token, byte = i64(v.level_token[node]), i64(v.level_byte[node])
        if token >= 0:
            group = a.byte_class[byte]
            if costs[group] == _UNASKED:
                costs[group] = cost_after(a, config, byte)
            cost = costs[group]
            if cost < -1:
                return cost
            if 0 <= cost <= limit:
                set_tokens(v, row, token & ~SAME)
    return i64(0)


@kernel
def walk_below(a, v, top, config, limit, row):
    """The same for the subtree of `top` (by level), with `config` after its bytes."""
    if a.config_row[config] == PENDING:
        config = assume_unique(a, v, i64(v.level_node[top]), config)
        if config < 0:
            return config
        if a.config_row[config] == PENDING:
            return _walk_checked(a, v, i64(v.level_node[top]), config, limit, row)
    token = i64(v.level_token[top])
    if token >= 0 and a.config_cost[config] <= limit:
        set_tokens(v, row, token & ~SAME)
        reached(a, i64(a.config_cost[config]), i64(1))
    a.open_node[0], a.open_config[0], a.open_units[0] = top, config, 0
    return _walk_open(a, v, i64(len(v.level_byte)), limit, row)


@kernel
def _walk_open(a, v, last_node, limit, row):
    """The same for all nodes below the one open node and before `last_node`, by level.

    An open node stands with its configuration, and with the units that a span of the configuration has taken since
    (`ONE_MORE`): in a run of blanks no configuration is made for each.
    """
    open_node, open_config, open_units = a.open_node, a.open_config, a.open_units
    level_start, level_byte, level_token = v.level_start, v.level_byte, v.level_token
    rows, byte_class, config_row, config_cost = a.rows, a.byte_class, a.config_row, a.config_cost
    reach, visited = i64(0), i64(0)
    size = 1
    while size > 0:
        size -= 1
        node, config, taken = open_node[size], i64(open_config[size]), open_units[size]
        first, last = level_start[node], level_start[node + 1]
        r = row_of(a, config)
        if r < 0:
            return r
        visited += last - first
        left = i64(-1)
        for child in range(first, last):
            byte = level_byte[child]
            target, units = i64(rows[r + byte_class[byte]]), 0
            if target == memory.DEAD:
                continue
            if target < 0:
                if target == memory.UNKNOWN:
                    following = successor(a, config, i64(byte))
                    if following == memory.DEAD:
                        continue
                    target = i64(rows[r + byte_class[byte]]) if following > 0 else following
                if target == memory.ONE_MORE:
                    if left < 0:
                        left = units_left(a, config)
                    target, units = config, taken + 1
                    if units == left:
                        target, units = after_last_unit(a, config), 0
                        if target == memory.DEAD:
                            continue
                if target < 0:
                    return target
            if config_row[target] == PENDING:
                target = assume_unique(a, v, i64(v.level_node[child]), target)
                if target < 0:
                    return target
                if config_row[target] == PENDING:
                    status = _walk_checked(a, v, i64(v.level_node[child]), target, limit, row)
                    if status < 0:
                        return status
                    continue
            token = i64(level_token[child])
            if token >= 0:
                cost = i64(config_cost[target])
                if cost <= limit:
                    if token < SAME:
                        row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
                    else:
                        set_tokens(v, row, token - SAME)
                    reach = max(reach, cost)
            if level_start[child] < min(level_start[child + 1], last_node):
                open_node[size], open_config[size], open_units[size] = child, target, units
                size += 1
    reached(a, reach, visited)
    return i64(0)


@kernel
def _walk_checked(a, v, top, config, limit, row):
    """The same for any subtree, with `config` after its byte, where checks decide what follows."""
    base, path, text = a.counters[memory.TEXT_SIZE], a.checked_path, a.text
    reach, visited = i64(0), i64(0)
    some = top
    while v.node_token[some] < 0:
        some += 1
    first = v.token_start[v.node_token[some]]
    for k in range(v.node_depth[top]):
        text[base + k] = v.token_bytes[first + k]
    i, end = top, v.node_end[top]
    while i < end:
        visited += 1
        depth = i64(v.node_depth[i])
        if i == top:
            target = settle(a, config, base + depth)
        else:
            byte = i64(v.node_byte[i])
            text[base + depth - 1] = byte
            target = step(a, i64(path[depth - 1]), byte, base + depth - 1)
        if target == memory.DEAD or target == OPEN:
            i = i64(v.node_end[i])
            continue
        if target < 0:
            return target
        path[depth] = target
        if v.node_token[i] >= 0:
            cost = cost_of(a, target, base + depth, limit)
            if cost < 0:
                return cost
            if cost <= limit:
                set_tokens(v, row, i64(v.node_token[i]))
                reach = max(reach, cost)
        i += 1
    reached(a, reach, visited)
    return i64(0)


@kernel
def walk_part(a, v, p, config, trie, fewest, most, limit, row):
    """Like `walk`, over one of the tries of a partition, with `config` before it.

    In a residual, only tokens with `fewest` to `most` whole units before the remainder count.
    """
    start = p.trie_start[trie]
    reach, visited = i64(0), i64(0)
    a.path[0] = config
    # Behind each trie is a node more.
    i, end = 0, p.trie_start[trie + 1] - start - 1
    while i < end:
        visited += 1
        node = start + i
        depth, byte = p.trie_depth[node], i64(p.trie_byte[node])
        target = successor(a, i64(a.path[depth - 1]), byte)
        if target < 0:
            return target
        if target == memory.DEAD:
            i = p.trie_end[node]
            continue
        if a.config_row[target] == PENDING:
            passed = if_strings_are_new(a, target, byte)
            if passed < 0:
                return passed
            is_asked = a.config_row[passed] == PENDING
            status = _decide_part(a, v, p, node, start + p.trie_end[node], target, is_asked, limit, row)
            if status < 0:
                return status
            if is_asked:
                i = p.trie_end[node]
                continue
            target = passed
        a.path[depth] = target
        cost = i64(a.config_cost[target])
        if cost <= limit:
            for k in range(p.trie_first[node], p.trie_first[node + 1]):
                if fewest <= p.trie_units[k] <= most:
                    token = p.trie_token[k]
                    row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
                    reach = max(reach, cost)
        i += 1
    reached(a, reach, visited)
    return i64(0)


@kernel
def _decide_part(a, v, p, node, end, config, is_asked, limit, row):
    """Decides the tokens of these nodes, behind the pending `config`, or notes what the text decides; 0, or FULL."""
    known = i64(0)
    if not is_asked:
        some = node
        while p.trie_first[some] == p.trie_first[some + 1]:
            some += 1
        token = i64(p.trie_token[p.trie_first[some]])
        rest = i64(p.trie_depth[some]) - p.trie_depth[node]
        known = what_to_note(a, v, config, token, i64(v.token_start[token + 1] - v.token_start[token]) - rest)
    for k in range(p.trie_first[node], p.trie_first[end] if is_asked or known > 0 else p.trie_first[node]):
        token = i64(p.trie_token[k])
        if known > 0:
            defer_token(a, token | known)
            continue
        status = set_if_allowed(a, v, token, limit, row)
        if status < 0:
            return status
    return i64(0)


@kernel
def walk_difference(a, v, config, base, limit, row):
    """Turns the mask of `base` in `row` into that of `config`, looking only where the two differ."""
    open_node, open_config, open_base = a.open_node, a.open_config, a.open_units
    level_start, level_byte, level_token = v.level_start, v.level_byte, v.level_token
    rows, byte_class, config_row = a.rows, a.byte_class, a.config_row
    open_node[0], open_config[0], open_base[0] = 0, config, base
    reach, visited, size = i64(0), i64(0), 1
    while size > 0:
        size -= 1
        node, source, other_source = open_node[size], i64(open_config[size]), i64(open_base[size])
        first, last = level_start[node], level_start[node + 1]
        r, other_r = row_of(a, source), row_of(a, other_source)
        if r < 0 or other_r < 0:
            return min(r, other_r)
        visited += last - first
        for child in range(first, last):
            byte = level_byte[child]
            k = byte_class[byte]
            target, other = i64(rows[r + k]), i64(rows[other_r + k])
            if target == other and target >= 0:
                continue
            if target < 0:
                target = successor(a, source, i64(byte))
            if other < 0:
                other = successor(a, other_source, i64(byte))
            if target == other and target >= 0:
                continue
            if target < 0 or other < 0:
                return min(target, other)
            i = i64(v.level_node[child])
            if target == memory.DEAD:
                visited += _clear_below(v, row, i)
                continue
            if config_row[target] == PENDING:
                target = assume_unique(a, v, i, target)
            if config_row[other] == PENDING:
                other = if_strings_are_new(a, other, i64(byte))
            if target < 0 or other < 0:
                return min(target, other)
            if config_row[target] == PENDING or config_row[other] == PENDING:
                visited += _clear_below(v, row, i)
                if target != memory.DEAD:
                    status = _walk_checked(a, v, i, target, limit, row)
                    if status < 0:
                        return status
                continue
            token = i64(level_token[child])
            if token >= 0:
                token &= ~SAME
                cost = i64(a.config_cost[target])
                if target != memory.DEAD and cost <= limit:
                    set_tokens(v, row, token)
                    reach = max(reach, cost)
                else:
                    clear_tokens(v, row, token)
            if level_start[child] < level_start[child + 1]:
                open_node[size], open_config[size], open_base[size] = child, target, other
                size += 1
    reached(a, reach, visited)
    return i64(0)


@kernel
def _clear_below(v, row, top):
    """Clears the tokens of the subtree; what that is beside a walk, in nodes."""
    end = i64(v.node_end[top])
    for i in range(top, end):
        clear_tokens(v, row, i64(v.node_token[i]))
    return (end - top) >> 3
