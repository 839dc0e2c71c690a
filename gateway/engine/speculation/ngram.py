"""Drafts from the text itself: what followed the last tokens when they stood there before.

Answers copy from prompts: names, values, code, passages that are to be corrected.

See: Saxena, "Prompt Lookup Decoding" (2023).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from collections.abc import Sequence as Seq

from gateway.engine.protocols import TokenConstraint
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.base import Guess
from gateway.engine.warpers.base import remembered

SHORTEST, LONGEST = 2, 4
"""Tokens of a run that is looked for: what follows a single one says nothing."""
MOST_GUESSED = 8
"""Tokens of one guess."""
MOST_SEARCHED = 1 << 15
"""Tokens at the end of a text that are looked through: 1 us a thousand where nothing is found."""
WIDTH = array("i").itemsize
"""Bytes of a token."""


class Ngram:
    """A `Guesser`: the longest run of last tokens that occurred before decides, and its last occurrence.

    Each token guessed makes the run longer, and is trusted accordingly.
    """

    name = "ngram"

    def may_guess(self, sequences: Seq[Sequence]) -> list[Sequence]:
        """See `Guesser.may_guess`: those that end in a pair of tokens that occurred before."""
        return [each for each in sequences if remembered(each, _Text).has_pair(each.token_ids)]

    def guess(
        self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None, is_worth: Callable[[str], bool]
    ) -> Guess | None:
        """See `Guesser.guess`."""
        tail = (sequence.token_ids[-LONGEST:] + drafted)[-LONGEST:]
        for length in range(len(tail), SHORTEST - 1, -1):
            if is_worth(TRUST[length]):
                tokens = remembered(sequence, _Text).after(sequence.token_ids, tail[-length:])
                if tokens:
                    return Guess(tokens, self.name, TRUST[length:] + TRUST[-1:] * len(tokens))
        return None


TRUST = [f"{Ngram.name} {length}" for length in range(LONGEST + 1)]


class _Text:
    """The pairs of tokens in a text, which say soon that nothing is found; and its bytes, which are searched fast."""

    def __init__(self, sequence: Sequence) -> None:
        self._pairs: set[int] = set()
        self._num_read = max(SHORTEST, sequence.num_prompt_tokens - MOST_SEARCHED)
        self._data = bytearray()

    def has_pair(self, tokens: list[int]) -> bool:
        """True if the last two tokens stood beside each other before. Takes note of the tokens that are new."""
        for at in range(self._num_read, len(tokens)):
            self._pairs.add(tokens[at - 2] << 32 | tokens[at - 1])
        self._num_read = max(len(tokens), SHORTEST)
        return len(tokens) >= SHORTEST and tokens[-2] << 32 | tokens[-1] in self._pairs

    def after(self, tokens: list[int], run: list[int]) -> list[int]:
        """What came after these tokens when they stood there last; empty where they did not."""
        self._data += array("i", tokens[len(self._data) // WIDTH :]).tobytes()
        sought, stop = array("i", run).tobytes(), len(self._data) - WIDTH
        start = max(stop - WIDTH * MOST_SEARCHED, 0)
        found = self._data.rfind(sought, start, stop)
        while found > 0 and found % WIDTH:  # not where a token begins
            found = self._data.rfind(sought, start, found + len(sought) - 1)
        first = found + len(sought)
        return array("i", bytes(self._data[first : first + WIDTH * MOST_GUESSED])).tolist() if found >= 0 else []
