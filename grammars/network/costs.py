"""Bytes and tokens that suffice from each state: the base of length safety."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.network.network import CHECK, CHOOSE, NORMAL, REPEAT, SPAN, UNREACHABLE
from grammars.network.scratch import KNOWN_NAMES, MAX_NAME, NAME_ROOM, cut
from grammars.vocabulary.tables import find_child
from grammars.vocabulary.units import DEAD_UNIT

_SPACE = 0x20
_HASH_STEP, _NO_TOKENS = 0x01000193, 255


@kernel
def find_tokens_of_names(a):
    """For each state in the name of a member, the tokens that spell the rest, and the state behind it, or else -1.

    The last token may hold a space that may follow, which leaves as much to do as none. Very long names are left out.
    """
    names = a.names
    spelled, behind = cut(a, len(a.kind)), cut(a, len(a.kind))
    tokens = cut(a, MAX_NAME + 2)
    behind[:] = -1
    for row in range(0, len(names), 6):
        source, first, value = names[row], names[row + 1], names[row + 2]
        place, length, may_have_space = i64(names[row + 3]), i64(names[row + 4]), i64(names[row + 5] != 0)
        if length > MAX_NAME:
            continue
        entry = recall(a, place, length, may_have_space, tokens)
        if entry >= 0:
            _walk(a, place, length, may_have_space, tokens)
            _remember(a, entry, place, length, may_have_space, tokens)
        for i in range(length):
            state = source if i == 0 else first + i - 1
            spelled[state], behind[state] = tokens[i], value
    a.spelled, a.behind = spelled, behind


@kernel
def recall(a, place, length, may_have_space, tokens):
    """Fills in the tokens of a name that is known, -1; else where it has to be remembered.

    Schemas repeat the names of others, and to walk one through the trie is to wait for memory many times. Each name
    has one place, by its hash, which the last one that came there holds: its length and one, whether a space may
    follow, the name, and from the middle on the tokens from each of its bytes (`_NO_TOKENS`: not to be spelled).
    """
    texts, known = a.texts, a.known_names
    hashed = i64(may_have_space)
    for i in range(length):
        hashed = (hashed * _HASH_STEP + texts[place + i] + 1) & 0xFFFFFFFF
    entry = ((hashed ^ hashed >> 15) & (KNOWN_NAMES - 1)) * NAME_ROOM
    if known[entry] != length + 1 or known[entry + 1] != may_have_space:
        return entry
    for i in range(length):
        if known[entry + 2 + i] != texts[place + i]:
            return entry
    begin = entry + NAME_ROOM // 2
    for i in range(length):
        tokens[i] = known[begin + i] if known[begin + i] != _NO_TOKENS else UNREACHABLE
    return i64(-1)


@kernel
def _remember(a, entry, place, length, may_have_space, tokens):
    texts, known = a.texts, a.known_names
    known[entry], known[entry + 1] = length + 1, may_have_space
    begin = entry + NAME_ROOM // 2
    for i in range(length):
        known[entry + 2 + i] = texts[place + i]
        known[begin + i] = tokens[i] if tokens[i] < UNREACHABLE else _NO_TOKENS


@kernel
def _walk(a, place, length, may_have_space, tokens):
    """Finds the tokens of a name from each of its bytes.

    It is walked through the trie from all of them at once, since every step has to wait for memory, and all can wait
    together.
    """
    v, texts = a.trie, a.texts
    nodes, ends, alive, slots = a.name_nodes, a.name_ends, a.name_alive, a.trie.child_slot
    num_alive, depth = 0, 1
    for i in range(length):
        byte = texts[place + i]
        nodes[i], ends[i] = v.root_child[byte], v.is_token[byte]
        alive[num_alive] = i
        num_alive += nodes[i] >= 0
    size = length + may_have_space
    while num_alive > 0:
        num_before, num_alive = num_alive, 0
        for k in range(num_before):
            i = alive[k]
            if i + depth >= size:
                break
            byte = texts[place + i + depth] if i + depth < length else _SPACE
            found = find_child(slots, nodes[i], byte)
            nodes[i] = found >> 1
            if found >= 0:
                ends[i] |= (found & 1) << depth
                alive[num_alive] = i
                num_alive += 1
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


@kernel
def find_fewest_bytes(a):
    """Fills in the fewest bytes from each state in `order` to its rule's return."""
    fewest, states, is_all = a.fewest_bytes, a.order, True
    while len(states) > 0:
        changed = False
        for s in states:
            best = _way_out(a, fewest, s, False)
            if best < fewest[s]:
                fewest[s] = best
                changed = True
        # Each state but these stands behind those that it hangs on.
        is_all = not is_all
        states = a.order if is_all else a.hanging
        if is_all and not changed:
            break


