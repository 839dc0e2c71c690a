"""Masks that do not depend on the text, though the names of an object, or the strings of an array, must be new.

A mask is made as if every string were new, and kept; what the text may forbid of it is noted, and looked at again
whenever the mask is used: the tokens that complete the string under way to one that is there, and those that hold a
whole string. So it is with items that must be new and may end soon behind a string: an earlier item holds it, too.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import DEAD, IS_OPEN_STRING, NUM_DEFERRED, OLD_END, ORIGIN, TEXT_SIZE
from grammars.kernels.checks import after_part, is_about_string, set_if_allowed, with_checks
from grammars.kernels.unique import are_same, container_start, is_unique_string, next_string, string_start
from grammars.network.checks import UNIQUE_CLOSED
from grammars.network.network import CHECK
from grammars.vocabulary.tables import child_of

# What is known of a noted token, in the bits above its number: how many quotes stand before the string it holds.
_TOKEN_BITS = 28
_EVEN, _ODD, _ALWAYS = 1 << _TOKEN_BITS, 2 << _TOKEN_BITS, 3 << _TOKEN_BITS  # the last: look again in any case
_OF_ITEM = 2  # in `IS_OPEN_STRING`: an item may end with the string
_QUOTE, _BACKSLASH, _BRACKET, _BRACE = 0x22, 0x5C, 0x5D, 0x7D


@kernel
def defer_token(a, token):
    """Notes that the text decides whether the token is allowed; for now it is."""
    used = a.counters[NUM_DEFERRED]
    if used == len(a.deferred):
        # A token is noted by each of the walks that a mask is put together from; there is room for each note once.
        a.deferred.sort()
        used = i64(0)
        for noted in a.deferred:
            if used == 0 or a.deferred[used - 1] != noted:
                a.deferred[used] = noted
                used += 1
    a.deferred[used] = token
    a.counters[NUM_DEFERRED] = used + 1


@kernel
def if_strings_are_new(a, config, byte):
    """The pending configuration after `byte` as if its strings were new; the same one if it waits for more checks."""
    return with_checks(a, config) if has_string_checks_alone(a, config, byte) else config


@kernel
def assume_unique(a, v, node, config):
    """The pending configuration at the trie's node as if its strings were new, if it waits for nothing else.

    So masks do not depend on the text, and can be kept. What has to be looked at again is noted: that the string
    under way may end, or the tokens that hold a whole string.
    """
    if not has_string_checks_alone(a, config, i64(v.node_byte[node])):
        return config
    some = node
    while v.node_token[some] < 0:
        some += 1
    known = what_to_note(a, v, config, i64(v.node_token[some]), i64(v.node_depth[node]))
    if known > 0:
        for i in range(node, v.node_end[node]):
            token = i64(v.node_token[i])
            while token >= 0:
                defer_token(a, token | known)
                token = i64(v.next_same[token])
    return with_checks(a, config)


@kernel
def what_to_note(a, v, config, token, size):
    """Return the note for tokens that begin like `token`, where a string ends after `size` bytes; 0: none.

    That the string under way may end is noted here.
    """
    first = i64(v.token_start[token])
    data = v.token_bytes[first : first + size]
    start = string_start(data, size - 1)
    if start < 0:
        note_open_string(a, config)
        return i64(0)
    if _may_end_item(a, config):
        return i64(_ALWAYS)
    if container_start(data, start) >= 0 and is_unique_string(data, size):
        return i64(0)
    before, place = 0, string_start(data, start)
    while place >= 0:
        before += 1
        place = string_start(data, place)
    if before > 1:
        # The string may be one of the token's own.
        return i64(_ALWAYS)
    for k in range(start):
        if data[k] == _BRACKET or data[k] == _BRACE:
            # It may stand in a container around the one of the text.
            return i64(_ALWAYS)
    return i64(_EVEN if before == 0 else _ODD)


@kernel
def note_open_string(a, config):
    """Notes that the string under way may end, and perhaps, in the pending configuration behind it, an item with it."""
    a.counters[IS_OPEN_STRING] |= _OF_ITEM if _may_end_item(a, config) else 1


@kernel
def _may_end_item(a, config):
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state = a.pair_state[i]
        if a.kind[state] == CHECK and a.check_kind[a.check_index[a.item[state]]] == UNIQUE_CLOSED:
            return True
    return False


@kernel
def has_string_checks_alone(a, config, byte):
    """True if every check that the pending configuration waits for after `byte` is one of a string, or ends with it."""
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state = a.pair_state[i]
        if a.kind[state] == CHECK:
            check = a.check_index[a.item[state]]
            is_closed = byte == _QUOTE and a.check_kind[check] == UNIQUE_CLOSED
            if not is_closed and not is_about_string(a, check, byte):
                return False
    return True


@kernel
def correct_open_string(a, v, limit, row):
    """Decides the tokens that would complete the string under way to one that was there before.

    All tokens that close the string were let pass; those that spell the rest of an earlier string are few.
    """
    text, base = a.text, a.counters[TEXT_SIZE]
    start = string_start(text, base)
    is_item = a.counters[IS_OPEN_STRING] & _OF_ITEM != 0
    container = container_start(text, start) if start >= 0 else i64(-1)
    place = i64(0) if is_item else container + 1
    while container >= 0:
        first, last = _any_string(text, place, start) if is_item else next_string(text, place, start, container)
        if first < 0:
            break
        place = last + 1
        node = _node_of_rest(v, text, start + 1, base, first, last)
        if node >= 0:
            # With its quote the string is one that is there, and nobody has to look for it.
            a.counters[OLD_END] = 0 if is_item else start + 2 + last - first
            status = _look_again_below(a, v, node, limit, row)
            a.counters[OLD_END] = 0
            if status < 0:
                return status
    return i64(0)


@kernel
def _any_string(text, begin, end):
    """As `next_string`, of all that there are, wherever they stand."""
    first = begin
    while first < end and text[first] != _QUOTE:
        first += 1
    last = first + 1
    while last < end and text[last] != _QUOTE:
        last += 2 if text[last] == _BACKSLASH else 1
    return (i64(first + 1), i64(last)) if last < end else (i64(-1), i64(-1))


@kernel
def _look_again_below(a, v, node, limit, row):
    """Decides the tokens at and below the trie's node, all at once where not even its bytes are allowed; 0, or FULL."""
    some = node
    while v.node_token[some] < 0:
        some += 1
    is_dead = after_part(a, v, a.counters[ORIGIN], i64(v.node_token[some]), i64(v.node_depth[node])) == DEAD
    for i in range(node, v.node_end[node]):
        token = i64(v.node_token[i])
        while token >= 0:
            if is_dead:
                row[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
            else:
                status = set_if_allowed(a, v, token, limit, row)
                if status < 0:
                    return status
            token = i64(v.next_same[token])
    return i64(0)


@kernel
def correct_deferred(a, v, deferred, is_open, limit, row):
    """Decides the noted tokens.

    A token that holds a whole string is decided anew only if that string is in the text, beside where it would stand:
    with an even number of quotes before it in the token, in the innermost container of the text; with an odd number,
    in the container of the string under way.
    """
    base = a.counters[TEXT_SIZE]
    is_escaping = base > 0 and a.text[base - 1] == _BACKSLASH
    evens, odds = 0, 0
    for noted in deferred:
        if noted & _ALWAYS == _EVEN and not is_escaping:
            evens += 1
        elif noted & _ALWAYS == _ODD and not is_escaping and not is_open:
            odds += 1
        else:
            status = set_if_allowed(a, v, i64(noted & (_EVEN - 1)), limit, row)
            if status < 0:
                return status
    if evens > 0:
        status = _correct_beside(a, v, deferred, _EVEN, container_start(a.text, base), base, limit, row)
        if status < 0:
            return status
    if odds > 0:
        start = string_start(a.text, base)
        if start >= 0:
            return _correct_beside(a, v, deferred, _ODD, container_start(a.text, start), start, limit, row)
    return i64(0)


@kernel
def _correct_beside(a, v, deferred, known, container, end, limit, row):
    place = container + 1
    while container >= 0:
        first, last = next_string(a.text, place, end, container)
        if first < 0:
            break
        place = last + 1
        for noted in deferred:
            token = i64(noted & (_EVEN - 1))
            if noted & known and _holds_string(v, token, a.text, first - 1, last + 1):
                status = set_if_allowed(a, v, token, limit, row)
                if status < 0:
                    return status
    return i64(0)


@kernel
def _holds_string(v, token, text, first, last):
    """True if the token's bytes contain ``text[first:last]``."""
    begin, length = i64(v.token_start[token]), last - first
    for i in range(begin, i64(v.token_start[token + 1]) - length + 1):
        if are_same(v.token_bytes, i, text, first, length):
            return True
    return False


@kernel
def _node_of_rest(v, text, begin, base, first, last):
    """The trie's node for what is left of ``text[first:last]`` after ``text[begin:base]``, and a quote; or -1."""
    if last - first < base - begin or not are_same(text, first, text, begin, base - begin):
        return i64(-1)
    node = i64(-1)
    for k in range(first + base - begin, last + 1):
        byte = i64(text[k]) if k < last else i64(_QUOTE)
        node = i64(v.root_child[byte]) if k == first + base - begin else i64(child_of(v, node, byte))
        if node < 0:
            return node
    return node
