"""How much to draft: only what brings more than it costs.

A row more makes the step of *all* sequences longer; a token more saves *one* of them a step. With a step of

    seconds = fixed + each * rows

and B sequences that decode, a drafted row costs B * each seconds of waiting in all, and saves fixed + each * B if it is
accepted. So it is worth its row where its chance of being accepted is at least

    B * each / (fixed + B * each)

which is near zero for one sequence, and approaches one where a step is as long as its rows. `fixed` and `each` are
learnt from the steps themselves, chances from what became of earlier drafts.
"""

from __future__ import annotations

from gateway.engine.sequence import Sequence

HALF_LIFE = 64
"""Steps after which an observed time counts half."""
USUAL_RATIO = 1 / 16
"""`each / fixed`, until there are observations to tell it from."""
RATIOS = (1 / 512, 1.0)
"""Noise may not persuade us of less, or of more."""
FADING = 0.9
"""What an outcome counts after the next of the same sequence and kind."""
PRIOR_WEIGHT = 2.0
"""Outcomes of this sequence that weigh as much as what is known of others."""
CHEAP = 0.01
"""What guessing may take in any case, in parts of a step."""
PATIENCE = (8, 128)
"""Drafts left out before one is tried again: at first, and at most."""
TRIED = 8
"""Of so many steps one, and of so many texts one, where guessing does not pay: little of their time."""


class StepCost:
    """What rows cost: a line through the times of steps, by weighted least squares."""

    def __init__(self) -> None:
        self._sums = [0.0] * 5  # of 1, rows, rows^2, seconds, rows * seconds

    def observe(self, rows: int, seconds: float) -> None:
        """Learn from a step of decodes and drafts alone."""
        expected = self._sums[3] / self._sums[0] if self._sums[0] else seconds
        seconds = min(seconds, 4 * expected)  # somebody else had the processor
        fixed, each = self.line
        if self._sums[0] and 4 * seconds < fixed + each * rows:  # somebody had it, or kernels were being compiled
            self._sums[3:] = [value / 2 for value in self._sums[3:]]
        keep = 0.5 ** (1 / HALF_LIFE)
        new = (1.0, rows, rows * rows, seconds, rows * seconds)
        self._sums = [keep * old + value for old, value in zip(self._sums, new, strict=True)]

    @property
    def is_known(self) -> bool:
        """Whether there are observations."""
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

    def least_chance(self, num_decodes: int) -> float:
        """The chance from which on a row pays, beside so many sequences."""
        fixed, each = self.line
        return num_decodes * each / (fixed + num_decodes * each)


class Worth:
    """Whether guessing pays, by what it saved and what it took in the last steps that guessed.

    Where it does not, one step in `TRIED` guesses for one text in `TRIED`, by turns, until that pays.
    """

    def __init__(self) -> None:
        self._balance = 0.0
        self._num_left_out = 0

    def select(self, sequences: list[Sequence]) -> list[Sequence]:
        """The texts to guess for in this step."""
        if self._balance >= 0:
            return sequences
        self._num_left_out += 1
        turn, is_next = divmod(self._num_left_out, TRIED)
        size = max(min(TRIED, len(sequences)), 1)
        return [] if is_next else sequences[turn % size :: size]

    def book(self, saved: float, spent: float, step: float) -> None:
        """A step guessed. Args: saved, spent: Seconds. step: What it takes without guesses."""
        if self._balance < 0:  # a try
            self._balance = 0.0 if saved >= spent else -1.0
        else:
            self._balance = FADING * self._balance + saved + CHEAP * step - spent


class Trust:
    """How often guesses of each kind were right, in the text of one sequence.

    A kind that is not worth its rows is left out, and tried again after a while that doubles with each failure.
    """

    def __init__(self, sequence: Sequence) -> None:
        self._outcomes: dict[str, tuple[float, float]] = {}  # right, all; fading
        self._waits: dict[str, tuple[int, int]] = {}  # drafts to leave out, and after the next failure

    def chance(self, kind: str, usual: float) -> float:
        """Of the next token, after those before it were right. Args: usual: what it is in other texts."""
        right, tried = self._outcomes.get(kind, (0.0, 0.0))
        return (right + PRIOR_WEIGHT * usual) / (tried + PRIOR_WEIGHT)

    def learn(self, kind: str, is_right: bool) -> None:
        """A token of this kind was verified."""
        right, tried = self._outcomes.get(kind, (0.0, 0.0))
        self._outcomes[kind] = FADING * right + is_right, FADING * tried + 1
        if is_right:
            self._waits.pop(kind, None)
        elif kind in self._waits:
            self._waits[kind] = (self._waits[kind][1], min(2 * self._waits[kind][1], PATIENCE[1]))

    def is_tried_again(self, kind: str) -> bool:
        """Whether a kind that is not worth it is due for a try; called once for each draft it would begin."""
        left, following = self._waits.setdefault(kind, (PATIENCE[0], 2 * PATIENCE[0]))
        self._waits[kind] = (max(left - 1, 0), following)
        return left == 0
