"""Schema to first matcher beside llguidance, phase by phase: `python tests/bench/bench_compile.py [--data FILE]`.

Every schema is compiled once by each engine, in turn, on one thread; nothing is compiled twice, so what is kept from
one schema for the next counts and what is kept for the same schema does not. The phases of ours are timed within that
same compilation.

The data is a JSON-lines file of ``{"schema": ...}`` (MaskBench's form, gzip or plain); without it a few schemas serve.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from grammars import Compiler, GrammarError, JsonSchema, Vocabulary
from grammars.compiled import CompiledGrammar
from grammars.network.builder import NetworkBuilder
from grammars.warmup import warm_up

sys.path.insert(0, str(Path(__file__).resolve().parent))
from bench_masks import SHARED, read_records

PERCENTILES = (50, 75, 90, 99)
Times = dict[str, list[float]]


def timed(times: Times, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, with the time of each call added to the phase."""

    def wrapper(*arguments: Any, **named: Any) -> Any:
        begin = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            times.setdefault(phase, []).append(time.perf_counter() - begin)

    return wrapper


class Portcullis:
    """This package; its phases are timed by wrapping them."""

    def __init__(self, tokenizer: Any, times: Times) -> None:
        warm_up()
        self._compiler = Compiler(Vocabulary.from_tokenizer(tokenizer))
        for phase, owner, name in (
            ("emit", JsonSchema, "emit"),
            ("finish", NetworkBuilder, "finish"),
            ("construct", CompiledGrammar, "__init__"),
        ):
            setattr(owner, name, timed(times, phase, getattr(owner, name)))

    def compile(self, schema: Any) -> None:
        self._compiler.compile(JsonSchema(schema)).matcher()


class Peer:
    """llguidance."""

    def __init__(self, tokenizer: Any) -> None:
        import llguidance
        import llguidance.hf

        self._llguidance = llguidance
        self._tokenizer = llguidance.hf.from_tokenizer(tokenizer)

    def compile(self, schema: Any) -> None:
        grammar = json.dumps({"grammars": [{"json_schema": schema}]})
        matcher = self._llguidance.LLMatcher(self._tokenizer, grammar)
        if matcher.is_error():
            raise ValueError(matcher.get_error())


def figures(seconds: list[float]) -> dict[str, float]:
    """Mean and percentiles in microseconds."""
    micros = np.asarray(seconds) * 1e6
    percentiles = {f"p{p}": round(float(np.percentile(micros, p)), 1) for p in PERCENTILES}
    return {"count": len(micros), "mean": round(float(micros.mean()), 1), **percentiles}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "maskbench-dev.jsonl.gz")
    parser.add_argument("--tokenizer", type=Path, default=SHARED / "tokenizers" / "llama3")
    parser.add_argument("--every", type=int, default=10, help="take every n-th schema")
    parser.add_argument("--slowest", type=int, default=0, help="print so many of the slowest schemas")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()

    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(str(arguments.tokenizer))
    times: Times = {}
    ours, peer = Portcullis(tokenizer, times), Peer(tokenizer)
    for engine in (ours, peer):
        engine.compile({"type": "object", "properties": {"a": {"type": "string"}}})
    times.clear()
    slowest = []
    for number, record in enumerate(read_records(arguments.data, arguments.every)):
        for name, engine in (("portcullis", ours), ("llguidance", peer)):
            begin = time.perf_counter()
            try:
                engine.compile(record["schema"])
            except (GrammarError, ValueError):
                continue
            seconds = time.perf_counter() - begin
            times.setdefault(name, []).append(seconds)
            if name == "portcullis":
                slowest.append((seconds, record.get("id", number)))
    summary: dict[str, Any] = {phase: figures(seconds) for phase, seconds in times.items()}
    own, other = summary["portcullis"], summary["llguidance"]
    summary["ratio"] = {key: round(own[key] / other[key], 3) for key in own if key != "count"}
    for phase, row in summary.items():
        print(f"{phase:12}", json.dumps(row))
    for seconds, name in sorted(slowest, reverse=True)[: arguments.slowest]:
        print(f"{seconds * 1e3:9.2f} ms  {name}")
    if arguments.json:
        arguments.json.write_text(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
