"""What the engine does on a GPU, in a few minutes: right or not, how fast, how near to what memory allows.

    python tests/gpu.py --out DIR [--seconds 300] [--parts kernels step ...] [--kind 1b 8b]
    python tests/gpu.py --out DIR --device cpu --small  # does it run?

Needs torch, transformers, triton, numba and numpy; random weights, no network. The parts come in order of value, each
in a `try`, and DIR/gpu.json is written after every row. The bound of a step is the time in which its weights, and the
keys and values of all its texts, are read once at the speed that the first part measures.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

# Read when Triton is first imported, which others do too.
os.environ["TRITON_INTERPRET"] = str(int(not Path("/dev/nvidia0").exists()))
sys.path.insert(0, str(Path(__file__).parents[1]))
if not all(map(find_spec, ("lark", "msgspec"))):
    # The engine takes one module of a package that imports more than such a machine has.
    sys.modules["grammars"] = ModuleType("grammars")
    sys.modules["grammars"].__path__ = [str(Path(__file__).parents[1] / "grammars")]

import torch
from gpu_loads import SHAPES, decoding, make_engine, make_prompts, make_request, models, version
from torch.nn import functional
from transformers import Gemma2Config, LlamaConfig, Qwen3Config
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from gateway.engine import EngineConfig
from gateway.engine.attention import triton as tiles
from gateway.engine.attention.base import AttentionNeeds, LayerNeeds
from gateway.engine.attention.choice import why_wrong
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.attention.triton import TritonAttention
from gateway.engine.inputs import BatchBuilder
from gateway.engine.models import elementwise
from gateway.engine.models.elementwise import Norms
from gateway.engine.models.load import load_model
from gateway.engine.scheduling.plan import Plan
from tests.stock_models import stock_answers

Row = dict[str, Any]
LAYERS = {
    "plain": LayerNeeds(32, 8, 128, 128, torch.bfloat16, None, None),
    "64": LayerNeeds(32, 8, 64, 64, torch.bfloat16, None, None),
    "80": LayerNeeds(32, 32, 80, 80, torch.bfloat16, None, None),
    "odd": LayerNeeds(14, 2, 128, 128, torch.bfloat16, None, None),
    "values of another size": LayerNeeds(8, 8, 192, 128, torch.bfloat16, None, None),
    "large": LayerNeeds(8, 4, 256, 256, torch.bfloat16, 4096, 50.0),
    "window": LayerNeeds(32, 8, 128, 128, torch.bfloat16, 5, None),
    "sinks": LayerNeeds(64, 8, 64, 64, torch.bfloat16, 128, None, True),
    "float16": LayerNeeds(32, 8, 128, 128, torch.float16, None, 3.0),
    "float32": LayerNeeds(8, 2, 128, 128, torch.float32, None, None),
}
FAMILY: dict[str, Any] = {"llama": LlamaConfig, "qwen3": Qwen3Config, "gemma2": Gemma2Config}


class Run:
    """The device, the time that is left, and the rows so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.device = torch.device(arguments.device)
        self.is_small: bool = arguments.small
        self.is_cuda = self.device.type == "cuda"
        self.kinds: list[str] = ["tiny"] if self.is_small else arguments.kind
        self.dtype = torch.bfloat16 if self.is_cuda else torch.float32
        self.end = time.monotonic() + arguments.seconds
        self.memory = 1 << (24 if self.is_small else 34)
        self.rate = 0.0
        self.rows: list[Row] = []
        self._out: Path = arguments.out
        self._out.mkdir(parents=True, exist_ok=True)

    def say(self, **row: Any) -> None:
        """A row more, on screen and in the file."""
        self.rows.append(row)
        print(json.dumps(row), flush=True)
        (self._out / "gpu.json").write_text(json.dumps(self.rows, indent=1) + "\n")

    def of(self, small: list[int], whole: list[int]) -> list[int]:
        """Sizes to be measured."""
        return small if self.is_small else whole

    def milliseconds(self, call: Callable[[], object], repeats: int = 20) -> float:
        """Of one call, the median, after three to warm up."""
        times = []
        for number in range(3 + (2 if self.is_small else repeats)):
            self.wait()
            begun = time.perf_counter()
            call()
            self.wait()
            times.append(time.perf_counter() - begun)
            if number < 3:
                times.clear()
        return statistics.median(times) * 1e3

    def captured(self, call: Callable[[], object]) -> Callable[[], object]:
        """The call as a CUDA graph; elsewhere itself."""
        if not self.is_cuda:
            return call
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                call()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            call()
        return graph.replay

    def wait(self) -> None:
        """Until the device has nothing to do."""
        if self.is_cuda:
            torch.cuda.synchronize()


