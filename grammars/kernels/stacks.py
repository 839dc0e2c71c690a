"""Stack nodes and the set of triples under construction.

A node is (return state, count, parent), or stands for any of several stacks: then its return state is EITHER, its
count one of them and its parent the rest. Triples that differ in nothing but their stacks are one triple with such a
node, so choices on one level of nesting do not multiply with those on the next.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import (
    FULL,
    FULL_ARRAY,
    FULL_STACKS,
    FULL_WORK,
    IS_AT_END,
    MOST_STEPS,
    NUM_STACKS,
    STAMP,
    STEPS_LEFT,
    UNBOUNDED,
)
from grammars.kernels.columns import room_in
from grammars.kernels.hashing import stack_hash
from grammars.kernels.sets import set_cost
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, SPAN, UNREACHABLE

EITHER = 0x7FFFFFFF
MANY = EITHER - 1  # the same, where the one and the rest may be such nodes themselves
_MOST_LISTED = 64  # stacks of several nodes that are listed one by one
_FEW = 8  # triples of a set that are compared one by one
_STEPS_NODE = 4  # for a stack node that is new


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
    if node == room_in(a.stack_return, a.stack_slots):
        a.counters[FULL_ARRAY] = FULL_STACKS
        return np.int64(FULL)
    a.counters[NUM_STACKS] = node + 1
    a.counters[STEPS_LEFT] -= _STEPS_NODE
    a.stack_return[node] = ret
    a.stack_count[node] = count
    a.stack_parent[node] = parent
    a.stack_state[node] = a.stack_union[node] = 0
    if ret >= MANY:
        cost = min(i64(a.stack_cost[count]), i64(a.stack_cost[parent]))
    else:
        if cost < 0:
            cost = state_cost(a, ret, count)
        if parent > 0:
            cost += a.stack_cost[parent]
    a.stack_cost[node] = min(cost, i64(UNREACHABLE))
    a.stack_slots[slot] = node
    return node


@kernel
def add_steps(a, part):
    """Lets the matches take more steps, one `part`-th of what they may take at once, and never more than that.

    A step is a triple or stack looked at where a set is closed. They are what masks of ambiguous grammars take most.
    What a set took more than there was is owed.
    """
    left, most = a.counters[STEPS_LEFT], a.counters[MOST_STEPS]
    if left < most:
        a.counters[STEPS_LEFT] = min(left + most // part, most)


@kernel
def lift_steps(a):
    """Lets what follows take any number of steps, for it is bounded otherwise; what was left, to be put back."""
    left = a.counters[STEPS_LEFT]
    a.counters[STEPS_LEFT] = UNBOUNDED
    return left


@kernel
def begin_set(a):
    """Starts a new set; triples are then added by `add`, and `close` gives it a number."""
    a.counters[STAMP] += 1


@kernel
def add(a, size, state, stack, count):
    """Adds a triple to the set of `size` triples unless it is there; the new size, or FULL."""
    if size < _FEW:
        for i in range(size):
            if a.work_state[i] == state and a.work_stack[i] == stack and a.work_count[i] == count:
                return size
    else:
        if size == _FEW:
            for i in range(size):
                _enter(a, i, i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i]))
        if 4 * size == len(a.seen_slot):
            a.counters[FULL_ARRAY] = FULL_WORK
            return np.int64(FULL)
        if not _enter(a, size, state, stack, count):
            return size
    if size == len(a.work_state):
        a.counters[FULL_ARRAY] = FULL_WORK
        return np.int64(FULL)
    a.work_state[size] = state
    a.work_stack[size] = stack
    a.work_count[size] = count
    return size + 1


@kernel
def _enter(a, i, state, stack, count):
    """Enters triple `i` into the hash table of the set under construction; False where an equal one is there."""
    stamp, mask = a.counters[STAMP], len(a.seen_slot) - 1
    slot = stack_hash(state, count, stack & 0x7FFFFFFF) & mask
    while a.seen_stamp[slot] == stamp:
        known = a.seen_slot[slot]
        if a.work_state[known] == state and a.work_stack[known] == stack and a.work_count[known] == count:
            return False
        slot = (slot + 1) & mask
    a.seen_stamp[slot] = stamp
    a.seen_slot[slot] = i
    return True


@kernel
def pop(a, size, stack):
    """Adds where the match goes on when a rule returns to any of the stacks, and notes the end; the size, or FULL."""
    while a.stack_return[stack] == EITHER:
        a.counters[STEPS_LEFT] -= 1
        node = i64(a.stack_count[stack])
        size = add(a, size, i64(a.stack_return[node]), i64(a.stack_parent[node]), i64(a.stack_count[node]))
        if size < 0:
            return size
        stack = i64(a.stack_parent[stack])
    if stack == 0:
        a.counters[IS_AT_END] = 1
        return size
    return add(a, size, i64(a.stack_return[stack]), i64(a.stack_parent[stack]), i64(a.stack_count[stack]))


@kernel
def merge_stacks(a, size):
    """Merges the triples of the sorted set that differ in their stacks alone; the new size, or FULL."""
    merged, i = i64(0), i64(0)
    while i < size:
        state, count, stack = i64(a.work_state[i]), i64(a.work_count[i]), i64(a.work_stack[i])
        end = i + 1
        while end < size and a.work_state[end] == state and a.work_count[end] == count:
            end += 1
        if end > i + 1:
            stack = union_of(a, a.work_stack[i:end], a.work_base)
            if stack < 0:
                return stack
        a.work_state[merged], a.work_count[merged], a.work_stack[merged] = state, count, stack
        merged += 1
        i = end
    return merged


@kernel
def union_of(a, nodes, members):
    """The node for all stacks that these nodes stand for; FULL without room.

    Where many states of an ambiguous grammar wait for the same, it is found once. Where there would be many more stacks
    than nodes they are not listed before they come to the top, each once. The nodes are sorted; `members` is room.
    """
    nodes, is_plain = nodes[: _distinct(nodes, len(nodes))], True
    if len(nodes) == 1:
        return i64(nodes[0])
    for node in nodes:
        is_plain = is_plain and a.stack_return[node] < MANY
    key = _chained(a, nodes, i64(EITHER if is_plain else MANY))
    if is_plain or key < 0 or a.stack_union[key] != 0:
        return key if is_plain or key < 0 else i64(a.stack_union[key])
    number, most, union = i64(0), max(2 * len(nodes), _MOST_LISTED), key
    a.counters[STAMP] += 1  # no stack was met yet
    for node in nodes:
        number = stacks_into(a, members[:most], number, i64(node)) if number >= 0 else number
    if number > 0:
        union = _chained(a, members[: _distinct(members, number)], i64(EITHER))
    a.stack_union[key] = max(union, i64(0))
    return union


@kernel
def stacks_into(a, members, number, stack):
    """Writes the stacks that a node stands for, and that were not met, to `members` from `number` on; the new number.

    Or FULL. What follows a node that was met in its chain was met with it.
    """
    stamp, top = a.counters[STAMP], i64(len(members))
    begin = top
    while True:
        while a.stack_stamp[stack] != stamp:
            a.stack_stamp[stack] = stamp
            if number == top:
                a.counters[FULL_ARRAY] = FULL_WORK
                return i64(FULL)
            if a.stack_return[stack] < MANY:
                members[number] = stack
                number += 1
                break
            # The rest of the chain waits at the end of the array.
            top -= 1
            members[top] = a.stack_parent[stack]
            stack = i64(a.stack_count[stack])
        if top == begin:
            return number
        stack = i64(members[top])
        top += 1


@kernel
def _distinct(members, number):
    """Sorts the first members and leaves out those that come twice; how many there are then."""
    members[:number].sort()
    distinct = i64(0)
    for i in range(number):
        if i == 0 or members[i] != members[i - 1]:
            members[distinct] = members[i]
            distinct += 1
    return distinct


@kernel
def _chained(a, members, ret):
    """The node of that kind for any of the sorted members; FULL without room."""
    node = i64(members[0])
    a.counters[STEPS_LEFT] -= len(members)
    for i in range(1, len(members)):
        node = push_stack(a, ret, i64(members[i]), node)
        if node < 0:
            return node
    return node
