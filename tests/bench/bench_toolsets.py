"""Tool sets to their constraint, in every format: `python tests/bench/bench_toolsets.py [--tools 128] [--json FILE]`.

For each format sets of tools that were never seen are compiled under `auto`, by a compiler that has compiled another
set before, and then each with one tool changed. Masks along a rendered call are asserted to be those of a compiler that
has never met any of the tools. Times are of the thread's processor, which a busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from grammars import CompiledGrammar, Compiler, Vocabulary
from tools import Format, ToolCall, ToolChoice, ToolSet, get_format
from tools.formats.registry import formats

sys.path.insert(0, str(Path(__file__).resolve().parent))
from bench_masks import SHARED
from made_tools import make_tools


def compiled(compiler: Compiler, spec: Format, tools: ToolSet) -> CompiledGrammar:
    """What a request with these tools needs."""
    constraint = spec.constraint(tools, ToolChoice("auto"))
    assert constraint is not None
    return compiler.compile(constraint)


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Milliseconds of the processor that a call takes, and what it returns."""
    begin = time.thread_time()
    found = function(*arguments)
    return (time.thread_time() - begin) * 1e3, found


def assert_same(one: CompiledGrammar, other: CompiledGrammar, text: str, vocabulary: Vocabulary) -> None:
    """Both constraints allow the same tokens, before and after each byte of the text."""
    first, second = one.matcher(), other.matcher()
    rows = np.zeros((2, one.num_words), dtype=np.uint32)
    for byte in (*text.encode(), None):
        first.fill_mask(rows[0])
        second.fill_mask(rows[1])
        assert np.array_equal(rows[0], rows[1]), text
        if byte is not None:
            token = vocabulary.encode(bytes([byte]))[0]
            assert first.accept(token) == second.accept(token)


def bench(spec: Format, vocabulary: Vocabulary, number: int, repeats: int) -> dict[str, Any]:
    """One row: median and worst milliseconds of sets never seen, and of these with one tool that was not."""
    compiler = Compiler(vocabulary)
    compiled(compiler, spec, ToolSet.from_openai(make_tools(number, 0)))
    times: dict[str, list[float]] = {"cold": [], "changed": []}
    for repeat in range(1, repeats + 1):
        declared = make_tools(number, repeat)
        changed = [
            *declared[: number // 2],
            *make_tools(number // 2 + 1, 1_000 + repeat)[-1:],
            *declared[number // 2 + 1 :],
        ]
        for kind, declarations in (("cold", declared), ("changed", changed)):
            # As a request's are, they were read just before.
            tools = ToolSet.from_openai(json.loads(json.dumps(declarations)))
            ms, grammar = timed(compiled, compiler, spec, tools)
            times[kind].append(ms)
            if repeat == 1:
                for name in tools.names[number // 2 - 1 : number // 2 + 1]:
                    text = spec.render([ToolCall("", name, "{}")], tools)
                    assert_same(grammar, compiled(Compiler(vocabulary), spec, tools), text, vocabulary)
    return {
        "format": spec.name,
        "states": grammar.network.num_states,
        **{f"{kind}_ms": round(statistics.median(found), 1) for kind, found in times.items()},
        **{f"{kind}_max_ms": round(max(found), 1) for kind, found in times.items()},
    }


def main() -> None:
    """Print a row for each format."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, default=SHARED / "tokenizers" / "llama3")
    parser.add_argument("--formats", nargs="+", default=[spec.name for spec in formats()])
    parser.add_argument("--tools", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    vocabulary = Vocabulary.from_pretrained(arguments.tokenizer)
    rows = []
    for name in arguments.formats:
        rows.append(bench(get_format(name), vocabulary, arguments.tools, arguments.repeats))
        print(json.dumps(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
