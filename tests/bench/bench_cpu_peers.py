"""One core, one GGUF file: the engine beside llama.cpp and OpenVINO GenAI, each in a process of its own, in turns.

    python tests/bench/bench_cpu_peers.py FILE.gguf [--peers llama.cpp openvino] [--peer-python PYTHON] [--repeats 3]

Peers are `llama-cpp-python` and `openvino-genai`, which may be installed for another interpreter. All are pinned to the
core `--core`. Times are of the processor, which a busy machine disturbs less; of each measurement the best is told.

- texts N: N prompts of 64 random tokens, answered together, greedily, with 64 tokens each; drafts off. "all": tokens
  written by the time for prompts and answers; "after": the same without the time up to the first token.
- prompt 512: tokens read by the time to the first token.
- json: an answer of six fields under a schema, with drafts: its tokens (those of the file's tokenizer) by the time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

PROMPT = ANSWER = 64
LONG = 512
TEXTS = (1, 8, 32)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 40},
        "city": {"type": "string", "maxLength": 40},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "is_member": {"type": "boolean"},
        "plan": {"enum": ["basic", "family", "business"]},
        "email": {"type": "string", "maxLength": 40},
    },
    "required": ["name", "city", "age", "is_member", "plan", "email"],
    "additionalProperties": False,
}
ASKED = (
    "<|im_start|>user\nAna Torres, 34, lives in Lima. She is a member with the family plan and writes from "
    "ana.torres@example.org. Write this as JSON.<|im_end|>\n<|im_start|>assistant\n"
)


class Contender(Protocol):
    """Who is measured; what it returns are seconds of the processor."""

    def answer(self, prompts: list[list[int]], num_tokens: int) -> tuple[float, float]:
        """Up to the first token, and in all."""

    def write_json(self) -> tuple[float, str]:
        """In all, and the answer."""


class Ours:
    """The engine."""

    def __init__(self, path: str) -> None:
        from gateway.engine import Engine, EngineConfig
        from gateway.service.model.folder import ModelFolder
        from grammars import Compiler, JsonSchema, Vocabulary, fill_masks

        folder = ModelFolder.open(Path(path))
        vocabulary = Vocabulary.from_tokenizer(folder.tokenizer, folder.eos_token_ids)
        self._grammar = Compiler(vocabulary).compile(JsonSchema(SCHEMA))
        self._tokenizer = folder.tokenizer
        settings: dict[str, Any] = {"num_threads": 1, "kv_memory_bytes": 256 << 20, "prefix_caching": False}
        self._plain = Engine(path, EngineConfig(**settings, speculation=()))
        self._drafting = Engine(path, EngineConfig(**settings), fill_masks=fill_masks, vocab_size=len(vocabulary))
        self._count = 0

    def _request(self, prompt: list[int], num_tokens: int, constraint: Any = None) -> Any:
        from gateway.engine import GenerationRequest, SamplingParams

        self._count += 1
        sampling = SamplingParams(max_tokens=num_tokens, temperature=0, ignore_eos=constraint is None)
        return GenerationRequest(
            request_id=str(self._count), prompt_ids=prompt, sampling=sampling, constraint=constraint
        )

    def answer(self, prompts: list[list[int]], num_tokens: int) -> tuple[float, float]:
        """See `Contender`."""
        start, first = time.process_time(), 0.0
        for prompt in prompts:
            self._plain.add(self._request(prompt, num_tokens))
        while self._plain.has_work:
            events = self._plain.step()
            if not first and any(event.token_ids for event in events):
                first = time.process_time() - start
        return first, time.process_time() - start

    def write_json(self) -> tuple[float, str]:
        """See `Contender`."""
        prompt = self._tokenizer.encode(ASKED, add_special_tokens=False).ids
        start = time.process_time()
        (tokens,) = self._drafting.generate([self._request(prompt, 300, self._grammar.matcher())])
        return time.process_time() - start, self._tokenizer.decode(tokens)


class LlamaCpp:
    """llama.cpp by its own batches."""

    def __init__(self, path: str) -> None:
        import llama_cpp

        self._library = llama_cpp
        self._path = path.encode()
        self._whole = llama_cpp.Llama(path, n_ctx=2048, n_threads=1, n_threads_batch=1, verbose=False)
        grammar = json.dumps(SCHEMA)
        self._grammar = llama_cpp.LlamaGrammar.from_json_schema(grammar, verbose=False)
        self._model = llama_cpp.llama_model_load_from_file(self._path, llama_cpp.llama_model_default_params())

    def answer(self, prompts: list[list[int]], num_tokens: int) -> tuple[float, float]:
        """See `Contender`."""
        library, count = self._library, len(prompts)
        params = library.llama_context_default_params()
        params.n_ctx = count * (len(prompts[0]) + num_tokens + 64)
        params.n_batch, params.n_seq_max = 4096, count
        params.n_threads = params.n_threads_batch = 1
        context = library.llama_init_from_model(self._model, params)
        batch = library.llama_batch_init(4096, 0, count)

        def put(entries: Iterator[tuple[int, int, int, bool]]) -> None:
            batch.n_tokens = 0
            for place, (token, position, text, is_last) in enumerate(entries):
                batch.token[place], batch.pos[place] = token, position
                batch.n_seq_id[place], batch.seq_id[place][0], batch.logits[place] = 1, text, is_last
                batch.n_tokens = place + 1
            assert library.llama_decode(context, batch) == 0

        start = time.process_time()
        put(
            (token, place, text, place + 1 == len(prompt))
            for text, prompt in enumerate(prompts)
            for place, token in enumerate(prompt)
        )
        first = time.process_time() - start
        # Which token comes next does not change what a step costs: none is chosen.
        for step in range(num_tokens - 1):
            put((prompt[step % len(prompt)], len(prompt) + step, text, True) for text, prompt in enumerate(prompts))
        whole = time.process_time() - start
        library.llama_batch_free(batch)
        library.llama_free(context)
        return first, whole

    def write_json(self) -> tuple[float, str]:
        """See `Contender`."""
        self._whole.reset()
        start = time.process_time()
        said = self._whole(ASKED, max_tokens=300, temperature=0, grammar=self._grammar)
        return time.process_time() - start, said["choices"][0]["text"]


class OpenVino:
    """OpenVINO GenAI, which reads the file as it is; texts together by its continuous batching."""

    def __init__(self, path: str) -> None:
        import numpy
        import openvino
        import openvino_genai

        self._library, self._tensor, self._numpy = openvino_genai, openvino.Tensor, numpy
        settings = {"INFERENCE_NUM_THREADS": 1, "ENABLE_CPU_PINNING": False}
        scheduler = openvino_genai.SchedulerConfig()
        scheduler.cache_size, scheduler.enable_prefix_caching = 1, False
        self._pipeline = openvino_genai.ContinuousBatchingPipeline(path, scheduler, "CPU", settings)
        self._count = 0

    def answer(self, prompts: list[list[int]], num_tokens: int) -> tuple[float, float]:
        """See `Contender`."""
        config = self._library.GenerationConfig()
        config.max_new_tokens, config.ignore_eos, config.do_sample = num_tokens, True, False
        start, first, handles = time.process_time(), 0.0, []  # a request is dropped with its handle
        for prompt in prompts:
            self._count += 1
            tensor = self._tensor(self._numpy.array([prompt]))
            handles.append(self._pipeline.add_request(self._count, tensor, config))
        while self._pipeline.has_non_finished_requests():
            self._pipeline.step()
            first = first or time.process_time() - start
        return first, time.process_time() - start

    def write_json(self) -> tuple[float, str]:
        """See `Contender`."""
        config = self._library.GenerationConfig()
        config.max_new_tokens, config.do_sample = 300, False
        config.structured_output_config = self._library.StructuredOutputConfig(json_schema=json.dumps(SCHEMA))
        start = time.process_time()
        said = self._pipeline.generate([ASKED], [config])
        return time.process_time() - start, said[0].m_generation_ids[0]


CONTENDERS = {"ours": Ours, "llama.cpp": LlamaCpp, "openvino": OpenVino}


def random_texts(rng: random.Random, count: int, size: int) -> list[list[int]]:
    """So many texts of so many tokens."""
    return [[rng.randrange(100, 40_000) for _ in range(size)] for _ in range(count)]


def work(name: str, path: str) -> None:
    """Answer each line of the input, a number of texts, "prompt" or "json", by a line of numbers."""
    contender: Contender = CONTENDERS[name](path)
    print("ready", flush=True)
    for number, line in enumerate(sys.stdin):
        asked, rng = line.strip(), random.Random(number)
        if asked == "json":
            told: list[Any] = [*contender.write_json()]
        elif asked == "prompt":
            told = [contender.answer(random_texts(rng, 1, LONG), 1)[0]]
        else:
            told = [*contender.answer(random_texts(rng, int(asked), PROMPT), ANSWER)]
        print(json.dumps(told), flush=True)


def ask(process: subprocess.Popen[str], line: str) -> list[Any]:
    """One answer of a contender."""
    assert process.stdin is not None
    assert process.stdout is not None
    if line:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    while (told := process.stdout.readline()) and not told.startswith(("[", "ready")):
        pass
    if not told:
        raise SystemExit("a contender ended")
    return [] if told.startswith("ready") else json.loads(told)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path")
    parser.add_argument("--peers", nargs="*", default=["llama.cpp"], choices=[*CONTENDERS][1:])
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--work", choices=CONTENDERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        os.sched_setaffinity(0, {options.core})
        work(options.work, options.path)
        return
    processes = {}
    for name in ("ours", *options.peers):
        python = sys.executable if name == "ours" else options.peer_python
        command = [python, __file__, options.path, "--work", name, "--core", str(options.core)]
        processes[name] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ask(processes[name], "")
    from gateway.service.model.folder import ModelFolder

    tokenizer = ModelFolder.open(Path(options.path)).tokenizer
    best: dict[str, dict[str, float]] = {name: {} for name in processes}
    answers = {}
    for _ in range(options.repeats + 1):  # the first warms up, and counts if it is the best
        for line in (*map(str, TEXTS), "prompt", "json"):
            for name, process in processes.items():
                told = ask(process, line)
                if line == "json":
                    answers[name] = told[1]
                    rates = {"json": len(tokenizer.encode(told[1], add_special_tokens=False).ids) / told[0]}
                elif line == "prompt":
                    rates = {f"prompt {LONG}": LONG / told[0]}
                else:
                    rates = {
                        f"{line} all": int(line) * ANSWER / told[1],
                        f"{line} after": int(line) * (ANSWER - 1) / (told[1] - told[0]),
                    }
                for what, rate in rates.items():
                    best[name][what] = max(best[name].get(what, 0.0), rate)
    for process in processes.values():
        process.kill()
    print("tokens/s".ljust(14), *(name.rjust(12) for name in best), *(f"/ {name}".rjust(12) for name in options.peers))
    for what in best["ours"]:
        row = [best[name][what] for name in best]
        ratios = [best["ours"][what] / best[name][what] for name in options.peers]
        print(what.ljust(14), *(f"{rate:12.1f}" for rate in row), *(f"{ratio:12.2f}" for ratio in ratios))
    for name, text in answers.items():
        print(f"{name} wrote {text}")


if __name__ == "__main__":
    main()
