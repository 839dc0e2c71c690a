"""How much of the prompts is read beside answers under way: as much as their step can bear.

A step of answers alone is short, and one that reads a prompt as well is as long as what it reads. So beside answers a
step may take `1 + PATIENCE` times as long as without prompts, and no longer. Where a step costs the same whatever is in
it, as on a GPU, that is no bound at all; where nobody answers there is none either.
"""

from __future__ import annotations

from gateway.engine.speculation.adaptive import StepCost

PATIENCE = 4.0
"""What prompts may add to a step of answers alone, in parts of its time."""
LEAST_TOKENS = 16
"""What a step reads in any case: of less nearly all would be what any step costs."""
KEPT = 0.9
"""What an observed time counts after the next one."""


class Pace:
    """Learns from the times of steps.

    Attributes:
        cost: What rows of answers cost.
    """

    def __init__(self) -> None:
        self.cost = StepCost()
        self._token_s = 0.0

    def observe(self, rows: int, tokens: int, seconds: float) -> None:
        """A step took so long. Args: rows: Of answers. tokens: Of prompts."""
        if not tokens:
            self.cost.observe(rows, seconds)
        elif tokens >= LEAST_TOKENS and self.cost.is_known:
            each = max(seconds - self._alone_s(rows), 0.0) / tokens
            known = self._token_s or each
            # At most four times as much as was known: somebody else had the processor.
            self._token_s = KEPT * known + (1 - KEPT) * min(each, 4 * known)

    def most_tokens(self, rows: int) -> int | None:
        """Of prompts, beside so many rows of answers; None: any number."""
        if not rows or not self._token_s:
            return None
        return max(LEAST_TOKENS, int(PATIENCE * self._alone_s(rows) / self._token_s))

    def _alone_s(self, rows: int) -> float:
        fixed, each = self.cost.line
        return fixed + each * rows
