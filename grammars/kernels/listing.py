"""Tokens that a relative configuration allows below a node of the trie, listed.

A list holds the tokens, and those that the text decides (see `repeats`) or that leave: about these the whole
configuration is asked whenever the list is used.
"""

from __future__ import annotations

from grammars.kernels.arena import (
    BELOW,
    DEAD,
    IS_OPEN_STRING,
    LEAVES,
    NUM_CONFIGS,
    NUM_HUNG,
    NUM_LEAVING,
    NUM_LISTED,
    ORIGIN,
)
from grammars.kernels.bits import set_tokens
from grammars.kernels.closure import PENDING
from grammars.kernels.guards import with_checks
from grammars.kernels.leaving import LEAVING, hang_leaving
from grammars.kernels.options import i64, kernel
from grammars.kernels.relative import begins_part, part_of
from grammars.kernels.repeats import hang_token, has_string_guards_alone, let_strings_pass, what_to_note
from grammars.kernels.successor import row_of, successor
from grammars.vocabulary.tables import SAME

NOT_LISTED = -1  # in place of a list: it would be too long, or leave with too many tokens
_MOST_LISTED = 4096
_MOST_NEW = 128  # configurations made for a list
_HEADER = 4  # tokens, hung tokens, whether a string under way may end, reach


@kernel
def list_tokens(a, v, top, config):
    """Lists the tokens below the node `top` (by level) that a relative configuration allows there.

    Returns:
        Where the list stands; NOT_LISTED, or another negative status.
    """
    head, first_hung, was_open = a.counters[NUM_LISTED], a.counters[NUM_HUNG], a.counters[IS_OPEN_STRING]
    if head + _HEADER + 2 * _MOST_LISTED > len(a.listed):
        return i64(NOT_LISTED)
    a.counters[IS_OPEN_STRING] = a.counters[NUM_LEAVING] = 0
    status, last, reach = _list_below(a, v, top, config, head + _HEADER)
    number = a.counters[NUM_HUNG] - first_hung
    if status == LEAVES or number > _MOST_LISTED:
        status = i64(NOT_LISTED)
    elif status == 0:
        a.listed[head], a.listed[head + 1] = last - head - _HEADER, number
        a.listed[head + 2], a.listed[head + 3] = a.counters[IS_OPEN_STRING], reach
        a.listed[last : last + number] = a.hung[first_hung : first_hung + number]
        a.counters[NUM_LISTED] = last + number
        status = i64(head)
    a.counters[NUM_HUNG], a.counters[IS_OPEN_STRING] = first_hung, was_open
    return status


@kernel
def _list_below(a, v, top, config, place):
    """Writes the tokens to `listed` from `place` on; the status, where they end, and the reach."""
    open_node, open_config = a.open_node, a.open_config
    open_node[0], open_config[0] = top, config
    reach, size, end, most = i64(0), 1, place + _MOST_LISTED, a.counters[NUM_CONFIGS] + _MOST_NEW
    while size > 0:
        size -= 1
        node, source = i64(open_node[size]), i64(open_config[size])
        r = row_of(a, source)
        if r < 0 or a.counters[NUM_CONFIGS] > most:
            return r if r < 0 else i64(LEAVES), place, reach
        for child in range(v.level_start[node], v.level_start[node + 1]):
            byte = i64(v.level_byte[child])
            target = i64(a.rows[r + a.byte_class[byte]])
            if target < 0:
                target = successor(a, source, byte)
            if target > 0 and a.config_row[target] == PENDING:
                target = let_strings_pass(a, v, i64(v.level_node[child]), target)
                if target > 0 and a.config_row[target] == PENDING:
                    target = i64(LEAVES)
            if target == DEAD:
                continue
            if target < 0:
                status = hang_leaving(a, v, child) if target == LEAVES else target
                if status < 0:
                    return status, place, reach
                continue
            token = i64(v.level_token[child])
            if token >= 0:
                if place == end:
                    return i64(LEAVES), place, reach
                a.listed[place] = token & ~SAME
                place += 1
                reach = max(reach, i64(a.config_cost[target]))
            if v.level_start[child] < v.level_start[child + 1]:
                open_node[size], open_config[size] = child, target
                size += 1
    return i64(0), place, reach


