"""Throughput of the engine on a GPU beside transformers' `generate`, by the number of texts; what a new shape costs.

    python tests/bench/bench_cuda.py [--models embedded 1b] [--texts 1 8 32 128] [--seconds 60] [--profile]
    python tests/bench/bench_cuda.py --device cpu --models tiny --texts 1 3 --new-tokens 8  # does it run?

Plain decoding on both sides, greedy, in bfloat16, without drafts and prefix cache; prompts of equal length. Times are
end to end, prefill included, medians of runs that take turns. torch prefers cuDNN's attention on Hopper, which makes a
plan for each form of its operands; that takes tens of milliseconds, and so the engine does without. The first run of
each form is told too, and the engine is measured with cuDNN as well. Last comes a load whose prompts have all kinds of
lengths, new ones in each run: there forms are new in every run.

In float32 the engine and `generate` say the same; how much of it is told first, and is 1 but for a tie.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from engine_peers import PROMPT, Contender, generate, make_model, make_prompts, ours
from transformers import LlamaConfig, LlamaForCausalLM

from gateway.engine import Engine, EngineConfig

GIB = 1 << 30
LONGEST = 512
"""Of the prompts of all kinds of lengths."""
SHAPES: dict[str, dict[str, Any]] = {
    "tiny": {"vocab_size": 512, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2},
    "1b": {"vocab_size": 128_256, "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16},
}
"""Models of random weights; "1b" is of the form of Llama 3.2."""
HEADS = {"tiny": (4, 2), "1b": (32, 8)}


def make(name: str, dtype: torch.dtype, device: torch.device) -> Any:
    """A model on its device, of the same weights each time: "embedded", one of `SHAPES`, or one in a folder."""
    if name not in SHAPES:
        return make_model(name, dtype).to(device)
    heads, kv_heads = HEADS[name]
    config = LlamaConfig(
        **SHAPES[name],
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
    )
    torch.manual_seed(0)
    with device:
        return LlamaForCausalLM._from_config(config, dtype=dtype).eval()


def make_engine(name: str, dtype: torch.dtype, device: torch.device, most: int) -> Engine:
    """Ours, with as much memory as it may want."""
    size = GIB if device.type == "cpu" else 8 * GIB
    config = EngineConfig(
        max_num_seqs=most,
        max_batch_tokens=max(2048, most),
        max_model_len=1024,
        device=str(device),
        kv_memory_bytes=size,
        speculation=(),
        prefix_caching=False,  # or the next contender would find the prompts of the last
    )
    return Engine(make(name, dtype, device), config, eos_token_ids=())


@contextmanager
def with_cudnn(is_allowed: bool) -> Iterator[None]:
    """Whether torch may have cuDNN compute attention."""
    before = torch.backends.cuda.cudnn_sdp_enabled()
    torch.backends.cuda.enable_cudnn_sdp(is_allowed)
    try:
        yield
    finally:
        torch.backends.cuda.enable_cudnn_sdp(before)


def allowing_cudnn(run: Contender) -> Contender:
    """The same, as torch would have it."""

    def contender(prompts: list[list[int]]) -> list[list[int]]:
        with with_cudnn(True):
            return run(prompts)

    return contender


def share_equal(name: str, device: torch.device, new_tokens: int) -> float:
    """Of the tokens in float32, how many are said by both up to where they part."""
    engine = make_engine(name, torch.float32, device, 8)
    prompts = make_prompts([PROMPT] * 8, 1, engine.vocab_size)
    said = ours(engine, new_tokens)(prompts)
    engine.close()
    expected = generate(make(name, torch.float32, device), new_tokens)(prompts)
    equal = 0
    for answer, other in zip(said, expected, strict=True):
        assert len(answer) == len(other) == new_tokens
        parted = [a != b for a, b in zip(answer, other, strict=True)]
        equal += parted.index(True) if True in parted else new_tokens
    return equal / (len(prompts) * new_tokens)


def measure(
    contenders: dict[str, Contender], draw: Callable[[int], list[list[int]]], repeats: int
) -> dict[str, list[float]]:
    """Seconds of each run of each, the first ones too.

    Args:
        draw: Prompts, by the number of the run.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for repeat in range(repeats + 1):
        prompts = draw(repeat)
        for name, run in contenders.items():
            begun = time.perf_counter()
            run(prompts)
            seconds[name].append(time.perf_counter() - begun)
    return seconds


def of_all_lengths(count: int, seed: int, vocab_size: int) -> list[list[int]]:
    """Prompts as they come."""
    chooser = random.Random(seed)
    return make_prompts([chooser.randrange(16, LONGEST) for _ in range(count)], seed, vocab_size)


