"""What speculation brings to tool calls of the embedded model, and what masks cost beside it.

    python tests/bench/bench_toolcalls.py [--concurrency 1 8 32] [--requests 32] [--repeats 3] [--json OUT.json]

Prompts are held-out ones of the embedded model's evaluation: real chat template, tools of its domains, values it never
saw. Answers are greedy, under the constraint of their tools ("required"). Three engines answer them:

    free         no constraint, no speculation: as many tokens as the constrained answer has, end of sequence included
    constrained  the constraint, no speculation
    speculating  the constraint, forced tokens, and drafts from all sources that need no second model

The answers of the last two are asserted equal, token by token, before anything is timed (in float32: bfloat16 rounds
differently with the number of rows). Then requests run in groups of `concurrency`, each group on the three engines one
after another, and the ratios are medians over groups and repeats: of wall time, and of processor time, which a busy
machine disturbs less. All times are end to end, prompts included; no prompt comes from the prefix cache.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from options import write_rows
from transformers import AutoTokenizer

from gateway.embedded import target_path
from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
from grammars import CompiledGrammar, Compiler, Vocabulary, fill_masks
from tools import ToolChoice, ToolSet
from tools.formats import detect_format

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
from embedded_model.evaluate.cases import draw_cases

MAX_TOKENS = 200
SPECULATION = {"free": (), "constrained": (), "speculating": ("forced", "ngram")}


@dataclass(frozen=True, slots=True)
class Task:
    """One prompt, its constraint, and once it is known the length of its answer with the end of sequence."""

    prompt_ids: list[int]
    grammar: CompiledGrammar
    length: int = 0


def make_tasks(count: int, vocabulary: Vocabulary) -> list[Task]:
    """Held-out tool calls."""
    tokenizer = AutoTokenizer.from_pretrained(target_path())
    compiler, form = Compiler(vocabulary), detect_format(tokenizer.chat_template)
    tasks = []
    for case in [case for case in draw_cases(2 * count) if case.kind == "call"][:count]:
        text = tokenizer.apply_chat_template(
            case.messages, tools=case.tools, add_generation_prompt=True, tokenize=False
        )
        tools = ToolSet.from_openai(case.tools)
        constraint = form.constraint(tools, ToolChoice.parse("required", tools, None))
        assert constraint is not None
        tasks.append(Task(tokenizer.encode(text, add_special_tokens=False), compiler.compile(constraint)))
    return tasks


def make_engine(contender: str, concurrency: int, vocabulary: Vocabulary, dtype: str) -> Engine:
    """The embedded model, set up for one of the three."""
    config = EngineConfig(
        max_num_seqs=concurrency,
        prefix_caching=False,
        speculation=SPECULATION[contender],
        dtype=dtype,  # type: ignore[arg-type]
    )
    return Engine(
        str(target_path()),
        config,
        fill_masks=fill_masks,
        vocab_size=len(vocabulary),
        eos_token_ids=vocabulary.eos_token_ids,
    )


def answer(engine: Engine, contender: str, tasks: list[Task]) -> list[list[int]]:
    """The answers of a group, which runs together."""
    requests = []
    for number, task in enumerate(tasks):
        is_free = contender == "free"
        sampling = SamplingParams(max_tokens=task.length if is_free else MAX_TOKENS, temperature=0, ignore_eos=is_free)
        matcher = None if is_free else task.grammar.matcher()
        requests.append(
            GenerationRequest(request_id=str(number), prompt_ids=task.prompt_ids, sampling=sampling, constraint=matcher)
        )
    return engine.generate(requests)


def measured(groups: list[list[Task]], engines: dict[str, Engine], known: dict[str, list[int]]) -> list[list[Task]]:
    """The groups, with the lengths of their constrained answers. All engines are warm then."""
    fitted = []
    for group in groups:
        plain, drafted = (answer(engines[name], name, group) for name in ("constrained", "speculating"))
        known["different"].append(sum(one != two for one, two in zip(plain, drafted, strict=True)))
        fitted.append([Task(t.prompt_ids, t.grammar, len(a) + 1) for t, a in zip(group, plain, strict=True)])
        answer(engines["free"], "free", fitted[-1])
    return fitted


def bench(tasks: list[Task], concurrency: int, repeats: int, vocabulary: Vocabulary, dtype: str) -> dict[str, Any]:
    """One row of the table."""
    engines = {name: make_engine(name, concurrency, vocabulary, dtype) for name in SPECULATION}
    known: dict[str, list[int]] = {"different": []}
    groups = [tasks[start : start + concurrency] for start in range(0, len(tasks), concurrency)]
    groups = measured(groups, engines, known)
    assert dtype != "float32" or not any(known["different"]), "speculation changed an answer"
    wall: dict[str, list[float]] = {name: [] for name in engines}
    processor: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(repeats):
        for group in groups:
            for name, engine in engines.items():
                start, processor_start = time.perf_counter(), time.process_time()
                answer(engine, name, group)
                wall[name].append(time.perf_counter() - start)
                processor[name].append(time.process_time() - processor_start)
    stats = engines["speculating"].stats()
    for engine in engines.values():
        engine.close()
    count, tokens = len(tasks), sum(task.length for group in groups for task in group)
    return {
        "concurrency": concurrency,
        "mean_prompt": round(statistics.mean(len(task.prompt_ids) for task in tasks), 1),
        "mean_answer": round(tokens / count, 1),
        "tokens_per_s": {name: round(repeats * tokens / sum(times), 1) for name, times in wall.items()},
        "ms_per_request": {name: round(1e3 * sum(times) / repeats / count, 2) for name, times in wall.items()},
        "ratio_to_free": ratios(wall),
        "processor_ratio": ratios(processor),
        "tokens_per_step": round((stats.num_output_tokens + sum(stats.finished.values())) / stats.num_steps, 2),
        "drafted": dict(stats.num_drafted),
        "accepted": dict(stats.num_accepted),
        "certain": stats.num_forced,
        "answers_that_differ": sum(known["different"]),
    }


def ratios(seconds: dict[str, list[float]]) -> dict[str, float]:
    """How many times as fast as the free engine."""
    return {
        name: round(statistics.median(free / own for free, own in zip(seconds["free"], times, strict=True)), 3)
        for name, times in seconds.items()
    }


def main() -> None:
    """Run the table and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--requests", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(arguments.threads)
    vocabulary = Vocabulary.from_pretrained(target_path())
    tasks = make_tasks(arguments.requests, vocabulary)
    rows = []
    for concurrency in arguments.concurrency:
        row = bench(tasks, concurrency, arguments.repeats, vocabulary, arguments.dtype)
        print(json.dumps(row), flush=True)
        rows.append(row)
    write_rows(arguments.json, rows)


if __name__ == "__main__":
    main()
