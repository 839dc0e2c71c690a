"""No run of tokens twice."""

from __future__ import annotations

from array import array

import numpy as np

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import NONE, Ban, TokenIds
from gateway.engine.warpers.base import remembered


class NoRepeatNgram(Ban):
    """A token that would write a run of `no_repeat_ngram_size` tokens for the second time is out of reach.

    Prompt and answer count. Size 1 forbids every token that was ever there, an end of sequence in the prompt included.

    See: Paulus et al., "A Deep Reinforced Model for Abstractive Summarization" (2018), section 2.5.
    """

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """See `Ban.concerns`."""
        return sequence.sampling.no_repeat_ngram_size > 0

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """See `Ban.banned`."""
        followers = remembered(sequence, _Followers)
        followers.read(sequence.token_ids, self._context.vocab_size)
        return followers.after(sequence.token_ids, tail)


class _Followers:
    """What came after each run of `size - 1` tokens.

    Read once, token by token: a step costs one entry and one look-up, however long the text is.
    """

    def __init__(self, sequence: Sequence) -> None:
        self._length = sequence.sampling.no_repeat_ngram_size - 1
        self._followers: dict[tuple[int, ...], array[int]] = {}
        self._num_read = self._length

    def read(self, text: list[int], vocab_size: int) -> None:
        """Take note of the tokens that are new."""
        for index in range(self._num_read, len(text)):
            if text[index] >= vocab_size:
                continue  # a prompt may hold tokens that have no score
            run = tuple(text[index - self._length : index])
            self._followers.setdefault(run, array("q")).append(text[index])
        self._num_read = max(self._num_read, len(text))

    def after(self, text: list[int], tail: list[int]) -> TokenIds:
        """What came after the run that text and tail end in; empty if it is new, or they are shorter than a run."""
        length = self._length
        end = text[max(len(text) - length, 0) :] + tail
        if len(end) < length:
            return NONE
        run, stop = end[len(end) - length :], len(end)
        found = list(self._followers.get(tuple(run), ()))
        found += [end[at] for at in range(max(length, stop - len(tail)), stop) if end[at - length : at] == run]
        return np.array(found, dtype=np.int64)
