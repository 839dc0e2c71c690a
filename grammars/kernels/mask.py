"""The mask of a configuration.

A token is allowed when some triple allows it, so the mask is the union over triples:

- a span at a unit boundary: the precomputed row of the tokens inside its class, and the residual tries for those that
  leave it (or, where the span's exit goes on inside the class, a walk over the tokens outside it);
- a state with an `otherwise`: the mask of that span, corrected by a walk along the differences;
- a configuration that many bytes lead back to (a pattern's loop): the same rows and residuals for those bytes;
- everything else: a walk, pruned at dead bytes.

With `limit`, only tokens after which at most `limit` tokens suffice are set. Rows that took a long walk, or are asked
for again, are kept, with the largest cost after any of their tokens (`config_reach`): they serve every limit from there
on. That cost is left in the counter `FREE_REACH`: a smaller limit leaves tokens out.

All that adds to a mask says so in three places: the bits of the row, and in the counters `REACH`, the largest cost
after one of its tokens, and `VISITED`, how many nodes were looked at. What it returns is a status: 0, FULL, WANTED, or
one that is named where it is made.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels import arena as memory
from grammars.kernels.checks import OPEN, resolved, want_answers
from grammars.kernels.closure import PENDING, close, intern
from grammars.kernels.spans import NO_LIMIT, TOO_MANY_LEAVE, WANT_LOOP, fill_spans, is_open_span, want_residuals
from grammars.kernels.stacks import add, add_steps, begin_set, lift_steps
from grammars.kernels.successor import complete_row, successor
from grammars.kernels.token_shapes import GIVEN_UP, walk_all, walk_if_shorter
from grammars.kernels.uniqueness_masks import correct_deferred, correct_open_string
from grammars.kernels.walk import reached, walk_below, walk_difference, walk_part, walk_short
from grammars.network.network import NORMAL, UNREACHABLE
from grammars.vocabulary.pool import BLOCK_ROWS, add_row

NO_LOOP = -1  # in `config_loop`, which holds one more than a partition, 0 where nothing is known
_WORTH_A_LOOP = 16
# Nodes looked at for a mask that is kept the first time; when it is asked for again, any number is worth it.
_WORTH_KEEPING = 400
_FIRST_ASCII, _NUM_ASCII = 0x20, 0x80  # other bytes are parts of characters, and lead nowhere that stays


@kernel
def fill(a, config, limit, row):
    """Writes the mask of `config` into `row`; 0, FULL or WANTED. End tokens are set where the text is complete."""
    add_steps(a, i64(memory.MASK_PART))
    if a.config_row[config] == PENDING:
        left = lift_steps(a)
        config = resolved(a, config, a.counters[memory.TEXT_SIZE])
        a.counters[memory.STEPS_LEFT] = left
        if config <= 0:
            row[:] = 0
            return want_answers(a) if config == OPEN else config
    a.counters[memory.ORIGIN] = config
    a.counters[memory.FREE_REACH] = a.config_reach[config] - 1
    if a.config_reach[config] - 1 <= limit:
        if a.config_mask[config] > 0:
            _use_kept(a, config, row)
            return _decide_deferred(a, limit, row)
        status = _fill_anew(a, config, i64(NO_LIMIT), row)
        if status < 0:
            return status
        is_known = a.counters[memory.READS_TEXT] == 0
        a.counters[memory.FREE_REACH] = a.counters[memory.REACH]
        if is_known:
            status = _keep(a, config, row)
            if status < 0:
                return status
        if limit == NO_LIMIT or (is_known and a.counters[memory.REACH] <= limit):
            return _decide_deferred(a, limit, row)
    status = _fill_anew(a, config, limit, row)
    return status if status < 0 else _decide_deferred(a, limit, row)


@kernel
def _begin(a, row):
    """No token is allowed yet."""
    row[:] = 0
    a.counters[memory.READS_TEXT] = a.counters[memory.IS_OPEN_STRING] = a.counters[memory.NUM_DEFERRED] = 0
    a.counters[memory.REACH] = a.counters[memory.VISITED] = 0


@kernel
def _decide_deferred(a, limit, row):
    """Takes back what the text forbids of what was let pass; 0, FULL or WANTED."""
    deferred, is_open = a.deferred[: a.counters[memory.NUM_DEFERRED]], a.counters[memory.IS_OPEN_STRING] != 0
    status = i64(0)
    left = lift_steps(a)
    if len(deferred) > 0:
        status = correct_deferred(a, a.trie, deferred, is_open, limit, row)
    if status == 0 and is_open:
        status = correct_open_string(a, a.trie, limit, row)
    a.counters[memory.STEPS_LEFT] = left
    if status < 0:
        return status
    return want_answers(a) if a.counters[memory.NUM_QUESTIONS] > 0 else i64(0)


@kernel
def _fill_anew(a, config, limit, row):
    """Writes the mask as if every string were new, and notes which tokens the text decides; 0, FULL or WANTED.

    Where that would take more than a mask may, tokens of few bytes alone are allowed: by these, too, any text can be
    written. Such a mask is not kept, and counted in `NUM_SHORT`.
    """
    v = a.trie
    _begin(a, row)
    if limit >= 0:
        status = (
            _add_all(a, v, a.partition, config, limit, row) if a.counters[memory.IS_SHORT] == 0 else i64(memory.FULL)
        )
        is_short = a.counters[memory.IS_SHORT] != 0 or a.counters[memory.FULL_ARRAY] == memory.FULL_STEPS
        # What takes long is for who let go of the GIL, and closed the arena.
        if status == memory.FULL and is_short and a.counters[memory.OPEN_EPOCH] == memory.CLOSED:
            _begin(a, row)
            status = walk_short(a, v, config, limit, row)
            a.counters[memory.READS_TEXT] = 1
            a.counters[memory.NUM_SHORT] += status >= 0
        if status < 0:
            return status
        if a.counters[memory.NUM_QUESTIONS] > 0:
            return want_answers(a)
    if a.config_accepts[config] == 1:
        for token in v.eos_tokens:
            row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
    return i64(0)


@kernel
def _keep(a, config, row):
    """Keeps the mask that was just made, if it is worth it, and how far it reaches; 0, or FULL."""
    fewest = _WORTH_KEEPING if a.config_reach[config] == 0 else 0
    if a.counters[memory.VISITED] > fewest and a.counters[memory.MASK_ROOM] != memory.NO_ROOM:
        used = a.counters[memory.NUM_MASKS]
        if used == a.counters[memory.MASK_ROOM]:
            a.counters[memory.FULL_ARRAY] = memory.FULL_MASKS
            return i64(memory.FULL)
        if not _keep_deferred(a, config):
            return i64(0)
        place = i64(a.mask_blocks[used // BLOCK_ROWS]) * BLOCK_ROWS + used % BLOCK_ROWS
        a.masks[place, :] = row
        a.config_mask[config] = place + 1
        a.counters[memory.NUM_MASKS] = used + 1
    a.config_reach[config] = a.counters[memory.REACH] + 1
    return i64(0)


@kernel
def _keep_deferred(a, config):
    """Keeps what has to be decided whenever the kept mask is used; False without room."""
    count, is_open = a.counters[memory.NUM_DEFERRED], a.counters[memory.IS_OPEN_STRING]
    a.config_deferred[config] = 0
    if count == 0 and is_open == 0:
        return True
    place = a.counters[memory.NUM_KEPT_DEFERRED]
    if place + count + 2 > len(a.kept_deferred):
        return False
    a.kept_deferred[place], a.kept_deferred[place + 1] = count, is_open
    a.kept_deferred[place + 2 : place + 2 + count] = a.deferred[:count]
    a.config_deferred[config] = place + 1
    a.counters[memory.NUM_KEPT_DEFERRED] = place + count + 2
    return True


@kernel
def _use_kept(a, config, row):
    """Writes the kept mask of the configuration, and which tokens are to be decided."""
    source, place = a.masks[a.config_mask[config] - 1], i64(a.config_deferred[config])
    for w in range(len(row)):
        row[w] = source[w]
    a.counters[memory.NUM_DEFERRED] = a.counters[memory.IS_OPEN_STRING] = 0
    if place > 0:
        count = i64(a.kept_deferred[place - 1])
        a.deferred[:count] = a.kept_deferred[place + 1 : place + 1 + count]
        a.counters[memory.NUM_DEFERRED], a.counters[memory.IS_OPEN_STRING] = count, a.kept_deferred[place]


@kernel
def _add_all(a, v, p, config, limit, row):
    """Adds what any triple of the configuration allows to the empty row: spans first, then the rest."""
    spans, others, falls = _shape(a, config)
    if spans > 0:
        status = fill_spans(a, v, p, config, limit, row, a.scratch[0])
        if status == TOO_MANY_LEAVE:
            return _add_rest(a, v, p, config, limit, row)
        if status != 1 or others == 0:
            return min(status, i64(0))
        config = _without_spans(a, config)
        if config < 0:
            return config
    base = _fallback(a, config) if falls > 0 else i64(memory.DEAD)
    unlike = _is_unlike(a, config, base) if base > 0 else base
    if unlike < 0:
        return unlike
    if falls == 0 or unlike == 1:
        return _add_rest(a, v, p, config, limit, row)
    aside = row if spans == 0 else a.scratch[1]
    status = _fill_fallback(a, v, p, base, limit, aside)
    if status == 0:
        status = walk_difference(a, v, config, base, limit, aside)
    if status == 0 and spans > 0:
        add_row(row, aside)
    return status


@kernel
def _add_rest(a, v, p, config, limit, row):
    """Adds what a configuration allows, spans or not: a walk, or where many bytes lead back to it, a loop."""
    if a.config_loop[config] == 0:
        place = complete_row(a, config)
        if place < 0:
            return place
        looping = 0
        for byte in range(256):
            a.loop_bytes[byte] = 1 if a.rows[place + a.byte_class[byte]] == config else 0
            looping += a.loop_bytes[byte]
        if looping >= _WORTH_A_LOOP:
            a.counters[memory.WANTED_CLASS] = config
            a.counters[memory.WANTED_KIND] = WANT_LOOP
            return i64(memory.WANTED)
        a.config_loop[config] = NO_LOOP
    if a.config_loop[config] != NO_LOOP:
        status = walk_if_shorter(a, v, p, config, config, limit, row)
        if status != GIVEN_UP:
            return status
        status = _add_loop(a, v, p, config, i64(a.config_loop[config] - 1), limit, row)
        if status != TOO_MANY_LEAVE:
            return status
    return walk_all(a, v, p, config, limit, row)


@kernel
def _add_loop(a, v, p, config, part, limit, row):
    """Add the tokens allowed where all bytes of class `part` lead back to `config`: inside it and leaving it."""
    status = want_residuals(a, p, part, config)
    if status != 0:
        return status
    if a.config_cost[config] <= limit:
        add_row(row, p.member_rows[p.row_full[part]])
        reached(a, i64(a.config_cost[config]), i64(256))
    for node in range(v.level_start[0], v.level_start[1]):
        target = successor(a, config, i64(v.level_byte[node]))
        if target > memory.DEAD and target != config:
            target = walk_below(a, v, i64(node), target, limit, row)
        if target < 0:
            return target
    for byte in range(256):
        target = successor(a, config, i64(byte))
        if target > memory.DEAD and target != config and p.residual_of[part, byte] >= 0:
            target = walk_part(a, v, p, config, i64(p.residual_of[part, byte]), i64(1), i64(UNREACHABLE), limit, row)
        if target < 0:
            return target
    return i64(0)


@kernel
def _fill_fallback(a, v, p, config, limit, row):
    """Write the mask of a configuration of spans, for those that are at a boundary."""
    row[:] = 0
    status = fill_spans(a, v, p, config, limit, row, a.scratch[0])
    if status == TOO_MANY_LEAVE:
        return walk_all(a, v, p, config, limit, row)
    if status != 1:
        return status
    rest = _without_spans(a, config)
    return walk_all(a, v, p, rest, limit, row) if rest > 0 else rest


@kernel
def _shape(a, config):
    """Return the numbers of triples that are spans at a boundary, that are not, and of these that fall through."""
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
    """The configuration of the triples that are not spans at a boundary; FULL without room."""
    size = _put_triples(a, config, False)
    return size if size < 0 else intern(a, size, False)


@kernel
def _fallback(a, config):
    """The configuration of all spans that triples of `config` fall through to; FULL without room."""
    size = _put_triples(a, config, True)
    return size if size < 0 else close(a, size, False, i64(0))


@kernel
def _put_triples(a, config, is_falling):
    """Begins a set with those spans, or with the triples that are not spans at a boundary; its size, or FULL."""
    begin_set(a)
    size = i64(0)
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state, count = i64(a.pair_state[i]), i64(a.pair_count[i])
        is_wanted = not is_open_span(a, state)
        if is_falling:
            is_wanted = a.kind[state] == NORMAL and a.otherwise[state] >= 0
            state, count = i64(a.otherwise[state]), i64(0)
        if is_wanted and size >= 0:
            size = add(a, size, state, i64(a.pair_stack[i]), count)
    return size


@kernel
def _is_unlike(a, config, base):
    """1 where `config` leads elsewhere than `base` by most bytes, so that their masks are not alike; 0, or FULL."""
    if a.config_row[base] == PENDING:
        return i64(0)
    place, other = complete_row(a, config), complete_row(a, base)
    if place < 0 or other < 0:
        return min(place, other)
    alive, same = 0, 0
    for byte in range(_FIRST_ASCII, _NUM_ASCII):
        target, known = i64(a.rows[place + a.byte_class[byte]]), i64(a.rows[other + a.byte_class[byte]])
        target = i64(a.config_more[config]) if target < 0 else target
        known = i64(a.config_more[base]) if known < 0 else known
        alive += 1 if target != memory.DEAD else 0
        same += 1 if target != memory.DEAD and target == known else 0
    return i64(1 if 2 * same < alive else 0)
