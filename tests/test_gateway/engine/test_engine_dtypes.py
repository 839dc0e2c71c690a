"""bfloat16, float16 and int8: near the stock model of the same type, and a wrong decoder is still found."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import CONFIGS, LEAN, PATHS, make_model, needs_bfloat16, stock_logits
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine import Engine, EngineConfig
from gateway.engine.errors import NonFiniteLogitsError, UnsupportedModelError
from gateway.engine.inputs import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models import check, load
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.generic import TransformersDecoder
from gateway.engine.models.linear.dense import PLAIN
from gateway.engine.models.linear.eight_bits import fp8_kind, int8_kind

NUMERICS = [("bfloat16", "none", 0.05), ("float16", "none", 0.01), ("float32", "int8", 0.2), ("bfloat16", "int8", 0.2)]
"""Type, quantization, and how far logits are from the stock model's, root mean square in their standard deviations.

With int8: where rows have seven bits, as on CPUs without VNNI."""
ROUTED = ("mixtral", "qwen3_moe")
"""Rounding may send a row to another expert."""


@pytest.mark.parametrize(("dtype", "quantization", "bound"), NUMERICS)
@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_logits_are_near_the_stock_model_of_the_same_type(
    name: str, decoder: str, dtype: str, quantization: str, bound: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[float] = []
    monkeypatch.setattr(check, "LENGTHS", (40, 23))
    monkeypatch.setattr(check, "_judge", lambda errors, tolerance: found.extend(errors))
    make_engine(name, decoder=decoder, dtype=dtype, quantization=quantization, check_model=True)
    assert len(found) == 6
    assert statistics.median(found) < bound
    if name not in ROUTED:
        assert max(found) < bound


@pytest.mark.parametrize(("dtype", "quantization", "bound"), NUMERICS)
@pytest.mark.parametrize("name", ["llama", "gemma3", "gpt2", "mixtral"])
def test_probabilities_in_a_mixed_batch_are_near_the_stock_model(
    name: str, dtype: str, quantization: str, bound: float
) -> None:
    prompts = random_prompts(7, [5, 20, 33])
    engine = make_engine(name, dtype=dtype, quantization=quantization)
    stock = make_model(name)
    events = run_checked(engine, [make_request(i, prompt, 8, logprobs=1) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        answer = tokens_of(events[str(i)])
        logits = stock_logits(stock, prompt + answer)[len(prompt) - 1 : -1]
        reports = [report for event in events[str(i)] for report in event.logprobs or []]
        got = torch.tensor([report.logprob for report in reports])
        expected = logits.log_softmax(-1).gather(1, torch.tensor(answer)[:, None])[:, 0]
        assert float((got - expected).square().mean().sqrt()) < 2 * bound * float(logits.std())


@pytest.mark.parametrize(("dtype", "quantization", "bound"), NUMERICS)
@pytest.mark.parametrize("name", CONFIGS)
def test_check_model_accepts_what_is_right(name: str, dtype: str, quantization: str, bound: float) -> None:
    engine = make_engine(name, dtype=dtype, quantization=quantization, check_model=True)
    assert isinstance(engine._decoder, FastLlamaDecoder if name in LEAN else TransformersDecoder)


def shifted_positions(batch: Batch) -> None:
    batch.positions[1:] += 1
    batch.layout.host_positions[1:] += 1


def leak(batch: Batch) -> None:
    batch.input_ids[1:] = batch.input_ids[:-1].clone()


@pytest.mark.parametrize("mistake", [shifted_positions, leak])
@pytest.mark.parametrize(("dtype", "quantization", "bound"), NUMERICS)
@pytest.mark.parametrize(("name", "decoder"), [("llama", FastLlamaDecoder), ("qwen3", TransformersDecoder)])
def test_check_model_refuses_a_wrong_decoder(
    name: str, decoder: Any, dtype: str, quantization: str, bound: float, mistake: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = decoder.forward

    def wrong(self: Any, batch: Batch, cache: KvCache) -> torch.Tensor:
        mistake(batch)
        logits: torch.Tensor = original(self, batch, cache)
        return logits

    monkeypatch.setattr(decoder, "forward", wrong)
    monkeypatch.setattr(load, "why_not_compiled", lambda model, kind: "its steps would not be wrong")
    which = "lean" if decoder is FastLlamaDecoder else "transformers"
    with pytest.raises(UnsupportedModelError, match="standard deviations"):
        make_engine(name, decoder=which, dtype=dtype, quantization=quantization, check_model=True)


@pytest.mark.parametrize(("dtype", "quantization", "bound"), NUMERICS)
def test_check_model_refuses_an_architecture_read_wrongly(
    dtype: str, quantization: str, bound: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window that is overlooked shows in nothing but the numbers."""
    monkeypatch.setattr(check, "LENGTHS", (40, 23))
    monkeypatch.setattr("gateway.engine.models.fast_llama._window", lambda *_: None)
    with pytest.raises(UnsupportedModelError, match="window of 12"):
        make_engine("mistral", decoder="lean", dtype=dtype, quantization=quantization, check_model=True)
    monkeypatch.setattr("gateway.engine.models.load.check_windows", lambda *_: None)
    with pytest.raises(UnsupportedModelError, match="standard deviations"):
        make_engine("mistral", decoder="lean", dtype=dtype, quantization=quantization, check_model=True)


