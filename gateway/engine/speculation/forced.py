"""Drafts where a constraint leaves no choice of text.

The *text* is certain then, not the tokens: a mask still allows every way to cut it into tokens, and the model chooses.
It nearly always chooses the tokenizer's own, which is what a constraint answers. Where only one *token* is allowed
there is nothing to verify, see `Speculator.take_certain`.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

from gateway.engine.masks import MaskFiller
from gateway.engine.protocols import TokenConstraint
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.base import Guess


class Forced:
    """A `Guesser` that asks the constraint."""

    name = "forced"

    def __init__(self, masks: MaskFiller) -> None:
        self._masks = masks

    def read(self, sequences: Seq[Sequence]) -> None:
        """See `Guesser.read`; the constraint knows the text."""

    def guess(self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None) -> Guess | None:
        """See `Guesser.guess`."""
        if probe is None or (not drafted and self._masks.is_open(sequence)):
            return None  # a mask that is there already tells sooner than the constraint
        tokens = probe.forced_tokens()
        return Guess(tokens, self.name, self.name) if tokens else None
