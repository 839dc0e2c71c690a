"""Tokens that spans allow: rows of those inside their class, residuals of those that leave it."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import DEAD, WANTED, WANTED_CLASS, WANTED_KIND
from grammars.kernels.closure import PENDING, close_alone
from grammars.kernels.stacks import triple_cost
from grammars.kernels.successor import successor
from grammars.kernels.token_shapes import walk_all
from grammars.kernels.walk import reached, walk, walk_part
from grammars.network.network import CHECK, SPAN, UNREACHABLE
from grammars.vocabulary.partitions import EMPTY, NOT_BUILT, TOO_LARGE
from grammars.vocabulary.pool import add_row
from grammars.vocabulary.units import DEAD_UNIT

NO_LIMIT = UNREACHABLE
TOO_MANY_LEAVE = 2  # the status where a walk is shorter than the residuals are
WANT_OUTSIDE, WANT_PARTITION, WANT_LOOP, WANT_RESIDUALS = range(4)


@kernel
def is_open_span(a, state):
    """True if `state` is a span's boundary and the span's class has a partition."""
    if a.kind[state] != SPAN:
        return False
    span = a.item[state]
    return state == a.span_first[span] and a.partition_of[a.span_class[span]] != EMPTY


@kernel
def fill_spans(a, v, p, config, limit, row, scratch):
    """Adds what the spans of `config` allow.

    The status is 1 when the other triples are still to be added, 0 when the whole mask is there, TOO_MANY_LEAVE where
    it has to be made in another way.
    """
    overlapping = i64(-1)
    needs_walk = False
    first = a.config_first[config]
    for i in range(first, first + a.config_size[config]):
        state = i64(a.pair_state[i])
        if not is_open_span(a, state):
            continue
        span = a.item[state]
        part = i64(a.partition_of[a.span_class[span]])
        if part == NOT_BUILT:
            a.counters[WANTED_CLASS] = a.span_class[span]
            a.counters[WANTED_KIND] = WANT_PARTITION
            return i64(WANTED)
        count, high, low = i64(a.pair_count[i]), i64(a.span_high[span]), i64(a.span_low[span])
        most = i64(UNREACHABLE) if high < 0 else high - count
        cost = triple_cost(a, state, i64(a.pair_stack[i]), count)
        if limit != NO_LIMIT and count < low:
            return walk(a, v, config, limit, row)
        leave = close_alone(a, i64(a.span_exit[span]), i64(a.pair_stack[i]))
        if leave < 0:
            return leave
        # After the last unit a check may decide whether anything follows: the walk below asks it.
        inside = most - 1 if high >= 0 and a.config_row[leave] == PENDING else most
        if cost <= limit:
            _add_members(a, p, part, inside, cost, limit, row, scratch)
            reached(a, cost + p.most_rest[part], i64(0))
        status = i64(0)
        if _goes_on_inside(a, p, part, leave):
            overlapping = part
            needs_walk = needs_walk or inside < p.row_last[part] or p.long_start[part] < p.long_start[part + 1]
        else:
            status = _add_leaving(a, v, p, part, leave, max(low - count, i64(1)), most, limit, row)
        if status != 0:
            return status
    if overlapping < 0:
        return i64(1)
    trie = i64(p.outside_of[overlapping])
    if trie == NOT_BUILT and not needs_walk:
        a.counters[WANTED_CLASS] = overlapping
        a.counters[WANTED_KIND] = WANT_OUTSIDE
        return i64(WANTED)
    if trie == EMPTY or needs_walk or limit != NO_LIMIT:
        return walk_all(a, v, p, config, limit, row)
    return walk_part(a, v, p, config, trie, i64(0), i64(0), limit, row)


@kernel
def _goes_on_inside(a, p, part, leave):
    """True if the span's exit can take a byte that also begins a unit: then where the span ends is not plain to see."""
    first = a.config_first[leave]
    for i in range(first, first + a.config_size[leave]):
        state = i64(a.pair_state[i])
        if a.kind[state] == SPAN:
            unit_row = a.unit_start[a.span_class[a.item[state]]] + state - a.span_first[a.item[state]]
            for byte in range(256):
                if a.unit_table[unit_row, byte] != DEAD_UNIT and p.first_byte[part, byte]:
                    return True
            continue
        if a.kind[state] == CHECK or a.otherwise[state] >= 0:
            return True
        for e in range(a.edge_start[state], a.edge_start[state + 1]):
            for byte in range(i64(a.edge_low[e]), i64(a.edge_high[e]) + 1):
                if p.first_byte[part, byte]:
                    return True
    return False


@kernel
def _add_members(a, p, part, most, cost, limit, row, scratch):
    """Adds the tokens inside the class with at most `most` units; `cost` is what the span's triple costs."""
    last = i64(p.row_last[part])
    source = p.member_rows[p.row_start[part] + most if most <= last else p.row_full[part]]
    trimmed = limit != NO_LIMIT and cost + p.most_rest[part] > limit
    if most > last:
        trimmed = trimmed or (
            p.long_start[part] < p.long_start[part + 1] and p.long_units[p.long_start[part + 1] - 1] > most
        )
    if not trimmed:
        add_row(row, source)
        return
    scratch[:] = source
    if most > last:
        for k in range(p.long_start[part], p.long_start[part + 1]):
            if p.long_units[k] > most:
                token = p.long_token[k]
                scratch[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
    for k in range(p.begun_start[part], p.begun_start[part + 1]):
        if cost + p.begun_rest[k] > limit:
            token = p.begun_token[k]
            scratch[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
    add_row(row, scratch)


@kernel
def _add_leaving(a, v, p, part, leave, fewest, most, limit, row):
    """Adds the tokens that leave the class after `fewest` to `most` units and go on from `leave`."""
    for byte in range(256):
        residual = i64(p.residual_of[part, byte])
        if residual == EMPTY:
            continue
        target = successor(a, leave, i64(byte))
        if target < 0:
            return target
        if target == DEAD:
            continue
        if residual < 0:
            return want_residuals(a, p, part, leave)
        status = walk_part(a, v, p, leave, residual, fewest, most, limit, row)
        if status < 0:
            return status
    return i64(0)


@kernel
def want_residuals(a, p, part, config):
    """Asks for all residuals of the class by whose first byte `config` goes on.

    Returns:
        0 where all are there, TOO_MANY_LEAVE where they are not worth making, WANTED, or FULL.
    """
    missing = False
    for byte in range(256):
        known = p.residual_of[part, byte]
        if known == NOT_BUILT or known == TOO_LARGE:
            target = successor(a, config, i64(byte))
            if target < 0:
                return target
            if target != DEAD and known == TOO_LARGE:
                return i64(TOO_MANY_LEAVE)
            missing = missing or target != DEAD
    if not missing:
        return i64(0)
    for byte in range(256):
        is_missing = p.residual_of[part, byte] == NOT_BUILT and successor(a, config, i64(byte)) != DEAD
        a.loop_bytes[byte] = 1 if is_missing else 0
    a.counters[WANTED_CLASS] = part
    a.counters[WANTED_KIND] = WANT_RESIDUALS
    return i64(WANTED)
