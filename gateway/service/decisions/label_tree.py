"""Labels as a tree of tokens, in which common beginnings are computed once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Tokens = tuple[int, ...]


class LabelTree:
    """Tree of the labels' tokens, and the labels' probabilities from those of its tokens.

    If one label is a prefix of another, each label is followed by an end token.

    Attributes:
        children: For each prefix of a label, the tokens that may follow. The empty prefix comes first; a prefix comes
            after its own prefixes.
    """

    def __init__(self, labels: Sequence[Tokens], end_tokens: Sequence[int]) -> None:
        """Args:
        labels: Distinct and not empty.
        end_tokens: Tokens that end an answer.
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
        """Return the log-probability of each label.

        Args:
            told: Log-probabilities of the tokens of each entry of `children`.
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
