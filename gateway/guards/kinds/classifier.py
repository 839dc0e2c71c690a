"""`classifier`: texts to which a sequence classifier, in a process of its own, gives certain labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gateway.guards.kinds.base import JUDGED, JUDGED_OPTIONS, UNMASKED, Guard, OptionError, judged, likely, timeout_of
from gateway.guards.processes import ModelProcess
from gateway.guards.rule import JudgeError, Opinion, Rule, Said


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


MIN_WINDOW = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifying:
    """Judge that matches if a label reaches the threshold in a window of the text."""

    process: ClassifierProcess
    labels: tuple[str, ...]
    threshold: float
    window: int
    timeout_s: int

    def open(self) -> None:
        """Have the classifier loaded."""
        self.process.open()
        known = self.process.labels
        for label in self.labels:
            if label not in known:
                raise JudgeError(
                    f"the classifier in {self.process.folder} has no label '{label}'; it has {', '.join(known)}"
                )
        if self.window > self.process.max_tokens:
            raise JudgeError(
                f"the classifier in {self.process.folder} reads at most {self.process.max_tokens} tokens together; a "
                f"window of {self.window} is too much"
            )

    def close(self) -> None:
        """End its process."""
        self.process.close()

    def judge(self, texts: Sequence[str], said: Said | None) -> list[Opinion]:
        """Return for each text whether a label counts, and the probability of the likeliest."""
        scores = self.process.scores(texts, self.window, self.timeout_s)
        places = [self.process.labels.index(label) for label in self.labels]
        likely = [max(row[place] for place in places) for row in scores]
        return [Opinion(each >= self.threshold, each) for each in likely]


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule for all labels that count."""
    threshold, window = likely(options), options.get("window", 512)
    if not options["labels"]:
        raise OptionError("labels", "must name some of the classifier's")
    if window < MIN_WINDOW:
        raise OptionError("window", f"must be at least {MIN_WINDOW} tokens, not {window}")
    judge = Classifying(
        process=ClassifierProcess.of(options["folder"]),
        labels=tuple(options["labels"]),
        threshold=threshold,
        window=window,
        timeout_s=timeout_of(options),
    )
    return judged("classifier", options, judge)


GUARD = Guard(
    name="classifier",
    options={**JUDGED_OPTIONS, "folder": str, "labels": list, "threshold": float, "window": int},
    required=("folder", "labels"),
    unmasked=UNMASKED,
    rules=rules,
    actions=JUDGED,
)
