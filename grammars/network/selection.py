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
def selection_cost(
    values, select_low, select_separator, select_others, select_exit, member_start, member_rule, member_required,
    item, chosen, size, is_choosing,
):  # fmt: skip
    """The sum of `values` that suffices from the selection to its rule's return.

    Args:
        values: what each rule costs to its return.
        chosen: members that are done, empty where none is; size: how many members are done, as far as it matters.
        is_choosing: a separator was just written, so one more member must come.
    """
    separator = np.int64(values[select_separator[item]])
    total, missing, free = np.int64(values[select_exit[item]]), np.int64(0), np.int64(0)
    cheapest, dearest = np.int64(UNREACHABLE), np.int64(0)
    first = member_start[item]
    for m in range(first, member_start[item + 1]):
        if len(chosen) > 0 and is_chosen(chosen, m - first):
            continue
        each = np.int64(UNREACHABLE)
        if member_rule[m] >= 0:
            each = np.int64(values[member_rule[m]])
        if member_required[m]:
            missing += 1
            total += separator + each
        elif each < UNREACHABLE:
            free += 1
            cheapest = min(cheapest, each)
            dearest = max(dearest, each)
    if select_others[item] >= 0 and values[select_others[item]] < UNREACHABLE:
        dearest = np.int64(values[select_others[item]])
        cheapest = min(cheapest, dearest)
        free = np.int64(UNREACHABLE)
    extras = max(np.int64(select_low[item]) - size - missing, np.int64(0))
    if extras > free:
        return np.int64(UNREACHABLE)
    total += extras * (separator + dearest)
    if is_choosing:
        total += -separator if missing + extras > 0 else cheapest
    return min(total, np.int64(UNREACHABLE))


@kernel
def untouched_cost(a, values, item, is_choosing):
    """The same where no member is done, for selections in the scratch."""
    return np.int32(selection_cost(
        values, a.select_low, a.select_separator, a.select_others, a.select_exit, a.member_start, a.member_rule,
        a.member_required, item, a.none_done, np.int64(0), is_choosing,
    ))  # fmt: skip
