"""One byte further: successors of a configuration, computed once a byte segment and kept in its row."""

from __future__ import annotations

from grammars.jit.options import entry, i64, kernel
from grammars.kernels.arena import (
    DEAD,
    FULL,
    FULL_ARRAY,
    FULL_ROWS,
    FULL_STEPS,
    NUM_CLASSES,
    ONE_MORE,
    ROW_SIZE,
    ROWS_END,
    UNKNOWN,
)
from grammars.kernels.closure import PENDING, close, close_alone
from grammars.kernels.stacks import add, begin_set, triple_cost
from grammars.network.network import NORMAL, SPAN, UNREACHABLE
from grammars.vocabulary.units import DEAD_UNIT


@kernel
def successor(a, config, byte):
    """The configuration after `byte`; DEAD where nothing matches, FULL without room."""
    row = a.config_row[config]
    if row > 0:
        known = a.rows[row + a.byte_class[byte]]
        if known >= 0:
            return i64(known)
        if known == UNKNOWN:
            return _compute(a, config, byte, i64(row))
        return i64(a.config_more[config])
    new_row = row_of(a, config)
    return _compute(a, config, byte, new_row) if new_row > 0 else new_row


@kernel
def step_once(a, config, byte):
    """Return the successor of a configuration that is not asked for again, so it gets no row.

    In a counted text every character leads to a new configuration, which a row of 1 kB each would be wasted on.
    """
    return _compute(a, config, byte, i64(0))


@kernel
def row_of(a, config):
    """The row of a configuration that is not pending; FULL without room."""
    row = i64(a.config_row[config])
    if row > 0:
        return row
    row = _plain_row(a, config)
    if row < 0:
        return row
    base = _fallback_of(a, config)
    if base <= 0:
        return row if base == 0 else base
    status = _copy_row(a, config, base, row)
    return row if status == 0 else status


@kernel
def complete_row(a, config):
    """The same with no successor unknown."""
    row = row_of(a, config)
    return _completed(a, config, row) if row > 0 else row


@kernel
def _completed(a, config, row):
    for k in range(a.counters[NUM_CLASSES]):
        if a.rows[row + k] == UNKNOWN:
            target = _compute(a, config, i64(a.class_byte[k]), row)
            if target < 0:
                return target
    return row


@kernel
def _plain_row(a, config):
    row = i64(a.config_row[config])
    if row > 0:
        return row
    row = a.counters[ROWS_END]
    end = row + a.counters[ROW_SIZE]
    if end > len(a.rows):
        a.counters[FULL_ARRAY] = FULL_ROWS
        return i64(FULL)
    a.counters[ROWS_END] = end
    a.rows[row:end] = UNKNOWN
    a.config_row[config] = row
    return row


@kernel
def _fallback_of(a, config):
    """The configuration that bytes lead on from which no edge names, where one span takes them all; else 0, or FULL."""
    found = i64(-1)
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state = i64(a.pair_state[i])
        if a.kind[state] != NORMAL:
            return i64(0)
        if a.otherwise[state] >= 0:
            if found >= 0:
                return i64(0)
            found = i64(i)
    if found < 0:
        return i64(0)
    return close_alone(a, i64(a.otherwise[a.pair_state[found]]), i64(a.pair_stack[found]))


@kernel
def _copy_row(a, config, base, row):
    """Enters the successors of `base` into the row, but for bytes that an edge of `config` names; 0, or FULL."""
    if a.config_row[base] < 0:
        return i64(0)
    other = _plain_row(a, base)
    if other > 0:
        other = _completed(a, base, other)
    if other < 0:
        return other
    for k in range(a.counters[NUM_CLASSES]):
        target = a.rows[other + k]
        a.rows[row + k] = a.config_more[base] if target == ONE_MORE else target
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state = a.pair_state[i]
        for e in range(a.edge_start[state], a.edge_start[state + 1]):
            a.rows[row + a.byte_class[a.edge_low[e]] : row + a.byte_class[a.edge_high[e]] + 1] = UNKNOWN
    return i64(0)


