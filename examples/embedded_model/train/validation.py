"""Share of held-out answers that the model would write exactly, without decoding them.

Greedy decoding reproduces the reference if and only if every argmax under teacher forcing is the reference's token;
an answer has one right spelling here (arguments in schema order), so one forward pass tells. Names that only a mask
can know count as written right.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from embedded_model.data import draw_sample
from embedded_model.train.batches import Encoder, make_pack, share_out
from embedded_model.train.model import LeanLlama

VALIDATION_SEED = 90_001


class Validation:
    """A fixed set of held-out samples."""

    def __init__(self, encoder: Encoder, num_samples: int = 160) -> None:
        samples = [encoder.encode(draw_sample(VALIDATION_SEED, "heldout", index)) for index in range(num_samples)]
        samples = [sample for sample in samples if len(sample[0]) < 2000]
        self._packs = [make_pack(part, random.Random(0)) for part in share_out(samples, 2048)]
        self._call = encoder.call_id

    @torch.no_grad()
    def measure(self, model: LeanLlama) -> dict[str, float]:
        """Loss on the assistants' tokens, and the shares of exact messages: with calls, and others."""
        loss, count = 0.0, 0
        exact: dict[str, list[bool]] = {"calls": [], "others": []}
        for pack in (pack.to(model.device) for pack in self._packs):
            where = (pack.weights == 1.0).nonzero().flatten()
            logits, targets = model.logits(pack.ids, pack.lengths, where), pack.targets[where]
            loss += float(torch.nn.functional.cross_entropy(logits, targets, reduction="sum"))
            count += len(targets)
            hits = torch.ones_like(pack.weights, dtype=torch.bool)
            hits[where] = logits.argmax(-1) == targets
            for start, stop in spans(pack.weights.cpu(), pack.lengths):
                kind = "calls" if int(pack.targets[start]) == self._call else "others"
                exact[kind].append(bool(hits[start:stop].all()))
        return {"loss": loss / count} | {f"exact_{kind}": sum(v) / max(1, len(v)) for kind, v in exact.items()}


def spans(weights: Tensor, lengths: list[int]) -> list[tuple[int, int]]:
    """The assistants' messages as half-open intervals: runs of weights that no prompt has."""
    written = (weights > 0) & (weights != 0.5)
    found, start = [], 0
    for length in lengths:
        part = torch.diff(written[start : start + length].int(), prepend=torch.tensor([0]), append=torch.tensor([0]))
        begins, ends = (part == 1).nonzero().flatten() + start, (part == -1).nonzero().flatten() + start
        found += list(zip(begins.tolist(), ends.tolist(), strict=True))
        start += length
    return found
