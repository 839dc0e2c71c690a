"""Dead ends of elements that must be unique among few values: no element is begun that could only repeat one.

A check says so when the element ends, and then it is too late: of the names ``^[a-z]{2}$`` with "ab" among them, only
the quote can follow ``"ab``, and after an item ``{"a": "xy", "b": true}`` none may go on to ``{"a": "xy", "b": t``.
What earlier names or items go on with makes a tree; from its leaves on it is found out from where no way parts from all
of them any more (for strings, whose ends are near: none that fits the budget), and tokens that lead there are refused.
Blanks between the tokens of JSON do not count, but for what may not follow behind one.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import CHECK_KINDS, DEAD, ORIGIN, TEXT_SIZE
from grammars.kernels.checks import OPEN, after_token, with_checks, without_checks
from grammars.kernels.closure import PENDING
from grammars.kernels.spans import NO_LIMIT
from grammars.kernels.successor import successor
from grammars.kernels.unique import are_same, container_start, is_blank, next_item, next_string, string_start
from grammars.network.checks import STRING_OF_FEW, UNIQUE_ITEM
from grammars.vocabulary.pool import clear_tokens

OF_FEW = 1 << STRING_OF_FEW | 1 << UNIQUE_ITEM  # checks of these kinds, in `counters[CHECK_KINDS]`
_SPACE, _QUOTE, _BACKSLASH, _COMMA, _COLON, _ZERO, _NINE = 0x20, 0x22, 0x5C, 0x2C, 0x3A, 0x30, 0x39
_TAB, _LINE_FEED, _RETURN = 0x09, 0x0A, 0x0D
_OPEN_ARRAY, _CLOSE_ARRAY, _OPEN_OBJECT, _CLOSE_OBJECT = 0x5B, 0x5D, 0x7B, 0x7D
_MAX_EARLIER, _MAX_NODES, _MAX_DEPTH, _MAX_SAFE = 256, 1_024, 64, 64
# Where a text is: between strings, within one, or behind a backslash in it.
_BETWEEN, _WITHIN, _ESCAPED = 0, 1, 2
# In the place of where an element begins: not yet, and not before the next comma.
_AWAITED, _PASSED, _FROM_THE_ROOT = -1, -2, 2


@kernel
def refuse_dead_ends(a, v, limit, row):
    """Takes tokens out of the mask after which no new element can be written, or not in `limit` tokens; 0, or FULL."""
    kinds = a.counters[CHECK_KINDS]
    has_strings, has_items = kinds >> STRING_OF_FEW & 1 != 0, kinds >> UNIQUE_ITEM & 1 != 0
    text, base, config = a.text, a.counters[TEXT_SIZE], a.counters[ORIGIN]
    opened, place = _open_containers(text, base)
    for k in range(len(opened)):
        container, begin = opened[k, 0], opened[k, 1]
        is_string = begin >= 0 and text[begin] == _QUOTE
        if begin < 0 or not (has_strings if text[container] == _OPEN_OBJECT else is_string or has_items):
            continue
        earlier, most = _earlier(text, container, begin, base), limit if is_string else NO_LIMIT
        if len(earlier) == 0:
            continue
        # A blank ends a number.
        is_number = place == _BETWEEN and _ZERO <= text[base - 1] <= _NINE
        for start in (config, successor(a, config, i64(_SPACE)) if is_number else i64(DEAD)):
            tree = _tree(a, earlier, start, place, _MAX_NODES)
            status = _judge(a, tree, most) if start > 0 else start
            if status < 0:
                return status
            if status > 0:
                _refuse_along(v, tree, row)
    if len(opened) > 0 and (has_strings or text[opened[-1, 0]] == _OPEN_ARRAY):
        return _refuse_opening(a, v, opened, place, limit, row)
    return i64(0)


@kernel
def _open_containers(text, size):
    """Return the starts of open arrays and objects, outermost first, of the item or name in each, and the text's place.

    Shapes: int64[n, 2]; where none is under way, less than 0.
    """
    found, depth, place = np.empty((_MAX_DEPTH, 2), dtype=np.int64), 0, i64(_BETWEEN)
    for i in range(size):
        byte = i64(text[i])
        if place == _WITHIN and byte != _QUOTE and byte != _BACKSLASH:
            continue
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
    """Return where ``text[first : last + 1]`` goes on after ``text[begin:size]``, if it begins so; else -1."""
    byte = text[first]
    if (begin < size and byte != text[begin]) or (byte != _QUOTE and byte != _OPEN_ARRAY and byte != _OPEN_OBJECT):
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
def _tree(a, earlier, config, place, depth):
    """Return the continuations of earlier elements from `config` on, up to some bytes.

    Returns:
        Of each node: its configuration, the byte that leads to it, where the text is there, the last byte of an element
        that ends behind it, its first child, and its next sibling (-1: none), and room for a byte that leads on from
        it; room for whether it is a dead end, and whether it is one behind a blank.
        Nodes come behind their parents. Shapes: int64[N, 7], bool[N, 2].
    """
    nodes, number = np.empty((_MAX_NODES, 7), dtype=np.int64), 1
    nodes[0, 0], nodes[0, 1], nodes[0, 2], nodes[0, 3:] = config, 0, place, -1
    for j in range(len(earlier)):
        node, i, last, length = i64(0), i64(earlier[j, 0]), earlier[j, 1], 0
        while i < last and node >= 0 and length < depth:
            byte = i64(a.text[i])
            following = _child(nodes, node, byte)
            if following < 0 and number < _MAX_NODES:
                target = _target(a, nodes, node, i)
                if target > 0:
                    nodes[number, 0], nodes[number, 1] = target, byte
                    nodes[number, 2] = _place_after(nodes[node, 2], byte)
                    nodes[number, 3], nodes[number, 4], nodes[number, 5] = -1, -1, nodes[node, 4]
                    nodes[node, 4], following = number, i64(number)
                    number += 1
            node = following
            i, length = _next(a.text, i, nodes[node, 2]), length + 1
        if node >= 0 and i == last:
            nodes[node, 3] = a.text[last]
    return nodes[:number], np.zeros((number, 2), dtype=np.bool_)


@kernel
def _target(a, nodes, node, i):
    """The configuration behind the node and ``text[i]``; behind blanks, too, if there must be any."""
    target = _after(a, nodes[node, 0], i64(a.text[i]), True)
    if target == DEAD and nodes[node, 2] == _BETWEEN:
        first, config = i, nodes[node, 0]
        while is_blank(a.text[first - 1]):
            first -= 1
        for k in range(first, i):
            config = _after(a, config, i64(a.text[k]), True) if config > 0 else config
        if config > 0:
            nodes[node, 0], target = config, _after(a, config, i64(a.text[i]), True)
    return target


@kernel
def _child(nodes, node, byte):
    node = nodes[node, 4]
    while node >= 0 and nodes[node, 1] != byte:
        node = nodes[node, 5]
    return i64(node)


@kernel
def _judge(a, tree, limit):
    """Finds the dead ends of the tree; 1 where there are some, `_FROM_THE_ROOT`, 0 or FULL."""
    nodes, is_dead = tree
    for node in range(len(nodes) - 1, -1, -1):
        status = _is_dead_end(a, nodes, is_dead, i64(node), i64(nodes[node, 0]), limit)
        if status < 0:
            return status
        is_dead[node, 0] = status > 0
        status = _is_dead_behind_blank(a, nodes, is_dead, i64(node), limit) if status == 0 else i64(1)
        if status < 0:
            return status
        is_dead[node, 1] = status > 0
    return i64(_FROM_THE_ROOT if is_dead[0, 0] else is_dead.any())


@kernel
def _is_dead_behind_blank(a, nodes, is_dead, node, limit):
    """The same where a blank stands behind it: behind the last item, say, no comma may follow any more."""
    if nodes[node, 2] != _BETWEEN:
        return i64(0)
    way = i64(nodes[node, 6])
    for blank in (_SPACE, _LINE_FEED, _RETURN, _TAB):
        config = _after(a, nodes[node, 0], i64(blank), True)
        # What leads on without it mostly does behind it, too.
        if config > 0 and _after(a, config, way, True) == DEAD:
            status = _is_dead_end(a, nodes, is_dead, node, config, limit)
            if status != 0:
                return status
        elif config < 0:
            return config
    return i64(0)


@kernel
def _is_dead_end(a, nodes, is_dead, node, config, limit):
    """1 if every way on from the node, where `config` holds, makes the element one of the earlier ones, or needs too
    many tokens; 0, or FULL."""
    place = nodes[node, 2]
    for k in range(256):
        # What is likely to be allowed comes first.
        byte = i64((k + _ZERO) & 255)
        if place == _BETWEEN and is_blank(byte):
            continue
        following = _child(nodes, node, byte)
        ends = following < 0 and byte == nodes[node, 3]
        target = _after(a, config, byte, not ends)
        if target == DEAD or (following >= 0 and is_dead[following, 0]):
            continue
        nodes[node, 6] = byte
        if limit == NO_LIMIT:
            return min(target, i64(0))
        target = with_checks(a, target) if target > 0 and a.config_row[target] == PENDING else target
        # What is said to suffice within a string has the byte that made it a new one to spare.
        spare = i64(following >= 0 or (byte == _QUOTE and place == _WITHIN))
        if target < 0 or a.config_cost[target] + spare <= limit:
            return min(target, i64(0))
    return i64(1)


@kernel
def _refuse_along(v, tree, row):
    """Clears the tokens that lead to dead ends."""
    nodes, is_dead = tree
    places, i = np.zeros(_MAX_NODES, dtype=np.int64), i64(1)
    while i < len(v.node_end):
        depth, byte = i64(v.node_depth[i]), i64(v.node_byte[i])
        node = places[depth - 1] if depth < _MAX_NODES else i64(-1)
        is_behind_blank = node >= 0 and nodes[node, 2] == _BETWEEN and is_blank(byte)
        if node >= 0 and not is_behind_blank:
            node = _child(nodes, node, byte)
        if node < 0:
            i = i64(v.node_end[i])
            continue
        places[depth] = node
        if is_dead[node, i64(is_behind_blank)]:
            clear_tokens(v, row, i64(v.node_token[i]))
        i += 1


@kernel
def _after(a, config, byte, holding):
    """The configuration after the byte where every check before it holds; or none does, the one behind it included."""
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
    strings = _earlier(text, opened[-1, 0], base, base)
    begin = string_start(text, base) if place != _BETWEEN else base
    is_value = place == _BETWEEN and opened[-1, 1] == _PASSED
    safe, num_safe = np.zeros(_MAX_SAFE, dtype=np.int64), 0
    # Within a string one quote ends it, and another opens the next one.
    for token in v.quote_token if place == _BETWEEN else v.quotes_token:
        if row[token >> 5] >> np.uint32(token & 31) & np.uint32(1) == 0:
            continue
        first, last = i64(v.token_start[token]), i64(v.token_start[token + 1])
        opens, has_brackets = _opening(v.token_bytes, first, last, place, is_value)
        if opens < 0:
            continue
        is_bare = opens == last - 1
        if not is_bare and not has_brackets and not _begins_any(text, strings, v.token_bytes, opens + 1, last):
            # Nor may it begin like the string that the token ends.
            own = i64(text[begin + 1]) if begin < base - 1 else i64(v.token_bytes[first])
            if place == _BETWEEN or own != v.token_bytes[opens + 1]:
                continue
        target = after_token(a, v, config, i64(token))
        if target < 0 and target != OPEN:
            return target
        if target <= 0 or a.config_row[target] == PENDING or (is_bare and (safe[:num_safe] == target).any()):
            continue
        # The string that the token ends is one of the earlier ones now, and it may have left the container.
        opens += base - first
        container, status = container_start(text, opens), i64(0)
        if container >= 0:
            before = _earlier(text, container, opens, base + last - first)
            if len(before) > 0:
                # Mostly the first byte can be another one.
                nodes, is_dead = _tree(a, before, target, i64(_WITHIN), 1)
                is_dead[1:] = True
                status = _is_dead_end(a, nodes, is_dead, i64(0), target, limit)
                if status > 0:
                    status = _judge(a, _tree(a, before, target, i64(_WITHIN), _MAX_NODES), limit)
                if status < 0:
                    return status
        if status == _FROM_THE_ROOT:
            clear_tokens(v, row, i64(token))
        elif is_bare and num_safe < _MAX_SAFE:
            safe[num_safe] = target
            num_safe += 1
    return i64(0)


@kernel
def _begins_any(text, strings, data, first, last):
    """True if one of the strings begins with a quote and ``data[first:last]``."""
    for i in range(len(strings)):
        begin, length = strings[i, 0] + 1, last - first
        if strings[i, 1] - begin >= length and are_same(text, begin, data, first, length):
            return True
    return False


@kernel
def _opening(data, first, last, place, is_value):
    """Return the start of the item or name that ``data[first:last]`` ends in, or -1; and if there are brackets."""
    opens, has_brackets = i64(-1), False
    for i in range(first, last):
        byte = data[i]
        if place == _BETWEEN:
            has_brackets |= byte | 0x20 == _OPEN_OBJECT or byte | 0x20 == _CLOSE_OBJECT
            opens = i64(-1 if is_value else i) if byte == _QUOTE else opens
            is_value = byte == _COLON or (is_value and is_blank(byte))
        elif place == _WITHIN and byte == _QUOTE:
            opens = i64(-1)
        place = _place_after(place, byte)
    return opens, has_brackets
