"""How much work all patterns of one constraint may be together."""

from __future__ import annotations

from contextvars import ContextVar

from grammars.errors import TooComplexError

# Cells of the tables of all automata of a constraint, of which each is made and minimized in some 100 ns; other work on
# a pattern is counted as so many.
_MAX_CELLS = 5_000_000
_CELLS_A_TABLE = 2_000
# For each state that there may be: steps from place to place of one pattern, and of all patterns of a constraint.
_STEPS_PER_STATE, _STEPS_TOGETHER = 40, 120


class Effort:
    """The work on one constraint's patterns: while it is entered, everything that this thread does is.

    Attributes:
        steps: from place to place of all patterns, see `Budget`.
        cells: of tables of deterministic automata that were made so far.
    """

    __slots__ = ("_outer", "cells", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.cells = 0

    def __enter__(self) -> None:
        self._outer = _CURRENT.set(self)

    def __exit__(self, *_: object) -> None:
        _CURRENT.reset(self._outer)

    def spend_cells(self, cells: int, max_states: int) -> None:
        """Takes so many cells of a table, and some for whatever else a pattern takes, or raises `TooComplexError`."""
        self.cells += cells + _CELLS_A_TABLE
        if self.cells > _MAX_CELLS:
            raise TooComplexError("max_pattern_states", max_states + 1, max_states)


_CURRENT = ContextVar[Effort | None]("effort", default=None)


def current_effort() -> Effort:
    """That of the constraint that this thread is compiling; while it compiles none, a new one."""
    return _CURRENT.get() or Effort()


class Budget:
    """Steps that the work on one pattern may take, and all patterns of a constraint together."""

    def __init__(self, max_states: int) -> None:
        self._max_states = max_states
        self._left, self._most = _STEPS_PER_STATE * max_states, _STEPS_TOGETHER * max_states
        self._effort = current_effort()

    @property
    def left(self) -> int:
        """So many steps may still be taken."""
        return min(self._left, self._most - self._effort.steps)

    def spend(self, steps: int) -> None:
        """Takes so many steps, or raises `TooComplexError`."""
        self._left -= steps
        self._effort.steps += steps
        if self._left < 0 or self._effort.steps > self._most:
            raise TooComplexError("max_pattern_states", self._max_states + 1, self._max_states)
