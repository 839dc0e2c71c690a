"""How often the model would write a held-out answer exactly, without decoding it.

Greedy decoding reproduces the reference if and only if every argmax under teacher forcing is the reference's token;
an answer has one right spelling here (arguments in schema order), so one forward pass tells.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from gateway.embedded.training.batches import Encoder, make_batch
from gateway.embedded.training.model import LeanLlama

VALIDATION_SEED = 90_001


class Validation:
    """A fixed set of held-out samples."""

    def __init__(self, encoder: Encoder, num_samples: int = 96) -> None:
        samples = [encoder.encode(VALIDATION_SEED, "heldout", index) for index in range(num_samples)]
        samples.sort(key=lambda sample: len(sample[0]))
        self._batches = [
            make_batch(samples[i : i + 16], encoder.pad, random.Random(0)) for i in range(0, len(samples), 16)
        ]
        self._call = encoder.call_id

    @torch.no_grad()
    def measure(self, model: LeanLlama) -> dict[str, float]:
        """Loss on the assistants' tokens, and the shares of exact messages: with calls, and others."""
        loss, count = 0.0, 0
        exact: dict[str, list[bool]] = {"calls": [], "others": []}
        for batch in self._batches:
            where = batch.weights == 1.0
            logits, targets = model.logits(batch.ids, where), batch.targets[where]
            loss += float(torch.nn.functional.cross_entropy(logits, targets, reduction="sum"))
            count += len(targets)
            hits = torch.ones_like(where)
            hits[where] = logits.argmax(-1) == targets
            for row in range(len(where)):
                for start, stop in spans(where[row]):
                    kind = "calls" if int(batch.targets[row, start]) == self._call else "others"
                    exact[kind].append(bool(hits[row, start:stop].all()))
        return {"loss": loss / count} | {f"exact_{kind}": sum(v) / max(1, len(v)) for kind, v in exact.items()}


def spans(where: Tensor) -> list[tuple[int, int]]:
    """The runs of true positions as half-open intervals."""
    edges = torch.diff(where.int(), prepend=torch.tensor([0]), append=torch.tensor([0]))
    return list(zip((edges == 1).nonzero().flatten().tolist(), (edges == -1).nonzero().flatten().tolist(), strict=True))