def machine(run: Run) -> None:
    """What the card is, and what it reads and multiplies."""
    size = 1 << (20 if run.is_small else 29)
    numbers, wide = torch.zeros(size, device=run.device), 64 if run.is_small else 8192
    read = 4 * size / run.milliseconds(numbers.sum) * 1e3
    copied = 8 * size / run.milliseconds(numbers.clone) * 1e3
    run.rate = max(read, copied)
    square = torch.ones(wide, wide, dtype=run.dtype, device=run.device)
    rate = 2 * wide**3 / run.milliseconds(lambda: square @ square) / 1e9
    name = torch.cuda.get_device_name() if run.is_cuda else "cpu"
    versions = {"torch": torch.__version__, "triton": version("triton"), "transformers": version("transformers")}
    run.say(part="machine", device=name, read_tb_s=read / 1e12, copy_tb_s=copied / 1e12, tflop_s=rate, **versions)


def kernels(run: Run) -> None:
    """Whether ours are right, and which are refused."""
    if version("triton") is None:
        return run.say(part="kernels", left_out="Triton is not installed")
    own = TritonAttention if run.is_cuda else type("Interpreted", (TritonAttention,), INTERPRETED)
    for name, layer in (
        LAYERS.items() if not run.is_small else [("window", replace(LAYERS["window"], heads=1, kv_heads=1))]
    ):
        needs = AttentionNeeds(run.device, (layer,), 512)
        found = {kind.name: kind.why_not(needs) or why_wrong(kind, needs) for kind in (own, SdpaAttention)}
        run.say(part="kernels", attention=name, wrong={kind: why for kind, why in found.items() if why})
    for dtype in (torch.bfloat16, torch.float16, torch.float32)[: 1 if run.is_small else 3]:
        angles = torch.rand(64, 128, device=run.device)
        norms = Norms(1e-5, angles.cos().to(dtype), angles.sin().to(dtype))
        run.say(part="kernels", rows=str(dtype), wrong=elementwise.why_wrong(elementwise.TritonElementwise, norms))
    run.say(part="kernels", choice=_choices(run))


INTERPRETED: dict[str, Any] = {
    "block_multiple": 1,
    "why_not": classmethod(lambda cls, needs: None),
    "programs_on": staticmethod(lambda device: 4),
}


