"""`python -m gateway.embedded.train`: trains the embedded model or its draft in a folder, from where it stopped."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

import torch
from tokenizers import Tokenizer

from gateway.embedded.data import draw_sample
from gateway.embedded.tokenizer import Renderer, train_tokenizer
from gateway.embedded.training.curve import draw_curve
from gateway.embedded.training.loop import Plan, Trainer
from gateway.embedded.training.model import SHAPES

TOKENIZER_SAMPLES = 20_000


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m gateway.embedded.train", description=__doc__)
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


def the_tokenizer(folder: Path, given: Path | None, seed: int) -> Tokenizer:
    """The run's tokenizer, which is kept in its folder: at its first start the one given, else a new one.

    Raises:
        SystemExit: Another one is given to a run that has one: its weights would mean nothing.
    """
    kept = folder / "tokenizer.json"
    if given is not None:
        text = given.read_text(encoding="utf-8")
        if kept.exists() and kept.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{kept} is another tokenizer than {given}")
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_text(text, encoding="utf-8")
    if kept.exists():
        return Tokenizer.from_file(str(kept))
    renderer = Renderer()
    # Own indices, far from the training samples': half the words are invented, so any sample will do.
    texts = (renderer.render(draw_sample(seed, "train", -1 - i)) for i in range(TOKENIZER_SAMPLES))
    tokenizer = train_tokenizer(texts)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def main(arguments: list[str] | None = None) -> None:
    """Trains, exports, and draws the loss curve."""
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
    trainer = Trainer(plan, the_tokenizer(run, options.tokenizer, options.seed))
    signal.signal(signal.SIGTERM, lambda number, frame: trainer.stop())
    trainer.train()
    draw_curve(run / "log.jsonl", run / "loss.png")


if __name__ == "__main__":
    main()
