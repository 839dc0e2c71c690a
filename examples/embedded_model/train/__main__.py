"""`python -m embedded_model.train`: train the embedded model or its draft, or continue a run that stopped."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

import torch

from embedded_model.tokenizer import load_or_train_tokenizer
from embedded_model.train.curve import draw_curve
from embedded_model.train.loop import Plan, Trainer
from embedded_model.train.model import SHAPES


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m embedded_model.train", description=__doc__)
    parser.add_argument("model", choices=sorted(SHAPES), help="which model")
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder of checkpoint, log, curve and weights")
    parser.add_argument("--tokens", type=float, required=True, help="budget, of which the last part has falling rates")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="budget in time, from each start on")
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json to take (default: the folder's, else a new one)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--workers", type=int, default=0, help="processes that draw the data; 0: none beside this one")
    parser.add_argument("--batch-tokens", type=int, default=8192)
    parser.add_argument("--measure-every", type=int, default=50, help="steps between two looks at the held-out loss")
    parser.add_argument("--pack-tokens", type=int, default=2048, help="tokens computed together; more on a GPU")
    parser.add_argument("--ramp-steps", type=int, default=100, help="steps of the curriculum")
    parser.add_argument("--decay-share", type=float, default=0.2, help="last part of the budget, of falling rates")
    parser.add_argument("--rate", type=float, default=1.0, help="share of the full learning rates, to train on weights")
    parser.add_argument("--grow-from", type=Path, help="folder of the weights of a smaller model to start from")
    parser.add_argument("--teacher", type=Path, help="folder of the target's weights, for a draft to learn from")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Train, export, and draw the loss curve."""
    options = parse_arguments(arguments)
    torch.set_num_threads(options.threads)
    run = options.checkpoint
    plan = Plan(
        shape=SHAPES[options.model], seed=options.seed, run=run, tokens=int(options.tokens),
        device=options.device, num_workers=options.workers, pack_tokens=options.pack_tokens,
        batch_tokens=options.batch_tokens, ramp_steps=options.ramp_steps, decay_share=options.decay_share,
        rate=options.rate, grow_from=options.grow_from, teacher=options.teacher, seconds=options.minutes * 60,
        measure_every_steps=options.measure_every,
    )  # fmt: skip
    trainer = Trainer(plan, load_or_train_tokenizer(run, options.tokenizer, options.seed))
    signal.signal(signal.SIGTERM, lambda number, frame: trainer.stop())
    trainer.train()
    draw_curve(run / "log.jsonl", run / "loss.png")


if __name__ == "__main__":
    main()
