"""Throughput of the engine beside transformers' `generate` and `generate_batch`, and the price of token masks.

    python tests/bench/bench_engine.py [--model embedded|28m|FOLDER] [--threads 1] [--repeats 5] [--json OUT.json]

Every contender answers the same prompts, greedily, all of equal length (the best case of `generate`: no padding), with
the same torch threads. In float32 all answers are asserted equal before anything is timed. Then each side runs at its
best settings: the engine at its defaults (bfloat16 where the CPU has it), `generate` and `generate_batch` at the
fastest of float32 and bfloat16, dynamic and static cache. Runs are interleaved, medians reported. Each repeat has new
prompts, so that no prefix cache helps. Times are end to end, prefill included. Beside the ratio of wall times stands
that of processor times, which a busy machine disturbs less. For a load of mixed lengths see `bench_engine_load.py`.

Then the price of token masks: requests under a JSON schema beside free ones of exactly the same lengths.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import torch
from engine_peers import (
    DTYPES,
    PROMPT,
    SETTINGS,
    Contender,
    generate,
    generate_batch,
    make_model,
    make_prompts,
    make_request,
    model_folder,
    ours,
)
from options import write_rows

from gateway.engine import Engine, EngineConfig
from gateway.engine.models.linear import choose_dtype
from grammars import CompiledGrammar, Compiler, JsonSchema, Vocabulary, fill_masks

EOS = 1
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


def compile_schema(folder: Path | None, vocab_size: int) -> CompiledGrammar:
    """The schema for the model's own tokenizer, or for a made-up vocabulary of the same size."""
    if folder is not None:
        vocabulary = Vocabulary.from_pretrained(str(folder))
    else:
        letters = [bytes([x]) for x in range(97, 123)]
        pieces = [bytes([x]) for x in range(256)] + [x + y for x in letters for y in letters]
        pieces += [x + y for x in (*letters, b" ", b'"', b", ", b": ", b". ") for y in pieces[256:932]]
        vocabulary = Vocabulary.from_tokens([None, None, *pieces[: vocab_size - 2]], eos_token_ids=(EOS,))
    return Compiler(vocabulary).compile(JsonSchema(SCHEMA))


def price_of_masks(
    engine: Engine, grammar: CompiledGrammar, concurrency: int, new_tokens: int, repeats: int
) -> dict[str, float]:
    """Processor time of requests under a JSON schema beside free ones of exactly the same lengths."""
    masked, free = [], []
    clock = time.process_time
    for repeat in range(repeats + 1):  # the first warms up
        prompts = make_prompts([PROMPT] * concurrency, 2000 + repeat, engine.vocab_size)
        matchers = [grammar.matcher() for _ in prompts]
        requests = [make_request(i, p, new_tokens, m) for i, (p, m) in enumerate(zip(prompts, matchers, strict=True))]
        start = clock()
        answers = engine.generate(requests)
        masked.append(clock() - start)
        assert all(matcher.is_complete for matcher in matchers), "a constrained answer was cut"
        # An end of sequence took a step, though it is not part of the answer.
        lengths = [min(len(answer) + 1, new_tokens) for answer in answers]
        fresh = make_prompts([PROMPT] * concurrency, 3000 + repeat, engine.vocab_size)
        requests = [make_request(i, p, n) for i, (p, n) in enumerate(zip(fresh, lengths, strict=True))]
        start = clock()
        engine.generate(requests)
        free.append(clock() - start)
    ratios = [a / b for a, b in zip(free[1:], masked[1:], strict=True)]
    return {"mean_length": round(statistics.mean(lengths), 1), "masked_to_free": round(statistics.median(ratios), 3)}


