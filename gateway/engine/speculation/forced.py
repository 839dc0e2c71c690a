"""Drafts where a constraint leaves no choice of text.

The *text* is certain then, not the tokens: a mask still allows every way to cut it into tokens, and the model chooses.
It nearly always chooses the tokenizer's own, which is what a constraint answers. Where only one *token* is allowed
there is nothing to verify, see `Speculator.take_certain`.
"""

from __future__ import annotations

from collections.abc import Callable
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

    def may_guess(self, sequences: Seq[Sequence]) -> list[Sequence]:
        """See `Guesser.may_guess`: a mask that is there already tells sooner than the constraint."""
        return [each for each in sequences if each.constraint is not None and not self._masks.is_open(each)]

    def guess(
        self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None, is_worth: Callable[[str], bool]
    ) -> Guess | None:
        """See `Guesser.guess`."""
        tokens = probe.forced_tokens() if probe is not None and is_worth(self.name) else []
        return Guess(tokens, self.name, [self.name] * len(tokens)) if tokens else None