@kernel
def find_costs(a):
    """Fills in the tokens that surely suffice from each state in `order` to its rule's return.

    A token may run along a chain of single bytes, so a literal costs what its best tokenization costs. The
    numbers keep one promise: from a state of cost n > 0 some allowed token leads to a cost of at most n - 1.
    """
    cost, order, num_before = a.cost, a.order, len(a.order) + 1
    while 0 < len(order) < num_before:
        num_before, num_left = len(order), 0
        for s in order:
            # A number once found keeps the promise; only what hung on a state not seen yet is tried again.
            if cost[s] < UNREACHABLE or a.fewest_bytes[s] >= UNREACHABLE:
                continue
            best = i64(a.spelled[s]) + cost[a.behind[s]] if a.behind[s] >= 0 else _way_out(a, cost, s, True)
            cost[s] = min(best, UNREACHABLE)
            if best >= UNREACHABLE:
                order[num_left] = s
                num_left += 1
        order = order[:num_left]


@kernel
def _way_out(a, values, s, in_tokens):
    """The least sum of `values`, fewest bytes or costs in tokens, on a way from the state to its rule's return."""
    kind, item, unit_start, unit_bytes = a.kind[s], a.item[s], a.units.start, a.units.fewest
    best = i64(values[s])
    if kind == SPAN:
        unit, low, u = unit_start[a.span_class[item]], i64(a.span_low[item]), s - a.span_first[item]
        left, begun = (low, i64(0)) if u == 0 else (max(low - 1, 0), i64(unit_bytes[unit + u]))
        best = left * unit_bytes[unit] + begun + values[a.span_exit[item]]
    elif kind == REPEAT:
        best = i64(values[a.repeat_exit[item]])
        if a.repeat_low[item] > 0:
            best += i64(a.repeat_low[item]) * values[a.repeat_rule[item]]
    elif kind == CHECK:
        best = i64(values[a.check_exit[item]]) + (a.check_slack[item] if in_tokens else 0)
    elif kind != NORMAL:
        best = selection_cost(a, values, i64(item), a.none_done, i64(0), kind == CHOOSE)
    else:
        if a.accepts[s]:
            best = i64(0)
        for e in range(a.epsilon_start[s], a.epsilon_start[s + 1]):
            best = min(best, i64(values[a.epsilon_to[e]]))
        for e in range(a.call_start[s], a.call_start[s + 1]):
            after = i64(0) if a.call_return[e] < 0 else i64(values[a.call_return[e]])
            best = min(best, values[a.call_rule[e]] + after)
        for e in range(a.edge_start[s], a.edge_start[s + 1]):
            if a.edge_to[e] >= 0:
                best = min(best, _edge_cost(a, e) if in_tokens else 1 + i64(values[a.edge_to[e]]))
        if a.otherwise[s] >= 0 and values[a.otherwise[s]] < UNREACHABLE:
            best = min(best, _otherwise_cost(a, s) if in_tokens else _otherwise_bytes(a, i64(a.otherwise[s])))
    return min(best, i64(UNREACHABLE))


@kernel
def _otherwise_bytes(a, state):
    # One unit first is always possible: edges claim a few bytes of many.
    return i64(a.units.fewest[a.units.start[a.span_class[a.item[state]]]]) + a.fewest_bytes[state]


