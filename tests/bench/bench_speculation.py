"""What drafts bring: tokens per second with each set of sources beside none, on the embedded model.

    python tests/bench/bench_speculation.py [--concurrency 1 8 32] [--temperature 0 0.8] [--layers 4] [--json OUT.json]

Two kinds of work, of prompts held out of the training: free text (chat, copying, records and labels, no constraint) and
tool calls under their constraint. Each repeat has new prompts; sets of sources are interleaved and take turns in who
goes first. Greedy answers are asserted equal whatever the sources in float32; in bfloat16 numbers of rows round
differently, and the share of equal answers is told. Times are end to end, prefill included; beside the ratio of wall
times stands that of processor times, which a busy machine disturbs less.

The embedded model is small, ten times its draft. `--layers` makes it as deep as wanted, by layers that add nothing:
the same answers and the same acceptance, at the price of a larger model.
"""

from __future__ import annotations

import argparse
import copy
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from options import write_rows
from transformers import AutoModelForCausalLM, AutoTokenizer

from gateway.embedded import draft_path, target_path
from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.models.linear import choose_dtype
from grammars import CompiledGrammar, Compiler, Vocabulary, fill_masks
from tools import ToolChoice, ToolSet, get_format

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
from embedded_model.data.calling import calling
from embedded_model.data.chat import chat
from embedded_model.data.copying import echo
from embedded_model.data.labels import classification
from embedded_model.data.records import extraction
from embedded_model.data.source import Source

SEED, MAX_TOKENS = 80_004, 96
SOURCES: dict[str, tuple[str, ...]] = {
    "none": (),
    "guesses": ("forced", "ngram"),
    "model": ("model",),
    "all": ("forced", "ngram", "model"),
}
TEXTS = (chat, echo, extraction, classification)


@dataclass(slots=True)
class Work:
    """A prompt, and what its answer must be."""

    prompt_ids: list[int]
    grammar: CompiledGrammar | None


class Workload:
    """Prompts that never come twice."""

    def __init__(self) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(target_path())
        self.vocabulary = Vocabulary.from_tokenizer(self._tokenizer)
        self._compiler = Compiler(self.vocabulary)

    def draw(self, kind: str) -> Iterator[Work]:
        """Endless work of a kind, "text" or "call"."""
        index = 0
        while True:
            source = Source(SEED, "heldout", index)
            conversation = calling(source, max_turns=1) if kind == "call" else TEXTS[index % len(TEXTS)](source)
            roles = [message["role"] for message in conversation.messages]
            text = self._tokenizer.apply_chat_template(
                conversation.messages[: roles.index("assistant")],
                tools=conversation.tools or None,
                add_generation_prompt=True,
                tokenize=False,
            )
            grammar = self._compile(conversation.tools) if kind == "call" else None
            yield Work(self._tokenizer.encode(text, add_special_tokens=False), grammar)
            index += 1

    def _compile(self, tools: list[dict[str, Any]]) -> CompiledGrammar:
        constraint = get_format("hermes").constraint(ToolSet.from_openai(tools), ToolChoice("required"))
        assert constraint is not None
        return self._compiler.compile(constraint)


def make_target(num_layers: int) -> Any:
    """The embedded model, with layers behind its own whose outputs are zero."""
    model = AutoModelForCausalLM.from_pretrained(target_path(), dtype=choose_dtype("auto", torch.device("cpu")))
    own = model.config.num_hidden_layers
    for index in range(own, num_layers):
        layer = copy.deepcopy(model.model.layers[index % own])
        layer.self_attn.layer_idx = index
        with torch.no_grad():
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        model.model.layers.append(layer)
    model.config.num_hidden_layers = len(model.model.layers)
    return model


def make_engine(sources: tuple[str, ...], workload: Workload, concurrency: int, num_layers: int) -> Engine:
    """The embedded model with these sources of drafts."""
    config = EngineConfig(
        max_num_seqs=concurrency,
        max_batch_tokens=2048,
        prefix_caching=False,  # or the next contender would find the prompts of the last
        speculation=sources,
        draft_model=str(draft_path()),
        check_model=False,
    )
    eos_token_ids = workload.vocabulary.eos_token_ids
    return Engine(make_target(num_layers), config, fill_masks=fill_masks, eos_token_ids=eos_token_ids)


