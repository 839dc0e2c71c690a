"""Walks over the trie of the vocabulary: which tokens does a configuration allow?

A walk carries the configuration of each depth and skips the subtree of a dead byte. It answers (status, reach,
visited): status 0 or FULL; reach, the largest cost after an allowed token; visited, the nodes looked at.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import DEAD, IS_OPEN_STRING, LEAVES, MOST_PARTED, NUM_PARTED, ONE_MORE, TEXT_SIZE, UNKNOWN
from grammars.kernels.bits import clear_tokens, set_tokens
from grammars.kernels.closure import PENDING
from grammars.kernels.guards import OPEN, cost_of, set_if_allowed, settle, step
from grammars.kernels.leaving import hang_leaving, leave_token
from grammars.kernels.options import i64, kernel
from grammars.kernels.relative import is_in_object
from grammars.kernels.repeats import hang_token, if_strings_are_new, let_strings_pass, what_to_note
from grammars.kernels.successor import after_last_unit, row_of, successor, units_left
from grammars.network.twins import unpacked
from grammars.vocabulary.tables import SAME


@kernel
def walk(a, v, config, limit, row):
    """Sets the bits of all tokens that `config` allows and after which at most `limit` tokens suffice."""
    a.open_node[0], a.open_config[0], a.open_units[0] = 0, config, 0
    return _walk_open(a, v, limit, row)


@kernel
def walk_below(a, v, top, config, limit, row):
    """The same for the subtree of `top` (by level), with `config` after its bytes."""
    reach, visited = i64(0), i64(1)
    if a.config_row[config] == PENDING:
        config = let_strings_pass(a, v, i64(v.level_node[top]), config)
        if config < 0:
            return config, reach, visited
        if a.config_row[config] == PENDING:
            return _walk_guarded(a, v, i64(v.level_node[top]), config, limit, row)
    token = i64(v.level_token[top])
    if token >= 0 and a.config_cost[config] <= limit:
        set_tokens(v, row, token & ~SAME)
        reach = i64(a.config_cost[config])
    a.open_node[0], a.open_config[0], a.open_units[0] = top, config, 0
    status, far, seen = _walk_open(a, v, limit, row)
    return status, max(reach, far), visited + seen


@kernel
def _walk_open(a, v, limit, row):
    """The same for all nodes below the one open node.

    An open node stands with its configuration, and with the units that a span of the configuration has taken since
    (`ONE_MORE`): in a run of blanks no configuration is made for each.
    """
    open_node, open_config, open_units = a.open_node, a.open_config, a.open_units
    level_start, level_byte, level_token = v.level_start, v.level_byte, v.level_token
    rows, byte_class, config_row, config_cost = a.rows, a.byte_class, a.config_row, a.config_cost
    reach, visited = i64(0), i64(0)
    most_parted = a.counters[MOST_PARTED]
    size = 1
    while size > 0:
        size -= 1
        node, config, taken = open_node[size], i64(open_config[size]), open_units[size]
        if most_parted > 0 and node > 0 and a.config_size[config] > 1:
            parted = a.counters[NUM_PARTED]
            if parted < most_parted and is_in_object(a, config):
                a.parted_node[parted], a.parted_config[parted] = node, config
                a.counters[NUM_PARTED] = parted + 1
                continue
        first, last = level_start[node], level_start[node + 1]
        r = row_of(a, config)
        if r < 0:
            return r, reach, visited
        visited += last - first
        left = i64(-1)
        for child in range(first, last):
            byte = level_byte[child]
            target, units = i64(rows[r + byte_class[byte]]), 0
            if target == DEAD:
                continue
            if target < 0:
                if target == UNKNOWN:
                    following = successor(a, config, i64(byte))
                    if following == DEAD:
                        continue
                    target = i64(rows[r + byte_class[byte]]) if following > 0 else following
                if target == ONE_MORE:
                    if left < 0:
                        left = units_left(a, config)
                    target, units = config, taken + 1
                    if units == left:
                        target, units = after_last_unit(a, config), 0
                        if target == DEAD:
                            continue
                if target < 0:
                    status = hang_leaving(a, v, i64(child)) if target == LEAVES else target
                    if status < 0:
                        return status, reach, visited
                    continue
            if config_row[target] == PENDING:
                target = let_strings_pass(a, v, i64(v.level_node[child]), target)
                if target < 0:
                    return target, reach, visited
                if config_row[target] == PENDING:
                    status, far, seen = _walk_guarded(a, v, i64(v.level_node[child]), target, limit, row)
                    if status < 0:
                        return status, reach, visited
                    reach, visited = max(reach, far), visited + seen
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
            if level_start[child] < level_start[child + 1]:
                open_node[size], open_config[size], open_units[size] = child, target, units
                size += 1
    return i64(0), reach, visited


@kernel
def _walk_guarded(a, v, top, config, limit, row):
    """The same for any subtree, with `config` after its byte, where guards decide what follows."""
    base, path, text = a.counters[TEXT_SIZE], a.guarded_path, a.text
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
        if target == DEAD or target == OPEN:
            i = i64(v.node_end[i])
            continue
        if target < 0:
            return target, reach, visited
        path[depth] = target
        if v.node_token[i] >= 0:
            cost = cost_of(a, target)
            if cost <= limit:
                set_tokens(v, row, i64(v.node_token[i]))
                reach = max(reach, cost)
        i += 1
    return i64(0), reach, visited


@kernel
def walk_outside(a, v, p, config, trie, limit, row):
    """Like `walk`, over the tokens that are not members of a class."""
    start, stop = p.outside_start[trie], p.outside_start[trie + 1]
    reach, visited = i64(0), i64(0)
    a.path[0] = config
    i, end = 0, stop - start
    while i < end:
        visited += 1
        node = start + i
        depth = p.outside_depth[node]
        target = successor(a, i64(a.path[depth - 1]), i64(p.outside_byte[node]))
        if target < 0:
            return target, reach, visited
        if target == DEAD:
            i = p.outside_end[node]
            continue
        if a.config_row[target] == PENDING:
            passed = if_strings_are_new(a, i64(target), i64(p.outside_byte[node]))
            if passed < 0:
                return passed, reach, visited
            is_asked = a.config_row[passed] == PENDING
            some = node
            while p.outside_token[some] < 0:
                some += 1
            known = i64(0) if is_asked else what_to_note(a, v, i64(p.outside_token[some]), i64(depth))
            for j in range(node, start + p.outside_end[node] if is_asked or known > 0 else node):
                token = i64(p.outside_token[j])
                while token >= 0:
                    status = set_if_allowed(a, v, token, limit, row) if is_asked else hang_token(a, token | known)
                    if status < 0:
                        return status, reach, visited
                    token = i64(v.next_same[token])
            if is_asked:
                i = p.outside_end[node]
                continue
            target = passed
        a.path[depth] = target
        token = i64(p.outside_token[node])
        if token >= 0:
            cost = i64(a.config_cost[target])
            if cost <= limit:
                set_tokens(v, row, token)
                reach = max(reach, cost)
        i += 1
    return i64(0), reach, visited


@kernel
def walk_residual(a, v, p, config, residual, fewest, most, limit, row):
    """Sets the tokens whose remainder `config` (after the remainder's first byte) allows.

    Only tokens with `fewest` to `most` whole units before the remainder count.
    """
    start = p.residual_start[residual]
    reach, visited = i64(0), i64(0)
    a.path[1] = config
    i, end = 0, p.residual_end[start]
    while i < end:
        visited += 1
        node = start + i
        depth = p.residual_depth[node]
        target = i64(config)
        if depth > 1:
            target = successor(a, i64(a.path[depth - 1]), i64(p.residual_byte[node]))
            if target == LEAVES:
                for k in range(p.residual_first[node], p.residual_first[start + p.residual_end[node]]):
                    status = leave_token(a, i64(p.residual_token[k]))
                    if status < 0:
                        return status, reach, visited
                i = p.residual_end[node]
                continue
            if target < 0:
                return target, reach, visited
            if target == DEAD:
                i = p.residual_end[node]
                continue
        if a.config_row[target] == PENDING:
            passed = if_strings_are_new(a, i64(target), i64(p.residual_byte[node]))
            if passed < 0:
                return passed, reach, visited
            is_asked = a.config_row[passed] == PENDING
            if depth == 1 and not is_asked:
                a.counters[IS_OPEN_STRING] = 1
            else:
                for k in range(p.residual_first[node], p.residual_first[start + p.residual_end[node]]):
                    token = i64(p.residual_token[k])
                    status = set_if_allowed(a, v, token, limit, row) if is_asked else hang_token(a, token)
                    if status < 0:
                        return status, reach, visited
            if is_asked:
                i = p.residual_end[node]
                continue
            target = passed
        a.path[depth] = target
        cost = i64(a.config_cost[target])
        if cost <= limit:
            any_token = False
            for k in range(p.residual_first[node], p.residual_first[node + 1]):
                if fewest <= p.residual_units[k] <= most:
                    token = p.residual_token[k]
                    row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
                    any_token = True
            if any_token:
                reach = max(reach, cost)
        i += 1
    return i64(0), reach, visited


@kernel
def walk_difference(a, v, config, base, slack, limit, row):
    """Turns the mask of `base` in `row` into that of `config`, looking only where the two differ.

    Both allow the same tokens within `slack`, see `network.twins`; 0 says nothing.
    """
    chars, far, breaks = unpacked(slack)
    longest, most_breaks = v.level_longest, v.level_breaks
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
            return min(r, other_r), reach, visited
        visited += last - first
        for child in range(first, last):
            if longest[child] <= chars or (longest[child] <= far and most_breaks[child] <= breaks):
                continue
            byte = level_byte[child]
            k = byte_class[byte]
            target, other = i64(rows[r + k]), i64(rows[other_r + k])
            if target == other and target >= 0:
                continue
            if target < 0:
                target = successor(a, source, i64(byte))
            if other < 0:
                other = successor(a, other_source, i64(byte))
            if target == other:
                # Where both leave, the mask of the base has noted so.
                continue
            i = i64(v.level_node[child])
            if target == LEAVES:
                status = hang_leaving(a, v, i64(child))
                if status < 0:
                    return status, reach, visited
                visited += _clear_below(v, row, i)
                continue
            other = i64(DEAD) if other == LEAVES else other
            if target < 0 or other < 0:
                return min(target, other), reach, visited
            if target == DEAD:
                visited += _clear_below(v, row, i)
                continue
            if config_row[target] == PENDING:
                target = let_strings_pass(a, v, i, target)
            if config_row[other] == PENDING:
                other = if_strings_are_new(a, other, i64(byte))
            if target < 0 or other < 0:
                return min(target, other), reach, visited
            if config_row[target] == PENDING or config_row[other] == PENDING:
                visited += _clear_below(v, row, i)
                if target != DEAD:
                    status, far, seen = _walk_guarded(a, v, i, target, limit, row)
                    if status < 0:
                        return status, reach, visited
                    reach, visited = max(reach, far), visited + seen
                continue
            token = i64(level_token[child])
            if token >= 0:
                token &= ~SAME
                cost = i64(a.config_cost[target])
                if target != DEAD and cost <= limit:
                    set_tokens(v, row, token)
                    reach = max(reach, cost)
                else:
                    clear_tokens(v, row, token)
            if level_start[child] < level_start[child + 1]:
                open_node[size], open_config[size], open_base[size] = child, target, other
                size += 1
    return i64(0), reach, visited


@kernel
def _clear_below(v, row, top):
    """Clears the tokens of the subtree; what that is beside a walk, in nodes."""
    end = i64(v.node_end[top])
    for i in range(top, end):
        clear_tokens(v, row, i64(v.node_token[i]))
    return (end - top) >> 3
