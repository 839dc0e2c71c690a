"""What a step costs beside the model: scheduling, masks, bookkeeping, and drafts.

    python tests/bench/bench_host.py [--rows 1 16 64 256] [--forward-ms 5] [--quick] [--json OUT.json]

The forward pass costs nothing: its scores are the number of the token that a script wants next, and the search for the
best token reads it there. What is left is the engine's own work, under a vocabulary of 49,152 tokens.

1. Milliseconds of processor time a step, the median: rows that are free or under a JSON schema, drafts off and on.
2. With a forward pass that sleeps so many milliseconds, tokens a second with drafts beside none (sleep and processor
   time together): answers that stand in their prompts, and answers that do not.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import random
import statistics
import time
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bench_engine import EOS, SCHEMA
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
from gateway.engine import sampler as sampling
from gateway.engine.inputs import Batch
from gateway.engine.warpers.token_mask import TokenMask
from grammars import CompiledGrammar, Compiler, JsonSchema, Vocabulary, fill_masks

VOCAB, PROMPT, MAX_TOKENS = 49_152, 64, 400
WARM = 5
WORDS = "river stone window market garden engine winter silver yellow doctor letter summer bridge forest music paper"
KEYS = ('{"', '": "', '": ', '", "', '": ["', '"], "', '"}', *SCHEMA["required"], "person", "place", "thing")


@dataclass(frozen=True, slots=True)
class Load:
    """What is measured together.

    Attributes:
        copies: Whether the answers stand in the prompts.
        forward_ms: What the forward pass takes.
    """

    rows: int
    is_constrained: bool
    drafts: bool
    copies: bool = False
    forward_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Of the steps in which every row decodes. Attributes: tokens_s: By processor time and sleep."""

    ms: float
    tokens_s: float
    drafted: int
    accepted: int


def make_vocabulary() -> Vocabulary:
    """The bytes, what objects are made of, and words of two to four letters, with a space before them or none."""
    letters = "etaoinshrdlucmfwygpbvkxqzj"
    pieces = [bytes([x]) for x in range(256)]
    pieces += [piece.encode() for piece in (*KEYS, *WORDS.split(), *(" " + word for word in WORDS.split()))]
    chooser = random.Random(0)
    found: dict[bytes, None] = {}
    while len(found) < VOCAB - 2 - len(pieces):
        word = "".join(chooser.choices(letters, weights=range(26, 0, -1), k=chooser.choice((2, 3, 4))))
        piece = (chooser.choice(("", " ", " ", '"')) + word).encode()
        if piece not in pieces:
            found[piece] = None
    return Vocabulary.from_tokens([None, None, *pieces, *found], eos_token_ids=(EOS,))


def make_answer(vocabulary: Vocabulary, chooser: random.Random) -> list[int]:
    """An object of the schema as tokens, with its end."""

    def words(count: int) -> str:
        return " ".join(chooser.choices(WORDS.split(), k=count))

    value = {
        "name": words(2).title(),
        "kind": chooser.choice(["person", "place", "thing"]),
        "count": chooser.randrange(10_000),
        "tags": [words(1) for _ in range(3)],
        "note": words(100),
    }
    return [*vocabulary.encode(json.dumps(value).encode()), EOS]


