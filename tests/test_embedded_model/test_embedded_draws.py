"""Samples are bit-equal from one version of the recipe to the next: equal seeds, equal digests.

After a change of the corpus that is meant, write the digests again: `PYTHONPATH=examples python -m
tests.test_embedded_model.test_embedded_draws`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from embedded_model.data import Source, draw_sample
from embedded_model.data.declared import HELDOUT_TOOLS, TRAIN_TOOLS
from embedded_model.data.mixture import KINDS_OF_SAMPLES
from embedded_model.data.toolspec import ask
from embedded_model.evaluate.cases import TASKS, draw_cases
from embedded_model.tokenizer import PATTERN, Renderer, tokenizer_config

DIGESTS = Path(__file__).with_name("digests.json")
SPLITS = ("train", "heldout")


def draws() -> Iterator[tuple[str, Any]]:
    """Yield what is drawn by name: each kind of sample, the mixture, the evaluation, tools, the tokenizer's texts."""
    for kind in KINDS_OF_SAMPLES:
        samples = [kind(Source(seed, split, i)) for seed in (1, 71) for split in SPLITS for i in range(12)]
        yield f"kind {kind.__name__}", [asdict(sample) for sample in samples]
    for progress in (0.0, 0.5, 1.0):
        samples = [draw_sample(seed, split, i, progress) for seed in (1, 71) for split in SPLITS for i in range(25)]
        yield f"mixture {progress}", [asdict(sample) for sample in samples]
    for task in TASKS:
        yield f"task {task}", [asdict(case) for case in draw_cases(12, [task])]
    tools = TRAIN_TOOLS + HELDOUT_TOOLS
    yield "tools", [[tool.to_openai(), tool.phrases, tool.answer, [key for key, _ in tool.result]] for tool in tools]
    asked = [ask(tool, Source(5, split, i)) for tool in tools for split in SPLITS for i in range(2)]
    yield "requests", [[request.text, request.arguments] for request in asked]
    renderer = Renderer()
    yield "tokenizer's texts", [renderer.render(draw_sample(1, "train", -1 - i)) for i in range(400)]
    yield "tokenizer", [PATTERN, tokenizer_config()]


def digests() -> dict[str, str]:
    """Return a digest of each of the draws."""
    return {
        name: hashlib.sha256(json.dumps(drawn, ensure_ascii=False).encode()).hexdigest()[:16] for name, drawn in draws()
    }


def test_equal_seeds_draw_the_samples_of_earlier_versions() -> None:
    assert digests() == json.loads(DIGESTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    DIGESTS.write_text(json.dumps(digests(), indent=2) + "\n", encoding="utf-8")
