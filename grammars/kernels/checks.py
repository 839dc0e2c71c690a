"""Configurations that wait for checks.

A CHECK triple stands for what comes after a check, if it holds. A configuration with such triples is *pending*: it has
no row, and what follows depends on the text. Walks meet it as a successor like any other and come here.

A pending configuration whose other triples are alive need not be decided where it is met: only once a byte comes that
leads elsewhere with the check than without it.
"""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry, i64, kernel
from grammars.kernels import arena as memory
from grammars.kernels.closure import PENDING, close
from grammars.kernels.hashing import stack_hash
from grammars.kernels.stacks import add, begin_set
from grammars.kernels.successor import successor
from grammars.kernels.unique import is_unique_string
from grammars.network.checks import STRING_OF_FEW, UNIQUE_ITEM, UNIQUE_STRING
from grammars.network.network import CHECK, UNREACHABLE

WANT_ANSWERS = 4
_LAST_BIT = 62
_QUOTE = 0x22
OPEN = -6  # a check has to be asked; the question was noted


@kernel
def look_at(a, size, version):
    """Make later questions refer to ``text[:size]``; `version` changes with the text."""
    counters = a.counters
    if counters[memory.TEXT_SIZE] == size and counters[memory.TEXT_VERSION] == version:
        return
    counters[memory.TEXT_SIZE], counters[memory.TEXT_VERSION] = size, version
    counters[memory.TEXT_EPOCH] += 1
    counters[memory.NUM_QUESTIONS] = 0
    if 2 * counters[memory.NUM_ANSWERS] > len(a.answer_key):
        a.answer_key[:] = 0
        counters[memory.NUM_ANSWERS] = 0


@kernel
def without_checks(a, config):
    """The pending configuration where no check holds."""
    known = i64(a.config_without[config])
    return known - 1 if known > 0 else _remembered(a, config, i64(0))


@kernel
def with_checks(a, config):
    """The pending configuration where every check holds."""
    known = i64(a.config_with[config])
    return known - 1 if known > 0 else _remembered(a, config, i64(-1))


@kernel
def _remembered(a, config, holding):
    found = _decided(a, config, holding)
    if found >= 0:
        (a.config_without if holding == 0 else a.config_with)[config] = found + 1
    return found


@kernel
def _decided(a, config, holding):
    """The configuration where the checks of the CHECK triples hold whose bits are set, in their order; the last bit is
    that of all further ones, which hold together or not at all."""
    begin_set(a)
    size, number = i64(0), i64(0)
    first, end = i64(a.config_first[config]), i64(a.config_first[config] + a.config_size[config])
    for i in range(first, end):
        if a.kind[a.pair_state[i]] != CHECK:
            size = add(a, size, i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(a.pair_count[i]))
            if size < 0:
                return size
    # These are closed already. Closing them once more would lead back to the checks.
    done = size
    for i in range(first, end):
        state = i64(a.pair_state[i])
        if a.kind[state] == CHECK:
            holds = (holding >> min(number, i64(_LAST_BIT))) & 1 != 0
            number += 1
            if holds:
                size = add(a, size, i64(a.check_exit[a.item[state]]), i64(a.pair_stack[i]), i64(0))
                if size < 0:
                    return size
    return close(a, size, a.config_accepts[config] == 1, done)


@kernel
def resolved(a, config, size):
    """Return the configuration after ``text[:size]``, not pending; OPEN if a check must be asked."""
    while config > 0 and a.config_row[config] == PENDING:
        a.counters[memory.READS_TEXT] = 1
        first = i64(a.config_first[config])
        holding, number, is_open, all_others_hold = i64(0), i64(0), False, True
        for i in range(first, first + i64(a.config_size[config])):
            state = i64(a.pair_state[i])
            if a.kind[state] != CHECK:
                continue
            answer = _holds(a, i64(a.check_index[a.item[state]]), size)
            if answer < 0:
                is_open = True
            if number < _LAST_BIT:
                holding |= i64(answer > 0) << number
            else:
                all_others_hold = all_others_hold and answer > 0
            number += 1
        if is_open:
            return i64(OPEN)
        config = _decided(a, config, holding | i64(all_others_hold) << _LAST_BIT)
    return config


@kernel
def is_about_string(a, check, byte):
    """True if the check, after this byte, says that a string is new."""
    kind = a.check_kind[check]
    return kind == UNIQUE_STRING or kind == STRING_OF_FEW or (kind == UNIQUE_ITEM and byte == _QUOTE)


