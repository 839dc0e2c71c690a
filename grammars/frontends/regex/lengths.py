"""A deterministic automaton whose texts are bounded in length, into a network.

States are counted only where the count matters: once every way on from a state fits the bounds, the state is the
automaton's own, with spans and all.
"""

from __future__ import annotations

from grammars.errors import TooComplexError
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.effort import current_effort
from grammars.frontends.regex.emit import Edges, emit_states, moves_of
from grammars.network.builder import NetworkBuilder

# What such a state costs, in cells of tables.
_CELLS_A_COUNTED_STATE = 30
# Counted states for each state that a pattern may have: they are only emitted, never combined.
_COUNTED_PER_STATE = 5
_FAR = 1 << 40
# Pairs of a length and a state with a text so long, looked at for one language.
_MAX_LENGTH_STEPS = 300_000


def shortest_texts(dfa: Dfa) -> list[int]:
    """Fewest characters from each state to the end; `_FAR` where there is no way."""
    found = [0 if accepts else _FAR for accepts in dfa.accepting]
    layer = [state for state, accepts in enumerate(dfa.accepting) if accepts]
    sources = _sources(dfa)
    while layer:
        following = []
        for state in layer:
            for source in sources[state]:
                if found[source] == _FAR:
                    found[source] = found[state] + 1
                    following.append(source)
        layer = following
    return found


def longest_texts(dfa: Dfa) -> list[int]:
    """Most characters from each state of a trimmed automaton to the end; `_FAR` where there is no bound."""
    targets = [{target for target in row if target >= 0} for row in dfa.table.tolist()]
    open_moves = [len(goals) for goals in targets]
    sources = _sources(dfa)
    found = [_FAR] * len(targets)
    ready = [state for state, count in enumerate(open_moves) if not count]
    for state in ready:
        found[state] = max((found[target] + 1 for target in targets[state]), default=0)
        for source in sources[state]:
            open_moves[source] -= 1
            if not open_moves[source]:
                ready.append(source)
    return found


def has_length(dfa: Dfa, low: int, high: int | None) -> bool:
    """Whether some text has `low` to `high` characters.

    Raises:
        TooComplexError: that takes longer to see than such texts could take states.
    """
    shortest, longest = shortest_texts(dfa), longest_texts(dfa)
    if (high is not None and shortest[0] > high) or longest[0] < low:
        return False
    targets = [{target for target in row if target >= 0} for row in dfa.table.tolist()]
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
    most = _FAR if high is None else high
    shortest, longest = shortest_texts(dfa), longest_texts(dfa)
    accepting = dfa.accepting.tolist()
    moves = [list(move.items()) for move in moves_of(dfa)]
    free: list[int] | None = None
    edges = Edges(builder, escaped)
    num_counted = size = 0
    # Of each state that is met after so many characters, where it starts; `counted` are those with edges of their own.
    met: dict[int, int] = {}
    counted: list[tuple[int, int]] = []

    def place(state: int) -> int:
        nonlocal free, num_counted
        fits = high is None or (longest[state] < _FAR and size + longest[state] <= high)
        if fits and size + shortest[state] >= low:
            if free is None:
                free = emit_states(builder, moves_of(dfa), dfa.accepting, exit, {}, escaped=escaped)
            return free[state]
        if num_counted >= limit:
            raise TooComplexError("max_pattern_states", limit + 1, limit)
        num_counted += 1
        found = builder.state()
        counted.append((state, found))
        return found

    start = place(0)
    while counted:
        layer, counted, met = counted, [], {}
        size += 1
        for state, source in layer:
            if accepting[state] and size > low:
                builder.epsilon(source, exit)
            following = []
            for target, ranges in moves[state]:
                if size + shortest[target] <= most:
                    if target not in met:
                        met[target] = place(target)
                    following.append((met[target], ranges))
            edges.add(source, following)
    edges.write()
    current_effort().spend_cells(_CELLS_A_COUNTED_STATE * num_counted, builder.limits.max_pattern_states)
    return start


def _sources(dfa: Dfa) -> list[set[int]]:
    sources: list[set[int]] = [set() for _ in dfa.table]
    for state, row in enumerate(dfa.table.tolist()):
        for target in row:
            if target >= 0:
                sources[target].add(state)
    return sources
