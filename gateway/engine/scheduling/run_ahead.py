"""Choice between drafts and running ahead: starting a step before the tokens of the one before it are known.

A device computes the next step while the host reads what the last one brought, accepts it, and fills masks. Drafts need
the tokens first. So there are two ways to run, and measured tokens a second decide for each size of the batch.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

TRIAL = 16
"""Steps of each way at the beginning of every period."""
PERIOD = 512
KEPT = 0.9
"""What a measured speed counts after the next one."""


@dataclass(slots=True)
class _Speeds:
    """Measured speed of steps of about as many rows, in tokens a second: with drafts, and ahead."""

    num_steps: int = 0
    measured: list[float] = field(default_factory=lambda: [0.0, 0.0])


class AheadChoice:
    """Chooses between drafts and running ahead, by the measured speed for about as many rows.

    Use: `choose` before a step of answers alone, which changes nothing; `observe` behind it.
    """

    def __init__(self) -> None:
        self._speeds: defaultdict[int, _Speeds] = defaultdict(_Speeds)

    def choose(self, rows: int) -> bool:
        """True if the next step is to run ahead."""
        speeds = self._speeds[rows.bit_length()]
        at = speeds.num_steps % PERIOD
        if at < 2 * TRIAL:
            return at >= TRIAL
        with_drafts, ahead = speeds.measured
        return ahead > with_drafts

    def observe(self, rows: int, is_ahead: bool, tokens: int, seconds: float) -> None:
        """Learn from the tokens and time of a step."""
        speeds = self._speeds[rows.bit_length()]
        speeds.num_steps += 1
        speed = tokens / seconds
        speeds.measured[is_ahead] = KEPT * (speeds.measured[is_ahead] or speed) + (1 - KEPT) * speed
