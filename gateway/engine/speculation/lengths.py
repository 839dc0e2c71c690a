"""How much a drafter is asked for that costs time itself: as much as makes tokens come fastest.

A step without drafts brings `tokens` in `seconds`. A further position of the draft costs the drafter a pass for those
sequences that take part, and the step a row for each; it brings what the chances of being accepted say, which shrink
from position to position. At a given rate a token is worth its time if it brings more than that rate would in it; the
rate of all that is worth its time is the next to be given, until it grows no more.

Before its first draft of a text the drafter must read the text. How long the answer will be is not known, and most are
short; so a text is read once drafts of it would have saved, in the tokens so far, the time that reading takes. Whatever
the length, at most twice the unavoidable time is lost by that.

See: Dinkelbach, "On Nonlinear Fractional Programming" (1967), for the rate; Karlin et al., "Competitive Snoopy Caching"
(1988), for the rule that one buys when one has paid the price in rent.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass

from gateway.engine.sequence import Sequence


@dataclass(slots=True)
class DraftCost:
    """What a drafter takes to propose, in seconds.

    Attributes:
        fixed: For one more position, for however many sequences.
        each: And for each of these.
        reading: For one token of a text that it has not read.
    """

    fixed: float = 0.0
    each: float = 0.0
    reading: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """The step that is about to be drafted for.

    Attributes:
        tokens: That it brings without the drafter.
        seconds: That it takes.
        row: What it takes longer with one row more.
    """

    tokens: float
    seconds: float
    row: float


class Rent:
    """What drafts of a text would have saved so far, in seconds."""

    def __init__(self, sequence: Sequence) -> None:
        self.paid = 0.0


def choose_lengths(chances: Seq[float], most: Seq[int], step: Step, cost: DraftCost) -> tuple[list[int], float]:
    """How many tokens to draft for each sequence, and how many seconds that saves.

    Args:
        chances: Of each token of a sequence to be accepted, after those before it were.
        most: Tokens that a sequence may get.
    """
    lengths, tokens, seconds = [0] * len(chances), step.tokens, step.seconds
    rate = tokens / seconds
    while True:
        longer, gain, extra = _worth(chances, most, step, cost, rate)
        if not (step.tokens + gain) / (step.seconds + extra) > rate:  # ends where a number is none, too
            return lengths, tokens * step.seconds / step.tokens - seconds
        lengths, tokens, seconds = longer, step.tokens + gain, step.seconds + extra
        rate = tokens / seconds


def _worth(
    chances: Seq[float], most: Seq[int], step: Step, cost: DraftCost, rate: float
) -> tuple[list[int], float, float]:
    """The drafts that bring most beyond `rate` tokens for each of their seconds, their tokens and their seconds."""
    each = cost.each + step.row
    reached, lengths = [0] * len(chances), [0] * len(chances)
    tokens = seconds = best_tokens = best_seconds = 0.0
    for position in range(1, max(most, default=0) + 1):
        gains = {
            index: chance**position
            for index, chance in enumerate(chances)
            if most[index] >= position and chance**position > rate * each
        }
        if not gains:
            break
        for index in gains:
            reached[index] = position
        tokens += sum(gains.values())
        seconds += cost.fixed + len(gains) * each
        if tokens - rate * seconds > best_tokens - rate * best_seconds:
            lengths, best_tokens, best_seconds = reached.copy(), tokens, seconds
    return lengths, best_tokens, best_seconds
