"""What a builder wrote down, one row of integers an operation, made into states and edges.

A front end says much in few words ("the member `name`, a gap, then this rule"), so that Python touches each property
a few times and not once a byte; the bytes are spelled out here.
"""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import i64, kernel
from grammars.network.network import AFTER, CHECK, CHOOSE, REPEAT, SPAN
from grammars.network.operations import (
    ACCEPT,
    BRANCH,
    BYTE,
    CALL,
    CHECKS,
    EPSILON,
    EXCLUDING,
    GAP,
    GRAFT,
    LITERAL,
    MEMBER,
    NOTHING,
    OTHERWISE,
    REPEATS,
    SELECT,
    SPANS,
    TWINS,
    WORDS,
    count_rows,
)

_SPACE, _NEWLINE, _QUOTE = 0x20, 0x0A, 0x22


@kernel
def cut(scratch, at, length):
    """The next `length` integers of the scratch, and where those behind them begin."""
    return scratch[at : at + length], at + length


@kernel
def cut_bytes(scratch, at, length):
    """The same with bytes."""
    return scratch.view(np.uint8)[4 * at : 4 * at + length], at + ((length + 3) >> 2)


@kernel
def put_first(values, column):
    """Copies `values` to the beginning of the column."""
    for i in range(len(values)):
        column[i] = values[i]


@kernel
def _edge(edges, used, source, low, high, target):
    edges[3 * used] = source
    edges[3 * used + 1] = low | high << 8
    edges[3 * used + 2] = target
    return used + 1


@kernel
def _gap(edges, used, source, target, indented):
    used = _edge(edges, used, source, _SPACE, _SPACE, target)
    return _edge(edges, used, source, _NEWLINE, _NEWLINE, indented)


@kernel
def _chain(edges, used, source, first, target, data, at, length):
    """Edges that spell ``data[at:at + length]`` by way of `first` and the states after it."""
    for i in range(length):
        byte = i64(data[at + i])
        goal = target if i == length - 1 else first + i
        used = _edge(edges, used, source, byte, byte, goal)
        source = goal
    return used


@kernel
def _trie(edges, used, source, first, data, at, lengths, end, otherwise, span, path):
    """A trie of sorted, distinct words: each leads to `end`, or with a `span` into nowhere, where any other goes on."""
    path[0] = source
    if span >= 0:
        otherwise[source] = span
    before, made = at, 0
    for w in range(len(lengths)):
        length = lengths[w]
        depth = 0
        while depth < made and data[at + depth] == data[before + depth]:
            depth += 1
        made = length if span >= 0 else length - 1
        while depth < made:
            byte = i64(data[at + depth])
            used = _edge(edges, used, i64(path[depth]), byte, byte, first)
            if span >= 0:
                otherwise[first] = span
            depth += 1
            path[depth] = first
            first += 1
        if span >= 0:
            used = _edge(edges, used, i64(path[length]), i64(_QUOTE), i64(_QUOTE), i64(-1))
        else:
            last = i64(data[at + length - 1])
            used = _edge(edges, used, i64(path[length - 1]), last, last, end)
        before = at
        at += length
    return used


