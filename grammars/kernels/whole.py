"""The mask of a configuration taken as a whole: what its spans allow, and walks for the rest."""

from __future__ import annotations

from grammars.kernels.arena import DEAD, WANTED, WANTED_CLASS, WANTED_KIND
from grammars.kernels.bases import NO_BASE, WORTH_A_LOOP, base_of, fill_like, is_unlike, may_have_base
from grammars.kernels.bits import add_row
from grammars.kernels.closure import close, intern
from grammars.kernels.options import i64, kernel
from grammars.kernels.shapes import GIVEN_UP, walk_all, walk_if_shorter
from grammars.kernels.spans import NO_LIMIT, TOO_MANY_LEAVE, WANT_LOOP, fill_spans, is_open_span, want_residuals
from grammars.kernels.stacks import add, begin_set
from grammars.kernels.successor import complete_row, successor
from grammars.kernels.twins import NO_TWIN, fill_like_twin
from grammars.kernels.walk import walk_below, walk_difference, walk_residual
from grammars.network.network import NORMAL, UNREACHABLE

NO_LOOP = -1  # in `config_loop`, which holds one more than a partition, 0 where nothing is known


@kernel
def fill_whole(a, v, p, config, limit, row):
    """Writes the mask of a configuration into the empty row; status, reach and nodes looked at."""
    status, reach, visited = fill_like_twin(a, v, config, limit, row)
    if status != NO_TWIN:
        return status, reach, visited
    spans, others, falls = _shape(a, config)
    if spans == 0 and falls == 0:
        return _fill_rest(a, v, p, config, limit, row, True)
    reach, visited = i64(0), i64(0)
    if spans > 0:
        status, reach, visited = fill_spans(a, v, p, config, limit, row, a.scratch[0])
        if status == TOO_MANY_LEAVE:
            return _fill_rest(a, v, p, config, limit, row, False)
        if status != 1:
            return status, reach, visited
    if others == 0:
        return i64(0), reach, visited
    rest = _without_spans(a, config) if spans > 0 else config
    if rest < 0:
        return rest, reach, visited
    base = _fallback(a, rest) if falls > 0 else i64(DEAD)
    unlike = is_unlike(a, rest, base) if base > 0 else base
    if unlike < 0:
        return unlike, reach, visited
    if falls == 0 or unlike == 1:
        status, far, seen = _fill_rest(a, v, p, rest, limit, row, spans == 0)
        return status, max(reach, far), visited + seen
    if limit == NO_LIMIT and may_have_base(a, rest):
        status, far, seen = fill_like(a, v, rest, base, i64(0), row, spans == 0)
        return status, max(reach, far), visited + seen
    aside = row if spans == 0 else a.scratch[1]
    status, far, seen = _fill_plain(a, v, p, base, limit, aside, a.scratch[0])
    reach, visited = max(reach, far), visited + seen
    if status < 0:
        return status, reach, visited
    status, far, seen = walk_difference(a, v, rest, base, i64(0), limit, aside)
    if status < 0:
        return status, reach, visited
    if spans > 0:
        add_row(row, aside)
    return i64(0), max(reach, far), visited + seen


@kernel
def _fill_rest(a, v, p, config, limit, row, is_empty):
    """Adds what a configuration allows, spans or not: a walk, or where many bytes lead back to it, a loop."""
    if a.config_loop[config] == 0:
        place = complete_row(a, config)
        if place < 0:
            return place, i64(0), i64(0)
        looping, alive = 0, 0
        for byte in range(256):
            target = a.rows[place + a.byte_class[byte]]
            a.loop_bytes[byte] = 1 if target == config else 0
            looping += a.loop_bytes[byte]
            alive += 1 if target != DEAD else 0
        base = base_of(a, config) if alive >= WORTH_A_LOOP else i64(DEAD)
        if base < 0:
            return base, i64(0), i64(0)
        a.config_base[config] = base if base > 0 else NO_BASE
        if base == DEAD and looping >= WORTH_A_LOOP:
            a.counters[WANTED_CLASS] = config
            a.counters[WANTED_KIND] = WANT_LOOP
            return i64(WANTED), i64(0), i64(0)
        a.config_loop[config] = NO_LOOP
    if a.config_loop[config] != NO_LOOP:
        status, reach, visited = walk_if_shorter(a, v, p, config, config, limit, row)
        if status != GIVEN_UP:
            return status, reach, visited
        status, reach, visited = _fill_loop(a, v, p, config, i64(a.config_loop[config] - 1), limit, row)
        if status != TOO_MANY_LEAVE:
            return status, reach, visited
    base = i64(a.config_base[config])
    if base > 0 and limit == NO_LIMIT and may_have_base(a, config):
        return fill_like(a, v, config, base, i64(0), row, is_empty)
    return walk_all(a, v, p, config, limit, row)


