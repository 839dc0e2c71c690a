"""What an adapter that a long text trains while it is written brings, and what it costs.

    python tests/bench/bench_adaptation.py --model smollm2.gguf [--text FILES] [--tokens 2048] [--every 128]

A text is taken for the answer of a model: it is read in pieces of `--every` tokens, each with the adapter that those
before it have trained. A line for each learning rate: the loss of a token, in all and in each quarter of the text. The
engine then writes a text with two trainings, and one without: tokens a second of processor time.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from gateway.embedded import target_path
from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.adaptation.plain_llama import PlainLlama
from gateway.engine.adaptation.rule import AdaptationRule
from gateway.engine.adaptation.trainer import Trainer
from gateway.engine.adapters import Adapters
from gateway.engine.models.load import load_model
from gateway.engine.models.measure import sample_sequence
from gateway.engine.scheduling.plan import Plan
from gateway.service.model.folder import ModelFolder

DOCS = Path(__file__).parents[2] / "gateway" / "docs"
TEXTS = [DOCS / name for name in ("operating.md", "structured-output.md", "policies.md")]


def losses(model: Path, ids: list[int], rule: AdaptationRule | None, every: int, dtype: str) -> list[float]:
    """Return the loss of a token of each piece but the first."""
    loaded = load_model(
        model, EngineConfig(device="cpu", dtype=dtype, max_num_seqs=1, max_batch_tokens=every, max_adaptations=1)
    )
    config = loaded.fit(EngineConfig(max_num_seqs=1, max_batch_tokens=every, max_adaptations=1))
    adapters = Adapters(loaded.decoder, 0, 64, 1)
    cache = loaded.make_cache(-(-len(ids) // config.block_size), config.block_size)
    builder, sequence = loaded.make_builder(config, adapters), sample_sequence(0, ids)
    sequence.block_table, found = list(range(cache.num_blocks)), []
    plain = None if rule is None else PlainLlama(loaded.decoder)
    trainer = None if rule is None else Trainer(plain, adapters.shapes, rule.rank, rule.learning_rate)
    for first in range(0, len(ids) - every, every):
        with torch.inference_mode():
            batch = replace(builder.build(Plan(chunks=[(sequence, every)])), logits_indices=None)
            logits = loaded.decoder.forward(batch, cache)
            found.append(float(cross_entropy(logits.float(), torch.tensor(ids[first + 1 : first + every + 1]))))
            sequence.num_computed += every
            past = None if trainer is None or first == 0 else plain.past(cache, sequence, first - 1)
        if trainer is not None and first:
            trainer.train(ids[first - 1 : first + every], first - 1, past)
            adapters.put(0, trainer.weights)
            sequence.adapter = 0
    return found[1:]


def tokens_per_second(engine: Engine, ids: list[int], rule: AdaptationRule | None, max_tokens: int) -> float:
    """Return the speed of one answer."""
    sampling = SamplingParams(max_tokens=max_tokens, temperature=0.0, ignore_eos=True, adaptation=rule)
    begun = time.process_time()
    engine.generate([GenerationRequest(request_id="0", prompt_ids=ids, sampling=sampling)])
    return max_tokens / (time.process_time() - begun)


def main() -> None:
    """A line for each setting."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", type=Path, default=target_path())
    parser.add_argument("--text", type=Path, nargs="+", default=TEXTS)
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--every", type=int, default=128)
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--learning-rates", type=float, nargs="*", default=[2e-3])
    parser.add_argument("--dtype", default="auto")
    arguments = parser.parse_args()
    text = "\n".join(file.read_text(encoding="utf-8") for file in arguments.text)
    ids = ModelFolder.open(arguments.model).tokenizer.encode(text).ids[: arguments.tokens]
    rules = [None] + [
        AdaptationRule(every_tokens=arguments.every, rank=arguments.rank, learning_rate=rate)
        for rate in arguments.learning_rates
    ]
    for rule in rules:
        found = losses(arguments.model, ids, rule, arguments.every, arguments.dtype)
        quarter = -(-len(found) // 4)
        row: dict[str, Any] = {
            "learning_rate": None if rule is None else rule.learning_rate,
            "loss": round(fmean(found), 4),
            "quarters": [round(fmean(found[first : first + quarter]), 4) for first in range(0, len(found), quarter)],
        }
        print(json.dumps(row), flush=True)
    config = EngineConfig(device="cpu", dtype=arguments.dtype, max_num_seqs=1, max_adaptations=1, speculation=())
    engine, max_tokens = Engine(arguments.model, config), 2 * arguments.every + 1  # two trainings
    speeds = {
        name: tokens_per_second(engine, ids[: arguments.every], each, max_tokens)
        for name, each in (("alone", None), ("adapted", rules[-1]))
    }
    print(json.dumps({name: round(speed, 2) for name, speed in speeds.items()}))


if __name__ == "__main__":
    main()
