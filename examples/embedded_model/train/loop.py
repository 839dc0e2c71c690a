"""The training loop: seeded, bounded by tokens, and resumed where it was interrupted."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional
from tqdm import tqdm

from embedded_model.train.batches import Batches, Encoder, Pack, send
from embedded_model.train.export import export_model
from embedded_model.train.growth import grow
from embedded_model.train.initial import initialise
from embedded_model.train.model import SHAPES, LeanLlama, Shape, product_type
from embedded_model.train.optimizer import Optimizers
from embedded_model.train.stream import stream
from embedded_model.train.validation import Validation

WARMUP_STEPS = 20
LAST_FACTOR = 0.02
AVERAGE_SHARE = 0.08
"""The exported weights average those of this last share of the steps, roughly."""
MAX_AVERAGE_STEPS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Settings of a run: its model, its data, and its budget in tokens.

    Attributes:
        run: folder of the checkpoint, the log, and (in `model`) the exported weights.
        pack_tokens: see `Batches`.
        grow_from: folder of the exported weights of a smaller model to start from.
        teacher: folder of the exported weights of a target, whose distributions are learnt instead of the texts.
        num_workers: processes that draw batches; 0 draws them in this one.
        rate: share of the full learning rates, where weights that are trained already are trained on.
        seconds: budget in time, where a machine is there for so long and no longer: what is used up first counts.
    """

    shape: Shape
    seed: int
    run: Path
    tokens: int
    batch_tokens: int = 8192
    pack_tokens: int = 2048
    ramp_steps: int = 100
    save_every_s: float = 240.0
    measure_every_steps: int = 50
    decay_share: float = 0.2
    grow_from: Path | None = None
    teacher: Path | None = None
    device: str = "cpu"
    num_workers: int = 0
    rate: float = 1.0
    seconds: float = float("inf")


def rate_factor(step: int, share_done: float, decay_share: float) -> float:
    """Factor on the learning rates: warm up, stay, and fall linearly over the last `decay_share` of the budget."""
    warm = min(1.0, (step + 1) / WARMUP_STEPS)
    left = max(0.0, 1.0 - share_done)
    return warm * max(LAST_FACTOR, min(1.0, left / decay_share))


def pack_loss(model: LeanLlama, pack: Pack, teacher: LeanLlama | None = None) -> torch.Tensor:
    """The weighted sum of the cross entropies: to the text, or to what a teacher would write."""
    where = send(pack.weights.nonzero().flatten(), model.device)
    pack = pack.to(model.device)
    dtype = product_type(model.device)
    with torch.autocast(model.device.type, dtype, enabled=dtype is not torch.float32):
        targets = pack.targets[where]
        if teacher is not None:
            with torch.no_grad():
                targets = teacher.logits(pack.ids, pack.lengths, where).float().softmax(-1)
        logits = model.logits(pack.ids, pack.lengths, where)
        losses = functional.cross_entropy(logits, targets, reduction="none")
    return losses.float() @ pack.weights[where]


def load_teacher(folder: Path, device: str) -> LeanLlama:
    """The target whose weights are in a folder, in float32."""
    teacher = LeanLlama(SHAPES["target"])
    teacher.load_state_dict(load_file(folder / "model.safetensors"))
    return teacher.to(device)


