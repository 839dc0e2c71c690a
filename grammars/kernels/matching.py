"""Masks and steps of a match's record.

The kernels `fill_now` and `advance_now` hold the GIL, for most of them take a microsecond: as long as nobody has
*closed* the arena (see `ArenaArrays.alone`), which they look for first, nothing else can run on it. All others run
without the GIL, in a closed arena.
"""

from __future__ import annotations

from grammars.jit.options import entry, entry_holding_gil, i64, kernel
from grammars.kernels.arena import (
    BYTE_PART,
    CHECK_KINDS,
    DEAD,
    FREE_REACH,
    IS_SHORT,
    MOST_STEPS,
    NUM_SHORT,
    OPEN_EPOCH,
    STEPS_LEFT,
)
from grammars.kernels.checks import OPEN, resolved, step, want_answers
from grammars.kernels.mask import fill
from grammars.kernels.record import CONFIG, EPOCH, REACH, SHORT, SIZE, TEXT_ROOM, record_at, show, take
from grammars.kernels.stacks import add_steps, lift_steps
from grammars.kernels.successor import step_once, successor
from grammars.kernels.uniqueness_dead_ends import OF_FEW, refuse_dead_ends

# An answer beside those of `arena`: to be done in another way, if at all, for the arena is closed or was emptied since,
# or the row is not one of a mask.
ELSEWHERE = -20
_LONG_TEXT = 4096  # a longer one is bounded in steps
_MASKS_A_TOKEN = 2  # whose walks may have taken parts of its way


@kernel
def _fill_match(a, record, limit, row):
    """Writes the mask of a match; 0, FULL or WANTED."""
    config = record[CONFIG]
    if config == DEAD:
        row[:] = 0
        record[REACH] = 0
        return i64(0)
    if record[TEXT_ROOM] > 0:
        show(a, record)
    before = a.counters[NUM_SHORT]
    status = fill(a, config, limit, row)
    record[REACH] = a.counters[FREE_REACH]
    record[SHORT] += a.counters[NUM_SHORT] - before
    if record[TEXT_ROOM] == 0:
        return status
    if status == 0 and a.counters[CHECK_KINDS] & OF_FEW != 0:
        left = lift_steps(a)
        status = refuse_dead_ends(a, a.trie, limit, row)
        a.counters[STEPS_LEFT] = left
    return status


@entry_holding_gil
def fill_now(a, record, limit, row):
    """Writes the mask of a match; 0, FULL, WANTED or ELSEWHERE."""
    if record[EPOCH] != a.counters[OPEN_EPOCH] or len(row) != a.masks.shape[1]:
        return i64(ELSEWHERE)
    return _fill_match(a, record, limit, row)


@entry
def fill_many(a, records, epoch, limits, rows, places, first):
    """Fills the rows from `first` on; the number of rows done, and the status that stopped it (0: none).

    Args:
        records: their addresses. Shapes: int64[n], and so are `limits` and `places`; epoch: of the arena.
    """
    for i in range(first, len(records)):
        record = record_at(records[i])
        if record[EPOCH] != epoch:
            return i, i64(ELSEWHERE)
        status = _fill_match(a, record, limits[i], rows[places[i]])
        if status < 0:
            return i, status
        a.counters[IS_SHORT] = 0
    return len(records), i64(0)


@kernel
def _after(a, record, data, adds_steps):
    """The configuration after the match and `data`, and how many bytes were taken before it died (or FULL, WANTED)."""
    config, size, is_checked = i64(record[CONFIG]), i64(record[SIZE]), record[TEXT_ROOM] > 0
    if is_checked:
        show(a, record)
    for i in range(len(data)):
        byte = i64(data[i])
        if adds_steps:
            add_steps(a, i64(BYTE_PART))
        if is_checked:
            a.text[size + i] = byte
            following = step(a, config, byte, size + i)
        elif a.config_row[config] != 0 or a.config_seen[config] != 0:
            following = successor(a, config, byte)
        else:
            # Left for the first time, and mostly for the last; the next time it gets a row.
            a.config_seen[config] = 1
            following = step_once(a, config, byte)
        if following <= 0:
            return want_answers(a) if following == OPEN else following, i
        config = following
    return config, i64(len(data))


@entry
def advance_match(a, record, token):
    """Takes a token; 0 where it is not allowed, 1, 2 (see `record.take`), FULL or WANTED."""
    v = a.trie
    if record[CONFIG] == DEAD or token < 0 or token >= len(v.has_bytes) or v.has_bytes[token] == 0:
        return i64(0)
    # Who was shown the token may have it: its way is one of those that the mask took. Of others that is not known.
    left = a.counters[STEPS_LEFT]
    a.counters[STEPS_LEFT] = _MASKS_A_TOKEN * a.counters[MOST_STEPS]
    following, _ = _after(a, record, v.token_bytes[v.token_start[token] : v.token_start[token + 1]], False)
    a.counters[STEPS_LEFT] = left
    return take(a, record, token, following) if following > 0 else following


@entry_holding_gil
def advance_now(a, record, token):
    """The same; ELSEWHERE where it has to be done in another way, if at all."""
    if record[EPOCH] != a.counters[OPEN_EPOCH]:
        return i64(ELSEWHERE)
    return advance_match(a, record, token)


@entry
def advance_text(a, record, data):
    """The configuration after `data`, and how many bytes were taken before it died (or before FULL or WANTED).

    The record stays as it is; where it has a text there is room for `data` behind it.
    """
    if len(data) > _LONG_TEXT:
        return _after(a, record, data, True)
    left = lift_steps(a)
    following, used = _after(a, record, data, False)
    a.counters[STEPS_LEFT] = left
    return following, used


@entry
def settled(a, record, config, num_more):
    """The configuration, not pending, where `num_more` bytes were written behind the text; DEAD where a check fails."""
    if record[TEXT_ROOM] == 0:
        return i64(config)
    show(a, record)
    left = lift_steps(a)
    target = resolved(a, config, record[SIZE] + num_more)
    a.counters[STEPS_LEFT] = left
    return want_answers(a) if target == OPEN else target
