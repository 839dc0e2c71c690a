"""The mask of a configuration from those of its parts, each relative to its stack.

The second object of a kind has the names of the first, at other places of the text, and an object has fewer of them
with each that is done: as a whole these are other configurations, by parts they are known.
"""

from __future__ import annotations

from grammars.kernels.arena import BELOW, IS_OPEN_STRING, IS_WHOLE, LEAVES, NUM_HUNG, NUM_LEAVING
from grammars.kernels.bits import add_row
from grammars.kernels.keeping import hang_kept, keep
from grammars.kernels.listing import NOT_LISTED, decide_leaving, list_tokens, put_listed
from grammars.kernels.options import i64, kernel
from grammars.kernels.relative import begins_part, is_narrow, part_of
from grammars.kernels.shapes import walk_all
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.whole import fill_whole
from grammars.network.network import NORMAL

# In `config_listed`, beside lists and `NOT_LISTED`: the mask is kept instead.
_HAS_MASK = -2


@kernel
def fill_parts(a, v, p, config, limit, row):
    """Writes the mask of a configuration into the empty row; status, reach and nodes looked at."""
    if limit != NO_LIMIT or not _has_parts(a, config):
        return fill_whole(a, v, p, config, limit, row)
    reach, visited, first = i64(0), i64(0), i64(a.config_first[config])
    for i in range(first, first + i64(a.config_size[config])):
        if begins_part(a, config, i):
            status, far, seen = _fill_part(a, v, p, config, i64(i), row)
            if status < 0:
                return status, reach, visited
            reach, visited = max(reach, far), visited + seen
    return i64(0), reach, visited


@kernel
def _has_parts(a, config):
    """Whether the configuration is worth taking apart: one before or within a name, in an object.

    Not where guards have to be asked. What follows numbers is mostly below, and within patterns the configurations that
    a walk makes are those that tokens lead to next.
    """
    size, first = a.config_size[config], a.config_first[config]
    if a.counters[IS_WHOLE] != 0 or len(a.answer_key) > 1:
        return False
    has_stacks = False
    for i in range(first, first + size):
        state = a.pair_state[i]
        if a.kind[state] != NORMAL or (a.otherwise[state] < 0 and not is_narrow(a, state)):
            return False
        has_stacks = has_stacks or a.pair_stack[i] != a.pair_stack[first]
    return has_stacks


@kernel
def _fill_part(a, v, p, config, i, row):
    """Adds what the part that begins with triple `i` allows."""
    part, stack = part_of(a, config, i, i64(BELOW)), i64(a.pair_stack[i])
    if part < 0:
        return part, i64(0), i64(0)
    known, is_plain = i64(a.config_listed[part]), is_narrow(a, a.pair_state[i])
    if known == 0:
        known = i64(_HAS_MASK)
        if is_plain:
            known = list_tokens(a, v, i64(0), part, i64(0))
            if known < NOT_LISTED:
                return known, i64(0), i64(0)
        a.config_listed[part] = known
    if known > 0:
        status, reach = put_listed(a, v, known, stack, row)
        if status != LEAVES:
            return status, reach, i64(a.listed[known])
    elif known == _HAS_MASK:
        status, reach, visited = _put_mask(a, v, p, part, stack, row)
        if status != LEAVES:
            return status, reach, visited
    a.config_listed[part] = NOT_LISTED
    if a.config_size[part] != a.config_size[config]:
        config = part_of(a, config, i, stack)
        if config < 0:
            return config, i64(0), i64(0)
    if is_plain:
        return walk_all(a, v, p, config, i64(NO_LIMIT), row)
    aside = a.scratch[2]
    aside[:] = 0
    status, reach, visited = fill_whole(a, v, p, config, i64(NO_LIMIT), aside)
    add_row(row, aside)
    return status, reach, visited


@kernel
def _put_mask(a, v, p, part, stack, row):
    """Adds the mask of a relative configuration; LEAVES where too much leaves."""
    first, was_open, kept = a.counters[NUM_HUNG], a.counters[IS_OPEN_STRING], a.config_mask[part]
    visited = i64(1)
    if kept > 0:
        status, reach = hang_kept(a, part), i64(a.config_reach[part] - 1)
        add_row(row, a.masks[kept - 1])
    else:
        aside = a.scratch[2]
        aside[:] = 0
        a.counters[IS_OPEN_STRING], a.counters[NUM_LEAVING], a.counters[IS_WHOLE] = 0, 0, 1
        status, reach, visited = fill_whole(a, v, p, part, i64(NO_LIMIT), aside)
        a.counters[IS_WHOLE] = 0
        if status == 0:
            status = keep(a, part, reach, visited, aside, first)
        if status < 0:
            a.counters[NUM_HUNG], a.counters[IS_OPEN_STRING] = first, was_open
            return status, reach, visited
        a.counters[IS_OPEN_STRING] |= was_open
        add_row(row, aside)
    status, far = decide_leaving(a, v, first, row)
    return status, max(reach + i64(a.stack_cost[stack]), far), visited
