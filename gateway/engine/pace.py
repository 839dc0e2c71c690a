"""How much of the prompts is read in a step that others wait for: as much as they can bear.

A step of answers alone is short, and one that reads a prompt as well is as long as what it reads. So while several
tenants have requests, a step may take `1 + PATIENCE` times as long as answers alone, and no longer. Where a step costs
the same whatever is in it, as on a GPU, that is no bound at all.
"""

from __future__ import annotations

from gateway.engine.speculation.adaptive import StepCost

PATIENCE = 4.0
"""What prompts may add to a step of answers alone, in parts of its time."""
LEAST_TOKENS = 16
"""What a step reads in any case: of less nearly all would be what any step costs."""
PROBE = 16
"""One in so many steps reads no more, so that what answers alone cost is learnt again."""
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
        self._asked = 0

    def observe(self, rows: int, tokens: int, seconds: float) -> None:
        """A step took so long. Args: rows: Of answers. tokens: Of prompts."""
        if rows and tokens <= LEAST_TOKENS:
            self.cost.observe(rows, max(seconds - tokens * self._token_s, seconds / 2))
        elif tokens > LEAST_TOKENS and (self.cost.is_known or not rows):
            each = max(seconds - self._alone_s(rows), 0.0) / tokens
            known = self._token_s or each
            # At most four times as much as was known: somebody else had the processor.
            self._token_s = KEPT * known + (1 - KEPT) * min(each, 4 * known)

    def most_tokens(self, rows: int) -> int | None:
        """Of prompts, beside so many rows of answers; None: any number."""
        if not rows or not self._token_s:
            return None
        self._asked += 1
        if not self.cost.is_known or self._asked % PROBE == 0:
            return LEAST_TOKENS
        return max(LEAST_TOKENS, int(PATIENCE * self._alone_s(rows) / self._token_s))

    def _alone_s(self, rows: int) -> float:
        fixed, each = self.cost.line if self.cost.is_known else (0.0, 0.0)
        return fixed + each * rows
