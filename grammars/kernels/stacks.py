"""Stack nodes and the set of triples under construction."""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import FULL, FULL_ARRAY, FULL_STACKS, FULL_WORK, NUM_STACKS, STAMP
from grammars.kernels.hashing import stack_hash
from grammars.kernels.options import i64, kernel
from grammars.kernels.sets import set_cost
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, SPAN, UNREACHABLE


@kernel
def state_cost(a, state, count):
    """Tokens that suffice from `state` with `count` to the return of its rule."""
    kind = a.kind[state]
    if kind == NORMAL or kind == CHECK:
        return np.int64(a.cost[state])
    item = a.item[state]
    if kind == CHOOSE or kind == AFTER:
        return set_cost(a, i64(item), count, kind == CHOOSE)
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
    return push_known(a, ret, count, parent, i64(-1))


@kernel
def push_known(a, ret, count, parent, cost):
    """The same where what (ret, count) costs is known already; -1: it is not."""
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
    if cost < 0:
        cost = state_cost(a, ret, count)
    if parent > 0:
        cost += a.stack_cost[parent]
    a.stack_cost[node] = min(cost, i64(UNREACHABLE))
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
