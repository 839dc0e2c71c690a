"""Drafts: tokens from a cheap source, several of which the model verifies at once.

A step of a decoding sequence computes its pending tokens, followed by a draft:

    token_ids   ... | computed | pending (at least one) |
    rows                       | pending ............... | d1 | d2 | ... | dk |
    logits of                                        last,  d1,  d2, ...,  dk

The row of the last pending token verifies d1, that of d1 verifies d2, and so on: the sampler chooses a token from each
row exactly as in a plain step, with the mask of the real state, and the sequence continues with the next row while the
chosen token is the drafted one. So a draft is never part of the text before it is chosen, and does not affect
constraints, stop strings and seeds. Keys and values of refused drafts are beyond `num_computed` and are overwritten.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from gateway.engine.sequence import Sequence


@dataclass(slots=True)
class Draft:
    """Tokens proposed to follow the text of one sequence.

    Attributes:
        token_ids: May be empty.
        kinds: Of each token; those of a kind are right about equally often. The first word is the source, by which
            drafts are counted.
        probabilities: What each token was drawn from: after the mask and the warpers, summing to one. Given, they are
            verified by rejection sampling. None: certain proposals (or drawn with the very number that the target will
            draw with), verified by the plain draw. Shapes: [len(token_ids), vocab_size].
    """

    token_ids: list[int]
    kinds: list[str]
    probabilities: Tensor | None = None


class Drafter(Protocol):
    """A source of drafts that takes a forward pass. Called by the thread that steps the engine.

    What it keeps about a text it keeps in `sequence.memory` (see `warpers.base.remembered`), where it ends with the
    sequence. A drafter that raises is never asked again; that harms no request.

    Attributes:
        name: Of the source, for figures and settings.
        reading_s: Seconds of the last call in which it read what it had missed of texts.
    """

    name: str
    reading_s: float

    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        """Return a draft for each sequence, of at most `lengths` tokens.

        Every sequence is about to decode: its prompt was read, `num_pending >= 1` of its newest tokens are not computed
        yet, and its `block_table` has room for those and for the draft.

        A token that cannot come (beyond the vocabulary, outside the grammar) is refused like any; it is no error.
        """

    def count_unread(self, sequence: Sequence) -> int:
        """Return the number of tokens to be read before it can propose; those read in passing do not count."""
