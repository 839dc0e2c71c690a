"""Configurations: closing a set of (state, stack, count) triples and giving it a number."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry, i64, kernel
from grammars.kernels import arena as memory
from grammars.kernels.columns import room_in
from grammars.kernels.hashing import stack_hash
from grammars.kernels.sets import has_more, is_enough, num_missing, same_set, set_cost, with_member, with_other
from grammars.kernels.sharing import begin_sharing, call_shared, go_on_behind, move_shared, put_nodes, return_from
from grammars.kernels.stacks import MANY, add, begin_set, merge_stacks, pop, push_known, push_stack, triple_cost
from grammars.network.costs import is_chosen
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, SPAN, UNREACHABLE

# A set that grows beyond this is closed once more, each of its states once for all stacks.
_MANY = 2048
_STEPS_SHARED = 4  # more for a triple in such a set, for it stands for many stacks
_WORDS_A_STEP = 4  # of the set of members done, for each member that may come next
PENDING = -1  # in `config_row` and `config_cost`: checks are still to be asked


@kernel
def close(a, size, accepts, done):
    """The configuration of the set under construction: closed under all moves that consume nothing.

    Only triples that can consume a byte, or wait for a check, are kept. Returns the configuration, or FULL.

    Args:
        accepts: whether the text may end, whatever the triples say.
        done: so many of the first triples were closed and kept before.
    """
    if a.counters[memory.STEPS_LEFT] < 0:
        a.counters[memory.FULL_ARRAY] = memory.FULL_STEPS
        return i64(memory.FULL)
    kept, begun, most = i64(done), size, i64(_MANY)
    for j in range(done):
        a.work_base[j] = j
    i = i64(done)
    a.counters[memory.IS_SHARING] = a.counters[memory.IS_AT_END] = 0
    while i < size:
        if size > most and a.counters[memory.IS_SHARING] == 0:
            a.counters[memory.STEPS_LEFT] -= size
            size = begin_sharing(a, done, begun)
            if size < 0:
                return size
            kept, i = i64(done), i64(done)
        state, stack, count = i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i])
        keep = False
        kind = a.kind[state]
        if kind == NORMAL:
            if a.accepts[state]:
                if stack < 0:
                    return_from(a, -1 - stack)
                elif a.stack_return[stack] == MANY:
                    most = i64(0)
                    continue
                else:
                    size = pop(a, size, stack)
                if size < 0:
                    return size
            for e in range(a.epsilon_start[state], a.epsilon_start[state + 1]):
                size = _move(a, size, i64(a.epsilon_to[e]), stack, i64(0))
                if size < 0:
                    return size
            for e in range(a.call_start[state], a.call_start[state + 1]):
                size = _call(a, size, i64(a.call_rule[e]), i64(a.call_return[e]), i64(0), stack, i64(-1))
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
                    size = _move(a, size, i64(a.span_exit[span]), stack, i64(0))
        elif kind == CHECK:
            keep = True
        elif kind == CHOOSE:
            size = _choose(a, size, i64(a.item[state]), count, stack)
        elif kind == AFTER:
            size = _go_on(a, size, i64(a.item[state]), count, stack)
        else:
            item = a.item[state]
            high = a.repeat_high[item]
            if high < 0 or count < high:
                following = i64(min(count + 1, max(high, a.repeat_low[item])))
                size = _call(a, size, i64(a.repeat_rule[item]), state, following, stack, i64(-1))
            if size >= 0 and count >= a.repeat_low[item]:
                size = _move(a, size, i64(a.repeat_exit[item]), stack, i64(0))
        if a.counters[memory.IS_SHARING] != 0:
            size = go_on_behind(a, size)
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
    a.counters[memory.STEPS_LEFT] -= size
    if a.counters[memory.IS_SHARING] != 0:
        a.counters[memory.STEPS_LEFT] -= _STEPS_SHARED * size
        status = put_nodes(a, kept)
        if status < 0:
            return status
    return intern(a, i64(kept), accepts or a.counters[memory.IS_AT_END] != 0)


@kernel
def _move(a, size, state, stack, count):
    """Adds that the match is at (state, count) too; the new size, or FULL."""
    if a.counters[memory.IS_SHARING] != 0:
        return move_shared(a, size, state, stack, count)
    return add(a, size, state, stack, count)


@kernel
def _call(a, size, rule, ret, count, stack, cost):
    """Adds that the rule runs, after which the match goes on at (ret, count); the new size, or FULL.

    Args:
        ret: negative where the rule's caller ends with it; cost: of (ret, count); -1: it is not known.
    """
    if a.counters[memory.IS_SHARING] != 0:
        return call_shared(a, size, rule, i64(0), ret, count, stack)
    if ret < 0:
        return add(a, size, rule, stack, i64(0))
    node = push_known(a, ret, count, stack, cost)
    return node if node < 0 else add(a, size, rule, node, i64(0))


@kernel
def _choose(a, size, item, chosen, stack):
    """Adds every member that may come next after the set `chosen`."""
    first, high = a.member_start[item], i64(a.select_high[item])
    ordered, after = first + a.select_ordered[item], i64(a.select_after[item])
    missing, done = num_missing(a, item, chosen), i64(a.set_size[chosen])
    slots = i64(UNREACHABLE) if high < 0 else high - done
    whole = set_cost(a, item, chosen, False)
    is_short = a.select_low[item] > done + missing
    number = a.member_start[item + 1] - first
    a.counters[memory.STEPS_LEFT] -= number * (
        1 + a.set_members.shape[1] // _WORDS_A_STEP + (number >> 3 if is_short else 0)
    )
    each = i64(a.cost[a.select_separator[item]])
    for m in range(first, a.member_start[item + 1]):
        if is_chosen(a.set_members[chosen], m - first):
            continue
        rule, is_required = i64(a.member_rule[m]), a.member_required[m] != 0
        if rule >= 0 and (is_required or slots > missing):
            following = with_member(a, item, chosen, i64(m - first))
            if following < 0:
                return following
            cost = whole - each - a.cost[rule] if is_required else whole
            if is_short:
                cost = set_cost(a, item, following, False)
            if cost < UNREACHABLE:
                size = _call(a, size, rule, after, following, stack, cost)
                if size < 0:
                    return size
        if is_required and m < ordered:
            return size
    if a.select_others[item] >= 0 and slots > missing:
        following = with_other(a, item, chosen)
        if following < 0:
            return following
        size = _call(a, size, i64(a.select_others[item]), after, following, stack, i64(-1))
    return size


@kernel
def _go_on(a, size, item, chosen, stack):
    """Adds what may follow a member: the end, and a separator before another one."""
    if is_enough(a, item, chosen):
        size = _move(a, size, i64(a.select_exit[item]), stack, i64(0))
    if size >= 0 and has_more(a, item, chosen):
        size = _call(a, size, i64(a.select_separator[item]), i64(a.select_choose[item]), chosen, stack, i64(-1))
    return size


@kernel
def _before(a, i, state, stack, count):
    if a.work_state[i] != state:
        return a.work_state[i] < state
    if a.work_count[i] != count:
        return a.work_count[i] < count
    return a.work_stack[i] < stack


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
        return np.int64(memory.DEAD)
    _sort(a, size)
    size = merge_stacks(a, size)
    if size < 0:
        return size
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
    config, first = a.counters[memory.NUM_CONFIGS], a.counters[memory.NUM_PAIRS]
    if config == room_in(a.config_first, a.config_slots):
        a.counters[memory.FULL_ARRAY] = memory.FULL_CONFIGS
        return np.int64(memory.FULL)
    if first + size > len(a.pair_state):
        a.counters[memory.FULL_ARRAY] = memory.FULL_PAIRS
        return np.int64(memory.FULL)
    cost = np.int64(0 if accepts else UNREACHABLE)
    is_pending = False
    for i in range(size):
        a.pair_state[first + i] = a.work_state[i]
        a.pair_stack[first + i] = a.work_stack[i]
        a.pair_count[first + i] = a.work_count[i]
        is_pending = is_pending or a.kind[a.work_state[i]] == CHECK
        cost = min(cost, triple_cost(a, i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i])))
    a.config_first[config] = first
    a.config_size[config] = size
    a.config_accepts[config] = 1 if accepts else 0
    a.config_cost[config] = PENDING if is_pending else cost
    a.config_row[config] = PENDING if is_pending else 0
    a.config_hash[config] = h
    a.config_slots[slot] = config
    a.counters[memory.NUM_CONFIGS] = config + 1
    a.counters[memory.NUM_PAIRS] = first + size
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


@entry
def move_config(a, b, config):
    """The number in arena `b` of a configuration of arena `a`, both of one network; FULL without room."""
    nodes = np.zeros(a.counters[memory.NUM_STACKS], np.int32)
    first, end = i64(a.config_first[config]), i64(a.config_first[config] + a.config_size[config])
    for i in range(first, end):
        nodes[a.pair_stack[i]] = 1
    # What a node leads to has a lower number.
    for node in range(len(nodes) - 1, 0, -1):
        if nodes[node] != 0:
            nodes[a.stack_parent[node]] = 1
            if a.stack_return[node] >= MANY:
                nodes[a.stack_count[node]] = 1
    nodes[0] = 0
    for node in range(1, len(nodes)):
        if nodes[node] != 0:
            ret, count = i64(a.stack_return[node]), i64(a.stack_count[node])
            count = i64(nodes[count]) if ret >= MANY else _moved_count(a, b, ret, count)
            moved = count if count < 0 else push_stack(b, ret, count, i64(nodes[a.stack_parent[node]]))
            if moved < 0:
                return moved
            nodes[node] = moved
    begin_set(b)
    size = i64(0)
    for i in range(first, end):
        state = i64(a.pair_state[i])
        count = _moved_count(a, b, state, i64(a.pair_count[i]))
        size = count if count < 0 else add(b, size, state, i64(nodes[a.pair_stack[i]]), count)
        if size < 0:
            return size
    return intern(b, size, a.config_accepts[config] == 1)


@kernel
def _moved_count(a, b, state, count):
    """Return the number in `b` for the count of a state in `a`, which may be a set of members; FULL without room."""
    return same_set(a, b, count) if a.kind[state] == CHOOSE or a.kind[state] == AFTER else count


@entry
def close_one(a, state, stack, count):
    """The configuration of a single triple; FULL without room."""
    begin_set(a)
    size = add(a, i64(0), state, stack, count)
    return size if size < 0 else close(a, size, False, i64(0))


@kernel
def close_alone(a, state, stack):
    """The same with a count of 0, for states that are asked for again with the same stack: it is remembered."""
    if a.stack_state[stack] == state + 1:
        return i64(a.stack_closed[stack])
    config = close_one(a, state, stack, i64(0))
    if config >= 0:
        a.stack_state[stack], a.stack_closed[stack] = state + 1, config
    return config
