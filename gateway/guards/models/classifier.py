"""Process with one sequence classifier: JSON lines in, JSON lines out.

    python -P -m gateway.guards.models.classifier FOLDER

What it says first is `{"labels": [...], "max_tokens": N}`, or `{"error": "..."}`, and then it ends. To each
`{"texts": [...], "window": N, "seconds": S}` it says `{"scores": [[...], ...]}`, how likely each label is of each
text, or `{"error": "..."}`. It ends with its input.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from gateway.guards.models import LOCAL, config_of
from gateway.guards.models.lines import Answering, serve

BATCH = 16
"""Windows that are classified together, and between which the time is looked at."""


class Classifier:
    """Scores texts by their windows."""

    def __init__(self, folder: str) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        torch.set_num_threads(1)  # the cores are the engine's
        self._tokenizer = AutoTokenizer.from_pretrained(folder, **LOCAL)
        if not self._tokenizer.is_fast:
            raise ValueError("it has no tokenizer.json")
        model = AutoModelForSequenceClassification.from_pretrained(
            folder, config=config_of(folder), use_safetensors=True, **LOCAL
        )
        self._model = model.eval()
        config = model.config
        self.labels = [str(config.id2label[index]) for index in range(config.num_labels)]
        longest = getattr(config, "max_position_embeddings", None) or self._tokenizer.model_max_length
        self.max_tokens = int(min(longest, self._tokenizer.model_max_length))
        self._is_exclusive = config.num_labels > 1 and config.problem_type != "multi_label_classification"

    def scores(self, texts: list[str], window: int, seconds: float) -> list[list[float]]:
        """Return the probability of each label for each text: the highest over its windows, which overlap by half.

        Raises:
            TimeoutError: The time is over.
        """
        import torch

        end = time.monotonic() + seconds
        windows = self._tokenizer(
            texts, truncation=True, max_length=window, stride=window // 2, return_overflowing_tokens=True
        )
        owners = windows.pop("overflow_to_sample_mapping")
        best = [[0.0] * len(self.labels) for _ in texts]
        for begin in range(0, len(owners), BATCH):
            if time.monotonic() > end:
                raise TimeoutError("the texts take too long")
            batch = self._tokenizer.pad(
                {name: rows[begin : begin + BATCH] for name, rows in windows.items()}, return_tensors="pt"
            )
            with torch.inference_mode():
                logits = self._model(**batch).logits.float()
            rows = logits.softmax(-1) if self._is_exclusive else logits.sigmoid()
            for owner, row in zip(owners[begin : begin + BATCH], rows.tolist(), strict=True):
                best[owner] = [max(pair) for pair in zip(best[owner], row, strict=True)]
        return best


def load(folder: str) -> tuple[dict[str, Any], Answering]:
    """Return the first message and the function that answers each line."""
    classifier = Classifier(folder)

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        return {"scores": classifier.scores(asked["texts"], asked["window"], asked["seconds"])}

    return {"labels": classifier.labels, "max_tokens": classifier.max_tokens}, answer


if __name__ == "__main__":
    serve(lambda: load(sys.argv[1]))
