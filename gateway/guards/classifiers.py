"""Sequence classifiers, each in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from gateway.guards.processes import ModelProcess


class ClassifierProcess(ModelProcess):
    """One folder's classifier."""

    module: ClassVar[str] = "gateway.guards.models.classifier"
    name: ClassVar[str] = "classifier"

    @property
    def labels(self) -> list[str]:
        """Of its texts; known once it was opened."""
        labels: list[str] = self.told["labels"]
        return labels

    @property
    def max_tokens(self) -> int:
        """That it reads together."""
        return int(self.told["max_tokens"])

    def scores(self, texts: Sequence[str], window: int, timeout_s: float) -> list[list[float]]:
        """How likely each label is of each text, see `ask`."""
        scores: list[list[float]] = self.ask(texts, timeout_s, window=window)["scores"]
        return scores
