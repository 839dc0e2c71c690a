"""Drafts from the text itself: what followed the last tokens when they stood there before.

Answers copy from prompts: names, values, code, passages that are to be corrected.

See: Saxena, "Prompt Lookup Decoding" (2023).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

from gateway.engine.protocols import TokenConstraint
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.base import Guess
from gateway.engine.warpers.base import remembered

LONGEST = 4
MOST_INDEXED = 1 << 15
"""Tokens at the end of a prompt that are indexed; 400 bytes and 1.4 us each."""
MOST_A_STEP = 1024
"""Tokens that are indexed in a step, of all texts together."""


class Ngram:
    """A `Guesser` of one token: the longest run of last tokens that occurred before decides, and its last occurrence.

    Token by token, since each one guessed makes the run longer that the next is looked up by; it is trusted by length.
    """

    name = "ngram"

    def read(self, sequences: Seq[Sequence]) -> None:
        """See `Guesser.read`. Of a prompt a part in each step, while the model reads it: none waits for the whole."""
        room = MOST_A_STEP
        for sequence in sequences:
            room -= remembered(sequence, _Followers).read(sequence.token_ids, room)

    def guess(self, sequence: Sequence, drafted: list[int], probe: TokenConstraint | None) -> Guess | None:
        """See `Guesser.guess`."""
        index = remembered(sequence, _Followers)
        tail = (sequence.token_ids[-LONGEST:] + drafted)[-LONGEST:]
        for length in range(len(tail), 0, -1):
            token = index.after(tail[len(tail) - length :])
            if token is not None:
                return Guess([token], self.name, TRUST[length])
        return None


TRUST = [f"{Ngram.name} {length}" for length in range(LONGEST + 1)]


class _Followers:
    """The token that came last after each run of up to `LONGEST` tokens.

    Grows by `LONGEST` entries a token, whatever is asked; the runs that a text ends in are not in it yet.
    """

    def __init__(self, sequence: Sequence) -> None:
        self._after: dict[tuple[int, ...], int] = {}
        self._num_read = max(1, sequence.num_prompt_tokens - MOST_INDEXED)

    def read(self, text: list[int], most: int) -> int:
        """Take note of the tokens that are new, at most so many; how many."""
        first, stop = self._num_read, min(self._num_read + most, len(text))
        for index in range(first, stop):
            for start in range(max(index - LONGEST, 0), index):
                self._after[tuple(text[start:index])] = text[index]
        self._num_read = max(first, stop)
        return self._num_read - first

    def after(self, run: list[int]) -> int | None:
        """What came after these tokens when they stood there last."""
        return self._after.get(tuple(run))
