"""A deterministic automaton whose texts are bounded in length, into a network.

States are counted only where the count matters: once every way on from a state fits the bounds, the state is the
automaton's own, with spans and all.
"""

from __future__ import annotations

import numpy as np

from grammars.errors import TooComplexError
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.effort import current_effort
from grammars.frontends.regex.emit import emit_states, moves_of, spellings_of
from grammars.frontends.regex.moves import FAR, counted_moves, lengths_of, moves_of_table, written_moves
from grammars.frontends.regex.twins import twins_of_pairs
from grammars.network.builder import NetworkBuilder

# What such a state costs, in cells of tables.
_CELLS_A_COUNTED_STATE = 30
# Counted states for each state that a pattern may have: they are only emitted, never combined.
_COUNTED_PER_STATE = 5
# Pairs of a length and a state with a text so long, looked at for one language.
_MAX_LENGTH_STEPS = 300_000
_NOWHERE = np.zeros(0, dtype=np.int32)


def longest_text(dfa: Dfa) -> int:
    """Most characters of a text of a trimmed automaton; `FAR` where there is no bound."""
    source, target = moves_of_table(dfa.table)[:2]
    return int(lengths_of(source, target, dfa.accepting)[1][0])


def has_length(dfa: Dfa, low: int, high: int | None) -> bool:
    """Whether some text has `low` to `high` characters.

    Raises:
        TooComplexError: that takes longer to see than such texts could take states.
    """
    moves = moves_of_table(dfa.table)
    shortest, longest = lengths_of(moves[0], moves[1], dfa.accepting)
    if (high is not None and shortest[0] > high) or longest[0] < low:
        return False
    if shortest[0] >= low:
        return True
    targets: list[set[int]] = [set() for _ in dfa.table]
    for source, target in zip(moves[0].tolist(), moves[1].tolist(), strict=True):
        targets[source].add(target)
    layer, size, steps = {0}, 0, 0
    while layer and (high is None or size <= high):
        if size >= low and any(dfa.accepting[state] for state in layer):
            return True
        if size >= low + len(dfa.table):
            return False
        steps += 1 + len(layer)
        if steps > _MAX_LENGTH_STEPS:
            raise TooComplexError("max_pattern_states", steps, _MAX_LENGTH_STEPS)
        layer = set().union(*(targets[state] for state in layer))
        size += 1
    return False


def emit_bounded(builder: NetworkBuilder, dfa: Dfa, low: int, high: int | None, exit: int, *, escaped: bool) -> int:
    """Emits the texts of `low` to `high` characters; returns the start.

    Args:
        dfa: trimmed.

    Raises:
        TooComplexError: too many pairs of a state and a count.
    """
    limit = builder.limits.max_pattern_states * _COUNTED_PER_STATE
    # Counts beyond all texts' are the same to kernels, whose integers end.
    low, most = min(low, FAR), FAR if high is None else min(high, FAR - 1)
    moves = moves_of(dfa)
    shortest, longest = lengths_of(moves.source, moves.target, dfa.accepting)
    if shortest[0] >= low and longest[0] <= most:
        return int(emit_states(builder, moves, dfa.accepting, exit, {}, escaped=escaped)[0])
    number, source, target, which, ends, state_of, length_of = counted_moves(
        moves.source, moves.target, moves.which, dfa.accepting, shortest, longest, low, most, limit
    )
    if number > limit:
        raise TooComplexError("max_pattern_states", limit + 1, limit)
    free = _NOWHERE
    if len(target) and target.min() < 0:
        free = emit_states(builder, moves, dfa.accepting, exit, {}, escaped=escaped)
    spellings = spellings_of(builder, moves.sets, which, escaped)
    start = builder.states(number)
    builder.write_array(written_moves(source, target, which, ends, start, free, exit, *spellings))
    fewest, farthest = 0 if shortest[0] >= low else low, int(shortest.max())
    builder.write_array(twins_of_pairs(dfa, state_of, length_of, fewest, most, farthest, start, free))
    current_effort().spend_cells(_CELLS_A_COUNTED_STATE * number, builder.limits.max_pattern_states)
    return start
