"""Masks that are kept, and what has to be looked at again whenever one is used."""

from __future__ import annotations

from grammars.kernels.arena import (
    FULL,
    FULL_ARRAY,
    FULL_MASKS,
    IS_OPEN_STRING,
    MASK_ROOM,
    NO_ROOM,
    NUM_HUNG,
    NUM_KEPT_HUNG,
    NUM_MASKS,
)
from grammars.kernels.options import i64, kernel
from grammars.kernels.repeats import hang_token
from grammars.vocabulary.pool import BLOCK_ROWS

# Nodes looked at for a mask that is kept: the first time, and when it is asked for again.
WORTH_KEEPING, _WORTH_KEEPING_AGAIN = 400, 0


@kernel
def keep(a, config, reach, visited, row, first):
    """Keeps the mask if it is worth it; 0, or FULL.

    Args:
        first: what was hung from there on belongs to the mask.
    """
    is_worth = visited > (WORTH_KEEPING if a.config_reach[config] == 0 else _WORTH_KEEPING_AGAIN)
    if is_worth and a.counters[MASK_ROOM] != NO_ROOM:
        used = a.counters[NUM_MASKS]
        if used == a.counters[MASK_ROOM]:
            a.counters[FULL_ARRAY] = FULL_MASKS
            return i64(FULL)
        if not _keep_hung(a, config, first):
            return i64(0)
        place = i64(a.mask_blocks[used // BLOCK_ROWS]) * BLOCK_ROWS + used % BLOCK_ROWS
        a.masks[place, :] = row
        a.config_mask[config] = place + 1
        a.counters[NUM_MASKS] = used + 1
    a.config_reach[config] = reach + 1
    return i64(0)


@kernel
def _keep_hung(a, config, first):
    """Keeps what has to be looked at again whenever the kept mask is used; False without room."""
    count, is_open = a.counters[NUM_HUNG] - first, a.counters[IS_OPEN_STRING]
    a.config_hung[config] = 0
    if count == 0 and is_open == 0:
        return True
    place = a.counters[NUM_KEPT_HUNG]
    if place + count + 2 > len(a.kept_hung):
        return False
    a.kept_hung[place], a.kept_hung[place + 1] = count, is_open
    a.kept_hung[place + 2 : place + 2 + count] = a.hung[first : first + count]
    a.config_hung[config] = place + 1
    a.counters[NUM_KEPT_HUNG] = place + count + 2
    return True


@kernel
def hang_kept(a, config):
    """Notes what was kept with the mask of the configuration; 0, or FULL."""
    place = a.config_hung[config]
    if place == 0:
        return i64(0)
    for k in range(place + 1, place + 1 + a.kept_hung[place - 1]):
        status = hang_token(a, i64(a.kept_hung[k]))
        if status < 0:
            return status
    if a.kept_hung[place] != 0:
        a.counters[IS_OPEN_STRING] = 1
    return i64(0)