class Scripted:
    """An engine whose model says what a script wants."""

    def __init__(self, load: Load, vocabulary: Vocabulary, grammar: CompiledGrammar) -> None:
        self._load = load
        config = EngineConfig(
            max_num_seqs=max(load.rows, 32),
            max_batch_tokens=max(2048, 16 * load.rows),
            num_blocks=32 * load.rows + 64,
            max_waiting=4096,
            dtype="float32",
            decoder="lean",
            check_model=False,
            speculation=("forced", "ngram") if load.drafts else (),
        )
        shape = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
        model = LlamaForCausalLM(LlamaConfig(vocab_size=VOCAB, max_position_embeddings=4096, **shape)).eval()
        self.engine = Engine(model, config, fill_masks=fill_masks, vocab_size=VOCAB, eos_token_ids=(EOS,))
        self._vocabulary, self._grammar, self._chooser = vocabulary, grammar, random.Random(load.rows)
        self._scripts = np.full((load.rows, PROMPT + 1024), EOS)
        self.stub_s = self.slept_s = 0.0
        self.engine._decoder.forward = self._forward  # type: ignore[method-assign]

    def _add(self) -> None:
        """Ask for as many answers as there are rows."""
        load, chooser = self._load, self._chooser
        for row in range(load.rows):
            answer = make_answer(self._vocabulary, chooser)
            self._scripts[row] = EOS
            self._scripts[row, : len(answer)] = answer
            prompt = [chooser.randrange(258, VOCAB) for _ in range(PROMPT)]
            if load.copies:
                prompt = answer[20 : 20 + PROMPT]
            self.engine.add(
                GenerationRequest(
                    request_id=str(row),
                    prompt_ids=prompt,
                    constraint=self._grammar.matcher() if load.is_constrained else None,
                    sampling=SamplingParams(max_tokens=MAX_TOKENS, temperature=0, ignore_eos=True),
                )
            )

    def _forward(self, batch: Batch, cache: Any) -> Tensor:
        """The token that comes behind each row, as its only score."""
        begun = time.thread_time()
        owners = np.array([int(sequence.request_id) for sequence in batch.sequences])[batch.layout.owners]
        tokens = self._scripts[owners, np.maximum(batch.layout.host_positions + 1 - PROMPT, 0)]
        scores = torch.from_numpy(
            tokens if batch.logits_indices is None else tokens[batch.logits_indices.numpy()]
        ).float()[:, None]
        if self._load.forward_ms:
            time.sleep(self._load.forward_ms / 1e3)
            self.slept_s += self._load.forward_ms / 1e3
        self.stub_s += time.thread_time() - begun
        return scores

    def measure(self) -> Cost:
        """Run while all rows decode, after a first round of answers: engines live long."""
        engine = self.engine
        self._add()
        while engine.has_work:
            engine.step()
        before = engine.stats()
        self._add()
        while any(not each.num_output for each in engine._scheduler.running) or engine._scheduler.num_waiting:
            engine.step()
        seconds, tokens = [], 0
        gc.collect()
        gc.disable()
        while len(engine._scheduler.running) == self._load.rows:
            self.stub_s = self.slept_s = 0.0
            begun = time.thread_time()
            events = engine.step()
            seconds.append(time.thread_time() - begun - self.stub_s)
            tokens += sum(len(event.token_ids) for event in events) if len(seconds) > WARM else 0
        gc.enable()
        stats = engine.stats()
        assert set(stats.finished) <= {"stop", "length"}, stats.finished
        engine.close()
        timed = seconds[WARM:]
        tokens_s = tokens / (sum(timed) + len(timed) * self._load.forward_ms / 1e3)
        num_drafted = stats.num_drafted.total() - before.num_drafted.total()
        num_accepted = stats.num_accepted.total() - before.num_accepted.total()
        return Cost(round(1e3 * statistics.median(timed), 3), round(tokens_s), num_drafted, num_accepted)


def read_scripts() -> None:
    """Have the sampler take the token that the forward pass names, whatever masks say of it."""

    def best(logits: Tensor) -> tuple[list[int], list[bool]]:
        return logits[:, 0].long().tolist(), [True] * len(logits)

    sampling.best = best
    TokenMask.choose = lambda self, logits, rows: best(logits)  # type: ignore[method-assign]
    TokenMask.apply = lambda self, logits, rows: None  # type: ignore[method-assign]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1, 16, 64, 256])
    parser.add_argument("--forward-ms", type=float, default=5.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="the first table alone")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    read_scripts()
    vocabulary = make_vocabulary()
    grammar = Compiler(vocabulary).compile(JsonSchema(SCHEMA))
    found: list[tuple[Load, Cost]] = []

    def run(load: Load) -> Cost:
        costs = [Scripted(load, vocabulary, grammar).measure() for _ in range(options.repeats)]
        cost = (
            min(costs, key=lambda cost: cost.ms) if not load.forward_ms else max(costs, key=lambda cost: cost.tokens_s)
        )
        found.append((load, cost))
        return cost

    print("ms a step         free  constrained  free, drafts  constrained, drafts")
    for rows in options.rows:
        costs = [run(Load(rows, constrained, drafts)) for drafts, constrained in product((False, True), repeat=2)]
        print(f"{rows:4d} rows     " + "".join(f"{cost.ms:10.3f}" for cost in costs), flush=True)
    if not options.quick:
        print(f"tokens/s, forward {options.forward_ms} ms: none, drafts, ratio, (ms, drafted, accepted)")
        for rows, copies in product((8, 64, 256), (True, False)):
            none, drafted = (run(Load(rows, True, each, copies, options.forward_ms)) for each in (False, True))
            ratio = drafted.tokens_s / none.tokens_s
            print(
                f"{rows:4d} rows {'copying' if copies else 'new':8s} {none.tokens_s:8d} {drafted.tokens_s:8d} "
                f"{ratio:6.3f}  ({drafted.ms} {drafted.drafted} {drafted.accepted})",
                flush=True,
            )
    if options.json:
        options.json.write_text(json.dumps([asdict(load) | asdict(cost) for load, cost in found], indent=1))


if __name__ == "__main__":
    main()
