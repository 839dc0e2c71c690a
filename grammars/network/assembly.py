"""From what a builder wrote down to the arrays of a network, in one call."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import kernel
from grammars.network import analysis
from grammars.network.analysis import KNOWN
from grammars.network.costs import costs_in_tokens, tokens_of_names
from grammars.network.expansion import cut, cut_bytes, expand, put_first
from grammars.network.network import UNREACHABLE

# What was found; each but the first makes the network unusable.
FINE, NO_TEXT, LEFT_RECURSIVE, EMPTY_REPEAT = range(4)

_children_first, _fewest_bytes = analysis.children_first, analysis.fewest_bytes
_drop_dead_ends, _tail_calls = analysis.drop_dead_ends, analysis.tail_calls
_idle_moves, _may_come_back, _cycle_with_call = analysis.idle_moves, analysis.may_come_back, analysis.cycle_with_call


@kernel
def _place_rows(rows, width, start, first, begin):
    """Puts the place of each row, ordered by its state and then as they come, where the state stood.

    Args:
        start: gets where the rows of each state begin, from that of the state `first` on, which is at `begin`.
    """
    count, number = len(start) - 1, len(rows) // width
    for state in range(first, count + 1):
        start[state] = 0
    for i in range(number):
        start[rows[width * i]] += 1
    at = begin
    for state in range(first, count + 1):
        own = start[state]
        start[state] = at
        at += own
    for i in range(number):
        state = rows[width * i]
        rows[width * i] = start[state]
        start[state] += 1
    # Each now stands where the next one has to.
    for state in range(count, first, -1):
        start[state] = start[state - 1]
    start[first] = begin


@kernel
def _edges_of(rows, stem, count, scratch, at):
    known, first = len(stem.kind), len(stem.edge_to)
    number = first + len(rows) // 3
    start, at = cut(scratch, at, count + 1)
    to, at = cut(scratch, at, number)
    low, at = cut_bytes(scratch, at, number)
    high, at = cut_bytes(scratch, at, number)
    put_first(stem.edge_start, start)
    put_first(stem.edge_to, to)
    put_first(stem.edge_low, low)
    put_first(stem.edge_high, high)
    _place_rows(rows, 3, start, known, first)
    for i in range(0, len(rows), 3):
        place = rows[i]
        low[place], high[place], to[place] = rows[i + 1] & 255, rows[i + 1] >> 8, rows[i + 2]
    return at, start, low, high, to


@kernel
def _epsilons_of(rows, stem, count, scratch, at):
    known, first = len(stem.kind), len(stem.epsilon_to)
    start, at = cut(scratch, at, count + 1)
    to, at = cut(scratch, at, first + len(rows) // 2)
    put_first(stem.epsilon_start, start)
    put_first(stem.epsilon_to, to)
    _place_rows(rows, 2, start, known, first)
    for i in range(0, len(rows), 2):
        to[rows[i]] = rows[i + 1]
    return at, start, to


@kernel
def _calls_of(rows, stem, count, scratch, at):
    known, first = len(stem.kind), len(stem.call_rule)
    number = first + len(rows) // 3
    start, at = cut(scratch, at, count + 1)
    rule, at = cut(scratch, at, number)
    back, at = cut(scratch, at, number)
    put_first(stem.call_start, start)
    put_first(stem.call_rule, rule)
    put_first(stem.call_return, back)
    _place_rows(rows, 3, start, known, first)
    for i in range(0, len(rows), 3):
        place = rows[i]
        rule[place], back[place] = rows[i + 1], rows[i + 2]
    return at, start, rule, back


@kernel
def _numbers_known(stem, grafts, count, scratch, at):
    """Which states' numbers are known, fewest bytes and costs: those of the stem and of grafts."""
    met, at = cut_bytes(scratch, at, count)
    fewest, at = cut(scratch, at, count)
    cost, at = cut(scratch, at, count)
    put_first(stem.fewest_bytes, fewest)
    put_first(stem.cost, cost)
    known = len(stem.kind)
    for s in range(count):
        met[s] = KNOWN if s < known else 0
    for s in range(known, count):
        fewest[s] = cost[s] = UNREACHABLE
    place = 0
    if len(grafts) > 0:
        place = grafts[0]
    for i in range(1, place, 2):
        for s in range(grafts[i], grafts[i + 1]):
            met[s] = KNOWN
            fewest[s], cost[s] = grafts[place], grafts[place + 1]
            place += 2
    return at, met, fewest, cost


@kernel
def _pack(arrays, sizes, values):
    """The arrays one after another; `sizes` gets where each begins."""
    total = 0
    for i, array in enumerate(arrays):
        sizes[i] = total
        for j in range(len(array)):
            values[total + j] = array[j]
        total += len(array)
    sizes[len(arrays)] = total