def measure(
    contenders: dict[str, Contender], concurrency: int, repeats: int, vocab_size: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Median wall and processor seconds of one run of each, interleaved."""
    wall: dict[str, list[float]] = {name: [] for name in contenders}
    processor: dict[str, list[float]] = {name: [] for name in contenders}
    for repeat in range(repeats):
        prompts = make_prompts([PROMPT] * concurrency, 1000 + repeat, vocab_size)
        for name, run in contenders.items():
            start, processor_start = time.perf_counter(), time.process_time()
            run(prompts)
            wall[name].append(time.perf_counter() - start)
            processor[name].append(time.process_time() - processor_start)
    medians = ({name: statistics.median(values) for name, values in times.items()} for times in (wall, processor))
    return next(medians), next(medians)


def fastest(contenders: dict[str, Contender], prompts: list[list[int]]) -> dict[str, Contender]:
    """The one that takes least time for a third run."""
    times = {}
    for name, run in contenders.items():
        run(prompts)
        samples = []
        for _ in range(2):
            start = time.perf_counter()
            run(prompts)
            samples.append(time.perf_counter() - start)
        times[name] = min(samples)
    best = min(times, key=lambda name: times[name])
    return {best: contenders[best]}


def assert_equal_answers(name: str, concurrency: int, new_tokens: int, peers: dict[str, Any]) -> None:
    """In float32 the engine and `generate` say the same."""
    config = EngineConfig(max_num_seqs=concurrency, max_batch_tokens=2048, dtype="float32")
    exact = Engine(make_model(name), config)
    prompts = make_prompts([PROMPT] * concurrency, 1, exact.vocab_size)
    answers = ours(exact, new_tokens)(prompts)
    exact.close()
    assert answers == generate(peers["float32"], new_tokens)(prompts), "the engine's tokens differ from generate's"
    batched = generate_batch(peers["float32"], new_tokens, concurrency)(prompts)
    assert list(map(len, batched)) == [new_tokens] * concurrency, "generate_batch stopped early"


def bench(
    name: str, config: EngineConfig, peers: dict[str, Any], new_tokens: int, repeats: int, masks: bool
) -> dict[str, Any]:
    """One row of the table: tokens per second of each contender."""
    concurrency = config.max_num_seqs
    assert_equal_answers(name, concurrency, new_tokens, peers)
    folder = model_folder(name)
    grammar = compile_schema(folder, peers["float32"].config.vocab_size) if masks else None
    eos_token_ids = grammar.vocabulary.eos_token_ids if grammar else (EOS,)
    source = make_model(name, choose_dtype(config.dtype, torch.device("cpu"))) if folder is None else folder
    engine = Engine(source, config, fill_masks=fill_masks, eos_token_ids=eos_token_ids)
    prompts = make_prompts([PROMPT] * concurrency, 2, engine.vocab_size)
    ours(engine, new_tokens)(prompts)
    contenders = {"engine": ours(engine, new_tokens)}
    contenders |= fastest({f"generate {d} {c}": generate(peers[d], new_tokens, c) for d, c in SETTINGS}, prompts)
    contenders |= fastest(
        {f"generate_batch {dtype}": generate_batch(peers[dtype], new_tokens, concurrency) for dtype in DTYPES}, prompts
    )
    seconds, processor = measure(contenders, concurrency, repeats, engine.vocab_size)
    price = price_of_masks(engine, grammar, concurrency, new_tokens, repeats) if grammar else {}
    engine.close()
    others = [contender for contender in contenders if contender != "engine"]
    return {
        "model": name,
        "threads": torch.get_num_threads(),
        "concurrency": concurrency,
        "tokens_per_s": {name: round(concurrency * new_tokens / value, 1) for name, value in seconds.items()},
        "ratio_to_better_peer": round(min(seconds[name] for name in others) / seconds["engine"], 3),
        "processor_ratio": round(min(processor[name] for name in others) / processor["engine"], 3),
        **price,
    }


def main() -> None:
    """Run the table and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="embedded", help="embedded, 28m (random weights), or a folder")
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--new-tokens", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dtype", default="auto", choices=("auto", "float32", "bfloat16"))
    parser.add_argument("--quantization", default="none", choices=("none", "int8"))
    parser.add_argument("--masks", action="store_true", help="measure the price of token masks as well")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    peers = {dtype: make_model(arguments.model, DTYPES[dtype]) for dtype in DTYPES}
    rows = []
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for concurrency in arguments.concurrency:
            config = EngineConfig(
                max_num_seqs=concurrency,
                max_batch_tokens=2048,
                dtype=arguments.dtype,
                quantization=arguments.quantization,
            )
            row = bench(arguments.model, config, peers, arguments.new_tokens, arguments.repeats, arguments.masks)
            print(json.dumps(row), flush=True)
            rows.append(row)
    write_rows(arguments.json, rows)


if __name__ == "__main__":
    main()
