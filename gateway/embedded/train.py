"""`python -m gateway.embedded.train`: trains the embedded model or its draft, and exports it into the package."""

from __future__ import annotations

import argparse
import signal
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer

from gateway.embedded import WEIGHTS
from gateway.embedded.data import draw_sample
from gateway.embedded.tokenizer import Renderer, train_tokenizer
from gateway.embedded.training.curve import draw_curve
from gateway.embedded.training.loop import Plan, Trainer
from gateway.embedded.training.model import SHAPES

TOKENIZER_SAMPLES = 12_000


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m gateway.embedded.train", description=__doc__)
    parser.add_argument("model", choices=sorted(SHAPES), help="which model")
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--minutes", type=float, help="wall-clock budget, from the first start of the run")
    budget.add_argument("--until", type=float, help="absolute deadline in seconds since the epoch")
    budget.add_argument("--steps", type=int, help="budget in steps; a resumed run is then bit-equal to an unbroken one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="folder to export to (default: inside the package)")
    parser.add_argument("--run", type=Path, help="folder of checkpoint, log and curve (default: ./runs/<model>)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch-tokens", type=int, default=6144)
    parser.add_argument("--ramp-steps", type=int, default=300, help="steps of the curriculum")
    parser.add_argument("--decay-share", type=float, default=0.35, help="last part of the budget, of falling rates")
    parser.add_argument("--grow-from", type=Path, help="checkpoint of a smaller model to start from")
    return parser.parse_args(arguments)


def the_tokenizer(folder: Path, seed: int) -> Tokenizer:
    """The tokenizer in `folder`, else that of the package's target model, else a new one."""
    for place in (folder, WEIGHTS / "target"):
        if (place / "tokenizer.json").exists():
            return Tokenizer.from_file(str(place / "tokenizer.json"))
    renderer = Renderer()
    # Own indices, far from the training samples': half the words are invented, so any sample will do.
    texts = (renderer.render(draw_sample(seed, "train", -1 - i)) for i in range(TOKENIZER_SAMPLES))
    return train_tokenizer(texts)


def main(arguments: list[str] | None = None) -> None:
    """Trains, exports, and draws the loss curve."""
    options = parse_arguments(arguments)
    torch.set_num_threads(options.threads)
    folder = options.output or WEIGHTS / options.model
    run = options.run or Path("runs") / options.model
    plan = Plan(
        shape=SHAPES[options.model], seed=options.seed, folder=folder, run=run, steps=options.steps,
        deadline=time.time() + 60 * options.minutes if options.minutes else options.until,
        batch_tokens=options.batch_tokens, first_batch_tokens=options.batch_tokens // 2, ramp_steps=options.ramp_steps,
        decay_share=options.decay_share, grow_from=options.grow_from,
    )  # fmt: skip
    trainer = Trainer(plan, the_tokenizer(folder, options.seed))
    signal.signal(signal.SIGTERM, lambda number, frame: trainer.stop())
    trainer.train()
    draw_curve(run / "log.jsonl", run / "loss.png")


if __name__ == "__main__":
    main()
