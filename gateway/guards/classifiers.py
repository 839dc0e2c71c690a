"""Sequence classifiers, each in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from gateway.guards.processes import ModelProcess


class ClassifierProcess(ModelProcess):
    """Process of the classifier in a folder."""

    module: ClassVar[str] = "gateway.guards.models.classifier"
    name: ClassVar[str] = "classifier"

    @property
    def labels(self) -> list[str]:
        """Return its labels; known once it is open."""
        labels: list[str] = self.told["labels"]
        return labels

    @property
    def max_tokens(self) -> int:
        """Return the most tokens of a window."""
        return int(self.told["max_tokens"])

    def scores(self, texts: Sequence[str], window: int, timeout_s: float) -> list[list[float]]:
        """Return the probability of each label for each text."""
        scores: list[list[float]] = self.ask(texts, timeout_s, window=window)["scores"]
        return scores
