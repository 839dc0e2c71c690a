"""Configurations: closing a set of (state, stack, count) triples and giving it a number."""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import (
    DEAD,
    FULL,
    FULL_ARRAY,
    FULL_CONFIGS,
    FULL_PAIRS,
    FULL_STACKS,
    FULL_WORK,
    NUM_CONFIGS,
    NUM_PAIRS,
    NUM_STACKS,
    STAMP,
    stack_hash,
)
from grammars.kernels.options import i64, kernel
from grammars.network.network import NORMAL, SPAN, UNREACHABLE


@kernel
def state_cost(a, state, count):
    """Tokens that suffice from `state` with `count` to the return of its rule."""
    kind = a.kind[state]
    if kind == NORMAL:
        return np.int64(a.cost[state])
    item = a.item[state]
    if kind == SPAN:
        unit = a.unit_start[a.span_class[item]]
        u = state - a.span_first[item]
        begun = 0 if u == 0 else a.unit_fewest[unit + u]
        left = max(a.span_low[item] - count - (1 if u > 0 else 0), 0)
        return np.int64(left) * a.unit_fewest[unit] + begun + a.cost[a.span_exit[item]]
    left = max(a.repeat_low[item] - count, 0)
    return np.int64(left) * a.cost[a.repeat_rule[item]] + a.cost[a.repeat_exit[item]]


@kernel
def triple_cost(a, state, stack, count):
    """Tokens that suffice from the triple to the end of the text."""
    total = state_cost(a, state, count)
    if stack > 0:
        total += a.stack_cost[stack]
    return min(total, np.int64(UNREACHABLE))


@kernel
def push_stack(a, ret, count, parent):
    """The stack node (ret, count, parent); FULL when there is no room."""
    mask = len(a.stack_slots) - 1
    slot = stack_hash(ret, count, parent) & mask
    while a.stack_slots[slot] > 0:
        node = a.stack_slots[slot]
        if a.stack_return[node] == ret and a.stack_count[node] == count and a.stack_parent[node] == parent:
            return np.int64(node)
        slot = (slot + 1) & mask
    node = a.counters[NUM_STACKS]
    if node == len(a.stack_return):
        a.counters[FULL_ARRAY] = FULL_STACKS
        return np.int64(FULL)
    a.counters[NUM_STACKS] = node + 1
    a.stack_return[node] = ret
    a.stack_count[node] = count
    a.stack_parent[node] = parent
    a.stack_cost[node] = triple_cost(a, ret, parent, count)
    a.stack_slots[slot] = node
    return node


@kernel
def begin_set(a):
    """Starts a new set; triples are then added by `add`, and `close` gives it a number."""
    a.counters[STAMP] += 1


@kernel
def add(a, size, state, stack, count):
    """Adds a triple to the set of `size` triples unless it is there; the new size, or FULL."""
    stamp = a.counters[STAMP]
    mask = len(a.seen_slot) - 1
    slot = stack_hash(state, count, stack) & mask
    while a.seen_stamp[slot] == stamp:
        i = a.seen_slot[slot]
        if a.work_state[i] == state and a.work_stack[i] == stack and a.work_count[i] == count:
            return size
        slot = (slot + 1) & mask
    if size == len(a.work_state):
        a.counters[FULL_ARRAY] = FULL_WORK
        return np.int64(FULL)
    a.seen_stamp[slot] = stamp
    a.seen_slot[slot] = size
    a.work_state[size] = state
    a.work_stack[size] = stack
    a.work_count[size] = count
    return size + 1