@kernel
def _fill_loop(a, v, p, config, part, limit, row):
    """The mask where the bytes of class `part` all lead back to `config`: its members, and what leaves it."""
    reach, visited = i64(0), i64(256)
    status = want_residuals(a, p, part, config)
    if status != 0:
        return status, reach, visited
    if a.config_cost[config] <= limit:
        add_row(row, p.member_rows[p.row_full[part]])
        reach = i64(a.config_cost[config])
    for node in range(v.level_start[0], v.level_start[1]):
        target = successor(a, config, i64(v.level_byte[node]))
        if target < 0:
            return target, reach, visited
        if target != DEAD and target != config:
            status, far, seen = walk_below(a, v, i64(node), target, limit, row)
            if status < 0:
                return status, reach, visited
            reach, visited = max(reach, far), visited + seen
    for byte in range(256):
        target = successor(a, config, i64(byte))
        if target < 0:
            return target, reach, visited
        residual = i64(p.residual_of[part, byte])
        if target == DEAD or target == config or residual < 0:
            continue
        status, far, seen = walk_residual(a, v, p, target, residual, i64(1), i64(UNREACHABLE), limit, row)
        if status < 0:
            return status, reach, visited
        reach, visited = max(reach, far), visited + seen
    return i64(0), reach, visited


@kernel
def _fill_plain(a, v, p, config, limit, row, scratch):
    """The mask of a configuration without `otherwise` states."""
    row[:] = 0
    status, reach, visited = fill_spans(a, v, p, config, limit, row, scratch)
    if status == TOO_MANY_LEAVE:
        return walk_all(a, v, p, config, limit, row)
    if status != 1:
        return status, reach, visited
    rest = _without_spans(a, config)
    if rest <= 0:
        return rest, reach, visited
    status, far, seen = walk_all(a, v, p, rest, limit, row)
    return status, max(reach, far), visited + seen


@kernel
def _shape(a, config):
    """How many triples are spans at a boundary, how many are not, and how many of those fall through."""
    first = a.config_first[config]
    spans, others, falls = 0, 0, 0
    for i in range(first, first + a.config_size[config]):
        state = i64(a.pair_state[i])
        if is_open_span(a, state):
            spans += 1
        else:
            others += 1
            if a.kind[state] == NORMAL and a.otherwise[state] >= 0:
                falls += 1
    return spans, others, falls


@kernel
def _without_spans(a, config):
    """The configuration of the triples that are not spans at a boundary."""
    begin_set(a)
    size = i64(0)
    first = a.config_first[config]
    for i in range(first, first + a.config_size[config]):
        if not is_open_span(a, i64(a.pair_state[i])):
            size = add(a, size, i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(a.pair_count[i]))
            if size < 0:
                return size
    return intern(a, size, False)


@kernel
def _fallback(a, config):
    """The configuration of all spans that triples of `config` fall through to."""
    begin_set(a)
    size = i64(0)
    first = a.config_first[config]
    for i in range(first, first + a.config_size[config]):
        state = i64(a.pair_state[i])
        if a.kind[state] == NORMAL and a.otherwise[state] >= 0:
            size = add(a, size, i64(a.otherwise[state]), i64(a.pair_stack[i]), i64(0))
            if size < 0:
                return size
    return close(a, size, False, i64(0))