@kernel
def _compute(a, config, byte, row):
    """Computes the successor by `byte` and enters it into `row` (0: nowhere) for all classes that behave alike."""
    low, high, size, others = _step_all(a, config, byte)
    target = i64(DEAD)
    if size > 0:
        target = close(a, size, False, i64(0))
    if min(size, target) < 0:
        return min(size, target)
    if row > 0:
        entry, more = target, a.config_more[config]
        if target > 0 and others == 0 and more in (0, target):
            place = _grown_span(a, config, target)
            if place >= 0 and (more == target or _is_alone(a, config, place)):
                a.config_more[config] = target
                entry = i64(ONE_MORE)
        a.rows[row + low : row + high + 1] = entry
    return target


@kernel
def cost_after(a, config, byte):
    """Tokens that suffice after `byte`, which no check follows; -1 where nothing matches, or FULL.

    That takes no closing, of which nothing else could come: what leads nowhere is no part of a network.
    """
    _, _, size, _ = _step_all(a, config, byte)
    cost = i64(UNREACHABLE) if size > 0 else min(size, i64(-1))
    for i in range(size):
        cost = min(cost, triple_cost(a, i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i])))
    return cost


@kernel
def _step_all(a, config, byte):
    """Begins a set with where the triples go on `byte`: the classes that behave like it, its size, spans fallen to.

    The size is FULL where there is no room.
    """
    first, size = i64(a.config_first[config]), i64(a.config_size[config])
    low, high, others, size_of_set = i64(0), a.counters[NUM_CLASSES] - 1, i64(0), i64(0)
    # Spans that unclaimed bytes fall through to; found first, because closing uses the work arrays.
    for i in range(first, first + size):
        state = i64(a.pair_state[i])
        if a.kind[state] == NORMAL and a.otherwise[state] >= 0 and not _has_edge(a, state, byte):
            other = close_alone(a, i64(a.otherwise[state]), i64(a.pair_stack[i]))
            if other < 0:
                return low, high, other, others
            a.work_other[others] = other
            others += 1
    begin_set(a)
    for i in range(first, first + size):
        low, high, size_of_set = _step(a, i, byte, low, high, size_of_set)
        if size_of_set < 0:
            return low, high, size_of_set, others
    for k in range(others):
        other = a.work_other[k]
        for i in range(i64(a.config_first[other]), i64(a.config_first[other] + a.config_size[other])):
            low, high, size_of_set = _step(a, i, byte, low, high, size_of_set)
            if size_of_set < 0:
                return low, high, size_of_set, others
    return low, high, size_of_set, others


@kernel
def _grown_span(a, config, target):
    """The place of the one triple in which `target` differs from `config`, a span with one unit more; -1 otherwise.

    Such a span may be left already and has a bound: up to there all that follows costs and leads the same.
    """
    size = i64(a.config_size[config])
    if a.config_size[target] != size or a.config_accepts[target] != a.config_accepts[config] or target == config:
        return i64(-1)
    first, other = i64(a.config_first[config]), i64(a.config_first[target])
    found = i64(-1)
    for i in range(size):
        if a.pair_state[first + i] != a.pair_state[other + i] or a.pair_stack[first + i] != a.pair_stack[other + i]:
            return i64(-1)
        if a.pair_count[first + i] != a.pair_count[other + i]:
            state = i64(a.pair_state[first + i])
            if found >= 0 or a.kind[state] != SPAN or a.pair_count[other + i] != a.pair_count[first + i] + 1:
                return i64(-1)
            span = a.item[state]
            units = a.span_class[span]
            # Inside a unit of several bytes the count would still matter.
            if a.unit_start[units + 1] != a.unit_start[units] + 1 or a.pair_count[first + i] < a.span_low[span]:
                return i64(-1)
            found = first + i
    return found


