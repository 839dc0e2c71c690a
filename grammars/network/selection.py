"""What a selection of members still costs, in bytes or tokens."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import kernel
from grammars.network.network import UNREACHABLE


@kernel
def is_chosen(chosen, index):
    """Whether the set, one bit a member, holds the member."""
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