@kernel
def put_listed(a, v, place, stack, row):
    """Adds a list to the mask of `counters[ORIGIN]`, where its configuration is met with `stack`; status and reach."""
    first = place + _HEADER
    middle = first + a.listed[place]
    for k in range(first, middle):
        set_tokens(v, row, i64(a.listed[k]))
    reach = i64(a.listed[place + 3]) + i64(a.stack_cost[stack])
    if a.listed[place + 2] != 0:
        a.counters[IS_OPEN_STRING] = 1
    for k in range(middle, middle + a.listed[place + 1]):
        noted = i64(a.listed[k])
        if noted & LEAVING:
            status, far = _decide(a, v, noted & ~LEAVING, row)
            reach = max(reach, far)
        else:
            status = hang_token(a, noted)
        if status < 0:
            return status, reach
    return i64(0), reach


@kernel
def put_parts(a, v, node, config, row):
    """Adds what the parts of a configuration allow below the node (by level); status (NOT_LISTED), reach and tokens."""
    reach, number, first = i64(0), i64(0), i64(a.config_first[config])
    for i in range(first, first + i64(a.config_size[config])):
        if not begins_part(a, config, i64(i)):
            continue
        part = part_of(a, config, i64(i), i64(BELOW))
        if part < 0:
            return part, reach, number
        known = i64(a.config_listed_there[part])
        if a.config_place[part] != node:
            known = list_tokens(a, v, node, part)
            if known < NOT_LISTED:
                return known, reach, number
            a.config_place[part], a.config_listed_there[part] = node, known
        if known < 0:
            return known, reach, number
        status, far = put_listed(a, v, known, i64(a.pair_stack[i]), row)
        if status < 0:
            return i64(NOT_LISTED) if status == LEAVES else status, reach, number
        reach, number = max(reach, far), number + a.listed[known]
    return i64(0), reach, number


@kernel
def decide_leaving(a, v, first, row):
    """Decides the tokens that leave, of those hung from `first` on; status and reach."""
    kept, last, reach = first, a.counters[NUM_HUNG], i64(0)
    # What they hang stands behind them; there is room for each of them once more.
    for k in range(first, last):
        noted = i64(a.hung[k])
        if noted & LEAVING:
            status, far = _decide(a, v, noted & ~LEAVING, row)
            if status < 0:
                return status, reach
            reach = max(reach, far)
        else:
            a.hung[kept] = noted
            kept += 1
    for k in range(last, a.counters[NUM_HUNG]):
        a.hung[kept] = a.hung[k]
        kept += 1
    a.counters[NUM_HUNG] = kept
    return i64(0), reach


@kernel
def _decide(a, v, token, row):
    """Sets the token if `counters[ORIGIN]` allows it, as a walk would; status (LEAVES: a guard is asked) and cost."""
    config, first = a.counters[ORIGIN], i64(v.token_start[token])
    for i in range(first, i64(v.token_start[token + 1])):
        config = successor(a, config, i64(v.token_bytes[i]))
        if config <= 0:
            return config, i64(0)
        if a.config_row[config] == PENDING:
            if not has_string_guards_alone(a, config, i64(v.token_bytes[i])):
                return i64(LEAVES), i64(0)
            known = what_to_note(a, v, token, i - first + 1)
            same = token if known > 0 else i64(-1)
            while same >= 0:
                status = hang_token(a, same | known)
                if status < 0:
                    return status, i64(0)
                same = i64(v.next_same[same])
            config = with_checks(a, config)
            if config <= 0:
                return config, i64(0)
    set_tokens(v, row, token)
    return i64(0), i64(a.config_cost[config])
