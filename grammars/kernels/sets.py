"""Sets of members that a selection has seen: what may follow, and what it costs."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import FULL, FULL_ARRAY, FULL_SETS, NUM_SETS
from grammars.kernels.columns import room_in
from grammars.kernels.hashing import set_hash
from grammars.network.costs import is_chosen, selection_cost
from grammars.network.network import UNREACHABLE


@kernel
def set_cost(a, item, chosen, is_choosing):
    """Tokens that suffice from the selection, with the members of `chosen` done, to its rule's return."""
    return selection_cost(a, a.cost, item, a.set_members[chosen], i64(a.set_size[chosen]), is_choosing)


@kernel
def num_missing(a, item, chosen):
    """Return the number of required members still missing."""
    missing, first = i64(0), a.member_start[item]
    for m in range(first, a.member_start[item + 1]):
        if a.member_required[m] != 0 and not is_chosen(a.set_members[chosen], m - first):
            missing += 1
    return missing


@kernel
def is_enough(a, item, chosen):
    """True if the selection may end."""
    return a.set_size[chosen] >= a.select_low[item] and num_missing(a, item, chosen) == 0


@kernel
def has_more(a, item, chosen):
    """True if another member may come."""
    high = i64(a.select_high[item])
    slots = i64(UNREACHABLE) if high < 0 else high - i64(a.set_size[chosen])
    missing, first = num_missing(a, item, chosen), a.member_start[item]
    for m in range(first, a.member_start[item + 1]):
        if is_chosen(a.set_members[chosen], m - first):
            continue
        if a.member_rule[m] >= 0 and (a.member_required[m] != 0 or slots > missing):
            return True
        if a.member_required[m] != 0 and m - first < a.select_ordered[item]:
            return False
    return a.select_others[item] >= 0 and slots > missing


@kernel
def with_member(a, item, chosen, index):
    """The set with one more member; FULL without room. Ordered members before it cannot come any more."""
    a.set_scratch[:] = a.set_members[chosen]
    for i in range(min(index, i64(a.select_ordered[item]))):
        a.set_scratch[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    a.set_scratch[index >> 6] |= np.uint64(1) << np.uint64(index & 63)
    return _interned(a, _one_more(a, item, chosen))


@kernel
def with_other(a, item, chosen):
    """Return the set after an undeclared member; FULL without room."""
    a.set_scratch[:] = a.set_members[chosen]
    for i in range(a.select_ordered[item]):
        a.set_scratch[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return _interned(a, _one_more(a, item, chosen))


@kernel
def same_set(a, b, chosen):
    """The number in arena `b` of a set of arena `a`; FULL without room."""
    b.set_scratch[:] = a.set_members[chosen]
    return _interned(b, i64(a.set_size[chosen]))


@kernel
def _one_more(a, item, chosen):
    """The number of members after one more; 0 where it does not matter."""
    low, high = i64(a.select_low[item]), i64(a.select_high[item])
    if low == 0 and high < 0:
        return i64(0)
    return min(i64(a.set_size[chosen]) + 1, max(low, high))


@kernel
def _interned(a, size):
    """The number of the set in the scratch words."""
    is_empty = size == 0
    for word in a.set_scratch:
        is_empty = is_empty and word == np.uint64(0)
    if is_empty:
        return i64(0)
    mask = len(a.set_slots) - 1
    slot = set_hash(a.set_scratch, size) & mask
    while a.set_slots[slot] > 0:
        known = i64(a.set_slots[slot])
        if a.set_size[known] == size and _same(a.set_members[known], a.set_scratch):
            return known
        slot = (slot + 1) & mask
    fresh = i64(a.counters[NUM_SETS])
    if fresh == room_in(a.set_size, a.set_slots):
        a.counters[FULL_ARRAY] = FULL_SETS
        return i64(FULL)
    a.counters[NUM_SETS] = fresh + 1
    a.set_members[fresh, :] = a.set_scratch
    a.set_size[fresh] = size
    a.set_slots[slot] = fresh
    return fresh


@kernel
def _same(first, second):
    for w in range(len(first)):
        if first[w] != second[w]:
            return False
    return True