def gpu_share(run: Contender, prompts: list[list[int]]) -> dict[str, Any]:
    """What the device does in one run: the share of the time that it computes, and the kernels it is given."""
    begun = time.perf_counter()
    run(prompts)
    alone = time.perf_counter() - begun
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        run(prompts)
    averages = [each for each in profile.key_averages() if each.device_type.name == "CUDA"]
    busy = sum(each.self_device_time_total for each in averages) / 1e6
    most = sorted(averages, key=lambda each: -each.self_device_time_total)[:6]
    return {
        "seconds": round(alone, 3),
        "gpu_busy": round(busy / alone, 3),
        "kernels": sum(each.count for each in averages),
        "most_ms": {each.key[:60]: round(each.self_device_time_total / 1e3, 2) for each in most},
    }


def bench(name: str, arguments: argparse.Namespace, device: torch.device, deadline: float) -> Iterator[dict[str, Any]]:
    """The rows of one model, as far as the time goes."""
    dtype, new_tokens = torch.bfloat16, arguments.new_tokens
    most = max(arguments.texts)
    begun = time.perf_counter()
    engine = make_engine(name, dtype, device, most)
    loaded_s = time.perf_counter() - begun
    yield {"model": name, "load_s": round(loaded_s, 2), "attention": engine._builder.attention.name}
    run, vocab_size = ours(engine, new_tokens), engine.vocab_size
    engines = {"engine": run, "engine, cuDNN": allowing_cudnn(run)}
    contenders = engines | {"generate": allowing_cudnn(generate(make(name, dtype, device), new_tokens))}
    run(make_prompts([PROMPT], 1, vocab_size))  # libraries are loaded
    for count in arguments.texts:
        if time.monotonic() > deadline:
            return
        times = measure(
            contenders,
            lambda repeat, count=count: make_prompts([PROMPT] * count, 1000 * count + repeat, vocab_size),
            arguments.repeats,
        )
        yield row(name, str(count), count * new_tokens, times)
    middle = sorted(arguments.texts)[len(arguments.texts) // 2]
    if time.monotonic() < deadline:
        times = measure(engines, lambda repeat: of_all_lengths(middle, 90 + repeat, vocab_size), arguments.repeats)
        yield row(name, f"{middle} of all lengths", middle * new_tokens, times)
    if arguments.profile:
        prompts = make_prompts([PROMPT] * middle, 7, vocab_size)
        yield {"model": name, "texts": str(middle), "profile": gpu_share(run, prompts)}
    engine.close()


def row(name: str, texts: str, tokens: int, times: dict[str, list[float]]) -> dict[str, Any]:
    """Of one load: tokens a second, and the seconds of the first run."""
    return {
        "model": name,
        "texts": texts,
        "tokens_per_s": {who: round(tokens / statistics.median(each[1:]), 1) for who, each in times.items()},
        "first_s": {who: round(each[0], 3) for who, each in times.items()},
        "warm_s": {who: round(statistics.median(each[1:]), 3) for who, each in times.items()},
    }


def print_table(rows: list[dict[str, Any]]) -> None:
    """Tokens a second, and in brackets the seconds of the first run and of a later one."""
    print(f"{'model':<10}{'texts':<20}" + "".join(f"{who:>26}" for who in ("engine", "engine, cuDNN", "generate")))
    for each in rows:
        cells = "".join(
            f"{each['tokens_per_s'][who]:>11} ({each['first_s'][who]:.2f}, {each['warm_s'][who]:.2f})".rjust(26)
            for who in each["tokens_per_s"]
        )
        print(f"{each['model']:<10}{each['texts']:<20}{cells}")


def main() -> None:
    """Run, a line of JSON for each row, and print a table of them last."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--models", nargs="+", default=["embedded", "1b"], help="embedded, 1b, tiny, or a folder")
    parser.add_argument("--texts", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--new-tokens", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60, help="no load is begun after that")
    parser.add_argument("--profile", action="store_true", help="tell how much of a run the GPU computes, and what")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    device = torch.device(arguments.device)
    deadline = time.monotonic() + arguments.seconds
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"
    rows: list[dict[str, Any]] = [{"device": where, "torch": torch.__version__}]
    print(json.dumps(rows[0]), flush=True)
    try:
        for name in arguments.models:
            if name != "1b":
                rows.append({"model": name, "equal_in_float32": share_equal(name, device, arguments.new_tokens)})
                print(json.dumps(rows[-1]), flush=True)
            for each in bench(name, arguments, device, deadline):
                rows.append(each)
                print(json.dumps(each), flush=True)
            gc.collect()
    finally:
        print_table([each for each in rows if "tokens_per_s" in each])
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