@kernel
def expand(ops, data, count, stem, scratch, at):
    """Kind, item, accepts and otherwise of `count` states, and the rows and columns of everything else.

    Rows are those of edges (source, low | high << 8, goal), epsilons and calls behind the stem's. The last are the
    names of members: first state, the state after it, the one behind the name, offset and length of the text, whether a
    space may follow.

    Args:
        stem: what the network begins with, see `stem`; the operations are about the states behind it.
        scratch, at: memory for it all, free from there on.

    Returns:
        Also where the scratch is free now, and the lowest state that an operation began at.
    """
    kind, at = cut_bytes(scratch, at, count)
    accepts, at = cut_bytes(scratch, at, count)
    item, at = cut(scratch, at, count)
    otherwise, at = cut(scratch, at, count)
    num_known = len(stem.kind)
    put_first(stem.kind, kind)
    put_first(stem.accepts, accepts)
    put_first(stem.item, item)
    put_first(stem.otherwise, otherwise)
    kind[num_known:], accepts[num_known:], item[num_known:], otherwise[num_known:] = 0, 0, -1, -1
    (
        most_edges, most_epsilons, most_calls, most_names, most_spans, most_repeats, most_selections, most_members,
        most_checks,
    ) = count_rows(ops)  # fmt: skip
    edges, at = cut(scratch, at, 3 * most_edges)
    epsilons, at = cut(scratch, at, 2 * most_epsilons)
    calls, at = cut(scratch, at, 3 * most_calls)
    names, at = cut(scratch, at, 6 * most_names)
    path, at = cut(scratch, at, len(data) + 2)
    num_spans, num_repeats = len(stem.span_first), len(stem.repeat_rule)
    num_selections, num_checks = len(stem.select_choose), len(stem.check_exit)
    room = num_spans + most_spans
    span_first, at = cut(scratch, at, room)
    span_class, at = cut(scratch, at, room)
    span_low, at = cut(scratch, at, room)
    span_high, at = cut(scratch, at, room)
    span_exit, at = cut(scratch, at, room)
    room = num_repeats + most_repeats
    repeat_rule, at = cut(scratch, at, room)
    repeat_low, at = cut(scratch, at, room)
    repeat_high, at = cut(scratch, at, room)
    repeat_exit, at = cut(scratch, at, room)
    room = num_selections + most_selections + 1
    select_choose, at = cut(scratch, at, room)
    select_after, at = cut(scratch, at, room)
    select_low, at = cut(scratch, at, room)
    select_high, at = cut(scratch, at, room)
    select_ordered, at = cut(scratch, at, room)
    select_separator, at = cut(scratch, at, room)
    select_others, at = cut(scratch, at, room)
    select_exit, at = cut(scratch, at, room)
    member_start, at = cut(scratch, at, room)
    room = len(stem.member_rule) + most_members
    member_rule, at = cut(scratch, at, room)
    member_required, at = cut(scratch, at, room)
    room = num_checks + most_checks
    check_exit, at = cut(scratch, at, room)
    check_guard, at = cut(scratch, at, room)
    check_slack, at = cut(scratch, at, room)
    assert at <= len(scratch)
    put_first(stem.span_first, span_first)
    put_first(stem.span_class, span_class)
    put_first(stem.span_low, span_low)
    put_first(stem.span_high, span_high)
    put_first(stem.span_exit, span_exit)
    put_first(stem.repeat_rule, repeat_rule)
    put_first(stem.repeat_low, repeat_low)
    put_first(stem.repeat_high, repeat_high)
    put_first(stem.repeat_exit, repeat_exit)
    put_first(stem.select_choose, select_choose)
    put_first(stem.select_after, select_after)
    put_first(stem.select_low, select_low)
    put_first(stem.select_high, select_high)
    put_first(stem.select_ordered, select_ordered)
    put_first(stem.select_separator, select_separator)
    put_first(stem.select_others, select_others)
    put_first(stem.select_exit, select_exit)
    put_first(stem.member_start, member_start)
    put_first(stem.member_rule, member_rule)
    put_first(stem.member_required, member_required)
    put_first(stem.check_exit, check_exit)
    put_first(stem.check_guard, check_guard)
    put_first(stem.check_slack, check_slack)
    num_edges, num_epsilons, num_calls, num_names = 0, 0, 0, 0
    twin_state, twin_slack = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    if len(stem.twin_state) > 0:
        twin_state, twin_slack = np.full(count, -1, dtype=np.int32), np.zeros(count, dtype=np.int32)
        put_first(stem.twin_state, twin_state)
        put_first(stem.twin_slack, twin_slack)
    base, text, classes, guards, graft_end = i64(0), i64(0), -1, -1, -1
    lowest = i64(count)
    i = 0
    while ops[i] != NOTHING:
        if i == graft_end:
            base, text, classes = i64(0), i64(0), -1
        op, source = ops[i], ops[i + 1] + base
        if op != GRAFT:
            lowest = min(lowest, source)
        if op == BYTE:
            low, high = i64(ops[i + 2] & 255), i64(ops[i + 2] >> 8)
            target = i64(ops[i + 3])
            num_edges = _edge(edges, num_edges, source, low, high, target if target < 0 else target + base)
            i += 4
        elif op == EPSILON:
            epsilons[2 * num_epsilons] = source
            epsilons[2 * num_epsilons + 1] = ops[i + 2] + base
            num_epsilons += 1
            i += 3
        elif op == CALL:
            calls[3 * num_calls] = source
            calls[3 * num_calls + 1] = ops[i + 2] + base
            calls[3 * num_calls + 2] = ops[i + 3] + base
            num_calls += 1
            i += 4
        elif op == ACCEPT:
            accepts[source] = 1
            i += 2
        elif op == SPANS:
            for s in range(source, source + ops[i + 2]):
                kind[s], item[s] = SPAN, num_spans
            span_first[num_spans] = source
            span_class[num_spans] = ops[i + 3] if classes < 0 else ops[classes + ops[i + 3]]
            span_low[num_spans] = ops[i + 4]
            span_high[num_spans] = ops[i + 5]
            span_exit[num_spans] = ops[i + 6] + base
            num_spans += 1
            i += 7
        elif op == REPEATS:
            kind[source] = REPEAT
            item[source] = num_repeats
            repeat_rule[num_repeats] = ops[i + 2] + base
            repeat_low[num_repeats] = ops[i + 3]
            repeat_high[num_repeats] = ops[i + 4]
            repeat_exit[num_repeats] = ops[i + 5] + base
            num_repeats += 1
            i += 6
        elif op == OTHERWISE:
            otherwise[source] = ops[i + 2] + base
            i += 3
        elif op == LITERAL:
            num_edges = _chain(
                edges, num_edges, source, ops[i + 2] + base, ops[i + 3] + base, data, ops[i + 4] + text, ops[i + 5]
            )
            i += 6
        elif op == GAP:
            target, indented = ops[i + 2] + base, ops[i + 3] + base
            num_edges = _gap(edges, num_edges, source, target, indented)
            epsilons[2 * num_epsilons] = source
            epsilons[2 * num_epsilons + 1] = target
            num_epsilons += 1
            calls[3 * num_calls] = indented
            calls[3 * num_calls + 1] = ops[i + 4] + base
            calls[3 * num_calls + 2] = target
            num_calls += 1
            i += 5
        elif op == MEMBER:
            first, length, value = ops[i + 2] + base, ops[i + 4], ops[i + 2] + base + ops[i + 4] - 1
            num_edges = _chain(edges, num_edges, source, first, value, data, ops[i + 3] + text, length)
            row = names[6 * num_names : 6 * num_names + 6]
            row[0], row[1], row[2], row[3], row[4], row[5] = source, first, value, ops[i + 3] + text, length, ops[i + 7]
            num_names += 1
            if ops[i + 7] != 0:
                num_edges = _edge(edges, num_edges, value, _SPACE, _SPACE, value + 1)
                epsilons[2 * num_epsilons] = value
                epsilons[2 * num_epsilons + 1] = value + 1
                num_epsilons += 1
                value += 1
            calls[3 * num_calls] = value
            calls[3 * num_calls + 1] = ops[i + 5] + base
            calls[3 * num_calls + 2] = ops[i + 6] + base
            num_calls += 1
            i += 8
        elif op == BRANCH:
            number = ops[i + 2]
            for j in range(i + 3, i + 3 + 2 * number, 2):
                byte = i64(ops[j])
                num_edges = _edge(edges, num_edges, source, byte, byte, ops[j + 1] + base)
            i += 3 + 2 * number
        elif op in (WORDS, EXCLUDING):
            number = ops[i + 5]
            lengths = ops[i + 6 : i + 6 + number]
            end, span = (ops[i + 2] + base, i64(-1)) if op == WORDS else (i64(-1), ops[i + 2] + base)
            num_edges = _trie(
                edges, num_edges, source, ops[i + 3] + base, data, ops[i + 4] + text, lengths, end, otherwise, span,
                path,
            )  # fmt: skip
            i += 6 + number
        elif op == SELECT:
            kind[source], kind[source + 1] = CHOOSE, AFTER
            item[source] = item[source + 1] = num_selections
            select_choose[num_selections], select_after[num_selections] = source, source + 1
            select_low[num_selections], select_high[num_selections] = ops[i + 2], ops[i + 3]
            select_ordered[num_selections] = ops[i + 4]
            select_separator[num_selections] = ops[i + 5] + base
            select_others[num_selections] = ops[i + 6] if ops[i + 6] < 0 else ops[i + 6] + base
            select_exit[num_selections] = ops[i + 7] + base
            first, number = i64(member_start[num_selections]), ops[i + 8]
            for j in range(number):
                member_rule[first + j] = ops[i + 9 + 2 * j] + base
                member_required[first + j] = ops[i + 10 + 2 * j]
            num_selections += 1
            member_start[num_selections] = first + number
            i += 9 + 2 * number
        elif op == CHECKS:
            kind[source] = CHECK
            item[source] = num_checks
            check_exit[num_checks] = ops[i + 2] + base
            check_guard[num_checks] = ops[i + 3] if classes < 0 else ops[guards + ops[i + 3]]
            check_slack[num_checks] = ops[i + 4]
            num_checks += 1
            i += 5
        elif op == TWINS:
            if len(twin_state) == 0:
                twin_state, twin_slack = np.full(count, -1, dtype=np.int32), np.zeros(count, dtype=np.int32)
            number = ops[i + 2]
            for j in range(number):
                twin = ops[i + 3 + 2 * j]
                twin_state[source + j], twin_slack[source + j] = twin if twin < 0 else twin + base, ops[i + 4 + 2 * j]
            i += 3 + 2 * number
        else:
            base, text, classes = i64(ops[i + 2]), i64(ops[i + 3]), i + 6
            guards = classes + ops[i + 4]
            graft_end = guards + ops[i + 5] + ops[i + 1]
            i = guards + ops[i + 5]
    num_members = member_start[num_selections]
    return (
        at, lowest, kind, item, accepts, otherwise, edges[: 3 * num_edges], epsilons[: 2 * num_epsilons],
        calls[: 3 * num_calls], names[: 6 * num_names], span_first[:num_spans], span_class[:num_spans],
        span_low[:num_spans], span_high[:num_spans], span_exit[:num_spans], repeat_rule[:num_repeats],
        repeat_low[:num_repeats], repeat_high[:num_repeats], repeat_exit[:num_repeats], select_choose[:num_selections],
        select_after[:num_selections], select_low[:num_selections], select_high[:num_selections],
        select_ordered[:num_selections], select_separator[:num_selections], select_others[:num_selections],
        select_exit[:num_selections], member_start[: num_selections + 1], member_rule[:num_members],
        member_required[:num_members], check_exit[:num_checks], check_guard[:num_checks], check_slack[:num_checks],
        twin_state, twin_slack,
    )  # fmt: skip
