"""From what a builder wrote down to the arrays of a network, in one call."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import kernel
from grammars.network import analysis
from grammars.network.analysis import nothing_chosen, rows_of
from grammars.network.costs import costs_in_tokens, tokens_of_names
from grammars.network.expansion import expand
from grammars.network.network import UNREACHABLE
from grammars.network.units import DEAD_UNIT

# What was found; each but the first makes the network unusable.
FINE, NO_TEXT, LEFT_RECURSIVE, EMPTY_REPEAT = range(4)

_children_first, _fewest_bytes = analysis.children_first, analysis.fewest_bytes
_drop_dead_ends, _tail_calls = analysis.drop_dead_ends, analysis.tail_calls
_idle_moves, _cycle_with_call = analysis.idle_moves, analysis.cycle_with_call


@kernel
def _edges_of(rows, count):
    order, start = rows_of(rows[:, 0], count)
    low, high = np.empty(len(order), dtype=np.uint8), np.empty(len(order), dtype=np.uint8)
    to = np.empty(len(order), dtype=np.int32)
    for i in range(len(order)):
        low[i], high[i], to[i] = rows[order[i], 1], rows[order[i], 2], rows[order[i], 3]
    return start, low, high, to


@kernel
def _column(rows, order, column):
    values = np.empty(len(order), dtype=np.int32)
    for i in range(len(order)):
        values[i] = rows[order[i], column]
    return values


@kernel
def _pack(arrays, sizes, values):
    """The arrays one after another; `sizes` gets where each begins."""
    total = 0
    for i, array in enumerate(arrays):
        sizes[i] = total
        total += len(array)
    sizes[len(arrays)] = total
    for i, array in enumerate(arrays):
        values[sizes[i] : sizes[i + 1]] = array


@kernel
def assemble(
    v,
    in_tokens,
    ops,
    data,
    count,
    root,
    unit_start,
    unit_fewest,
    unit_table,
    guard_kind,
    grafts,
    graft_fewest,
    graft_cost,
    starts,
):
    """The arrays of the network with `count` states that `ops` describes.

    Args:
        v: trie of the vocabulary; in_tokens: whether costs are in its tokens (else in bytes).
        ops: rows of integers, see `expansion`; data: the texts they refer to.
        unit_start, unit_fewest, unit_table: the unit classes, one after another.
        guard_kind: how each guard is evaluated.
        grafts: first and last state and place of parts whose numbers are known; graft_fewest, graft_cost: the numbers.
        starts: int64[2, F + 1]; gets where each array begins in either of the blocks that are returned.

    Returns:
        What was found and a state it concerns; then integers and bytes, in the order of `INT_FIELDS` and `BYTE_FIELDS`.
    """
    (
        kind, item, accepts, otherwise, edges, epsilons, calls, spans, repeats, selections, member_start, members,
        checks, names, twin_state, twin_slack,
    ) = expand(ops, data, count)  # fmt: skip
    edge_start, edge_low, edge_high, edge_to = _edges_of(edges, count)
    order, epsilon_start = rows_of(epsilons[:, 0], count)
    epsilon_to = _column(epsilons, order, 1)
    order, call_start = rows_of(calls[:, 0], count)
    call_rule, call_return = _column(calls, order, 1), _column(calls, order, 2)
    columns, rows = spans.T.copy(), repeats.T.copy()
    span_first, span_class, span_low, span_high, span_exit = columns[0], columns[1], columns[2], columns[3], columns[4]
    repeat_rule, repeat_low, repeat_high, repeat_exit = rows[0], rows[1], rows[2], rows[3]
    columns, rows = selections.T.copy(), members.T.copy()
    select_choose, select_after, select_low, select_high = columns[0], columns[1], columns[2], columns[3]
    select_ordered, select_separator, select_others, select_exit = columns[4], columns[5], columns[6], columns[7]
    member_rule, member_required = rows[0], rows[1]
    rows = checks.T.copy()
    check_exit, check_guard, check_slack = rows[0], rows[1], rows[2]
    none_chosen = nothing_chosen(member_start)

    known = np.zeros(count, dtype=np.uint8)
    fewest, cost = np.full(count, UNREACHABLE, dtype=np.int32), np.full(count, UNREACHABLE, dtype=np.int32)
    for i in range(0, len(grafts), 3):
        first, last, place = grafts[i], grafts[i + 1], grafts[i + 2]
        known[first:last] = 1
        fewest[first:last] = graft_fewest[place : place + last - first]
        cost[first:last] = graft_cost[place : place + last - first]
    nothing, no_bytes = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8)
    order = _children_first(
        kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
        otherwise, span_exit, repeat_rule, repeat_exit, span_first, select_choose, select_after, check_exit, select_low,
        select_separator, select_others, select_exit, member_start, member_rule, member_required, known,
        root,
    )  # fmt: skip
    _fewest_bytes(
        kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
        otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit,
        select_low, select_separator, select_others, select_exit, member_start, member_rule, member_required,
        unit_start, unit_fewest, order, none_chosen, fewest,
    )  # fmt: skip
    if fewest[root] >= UNREACHABLE:
        return NO_TEXT, np.int64(root), nothing, no_bytes
    _drop_dead_ends(
        fewest, otherwise, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start, call_rule,
        call_return, select_others, member_rule,
    )  # fmt: skip
    num_edges, num_epsilons, num_calls = edge_start[count], epsilon_start[count], call_start[count]
    edge_low, edge_high, edge_to = edge_low[:num_edges], edge_high[:num_edges], edge_to[:num_edges]
    epsilon_to, call_rule = epsilon_to[:num_epsilons], call_rule[:num_calls]
    call_return = _tail_calls(
        kind, item, accepts, edge_start, epsilon_start, call_start, otherwise, call_return[:num_calls]
    )
    if num_calls + len(repeat_rule) + len(member_rule) > 0:
        goals, weights, start = _idle_moves(
            kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
            span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit, select_separator, select_others,
            select_exit, member_start, member_rule, fewest, known,
        )  # fmt: skip
        culprit = _cycle_with_call(start, goals, weights)
        if culprit >= 0:
            return LEFT_RECURSIVE, np.int64(culprit), nothing, no_bytes
    for rule in repeat_rule:
        if fewest[rule] == 0:
            return EMPTY_REPEAT, np.int64(rule), nothing, no_bytes
    if not in_tokens:
        cost = fewest
    else:
        first_bytes = np.zeros((len(unit_start), 256), dtype=np.uint8)
        for c in range(len(unit_start) - 1):
            for b in range(256):
                first_bytes[c, b] = unit_table[unit_start[c], b] != DEAD_UNIT
        spelled, behind = tokens_of_names(v, names, data, count)
        costs_in_tokens(
            v, kind, item, accepts, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start,
            call_rule, call_return, otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low,
            repeat_exit, check_exit, check_slack, select_low, select_separator, select_others, select_exit,
            member_start, member_rule, member_required, unit_start, unit_fewest, first_bytes, fewest, cost, order,
            none_chosen, spelled, behind,
        )  # fmt: skip
    ints = (
        item, otherwise, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
        span_first, span_class, span_low, span_high, span_exit, repeat_rule, repeat_low, repeat_high, repeat_exit,
        select_choose, select_after, select_low, select_high, select_ordered, select_separator, select_others,
        select_exit, member_start, member_rule, member_required, check_exit, check_guard, check_slack, guard_kind,
        twin_state, twin_slack, cost, fewest,
    )  # fmt: skip
    octets = (kind, accepts, edge_low, edge_high)
    total = 0
    for array in ints:
        total += len(array)
    integers = np.empty(total, dtype=np.int32)
    _pack(ints, starts[0], integers)
    in_bytes = np.empty(2 * count + 2 * num_edges, dtype=np.uint8)
    _pack(octets, starts[1], in_bytes)
    return FINE, np.int64(-1), integers, in_bytes
