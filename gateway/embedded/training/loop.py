"""The training loop: seeded, resumable, bounded by steps or by a wall-clock deadline."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch.nn import functional
from tqdm import tqdm

from gateway.embedded.training.batches import Batch, Batches, Encoder
from gateway.embedded.training.export import export_model
from gateway.embedded.training.growth import grow
from gateway.embedded.training.initial import initialise
from gateway.embedded.training.model import LeanLlama, Shape
from gateway.embedded.training.optimizer import Optimizers
from gateway.embedded.training.validation import Validation

WARMUP_STEPS = 20
LAST_FACTOR = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run is given. Exactly one of `steps` and `deadline` (seconds since the epoch) ends it."""

    shape: Shape
    seed: int
    folder: Path
    run: Path
    steps: int | None = None
    deadline: float | None = None
    batch_tokens: int = 6144
    first_batch_tokens: int = 3072
    ramp_steps: int = 300
    save_every_s: float = 240.0
    decay_share: float = 0.35
    grow_from: Path | None = None


def rate_factor(step: int, share_done: float, decay_share: float) -> float:
    """Factor on the learning rates: warm up, stay, and fall linearly over the last `decay_share` of the budget."""
    warm = min(1.0, (step + 1) / WARMUP_STEPS)
    left = max(0.0, 1.0 - share_done)
    return warm * max(LAST_FACTOR, min(1.0, left / decay_share))


def batch_loss(model: LeanLlama, batch: Batch) -> torch.Tensor:
    """The weighted mean cross entropy."""
    where = batch.weights > 0
    weights = batch.weights[where]
    losses = functional.cross_entropy(model.logits(batch.ids, where), batch.targets[where], reduction="none")
    return (losses * weights).sum() / weights.sum()


class Trainer:
    """One run. Its state lives in `plan.run`: a checkpoint, and a log with a JSON object per line."""

    def __init__(self, plan: Plan, tokenizer: Tokenizer) -> None:
        torch.manual_seed(plan.seed)
        self.plan, self.tokenizer = plan, tokenizer
        self.model = LeanLlama(plan.shape)
        initialise(self.model)
        self.optimizers = Optimizers(self.model)
        encoder = Encoder(tokenizer)
        self.batches = Batches(encoder, plan.seed, self._tokens_at, self._progress_at)
        self.validation = Validation(encoder)
        self.step, self.tokens_seen, self.started = 0, 0, time.time()
        plan.run.mkdir(parents=True, exist_ok=True)
        self._stopping = False
        self._checkpoint = plan.run / "checkpoint.pt"
        if self._checkpoint.exists():
            self._load()
        elif plan.grow_from is not None:
            grow(self.model, torch.load(plan.grow_from, weights_only=True)["model"])

    def _tokens_at(self, step: int) -> int:
        return self.plan.first_batch_tokens if step < self.plan.ramp_steps else self.plan.batch_tokens

    def _progress_at(self, step: int) -> float:
        return min(1.0, step / self.plan.ramp_steps) if self.plan.ramp_steps else 1.0

    def share_done(self) -> float:
        """How much of the budget is used, 0 to 1."""
        if self.plan.steps is not None:
            return self.step / self.plan.steps
        assert self.plan.deadline is not None
        return (time.time() - self.started) / max(1.0, self.plan.deadline - self.started)

    def stop(self) -> None:
        """Makes `train` save and return after the present step."""
        self._stopping = True

    def train(self) -> None:
        """Trains to the end of the budget, saving and exporting on the way and at the end."""
        saved = time.time()
        bar = tqdm(
            total=1.0, initial=min(1.0, self.share_done()), bar_format="{l_bar}{bar}| {elapsed}<{remaining} {postfix}"
        )
        while self.share_done() < 1.0 and not self._stopping:
            record = self.train_step()
            bar.n = min(1.0, self.share_done())
            bar.set_postfix(step=self.step, loss=f"{record['loss']:.3f}", tokens=f"{self.tokens_seen / 1e6:.2f}M")
            self._log(record)
            if time.time() - saved > self.plan.save_every_s:
                self.save()
                saved = time.time()
        bar.close()
        self.save()

    def train_step(self) -> dict[str, Any]:
        """One update; returns its log record."""
        begun = time.perf_counter()
        batch = self.batches.at(self.step)
        factor = rate_factor(self.step, self.share_done(), self.plan.decay_share)
        loss = batch_loss(self.model, batch)
        torch.autograd.backward(loss)
        self.optimizers.step(factor)
        self.step += 1
        self.tokens_seen += batch.ids.numel()
        seconds = time.perf_counter() - begun
        return {
            "step": self.step, "loss": round(float(loss.detach()), 4), "rate": round(factor, 4),
            "tokens": self.tokens_seen, "tokens_per_s": round(batch.ids.numel() / seconds),
        }  # fmt: skip

    def save(self) -> None:
        """Validates, logs, writes the checkpoint and exports the weights."""
        measured = {key: round(value, 4) for key, value in self.validation.measure(self.model).items()}
        self._log({"step": self.step, "tokens": self.tokens_seen, "validation": measured})
        state = {
            "model": self.model.state_dict(), "optimizers": self.optimizers.state_dict(),
            "step": self.step, "tokens_seen": self.tokens_seen, "started": self.started,
        }  # fmt: skip
        partial = self._checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self._checkpoint)
        export_model(self.model, self.tokenizer, self.plan.folder)

    def _load(self) -> None:
        state = torch.load(self._checkpoint, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizers.load_state_dict(state["optimizers"])
        self.step, self.tokens_seen, self.started = state["step"], state["tokens_seen"], state["started"]

    def _log(self, record: dict[str, Any]) -> None:
        with (self.plan.run / "log.jsonl").open("a") as file:
            file.write(json.dumps({"time": round(time.time(), 1), **record}) + "\n")
