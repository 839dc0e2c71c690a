"""Twins of the states of an automaton whose texts are bounded in length, see `network.twins`."""

from __future__ import annotations

import numpy as np

from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.moves import FAR
from grammars.kernels.options import entry, i64, kernel
from grammars.network import operations as op
from grammars.network.network import Ints
from grammars.network.twins import MOST, packed
from grammars.vocabulary.breaks import BLANK, LETTER, RARE, kinds_in

# Characters for which states agree that may be twins.
_FEWEST = 4
# Cells of tables looked at for either kind of slack, for each pair; where they run out, states agree for no longer.
_CELLS_A_PAIR = 64
_TWINS = op.TWINS


def twins_of_pairs(
    dfa: Dfa, state_of: Ints, length_of: Ints, low: int, high: int, farthest: int, first: int, free: Ints
) -> Ints:
    """Operations that give twins to pairs of a state and a number of characters.

    Args:
        dfa: trimmed.
        state_of, length_of: the pairs, in the order of their lengths.
        low, high: fewest and most characters of a text; `high` is `FAR` where there is no bound.
        farthest: most characters that the end is away from any state.
        first: number of the network's state for the first pair; free: of each state for which counts do not matter.
    """
    kinds = np.array([kinds_in(atom) for atom in dfa.atoms], dtype=np.uint8)
    return _twins_of_pairs(  # type: ignore[no-any-return]
        dfa.table, dfa.accepting, kinds, state_of, length_of, low, high, farthest, first, free
    )


@entry
def _twins_of_pairs(table, accepting, kinds, state_of, length_of, low, high, farthest, first, free):
    begin, most_cells = np.searchsorted(length_of, low), _CELLS_A_PAIR * len(state_of)
    if _FEWEST * table.size > most_cells:
        return np.empty(0, np.int32)
    own, is_any = accepting.astype(np.int32), np.ones(len(kinds), np.uint8)
    classes, number = _split(table, own, own, is_any)
    for _ in range(_FEWEST - 1):
        classes, number = _split(table, own, classes, is_any)
    # The first pair of a class, which has the most characters left, is the twin of all others.
    twin_of = np.full(number, -1, np.int32)
    for p in range(begin, len(state_of)):
        if twin_of[classes[state_of[p]]] < 0:
            twin_of[classes[state_of[p]]] = p
    model = np.full(len(table), -1, np.int32)
    for s in range(len(table)):
        if twin_of[classes[s]] >= 0:
            model[s] = state_of[twin_of[classes[s]]]
    chars = _slack(table, own, is_any, np.zeros(len(kinds), np.uint8), model, most_cells)
    breaks = _slack_in_breaks(table, own, kinds, model, most_cells)
    ops, used = np.empty(2 * (len(state_of) - begin) + 3 + 5 * len(free), np.int32), 3
    ops[0], ops[1], ops[2] = _TWINS, first + begin, len(state_of) - begin
    for p in range(begin, len(state_of)):
        s = state_of[p]
        twin = i64(twin_of[classes[s]])
        left = MOST if high == FAR else max(high - farthest - max(length_of[p], length_of[twin]), 0)
        ops[used], ops[used + 1] = first + twin, packed(min(i64(chars[s]), left), left, i64(breaks[s]))
        used += 2
    # Those are their own twins, so that it is known what texts cost that go on from here.
    for state in free:
        ops[used], ops[used + 1], ops[used + 2], ops[used + 3], ops[used + 4] = _TWINS, state, 1, state, 0
        used += 5
    return ops


@kernel
def _slack_in_breaks(table, own, kinds, model, most_cells):
    """For how many breaks each state agrees with its `model`.

    A state after a blank is another one, from which blanks do not count. Of each character as many columns are made as
    it has kinds: letters, what counts, and blanks that do not.
    """
    count, width = table.shape
    if 6 * table.size > most_cells:
        return np.zeros(count, np.uint8)
    after = np.full((2 * count, 3 * width), -1, np.int32)
    owns, models = np.empty(2 * count, np.int32), np.full(2 * count, -1, np.int32)
    counting, idle = np.zeros(3 * width, np.uint8), np.ones(3 * width, np.uint8)
    counting[width : 2 * width], idle[width : 2 * width] = 1, 0
    models[:count] = model
    for s in range(count):
        owns[s], owns[count + s] = own[s], own[s] + 2
        for c in range(width):
            t = table[s, c]
            if t < 0:
                continue
            if kinds[c, LETTER]:
                after[s, c] = after[count + s, c] = t
            elif kinds[c, RARE]:
                after[s, width + c] = after[count + s, width + c] = t
            if kinds[c, BLANK]:
                after[s, width + c] = after[count + s, 2 * width + c] = count + t
    return _slack(after, owns, counting, idle, models, most_cells)


@kernel
def _slack(table, own, counting, idle, model, most_cells):
    """For how many characters of the columns `counting` each state agrees with its `model`; `idle` ones do not count.

    Refines classes as Moore does (Gedanken-experiments on sequential machines, 1956), a counted character a round,
    until it has looked at so many cells.
    """
    slack, is_open, has_idle = np.zeros(len(table), np.uint8), model >= 0, idle.any()
    cells, classes, number = i64(0), np.zeros(len(table), np.int32), i64(0)
    for size in range(MOST + 1):
        before, number_before = classes, number
        if size == 0:
            classes, number = _split(table, own, before, np.zeros(len(counting), np.uint8))
        else:
            classes, number = _split(table, own, before, counting)
        cells += table.size
        while has_idle and cells <= most_cells:
            known = number
            classes, number = _split(table, classes, classes, idle)
            cells += table.size
            if number == known:
                break
        if cells > most_cells:
            return slack
        for s in range(len(table)):
            if is_open[s]:
                is_open[s] = classes[s] == classes[model[s]]
                slack[s] = size if is_open[s] else slack[s]
        if number == number_before:
            # Finer they never get.
            for s in range(len(table)):
                slack[s] = MOST if is_open[s] else slack[s]
            break
    return slack


@kernel
def _split(table, own, classes, columns):
    """Classes of states with the same `own` class that lead to the same `classes` by these columns; their number."""
    count, width = table.shape
    mask = 1
    while mask < 2 * count:
        mask *= 2
    mask -= 1
    slots, found, number = np.full(mask + 1, -1, np.int32), np.empty(count, np.int32), 0
    for s in range(count):
        key = i64(own[s])
        for c in range(width):
            if columns[c]:
                t = table[s, c]
                key = (key * 0x9E3779B1 + (classes[t] + 2 if t >= 0 else 1)) & 0x7FFFFFFF
        slot = (key ^ (key >> 15)) & mask
        while slots[slot] >= 0:
            other = slots[slot]
            alike = own[s] == own[other]
            for c in range(width):
                if not alike:
                    break
                if columns[c]:
                    t, u = table[s, c], table[other, c]
                    alike = (t < 0) == (u < 0) and (t < 0 or classes[t] == classes[u])
            if alike:
                found[s] = found[other]
                break
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot], found[s] = s, number
            number += 1
    return found, number
