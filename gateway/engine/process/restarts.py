"""When a process that died is started again, and when it is given up."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.engine.errors import InvalidEngineConfigError

STABLE_S = 60.0
"""Whoever served so long did not die of its start, so its death is counted as the first."""

FIRST_DELAY_S = 0.5
MAX_DELAY_S = 30.0
MAX_DELAY_OF_ANSWERING_S = 1.0
"""Whoever gave out tokens can serve, so the next one that does is not far off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """How patient the supervisor is, in seconds.

    Attributes:
        start_timeout_s: For the process to come up and load the model.
        hang_timeout_s: Without a sign from its step loop: then it is ended. Longer than the longest step.
        restart_wait_s: That a request waits for a process that is starting again.
        max_restarts: Starts in a row of a process that dies soon; then it is given up. None: never, with pauses that
            grow up to `MAX_DELAY_S`, or `MAX_DELAY_OF_ANSWERING_S` while it answers before it dies.
    """

    start_timeout_s: float = 600.0
    hang_timeout_s: float = 60.0
    restart_wait_s: float = 15.0
    max_restarts: int | None = None

    def __post_init__(self) -> None:
        for name in ("start_timeout_s", "hang_timeout_s"):
            if getattr(self, name) <= 0:
                raise InvalidEngineConfigError(f"{name} must be positive, not {getattr(self, name)}")

    @property
    def beat_s(self) -> float:
        """Longest silence of a step loop that turns: several fit into the time that is taken for a hang."""
        return min(1.0, self.hang_timeout_s / 4)


class Restarts:
    """Counts deaths in a row."""

    def __init__(self, max_restarts: int | None) -> None:
        self._max_restarts = max_restarts
        self._num_deaths = 0

    def delay_after(self, served_s: float, *, has_answered: bool) -> float | None:
        """Seconds to wait after one more death; None: no more. The first time nothing is waited for.

        Args:
            served_s: How long the process that died had served.
            has_answered: Whether it gave out any token.
        """
        self._num_deaths = 1 if served_s >= STABLE_S else self._num_deaths + 1
        if self._max_restarts is not None and self._num_deaths > self._max_restarts:
            return None
        most = MAX_DELAY_OF_ANSWERING_S if has_answered else MAX_DELAY_S
        return min(most, FIRST_DELAY_S * 2.0 ** min(self._num_deaths - 2, 30)) if self._num_deaths > 1 else 0.0