def requests_of(works: list[Work], temperature: float) -> list[GenerationRequest]:
    """Free requests: no seed, so that drawn drafts are verified by rejection sampling."""
    sampling = SamplingParams(max_tokens=MAX_TOKENS, temperature=temperature)
    return [
        GenerationRequest(
            request_id=str(number),
            prompt_ids=work.prompt_ids,
            sampling=sampling,
            constraint=work.grammar and work.grammar.matcher(),
        )
        for number, work in enumerate(works)
    ]


@dataclass(slots=True)
class Run:
    """One contender's share of one repeat."""

    tokens: int
    wall: float
    processor: float


def run(engine: Engine, works: list[Work], temperature: float) -> tuple[Run, list[list[int]]]:
    """All works at once, to their ends."""
    requests = requests_of(works, temperature)
    wall, processor = time.perf_counter(), time.process_time()
    answers = engine.generate(requests)
    taken = time.perf_counter() - wall, time.process_time() - processor
    # An end of sequence took a step, though it is not part of the answer.
    return Run(sum(min(len(answer) + 1, MAX_TOKENS) for answer in answers), *taken), answers


def acceptance(before: tuple[Counter[str], Counter[str]], engine: Engine) -> dict[str, dict[str, float]]:
    """Of each source, tokens drafted and the share accepted, since `before`."""
    stats = engine.stats()
    drafted, accepted = stats.num_drafted - before[0], stats.num_accepted - before[1]
    return {
        source: {"drafted": count, "accepted": round(accepted[source] / count, 3)} for source, count in drafted.items()
    }


def bench(
    workload: Workload, kind: str, concurrency: int, temperature: float, repeats: int, num_layers: int
) -> list[dict[str, Any]]:
    """One row for each set of sources."""
    engines = {name: make_engine(sources, workload, concurrency, num_layers) for name, sources in SOURCES.items()}
    works = workload.draw(kind)
    runs: dict[str, list[Run]] = {name: [] for name in engines}
    before: dict[str, tuple[Counter[str], Counter[str]]] = {}
    equal: dict[str, list[bool]] = {name: [] for name in engines}
    names = list(engines)
    for repeat in range(-1, repeats):  # the first warms up
        batch = [next(works) for _ in range(concurrency)]
        answers: dict[str, list[list[int]]] = {}
        for name in names[repeat % len(names) :] + names[: repeat % len(names)]:
            taken, answers[name] = run(engines[name], batch, temperature)
            if repeat < 0:
                stats = engines[name].stats()
                before[name] = stats.num_drafted.copy(), stats.num_accepted.copy()
            else:
                runs[name].append(taken)
        for name, given in answers.items():
            equal[name] += [one == other for one, other in zip(given, answers["none"], strict=True)]
    if temperature == 0 and choose_dtype("auto", torch.device("cpu")) is torch.float32:
        assert all(all(each) for each in equal.values()), "drafts changed a greedy answer"
    rows = []
    for name, engine in engines.items():
        ratios = {
            clock: statistics.median(
                (own.tokens / getattr(own, clock)) / (plain.tokens / getattr(plain, clock))
                for own, plain in zip(runs[name], runs["none"], strict=True)
            )
            for clock in ("wall", "processor")
        }
        rate = sum(each.tokens for each in runs[name]) / sum(each.wall for each in runs[name])
        rows.append(
            {
                "kind": kind,
                "concurrency": concurrency,
                "temperature": temperature,
                "layers": num_layers,
                "sources": name,
                "equal_answers": round(statistics.mean(equal[name]), 3),
                "mean_length": round(sum(each.tokens for each in runs[name]) / len(runs[name]) / concurrency, 1),
                "tokens_per_s": round(rate, 1),
                "wall_ratio": round(ratios["wall"], 2),
                "processor_ratio": round(ratios["processor"], 2),
                "acceptance": acceptance(before[name], engine),
            }
        )
        engine.close()
    return rows


def main() -> None:
    """Run the table and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=("text", "call"), default=["text", "call"])
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--temperature", type=float, nargs="+", default=[0.0, 0.8])
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    workload, rows = Workload(), list[dict[str, Any]]()
    for kind in arguments.kinds:
        for concurrency in arguments.concurrency:
            for temperature in arguments.temperature:
                repeats = max(arguments.repeats, 12 // concurrency)
                for row in bench(workload, kind, concurrency, temperature, repeats, arguments.layers):
                    print(json.dumps(row), flush=True)
                    rows.append(row)
    write_rows(arguments.json, rows)


if __name__ == "__main__":
    main()