@kernel
def _holds(a, check, size):
    """1 or 0; OPEN where the check is to be asked, which is noted."""
    if is_about_string(a, check, a.text[size - 1]):
        return i64(1 if size != a.counters[memory.OLD_END] and is_unique_string(a.text, size) else 0)
    key = stack_hash(check, size, a.counters[memory.TEXT_EPOCH])
    for i in range(a.counters[memory.TEXT_SIZE], size):
        key = stack_hash(key & 0x7FFFFFFF, i64(a.text[i]), key >> 31)
    key |= 1
    mask = len(a.answer_key) - 1
    slot = (key >> 1) & mask
    while a.answer_key[slot] != 0:
        if a.answer_key[slot] == key:
            return i64(a.answer[slot])
        slot = (slot + 1) & mask
    _ask(a, check, size, key)
    return i64(OPEN)


@kernel
def _ask(a, check, size, key):
    """Notes the question, with as much of what stands behind the text as there is room for.

    Where there would be no room for its answer, a mask of short tokens does without it, see `mask.fill`.
    """
    used = a.counters[memory.NUM_QUESTIONS]
    for i in range(used):
        if a.question[i, 2] == key:
            return
    is_full = 4 * (a.counters[memory.NUM_ANSWERS] + used) > 3 * len(a.answer_key)
    if used == len(a.question) or (is_full and a.counters[memory.IS_SHORT] != 0):
        return
    a.question[used, 0], a.question[used, 1], a.question[used, 2] = check, size, key
    base = a.counters[memory.TEXT_SIZE]
    for i in range(base, min(size, base + a.question_text.shape[1])):
        a.question_text[used, i - base] = a.text[i]
    a.counters[memory.NUM_QUESTIONS] = used + 1


@entry
def answer_question(a, key, holds):
    """Notes what the check said; False where there is no room for more answers on one text."""
    if 4 * a.counters[memory.NUM_ANSWERS] > 3 * len(a.answer_key):
        return False
    mask = len(a.answer_key) - 1
    slot = (key >> 1) & mask
    while a.answer_key[slot] != 0:
        slot = (slot + 1) & mask
    a.answer_key[slot] = key
    a.answer[slot] = 1 if holds else 0
    a.counters[memory.NUM_ANSWERS] += 1
    return True


@kernel
def want_answers(a):
    """WANTED, for the questions that were noted."""
    a.counters[memory.WANTED_KIND] = WANT_ANSWERS
    return i64(memory.WANTED)


@kernel
def step(a, config, byte, size):
    """The configuration after ``text[:size + 1]``, whose last byte is `byte`.

    Args:
        config: the one after ``text[:size]``; it may be pending.

    Returns:
        A configuration that is not pending, or is and is alive even if no check holds; DEAD, FULL or OPEN.
    """
    if a.config_row[config] == PENDING:
        fewer, more = without_checks(a, config), with_checks(a, config)
        if fewer < 0 or more < 0:
            return min(fewer, more)
        is_decided = a.config_row[more] != PENDING
        target = i64(memory.DEAD)
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
    """The configuration, decided where it would be dead if no check held."""
    if config > 0 and a.config_row[config] == PENDING:
        fewer = without_checks(a, config)
        if fewer < 0:
            return fewer
        if fewer == memory.DEAD:
            return resolved(a, config, size)
    return config


@kernel
def cost_of(a, config, size, limit):
    """Tokens that suffice from a live configuration after ``text[:size]``.

    Checks not asked yet are no help, unless without it more than `limit` would be needed, and no more with it.
    """
    if a.config_row[config] != PENDING:
        return i64(a.config_cost[config])
    fewer, more = without_checks(a, config), with_checks(a, config)
    if min(fewer, more) < 0:
        return min(fewer, more)
    if a.config_cost[fewer] > limit and a.config_cost[more] <= limit:
        fewer = resolved(a, config, size)
        if fewer == memory.DEAD or fewer == OPEN:
            return i64(UNREACHABLE)
    return fewer if fewer < 0 else i64(a.config_cost[fewer])


@kernel
def after_token(a, v, config, token):
    """The configuration after the text so far and the token; DEAD, FULL or OPEN."""
    if v.has_bytes[token] == 0:
        return i64(memory.DEAD)
    return after_part(a, v, config, token, i64(v.token_start[token + 1] - v.token_start[token]))


@kernel
def after_part(a, v, config, token, length):
    """The same after the token's first bytes."""
    size, first = a.counters[memory.TEXT_SIZE], i64(v.token_start[token])
    for i in range(first, first + length):
        a.text[size] = v.token_bytes[i]
        config = step(a, config, i64(v.token_bytes[i]), size)
        if config <= 0:
            return config
        size += 1
    return config


@kernel
def set_if_allowed(a, v, token, limit, row):
    """Sets or clears the token's bit by what the text so far and its bytes lead to; its cost, or a negative status."""
    row[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
    target = after_token(a, v, a.counters[memory.ORIGIN], token)
    if target == OPEN or target == memory.DEAD:
        return i64(0)
    if target < 0:
        return target
    cost = cost_of(a, target, a.counters[memory.TEXT_SIZE] + v.token_start[token + 1] - v.token_start[token], limit)
    if cost < 0:
        return cost
    if cost > limit:
        return i64(0)
    row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
    return cost
