"""Constraints made to hurt: none may take long, crash, or leave memory behind.

Each ends compiled, and then some tokens are written under it, or with one of the four errors. Times are of the
processor. Printed are the slowest of each kind and the process's memory on the way, as it is and once what the attacks'
own texts left free in the heap is handed back; the exit status tells whether all held.

    python tests/bench/bench_hostile.py --count 1000 [--tokenizer FOLDER] [--seed 1] [--json hostile.json]
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import json
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hostile_kinds
import hostile_schemas
import hostile_sizes
import hostile_texts
import numpy as np

from grammars import Compiler, InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError, Vocabulary
from grammars.warmup import warm_up

KINDS = (*hostile_kinds.KINDS, *hostile_schemas.KINDS, *hostile_sizes.KINDS, *hostile_texts.KINDS)
END = 256
EXPECTED = (InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError)
MOST_SECONDS, SLOW_SECONDS = 2.0, 0.7
# Memory is steady where it grows by no more than this once each kind has come in several sizes and caches are full.
WARM_UP, MOST_GROWTH = 500, 1.10


def use(compiled: Any, row: Any, rng: random.Random, num_tokens: int) -> None:
    """Writes some random tokens."""
    matcher = compiled.matcher()
    for _ in range(num_tokens):
        matcher.fill_mask(row)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
        if len(allowed) and not matcher.accept(int(rng.choice(allowed))):
            raise AssertionError("a token that the mask allows was refused")
        if not len(allowed) or matcher.is_ended:
            break


def attack(
    compiler: Compiler, kind: Callable[[int], Any], step: int, row: Any, rng: random.Random, num_tokens: int
) -> tuple[float, float, str]:
    """Compiles one constraint and writes under it; seconds of both, and how it ended."""
    seconds, begin, outcome = 0.0, time.process_time(), "compiled"
    try:
        # It may be refused as it is made; what it is made of is not its own time.
        constraint = kind(step)
        begin = time.process_time()
        compiled = compiler.compile(constraint)
        seconds, begin = time.process_time() - begin, time.process_time()
        use(compiled, row, rng, num_tokens)
        return seconds, time.process_time() - begin, outcome
    except EXPECTED as error:
        outcome = type(error).__name__
    except Exception as error:
        outcome = f"{type(error).__name__}: {error}"[:200]
    rest = time.process_time() - begin
    return (seconds, rest, outcome) if seconds else (rest, 0.0, outcome)


def main() -> int:
    """Compiles them all in turn and prints what they cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=50, help="tokens to write under each constraint")
    parser.add_argument("--tokenizer", help="folder of a tokenizer; without it, bytes and a few pairs")
    parser.add_argument("--only", help="one kind alone")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    kinds = [kind for kind in KINDS if arguments.only in (None, kind.__name__)]
    warm_up()
    compiler = Compiler(read_vocabulary(arguments.tokenizer))
    row = np.zeros(compiler.vocabulary.tables.num_words, dtype=np.uint32)
    rng = random.Random(arguments.seed)
    steps = -(-arguments.count // len(kinds))
    order = {kind: rng.sample(range(steps), steps) for kind in kinds}
    slowest: dict[str, tuple[float, int, str, float]] = {}
    outcomes: collections.Counter[str] = collections.Counter()
    bad: list[tuple[str, int, str, float, float]] = []
    memory: list[tuple[int, int, int]] = []
    for number in range(arguments.count):
        kind = kinds[number % len(kinds)]
        step = order[kind][number // len(kinds)] + arguments.seed * steps
        seconds, used, outcome = attack(compiler, kind, step, row, rng, arguments.tokens)
        outcomes[outcome] += 1
        name = kind.__name__
        figures = (seconds, step, outcome, used)
        slowest[name] = max(slowest.get(name, figures), figures, key=lambda row: max(row[0], row[3]))
        is_expected = outcome == "compiled" or outcome in {error.__name__ for error in EXPECTED}
        if not is_expected or max(seconds, used) > MOST_SECONDS:
            bad.append((name, step, outcome, round(seconds, 3), round(used, 3)))
            print("BAD", bad[-1], flush=True)
        elif max(seconds, used) > SLOW_SECONDS:
            print("slow", (name, step, outcome, round(seconds, 3), round(used, 3)), flush=True)
        if number % 100 == 99:
            memory.append((number + 1, _resident_kb(), _trimmed_kb()))
    for name, (seconds, step, outcome, used) in sorted(slowest.items(), key=lambda item: -max(item[1][0], item[1][3])):
        print(f"{name:20} {seconds:7.3f} s, tokens {used:7.3f} s at {step:3d}  {outcome}")
    print(dict(outcomes))
    print("resident kB:", memory, "peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    growth = _growth([(at, kb) for at, kb, _ in memory]), _growth([(at, kb) for at, _, kb in memory])
    for name, (last, most) in zip(("resident", "in use"), growth, strict=True):
        print(f"memory {name} at the end and at its most, beside that at {WARM_UP}: {last:.3f}, {most:.3f}")
    if arguments.json:
        figures = {"slowest": slowest, "outcomes": outcomes, "memory_kb": memory, "bad": bad, "growth": growth}
        arguments.json.write_text(json.dumps(figures, indent=1))
    return int(bool(bad) or max(growth[0][0], *growth[1]) > MOST_GROWTH)


def read_vocabulary(tokenizer: str | None) -> Vocabulary:
    """Of a tokenizer's folder, or a small one."""
    if tokenizer is None:
        return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(END)), None, b'{"', b'": ', b"ab"], [END])
    from transformers import PreTrainedTokenizerFast

    return Vocabulary.from_tokenizer(PreTrainedTokenizerFast.from_pretrained(tokenizer))


def _growth(memory: list[tuple[int, int]]) -> tuple[float, float]:
    """Memory at the end, and at its most, as parts of that after the warm-up."""
    warm = dict(memory).get(WARM_UP, 1 << 40)
    return (memory[-1][1] if memory else 1) / warm, max([kb for at, kb in memory if at >= WARM_UP], default=1) / warm


def _trimmed_kb() -> int:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return _resident_kb()


def _resident_kb() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


if __name__ == "__main__":
    raise SystemExit(main())
