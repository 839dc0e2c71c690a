"""The mask of a configuration from those of its parts, each relative to its stack.

The second object of a kind has the names of the first, at other places of the text, and an object has fewer of them
with each that is done: as a whole these are other configurations, by parts they are known.
"""

from __future__ import annotations

from grammars.kernels.arena import BASE, BELOW, IS_OPEN_STRING, LEAVES, MOST_PARTED, NUM_HUNG, NUM_LEAVING, NUM_PARTED
from grammars.kernels.bases import NO_BASE
from grammars.kernels.bits import add_row
from grammars.kernels.keeping import hang_kept, keep
from grammars.kernels.listing import NOT_LISTED, decide_leaving, list_tokens, put_listed, put_parts
from grammars.kernels.options import i64, kernel
from grammars.kernels.relative import begins_part, is_in_object, is_narrow, part_of
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.walk import walk_below
from grammars.kernels.whole import fill_whole

# In `config_listed`, beside lists and `NOT_LISTED`: the mask is kept instead.
_HAS_MASK = -2


@kernel
def fill_parts(a, v, p, config, limit, row):
    """Writes the mask of a configuration into the empty row; status, reach and nodes looked at."""
    may_part = limit == NO_LIMIT and len(a.answer_key) == 1 and a.counters[BASE] != NO_BASE
    a.counters[NUM_PARTED], a.counters[MOST_PARTED] = 0, len(a.parted_node) if may_part else 0
    is_parted = may_part and is_in_object(a, config)
    first, end = i64(a.config_first[config]), i64(a.config_first[config] + a.config_size[config])
    reach, visited, is_empty = i64(0), i64(0), True
    # Parts that have a mask come before those that have a list: the first can be written where it belongs.
    for turn in range(2 if is_parted else 1):
        for i in range(first, end if is_parted else first + 1):
            whole, part, stack = config, i64(0), i64(a.pair_stack[i])
            if is_parted:
                is_plain = is_narrow(a, a.pair_state[i])
                if is_plain != (turn == 1) or not begins_part(a, config, i64(i)):
                    continue
                part = part_of(a, config, i64(i), i64(BELOW))
                if part < 0:
                    return part, reach, visited
                known = i64(a.config_listed[part])
                if known == 0:
                    known = list_tokens(a, v, i64(0), part) if is_plain else i64(_HAS_MASK)
                    if known < _HAS_MASK:
                        return known, reach, visited
                    a.config_listed[part] = known
                if known > 0:
                    status, far = put_listed(a, v, known, stack, row)
                    if status == 0:
                        reach, visited = max(reach, far), visited + a.listed[known]
                        continue
                    if status != LEAVES:
                        return status, reach, visited
                if known != _HAS_MASK:
                    a.config_listed[part], part = NOT_LISTED, i64(0)
                    whole = part_of(a, config, i64(i), stack)
                    if whole < 0:
                        return whole, reach, visited
            first_hung, was_open, far, seen = a.counters[NUM_HUNG], a.counters[IS_OPEN_STRING], i64(0), i64(1)
            if part > 0 and a.config_mask[part] > 0:
                status, far = hang_kept(a, part), i64(a.config_reach[part] - 1)
                add_row(row, a.masks[a.config_mask[part] - 1])
            else:
                aside = row if is_empty else a.scratch[2]
                if not is_empty:
                    aside[:] = 0
                if part > 0:
                    a.counters[IS_OPEN_STRING] = a.counters[NUM_LEAVING] = a.counters[MOST_PARTED] = 0
                status, far, seen = fill_whole(a, v, p, part if part > 0 else whole, limit, aside)
                if part > 0:
                    a.counters[MOST_PARTED] = len(a.parted_node)
                    if status == 0:
                        status = keep(a, part, far, seen, aside, first_hung)
                    a.counters[IS_OPEN_STRING] |= was_open
                if not is_empty:
                    add_row(row, aside)
            is_empty = False
            reach, visited = max(reach, far + i64(a.stack_cost[stack]) if part > 0 else far), visited + seen
            if status == 0 and part > 0:
                status, far = decide_leaving(a, v, first_hung, row)
                reach = max(reach, far)
            if status == LEAVES and part > 0:
                # What was added is right, but there is more.
                a.config_listed[part] = NOT_LISTED
                return i64(LEAVES), reach, visited
            if status < 0:
                return status, reach, visited
    for k in range(a.counters[NUM_PARTED]):
        node, source = i64(a.parted_node[k]), i64(a.parted_config[k])
        status, far, seen = put_parts(a, v, node, source, row)
        if status == NOT_LISTED:
            a.counters[MOST_PARTED] = 0
            status, far, seen = walk_below(a, v, node, source, limit, row)
        if status < 0:
            return status, reach, visited
        reach, visited = max(reach, far), visited + seen
    a.counters[MOST_PARTED] = 0
    return i64(0), reach, visited
