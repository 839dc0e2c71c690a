"""How many tokens surely suffice from each state: what length safety stands on."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import kernel
from grammars.network.analysis import counted
from grammars.network.expansion import cut
from grammars.network.network import CHECK, CHOOSE, NORMAL, REPEAT, SPAN, UNREACHABLE
from grammars.network.selection import selection_cost
from grammars.network.units import DEAD_UNIT
from grammars.vocabulary.tables import find_child

_MAX_NAME = 62
_SPACE = 0x20


@kernel
def tokens_of_names(v, names, data, count, scratch, at):
    """For each state in the name of a member, the tokens that spell the rest, and the state behind it, or else -1.

    The last token may hold a space that may follow, which leaves as much to do as none. A name is walked through the
    trie from each of its bytes at once, since every step has to wait for memory, and all can wait together. Very long
    ones are left out.

    Args:
        v: trie of the vocabulary; names: of members, see `expansion.expand`; data: their texts.
        scratch, at: memory, free from there on; where it is free now is returned first.
    """
    spelled, at = cut(scratch, at, count)
    behind, at = cut(scratch, at, count)
    behind[:] = -1
    slots = v.child_slot
    nodes, ends = np.empty(_MAX_NAME, dtype=np.int64), np.empty(_MAX_NAME, dtype=np.int64)
    tokens = np.zeros(_MAX_NAME + 2, dtype=np.int32)
    for row in range(0, len(names), 6):
        source, first, value = names[row], names[row + 1], names[row + 2]
        place, length = names[row + 3], names[row + 4]
        if length > _MAX_NAME:
            continue
        for i in range(length):
            byte = data[place + i]
            nodes[i], ends[i] = v.root_child[byte], v.is_token[byte]
        size = length + (names[row + 5] != 0)
        depth, is_alive = 1, True
        while is_alive:
            is_alive = False
            for i in range(min(length, size - depth)):
                if nodes[i] >= 0:
                    byte = data[place + i + depth] if i + depth < length else _SPACE
                    found = find_child(slots, nodes[i], byte)
                    nodes[i] = found >> 1
                    if found >= 0:
                        is_alive = True
                        ends[i] |= (found & 1) << depth
            depth += 1
        tokens[length] = tokens[length + 1] = 0
        for i in range(length - 1, -1, -1):
            best, rest, goal = np.int32(UNREACHABLE), ends[i], i + 1
            while rest != 0:
                if rest & 1:
                    best = min(best, 1 + tokens[goal])
                rest >>= 1
                goal += 1
            tokens[i] = best
            state = source if i == 0 else first + i - 1
            spelled[state], behind[state] = best, value
    return at, spelled, behind


@kernel
def costs_in_tokens(
    v, kind, item, accepts, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start, call_rule,
    call_return, otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low, repeat_exit,
    check_exit, check_slack, select_low, select_separator, select_others, select_exit, member_start, member_rule,
    member_required, unit_start, unit_bytes, unit_table, fewest, cost, order, nothing, spelled, behind,
):  # fmt: skip
    """Fills in the tokens that surely suffice from each state in `order` to its rule's return.

    A token may run along a chain of single bytes, so a literal costs what its best tokenization costs. The
    numbers keep one promise: from a state of cost n > 0 some allowed token leads to a cost of at most n - 1.

    Args:
        spelled, behind: of states in names, see `tokens_of_names`.
    """
    changed = True
    while changed:
        changed = False
        for s in order:
            # A number once found keeps the promise; only what hung on a state not seen yet is tried again.
            if cost[s] < UNREACHABLE or fewest[s] >= UNREACHABLE:
                continue
            best = cost[s]
            if behind[s] >= 0:
                best = spelled[s] + cost[behind[s]]
            elif kind[s] == SPAN:
                span = item[s]
                unit = unit_start[span_class[span]]
                u = s - span_first[span]
                begun = 0 if u == 0 else unit_bytes[unit + u]
                left = span_low[span] if u == 0 else max(span_low[span] - 1, 0)
                best = counted(left, unit_bytes[unit], counted(1, begun, cost[span_exit[span]]))
            elif kind[s] == REPEAT:
                r = item[s]
                rest = cost[repeat_exit[r]]
                best = rest if repeat_low[r] == 0 else counted(repeat_low[r], cost[repeat_rule[r]], rest)
            elif kind[s] == CHECK:
                best = cost[check_exit[item[s]]] + check_slack[item[s]]
            elif kind[s] != NORMAL:
                best = np.int32(selection_cost(
                    cost, select_low, select_separator, select_others, select_exit, member_start, member_rule,
                    member_required, item[s], nothing, np.int64(0), kind[s] == CHOOSE,
                ))  # fmt: skip
            else:
                if accepts[s]:
                    best = 0
                for e in range(epsilon_start[s], epsilon_start[s + 1]):
                    best = min(best, cost[epsilon_to[e]])
                for e in range(call_start[s], call_start[s + 1]):
                    after = 0 if call_return[e] < 0 else cost[call_return[e]]
                    best = min(best, cost[call_rule[e]] + after)
                for e in range(edge_start[s], edge_start[s + 1]):
                    if edge_to[e] >= 0:
                        best = min(best, _edge_cost(v, edge_start, edge_low, edge_high, edge_to, e, cost))
                if otherwise[s] >= 0 and cost[otherwise[s]] < UNREACHABLE:
                    begin, end = edge_start[s], edge_start[s + 1]
                    span = item[otherwise[s]]
                    leave = span_exit[span]
                    if span_low[span] == 0:
                        for e in range(edge_start[leave], edge_start[leave + 1]):
                            if edge_to[e] >= 0 and not _is_claimed(edge_low, edge_high, begin, end, edge_low[e]):
                                best = min(best, 1 + cost[edge_to[e]])
                    unit = unit_start[span_class[span]]
                    for b in range(256):
                        if unit_table[unit, b] != DEAD_UNIT and not _is_claimed(edge_low, edge_high, begin, end, b):
                            one = unit_bytes[unit] if b < 128 and b != 92 else 6
                            best = min(best, counted(1, one, cost[otherwise[s]]))
                            if one == 1:
                                break
            best = min(best, UNREACHABLE)
            if best < cost[s]:
                cost[s] = best
                changed = True


@kernel
def _is_claimed(edge_low, edge_high, begin, end, byte):
    claimed = False
    for e in range(begin, end):
        claimed |= edge_low[e] <= byte <= edge_high[e]
    return claimed


@kernel
def _edge_cost(v, edge_start, edge_low, edge_high, edge_to, e, cost):
    """Cheapest way over edge `e`, with a token that may run on along a chain of single bytes."""
    best = np.int32(UNREACHABLE)
    low = edge_low[e]
    for b in range(int(low), int(edge_high[e]) + 1):
        if v.is_token[b]:
            best = min(best, 1 + cost[edge_to[e]])
            break
    slots, node = v.child_slot, np.int64(v.root_child[low])
    state = edge_to[e]
    while node >= 0:
        first = edge_start[state]
        if edge_start[state + 1] != first + 1 or edge_low[first] != edge_high[first] or edge_to[first] < 0:
            break
        found = find_child(slots, node, edge_low[first])
        state, node = edge_to[first], found >> 1
        if found & 1 and found >= 0:
            best = min(best, 1 + cost[state])
    return best
