"""How much work all patterns of one constraint may be together."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from grammars.errors import TooComplexError

# Cells of the tables of all automata of a constraint, of which each is made and minimized in some 100 ns; other work on
# a pattern is counted as so many.
_MAX_CELLS = 5_000_000
_CELLS_A_TABLE = 2_000


class Effort:
    """The work on one constraint's patterns.

    Attributes:
        steps: what looks around took so far.
        positions: steps from position to position of patterns that were determinized.
        cells: of tables of deterministic automata that were made so far.
        refused: the patterns that were too much; none of them is tried twice.
    """

    __slots__ = ("cells", "positions", "refused", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.positions = 0
        self.cells = 0
        self.refused: set[Hashable] = set()

    def spend_cells(self, cells: int, max_states: int) -> None:
        """Takes so many cells of a table, and some for whatever else a pattern takes, or raises `TooComplexError`."""
        self.cells += cells + _CELLS_A_TABLE
        if self.cells > _MAX_CELLS:
            raise TooComplexError("max_pattern_states", max_states + 1, max_states)


class _Current(threading.local):
    """That of each thread; False: it was not asked for yet."""

    effort: Effort | bool | None = None


_CURRENT = _Current()


class SharedEffort:
    """While it is entered, everything that this thread does is work on one constraint."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before, _CURRENT.effort = _CURRENT.effort, False

    def __exit__(self, *_: object) -> None:
        _CURRENT.effort = self._before


def current_effort() -> Effort:
    """That of the constraint that this thread is compiling; while it compiles none, a new one."""
    effort = _CURRENT.effort
    if isinstance(effort, Effort):
        return effort
    new = Effort()
    if effort is False:
        _CURRENT.effort = new
    return new
