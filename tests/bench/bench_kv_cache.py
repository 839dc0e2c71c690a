"""What keys and values of eight bits cost in right numbers: one text, read with both kinds of pages.

    python tests/bench/bench_kv_cache.py [--model PATH] [--text FILE] [--dtypes bfloat16 float32]

For each text of `--tokens` tokens: the mean negative log-likelihood of its tokens, the divergence (KL) of the
distributions from those with pages of the compute type, and how often the best token is the same.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from gateway.embedded import target_path
from gateway.engine import EngineConfig
from gateway.engine.models.load import load_model
from gateway.engine.models.measure import sample_sequence
from gateway.engine.scheduling.plan import Plan
from gateway.service.model.folder import ModelFolder

CHUNK = 64


@torch.inference_mode()
def log_probabilities(path: Path, texts: list[list[int]], **options: str) -> list[Tensor]:
    """Of every token after each of every text, read in chunks. Shapes: [tokens, vocabulary] each."""
    loaded = load_model(path, EngineConfig(device="cpu", max_num_seqs=1, max_batch_tokens=CHUNK, **options))
    config, found = loaded.fit(EngineConfig(max_num_seqs=1, max_batch_tokens=CHUNK)), []
    for text in texts:
        sequence, num_blocks = sample_sequence(0, text), -(-len(text) // config.block_size)
        cache, builder = loaded.make_cache(num_blocks, config.block_size), loaded.make_builder(config)
        sequence.block_table = list(range(num_blocks))
        logits = []
        while sequence.num_pending:
            tokens = min(CHUNK, sequence.num_pending)
            batch = replace(builder.build(Plan(chunks=[(sequence, tokens)])), logits_indices=None)
            logits.append(loaded.decoder.forward(batch, cache).double())
            sequence.num_computed += tokens
        found.append(torch.cat(logits).log_softmax(-1))
    return found


def main() -> None:
    """A line for each type."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", type=Path, default=target_path())
    parser.add_argument("--text", type=Path, default=Path(__file__).parents[2] / "README.md")
    parser.add_argument("--tokens", type=int, default=448)
    parser.add_argument("--texts", type=int, default=6)
    parser.add_argument("--dtypes", nargs="+", default=["bfloat16", "float32"])
    arguments = parser.parse_args()
    ids = ModelFolder.open(arguments.model).tokenizer.encode(arguments.text.read_text(encoding="utf-8")).ids
    texts = [
        ids[first : first + arguments.tokens]
        for first in range(0, arguments.texts * arguments.tokens, arguments.tokens)
    ]
    for dtype in arguments.dtypes:
        own, short = (log_probabilities(arguments.model, texts, dtype=dtype, kv_cache_dtype=k) for k in ("auto", "fp8"))
        lost = [
            [
                -float(rows[:-1].gather(1, torch.tensor(text)[1:, None]).mean())
                for rows, text in zip(kind, texts, strict=True)
            ]
            for kind in (own, short)
        ]
        pairs = list(zip(own, short, strict=True))
        row = {
            "dtype": dtype,
            "tokens": sum(map(len, texts)),
            "nll": sum(lost[0]) / len(texts),
            "nll_fp8": sum(lost[1]) / len(texts),
            "kl": sum(float((a.exp() * (a - b)).sum(-1).mean()) for a, b in pairs) / len(texts),
            "same_best": sum(float((a.argmax(-1) == b.argmax(-1)).double().mean()) for a, b in pairs) / len(texts),
        }
        assert row["kl"] < 0.1, row
        print(json.dumps({name: round(value, 5) if isinstance(value, float) else value for name, value in row.items()}))


if __name__ == "__main__":
    main()
