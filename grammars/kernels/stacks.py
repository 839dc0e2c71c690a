"""Stack nodes and the set of triples under construction.

A node is (return state, count, parent), or stands for any of several stacks: then its return state is EITHER, its
count one of them and its parent the rest. Triples that differ in nothing but their stacks are one triple with such a
node, so choices on one level of nesting do not multiply with those on the next.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import (
    FULL,
    FULL_ARRAY,
    FULL_STACKS,
    FULL_WORK,
    MOST_STEPS,
    NUM_STACKS,
    STAMP,
    STEPS_LEFT,
    UNBOUNDED,
)
from grammars.kernels.columns import room_in
from grammars.kernels.hashing import stack_hash
from grammars.kernels.options import i64, kernel
from grammars.kernels.sets import set_cost
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, SPAN, UNREACHABLE

EITHER = 0x7FFFFFFF
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
    a.stack_state[node] = a.stack_factored[node] = 0
    if ret == EITHER:
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
    """
    left, most = max(a.counters[STEPS_LEFT], i64(0)), a.counters[MOST_STEPS]
    if left < most:
        a.counters[STEPS_LEFT] = min(left + most // part, most)


@kernel
def lift_steps(a):
    """Lets what follows take any number of steps, for it is bounded otherwise; what `put_steps` needs."""
    left = a.counters[STEPS_LEFT]
    a.counters[STEPS_LEFT] = UNBOUNDED
    return left


@kernel
def put_steps(a, left):
    """Ends it."""
    a.counters[STEPS_LEFT] = max(left, i64(0))


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
    """Adds where the match goes on when a rule returns to any of the stacks but the bottom; the new size.

    Else FULL.
    """
    while a.stack_return[stack] == EITHER:
        a.counters[STEPS_LEFT] -= 1
        node = i64(a.stack_count[stack])
        size = add(a, size, i64(a.stack_return[node]), i64(a.stack_parent[node]), i64(a.stack_count[node]))
        if size < 0:
            return size
        stack = i64(a.stack_parent[stack])
    if stack == 0:
        return size
    return add(a, size, i64(a.stack_return[stack]), i64(a.stack_parent[stack]), i64(a.stack_count[stack]))


@kernel
def has_bottom(a, stack):
    """Whether the bottom is one of the stacks; of several, it is the last."""
    while a.stack_return[stack] == EITHER:
        stack = i64(a.stack_parent[stack])
    return stack == 0


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
            stack = _either(a, i, end)
            if stack < 0:
                return stack
        a.work_state[merged], a.work_count[merged], a.work_stack[merged] = state, count, stack
        merged += 1
        i = end
    return merged


@kernel
def _either(a, first, end):
    """The node for any of the stacks of the triples `first` to `end`; FULL without room."""
    members, number = a.work_base, i64(0)
    begin_union(a)
    for i in range(first, end):
        number = stacks_into(a, members, number, i64(a.work_stack[i]))
        if number < 0:
            return number
    return either_of(a, members, number)


@kernel
def either_of(a, members, number):
    """The node for any of the first members; FULL without room."""
    number = _distinct(members, number)
    a.counters[STEPS_LEFT] -= number
    chain = _chained(a, members, number)
    if chain <= 0 or (number <= _FEW and not _share_return(a, members, number)):
        return chain
    if a.stack_factored[chain] == 0:
        number = _factored(a, members, number)
        if number < 0:
            return number
        factored = _chained(a, members, number)
        if factored < 0:
            return factored
        a.stack_factored[chain] = factored
    return i64(a.stack_factored[chain])


@kernel
def begin_union(a):
    """No stack was met yet."""
    a.counters[STAMP] += 1


@kernel
def stacks_into(a, members, number, stack):
    """Writes the stacks that a node stands for, and that were not met, to `members` from `number` on; the new number.

    Or FULL. What follows a node that was met in its chain was met with it.
    """
    stamp, is_last = a.counters[STAMP], False
    while not is_last and a.stack_stamp[stack] != stamp:
        a.stack_stamp[stack] = stamp
        is_last = a.stack_return[stack] != EITHER
        member = stack if is_last else i64(a.stack_count[stack])
        if is_last or a.stack_stamp[member] != stamp:
            a.stack_stamp[member] = stamp
            if number == len(members):
                a.counters[FULL_ARRAY] = FULL_WORK
                return i64(FULL)
            members[number] = member
            number += 1
        stack = i64(a.stack_parent[stack])
    return number


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
def _chained(a, members, number):
    """The node for any of the sorted members; FULL without room."""
    node = i64(members[0])
    for i in range(1, number):
        node = push_stack(a, i64(EITHER), i64(members[i]), node)
        if node < 0:
            return node
    return node


@kernel
def _are_alike(a, first, second):
    """Whether two nodes differ only in what is below them."""
    return (
        min(first, second) > 0
        and a.stack_return[first] == a.stack_return[second]
        and a.stack_count[first] == a.stack_count[second]
    )


@kernel
def _share_return(a, members, number):
    for i in range(1, number):
        for j in range(i):
            if _are_alike(a, i64(members[i]), i64(members[j])):
                return True
    return False


@kernel
def _factored(a, members, number):
    """Makes one of the members that differ only in what is below them; how many there are then, or FULL.

    So there are at most as many as there are states to return to, however ambiguous a grammar is: otherwise the ways to
    read what is below would multiply with each level of nesting. What is below is factored when it comes to the top.
    """
    keys = np.empty(number, np.int64)
    for k in range(number):
        node = i64(members[k])
        # Those that are alike stand side by side.
        is_bottom = node == 0
        kind = i64(0) if is_bottom else stack_hash(i64(a.stack_return[node]), i64(a.stack_count[node]), i64(0))
        keys[k] = (kind & 0x7FFFFFFF) << 32 | node
    keys.sort()
    below, factored, i = members[number:], i64(0), i64(0)
    while i < number:
        node, begin = keys[i] & 0xFFFFFFFF, i
        i += 1
        while i < number and _are_alike(a, node, keys[i] & 0xFFFFFFFF):
            i += 1
        if i - begin > 1:
            size = i64(0)
            begin_union(a)
            for j in range(begin, i):
                size = stacks_into(a, below, size, i64(a.stack_parent[keys[j] & 0xFFFFFFFF]))
                if size < 0:
                    return size
            a.counters[STEPS_LEFT] -= size
            parent = _chained(a, below, _distinct(below, size))
            if parent < 0:
                return parent
            node = push_stack(a, i64(a.stack_return[node]), i64(a.stack_count[node]), parent)
            if node < 0:
                return node
        members[factored] = node
        factored += 1
    return _distinct(members, factored)
