"""What a drafter is, and what it proposes.

A step of a decoding sequence computes its pending tokens and, behind them, a draft:

    token_ids   ... | computed | pending (at least one) |
    rows                       | pending ............... | d1 | d2 | ... | dk |
    logits of                                        last,  d1,  d2, ...,  dk

The row of the last pending token verifies d1, that of d1 verifies d2, and so on: the sampler chooses a token from each
row exactly as in a plain step, with the mask of the real state, and the sequence goes on to the next row while the
token chosen is the token drafted. So no draft is ever part of the text before it was chosen, and constraints, stop
strings and seeds know nothing of drafts. What was computed for drafts that were not chosen stays behind `num_computed`
and is overwritten.

There are two kinds of sources. A `Guesser` costs microseconds, knows one sequence at a time, and continues what others
began; a `Drafter` costs a forward pass, and is asked about all sequences at once that nothing was guessed for.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from gateway.engine.protocols import TokenConstraint
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.lengths import DraftCost


@dataclass(slots=True)
class Draft:
    """Tokens proposed to follow the text of one sequence.

    Attributes:
        token_ids: May be empty.
        source: The `name` of the drafter; acceptance is counted for each.
        probabilities: What each token was drawn from: after the mask and the warpers, summing to one. Given, they are
            verified by rejection sampling. None: certain proposals (or drawn with the very number that the target will
            draw with), verified by the plain draw. Shapes: [len(token_ids), vocab_size].
    """

    token_ids: list[int]
    source: str
    probabilities: Tensor | None = None


class Drafter(Protocol):
    """A source of drafts that takes time. Called by the thread that steps the engine.

    What it keeps about a text it keeps in `sequence.memory` (see `warpers.base.remembered`), where it ends with the
    sequence. A drafter that raises is never asked again; that harms no request.

    Attributes:
        name: Of the source, for figures and settings.
        cost: What it takes, as far as it knows by now.
    """

    name: str
    cost: DraftCost

    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        """One draft for each sequence, of at most so many tokens.

        Every sequence is about to decode: its prompt was read, `num_pending >= 1` of its newest tokens are not computed
        yet, and its `block_table` has room for those and for the draft.

        A token that cannot come (beyond the vocabulary, outside the grammar) is refused like any; it is no error.
        """

    def count_unread(self, sequence: Sequence) -> int:
        """Tokens that it would have to read before it can propose; those that it reads in passing do not count."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Tokens that may come next, for certain enough to be worth a look.

    Attributes:
        token_ids: At least one.
        source: Acceptance is counted for each.
        kinds: Of each token, and perhaps more; tokens of a kind are right about equally often.
    """

    token_ids: list[int]
    source: str
    kinds: list[str]


class Guesser(Protocol):
    """A source that costs next to nothing.

    Attributes:
        name: Of the source, for figures and settings.
    """

    name: str

    def may_guess(self, sequences: Seq[Sequence]) -> list[Sequence]:
        """Those that it may have a guess about, as far as can be said at once."""

    def guess(
        self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None, is_worth: Callable[[str], bool]
    ) -> Guess | None:
        """What may follow the text and the tokens that were drafted so far; None where nothing comes to mind.

        Args:
            probe: The constraint as it stands behind those tokens; may be asked, not advanced.
            is_worth: Whether a token of this kind is likely enough to begin with.
        """