def _choices(run: Run) -> Row:
    """How many tokens are those of the sampler, drawn and best, masked and not."""
    from gateway.engine.gpu_kernels.choice import choose, narrow
    from gateway.engine.sampler import best
    from gateway.engine.speculation.verify import draw
    from gateway.engine.warpers.token_mask import forbid_elsewhere

    rows, vocab = run.of([4], [64])[0], run.of([300], [128_256])[0]
    logits = torch.randn(rows, vocab, generator=torch.Generator().manual_seed(0)).to(run.device) * 4
    masks = np.random.default_rng(0).integers(0, 1 << 32, (rows, -(-vocab // 32)), dtype=np.uint32)
    places = torch.arange(rows, dtype=torch.int32, device=run.device)
    heats = torch.arange(rows, device=run.device) % 2 * 0.8
    points = torch.rand(rows, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).to(run.device)
    packed = torch.from_numpy(masks.view(np.int32)).to(run.device)
    call = run.captured(lambda: choose(logits, packed, places, heats, points))
    took = run.milliseconds(call)
    tokens = choose(logits, packed, places, heats, points)[0].long()
    forbid_elsewhere(logits, masks)
    wanted = torch.tensor(best(logits)[0], device=run.device)
    wanted[1::2] = draw((logits[1::2] / 0.8).softmax(-1), points[1::2])
    ones = torch.ones(rows, device=run.device)
    limits = (ones.int() * 40, ones * 0.9, ones * -5.0)
    narrowed = run.milliseconds(run.captured(lambda: narrow(logits, packed, places, ones, *limits)))
    return {"rows": rows, "equal": int((tokens == wanted).sum()), "ms": took, "truncation_ms": narrowed}


def equality(run: Run) -> None:
    """Greedy answers in float32 beside transformers' own."""
    for name, config in FAMILY.items() if not run.is_small else [("llama", LlamaConfig)]:
        torch.manual_seed(0)
        sizes = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4, "vocab_size": 1000}
        heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64, "initializer_range": 0.1}
        model = AutoModelForCausalLM.from_config(config(**sizes, **heads)).to(run.device).eval()
        prompts = make_prompts([5, 60, 17, 130][: 2 if run.is_small else 4], 1000)
        new = 4 if run.is_small else 32
        expected = [stock_answers(model, [prompt], new)[0] for prompt in prompts]
        engine = make_engine(model, run.memory, max_num_seqs=4, max_batch_tokens=64, dtype="float32")
        answers = engine.generate([make_request(i, prompt, new) for i, prompt in enumerate(prompts)])
        equal = sum(
            a == b for one, other in zip(answers, expected, strict=True) for a, b in zip(one, other, strict=True)
        )
        kind = engine._builder.attention.name
        run.say(part="equality", model=name, attention=kind, equal=equal, of=new * len(prompts))
        engine.close()


def step(run: Run) -> None:
    """A decode step, captured and not, beside what memory allows."""
    for kind, model in models(run.kinds, run.device, run.dtype):
        context = 40 if run.is_small else 1024
        config = EngineConfig(
            device=str(run.device), check_model=False, max_num_seqs=256, max_batch_tokens=8192, max_model_len=4096
        )
        loaded = load_model(model, config)
        config = loaded.fit(config)
        weights = sum(weight.numel() * weight.element_size() for weight in model.parameters())
        if not model.config.tie_word_embeddings:  # of the embedding a row for each text is read
            weights -= model.model.embed_tokens.weight.numel() * model.dtype.itemsize
        for texts in run.of([2], [1, 8, 64, 256]):
            if time.monotonic() > run.end:
                return
            blocks = -(-(context + 1) // config.block_size)
            cache = loaded.make_cache(texts * blocks, config.block_size)
            sequences = [decoding(number, context, blocks) for number in range(texts)]
            batch = loaded.make_builder(config).build(Plan(decode=sequences))

            call = partial(loaded.decoder.forward, batch, cache)
            with torch.inference_mode():
                eager, captured = run.milliseconds(call), run.milliseconds(run.captured(call))
            bound = (weights + texts * context * loaded.needs.slot_bytes) / run.rate * 1e3
            row = {"model": kind, "texts": texts, "attention": loaded.attention.name, "bound_ms": bound}
            run.say(part="step", **row, eager_ms=eager, captured_ms=captured, share=bound / captured)
            del cache, batch


def attention(run: Run) -> None:
    """Attention alone, captured: tiles with more keys on their way, more programs, longer contexts."""
    if not run.is_cuda:
        return run.say(part="attention", left_out="an interpreter's times say nothing")
    layer = LAYERS["plain"]
    needs = AttentionNeeds(run.device, (layer,), 4096)
    narrow = tiles.FORMS[2, True, False][0]
    for texts, context in ((1, 1024), (1, 32_768), (8, 8192), (64, 1024), (64, 8192)):
        blocks = context // 16 + 1
        pool = torch.randn(texts * blocks * 16, 16, 128, dtype=layer.dtype, device=run.device)
        cache: Any = type("Cache", (), {"heads": (pool, pool, 8)})()
        query = torch.randn(texts, 32, 128, dtype=layer.dtype, device=run.device)
        for stages, programs in ((3, 2), (3, 4), (3, 8), (5, 2), (5, 4)):
            tiles.FORMS[2, True, False] = ((*narrow[:3], stages), *tiles.FORMS[2, True, False][1:])
            kind = type("Kind", (TritonAttention,), {"programs_on": staticmethod(lambda d, n=programs: n * 132)})
            backend: Any = kind(needs, EngineConfig())
            sequences = [decoding(number, context, blocks) for number in range(texts)]
            BatchBuilder(EngineConfig(max_num_seqs=64), run.device, backend).build(Plan(decode=sequences))
            call = run.captured(partial(backend.attend, query, query, query, cache, scale=128**-0.5))
            took = run.milliseconds(call)
            share = 2 * texts * context * 8 * 128 * 2 / run.rate * 1e3 / took
            run.say(
                part="attention", texts=texts, context=context, stages=stages, programs=programs, ms=took, share=share
            )
        tiles.FORMS[2, True, False] = (narrow, *tiles.FORMS[2, True, False][1:])


def serving(run: Run) -> None:
    """The engine as it is: tokens a second, free, under masks and drawn; waiting, a step ahead, with drafts."""
    for kind, model in models(run.kinds, run.device, run.dtype):
        new, most = run.of([4], [64])[0], run.of([4], [256])[0]
        guesses = ("forced", "ngram")
        for way, run_ahead, speculation in (("ahead", True, ()), ("waits", False, ()), ("chosen", True, guesses)):
            engine = make_engine(
                model,
                run.memory,
                max_num_seqs=most,
                max_batch_tokens=run.of([64], [8192])[0],
                speculation=speculation,
                run_ahead=run_ahead,
            )
            kinds = {"decoder": type(engine._decoder).__name__, "attention": engine._builder.attention.name}
            run.say(part="serving", model=kind, way=way, **kinds, blocks=engine.stats().num_blocks)
            for texts in run.of([2], [1, 8, 64, 256]):
                for asked in ("free", "masked", "drawn"):
                    if time.monotonic() > run.end:
                        return engine.close()
                    seconds = []
                    for seed in range(1 if run.is_small else 3):
                        prompts = make_prompts([16 if run.is_small else 128] * texts, engine.vocab_size, seed)
                        begun = time.perf_counter()
                        engine.generate([make_request(i, each, new, asked) for i, each in enumerate(prompts)])
                        seconds.append(time.perf_counter() - begun)
                    rate = texts * new / min(seconds)
                    run.say(part="serving", model=kind, way=way, texts=texts, asked=asked, tokens_s=rate)
            engine.close()


def first_token(run: Run) -> None:
    """Seconds to the first token of one prompt, and of several at once."""
    for kind, model in models(run.kinds, run.device, run.dtype):
        engine = make_engine(
            model, run.memory, max_num_seqs=32, max_batch_tokens=run.of([64], [8192])[0], speculation=()
        )
        for texts, length in ((1, 16),) if run.is_small else ((1, 1024), (1, 8000), (32, 256), (8, 1024)):
            if time.monotonic() > run.end:
                return engine.close()
            seconds = []
            for seed in range(3):
                prompts = make_prompts([length] * texts, engine.vocab_size, seed)
                begun = time.perf_counter()
                engine.generate([make_request(i, each, 1) for i, each in enumerate(prompts)])
                seconds.append(time.perf_counter() - begun)
            run.say(part="first_token", model=kind, texts=texts, length=length, first_s=seconds[0], s=min(seconds[1:]))
        engine.close()


def products(run: Run) -> None:
    """torch's own product of few rows, beside reading its weights."""
    for kind in run.kinds:
        hidden, inner, _, heads, kv_heads, size, vocab = SHAPES[kind]
        forms = {"qkv": (hidden, (heads + 2 * kv_heads) * size), "out": (heads * size, hidden)}
        forms |= {"gate_up": (hidden, 2 * inner), "down": (inner, hidden), "head": (hidden, vocab)}
        for name, (wide, high) in forms.items():
            weight = torch.randn(high, wide, dtype=run.dtype, device=run.device)
            for rows in run.of([1], [1, 8, 64]):
                x = torch.randn(rows, wide, dtype=run.dtype, device=run.device)
                took = run.milliseconds(run.captured(lambda x=x, weight=weight: functional.linear(x, weight)))
                share = weight.numel() * weight.element_size() / run.rate * 1e3 / took
                run.say(part="products", model=kind, product=name, rows=rows, ms=took, share=share)


def peers(run: Run) -> None:
    """transformers' `generate` on the same prompts."""
    for kind, model in models(run.kinds, run.device, run.dtype):
        new = run.of([4], [64])[0]
        for texts in run.of([2], [1, 64]):
            prompts = make_prompts([16 if run.is_small else 128] * texts, model.config.vocab_size)
            stock_answers(model, prompts, 2)
            begun = time.perf_counter()
            stock_answers(model, prompts, new)
            run.say(part="peers", model=kind, texts=texts, tokens_s=texts * new / (time.perf_counter() - begun))


PARTS: tuple[Callable[[Run], None], ...] = (
    machine, kernels, equality, step, attention, serving, first_token, products, peers,
)  # fmt: skip


def main(words: list[str] | None = None) -> list[Row]:
    """Run the parts that are asked for; the rows."""
    names = [part.__name__ for part in PARTS]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=300, help="no load is begun after that")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="a little of each, on a CPU too")
    parser.add_argument("--kind", nargs="+", default=["1b", "8b"], choices=list(SHAPES))
    parser.add_argument("--parts", nargs="+", default=names, choices=names)
    arguments = parser.parse_args(words)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    run = Run(arguments)
    for part in PARTS:
        if part is not machine and (part.__name__ not in arguments.parts or time.monotonic() > run.end):
            continue
        begun = time.monotonic()
        try:
            part(run)
        except Exception as error:  # the next part may still say something
            run.say(part=part.__name__, failed=repr(error)[:500], where=traceback.format_exc()[-1500:])
        gc.collect()
        run.say(part=part.__name__, took_s=round(time.monotonic() - begun, 1))
    return run.rows


if __name__ == "__main__":
    main()
