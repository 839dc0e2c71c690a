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
    IS_HUNG,
    IS_OPEN_STRING,
    LEAVES,
    MASK_PART,
    NUM_HUNG,
    NUM_QUESTIONS,
    ORIGIN,
    TEXT_SIZE,
    WANTED_CLASS,
)
from grammars.kernels.bases import NO_BASE, WANT_BASE
from grammars.kernels.closure import PENDING
from grammars.kernels.cornered import can_run_out, refuse_cornered
from grammars.kernels.guards import OPEN, resolved, want_answers
from grammars.kernels.keeping import WORTH_KEEPING, keep
from grammars.kernels.options import i64, kernel
from grammars.kernels.parts import fill_parts
from grammars.kernels.repeats import correct_hung, correct_open_string
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.stacks import add_steps


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
        while reach == WANT_BASE or reach == LEAVES:
            status = _provide_base(a, v, p, row) if reach == WANT_BASE else i64(0)
            if status < 0:
                return status
            a.counters[ORIGIN], a.counters[IS_HUNG] = config, 0
            reach, visited = _fill_once(a, v, p, config, i64(NO_LIMIT), row)
        if reach < 0:
            return reach
        if a.counters[IS_HUNG] == 0:
            status = keep(a, config, reach, visited, row, i64(0))
            if status < 0:
                return status
        if limit == NO_LIMIT or (a.counters[IS_HUNG] == 0 and reach <= limit):
            return _correct(a, v, a.hung[: a.counters[NUM_HUNG]], a.counters[IS_OPEN_STRING] != 0, limit, row)
    reach, visited = _fill_once(a, v, p, config, limit, row)
    if reach < 0:
        return reach
    return _correct(a, v, a.hung[: a.counters[NUM_HUNG]], a.counters[IS_OPEN_STRING] != 0, limit, row)


@kernel
def fill_guarded(a, config, limit, row):
    """Like `fill`, after the text that `guards.look_at` was told of."""
    status = fill(a, config, limit, row)
    return refuse_cornered(a, a.trie, row) if status == 0 and can_run_out(a) else status


@kernel
def _fill_once(a, v, p, config, limit, row):
    """Writes the mask; the largest cost after any of its tokens (or a negative status), and the nodes looked at."""
    row[:] = 0
    a.counters[IS_OPEN_STRING] = a.counters[NUM_HUNG] = 0
    reach, visited = i64(0), i64(0)
    if limit >= 0:
        status, reach, visited = fill_parts(a, v, p, config, limit, row)
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
        reach = min(keep(a, base, reach, i64(WORTH_KEEPING + 1), row, i64(0)), i64(0))
    if reach == LEAVES or (reach >= 0 and a.config_mask[base] == 0):
        a.config_base[config] = NO_BASE
        return i64(0)
    return min(reach, i64(0))


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