@kernel
def assemble(v, in_tokens, stem, units, scratch, num_ops, num_text, count, root, guard_kind, grafts, starts):
    """The arrays of the network with `count` states that some operations describe.

    Args:
        v: trie of the vocabulary; in_tokens: whether costs are in its tokens (else in bytes).
        stem: what the network begins with; units: its unit classes, see `UnitTables`.
        scratch: begins with `num_ops` rows of integers, see `operations`, about the states behind the stem, and
            `num_text` bytes of the texts they refer to; the rest is free.
        guard_kind: how each guard is evaluated.
        grafts: of parts whose numbers are known, first state and the one behind the last of each; then fewest bytes and
            cost of each of their states. Before all that, where the second half begins.
        starts: int64[2, F + 1]; gets where each array begins in integers and in bytes.

    Returns:
        What was found and a state it concerns; what the root costs; the most members of a selection; then integers and
        bytes, in the order of `INT_FIELDS` and `BYTE_FIELDS`.
    """
    memory = scratch.integers
    ops, at = cut(memory, 0, num_ops)
    data, at = cut_bytes(memory, at, num_text)
    (
        at, lowest, kind, item, accepts, otherwise, edges, epsilons, calls, names, span_first, span_class, span_low,
        span_high, span_exit, repeat_rule, repeat_low, repeat_high, repeat_exit, select_choose, select_after,
        select_low, select_high, select_ordered, select_separator, select_others, select_exit, member_start,
        member_rule, member_required, check_exit, check_guard, check_slack, twin_state, twin_slack,
    ) = expand(ops, data, count, stem, memory, at)  # fmt: skip
    first = len(stem.kind)
    assert lowest >= first
    at, edge_start, edge_low, edge_high, edge_to = _edges_of(edges, stem, count, memory, at)
    at, epsilon_start, epsilon_to = _epsilons_of(epsilons, stem, count, memory, at)
    at, call_start, call_rule, call_return = _calls_of(calls, stem, count, memory, at)
    most_members = 0
    for k in range(len(select_low)):
        most_members = max(most_members, member_start[k + 1] - member_start[k])
    none_chosen = np.zeros(most_members // 64 + 1, dtype=np.uint64)
    at, met, fewest, cost = _numbers_known(stem, grafts, count, memory, at)
    unit_start, unit_fewest = units.start, units.fewest
    nothing, no_bytes = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8)
    at, order = _children_first(
        kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
        otherwise, span_exit, repeat_rule, repeat_exit, span_first, select_choose, select_after, check_exit, select_low,
        select_separator, select_others, select_exit, member_start, member_rule, member_required, met, root, memory, at,
    )  # fmt: skip
    _fewest_bytes(
        kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
        otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit,
        select_low, select_separator, select_others, select_exit, member_start, member_rule, member_required,
        unit_start, unit_fewest, order, none_chosen, fewest,
    )  # fmt: skip
    if fewest[root] >= UNREACHABLE:
        return NO_TEXT, np.int64(root), np.int64(0), most_members, nothing, no_bytes
    _drop_dead_ends(
        fewest, otherwise, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start, call_rule,
        call_return, select_others, member_rule, first,
    )  # fmt: skip
    num_edges, num_epsilons, num_calls = edge_start[count], epsilon_start[count], call_start[count]
    edge_low, edge_high, edge_to = edge_low[:num_edges], edge_high[:num_edges], edge_to[:num_edges]
    epsilon_to, call_rule, call_return = epsilon_to[:num_epsilons], call_rule[:num_calls], call_return[:num_calls]
    _tail_calls(kind, accepts, edge_start, epsilon_start, call_start, otherwise, call_return, call_start[first])
    at, goals, weights, start = _idle_moves(
        kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
        span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit, select_separator, select_others,
        select_exit, member_start, member_rule, fewest, met, first, memory, at,
    )  # fmt: skip
    assert at + 6 * count <= len(memory)
    if _may_come_back(start, goals, order, first, memory, at):
        culprit = _cycle_with_call(start, goals, weights, memory, at)
        if culprit >= 0:
            return LEFT_RECURSIVE, np.int64(culprit), np.int64(0), most_members, nothing, no_bytes
    for rule in repeat_rule:
        if fewest[rule] == 0:
            return EMPTY_REPEAT, np.int64(rule), np.int64(0), most_members, nothing, no_bytes
    if not in_tokens:
        cost = fewest
    else:
        at, spelled, behind = tokens_of_names(v, names, data, count, memory, at)
        costs_in_tokens(
            v, kind, item, accepts, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start,
            call_rule, call_return, otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low,
            repeat_exit, check_exit, check_slack, select_low, select_separator, select_others, select_exit,
            member_start, member_rule, member_required, unit_start, unit_fewest, units.table, fewest, cost, order,
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
    return FINE, np.int64(-1), np.int64(cost[root]), most_members, integers, in_bytes
