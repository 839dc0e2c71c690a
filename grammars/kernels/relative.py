"""Configurations relative to a stack: what may follow until the rules on top of it have returned.

Where a text stands in an object does not change what its names look like, nor does what stands around it. A *relative*
configuration has `BELOW` for all that is below the triples of one stack, so what was found for it holds wherever such
triples are met again, whatever the other triples of the configuration. Where a rule returns to what is below, the
answer is LEAVES: then the whole configuration has to be asked.
"""

from __future__ import annotations

from grammars.kernels.arena import BELOW, DEAD, FULL, FULL_ARRAY, FULL_WORK, LEAVES
from grammars.kernels.closure import PENDING, intern
from grammars.kernels.options import i64, kernel
from grammars.kernels.stacks import EITHER, push_stack
from grammars.kernels.successor import successor
from grammars.network.network import NORMAL

_MOST_PARTS = 4
_FEW_BYTES = 8
_WORTH_PARTING = 8  # triples; of fewer, too many are met for the first time


@kernel
def is_narrow(a, state):
    """Whether the state has nothing but edges by a few bytes, as within a name."""
    if a.kind[state] != NORMAL or a.otherwise[state] >= 0:
        return False
    number = i64(0)
    for e in range(a.edge_start[state], a.edge_start[state + 1]):
        number += i64(a.edge_high[e]) - i64(a.edge_low[e]) + 1
    return number <= _FEW_BYTES


@kernel
def is_in_object(a, config):
    """Whether the configuration is one before or within a name of an object: worth taking apart.

    What follows numbers is mostly below, and within patterns the configurations that a walk makes are those that tokens
    lead to next.
    """
    if a.config_size[config] < _WORTH_PARTING:
        return False
    first, has_stacks = a.config_first[config], False
    for i in range(first, first + a.config_size[config]):
        state = a.pair_state[i]
        if a.kind[state] != NORMAL or (a.otherwise[state] < 0 and not is_narrow(a, state)):
            return False
        has_stacks = has_stacks or a.pair_stack[i] != a.pair_stack[first]
    return has_stacks


@kernel
def part_of(a, config, first, below):
    """The configuration of the triples that go with triple `first`, their stack being `below`; or FULL.

    A narrow state is a part of its own; all others of one stack are one.
    """
    stack, is_alone = a.pair_stack[first], is_narrow(a, a.pair_state[first])
    end = first + 1 if is_alone else i64(a.config_first[config] + a.config_size[config])
    if end - first > len(a.work_state):
        a.counters[FULL_ARRAY] = FULL_WORK
        return i64(FULL)
    size = i64(0)
    for i in range(first, end):
        if is_alone or (a.pair_stack[i] == stack and not is_narrow(a, a.pair_state[i])):
            a.work_state[size], a.work_stack[size], a.work_count[size] = a.pair_state[i], below, a.pair_count[i]
            size += 1
    return intern(a, size, False)


@kernel
def begins_part(a, config, i):
    """Whether triple `i` is the first of a part."""
    if is_narrow(a, a.pair_state[i]):
        return True
    stack = a.pair_stack[i]
    for j in range(a.config_first[config], i):
        if a.pair_stack[j] == stack and not is_narrow(a, a.pair_state[j]):
            return False
    return True


@kernel
def glide(a, config, first, last):
    """Goes along bytes ``[first:last]`` of the vocabulary's as far as no rule returns and no guard is met.

    So no configuration is made for each byte, but for the last one.

    Returns:
        The configuration, or a negative status; and how many of the bytes were taken.
    """
    parts, states, stacks, ahead = i64(0), a.open_config, a.open_node, a.open_units
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        if begins_part(a, config, i):
            if parts == _MOST_PARTS or a.pair_stack[i] == BELOW:
                return config, i64(0)
            part = part_of(a, config, i64(i), i64(BELOW))
            if part < 0:
                return part, i64(0)
            states[parts], stacks[parts] = part, a.pair_stack[i]
            parts += 1
    taken, v, alive = i64(0), a.trie, parts
    for i in range(first, last):
        byte, alive = i64(v.token_bytes[i]), i64(0)
        for k in range(parts):
            target = successor(a, i64(states[k]), byte) if states[k] != DEAD else i64(DEAD)
            if target == LEAVES or (target > 0 and a.config_row[target] == PENDING):
                alive = i64(-1)
                break
            if target < 0:
                return target, i64(0)
            ahead[k] = target
            alive += 1 if target != DEAD else 0
        if alive < 0:
            break
        if alive == 0:
            return i64(DEAD), taken
        states[:parts] = ahead[:parts]
        taken += 1
    if taken == 0:
        return config, taken
    target = _put_together(a, parts, states, stacks)
    return (config, i64(0)) if target == LEAVES else (target, taken)


@kernel
def _put_together(a, parts, states, stacks):
    """The configuration of relative ones on their stacks; LEAVES where a stack stands for several, or FULL."""
    size = i64(0)
    for k in range(parts):
        part = states[k]
        for i in range(a.config_first[part], a.config_first[part] + a.config_size[part]):
            if size == len(a.work_state):
                a.counters[FULL_ARRAY] = FULL_WORK
                return i64(FULL)
            stack = _on_top_of(a, i64(a.pair_stack[i]), i64(stacks[k]))
            if stack < 0:
                return stack
            a.work_state[size], a.work_stack[size], a.work_count[size] = a.pair_state[i], stack, a.pair_count[i]
            size += 1
    return intern(a, size, False)


@kernel
def _on_top_of(a, node, stack):
    """The stack with what `node` has above `BELOW`; LEAVES where it stands for several, or FULL."""
    if node == BELOW:
        return stack
    path, depth = a.path, 0
    while node != BELOW:
        if a.stack_return[node] == EITHER or depth == len(path):
            return i64(LEAVES)
        path[depth] = node
        depth += 1
        node = i64(a.stack_parent[node])
    while depth > 0:
        depth -= 1
        node = i64(path[depth])
        stack = push_stack(a, i64(a.stack_return[node]), i64(a.stack_count[node]), stack)
        if stack < 0:
            return stack
    return stack
