"""Estimates from measured steps: the time that rows cost, and the prompt tokens that a step may read."""

from __future__ import annotations

PATIENCE = 4.0
"""What prompts may add to a step of answers alone, in parts of its time."""
LEAST_TOKENS = 16
"""What a step reads in any case: of less nearly all would be what any step costs."""
PROBE = 16
"""One in so many steps reads no more, so that what answers alone cost is learnt again."""
KEPT = 0.9
"""What an observed time counts after the next one."""
HALF_LIFE = 64
"""Steps after which an observed time counts half."""
USUAL_RATIO = 1 / 64
"""Cost of a row, as a part of a step's fixed cost, before there are observations."""
RATIOS = (1 / 512, 1.0)
"""Noise may not persuade us of less, or of more."""


class StepCost:
    """Time of a step by its rows: a line through measured times, by weighted least squares."""

    def __init__(self) -> None:
        self._sums = [0.0] * 5  # of 1, rows, rows^2, seconds, rows * seconds

    def observe(self, rows: int, seconds: float) -> None:
        """Learn from a step of decodes and drafts alone."""
        expected = self._sums[3] / self._sums[0] if self._sums[0] else seconds
        seconds = min(seconds, 4 * expected)  # another process had the processor
        fixed, each = self.line
        if (
            self._sums[0] and 4 * seconds < fixed + each * rows
        ):  # another process had it, or kernels were being compiled
            self._sums[3:] = [value / 2 for value in self._sums[3:]]
        keep = 0.5 ** (1 / HALF_LIFE)
        new = (1.0, rows, rows * rows, seconds, rows * seconds)
        self._sums = [keep * old + value for old, value in zip(self._sums, new, strict=True)]

    @property
    def is_known(self) -> bool:
        """True if there are observations."""
        return self._sums[0] > 0

    @property
    def line(self) -> tuple[float, float]:
        """`fixed` and `each`, in seconds."""
        count, rows, squares, seconds, products = self._sums
        if count == 0:
            return 1.0, USUAL_RATIO
        mean_rows, mean_seconds = rows / count, seconds / count
        spread = squares / count - mean_rows * mean_rows
        ratio = USUAL_RATIO
        if spread > 0.01 * mean_rows * mean_rows:  # else all steps are alike, and there is nothing to be seen
            each = (products / count - mean_rows * mean_seconds) / spread
            fixed = mean_seconds - each * mean_rows
            ratio = min(max(each / fixed, RATIOS[0]), RATIOS[1]) if fixed > 0 else RATIOS[1]
        fixed = mean_seconds / (1 + ratio * mean_rows)
        return fixed, ratio * fixed

    def seconds(self, rows: int) -> float:
        """Return the time of a step of this many rows."""
        fixed, each = self.line
        return fixed + each * rows

    def least_chance(self, num_decodes: int) -> float:
        """Return the acceptance probability above which a drafted row pays, beside this many sequences.

        It makes the step longer for all of them, and saves one of them a step: of the other rows' part, and its own.
        """
        fixed, each = self.line
        return num_decodes * each / (fixed + num_decodes * each)


class PrefillBudget:
    """Bounds the prompt tokens of a step by the time that they add to answers.

    Attributes:
        cost: What rows of answers cost.
    """

    def __init__(self) -> None:
        self.cost = StepCost()
        self._token_s = 0.0
        self._asked = 0

    def observe(self, rows: int, tokens: int, seconds: float) -> None:
        """Learn from the time of a step. Args: rows: Of answers. tokens: Of prompts."""
        if rows and tokens <= LEAST_TOKENS:
            self.cost.observe(rows, max(seconds - tokens * self._token_s, seconds / 2))
        elif tokens > LEAST_TOKENS and (self.cost.is_known or not rows):
            each = max(seconds - (self.cost.seconds(rows) if rows else 0.0), 0.0) / tokens
            known = self._token_s or each
            # At most four times the known value: another process had the processor.
            self._token_s = KEPT * known + (1 - KEPT) * min(each, 4 * known)

    def most_tokens(self, rows: int) -> int | None:
        """Return the prompt tokens that a step may read beside this many rows of answers; None: any number."""
        if not rows or not self._token_s:
            return None
        self._asked += 1
        if not self.cost.is_known or self._asked % PROBE == 0:
            return LEAST_TOKENS
        return max(LEAST_TOKENS, int(PATIENCE * self.cost.seconds(rows) / self._token_s))
