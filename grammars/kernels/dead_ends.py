"""Elements that must be new, where there are only so many: none is begun, or gone on with, that must be an old one.

A guard says so when the element ends, and then it is too late: of the names ``^[a-z]{2}$`` with "ab" among them, only
the quote can follow ``"ab``, and after an item ``{"a": "xy", "b": true}`` none may go on to ``{"a": "xy", "b": t``.
So tokens that run along earlier names or items are looked at again: some way on must part from all of them, and for
strings, whose ends are near, one that fits the budget. Blanks between the tokens of JSON do not count.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import DEAD, ORIGIN, TEXT_SIZE
from grammars.kernels.closure import PENDING
from grammars.kernels.guards import OPEN, after_token, with_checks, without_checks
from grammars.kernels.options import i64, kernel
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.successor import successor
from grammars.kernels.unique import container_start, is_blank, next_item, next_string
from grammars.network.guards import STRING_OF_FEW, UNIQUE_ITEM
from grammars.vocabulary.pool import clear_tokens

_QUOTE, _BACKSLASH, _COMMA, _COLON = 0x22, 0x5C, 0x2C, 0x3A
_OPEN_ARRAY, _CLOSE_ARRAY, _OPEN_OBJECT, _CLOSE_OBJECT = 0x5B, 0x5D, 0x7B, 0x7D
_MAX_STEPS, _MAX_WAY, _MAX_EARLIER, _MAX_NODES, _MAX_DEPTH, _MAX_SAFE = 256, 256, 256, 2_048, 64, 64
# Where a text is: between strings, within one, or behind a backslash in it.
_BETWEEN, _WITHIN, _ESCAPED = 0, 1, 2
# A byte is the last one of an earlier element, or goes on with one.
_ENDS, _GOES_ON = 1, 2
# In the place of where an element begins: not yet, and not before the next comma.
_AWAITED, _PASSED = -1, -2


@kernel
def can_run_out(a):
    """Whether any guard is about elements of which there may be only so many."""
    for kind in a.guard_kind:
        if kind == STRING_OF_FEW or kind == UNIQUE_ITEM:
            return True
    return False


@kernel
def refuse_dead_ends(a, v, limit, row):
    """Takes tokens out of the mask after which no new element can be written, or not in `limit` tokens; 0, or FULL."""
    text, base = a.text, a.counters[TEXT_SIZE]
    opened, place = _open_containers(text, base)
    for k in range(len(opened) - 1, -1, -1):
        container, begin = opened[k, 0], opened[k, 1]
        if begin >= 0:
            earlier = _earlier(text, container, begin, base)
            if len(earlier) > 0:
                most = limit if text[begin] == _QUOTE else NO_LIMIT
                status = _refuse_along(a, v, earlier, place, most, row)
                if status < 0:
                    return status
    return _refuse_opening(a, v, opened, place, limit, row)


@kernel
def _open_containers(text, size):
    """Where each open array or object begins, outermost first, and in it the item or name under way; where the text is.

    Shapes: int64[n, 2]; where none is under way, less than 0.
    """
    found, depth, place = np.empty((_MAX_DEPTH, 2), dtype=np.int64), 0, i64(_BETWEEN)
    for i in range(size):
        byte = i64(text[i])
        if place != _BETWEEN or is_blank(byte):
            place = _place_after(place, byte)
            continue
        if byte == _CLOSE_ARRAY or byte == _CLOSE_OBJECT:
            depth = max(depth - 1, 0)
            continue
        if 0 < depth <= _MAX_DEPTH:
            if byte == _COMMA:
                found[depth - 1, 1] = _AWAITED
            elif byte == _COLON:
                found[depth - 1, 1] = _PASSED
            elif found[depth - 1, 1] == _AWAITED:
                found[depth - 1, 1] = i
        if byte == _OPEN_ARRAY or byte == _OPEN_OBJECT:
            if depth < _MAX_DEPTH:
                found[depth, 0], found[depth, 1] = i, _AWAITED
            depth += 1
        place = _place_after(place, byte)
    return found[: min(depth, _MAX_DEPTH)], place


@kernel
def _place_after(place, byte):
    if place == _BETWEEN:
        return i64(_WITHIN if byte == _QUOTE else _BETWEEN)
    if place == _ESCAPED:
        return i64(_WITHIN)
    return i64(_BETWEEN if byte == _QUOTE else _ESCAPED if byte == _BACKSLASH else _WITHIN)


@kernel
def _earlier(text, container, begin, size):
    """The earlier names, or strings, arrays and objects, that begin like ``text[begin:size]``.

    Returns:
        Where each goes on behind that, and where its last byte is. Shapes: int64[n, 2].
    """
    found, number = np.empty((_MAX_EARLIER, 2), dtype=np.int64), 0
    is_object, end = text[container] == _OPEN_OBJECT, container + 1
    while number < _MAX_EARLIER:
        if is_object:
            first, end = next_string(text, end, begin, container)
            first, end = first - 1, end + 1
        else:
            first, end = next_item(text, end, begin)
        if first < 0:
            break
        rest = _rest_of(text, first, end - 1, begin, size)
        if rest >= 0:
            found[number, 0], found[number, 1] = rest, end - 1
            number += 1
    return found[:number]


@kernel
def _rest_of(text, first, last, begin, size):
    """Where ``text[first : last + 1]`` goes on behind ``text[begin:size]``, if it begins like that; or -1."""
    byte = text[first]
    if byte != text[begin] or (byte != _QUOTE and byte != _OPEN_ARRAY and byte != _OPEN_OBJECT):
        return i64(-1)
    place = i64(_BETWEEN)
    for i in range(begin, size):
        byte = i64(text[i])
        if place == _BETWEEN and is_blank(byte):
            continue
        if first >= last or text[first] != byte:
            return i64(-1)
        place = _place_after(place, byte)
        first = _next(text, first, place)
    return i64(first)


@kernel
def _next(text, i, place):
    """The byte behind `i` that counts."""
    i += 1
    while place == _BETWEEN and is_blank(text[i]):
        i += 1
    return i64(i)


@kernel
def _refuse_along(a, v, earlier, place, limit, row):
    """Decides the tokens with which the element under way goes on like earlier ones."""
    ends, config, num_nodes = earlier[:, 1], a.counters[ORIGIN], 0
    way = _new_way(a.text, earlier[:, 0], ends, place)
    _, marks, places, _ = way
    node = i64(1)
    while node < len(v.node_end) and num_nodes < _MAX_NODES:
        byte, depth = i64(v.node_byte[node]), i64(v.node_depth[node])
        is_passed = places[depth - 1] == _BETWEEN and is_blank(byte)
        if depth >= _MAX_WAY or not (is_passed or marks[depth - 1, byte] & _GOES_ON):
            node = i64(v.node_end[node])
            continue
        _follow(a.text, way, ends, depth, byte)
        num_nodes += 1
        token = i64(v.node_token[node])
        node += 1
        if token < 0 or row[token >> 5] >> np.uint32(token & 31) & np.uint32(1) == 0:
            continue
        target = after_token(a, v, config, token)
        if target > 0:
            target = _is_dead_end(a, target, way, depth, ends, limit)
            if target > 0:
                clear_tokens(v, row, token)
        if target < 0 and target != OPEN:
            return target
    return i64(0)


@kernel
def _new_way(text, begins, ends, place):
    """Room for a way along earlier elements, and its start: where it is in each element, by depth; the marks of bytes
    that go on from there; where the text is; numbers for the caller."""
    places, rows = np.empty(_MAX_WAY, dtype=np.int64), np.empty((_MAX_WAY, len(ends)), dtype=np.int64)
    way = rows, np.empty((_MAX_WAY, 256), dtype=np.uint8), places, np.empty((_MAX_WAY, 2), dtype=np.int64)
    rows[0], places[0] = begins, place
    _mark(text, way, ends, 0)
    return way


@kernel
def _mark(text, way, ends, depth):
    rows, marks, _, _ = way
    marks[depth] = 0
    for j in range(len(ends)):
        if rows[depth, j] >= 0:
            marks[depth, text[rows[depth, j]]] |= _ENDS if rows[depth, j] == ends[j] else _GOES_ON


@kernel
def _follow(text, way, ends, depth, byte):
    """Goes on by a byte to this depth."""
    rows, _, places, _ = way
    places[depth] = _place_after(places[depth - 1], byte)
    is_passed = places[depth - 1] == _BETWEEN and is_blank(byte)
    for j in range(len(ends)):
        i = rows[depth - 1, j]
        if not is_passed and i >= 0:
            i = _next(text, i, places[depth]) if i < ends[j] and text[i] == byte else i64(-1)
        rows[depth, j] = i
    _mark(text, way, ends, depth)


@kernel
def _is_dead_end(a, config, way, start, ends, limit):
    """1 if every way on from `config` makes the element one of the earlier ones, or needs too many tokens; 0, or FULL.

    Args:
        way: `config` is what it has led to at depth `start`; what is behind that is overwritten.
    """
    _, marks, places, numbers = way
    depth, steps = start, 0
    numbers[start, 0], numbers[start, 1] = config, 0
    while depth >= start:
        config, byte = numbers[depth, 0], numbers[depth, 1]
        if byte == 256:
            depth -= 1
            continue
        numbers[depth, 1] += 1
        if places[depth] == _BETWEEN and is_blank(byte):
            continue
        target = _after(a, config, byte, True)
        if target == DEAD:
            continue
        mark = marks[depth, byte]
        left = _after(a, config, byte, False) if mark & _ENDS else i64(DEAD)
        if left < 0:
            return left
        if mark == 0 or left != DEAD:
            if limit != NO_LIMIT and target > 0 and a.config_row[target] == PENDING:
                target = with_checks(a, target)
            # What is said to suffice within a string has the byte that made it a new one to spare.
            spare = i64(byte == _QUOTE and places[depth] == _WITHIN)
            if limit == NO_LIMIT or target < 0 or a.config_cost[target] + spare <= limit:
                return min(target, i64(0))
        elif target < 0:
            return target
        elif mark & _GOES_ON and a.config_cost[target] < limit:
            steps += 1
            if steps == _MAX_STEPS or depth + 1 == _MAX_WAY:
                return i64(0)
            depth += 1
            _follow(a.text, way, ends, depth, byte)
            numbers[depth, 0], numbers[depth, 1] = target, 0
    return i64(1)


@kernel
def _after(a, config, byte, holding):
    """The configuration after the byte where every guard before it holds; or none does, the one behind it included."""
    while config > 0 and a.config_row[config] == PENDING:
        config = with_checks(a, config) if holding else without_checks(a, config)
    if config > 0:
        config = successor(a, config, byte)
    if config > 0 and not holding and a.config_row[config] == PENDING:
        config = without_checks(a, config)
    return config


@kernel
def _refuse_opening(a, v, opened, place, limit, row):
    """Decides the tokens that open a string, which may be one of few, and leave it under way."""
    text, base, config = a.text, a.counters[TEXT_SIZE], a.counters[ORIGIN]
    has_begun = place == _WITHIN and text[base - 1] == _QUOTE
    first_bytes = _first_bytes(text, opened[-1, 0] if len(opened) > 0 else i64(-1), base)
    safe, num_safe = np.zeros(_MAX_SAFE, dtype=np.int64), 0
    for token in v.quote_token:
        if row[token >> 5] >> np.uint32(token & 31) & np.uint32(1) == 0:
            continue
        first, last = i64(v.token_start[token]), i64(v.token_start[token + 1])
        opens, has_brackets = _opening(v.token_bytes, first, last, place)
        if opens < 0:
            continue
        is_bare = opens == last - 1
        if not (is_bare or has_brackets or has_begun or first_bytes[v.token_bytes[opens + 1]]):
            continue
        target = after_token(a, v, config, i64(token))
        if target <= 0 or a.config_row[target] == PENDING:
            if target < 0 and target != OPEN:
                return target
            continue
        if is_bare and (safe[:num_safe] == target).any():
            continue
        # The string that the token ends is one of the earlier ones now, and it may have left the container.
        opens += base - first
        container, status = container_start(text, opens), i64(0)
        if container >= 0:
            before = _earlier(text, container, opens, base + last - first)
            if len(before) > 0:
                way = _new_way(text, before[:, 0], before[:, 1], i64(_WITHIN))
                status = _is_dead_end(a, target, way, i64(0), before[:, 1], limit)
                if status < 0:
                    return status
        if status > 0:
            clear_tokens(v, row, i64(token))
        elif is_bare and num_safe < _MAX_SAFE:
            safe[num_safe] = target
            num_safe += 1
    return i64(0)


@kernel
def _first_bytes(text, container, end):
    """Which bytes the strings of the container begin with that stand before `end`, their quote if they are empty."""
    found, place = np.zeros(256, dtype=np.bool_), container + 1
    while container >= 0:
        first, last = next_string(text, place, end, container)
        if first < 0:
            break
        found[text[first]] = True
        place = last + 1
    return found


@kernel
def _opening(data, first, last, place):
    """Where in ``data[first:last]`` the string opens that it ends in, or -1; whether there are brackets before."""
    opens, has_brackets = i64(-1), False
    for i in range(first, last):
        byte = i64(data[i])
        if byte == _QUOTE and place != _ESCAPED:
            opens = i64(i) if place == _BETWEEN else i64(-1)
        elif place == _BETWEEN:
            has_brackets |= byte == _OPEN_ARRAY or byte == _CLOSE_ARRAY or byte == _OPEN_OBJECT or byte == _CLOSE_OBJECT
        place = _place_after(place, byte)
    return opens, has_brackets
