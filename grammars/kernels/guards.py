"""Configurations that wait for guards.

A CHECK triple stands for what comes after a guard, if it holds. A configuration with such triples is *pending*: it has
no row, and what follows depends on the text. Walks meet it as a successor like any other and come here.

A pending configuration whose other triples are alive need not be decided where it is met: only once a byte comes that
leads elsewhere with the guard than without it.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.arena import (
    DEAD,
    IS_HUNG,
    IS_OPEN_STRING,
    NUM_ANSWERS,
    NUM_HUNG,
    NUM_QUESTIONS,
    ORIGIN,
    TEXT_EPOCH,
    TEXT_SIZE,
    TEXT_VERSION,
    WANTED,
    WANTED_KIND,
)
from grammars.kernels.closure import PENDING, close, intern
from grammars.kernels.hashing import stack_hash
from grammars.kernels.options import i64, kernel
from grammars.kernels.stacks import add, begin_set
from grammars.kernels.successor import successor
from grammars.kernels.unique import container_start, is_unique_string, next_string, string_start
from grammars.network.guards import UNIQUE_STRING
from grammars.network.network import CHECK
from grammars.vocabulary.tables import child_of

WANT_ANSWERS = 4
OPEN = -6  # a guard has to be asked; the question was noted
# What is known of a noted token, in the bits above its number: how many quotes stand before the string it holds.
_TOKEN_BITS = 28
_EVEN, _ODD = 1 << _TOKEN_BITS, 2 << _TOKEN_BITS
_BACKSLASH = 0x5C
_QUOTE = 0x22


@kernel
def set_text(a, text):
    """The text so far stands in `text`, with room for the longest token behind it."""
    a.text = text
    a.counters[TEXT_VERSION] = -1


@kernel
def look_at(a, size, version):
    """What follows is about ``text[:size]``; `version` is another one whenever the text changed."""
    counters = a.counters
    if counters[TEXT_SIZE] == size and counters[TEXT_VERSION] == version:
        return
    counters[TEXT_SIZE], counters[TEXT_VERSION] = size, version
    counters[TEXT_EPOCH] += 1
    counters[NUM_QUESTIONS] = 0
    if 2 * counters[NUM_ANSWERS] > len(a.answer_key):
        a.answer_key[:] = 0
        counters[NUM_ANSWERS] = 0


@kernel
def without_checks(a, config):
    """The pending configuration where no guard holds."""
    known = a.config_without[config]
    if known > 0:
        return i64(known - 1)
    found = _decided(a, config, i64(0))
    if found >= 0:
        a.config_without[config] = found + 1
    return found


@kernel
def with_checks(a, config):
    """The pending configuration where every guard holds."""
    known = a.config_with[config]
    if known > 0:
        return i64(known - 1)
    found = _decided(a, config, i64(-1))
    if found >= 0:
        a.config_with[config] = found + 1
    return found


@kernel
def _decided(a, config, holding):
    """The configuration where the guards of the CHECK triples hold whose bits are set, in their order."""
    begin_set(a)
    size, number, first = i64(0), i64(0), i64(a.config_first[config])
    is_closed = True
    for i in range(first, first + i64(a.config_size[config])):
        state, stack, count = i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(a.pair_count[i])
        if a.kind[state] == CHECK:
            holds = (holding >> min(number, i64(62))) & 1 != 0
            number += 1
            if not holds:
                continue
            state, count = i64(a.check_exit[a.item[state]]), i64(0)
            is_closed = False
        size = add(a, size, state, stack, count)
        if size < 0:
            return size
    accepts = a.config_accepts[config] == 1
    return intern(a, size, accepts) if is_closed else close(a, size, accepts)


@kernel
def resolved(a, config, size):
    """What the configuration is after ``text[:size]``: not pending; OPEN where a guard has to be asked."""
    while config > 0 and a.config_row[config] == PENDING:
        a.counters[IS_HUNG] = 1
        first = i64(a.config_first[config])
        holding, number, is_open = i64(0), i64(0), False
        for i in range(first, first + i64(a.config_size[config])):
            state = i64(a.pair_state[i])
            if a.kind[state] != CHECK:
                continue
            answer = _holds(a, i64(a.check_guard[a.item[state]]), size)
            if answer < 0:
                is_open = True
            holding |= i64(answer > 0) << min(number, i64(62))
            number += 1
        if is_open:
            return i64(OPEN)
        config = _decided(a, config, holding)
    return config


@kernel
def _holds(a, guard, size):
    """1 or 0; OPEN where the guard is to be asked, which is noted."""
    if a.guard_kind[guard] == UNIQUE_STRING:
        return i64(1 if is_unique_string(a.text, size) else 0)
    key = stack_hash(guard, size, a.counters[TEXT_EPOCH])
    for i in range(a.counters[TEXT_SIZE], size):
        key = stack_hash(key & 0x7FFFFFFF, i64(a.text[i]), key >> 31)
    key |= 1
    mask = len(a.answer_key) - 1
    slot = (key >> 1) & mask
    while a.answer_key[slot] != 0:
        if a.answer_key[slot] == key:
            return i64(a.answer[slot])
        slot = (slot + 1) & mask
    _ask(a, guard, size, key)
    return i64(OPEN)


@kernel
def _ask(a, guard, size, key):
    used = a.counters[NUM_QUESTIONS]
    for i in range(used):
        if a.question[i, 2] == key:
            return
    if used == len(a.question):
        return
    a.question[used, 0], a.question[used, 1], a.question[used, 2] = guard, size, key
    base = a.counters[TEXT_SIZE]
    for i in range(base, size):
        a.question_text[used, i - base] = a.text[i]
    a.counters[NUM_QUESTIONS] = used + 1


@kernel
def answer_question(a, key, holds):
    """Notes what the guard said; False where there is no room for more answers on one text."""
    if 4 * a.counters[NUM_ANSWERS] > 3 * len(a.answer_key):
        return False
    mask = len(a.answer_key) - 1
    slot = (key >> 1) & mask
    while a.answer_key[slot] != 0:
        slot = (slot + 1) & mask
    a.answer_key[slot] = key
    a.answer[slot] = 1 if holds else 0
    a.counters[NUM_ANSWERS] += 1
    return True


@kernel
def want_answers(a):
    """WANTED, for the questions that were noted."""
    a.counters[WANTED_KIND] = WANT_ANSWERS
    return i64(WANTED)


@kernel
def hang_token(a, token):
    """Notes that the text decides whether the token is allowed; for now it is. Returns 0."""
    used = a.counters[NUM_HUNG]
    if used < len(a.hung):
        a.hung[used] = token
        a.counters[NUM_HUNG] = used + 1
    else:
        a.counters[IS_HUNG] = 1
    return i64(0)


@kernel
def let_strings_pass(a, v, node, config):
    """The pending configuration at the trie's node as if its strings were new, if it waits for nothing else.

    So masks do not depend on the text, and can be kept. What has to be looked at again is noted: that the string
    under way may end, or the tokens that hold a whole string.
    """
    if not has_string_guards_alone(a, config):
        return config
    some = node
    while v.node_token[some] < 0:
        some += 1
    first = i64(v.token_start[v.node_token[some]])
    data, size = v.token_bytes[first : first + v.node_depth[node]], i64(v.node_depth[node])
    start = string_start(data, size - 1)
    if start < 0:
        a.counters[IS_OPEN_STRING] = 1
    elif container_start(data, start) < 0 or not is_unique_string(data, size):
        before, place = 0, string_start(data, start)
        while place >= 0:
            before += 1
            place = string_start(data, place)
        known = _EVEN if before % 2 == 0 else _ODD
        for i in range(node, v.node_end[node]):
            token = i64(v.node_token[i])
            while token >= 0:
                hang_token(a, token | known)
                token = i64(v.next_same[token])
    return with_checks(a, config)


@kernel
def step(a, config, byte, size):
    """The configuration after ``text[:size + 1]``, whose last byte is `byte`.

    Args:
        config: the one after ``text[:size]``; it may be pending.

    Returns:
        A configuration that is not pending, or is and is alive even if no guard holds; DEAD, FULL or OPEN.
    """
    if a.config_row[config] == PENDING:
        fewer, more = without_checks(a, config), with_checks(a, config)
        if fewer < 0 or more < 0:
            return min(fewer, more)
        is_decided = a.config_row[more] != PENDING
        target = i64(DEAD)
        if is_decided:
            target = successor(a, fewer, byte)
            if target < 0:
                return target
            other = successor(a, more, byte)
            if other < 0:
                return other
            is_decided = target == other
        if not is_decided:
            config = resolved(a, config, size)
            if config <= 0:
                return config
            target = successor(a, config, byte)
    else:
        target = successor(a, config, byte)
    return settle(a, target, size + 1)


@kernel
def settle(a, config, size):
    """The configuration, decided where it would be dead if no guard held."""
    if config > 0 and a.config_row[config] == PENDING:
        fewer = without_checks(a, config)
        if fewer < 0:
            return fewer
        if fewer == DEAD:
            return resolved(a, config, size)
    return config


@kernel
def cost_of(a, config):
    """Tokens that suffice from a live configuration, with no help from guards not asked yet."""
    if a.config_row[config] == PENDING:
        return i64(a.config_cost[without_checks(a, config)])
    return i64(a.config_cost[config])


@kernel
def after_token(a, v, config, token):
    """The configuration after the text so far and the token; DEAD, FULL or OPEN."""
    size = a.counters[TEXT_SIZE]
    if v.has_bytes[token] == 0:
        return i64(DEAD)
    for i in range(v.token_start[token], v.token_start[token + 1]):
        a.text[size] = v.token_bytes[i]
        config = step(a, config, i64(v.token_bytes[i]), size)
        if config <= 0:
            return config
        size += 1
    return config


@kernel
def advance_guarded(a, config, token, size, version):
    """Like `advance`, after ``text[:size]``, where guards may hold or not; WANTED where one has to be asked first."""
    look_at(a, size, version)
    target = after_token(a, a.trie, config, token)
    return want_answers(a) if target == OPEN else target


@kernel
def advance_bytes_guarded(a, config, data, size, version):
    """Like `advance_bytes`, after ``text[:size]``; the room behind it takes all of `data`."""
    look_at(a, size, version)
    for i in range(len(data)):
        a.text[size + i] = data[i]
        following = step(a, config, i64(data[i]), size + i)
        if following <= 0:
            return want_answers(a) if following == OPEN else following, i
        config = following
    return i64(config), len(data)


@kernel
def settle_all(a, config, size, version):
    """The configuration after ``text[:size]``, not pending; DEAD where a guard that had to hold does not."""
    look_at(a, size, version)
    target = resolved(a, config, size)
    return want_answers(a) if target == OPEN else target


@kernel
def set_if_allowed(a, v, token, limit, row):
    """Sets or clears the token's bit by what the text so far and its bytes lead to; its cost, or a negative status."""
    row[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
    target = after_token(a, v, a.counters[ORIGIN], token)
    if target == OPEN or target == DEAD:
        return i64(0)
    if target < 0:
        return target
    cost = cost_of(a, target)
    if cost > limit:
        return i64(0)
    row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
    return cost


@kernel
def has_string_guards_alone(a, config):
    """Whether every guard that the pending configuration waits for is one of a string."""
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state = a.pair_state[i]
        if a.kind[state] == CHECK and a.guard_kind[a.check_guard[a.item[state]]] != UNIQUE_STRING:
            return False
    return True


@kernel
def correct_open_string(a, v, limit, row):
    """Decides the tokens that would complete the string under way to one that was there before.

    All tokens that close the string were let pass; those that spell the rest of an earlier string are few.
    """
    text, base = a.text, a.counters[TEXT_SIZE]
    start = string_start(text, base)
    container = container_start(text, start) if start >= 0 else i64(-1)
    place = container + 1
    while container >= 0:
        first, last = next_string(text, place, start, container)
        if first < 0:
            break
        place = last + 1
        node = _node_of_rest(v, text, start + 1, base, first, last)
        if node >= 0:
            for i in range(node, v.node_end[node]):
                token = i64(v.node_token[i])
                while token >= 0:
                    status = set_if_allowed(a, v, token, limit, row)
                    if status < 0:
                        return status
                    token = i64(v.next_same[token])
    return i64(0)


@kernel
def correct_hung(a, v, hung, is_open, limit, row):
    """Decides the noted tokens.

    A token that holds a whole string is decided anew only if that string is in the text, beside where it would stand:
    with an even number of quotes before it in the token, in the innermost container of the text; with an odd number,
    in the container of the string under way.
    """
    base = a.counters[TEXT_SIZE]
    is_escaping = base > 0 and a.text[base - 1] == _BACKSLASH
    evens, odds = 0, 0
    for noted in hung:
        if noted & _EVEN and not is_escaping:
            evens += 1
        elif noted & _ODD and not is_escaping and not is_open:
            odds += 1
        else:
            status = set_if_allowed(a, v, i64(noted & (_EVEN - 1)), limit, row)
            if status < 0:
                return status
    if evens > 0:
        status = _correct_beside(a, v, hung, _EVEN, container_start(a.text, base), base, limit, row)
        if status < 0:
            return status
    if odds > 0:
        start = string_start(a.text, base)
        if start >= 0:
            return _correct_beside(a, v, hung, _ODD, container_start(a.text, start), start, limit, row)
    return i64(0)


@kernel
def _correct_beside(a, v, hung, known, container, end, limit, row):
    place = container + 1
    while container >= 0:
        first, last = next_string(a.text, place, end, container)
        if first < 0:
            break
        place = last + 1
        for noted in hung:
            token = i64(noted & (_EVEN - 1))
            if noted & known and _holds_string(v, token, a.text, first - 1, last + 1):
                status = set_if_allowed(a, v, token, limit, row)
                if status < 0:
                    return status
    return i64(0)


@kernel
def _holds_string(v, token, text, first, last):
    """Whether the token's bytes contain ``text[first:last]``."""
    begin, length = i64(v.token_start[token]), last - first
    for i in range(begin, i64(v.token_start[token + 1]) - length + 1):
        k = 0
        while k < length and v.token_bytes[i + k] == text[first + k]:
            k += 1
        if k == length:
            return True
    return False


@kernel
def _node_of_rest(v, text, begin, base, first, last):
    """The trie's node for what is left of ``text[first:last]`` after ``text[begin:base]``, and a quote; or -1."""
    if last - first < base - begin:
        return i64(-1)
    for k in range(base - begin):
        if text[first + k] != text[begin + k]:
            return i64(-1)
    node = i64(-1)
    for k in range(first + base - begin, last + 1):
        byte = i64(text[k]) if k < last else i64(_QUOTE)
        node = i64(v.root_child[byte]) if k == first + base - begin else i64(child_of(v, node, byte))
        if node < 0:
            return node
    return node
