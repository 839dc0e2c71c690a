"""`CompiledGrammar`: a constraint ready for matching."""

from __future__ import annotations

import numpy as np

from grammars.automaton import Automaton
from grammars.explanation import Explanation, explain
from grammars.matcher import Matcher, fill_masks


class CompiledGrammar(Automaton):
    """A constraint on a vocabulary, shared by all its matchers.

    Thread-safe: its matchers may be used from several threads, one thread a matcher. Kernels run one at a time for each
    compiled constraint: those for batches, and all that takes long, without the GIL.
    """

    def matcher(self) -> Matcher:
        """A matcher at the beginning of the text."""
        return Matcher(self)

    def explain(self) -> Explanation:
        """What is enforced by masks and what by guards, with the shortest example and the network's size."""
        return explain(self)

    def rehearse(self) -> None:
        """Loads the machine code of what matchers are asked for, before one of them waits for it."""
        self.touch()
        # So kernels know the types of what they are given, too.
        matcher = Matcher(self)
        row = np.zeros(self.num_words, dtype=np.uint32)
        matcher.fill_mask(row)
        fill_masks([matcher], row[None])
        matcher.accept(0)
        self.matcher().is_complete  # noqa: B018
