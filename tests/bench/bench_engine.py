"""Decode throughput of the engine beside transformers' `generate` and `generate_batch`, and the price of token masks.

    python tests/bench/bench_engine.py [--model FOLDER] [--threads 1] [--repeats 5] [--json OUT.json]

Every contender answers the same prompts, greedily, all of equal length (the best case of `generate`: no padding), with
the same torch threads; answers are asserted equal before anything is timed; then runs are interleaved and medians
reported. Each repeat has new prompts, so that no prefix cache helps. Times are end to end, prefill included. Beside the
ratio of wall times stands that of processor times, which a busy machine disturbs less.

Then the price of token masks: requests under a JSON schema beside free ones of exactly the same lengths.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import ContinuousBatchingConfig, GenerationConfig, LlamaConfig, LlamaForCausalLM

from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
from grammars import CompiledGrammar, Compiler, JsonSchema, Vocabulary, fill_masks

VOCAB, PROMPT, EOS = 4096, 64, 1
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "kind": {"enum": ["person", "place", "thing"]},
        "count": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"type": "string"},
    },
    "required": ["name", "kind", "count", "tags", "note"],
    "additionalProperties": False,
}
Contender = Callable[[list[list[int]]], list[list[int]]]


def compile_schema(folder: str | None) -> CompiledGrammar:
    """The schema for the model's own tokenizer, or for a made-up vocabulary of the same size."""
    if folder is not None:
        vocabulary = Vocabulary.from_pretrained(folder)
    else:
        letters = [bytes([x]) for x in range(97, 123)]
        pieces = [bytes([x]) for x in range(256)] + [x + y for x in letters for y in letters]
        pieces += [x + y for x in (b" ", b'"', b", ", b": ", b". ") for y in pieces[256:]]
        vocabulary = Vocabulary.from_tokens([None, None, *pieces[: VOCAB - 2]], eos_token_ids=(EOS,))
    return Compiler(vocabulary).compile(JsonSchema(SCHEMA))


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


def ours(engine: Engine, new_tokens: int) -> Contender:
    """This engine."""

    def run(prompts: list[list[int]]) -> list[list[int]]:
        return engine.generate([make_request(i, prompt, new_tokens) for i, prompt in enumerate(prompts)])

    return run


def make_request(number: int, prompt: list[int], new_tokens: int, constraint: Any = None) -> GenerationRequest:
    """A greedy request."""
    sampling = SamplingParams(max_tokens=new_tokens, temperature=0, ignore_eos=True)
    return GenerationRequest(request_id=str(number), prompt_ids=prompt, sampling=sampling, constraint=constraint)


def price_of_masks(
    engine: Engine, grammar: CompiledGrammar, concurrency: int, new_tokens: int, repeats: int
) -> dict[str, float]:
    """Processor time of requests under a JSON schema beside free ones of exactly the same lengths."""
    masked, free = [], []
    clock = time.process_time
    for repeat in range(repeats + 1):  # the first warms up
        prompts = make_prompts(concurrency, 2000 + repeat, engine.vocab_size)
        matchers = [grammar.matcher() for _ in prompts]
        requests = [make_request(i, p, new_tokens, m) for i, (p, m) in enumerate(zip(prompts, matchers, strict=True))]
        start = clock()
        answers = engine.generate(requests)
        masked.append(clock() - start)
        assert all(matcher.is_complete for matcher in matchers), "a constrained answer was cut"
        # An end of sequence took a step, though it is not part of the answer.
        lengths = [min(len(answer) + 1, new_tokens) for answer in answers]
        fresh = make_prompts(concurrency, 3000 + repeat, engine.vocab_size)
        requests = [make_request(i, p, n) for i, (p, n) in enumerate(zip(fresh, lengths, strict=True))]
        start = clock()
        engine.generate(requests)
        free.append(clock() - start)
    ratios = [a / b for a, b in zip(free[1:], masked[1:], strict=True)]
    return {"mean_length": round(statistics.mean(lengths), 1), "masked_to_free": round(statistics.median(ratios), 3)}


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


def measure(
    contenders: dict[str, Contender], concurrency: int, repeats: int, vocab_size: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Median wall and processor seconds of one run of each, interleaved."""
    wall: dict[str, list[float]] = {name: [] for name in contenders}
    processor: dict[str, list[float]] = {name: [] for name in contenders}
    for repeat in range(repeats):
        prompts = make_prompts(concurrency, 1000 + repeat, vocab_size)
        for name, run in contenders.items():
            start, processor_start = time.perf_counter(), time.process_time()
            run(prompts)
            wall[name].append(time.perf_counter() - start)
            processor[name].append(time.process_time() - processor_start)
    medians = ({name: statistics.median(values) for name, values in times.items()} for times in (wall, processor))
    return next(medians), next(medians)


def bench(
    model: Any, stock: Any, grammar: CompiledGrammar, threads: int, concurrency: int, new_tokens: int, repeats: int
) -> dict[str, Any]:
    """One row of the table: tokens per second of each contender."""
    torch.set_num_threads(threads)
    config = EngineConfig(max_num_seqs=concurrency, max_batch_tokens=2048, check_model=False)
    engine = Engine(model, config, fill_masks=fill_masks, eos_token_ids=grammar.vocabulary.eos_token_ids)
    vocab_size = engine.vocab_size
    contenders = {"engine": ours(engine, new_tokens), "generate": generate(stock, new_tokens)}
    contenders["generate_batch"] = generate_batch(stock, new_tokens, concurrency)
    prompts = make_prompts(concurrency, 1, vocab_size)
    answers = {name: run(prompts) for name, run in contenders.items()}
    assert answers["engine"] == answers["generate"], "the engine's tokens differ from generate's"
    assert list(map(len, answers["generate_batch"])) == [new_tokens] * concurrency, "generate_batch stopped early"
    seconds, processor = measure(contenders, concurrency, repeats, vocab_size)
    masks = price_of_masks(engine, grammar, concurrency, new_tokens, repeats)
    engine.close()
    rates = {name: concurrency * new_tokens / value for name, value in seconds.items()}
    peer = max(rates["generate"], rates["generate_batch"])
    return {
        "threads": threads,
        "concurrency": concurrency,
        "tokens_per_s": {name: round(rate, 1) for name, rate in rates.items()},
        "ratio_to_better_peer": round(rates["engine"] / peer, 3),
        "processor_ratio": round(min(processor["generate"], processor["generate_batch"]) / processor["engine"], 3),
        **masks,
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
    grammar = compile_schema(arguments.model)
    rows = []
    for threads in arguments.threads:
        for concurrency in arguments.concurrency:
            row = bench(model, stock, grammar, threads, concurrency, arguments.new_tokens, arguments.repeats)
            print(json.dumps(row), flush=True)
            rows.append(row)
    if arguments.json:
        arguments.json.write_text(json.dumps({"torch": torch.__version__, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