class Trainer:
    """Training run. Its state is in `plan.run`: a checkpoint, and a log with a JSON object per line."""

    def __init__(self, plan: Plan, tokenizer: Tokenizer) -> None:
        torch.manual_seed(plan.seed)
        self.plan, self.tokenizer = plan, tokenizer
        self.model, self.average = LeanLlama(plan.shape), LeanLlama(plan.shape)
        initialise(self.model)
        for model in (self.model, self.average):
            model.to(plan.device)
        self.teacher = load_teacher(plan.teacher, plan.device) if plan.teacher else None
        self.optimizers = Optimizers(self.model)
        self.validation = Validation(Encoder(tokenizer))
        self.step, self.tokens_seen = 0, 0
        plan.run.mkdir(parents=True, exist_ok=True)
        self._stopping, self._began = False, time.monotonic()
        self._checkpoint = plan.run / "checkpoint.pt"
        if self._checkpoint.exists():
            self._load()
            return
        if plan.grow_from is not None:
            grow(self.model, load_file(plan.grow_from / "model.safetensors"))
        self.average.load_state_dict(self.model.state_dict())

    def batches(self) -> Batches:
        """The data, by step."""
        plan = self.plan
        return Batches(Encoder(self.tokenizer), plan.seed, self._tokens_at, self._progress_at, plan.pack_tokens)

    def _tokens_at(self, step: int) -> int:
        return self.plan.batch_tokens // 2 if step < self.plan.ramp_steps else self.plan.batch_tokens

    def _progress_at(self, step: int) -> float:
        return min(1.0, step / self.plan.ramp_steps) if self.plan.ramp_steps else 1.0

    def share_done(self) -> float:
        """Return the used share of the budget, 0 to 1."""
        return min(1.0, max(self.tokens_seen / self.plan.tokens, (time.monotonic() - self._began) / self.plan.seconds))

    def stop(self) -> None:
        """Makes `train` save and return after the present step."""
        self._stopping = True

    def train(self) -> None:
        """Trains to the end of the budget, saving and measuring on the way and at the end."""
        saved = time.time()
        batches = stream(self.batches, self.step, self.plan.num_workers)
        bar = tqdm(total=self.plan.tokens, initial=self.tokens_seen, unit="token", unit_scale=True, mininterval=10)
        last: dict[str, Any] | None = None
        while self.share_done() < 1.0 and not self._stopping:
            record = self.train_step(next(batches))
            bar.update(self.tokens_seen - bar.n)
            if last is not None:  # its loss is there: a GPU is at work on the step after it
                self._log(last)
                bar.set_postfix(step=last["step"], loss=f"{last['loss']:.3f}", refresh=False)
            last = record
            if self.step % self.plan.measure_every_steps == 0:
                self.measure()
            if time.time() - saved > self.plan.save_every_s:
                self.save()
                saved = time.time()
        if last is not None:
            self._log(last)
        batches.close()
        bar.close()
        self.save()
        self.measure()

    def train_step(self, packs: list[Pack]) -> dict[str, Any]:
        """Make one update and return its log record, in which the loss may not be computed yet."""
        factor = self.plan.rate * rate_factor(self.step, self.share_done(), self.plan.decay_share)
        total = sum(float(pack.weights.sum()) for pack in packs)
        loss = torch.zeros((), device=self.plan.device)
        for pack in packs:
            part = pack_loss(self.model, pack, self.teacher) / total
            torch.autograd.backward(part)
            loss += part.detach()
        self.optimizers.step(factor)
        self.step += 1
        self._update_average()
        tokens = sum(len(pack.ids) for pack in packs)
        self.tokens_seen += tokens
        return {"step": self.step, "loss": loss, "rate": round(factor, 4), "tokens": self.tokens_seen}

    @torch.no_grad()
    def _update_average(self) -> None:
        share = 1.0 / min(1.0 + AVERAGE_SHARE * self.step, MAX_AVERAGE_STEPS)
        torch._foreach_lerp_(list(self.average.parameters()), list(self.model.parameters()), share)

    def measure(self) -> None:
        """Validates the averaged weights, logs what it finds, and exports them."""
        measured = {key: round(value, 4) for key, value in self.validation.measure(self.average).items()}
        self._log({"step": self.step, "tokens": self.tokens_seen, "validation": measured})
        export_model(self.average, self.tokenizer, self.plan.run / "model")

    def save(self) -> None:
        """Writes the checkpoint: a reader sees the old one or the new one."""
        state = {
            "model": self.model.state_dict(), "average": self.average.state_dict(),
            "optimizers": self.optimizers.state_dict(), "step": self.step, "tokens_seen": self.tokens_seen,
        }  # fmt: skip
        partial = self._checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self._checkpoint)

    def _load(self) -> None:
        state = torch.load(self._checkpoint, map_location=self.plan.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimizers.load_state_dict(state["optimizers"])
        self.step, self.tokens_seen = state["step"], state["tokens_seen"]

    def _log(self, record: dict[str, Any]) -> None:
        if "loss" in record:
            record["loss"] = round(float(record["loss"]), 4)
        with (self.plan.run / "log.jsonl").open("a") as file:
            file.write(json.dumps({"time": round(time.time(), 1), **record}) + "\n")
