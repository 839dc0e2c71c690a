"""Decode throughput of the engine beside transformers' `generate` and `generate_batch`, and the price of token masks.

    python tests/bench/bench_engine.py [--model FOLDER] [--threads 1] [--repeats 5] [--json OUT.json]

Every contender answers the same prompts, greedily, all of equal length (the best case of `generate`: no padding), with
the same torch threads; answers are asserted equal before anything is timed; then runs are interleaved and medians
reported. Each repeat has new prompts, so that no prefix cache helps. Times are end to end, prefill included.

The constrained contender follows a JSON schema when `grammars` can compile one for the model's tokenizer, else a counting
stub; it is compared with an unconstrained run of the same number of tokens.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import ContinuousBatchingConfig, GenerationConfig, LlamaConfig, LlamaForCausalLM

from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams

VOCAB, PROMPT = 4096, 64
Contender = Callable[[list[list[int]]], list[list[int]]]


class EveryOther:
    """Allows even tokens only, never ends: the cost of a mask without the cost of a grammar."""

    def __init__(self, vocab_size: int) -> None:
        self._row = np.full(-(-vocab_size // 32), 0x55555555, dtype=np.uint32)
        self.is_complete = False

    def fill_mask(self, row: np.ndarray, tokens_left: int | None = None) -> None:
        row[:] = self._row

    def accept(self, token_id: int) -> bool:
        return token_id % 2 == 0

    def forced_tokens(self) -> list[int]:
        return []

    def fork(self) -> EveryOther:
        return self

    def rollback(self, n: int) -> None:
        return None


def make_model(folder: str | None) -> Any:
    """The model in this folder, or a random one of the embedded model's shape."""
    if folder is not None:
        return LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCAB,
        hidden_size=256,
        intermediate_size=704,
        num_hidden_layers=6,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        initializer_range=0.06,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config).eval()


def ours(engine: Engine, new_tokens: int, make_constraint: Callable[[], Any] | None = None) -> Contender:
    """This engine."""

    def run(prompts: list[list[int]]) -> list[list[int]]:
        sampling = SamplingParams(max_tokens=new_tokens, temperature=0, ignore_eos=True)
        constraints = [make_constraint() if make_constraint else None for _ in prompts]
        return engine.generate(
            [
                GenerationRequest(request_id=str(i), prompt_ids=prompt, sampling=sampling, constraint=constraint)
                for i, (prompt, constraint) in enumerate(zip(prompts, constraints, strict=True))
            ]
        )

    return run


def generate(model: Any, new_tokens: int) -> Contender:
    """transformers' `generate`, one batch without padding."""

    def run(prompts: list[list[int]]) -> list[list[int]]:
        ids = torch.tensor(prompts)
        with torch.inference_mode():
            out = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=new_tokens,
                min_new_tokens=None,
                do_sample=False,
                eos_token_id=None,
                pad_token_id=0,
            )
        answers: list[list[int]] = out[:, len(prompts[0]) :].tolist()
        return answers

    return run


def generate_batch(model: Any, new_tokens: int, concurrency: int) -> Contender:
    """transformers' continuous batching; a manager of its own, sized for the work and kept warm.

    Of the settings tried (pages of 16, 32, 256; asynchronous or not; sized by itself or by us) these are the fastest.
    """
    blocks = concurrency * (-(-(PROMPT + new_tokens) // 16) + 1) + 8
    batching = ContinuousBatchingConfig(
        page_size=16, num_blocks=blocks, max_batch_tokens=2048, allow_block_sharing=False
    )
    model = copy.deepcopy(model)  # a persistent manager belongs to its model and is never resized
    generation = GenerationConfig(max_new_tokens=new_tokens, do_sample=False, eos_token_id=-1, pad_token_id=0)

    def run(prompts: list[list[int]]) -> list[list[int]]:
        model.set_attn_implementation("sdpa")
        out = model.generate_batch(
            prompts,
            generation_config=generation,
            continuous_batching_config=batching,
            persistent_manager=True,
            progress_bar=False,
        )
        return [out[key].generated_tokens for key in sorted(out, key=lambda name: int(name.rsplit("_", 1)[-1]))]

    return run


def make_prompts(count: int, seed: int, vocab_size: int) -> list[list[int]]:
    """Random prompts of equal length."""
    chooser = random.Random(seed)
    return [[chooser.randrange(2, vocab_size) for _ in range(PROMPT)] for _ in range(count)]


def measure(contenders: dict[str, Contender], concurrency: int, repeats: int, vocab_size: int) -> dict[str, float]:
    """Median seconds of one run of each, interleaved."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for repeat in range(repeats):
        prompts = make_prompts(concurrency, 1000 + repeat, vocab_size)
        for name, run in contenders.items():
            start = time.perf_counter()
            run(prompts)
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def bench(model: Any, stock: Any, threads: int, concurrency: int, new_tokens: int, repeats: int) -> dict[str, Any]:
    """One row of the table: tokens per second of each contender."""
    torch.set_num_threads(threads)
    engine = Engine(model, EngineConfig(max_num_seqs=max(concurrency, 1), max_batch_tokens=2048, check_model=False))
    vocab_size = engine.vocab_size
    contenders = {
        "engine": ours(engine, new_tokens),
        "engine, masked": ours(engine, new_tokens, lambda: EveryOther(vocab_size)),
        "generate": generate(stock, new_tokens),
        "generate_batch": generate_batch(stock, new_tokens, concurrency),
    }
    prompts = make_prompts(concurrency, 1, vocab_size)
    answers = {name: run(prompts) for name, run in contenders.items()}
    assert all(token % 2 == 0 for answer in answers.pop("engine, masked") for token in answer)
    assert answers["engine"] == answers["generate"], "the engine's tokens differ from generate's"
    if answers["generate_batch"] != answers["generate"]:
        print("note: generate_batch's tokens differ from generate's", file=sys.stderr)
    seconds = measure(contenders, concurrency, repeats, vocab_size)
    engine.close()
    rates = {name: concurrency * new_tokens / value for name, value in seconds.items()}
    peer = max(rates["generate"], rates["generate_batch"])
    return {
        "threads": threads,
        "concurrency": concurrency,
        "tokens_per_s": {name: round(rate, 1) for name, rate in rates.items()},
        "ratio_to_better_peer": round(rates["engine"] / peer, 3),
        "masked_to_unmasked": round(rates["engine, masked"] / rates["engine"], 3),
    }


def main() -> None:
    """Run the table and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="folder of a Llama model; default: random weights of the embedded shape")
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--new-tokens", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    model, stock = make_model(arguments.model), make_model(arguments.model)
    rows = []
    for threads in arguments.threads:
        for concurrency in arguments.concurrency:
            row = bench(model, stock, threads, concurrency, arguments.new_tokens, arguments.repeats)
            print(json.dumps(row), flush=True)
            rows.append(row)
    if arguments.json:
        arguments.json.write_text(json.dumps({"torch": torch.__version__, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
