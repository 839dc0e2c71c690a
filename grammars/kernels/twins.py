"""Masks made from that of a twin: the configuration with all states replaced that have one, see `network.twins`."""

from __future__ import annotations

from grammars.kernels.arena import BELOW, DEAD
from grammars.kernels.bases import fill_like, may_have_base
from grammars.kernels.closure import PENDING, intern
from grammars.kernels.options import i64, kernel
from grammars.kernels.stacks import EITHER, add, begin_set, push_stack
from grammars.network.network import REPEAT, UNREACHABLE
from grammars.network.twins import ALWAYS, packed, unpacked

NO_TWIN = 1
# Nodes of a stack that are looked at: the text with bounds is what is being written.
_MAX_DEPTH = 3
# With less slack a walk over most of the trie is no shorter than one over shapes.
_ENOUGH_CHARS, _ENOUGH_FAR, _ENOUGH_BREAKS = 16, 16, 1


@kernel
def fill_like_twin(a, v, config, limit, row):
    """Writes the mask of `config` from that of its twin; NO_TWIN where that cannot be."""
    if len(a.twin_state) == 0 or limit != UNREACHABLE or not may_have_base(a, config):
        return i64(NO_TWIN), i64(0), i64(0)
    twin, slack = twin_of(a, config)
    if twin == DEAD:
        return i64(NO_TWIN), i64(0), i64(0)
    if twin < 0:
        return twin, i64(0), i64(0)
    return fill_like(a, v, config, twin, slack, row, True)


@kernel
def twin_of(a, config):
    """The twin and for how long it agrees; DEAD where there is none, or not for long, or FULL."""
    slack, size, is_other = i64(ALWAYS), i64(0), False
    begin_set(a)
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state, stack, count = i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(a.pair_count[i])
        twin, _, slack = _with_twin(a, state, count, slack)
        node, slack = _stack_with_twins(a, stack, slack)
        if node < 0:
            return node, slack
        is_other = is_other or twin != state or node != stack
        size = add(a, size, twin, node, count)
        if size < 0:
            return size, slack
    chars, far, breaks = unpacked(slack)
    if not is_other or (chars < _ENOUGH_CHARS and (far < _ENOUGH_FAR or breaks < _ENOUGH_BREAKS)):
        return i64(DEAD), slack
    twin = intern(a, size, a.config_accepts[config] == 1)
    if twin == config or (twin > 0 and a.config_row[twin] == PENDING):
        return i64(DEAD), slack
    return twin, slack


@kernel
def _with_twin(a, state, count, slack):
    """The twin of a state with a count, its count, and the least of `slack` and for how long it agrees."""
    twin = i64(a.twin_state[state])
    if twin < 0:
        return state, count, slack
    chars, far, breaks = unpacked(i64(a.twin_slack[state]))
    if a.kind[state] == REPEAT:
        item = a.item[state]
        fewest, left = max(i64(a.repeat_low[item]), i64(1)), i64(a.repeat_high[item]) - count
        if count <= fewest:
            return state, count, slack
        count, chars, far, breaks = fewest, chars * left, far * left, max(breaks * left - 1, 0)
    elif twin == state:
        return state, count, slack
    most_chars, most_far, most_breaks = unpacked(slack)
    return twin, count, packed(min(chars, most_chars), min(far, most_far), min(breaks, most_breaks))


@kernel
def _stack_with_twins(a, stack, slack):
    """The stack with the first of its states replaced, and the least of `slack` and for how long it agrees; or FULL."""
    nodes = a.path
    depth, most = 0, min(_MAX_DEPTH, len(nodes))
    node, replaced = stack, 0
    while node > BELOW and depth < most and a.stack_return[node] != EITHER:
        nodes[depth] = node
        depth += 1
        if a.twin_state[a.stack_return[node]] >= 0:
            replaced = depth
        node = i64(a.stack_parent[node])
    if replaced == 0:
        return stack, slack
    node = i64(a.stack_parent[nodes[replaced - 1]])
    for k in range(replaced - 1, -1, -1):
        state, count, slack = _with_twin(a, i64(a.stack_return[nodes[k]]), i64(a.stack_count[nodes[k]]), slack)
        node = push_stack(a, state, count, node)
        if node < 0:
            return node, slack
    return node, slack