def test_tolerance_is_that_of_the_coarsest_numbers() -> None:
    assert check.tolerance_of(torch.bfloat16, int8_kind()) == check.COARSE["int8"]
    assert check.tolerance_of(torch.bfloat16, fp8_kind(PLAIN)) == check.COARSE["fp8"]
    assert check.tolerance_of(torch.bfloat16, PLAIN) == check.COARSE[torch.bfloat16]
    assert check.tolerance_of(torch.float32, PLAIN) == check.EXACT


@pytest.mark.parametrize("errors", [[0.01] * 3 + [0.9] * 3, [0.01] * 5 + [float("nan")]])
def test_coarse_judgement_refuses_one_wrong_sequence_of_two(errors: list[float]) -> None:
    with pytest.raises(UnsupportedModelError):
        check._judge(errors, check.COARSE["fp8"])


def test_coarse_judgement_overlooks_a_rerouted_row() -> None:
    check._judge([0.01] * 4 + [0.9] * 2, check.COARSE["int8"])
    with pytest.raises(UnsupportedModelError):
        check._judge([0.0] * 5 + [0.9], check.EXACT)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_overflow_ends_the_request_alone(dtype: str) -> None:
    model = make_model("llama")
    model.model.embed_tokens.weight.data[7] = torch.finfo(getattr(torch, dtype)).max * (1 - 2**-8)
    model.model.embed_tokens.weight.data[7, 1::2] = float("inf")
    engine = make_engine(model=model, dtype=dtype)
    events = run_checked(engine, [make_request(0, [5, 7, 9]), make_request(1, [5, 8, 9])])
    assert isinstance(events["0"][-1].error, NonFiniteLogitsError)
    assert len(tokens_of(events["1"])) == 12


def test_cache_is_as_narrow_as_the_type() -> None:
    wide, narrow = (make_engine("llama", dtype=dtype) for dtype in ("float32", "bfloat16"))
    for engine in (wide, narrow):
        engine.generate([make_request(0, [5, 6, 7])])
    assert wide._cache.bytes_per_block == 2 * narrow._cache.bytes_per_block


@pytest.mark.parametrize(
    ("capabilities", "size"),
    [pytest.param({}, 4, id="float32"), pytest.param({"avx512_bf16": True}, 2, id="bfloat16", marks=needs_bfloat16)],
)
@pytest.mark.parametrize("decoder", ["lean", "transformers"])
def test_folder_is_loaded_in_the_type_of_the_machine(
    decoder: Any, capabilities: dict[str, bool], size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_model("llama").save_pretrained(tmp_path)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    engine = Engine(str(tmp_path), EngineConfig(device="cpu", num_blocks=8, decoder=decoder))
    engine.generate([make_request(0, [5, 6, 7])])
    assert engine._cache.bytes_per_block == 16 * 2 * 2 * 2 * 8 * size  # slots, layers, keys and values, heads, size


def test_model_given_as_an_object_keeps_its_type_and_its_weights() -> None:
    model = make_model("gpt2").to(torch.bfloat16)
    expected = stock_logits(model, [5, 6, 7])
    first = make_engine(model=model, quantization="int8", check_model=True)
    second = make_engine(model=model, check_model=True)
    for engine in (first, second):
        engine.generate([make_request(0, [5, 6, 7])])
    assert first._cache.bytes_per_block == second._cache.bytes_per_block
    third = make_engine(model=model, decoder="transformers", check_model=True)._decoder
    assert isinstance(third, TransformersDecoder)
    third.model.set_attn_implementation("sdpa")
    assert check.error_of(stock_logits(model, [5, 6, 7])[-1].float(), expected[-1].float()) < 0.02
