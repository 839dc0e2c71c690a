"""What the conjunctions of one schema may cost."""

from __future__ import annotations

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.bundle import Goal, goal_pointer
from grammars.limits import Limits

# Conjunctions made for one schema: the fuel that bounds the time of its compilation. Where it runs out, the goal at
# hand is widened, and so much is there for the rest, half as much the next time.
_MAX_STEPS = 15_000
_REFILL_STEPS = 4_000
# Pairs of bundles that are compared in the time of one such step, schemas asked about a member.
PAIRS_A_STEP = 64
LOOKS_A_STEP = 64
# How often a bundle is asked about a value, for each value that an enum may have.
_LOOKS_A_VALUE = 1.5


class Fuel:
    """The steps that are left.

    Args:
        limits: `max_enum_values` bounds the values that are looked at.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._fuel: float = _MAX_STEPS
        self._refill = _REFILL_STEPS
        self._num_values = 0
        self._is_wide = self._has_given_up = False

    def _spend(self, steps: float, goal: Goal) -> None:
        self._fuel -= steps
        if self._fuel < 0:
            self._give_up(f"a schema whose choices take more than {_MAX_STEPS} steps", goal)
        if self._fuel < -_MAX_STEPS / 2:
            raise UnsupportedError(
                f"a schema that even without its choices takes {_MAX_STEPS // 2} steps", goal_pointer(goal)
            )

    def may_look(self, num_looks: int, goal: Goal = ()) -> bool:
        """Pays for looks at what schemas say about members; False where the goal is widened and can pay no more."""
        self._spend(num_looks / LOOKS_A_STEP, goal)
        return self._fuel >= 0

    def look_at_value(self) -> None:
        """Counts the given values, and the values inside of them, that a bundle was asked about; refuses too many."""
        self._num_values += 1
        most = int(_LOOKS_A_VALUE * self.limits.max_enum_values)
        if self._num_values > most:
            raise TooComplexError("max_enum_values", self._num_values, most)

    def _give_up(self, what: str, goal: Goal) -> None:
        """Stops unless the goal is being widened."""
        if not self._is_wide:
            self._has_given_up = True
            raise UnsupportedError(what, goal_pointer(goal))
