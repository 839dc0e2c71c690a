"""Words that may not be written."""

from __future__ import annotations

import numpy as np

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import Ban, TokenIds
from gateway.engine.warpers.base import remembered


class BadWords(Ban):
    """The last token of a bad word is out of reach where the text ends in the tokens before it.

    The text is prompt and answer, so a word that begins in the prompt is not finished either.
    """

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """See `Ban.concerns`."""
        return bool(sequence.sampling.bad_words_ids)

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """See `Ban.banned`."""
        return remembered(sequence, _Beginnings).endings(sequence.token_ids, tail)


class _Beginnings:
    """From the beginning of a word to the tokens that would finish one.

    A step looks up one beginning for each length that occurs, however many words there are.
    """

    def __init__(self, sequence: Sequence) -> None:
        endings: dict[tuple[int, ...], set[int]] = {}
        for word in sequence.sampling.bad_words_ids:
            endings.setdefault(tuple(word[:-1]), set()).add(word[-1])
        self._always = np.array(sorted(endings.pop((), ())), dtype=np.int64)
        self._endings = {start: np.array(sorted(ends), dtype=np.int64) for start, ends in endings.items()}
        self._lengths = sorted({len(start) for start in self._endings})

    def endings(self, text: list[int], tail: list[int]) -> TokenIds:
        """The tokens that would finish a word here."""
        end = text[-self._lengths[-1] :] + tail if self._lengths else tail
        starts = (tuple(end[-length:]) for length in self._lengths)
        found = [tokens for tokens in map(self._endings.get, starts) if tokens is not None]
        return np.concatenate([self._always, *found]) if found else self._always
