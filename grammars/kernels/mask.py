"""The mask of a configuration.

A token is allowed when some triple allows it, so the mask is the union over triples:

- a span at a unit boundary: the precomputed row of the tokens inside its class, and the residual tries for those that
  leave it (or, where the span's exit goes on inside the class, a walk over the tokens outside it);
- a state with an `otherwise`: the mask of that span, corrected by a walk along the differences;
- a configuration that many bytes lead back to (a pattern's loop): the same rows and residuals for those bytes;
- a configuration from which many bytes lead to such a loop, its base: the mask of the base, corrected likewise;
- everything else: a walk, pruned at dead bytes.

With `limit`, only tokens after which at most `limit` tokens suffice are set. Rows that took a long walk, or are asked
for again, are kept, with the largest cost after any of their tokens (`config_reach`): they serve every limit from there
on.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import (
    BASE,
    DEAD,
    FULL,
    FULL_ARRAY,
    FULL_MASKS,
    IS_HUNG,
    IS_OPEN_STRING,
    MASK_PART,
    MASK_ROOM,
    NO_ROOM,
    NUM_HUNG,
    NUM_KEPT_HUNG,
    NUM_MASKS,
    NUM_QUESTIONS,
    ORIGIN,
    TEXT_SIZE,
    TEXT_VERSION,
    WANTED,
    WANTED_CLASS,
    WANTED_KIND,
)
from grammars.kernels.bases import NO_BASE, WANT_BASE, WORTH_A_LOOP, base_of, fill_like, is_unlike, may_have_base
from grammars.kernels.closure import PENDING, close, intern
from grammars.kernels.container import point_at
from grammars.kernels.cornered import can_run_out, refuse_cornered
from grammars.kernels.guards import OPEN, look_at, resolved, want_answers
from grammars.kernels.options import i64, kernel
from grammars.kernels.repeats import correct_hung, correct_open_string
from grammars.kernels.shapes import GIVEN_UP, walk_all, walk_if_shorter
from grammars.kernels.spans import NO_LIMIT, TOO_MANY_LEAVE, WANT_LOOP, fill_spans, is_open_span, want_residuals
from grammars.kernels.stacks import add, add_steps, begin_set
from grammars.kernels.successor import complete_row, successor
from grammars.kernels.walk import walk_below, walk_difference, walk_residual
from grammars.network.network import NORMAL, UNREACHABLE
from grammars.vocabulary.pool import BLOCK_ROWS

NO_LOOP = -1  # in `config_loop`, which holds one more than a partition, 0 where nothing is known
# Nodes looked at for a mask that is kept: the first time, and when it is asked for again.
_WORTH_KEEPING, _WORTH_KEEPING_AGAIN = 400, 0


@kernel
def fill(a, config, limit, row):
    """Writes the mask of `config` into `row`; 0, FULL or WANTED. End tokens are set where the text is complete."""
    v, p = a.trie, a.partition
    add_steps(a, i64(MASK_PART))
    if a.config_row[config] == PENDING:
        config = resolved(a, config, a.counters[TEXT_SIZE])
        if config <= 0:
            row[:] = 0
            return want_answers(a) if config == OPEN else config
    a.counters[ORIGIN], a.counters[IS_HUNG] = config, 0
    if a.config_reach[config] - 1 <= limit:
        kept = a.config_mask[config]
        if kept > 0:
            source = a.masks[kept - 1]
            for w in range(len(row)):
                row[w] = source[w]
            return _correct_kept(a, v, config, limit, row) if len(a.guard_kind) > 0 else i64(0)
        reach, visited = _fill_once(a, v, p, config, i64(NO_LIMIT), row)
        while reach == WANT_BASE:
            status = _provide_base(a, v, p, row)
            if status < 0:
                return status
            a.counters[ORIGIN], a.counters[IS_HUNG] = config, 0
            reach, visited = _fill_once(a, v, p, config, i64(NO_LIMIT), row)
        if reach < 0:
            return reach
        if a.counters[IS_HUNG] == 0:
            status = _keep(a, config, reach, visited, row)
            if status < 0:
                return status
        if limit == NO_LIMIT or (a.counters[IS_HUNG] == 0 and reach <= limit):
            return _correct(a, v, a.hung[: a.counters[NUM_HUNG]], a.counters[IS_OPEN_STRING] != 0, limit, row)
    reach, visited = _fill_once(a, v, p, config, limit, row)
    if reach < 0:
        return reach
    return _correct(a, v, a.hung[: a.counters[NUM_HUNG]], a.counters[IS_OPEN_STRING] != 0, limit, row)


@kernel
def fill_guarded(a, config, limit, row, size, version):
    """Like `fill`, after ``text[:size]``."""
    look_at(a, size, version)
    status = fill(a, config, limit, row)
    return refuse_cornered(a, a.trie, row) if status == 0 and can_run_out(a) else status


@kernel
def _fill_once(a, v, p, config, limit, row):
    """Writes the mask; the largest cost after any of its tokens (or a negative status), and the nodes looked at."""
    row[:] = 0
    a.counters[IS_OPEN_STRING] = a.counters[NUM_HUNG] = 0
    reach, visited = i64(0), i64(0)
    if limit >= 0:
        status, reach, visited = _fill(a, v, p, config, limit, row)
        if status < 0:
            return status, visited
        if a.counters[NUM_QUESTIONS] > 0:
            return want_answers(a), visited
    _set_end_tokens(a, v, config, row)
    return reach, visited


@kernel
def _provide_base(a, v, p, row):
    """Makes and keeps the mask of `counters[BASE]`, or marks what wants it to do without; 0, FULL or WANTED."""
    base, config = a.counters[BASE], a.counters[WANTED_CLASS]
    a.counters[ORIGIN], a.counters[IS_HUNG], a.counters[BASE] = base, 0, NO_BASE
    reach, _ = _fill_once(a, v, p, base, i64(NO_LIMIT), row)
    a.counters[BASE] = 0
    if reach >= 0 and a.counters[IS_HUNG] == 0:
        reach = min(_keep(a, base, reach, i64(_WORTH_KEEPING + 1), row), i64(0))
    if reach >= 0 and a.config_mask[base] == 0:
        a.config_base[config] = NO_BASE
    return min(reach, i64(0))


@kernel
def _keep(a, config, reach, visited, row):
    """Keeps the mask if it is worth it; 0, or FULL."""
    is_worth = visited > (_WORTH_KEEPING if a.config_reach[config] == 0 else _WORTH_KEEPING_AGAIN)
    if is_worth and a.counters[MASK_ROOM] != NO_ROOM:
        used = a.counters[NUM_MASKS]
        if used == a.counters[MASK_ROOM]:
            a.counters[FULL_ARRAY] = FULL_MASKS
            return i64(FULL)
        if len(a.guard_kind) > 0 and not _keep_hung(a, config):
            return i64(0)
        place = i64(a.mask_blocks[used // BLOCK_ROWS]) * BLOCK_ROWS + used % BLOCK_ROWS
        a.masks[place, :] = row
        a.config_mask[config] = place + 1
        a.counters[NUM_MASKS] = used + 1
    a.config_reach[config] = reach + 1
    return i64(0)


@kernel
def _keep_hung(a, config):
    """Keeps what has to be looked at again whenever the kept mask is used; False without room."""
    count, is_open = a.counters[NUM_HUNG], a.counters[IS_OPEN_STRING]
    a.config_hung[config] = 0
    if count == 0 and is_open == 0:
        return True
    place = a.counters[NUM_KEPT_HUNG]
    if place + count + 2 > len(a.kept_hung):
        return False
    a.kept_hung[place], a.kept_hung[place + 1] = count, is_open
    a.kept_hung[place + 2 : place + 2 + count] = a.hung[:count]
    a.config_hung[config] = place + 1
    a.counters[NUM_KEPT_HUNG] = place + count + 2
    return True


@kernel
def _correct_kept(a, v, config, limit, row):
    place = a.config_hung[config]
    if place == 0:
        return i64(0)
    count = a.kept_hung[place - 1]
    return _correct(a, v, a.kept_hung[place + 1 : place + 1 + count], a.kept_hung[place] != 0, limit, row)


@kernel
def _correct(a, v, hung, is_open, limit, row):
    """Takes back what the text forbids of what was let pass; 0, FULL or WANTED."""
    status = correct_hung(a, v, hung, is_open, limit, row)
    if status < 0:
        return status
    if is_open:
        status = correct_open_string(a, v, limit, row)
        if status < 0:
            return status
    return want_answers(a) if a.counters[NUM_QUESTIONS] > 0 else i64(0)


@kernel
def _set_end_tokens(a, v, config, row):
    if a.config_accepts[config] == 1:
        for token in v.eos_tokens:
            row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)


@kernel
def _fill(a, v, p, config, limit, row):
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
        status, far, seen = fill_like(a, v, rest, base, row, spans == 0)
        return status, max(reach, far), visited + seen
    aside = row if spans == 0 else a.scratch[1]
    status, far, seen = _fill_plain(a, v, p, base, limit, aside, a.scratch[0])
    reach, visited = max(reach, far), visited + seen
    if status < 0:
        return status, reach, visited
    status, far, seen = walk_difference(a, v, rest, base, limit, aside)
    if status < 0:
        return status, reach, visited
    if spans > 0:
        for w in range(len(row)):
            row[w] |= aside[w]
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
        return fill_like(a, v, config, base, row, is_empty)
    return walk_all(a, v, p, config, limit, row)


@kernel
def _fill_loop(a, v, p, config, part, limit, row):
    """The mask where the bytes of class `part` all lead back to `config`: its members, and what leaves it."""
    reach, visited = i64(0), i64(256)
    status = want_residuals(a, p, part, config)
    if status != 0:
        return status, reach, visited
    if a.config_cost[config] <= limit:
        source = p.member_rows[p.row_full[part]]
        for w in range(len(row)):
            row[w] |= source[w]
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


@kernel
def fill_many(a, configs, limits, rows, places, first):
    """Fills the rows from `first` on; the number of rows done, and the status that stopped it (0: none)."""
    for i in range(first, len(configs)):
        status = fill(a, configs[i], limits[i], rows[places[i]])
        if status < 0:
            return i, status
    return len(configs), i64(0)


@kernel
def fill_many_guarded(a, configs, limits, rows, places, texts, first, is_again):
    """The same where guards look at the texts so far. Shapes: texts int64[n, 4], see `Written.place`.

    `is_again`: the first of them was begun, and what it asked of guards is answered by now.
    """
    for i in range(first, len(configs)):
        point_at(a, "text", texts[i, 0], texts[i, 1])
        if i > first or not is_again:
            a.counters[TEXT_VERSION] = -1
        status = fill_guarded(a, configs[i], limits[i], rows[places[i]], texts[i, 2], texts[i, 3])
        if status < 0:
            return i, status
    return len(configs), i64(0)