@kernel
def _otherwise_cost(a, s):
    """Return the least cost of leaving the state by a byte that no edge takes."""
    begin, end, cost, state = a.edge_start[s], a.edge_start[s + 1], a.cost, a.otherwise[s]
    span, best = a.item[state], i64(UNREACHABLE)
    leave, unit = a.span_exit[span], a.units.start[a.span_class[span]]
    if a.span_low[span] == 0:
        for e in range(a.edge_start[leave], a.edge_start[leave + 1]):
            if a.edge_to[e] >= 0 and not _is_claimed(a, begin, end, a.edge_low[e]):
                best = min(best, 1 + i64(cost[a.edge_to[e]]))
    for b in range(256):
        if a.units.table[unit, b] != DEAD_UNIT and not _is_claimed(a, begin, end, b):
            one = i64(a.units.fewest[unit] if b < 128 and b != 92 else 6)
            best = min(best, one + cost[state])
            if one == 1:
                break
    return best


@kernel
def _is_claimed(a, begin, end, byte):
    claimed = False
    for e in range(begin, end):
        claimed |= a.edge_low[e] <= byte <= a.edge_high[e]
    return claimed


@kernel
def _edge_cost(a, e):
    """Cheapest way over edge `e`, with a token that may run on along a chain of single bytes."""
    v, cost = a.trie, a.cost
    best = i64(UNREACHABLE)
    low = a.edge_low[e]
    for b in range(int(low), int(a.edge_high[e]) + 1):
        if v.is_token[b]:
            best = min(best, 1 + i64(cost[a.edge_to[e]]))
            break
    slots, node = v.child_slot, np.int64(v.root_child[low])
    state = a.edge_to[e]
    while node >= 0:
        first = a.edge_start[state]
        if a.edge_start[state + 1] != first + 1 or a.edge_low[first] != a.edge_high[first] or a.edge_to[first] < 0:
            break
        found = find_child(slots, node, a.edge_low[first])
        state, node = a.edge_to[first], found >> 1
        if found & 1 and found >= 0:
            best = min(best, 1 + i64(cost[state]))
    return best


@kernel
def is_chosen(chosen, index):
    """True if the set, one bit a member, holds the member."""
    return (chosen[index >> 6] >> np.uint64(index & 63)) & np.uint64(1) != np.uint64(0)


@kernel
def selection_cost(a, values, item, chosen, size, is_choosing):
    """The sum of `values` that suffices from the selection to its rule's return.

    Args:
        a: an arena, or the scratch of a network.
        values: what each rule costs to its return.
        chosen: members that are done, empty where none is; size: how many members are done, as far as it matters.
        is_choosing: a separator was just written, so one more member must come.
    """
    separator = np.int64(values[a.select_separator[item]])
    total, missing, free = np.int64(values[a.select_exit[item]]), np.int64(0), np.int64(0)
    cheapest, dearest = np.int64(UNREACHABLE), np.int64(0)
    first = a.member_start[item]
    for m in range(first, a.member_start[item + 1]):
        if len(chosen) > 0 and is_chosen(chosen, m - first):
            continue
        each = np.int64(UNREACHABLE)
        if a.member_rule[m] >= 0:
            each = np.int64(values[a.member_rule[m]])
        if a.member_required[m]:
            missing += 1
            total += separator + each
        elif each < UNREACHABLE:
            free += 1
            cheapest = min(cheapest, each)
            dearest = max(dearest, each)
    others = a.select_others[item]
    if others >= 0 and values[others] < UNREACHABLE:
        dearest = np.int64(values[others])
        cheapest = min(cheapest, dearest)
        free = np.int64(UNREACHABLE)
    extras = max(np.int64(a.select_low[item]) - size - missing, np.int64(0))
    if extras > free:
        return np.int64(UNREACHABLE)
    total += extras * (separator + dearest)
    if is_choosing:
        total += -separator if missing + extras > 0 else cheapest
    return min(total, np.int64(UNREACHABLE))
