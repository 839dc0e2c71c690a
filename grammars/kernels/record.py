"""One match as a block of numbers, which kernels read and write: its configuration, its past, and its text.

A record is int64[`HEADER` + room + text]: the header, room for accepted tokens, each with the configuration before it,
and, where checks look at the text, room for its bytes, of which there is always enough for one more token.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grammars.jit.container import int64s_at
from grammars.jit.options import i64, kernel
from grammars.kernels.arena import DEAD, NUM_TEXTS, TEXT_SERIAL, TEXT_VERSION
from grammars.kernels.checks import look_at

Record = NDArray[np.int64]

# The header. Times when the arena was emptied so far, which the configurations stand for; the configuration; tokens
# accepted, and how many there is room for; bytes of the text, a number that is another one for every text that this
# was, the number by which the arena knows this text (0: none yet), room for its bytes (0: no check looks at it), and
# the largest cost after a token that the last mask would allow without a budget; masks so far that lack longer tokens.
EPOCH, CONFIG, NUM_TOKENS, ROOM, SIZE, VERSION, SERIAL, TEXT_ROOM, REACH, SHORT, HEADER = range(11)
_CONFIG_SHIFT, _TOKEN_BITS = 32, (1 << 32) - 1
_FORGOTTEN = -1  # in place of a configuration
_NEVER = -1  # an epoch that no arena has


def new_record(room: int, text_room: int) -> Record:
    """Return a record for this many tokens and a text of at least this many bytes."""
    words = -(-text_room // 8)
    record = np.zeros(HEADER + room + words, dtype=np.int64)
    record[ROOM], record[TEXT_ROOM] = room, 8 * words
    return record


def text_of(record: Record) -> NDArray[np.uint8]:
    """The bytes of the text, and the room behind them."""
    return record[HEADER + record[ROOM] :].view(np.uint8)


def past_of(record: Record) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The accepted tokens, and the configurations before each."""
    past = record[HEADER : HEADER + record[NUM_TOKENS]]
    return past & _TOKEN_BITS, past >> _CONFIG_SHIFT


def copied(record: Record, room: int, text_room: int) -> Record:
    """The same match in a record with at least so much room."""
    other = new_record(max(room, int(record[ROOM])), max(text_room, int(record[TEXT_ROOM])))
    for place in (EPOCH, CONFIG, NUM_TOKENS, SIZE, VERSION, REACH, SHORT):
        other[place] = record[place]
    end, size = HEADER + int(record[NUM_TOKENS]), int(record[SIZE])
    other[HEADER:end] = record[HEADER:end]
    if record[TEXT_ROOM]:
        text_of(other)[:size] = text_of(record)[:size]
    return other


def forked(record: Record) -> Record:
    """The same match once more, with as much room."""
    other = record.copy()
    other[SERIAL] = 0
    return other


def take_end(record: Record, token: int) -> int:
    """An end token is accepted; 2 where the record needs more room before anything else, 1 where not."""
    number = int(record[NUM_TOKENS])
    record[HEADER + number] = int(record[CONFIG]) << _CONFIG_SHIFT | token
    record[CONFIG], record[NUM_TOKENS] = DEAD, number + 1
    return 2 if number + 1 == record[ROOM] else 1


def take_back(record: Record, num_tokens: int, token_start: NDArray[np.int64]) -> None:
    """Undoes the last tokens; token t has ``token_start[t + 1] - token_start[t]`` bytes."""
    tokens, configs = (past[-num_tokens:] for past in past_of(record))
    record[CONFIG] = configs[0]
    if configs[0] == _FORGOTTEN:
        # To be found again.
        record[EPOCH] = _NEVER
    record[NUM_TOKENS] -= num_tokens
    if record[TEXT_ROOM]:
        record[SIZE] -= int((token_start[tokens + 1] - token_start[tokens]).sum())
        record[VERSION] += 1


def forget_past(record: Record) -> None:
    """The configurations before the tokens mean nothing any more; see `take_back`."""
    past = record[HEADER : HEADER + record[NUM_TOKENS]]
    past |= -1 << _CONFIG_SHIFT


@kernel
def show(a, record):
    """Lets the arena's checks look at the text of the record."""
    counters = a.counters
    if record[SERIAL] == 0:
        counters[NUM_TEXTS] += 1
        record[SERIAL] = counters[NUM_TEXTS]
    if counters[TEXT_SERIAL] != record[SERIAL]:
        a.text = record[HEADER + record[ROOM] :].view(np.uint8)
        counters[TEXT_SERIAL] = record[SERIAL]
        counters[TEXT_VERSION] = -1
    look_at(a, record[SIZE], record[VERSION])


@kernel
def take(a, record, token, following):
    """The token is accepted; 2 where the record needs more room before anything else, 1 where not."""
    number = record[NUM_TOKENS]
    record[HEADER + number] = record[CONFIG] << _CONFIG_SHIFT | token
    record[CONFIG], record[NUM_TOKENS] = following, number + 1
    is_full = number + 1 == record[ROOM]
    if record[TEXT_ROOM] > 0:
        starts = a.trie.token_start
        record[SIZE] += starts[token + 1] - starts[token]
        record[VERSION] += 1
        is_full |= record[SIZE] + len(a.path) > record[TEXT_ROOM]
    return i64(2) if is_full else i64(1)


@kernel
def record_at(address):
    """The record that stands at an address, which others keep alive."""
    header = int64s_at(address, i64(HEADER))
    return int64s_at(address, i64(HEADER + header[ROOM] + (header[TEXT_ROOM] >> 3)))
