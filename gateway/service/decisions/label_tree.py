"""Labels as a tree of tokens: what begins alike is looked at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Tokens = tuple[int, ...]


class LabelTree:
    """Which tokens may come next after which, and from their probabilities those of the labels.

    Where one label begins another, both are told apart by how they end: then each is followed by the end of the answer.

    Attributes:
        children: By what was written of a label, the tokens that may follow. The first entry is that of nothing
            written; each comes after those before it.
    """

    def __init__(self, labels: Sequence[Tokens], end_tokens: Sequence[int]) -> None:
        """Args:
        labels: All different, none empty.
        end_tokens: Each of them ends an answer.
        """
        self._labels = labels
        begun = {label[:length] for label in labels for length in range(len(label))}
        self._ends = tuple(end_tokens) if any(label in begun for label in labels) else ()
        found: dict[Tokens, dict[int, None]] = {}
        for label in labels:
            for place, token in enumerate(label):
                found.setdefault(label[:place], {})[token] = None
            if self._ends:
                found.setdefault(label, {}).update(dict.fromkeys(self._ends))
        self.children: dict[Tokens, Tokens] = {written: tuple(found[written]) for written in sorted(found, key=len)}

    def logprobs(self, told: Mapping[Tokens, Sequence[float]]) -> tuple[float, ...]:
        """The log-probability of each label.

        Args:
            told: For each entry of `children`, the log-probabilities of its tokens.
        """
        of_token = {
            (written, token): logprob
            for written, tokens in self.children.items()
            for token, logprob in zip(tokens, told[written], strict=True)
        }
        return tuple(self._logprob(label, of_token) for label in self._labels)

    def _logprob(self, label: Tokens, of_token: Mapping[tuple[Tokens, int], float]) -> float:
        total = math.fsum(of_token[label[:place], token] for place, token in enumerate(label))
        if not self._ends:
            return total
        ends = [of_token[label, token] for token in self._ends]
        best = max(ends)
        return total + best + math.log(math.fsum(math.exp(end - best) for end in ends))
