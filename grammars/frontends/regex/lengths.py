"""A deterministic automaton whose texts are bounded in length, into a network.

States are counted only where the count matters: once every way on from a state fits the bounds, the state is the
automaton's own, with spans and all.
"""

from __future__ import annotations

import numpy as np

from grammars.errors import TooComplexError
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.effort import current_effort
from grammars.frontends.regex.emit import Moves, emit_states, moves_of
from grammars.frontends.regex.moves import counted_moves
from grammars.frontends.regex.tables import FAR, lengths_of
from grammars.network.builder import NetworkBuilder

# What such a state costs, in cells of tables.
_CELLS_A_COUNTED_STATE = 30
# Counted states for each state that a pattern may have: they are only emitted, never combined.
_COUNTED_PER_STATE = 5
# Pairs of a length and a state with a text so long, looked at for one language.
_MAX_PAIRS = 300_000


def longest_text(dfa: Dfa) -> int:
    """Most characters of a text of a trimmed automaton; `FAR` where there is no bound."""
    return int(lengths_of(dfa.table, dfa.accepting)[1][0])


def has_length(dfa: Dfa, low: int, high: int | None) -> bool:
    """Whether some text has `low` to `high` characters.

    Raises:
        TooComplexError: that takes longer to see than such texts could take states.
    """
    shortest, longest = lengths_of(dfa.table, dfa.accepting)
    if shortest[0] > (FAR - 1 if high is None else high) or longest[0] < low:
        return False
    if shortest[0] >= low:
        return True
    moves, most = moves_of(dfa), FAR if high is None else min(high, FAR - 1)
    number, _, target, _, ends = counted_moves(
        moves.source, moves.target, moves.which, dfa.accepting, shortest, longest, min(low, FAR), most, _MAX_PAIRS
    )
    if number > _MAX_PAIRS:
        raise TooComplexError("max_pattern_states", number, _MAX_PAIRS)
    return bool(len(ends) or (target < 0).any())


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
    shortest, longest = lengths_of(dfa.table, dfa.accepting)
    if shortest[0] >= low and longest[0] <= most:
        return int(emit_states(builder, moves, dfa.accepting, exit, escaped=escaped)[0])
    number, source, target, which, ends = counted_moves(
        moves.source, moves.target, moves.which, dfa.accepting, shortest, longest, low, most, limit
    )
    if number > limit:
        raise TooComplexError("max_pattern_states", limit + 1, limit)
    # Behind the pairs stand the states for which counts do not matter.
    tails = np.full(number, -1, dtype=np.int32)
    if len(target) and target.min() < 0:
        tails = np.append(tails, emit_states(builder, moves, dfa.accepting, exit, escaped=escaped))
        target = np.where(target < 0, number - 1 - target, target)
    accepting = np.zeros(len(tails), dtype=np.uint8)
    accepting[ends] = 1
    counted = Moves(source, target.astype(np.int32), which, moves.sets)
    start = int(emit_states(builder, counted, accepting, exit, tails, escaped=escaped)[0])
    current_effort().spend_cells(_CELLS_A_COUNTED_STATE * number, builder.limits.max_pattern_states)
    return start
