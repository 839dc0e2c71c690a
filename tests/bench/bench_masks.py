"""Masks and compilation beside llguidance, in one run: `python tests/bench/bench_masks.py [--data FILE] [--json OUT]`.

Every schema is compiled by both engines, every instance is written as JSON, tokenized, and fed token by token: fill
the mask, look the token up, accept it. Before a clock starts, both engines are asked for the verdict on each instance;
instances on which they disagree are counted and not timed. A second part fills the masks of a batch that shares one
compiled schema. A third writes random allowed tokens under one compiled schema and notes the memory it takes at most.

The data is a JSON-lines file of ``{"schema": ..., "tests": [{"data": ...}]}`` (MaskBench's form, gzip or plain);
without it a few schemas in this file serve.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from long_texts import LISTS, most_bytes

from grammars import Compiler, GrammarError, JsonSchema, Vocabulary, fill_masks
from grammars.warmup import warm_up

SHARED = Path(__file__).resolve().parents[3] / "shared"
BATCH = 64
LONG_TEXTS = 100_000
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
        "kind": {"enum": ["person", "place", "thing"]},
    },
    "required": ["name", "age"],
}
BUILT_IN = [
    {
        "schema": PERSON,
        "tests": [{"data": {"name": "Ada Lovelace", "age": 36, "tags": ["x", "y z"], "kind": "person"}}],
    },
    {
        "schema": {"type": "array", "items": {"anyOf": [PERSON, {"type": "null"}, {"type": "number"}]}},
        "tests": [{"data": [None, 1.5, {"name": "Grace", "age": 85, "other": {"deep": [1, 2, {"a": None}]}}]}],
    },
]


def read_records(path: Path | None, every: int) -> Iterator[dict[str, Any]]:
    """The records to measure."""
    if path is None or not path.exists():
        yield from BUILT_IN
        return
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for index, line in enumerate(lines):
            if index % every == 0:
                yield json.loads(line)


class Portcullis:
    """This package."""

    def __init__(self, tokenizer: Any) -> None:
        warm_up()
        self.vocabulary = Vocabulary.from_tokenizer(tokenizer)
        self._compiler = Compiler(self.vocabulary)
        self._row = np.zeros((len(self.vocabulary) + 31) // 32, dtype=np.uint32)

    def compile(self, schema: Any) -> Any:
        return self._compiler.compile(JsonSchema(schema)).matcher()

    def start(self, first: Any) -> None:
        self._matcher = first.fork()

    def step(self, token: int) -> bool:
        self._matcher.fill_mask(self._row)
        return bool(int(self._row[token >> 5]) >> (token & 31) & 1) and self._matcher.accept(token)

    def is_complete(self) -> bool:
        return bool(self._matcher.is_complete)


class LLGuidance:
    """The peer."""

    def __init__(self, tokenizer: Any) -> None:
        import llguidance
        import llguidance.hf
        from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

        self._matcher_class, self._fill = llguidance.LLMatcher, fill_next_token_bitmask
        self._tokenizer = llguidance.hf.from_tokenizer(tokenizer)
        self._row = allocate_token_bitmask(1, self._tokenizer.vocab_size)

    def compile(self, schema: Any) -> Any:
        matcher = self._matcher_class(self._tokenizer, json.dumps({"grammars": [{"json_schema": schema}]}))
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def start(self, first: Any) -> None:
        self._matcher = first.deep_copy()

    def step(self, token: int) -> bool:
        self._fill(self._matcher, self._row, 0)
        if not int(self._row[0, token >> 5]) >> (token & 31) & 1:
            return False
        self._matcher.consume_token(token)
        return True

    def is_complete(self) -> bool:
        return bool(self._matcher.is_accepting())


def accepts(engine: Any, first: Any, tokens: list[int]) -> bool:
    """Whether the engine takes the whole text."""
    engine.start(first)
    return all(engine.step(token) for token in tokens) and engine.is_complete()


def timed(engine: Any, schema: Any, texts: list[list[int]]) -> tuple[float, list[float]]:
    """Microseconds of compiling, and of each step."""
    begin = time.perf_counter()
    first = engine.compile(schema)
    compile_us = (time.perf_counter() - begin) * 1e6
    steps = []
    for tokens in texts:
        engine.start(first)
        for token in tokens:
            begin = time.perf_counter()
            engine.step(token)
            steps.append((time.perf_counter() - begin) * 1e6)
    return compile_us, steps


def figures(values: list[float]) -> dict[str, float]:
    """Mean and tail."""
    array = np.asarray(values)
    percentiles = {f"p{p}": round(float(np.percentile(array, p)), 1) for p in (50, 90, 99, 99.9)}
    return {"mean": round(float(array.mean()), 1), **percentiles, "count": len(array)}


def measure_batch(engine: Portcullis, tokenizer: Any) -> float:
    """Microseconds a row when 64 sequences share a compiled schema and every mask was met before."""
    text = tokenizer.encode(json.dumps(BUILT_IN[0]["tests"][0]["data"]), add_special_tokens=False)
    first = engine.compile(PERSON)
    matchers = [first.fork() for _ in range(BATCH)]
    for i, matcher in enumerate(matchers):
        assert all(matcher.accept(token) for token in text[: i % len(text)])
    rows = np.zeros((BATCH, (len(engine.vocabulary) + 31) // 32), dtype=np.uint32)
    times = []
    for _ in range(200):
        begin = time.perf_counter()
        fill_masks(matchers, rows)
        times.append((time.perf_counter() - begin) * 1e6 / BATCH)
    return round(float(np.median(times[20:])), 2)


def main() -> None:
    """Runs all parts and prints them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, default=SHARED / "tokenizers" / "llama3")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "maskbench-dev.jsonl.gz")
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()

    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(str(arguments.tokenizer))
    ours, peer = Portcullis(tokenizer), LLGuidance(tokenizer)
    steps: dict[str, list[float]] = {"portcullis": [], "llguidance": []}
    compiles: dict[str, list[float]] = {"portcullis": [], "llguidance": []}
    skipped = disagreed = 0
    for record in read_records(arguments.data, arguments.every):
        texts = [
            tokenizer.encode(json.dumps(test["data"], ensure_ascii=False), add_special_tokens=False)
            for test in record["tests"]
        ]
        # The peer first: what it learns while judging it keeps, what ours keeps is dropped with the compiler's cache.
        try:
            judge = peer.compile(record["schema"])
            mine = Compiler(ours.vocabulary).compile(JsonSchema(record["schema"])).matcher()
        except (GrammarError, ValueError):
            skipped += 1
            continue
        agreed = [tokens for tokens in texts if accepts(peer, judge, tokens) == accepts(ours, mine, tokens)]
        disagreed += len(texts) - len(agreed)
        for name, engine in (("portcullis", ours), ("llguidance", peer)):
            compile_us, step_us = timed(engine, record["schema"], agreed)
            compiles[name].append(compile_us)
            steps[name] += step_us
    _, most = most_bytes(Compiler(ours.vocabulary).compile(JsonSchema(LISTS)), LONG_TEXTS)
    report: dict[str, Any] = {
        "schemas": len(compiles["portcullis"]),
        "refused_by_either": skipped,
        "instances_disagreed_on": disagreed,
        "mask_us": {name: figures(values) for name, values in steps.items()},
        "compile_us": {name: figures(values) for name, values in compiles.items()},
        "warm_batch_us_per_row": measure_batch(ours, tokenizer),
        f"most_bytes_in_{LONG_TEXTS}_random_tokens": most,
    }
    for part in ("mask_us", "compile_us"):
        pair = report[part]
        report[f"{part}_ratio"] = {
            key: round(pair["portcullis"][key] / pair["llguidance"][key], 3) for key in ("mean", "p50", "p99", "p99.9")
        }
    print(json.dumps(report, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