@kernel
def _is_alone(a, config, place):
    """True if no other triple takes a byte of the span's: behind such a byte it would matter how many came before."""
    own = a.unit_start[a.span_class[a.item[a.pair_state[place]]]]
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        state = i64(a.pair_state[i])
        if i == place:
            continue
        other = i64(-1)
        if a.kind[state] == SPAN:
            other = a.unit_start[a.span_class[a.item[state]]] + state - a.span_first[a.item[state]]
        for byte in range(256):
            if a.unit_table[own, byte] != DEAD_UNIT:
                if a.unit_table[other, byte] != DEAD_UNIT if other >= 0 else _has_edge(a, state, i64(byte)):
                    return False
    return True


@kernel
def units_left(a, config):
    """Return the units that the span of a byte of `ONE_MORE` still takes."""
    place = _grown_span(a, config, i64(a.config_more[config]))
    return i64(a.span_high[a.item[a.pair_state[place]]] - a.pair_count[place])


@kernel
def after_last_unit(a, config):
    """The configuration after as many units as that span takes; or FULL."""
    place = _grown_span(a, config, i64(a.config_more[config]))
    begin_set(a)
    size = i64(0)
    for i in range(a.config_first[config], a.config_first[config] + a.config_size[config]):
        count = a.span_high[a.item[a.pair_state[i]]] if i == place else a.pair_count[i]
        size = add(a, size, i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(count))
        if size < 0:
            return size
    return close(a, size, a.config_accepts[config] == 1, i64(0))


@kernel
def _has_edge(a, state, byte):
    for e in range(a.edge_start[state], a.edge_start[state + 1]):
        if a.edge_low[e] <= byte <= a.edge_high[e]:
            return True
    return False


@kernel
def _step(a, i, byte, low, high, size):
    """Adds where triple `i` goes on `byte`, and narrows low..high to the classes of bytes that behave like it."""
    state, stack, count = i64(a.pair_state[i]), i64(a.pair_stack[i]), i64(a.pair_count[i])
    if a.kind[state] == SPAN:
        return _step_in_span(a, state, stack, count, byte, low, high, size)
    for e in range(a.edge_start[state], a.edge_start[state + 1]):
        first, last = i64(a.edge_low[e]), i64(a.edge_high[e])
        if byte < first:
            high = min(high, i64(a.byte_class[first]) - 1)
        elif byte > last:
            low = max(low, i64(a.byte_class[last]) + 1)
        else:
            low, high = max(low, i64(a.byte_class[first])), min(high, i64(a.byte_class[last]))
            if a.edge_to[e] >= 0:
                size = add(a, size, i64(a.edge_to[e]), stack, i64(0))
                if size < 0:
                    break
    return low, high, size


@kernel
def _step_in_span(a, state, stack, count, byte, low, high, size):
    span = a.item[state]
    base = i64(a.span_first[span])
    unit_row = a.unit_start[a.span_class[span]] + state - base
    goal = i64(a.unit_table[unit_row, byte])
    mine = i64(a.byte_class[byte])
    for k in range(mine - 1, low - 1, -1):
        if a.unit_table[unit_row, a.class_byte[k]] != goal:
            low = i64(k + 1)
            break
    for k in range(mine + 1, high + 1):
        if a.unit_table[unit_row, a.class_byte[k]] != goal:
            high = i64(k - 1)
            break
    if goal == 0:
        bound = i64(max(a.span_high[span], a.span_low[span]))
        size = add(a, size, base, stack, min(count + 1, bound))
    elif goal != DEAD_UNIT:
        size = add(a, size, base + goal, stack, count)
    return low, high, size


@entry
def forced_bytes(a, config, out):
    """Bytes that must come next, written to `out`; how many, or FULL.

    Stops where two bytes are possible, where the text is complete, where a check decides, or where `out` ends.
    """
    used = 0
    while used < len(out) and a.config_accepts[config] == 0 and a.config_row[config] != PENDING:
        only, following = -1, i64(DEAD)
        for byte in range(256):
            target = successor(a, config, i64(byte))
            if target == FULL and a.counters[FULL_ARRAY] == FULL_STEPS:
                # Not worth more.
                return i64(used)
            if target < 0:
                return i64(target)
            if target > 0:
                if only >= 0:
                    return i64(used)
                only, following = byte, target
        if only < 0:
            break
        out[used] = only
        used += 1
        config = following
    return i64(used)
