"""Masks made from the mask of another configuration.

Where most bytes lead to a configuration that leads back to itself, as at the beginning of an identifier, the mask is
that of the loop but for the tokens that begin with other bytes. Where a state falls through to a span, as in a name
that must not be one of those declared, it is that of the span but for the few tokens that go on along the names. Where
a text has bounds, it is that of a twin but for the tokens that are longer than the slack, see `twins`.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import BASE, DEAD, TWIN_COST, WANTED_CLASS
from grammars.kernels.bits import add_row
from grammars.kernels.closure import PENDING
from grammars.kernels.keeping import hang_kept
from grammars.kernels.options import i64, kernel
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.successor import complete_row, successor
from grammars.kernels.walk import walk_difference

NO_BASE = -1  # in `config_base`, where 0 says that nothing is known; in `counters[BASE]`, that none is to be asked for
WANT_BASE = -8  # the mask of `counters[BASE]` is needed first, for `counters[WANTED_CLASS]`
WORTH_A_LOOP = 16
_FIRST_ASCII, _NUM_ASCII = 0x20, 0x80  # other bytes are parts of characters, and lead nowhere that stays


@kernel
def may_have_base(a, config):
    """Whether the mask of another configuration may be asked for.

    Not where guards have to be asked: they look at the text, which would be another one.
    """
    return len(a.answer_key) == 1 and a.config_base[config] != NO_BASE and a.counters[BASE] != NO_BASE


@kernel
def base_of(a, config):
    """The configuration to which many bytes lead, and from which they lead back to it; DEAD for none, or FULL."""
    base, count = i64(DEAD), 0
    place = complete_row(a, config) if may_have_base(a, config) else i64(0)
    if place <= 0:
        return place
    for byte in range(_FIRST_ASCII, _NUM_ASCII):
        target = i64(a.rows[place + a.byte_class[byte]])
        if target <= 0 or a.config_row[target] == PENDING:
            continue
        if target != base:
            # The majority, if there is one, is the last that stands.
            count -= 1
            if count > 0:
                continue
            base, count = target, 0
        count += 1
    if base == DEAD or base == config:
        return i64(DEAD)
    count = 0
    for byte in range(_FIRST_ASCII, _NUM_ASCII):
        if a.rows[place + a.byte_class[byte]] == base:
            target = successor(a, base, i64(byte))
            if target < 0:
                return target
            count += 1 if target == base else 0
    return base if count >= WORTH_A_LOOP else i64(DEAD)


@kernel
def is_unlike(a, config, base):
    """1 where `config` leads elsewhere than `base` by most bytes, so that their masks are not alike; 0, or FULL."""
    if a.config_row[base] == PENDING:
        return i64(0)
    place, other = complete_row(a, config), complete_row(a, base)
    if place < 0 or other < 0:
        return min(place, other)
    alive, alike = 0, 0
    for byte in range(_FIRST_ASCII, _NUM_ASCII):
        target, known = i64(a.rows[place + a.byte_class[byte]]), i64(a.rows[other + a.byte_class[byte]])
        target = i64(a.config_more[config]) if target < 0 else target
        known = i64(a.config_more[base]) if known < 0 else known
        alive += 1 if target != DEAD else 0
        alike += 1 if target != DEAD and target == known else 0
    return i64(1 if 2 * alike < alive else 0)


@kernel
def fill_like(a, v, config, base, slack, row, is_empty):
    """Adds the mask of `config` without a limit, from that of its base; WANT_BASE where there is none yet.

    For `slack` see `walk_difference`.
    """
    kept = a.config_mask[base]
    if kept == 0:
        a.counters[BASE], a.counters[WANTED_CLASS] = base, config
        return i64(WANT_BASE), i64(0), i64(0)
    aside, source = row if is_empty else a.scratch[1], a.masks[kept - 1]
    for w in range(len(row)):
        aside[w] = source[w]
    for token in v.eos_tokens:
        aside[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
    status = hang_kept(a, base)
    if status < 0:
        return status, i64(0), i64(0)
    status, reach, visited = walk_difference(a, v, config, base, slack, i64(NO_LIMIT), aside)
    if status < 0:
        return status, reach, visited
    if not is_empty:
        add_row(row, aside)
    # Where tokens were not looked at, the base may cost less behind them.
    more = a.counters[TWIN_COST] if slack > 0 else i64(0)
    return i64(0), max(reach, i64(a.config_reach[base] - 1) + more), visited
