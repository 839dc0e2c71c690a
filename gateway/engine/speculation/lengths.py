"""How much a drafter is asked for that costs time itself: as much as makes tokens come fastest.

A step without drafts brings `tokens` in `seconds`. A further position of the draft costs the drafter a pass for those
sequences that take part, and the step a row for each; it brings what the chances of being accepted say, which shrink
from position to position. So positions are added one by one, for the likeliest sequences first, while the rate grows.

Before its first draft of a text the drafter must read the text. How long the answer will be is not known, and most are
short; so a text is read once drafts of it would have saved, in the tokens so far, the time that reading takes. Whatever
the length, at most twice the unavoidable time is lost by that.

See: Karlin et al., "Competitive Snoopy Caching" (1988), for the rule that one buys when one has paid the price in rent.
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
    lengths = [0] * len(chances)
    order = sorted(range(len(chances)), key=lambda index: -chances[index])
    tokens, seconds = step.tokens, step.seconds
    for position in range(1, max(most, default=0) + 1):
        able = [index for index in order if lengths[index] == position - 1 and most[index] >= position]
        gain, chosen = 0.0, (0, tokens, seconds)
        for count, index in enumerate(able, 1):
            gain += chances[index] ** position
            longer = seconds + cost.fixed + count * (cost.each + step.row)
            if (tokens + gain) * chosen[2] > chosen[1] * longer:
                chosen = count, tokens + gain, longer
        count, tokens, seconds = chosen
        if count == 0:
            break
        for index in able[:count]:
            lengths[index] = position
    return lengths, tokens * step.seconds / step.tokens - seconds
