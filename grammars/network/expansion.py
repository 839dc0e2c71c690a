"""Expansion of a builder's operations, one row of integers each, into states and edges.

A front end says much in few words ("the member `name`, a gap, then this rule"), so that Python touches each property
a few times and not once a byte; the bytes are spelled out here.
"""

from __future__ import annotations

from grammars.jit.options import i64, kernel
from grammars.network import operations as op
from grammars.network.network import AFTER, CHECK, CHOOSE, INT_FIELDS, REPEAT, SPAN

_SPACE, _NEWLINE = 0x20, 0x0A
_SPAN_FIRST, _REPEAT_RULE, _SELECT_CHOOSE, _CHECK_EXIT = (
    INT_FIELDS.index(name) for name in ("span_first", "repeat_rule", "select_choose", "check_exit")
)


@kernel
def _edge(a, used, source, low, high, target):
    a.edges[3 * used] = source
    a.edges[3 * used + 1] = low | high << 8
    a.edges[3 * used + 2] = target
    return used + 1


@kernel
def _epsilon(a, used, source, target):
    a.epsilons[2 * used] = source
    a.epsilons[2 * used + 1] = target
    return used + 1


@kernel
def _call(a, used, source, rule, target):
    a.calls[3 * used] = source
    a.calls[3 * used + 1] = rule
    a.calls[3 * used + 2] = target
    return used + 1


@kernel
def _chain(a, used, source, first, target, at, length):
    """Edges that spell ``texts[at:at + length]`` by way of `first` and the states after it."""
    for i in range(length):
        byte = i64(a.texts[at + i])
        goal = target if i == length - 1 else first + i
        used = _edge(a, used, source, byte, byte, goal)
        source = goal
    return used


@kernel
def _trie(a, used, source, first, at, lengths, end, span):
    """A trie of sorted, distinct words, each of which leads to `end`; with a `span` any other text goes on there."""
    texts, path = a.texts, a.path
    path[0] = source
    if span >= 0:
        a.otherwise[source] = span
    before, made = at, 0
    for w in range(len(lengths)):
        length = lengths[w]
        depth = 0
        while depth < made and texts[at + depth] == texts[before + depth]:
            depth += 1
        made = length - 1
        while depth < made:
            byte = i64(texts[at + depth])
            used = _edge(a, used, i64(path[depth]), byte, byte, first)
            if span >= 0:
                a.otherwise[first] = span
            depth += 1
            path[depth] = first
            first += 1
        last = i64(texts[at + length - 1])
        used = _edge(a, used, i64(path[length - 1]), last, last, end)
        before = at
        at += length
    return used


