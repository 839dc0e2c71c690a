"""The configuration to which another is a twin: all its states with a twin replaced, see `network.twins`."""

from __future__ import annotations

from grammars.kernels.arena import DEAD
from grammars.kernels.closure import PENDING, intern
from grammars.kernels.options import i64, kernel
from grammars.kernels.stacks import EITHER, add, begin_set, push_stack
from grammars.network.network import NORMAL, REPEAT
from grammars.network.twins import ALWAYS, packed, unpacked

# Nodes of a stack that are looked at: the text with bounds is what is being written.
_MAX_DEPTH = 3
# With less slack a walk over most of the trie is no shorter than one over shapes.
_ENOUGH_CHARS, _ENOUGH_FAR, _ENOUGH_BREAKS = 16, 16, 1


@kernel
def twin_of(a, config):
    """The twin and for how long it agrees; DEAD where there is none, or not for long, or FULL."""
    slack, size, is_other, begun = i64(ALWAYS), i64(0), False, 0
    begin_set(a)
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state, stack, count = i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(a.pair_count[i])
        twin, _, slack = _with_twin(a, state, count, slack)
        node, slack = _stack_with_twins(a, stack, slack)
        if node < 0:
            return node, slack
        is_other = is_other or twin != state or node != stack
        if node != stack and not _begins_here(a, config, state, stack):
            begun = 1
        size = add(a, size, twin, node, count)
        if size < 0:
            return size, slack
    chars, far, breaks = unpacked(slack)
    # A character that has begun may be a break, and its first byte is not in the token.
    breaks = max(breaks - begun, 0)
    slack = packed(chars, far, breaks)
    if not is_other or (chars < _ENOUGH_CHARS and (far < _ENOUGH_FAR or breaks < _ENOUGH_BREAKS)):
        return i64(DEAD), slack
    twin = intern(a, size, a.config_accepts[config] == 1)
    if twin == config or (twin > 0 and a.config_row[twin] == PENDING):
        return i64(DEAD), slack
    return twin, slack


@kernel
def _begins_here(a, config, state, stack):
    """Whether a character is surely still to begin: some state of `config` calls the rule that begins with `state`."""
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        caller = a.pair_state[i]
        if a.kind[caller] == NORMAL and a.twin_state[caller] >= 0 and a.pair_stack[i] == a.stack_parent[stack]:
            for e in range(a.call_start[caller], a.call_start[caller + 1]):
                if a.call_rule[e] == state and a.call_return[e] == a.stack_return[stack]:
                    return True
    return False


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
    while node > 0 and depth < most and a.stack_return[node] != EITHER:
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
