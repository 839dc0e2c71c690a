"""What a match asks for: masks and steps of a record.

The kernels `fill_now` and `advance_now` hold the GIL, for most of them take a microsecond: as long as nobody has
*closed* the arena (see `ArenaArrays.alone`), which they look for first, nothing else can run on it. All others run
without the GIL, in a closed arena.
"""

from __future__ import annotations

from grammars.kernels.advancing import advance, advance_bytes
from grammars.kernels.arena import DEAD, OPEN_EPOCH
from grammars.kernels.guards import OPEN, advance_bytes_guarded, advance_guarded, resolved, want_answers
from grammars.kernels.mask import fill, fill_guarded
from grammars.kernels.options import entry, entry_holding_gil, i64
from grammars.kernels.record import CONFIG, EPOCH, SIZE, TEXT_ROOM, record_at, show, take

# An answer beside those of `arena`: the arena is closed or was emptied since, or the row is not one of a mask.
ELSEWHERE = -20


@entry
def fill_match(a, record, limit, row):
    """Writes the mask of a match; 0, FULL or WANTED."""
    config = record[CONFIG]
    if config == DEAD:
        row[:] = 0
        return i64(0)
    if record[TEXT_ROOM] == 0:
        return fill(a, config, limit, row)
    show(a, record)
    return fill_guarded(a, config, limit, row)


@entry_holding_gil
def fill_now(a, record, limit, row):
    """The same; ELSEWHERE where it has to be done in another way, if at all."""
    if record[EPOCH] != a.counters[OPEN_EPOCH] or len(row) != a.masks.shape[1]:
        return i64(ELSEWHERE)
    return fill_match(a, record, limit, row)


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
        status = fill_match(a, record, limits[i], rows[places[i]])
        if status < 0:
            return i, status
    return len(records), i64(0)


@entry
def advance_match(a, record, token):
    """Takes a token; 0 where it is not allowed, 1, 2 (see `record.take`), FULL or WANTED."""
    config = record[CONFIG]
    if config == DEAD or token < 0 or token >= len(a.trie.has_bytes):
        return i64(0)
    if record[TEXT_ROOM] == 0:
        following = advance(a, config, token)
    else:
        show(a, record)
        following = advance_guarded(a, config, token)
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
    if record[TEXT_ROOM] == 0:
        return advance_bytes(a, record[CONFIG], data)
    show(a, record)
    return advance_bytes_guarded(a, record[CONFIG], data)


@entry
def settled(a, record, config, num_more):
    """The configuration, not pending, where `num_more` bytes were written behind the text; DEAD where a guard fails."""
    if record[TEXT_ROOM] == 0:
        return i64(config)
    show(a, record)
    target = resolved(a, config, record[SIZE] + num_more)
    return want_answers(a) if target == OPEN else target
