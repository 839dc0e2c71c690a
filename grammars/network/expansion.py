"""What a builder wrote down, one row of integers an operation, made into states and edges.

A front end says much in few words ("the member `name`, a gap, then this rule"), so that Python touches each property
a few times and not once a byte; the bytes are spelled out here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grammars.kernels.options import i64, kernel
from grammars.network.network import AFTER, CHECK, CHOOSE, REPEAT, SPAN

# Operations, with what follows in their row. Texts stand in one block of bytes: offset, length.
BYTE = 0  # source, low | high << 8, target
EPSILON = 1  # source, target
CALL = 2  # source, rule, target
ACCEPT = 3  # state
SPANS = 4  # first state, number of states, class, low, high, exit
REPEATS = 5  # state, rule, low, high, exit
OTHERWISE = 6  # state, span
LITERAL = 7  # source, first new state, target, offset, length
GAP = 8  # source, target, indented, indent
MEMBER = 9  # source, first new state, offset, length, rule, target, whether a space may stand before the rule
BRANCH = 10  # source, number of bytes, then byte and target of each
WORDS = 11  # source, target, first new state, offset, number of words, then the length of each
EXCLUDING = 12  # source, span, first new state, offset, number of words, then the length of each
SELECT = 13  # first state, low, high, ordered, separator, others, exit, number of members, then rule, required of each
CHECKS = 14  # state, exit, guard, slack
GRAFT = 15  # integers that follow, first state, offset of texts, number of classes and of guards, index of each
TWINS = 16  # first state, number of states, then twin and slack of each, see `network.twins`
NOTHING = 17  # the end

_SPACE, _NEWLINE, _QUOTE = 0x20, 0x0A, 0x22


@kernel
def _edge(edges, used, source, low, high, target):
    edges[used, 0] = source
    edges[used, 1] = low
    edges[used, 2] = high
    edges[used, 3] = target
    return used + 1


@kernel
def _gap(edges, used, source, target, indented):
    used = _edge(edges, used, source, _SPACE, _SPACE, target)
    return _edge(edges, used, source, _NEWLINE, _NEWLINE, indented)


@kernel
def _chain(edges, used, source, first, target, data, at, length):
    """Edges that spell ``data[at:at + length]`` by way of `first` and the states after it."""
    for i in range(length):
        byte = data[at + i]
        goal = target if i == length - 1 else first + i
        used = _edge(edges, used, source, byte, byte, goal)
        source = goal
    return used


@kernel
def _trie(edges, used, source, first, data, at, lengths, end, otherwise, span):
    """A trie of sorted, distinct words: each leads to `end`, or with a `span` into nowhere, where any other goes on."""
    path = np.empty(lengths.max() + 1, dtype=np.int32)
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
            used = _edge(edges, used, path[depth], data[at + depth], data[at + depth], first)
            if span >= 0:
                otherwise[first] = span
            depth += 1
            path[depth] = first
            first += 1
        if span >= 0:
            used = _edge(edges, used, path[length], _QUOTE, _QUOTE, -1)
        else:
            last = data[at + length - 1]
            used = _edge(edges, used, path[length - 1], last, last, end)
        before = at
        at += length
    return used


@kernel
def expand(ops, data, count):
    """Kind, item, accepts and otherwise of `count` states, and the rows of everything else.

    The last are the names of members: first state, the state after it, the one behind the name, offset and length of
    the text, whether a space may follow.
    """
    kind, accepts = np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
    item, otherwise = np.full(count, -1, dtype=np.int32), np.full(count, -1, dtype=np.int32)
    # No operation makes more of anything than it has integers and bytes of text.
    edges = np.empty((len(ops) + 2 * len(data), 4), dtype=np.int32)
    epsilons = np.empty((len(ops) // 3 + 1, 2), dtype=np.int32)
    calls = np.empty((len(ops) // 4 + 1, 3), dtype=np.int32)
    spans = np.empty((len(ops) // 7 + 1, 5), dtype=np.int32)
    repeats = np.empty((len(ops) // 6 + 1, 4), dtype=np.int32)
    selections = np.empty((len(ops) // 9 + 1, 8), dtype=np.int32)
    member_start = np.zeros(len(selections) + 1, dtype=np.int32)
    members = np.empty((len(ops) // 2, 2), dtype=np.int32)
    checks = np.empty((len(ops) // 5 + 1, 3), dtype=np.int32)
    num_edges, num_epsilons, num_calls, num_spans, num_repeats = 0, 0, 0, 0, 0
    names = np.empty((len(ops) // 8 + 1, 6), dtype=np.int32)
    num_selections, num_checks, num_names = 0, 0, 0
    twin_state, twin_slack = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    base, text, classes, guards, graft_end = i64(0), i64(0), -1, -1, -1
    i = 0
    while ops[i] != NOTHING:
        if i == graft_end:
            base, text, classes = i64(0), i64(0), -1
        op, source = ops[i], ops[i + 1] + base
        if op == BYTE:
            low, high = ops[i + 2] & 255, ops[i + 2] >> 8
            target = ops[i + 3]
            num_edges = _edge(edges, num_edges, source, low, high, target if target < 0 else target + base)
            i += 4
        elif op == EPSILON:
            epsilons[num_epsilons, 0] = source
            epsilons[num_epsilons, 1] = ops[i + 2] + base
            num_epsilons += 1
            i += 3
        elif op == CALL:
            calls[num_calls, 0] = source
            calls[num_calls, 1] = ops[i + 2] + base
            calls[num_calls, 2] = ops[i + 3] + base
            num_calls += 1
            i += 4
        elif op == ACCEPT:
            accepts[source] = 1
            i += 2
        elif op == SPANS:
            kind[source : source + ops[i + 2]] = SPAN
            item[source : source + ops[i + 2]] = num_spans
            spans[num_spans, 0] = source
            spans[num_spans, 1] = ops[i + 3] if classes < 0 else ops[classes + ops[i + 3]]
            spans[num_spans, 2] = ops[i + 4]
            spans[num_spans, 3] = ops[i + 5]
            spans[num_spans, 4] = ops[i + 6] + base
            num_spans += 1
            i += 7
        elif op == REPEATS:
            kind[source] = REPEAT
            item[source] = num_repeats
            repeats[num_repeats, 0] = ops[i + 2] + base
            repeats[num_repeats, 1] = ops[i + 3]
            repeats[num_repeats, 2] = ops[i + 4]
            repeats[num_repeats, 3] = ops[i + 5] + base
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
            epsilons[num_epsilons, 0] = source
            epsilons[num_epsilons, 1] = target
            num_epsilons += 1
            calls[num_calls, 0] = indented
            calls[num_calls, 1] = ops[i + 4] + base
            calls[num_calls, 2] = target
            num_calls += 1
            i += 5
        elif op == MEMBER:
            first, length, value = ops[i + 2] + base, ops[i + 4], ops[i + 2] + base + ops[i + 4] - 1
            num_edges = _chain(edges, num_edges, source, first, value, data, ops[i + 3] + text, length)
            row = names[num_names]
            row[0], row[1], row[2], row[3], row[4], row[5] = source, first, value, ops[i + 3] + text, length, ops[i + 7]
            num_names += 1
            if ops[i + 7] != 0:
                num_edges = _edge(edges, num_edges, value, 0x20, 0x20, value + 1)
                epsilons[num_epsilons, 0] = value
                epsilons[num_epsilons, 1] = value + 1
                num_epsilons += 1
                value += 1
            calls[num_calls, 0] = value
            calls[num_calls, 1] = ops[i + 5] + base
            calls[num_calls, 2] = ops[i + 6] + base
            num_calls += 1
            i += 8
        elif op == BRANCH:
            number = ops[i + 2]
            for j in range(i + 3, i + 3 + 2 * number, 2):
                num_edges = _edge(edges, num_edges, source, ops[j], ops[j], ops[j + 1] + base)
            i += 3 + 2 * number
        elif op in (WORDS, EXCLUDING):
            number = ops[i + 5]
            lengths = ops[i + 6 : i + 6 + number]
            end, span = (ops[i + 2] + base, -1) if op == WORDS else (-1, ops[i + 2] + base)
            num_edges = _trie(
                edges, num_edges, source, ops[i + 3] + base, data, ops[i + 4] + text, lengths, end, otherwise, span
            )
            i += 6 + number
        elif op == SELECT:
            kind[source], kind[source + 1] = CHOOSE, AFTER
            item[source] = item[source + 1] = num_selections
            row = selections[num_selections]
            row[0], row[1], row[2], row[3], row[4] = source, source + 1, ops[i + 2], ops[i + 3], ops[i + 4]
            row[5], row[7] = ops[i + 5] + base, ops[i + 7] + base
            row[6] = ops[i + 6] if ops[i + 6] < 0 else ops[i + 6] + base
            first, number = member_start[num_selections], ops[i + 8]
            for j in range(number):
                members[first + j, 0] = ops[i + 9 + 2 * j] + base
                members[first + j, 1] = ops[i + 10 + 2 * j]
            num_selections += 1
            member_start[num_selections] = first + number
            i += 9 + 2 * number
        elif op == CHECKS:
            kind[source] = CHECK
            item[source] = num_checks
            checks[num_checks, 0] = ops[i + 2] + base
            checks[num_checks, 1] = ops[i + 3] if classes < 0 else ops[guards + ops[i + 3]]
            checks[num_checks, 2] = ops[i + 4]
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
    return (
        kind, item, accepts, otherwise, edges[:num_edges], epsilons[:num_epsilons], calls[:num_calls],
        spans[:num_spans], repeats[:num_repeats], selections[:num_selections], member_start[: num_selections + 1],
        members[: member_start[num_selections]], checks[:num_checks], names[:num_names], twin_state, twin_slack,
    )  # fmt: skip


def trie_size(words: Sequence[bytes], without: int) -> int:
    """States of the trie of sorted words; of each word the last `without` bytes need none."""
    total, before, made = 0, b"", 0
    for word in words:
        # The highest bit in which two words of one length differ says how many bytes they share.
        size = min(made, len(word))
        differ = int.from_bytes(word[:size], "big") ^ int.from_bytes(before[:size], "big")
        made = len(word) - without
        total += made - size + (differ.bit_length() + 7) // 8
        before = word
    return total