@kernel
def expand(a, stem):
    """Fills in the states of the operations and what they own, but for what needs an order.

    That comes as rows, whose numbers are put into `a.rows`: edges (source, low | high << 8, goal), epsilons, calls, and
    the names of members: first state, the state after it, the one behind the name, offset and length of the text,
    whether a space may follow.

    Args:
        stem: what the network begins with, see `stem`; the operations are about the states behind it.

    Returns:
        The lowest state that an operation began at.
    """
    ops = a.ops
    num_edges, num_epsilons, num_calls, num_names = i64(0), i64(0), i64(0), i64(0)
    num_spans, num_repeats = stem.lengths[_SPAN_FIRST], stem.lengths[_REPEAT_RULE]
    num_selections, num_check_states = stem.lengths[_SELECT_CHOOSE], stem.lengths[_CHECK_EXIT]
    base, text, classes, checks, graft_end = i64(0), i64(0), -1, -1, -1
    lowest = i64(len(a.kind))
    i = 0
    while ops[i] != op.NOTHING:
        if i == graft_end:
            base, text, classes = i64(0), i64(0), -1
        kind, source = ops[i], ops[i + 1] + base
        if kind != op.GRAFT:
            lowest = min(lowest, source)
        if kind == op.BYTE:
            low, high = i64(ops[i + 2] & 255), i64(ops[i + 2] >> 8)
            target = i64(ops[i + 3])
            num_edges = _edge(a, num_edges, source, low, high, target if target < 0 else target + base)
            i += 4
        elif kind == op.EPSILON:
            num_epsilons = _epsilon(a, num_epsilons, source, ops[i + 2] + base)
            i += 3
        elif kind == op.CALL:
            num_calls = _call(a, num_calls, source, ops[i + 2] + base, ops[i + 3] + base)
            i += 4
        elif kind == op.ACCEPT:
            a.accepts[source] = 1
            i += 2
        elif kind == op.SPANS:
            for s in range(source, source + ops[i + 2]):
                a.kind[s], a.item[s] = SPAN, num_spans
            a.span_first[num_spans] = source
            a.span_class[num_spans] = ops[i + 3] if classes < 0 else ops[classes + ops[i + 3]]
            a.span_low[num_spans], a.span_high[num_spans] = ops[i + 4], ops[i + 5]
            a.span_exit[num_spans] = ops[i + 6] + base
            num_spans += 1
            i += 7
        elif kind == op.REPEATS:
            a.kind[source], a.item[source] = REPEAT, num_repeats
            a.repeat_rule[num_repeats], a.repeat_exit[num_repeats] = ops[i + 2] + base, ops[i + 5] + base
            a.repeat_low[num_repeats], a.repeat_high[num_repeats] = ops[i + 3], ops[i + 4]
            num_repeats += 1
            i += 6
        elif kind == op.OTHERWISE:
            a.otherwise[source] = ops[i + 2] + base
            i += 3
        elif kind == op.LITERAL:
            first, target = ops[i + 2] + base, ops[i + 3] + base
            num_edges = _chain(a, num_edges, source, first, target, ops[i + 4] + text, ops[i + 5])
            i += 6
        elif kind == op.GAP:
            target, indented = ops[i + 2] + base, ops[i + 3] + base
            num_edges = _edge(a, num_edges, source, i64(_SPACE), i64(_SPACE), target)
            num_edges = _edge(a, num_edges, source, i64(_NEWLINE), i64(_NEWLINE), indented)
            num_epsilons = _epsilon(a, num_epsilons, source, target)
            num_calls = _call(a, num_calls, indented, ops[i + 4] + base, target)
            i += 5
        elif kind == op.MEMBER:
            first, length, value = ops[i + 2] + base, ops[i + 4], ops[i + 2] + base + ops[i + 4] - 1
            num_edges = _chain(a, num_edges, source, first, value, ops[i + 3] + text, length)
            row = a.names[6 * num_names : 6 * num_names + 6]
            row[0], row[1], row[2], row[3], row[4], row[5] = source, first, value, ops[i + 3] + text, length, ops[i + 7]
            num_names += 1
            if ops[i + 7] != 0:
                num_edges = _edge(a, num_edges, value, i64(_SPACE), i64(_SPACE), value + 1)
                num_epsilons = _epsilon(a, num_epsilons, value, value + 1)
                value += 1
            num_calls = _call(a, num_calls, value, ops[i + 5] + base, ops[i + 6] + base)
            i += 8
        elif kind == op.BRANCH:
            number = ops[i + 2]
            for j in range(i + 3, i + 3 + 2 * number, 2):
                byte = i64(ops[j])
                num_edges = _edge(a, num_edges, source, byte, byte, ops[j + 1] + base)
            i += 3 + 2 * number
        elif kind in (op.WORDS, op.EXCLUDING):
            number = ops[i + 5]
            lengths = ops[i + 6 : i + 6 + number]
            end, span = (ops[i + 2] + base, i64(-1)) if kind == op.WORDS else (i64(-1), ops[i + 2] + base)
            num_edges = _trie(a, num_edges, source, ops[i + 3] + base, ops[i + 4] + text, lengths, end, span)
            i += 6 + number
        elif kind == op.SELECT:
            a.kind[source], a.kind[source + 1] = CHOOSE, AFTER
            a.item[source] = a.item[source + 1] = num_selections
            a.select_choose[num_selections], a.select_after[num_selections] = source, source + 1
            a.select_low[num_selections], a.select_high[num_selections] = ops[i + 2], ops[i + 3]
            a.select_ordered[num_selections] = ops[i + 4]
            a.select_separator[num_selections], a.select_exit[num_selections] = ops[i + 5] + base, ops[i + 7] + base
            a.select_others[num_selections] = ops[i + 6] if ops[i + 6] < 0 else ops[i + 6] + base
            first, number = i64(a.member_start[num_selections]), ops[i + 8]
            for j in range(number):
                a.member_rule[first + j] = ops[i + 9 + 2 * j] + base
                a.member_required[first + j] = ops[i + 10 + 2 * j]
            num_selections += 1
            a.member_start[num_selections] = first + number
            i += 9 + 2 * number
        elif kind == op.CHECKS:
            a.kind[source], a.item[source] = CHECK, num_check_states
            a.check_exit[num_check_states], a.check_slack[num_check_states] = ops[i + 2] + base, ops[i + 4]
            a.check_index[num_check_states] = ops[i + 3] if classes < 0 else ops[checks + ops[i + 3]]
            num_check_states += 1
            i += 5
        else:
            base, text, classes = i64(ops[i + 2]), i64(ops[i + 3]), i + 6
            checks = classes + ops[i + 4]
            graft_end = checks + ops[i + 5] + ops[i + 1]
            i = checks + ops[i + 5]
    a.rows[op.NUM_EDGES], a.rows[op.NUM_EPSILONS], a.rows[op.NUM_CALLS] = num_edges, num_epsilons, num_calls
    return lowest
