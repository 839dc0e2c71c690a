"""From what a builder wrote down to the arrays of a network, in one call."""

from __future__ import annotations

from grammars.jit.container import reread
from grammars.jit.options import entry, i64, kernel
from grammars.network.analysis import (
    KNOWN,
    NOT_MET,
    children_first,
    cycle_with_call,
    drop_dead_ends,
    find_idle_moves,
    mark_tail_calls,
    may_come_back,
)
from grammars.network.columns import lay_out, pack, put_first
from grammars.network.costs import find_costs, find_fewest_bytes, find_tokens_of_names
from grammars.network.expansion import expand
from grammars.network.network import UNREACHABLE
from grammars.network.operations import NUM_CALLS, NUM_EDGES, NUM_EPSILONS, NUM_STATES
from grammars.network.scratch import MAX_NAME, cut, cut_bytes

# What was found; each but the first makes the network unusable.
FINE, NO_TEXT, LEFT_RECURSIVE, EMPTY_REPEAT = range(4)


@kernel
def _place_rows(rows, width, number, start, first):
    """Puts the place of each row, ordered by its state and then as they come, where the state stood.

    Args:
        start: gets where the rows of each state begin, from that of the state `first` on, for which it is known.
    """
    count, begin = len(start) - 1, start[first]
    for state in range(first, count + 1):
        start[state] = 0
    for i in range(0, width * number, width):
        start[rows[i]] += 1
    at = begin
    for state in range(first, count + 1):
        own = start[state]
        start[state] = at
        at += own
    for i in range(0, width * number, width):
        state = rows[i]
        rows[i] = start[state]
        start[state] += 1
    # Each now stands where the next one has to.
    for state in range(count, first, -1):
        start[state] = start[state - 1]
    start[first] = begin


@kernel
def _put_in_order(a, first):
    """Puts the rows of edges, epsilons and calls into their columns, behind those of the states before `first`."""
    edges, number = a.edges, a.rows[NUM_EDGES]
    _place_rows(edges, i64(3), number, a.edge_start, first)
    for i in range(0, 3 * number, 3):
        place, both = edges[i], edges[i + 1]
        a.edge_low[place], a.edge_high[place], a.edge_to[place] = both & 255, both >> 8, edges[i + 2]
    epsilons, number = a.epsilons, a.rows[NUM_EPSILONS]
    _place_rows(epsilons, i64(2), number, a.epsilon_start, first)
    for i in range(0, 2 * number, 2):
        a.epsilon_to[epsilons[i]] = epsilons[i + 1]
    calls, number = a.calls, a.rows[NUM_CALLS]
    _place_rows(calls, i64(3), number, a.call_start, first)
    for i in range(0, 3 * number, 3):
        place = calls[i]
        a.call_rule[place], a.call_return[place] = calls[i + 1], calls[i + 2]


@kernel
def _analyse(a, first, root):
    """Finds out all but costs, and takes out what leads nowhere; what was found, and a state it concerns."""
    children_first(a, root)
    a = reread(a)
    find_fewest_bytes(a)
    if a.fewest_bytes[root] >= UNREACHABLE:
        return NO_TEXT, root
    drop_dead_ends(a, first)
    mark_tail_calls(a, first)
    find_idle_moves(a, first)
    a = reread(a)
    assert a.free[0] + 6 * len(a.kind) + MAX_NAME + 2 <= len(a.integers)
    if may_come_back(a, first):
        culprit = cycle_with_call(a)
        if culprit >= 0:
            return LEFT_RECURSIVE, culprit
    for rule in a.repeat_rule:
        if a.fewest_bytes[rule] == 0:
            return EMPTY_REPEAT, i64(rule)
    return FINE, i64(-1)


@entry
def assemble(a, v, known_names, in_tokens, stem, units, num_ops, num_text, count, root, check_kind, starts):
    """The arrays of the network with `count` states that some operations describe.

    Args:
        a: `SCRATCH`, whose memory begins with `num_ops` integers, see `operations`, about the states behind the stem,
            and `num_text` bytes of the texts they refer to; the rest is free.
        v: trie of the vocabulary; known_names: see `costs.recall`; in_tokens: whether costs are in its tokens (else in
            bytes).
        stem: what the network begins with; units: its unit classes, see `UnitTables`.
        check_kind: how each check is evaluated.
        starts: int64[2, F + 1]; gets where each array begins in integers and in bytes.

    Returns:
        What was found and a state it concerns; what the root costs; the most members of a selection; then integers and
        bytes, in the order of `INT_FIELDS` and `BYTE_FIELDS`.
    """
    a.free[0] = 0
    a.ops, a.texts = cut(a, num_ops), cut_bytes(a, num_text)
    a.trie, a.units, a.known_names = v, units, known_names
    a = reread(a)
    lay_out(a, stem, count, check_kind)
    a = reread(a)
    first = count - a.rows[NUM_STATES]
    lowest = expand(a, stem)
    assert lowest >= first
    _put_in_order(a, first)
    a.met[:first], a.met[first:] = KNOWN, NOT_MET
    found, state = _analyse(a, first, root)
    a = reread(a)
    if found != FINE:
        return found, state, i64(0), i64(0), a.integers[:0], a.octets[:0]
    if not in_tokens:
        put_first(a.fewest_bytes, a.cost)
    else:
        find_tokens_of_names(a)
        a = reread(a)
        find_costs(a)
    most_members = i64(0)
    for k in range(len(a.select_low)):
        most_members = max(most_members, i64(a.member_start[k + 1] - a.member_start[k]))
    ints, octets = pack(a, starts)
    return found, state, i64(a.cost[root]), most_members, ints, octets