@kernel
def close(a, size):
    """The configuration of the set under construction: closed under returns, epsilons, calls, spans and repeats.

    Only triples that can consume a byte are kept. Returns the configuration, or FULL.
    """
    accepts = False
    kept = 0
    i = i64(0)
    while i < size:
        state, stack, count = i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i])
        keep = False
        kind = a.kind[state]
        if kind == NORMAL:
            if a.accepts[state]:
                if stack == 0:
                    accepts = True
                else:
                    ret, parent = i64(a.stack_return[stack]), i64(a.stack_parent[stack])
                    size = add(a, size, ret, parent, i64(a.stack_count[stack]))
                    if size < 0:
                        return size
            for e in range(a.epsilon_start[state], a.epsilon_start[state + 1]):
                size = add(a, size, i64(a.epsilon_to[e]), stack, i64(0))
                if size < 0:
                    return size
            for e in range(a.call_start[state], a.call_start[state + 1]):
                node = stack
                if a.call_return[e] >= 0:
                    node = push_stack(a, i64(a.call_return[e]), i64(0), stack)
                    if node < 0:
                        return node
                size = add(a, size, i64(a.call_rule[e]), node, i64(0))
                if size < 0:
                    return size
            keep = a.edge_start[state] < a.edge_start[state + 1] or a.otherwise[state] >= 0
        elif kind == SPAN:
            span = a.item[state]
            high = a.span_high[span]
            if state != a.span_first[span]:
                keep = True
            else:
                keep = high < 0 or count < high
                if count >= a.span_low[span]:
                    size = add(a, size, i64(a.span_exit[span]), stack, i64(0))
        else:
            item = a.item[state]
            high = a.repeat_high[item]
            if high < 0 or count < high:
                node = push_stack(a, state, i64(min(count + 1, max(high, a.repeat_low[item]))), stack)
                if node < 0:
                    return node
                size = add(a, size, i64(a.repeat_rule[item]), node, i64(0))
            if size >= 0 and count >= a.repeat_low[item]:
                size = add(a, size, i64(a.repeat_exit[item]), stack, i64(0))
        if size < 0:
            return size
        if keep:
            # Position `kept` was visited already, so its triple may be overwritten; `work_base` remembers which.
            a.work_base[kept] = i
            kept += 1
        i += 1
    for j in range(kept):
        i = a.work_base[j]
        a.work_state[j], a.work_stack[j], a.work_count[j] = a.work_state[i], a.work_stack[i], a.work_count[i]
    return intern(a, i64(kept), accepts)


@kernel
def _before(a, i, state, stack, count):
    if a.work_state[i] != state:
        return a.work_state[i] < state
    if a.work_stack[i] != stack:
        return a.work_stack[i] < stack
    return a.work_count[i] < count


@kernel
def _sort(a, size):
    """Shell sort of the set (Ciura's gaps); sets are small and nearly always sorted."""
    for gap in (701, 301, 132, 57, 23, 10, 4, 1):
        for i in range(gap, size):
            state, stack, count = a.work_state[i], a.work_stack[i], a.work_count[i]
            j = i
            while j >= gap and not _before(a, j - gap, state, stack, count):
                a.work_state[j] = a.work_state[j - gap]
                a.work_stack[j] = a.work_stack[j - gap]
                a.work_count[j] = a.work_count[j - gap]
                j -= gap
            a.work_state[j], a.work_stack[j], a.work_count[j] = state, stack, count


@kernel
def intern(a, size, accepts):
    """The number of the closed set of `size` triples in the work arrays, in any order; FULL without room."""
    if size == 0 and not accepts:
        return np.int64(DEAD)
    _sort(a, size)
    h = np.int64(1 if accepts else 0)
    for i in range(size):
        h = stack_hash(i64(a.work_state[i]) ^ (h & 0x7FFFFFFF), i64(a.work_count[i]), i64(a.work_stack[i]))
    mask = len(a.config_slots) - 1
    slot = h & mask
    while a.config_slots[slot] > 0:
        config = a.config_slots[slot]
        if a.config_hash[config] == h and _same(a, config, size, accepts):
            return np.int64(config)
        slot = (slot + 1) & mask
    config, first = a.counters[NUM_CONFIGS], a.counters[NUM_PAIRS]
    if config == len(a.config_first):
        a.counters[FULL_ARRAY] = FULL_CONFIGS
        return np.int64(FULL)
    if first + size > len(a.pair_state):
        a.counters[FULL_ARRAY] = FULL_PAIRS
        return np.int64(FULL)
    cost = np.int64(0 if accepts else UNREACHABLE)
    for i in range(size):
        a.pair_state[first + i] = a.work_state[i]
        a.pair_stack[first + i] = a.work_stack[i]
        a.pair_count[first + i] = a.work_count[i]
        cost = min(cost, triple_cost(a, i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i])))
    a.config_first[config] = first
    a.config_size[config] = size
    a.config_accepts[config] = 1 if accepts else 0
    a.config_cost[config] = cost
    a.config_hash[config] = h
    a.config_slots[slot] = config
    a.counters[NUM_CONFIGS] = config + 1
    a.counters[NUM_PAIRS] = first + size
    return config


@kernel
def _same(a, config, size, accepts):
    if a.config_size[config] != size or (a.config_accepts[config] == 1) != accepts:
        return False
    first = a.config_first[config]
    for i in range(size):
        if (
            a.pair_state[first + i] != a.work_state[i]
            or a.pair_stack[first + i] != a.work_stack[i]
            or a.pair_count[first + i] != a.work_count[i]
        ):
            return False
    return True


@kernel
def close_one(a, state, stack, count):
    """The configuration of a single triple; FULL without room."""
    begin_set(a)
    size = add(a, i64(0), state, stack, count)
    return size if size < 0 else close(a, size)
