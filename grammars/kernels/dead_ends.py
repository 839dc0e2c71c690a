"""Strings that must be new, where there are only so many: none is begun, or gone on with, that can only be an old one.

A guard says so when the string ends, and then it is too late: of the names ``^[a-z]{2}$`` with "ab" among them, nothing
but the quote can follow ``"ab``. So tokens that leave a string under way are looked at again: there must be a way to
end it, within the budget, as a new one. Ways part from the old strings after few characters, or there are few of them.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import DEAD, ORIGIN, TEXT_SIZE
from grammars.kernels.closure import PENDING
from grammars.kernels.guards import OPEN, after_token, with_checks
from grammars.kernels.options import i64, kernel
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.successor import successor
from grammars.kernels.unique import are_same, container_start, next_string
from grammars.network.guards import RUNS_OUT
from grammars.vocabulary.pool import clear_tokens
from grammars.vocabulary.tables import child_of

_QUOTE, _BACKSLASH = 0x22, 0x5C
_MAX_STEPS, _MAX_PENDING, _FEW_EARLIER, _MAX_SAFE = 256, 1024, 64, 64


@kernel
def can_run_out(a):
    """Whether any guard is about strings of which there are only so many."""
    for kind in a.guard_kind:
        if kind & RUNS_OUT:
            return True
    return False


@kernel
def refuse_dead_ends(a, v, limit, row):
    """Takes tokens out of the mask after which no new string can be written, or not in `limit` tokens; 0, or FULL."""
    text, base, config = a.text, a.counters[TEXT_SIZE], a.counters[ORIGIN]
    begin, _ = _opening(text, i64(0), base, False, False)
    container = container_start(text, begin if begin >= 0 else base)
    earlier, number = _strings(text, container, begin if begin >= 0 else base)
    if begin >= 0:
        for i in range(number):
            status = _refuse_along(a, v, config, begin, base, earlier[:number], i, limit, row)
            if status < 0:
                return status
    is_escaped = begin >= 0 and _is_escaped(text, begin + 1, base)
    safe, num_safe = np.zeros(_MAX_SAFE, dtype=np.int64), 0
    for token in v.quote_token:
        if row[token >> 5] >> np.uint32(token & 31) & np.uint32(1) == 0:
            continue
        first, last = i64(v.token_start[token]), i64(v.token_start[token + 1])
        opens, has_brackets = _opening(v.token_bytes, first, last, begin >= 0, is_escaped)
        if opens < 0:
            continue
        length = last - opens - 1
        if length > 0 and not has_brackets and not _begins_any(text, earlier[:number], v.token_bytes, opens + 1, last):
            # Nor may it begin like the string that the token ends.
            own = i64(text[begin + 1]) if 0 <= begin < base - 1 else i64(v.token_bytes[first])
            if begin < 0 or own != v.token_bytes[opens + 1]:
                continue
        target = after_token(a, v, config, i64(token))
        if target <= 0 or a.config_row[target] == PENDING:
            if target < 0 and target != OPEN:
                return target
            continue
        if length == 0 and (safe[:num_safe] == target).any():
            continue
        place = base + opens - first
        # The string that the token ends is one of the earlier ones now, and it may have left the container.
        around = container_start(text, place)
        before, count = _strings(text, around, place)
        size = base + last - first
        status = _is_dead_end(a, target, place, size, before[:count], limit) if around >= 0 else i64(0)
        if status < 0:
            return status
        if status > 0:
            clear_tokens(v, row, i64(token))
        if length == 0 and status == 0 and num_safe < _MAX_SAFE:
            safe[num_safe] = target
            num_safe += 1
    return i64(0)


@kernel
def _strings(text, container, end):
    """Where the strings of the container begin and end that stand before `end`, and how many there are."""
    found, number = np.empty((_FEW_EARLIER, 2), dtype=np.int64), 0
    place = container + 1
    while container >= 0:
        first, last = next_string(text, place, end, container)
        if first < 0:
            break
        if number == len(found):
            more = np.empty((4 * number, 2), dtype=np.int64)
            more[:number] = found
            found = more
        found[number, 0], found[number, 1] = first, last
        number += 1
        place = last + 1
    return found, number


@kernel
def _opening(data, first, last, is_within, is_escaped):
    """Where in ``data[first:last]`` the string opens that it ends in, or -1; whether there are brackets before."""
    opens, has_brackets = i64(-1), False
    for i in range(first, last):
        byte = data[i]
        if is_escaped:
            is_escaped = False
        elif byte == _QUOTE:
            is_within = not is_within
            opens = i64(i) if is_within else i64(-1)
        elif is_within:
            is_escaped = byte == _BACKSLASH
        else:
            has_brackets |= byte == 0x5B or byte == 0x5D or byte == 0x7B or byte == 0x7D
    return opens, has_brackets


@kernel
def _begins_any(text, earlier, data, first, last):
    """Whether an earlier string begins with ``data[first:last]``."""
    length = last - first
    for i in range(len(earlier)):
        begin = earlier[i, 0]
        if earlier[i, 1] - begin >= length and are_same(text, begin, data, first, length):
            return True
    return False


@kernel
def _refuse_along(a, v, config, begin, base, earlier, i, limit, row):
    """The tokens without a quote along one of the earlier strings, where it begins like the string under way."""
    first, last = earlier[i, 0], earlier[i, 1]
    length, node = base - begin - 1, i64(-1)
    if last - first < length or not are_same(a.text, begin + 1, a.text, first, length):
        return i64(0)
    for k in range(first + length, last):
        byte = i64(a.text[k])
        node = i64(v.root_child[byte]) if k == first + length else i64(child_of(v, node, byte))
        if node < 0:
            break
        token = i64(v.node_token[node])
        if token >= 0:
            target = after_token(a, v, config, token)
            if target > 0 and a.config_row[target] != PENDING:
                target = _is_dead_end(a, target, begin, base + k + 1 - first - length, earlier, limit)
                if target > 0:
                    clear_tokens(v, row, token)
            if target < 0 and target != OPEN:
                return target
    return i64(0)


@kernel
def _is_dead_end(a, config, begin, size, earlier, limit):
    """1 if every way on from `config` ends the string as one of the earlier ones, or needs too many tokens; 0, or FULL.

    What is written of the string is ``text[begin + 1 : size]``; all further prefixes are those of earlier strings.
    """
    pending = np.empty((_MAX_PENDING, 3), dtype=np.int64)
    pending[0, 0], pending[0, 1], pending[0, 2] = config, begin + 1, size - begin - 1
    waiting, steps = 1, 0
    while waiting > 0:
        waiting -= 1
        steps += 1
        config, start, length = pending[waiting, 0], pending[waiting, 1], pending[waiting, 2]
        is_escaped = _is_escaped(a.text, start, start + length)
        for byte in range(256):
            target = successor(a, config, i64(byte))
            if target < 0:
                return target
            if target == DEAD:
                continue
            ends = byte == _QUOTE and not is_escaped
            like = _earlier(a.text, start, length, i64(byte), earlier)
            if like < 0 or (ends and a.config_row[target] != PENDING):
                if limit != NO_LIMIT and a.config_row[target] == PENDING:
                    target = with_checks(a, target)
                # What is said to suffice within a string has the byte that made it a new one to spare.
                if limit == NO_LIMIT or target < 0 or a.config_cost[target] + i64(ends) <= limit:
                    return min(target, i64(0))
            elif steps == _MAX_STEPS or waiting == _MAX_PENDING:
                return i64(0)
            elif not ends and a.config_cost[target] < limit:
                pending[waiting, 0], pending[waiting, 1], pending[waiting, 2] = target, like, length + 1
                waiting += 1
    return i64(1)


@kernel
def _earlier(text, start, length, byte, earlier):
    """Where an earlier string begins like ``text[start : start + length]`` and `byte`, be it its quote; or -1."""
    for i in range(len(earlier)):
        first = earlier[i, 0]
        if (
            earlier[i, 1] - first >= length
            and text[first + length] == byte
            and are_same(text, start, text, first, length)
        ):
            return i64(first)
    return i64(-1)


@kernel
def _is_escaped(text, start, end):
    number = 0
    while end - number > start and text[end - number - 1] == _BACKSLASH:
        number += 1
    return number % 2 == 1
