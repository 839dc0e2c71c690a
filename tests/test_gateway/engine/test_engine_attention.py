"""One interface, several backends: the same answers through each, the best that proves itself is chosen."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from flash_oracle import KERNELS, EmulatedFlash

from gateway.engine import EngineConfig
from gateway.engine.attention import choice
from gateway.engine.attention.base import AttentionBackend, AttentionNeeds, LayerNeeds, Scoring
from gateway.engine.attention.choice import choose_attention, why_wrong
from gateway.engine.attention.compiled import CompiledAttention
from gateway.engine.attention.flash import FlashAttention
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.inputs import Staging

MODELS = [
    ("llama", "lean"),
    ("mistral", "lean"),
    ("qwen2", "transformers"),
    ("gemma2", "transformers"),
    ("gpt2", "transformers"),
]
"""All heads alike, a window, windows in some layers, bounded scores, a key head for each head."""
LAYER = LayerNeeds(4, 2, 8, 8, torch.float32, None, None)
LAYERS = {
    "plain": LAYER,
    "window": replace(LAYER, window=7),
    "window of one": replace(LAYER, window=1),
    "bounded": replace(LAYER, softcap=0.9, window=100),
    "one key head": replace(LAYER, heads=6, kv_heads=1, key_size=16, value_size=16),
    "values of another size": replace(LAYER, value_size=16),
    "sinks": replace(LAYER, has_sinks=True),
    "sinks in a window": replace(LAYER, has_sinks=True, window=7, heads=6, dtype=torch.bfloat16),
    "bfloat16": replace(LAYER, dtype=torch.bfloat16),
    "eight bits": replace(LAYER, is_fp8=True, window=7, value_size=16),
    "eight bits beside bfloat16": replace(LAYER, is_fp8=True, has_sinks=True, dtype=torch.bfloat16),
}


def make_needs(*layers: LayerNeeds, device: str = "cpu") -> AttentionNeeds:
    return AttentionNeeds(torch.device(device), layers or (LAYER,), 512)


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """flash-attn is there, and runs on a CPU."""
    monkeypatch.setattr("gateway.engine.attention.flash.load_kernels", lambda: KERNELS)
    monkeypatch.setattr(choice, "BACKENDS", (EmulatedFlash, CompiledAttention, SdpaAttention))


@cache
def expected(name: str, prompt: tuple[int, ...], max_tokens: int) -> list[int]:
    return stock_greedy(make_model(name), list(prompt), max_tokens)


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("attention", ["flash", "compiled", "sdpa"])
@pytest.mark.parametrize(("name", "decoder"), MODELS)
def test_answers_are_those_of_the_stock_model_through_every_backend(
    name: str, decoder: str, attention: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 50, 7, 1, 16])
    answers = [expected(name, tuple(prompt), 12) for prompt in prompts]
    drafter = Prophet([prompt + answer for prompt, answer in zip(prompts, answers, strict=True)], 0.7)
    engine = make_engine(
        name,
        decoder=decoder,
        attention_backend=attention,
        num_blocks=10 if name == "mistral" else 20,
        drafters=[drafter],
        check_model=True,
    )
    assert engine._builder.attention.name == attention
    for _ in range(2):  # the second time from the prefix cache
        events = run_checked(engine, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
        assert [tokens_of(events[str(i)]) for i in range(len(prompts))] == answers
    assert engine.stats().num_accepted["prophet"] > 0
    assert engine.stats().num_preemptions > 0


@pytest.mark.parametrize("backend", [SdpaAttention, CompiledAttention, EmulatedFlash])
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.usefixtures("emulated")
def test_backends_are_right_in_every_kind_of_layer(layer: str, backend: type[AttentionBackend]) -> None:
    needs = make_needs(LAYERS[layer])
    if backend.why_not(needs) is None:
        assert why_wrong(backend, needs) is None
    else:
        assert layer.startswith(("values of another size", "sinks", "eight bits"))


def test_flash_reads_its_own_blocks_of_a_joint_pool_and_what_is_copied_is_nothing(
    emulated: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the block size of flash-attn itself: keys and values are views of the pages."""
    seen: set[str] = set()

    def looking(kernel: Any) -> Any:
        def look(q: Any, k: Any, v: Any, **options: Any) -> Any:
            assert k.shape[1] % 256 == 0
            assert k.untyped_storage().data_ptr() == v.untyped_storage().data_ptr()
            seen.add(kernel.__name__)
            return kernel(q, k, v, **options)

        return look

    monkeypatch.setattr("gateway.engine.attention.flash.load_kernels", lambda: tuple(map(looking, KERNELS)))
    assert why_wrong(FlashAttention, make_needs(LAYERS["window"])) is None
    assert seen == {"flash_attn_with_kvcache", "flash_attn_varlen_func"}


@pytest.mark.parametrize("layer", ["plain", "window", "bounded", "sinks"])
@pytest.mark.parametrize("backend", [SdpaAttention, CompiledAttention])
@pytest.mark.parametrize("mistake", ["window", "softcap", "sinks", "positions"])
def test_proof_finds_mistakes(mistake: str, backend: type[Any], layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attend, begin = backend.attend, backend.begin

    def wrong_attend(self: Any, query: Any, cache: Any, scoring: Scoring) -> Any:
        if mistake == "window" and scoring.window is not None:
            scoring = scoring._replace(window=scoring.window + 1)
        if mistake in ("softcap", "sinks"):
            scoring = scoring._replace(**{mistake: None})
        return attend(self, query, cache, scoring)

    def wrong_begin(self: Any, layout: Any) -> None:
        if mistake == "positions":
            layout = replace(layout, positions=layout.positions + 1, host_positions=layout.host_positions + 1)
        begin(self, layout)

    monkeypatch.setattr(backend, "attend", wrong_attend)
    monkeypatch.setattr(backend, "begin", wrong_begin)
    shows = {
        "window": layer in ("window", "bounded"),
        "softcap": layer == "bounded",
        "sinks": layer == "sinks",
        "positions": True,
    }
    assert (why_wrong(backend, make_needs(LAYERS[layer])) is not None) == shows[mistake]


def test_auto_is_compiled_on_a_cpu_and_torch_where_that_does_not_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    config = EngineConfig()
    assert choose_attention(config, make_needs()) is CompiledAttention
    assert choose_attention(config, make_needs(LAYER, replace(LAYER, dtype=torch.float16))) is SdpaAttention
    monkeypatch.setattr(torch, "get_num_threads", lambda: 8)
    assert choose_attention(config, make_needs()) is SdpaAttention


@pytest.mark.parametrize("failure", ["wrong", "nan", "shape", "raises"])
def test_auto_does_not_use_what_is_computed_wrongly(
    failure: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attend = CompiledAttention.attend

    def broken(self: Any, *args: Any, **options: Any) -> torch.Tensor:
        if failure == "raises":
            raise RuntimeError("no such instruction")
        out = attend(self, *args, **options)
        return {"wrong": out * 1.01, "nan": out * float("nan"), "shape": out[:, :1]}[failure]

    monkeypatch.setattr(CompiledAttention, "attend", broken)
    with caplog.at_level(logging.WARNING):
        assert choose_attention(EngineConfig(), make_needs()) is SdpaAttention
    assert "not using compiled attention" in caplog.text
    with pytest.raises(InvalidEngineConfigError, match="compiled"):
        choose_attention(EngineConfig(attention_backend="compiled"), make_needs())


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        (make_needs(), "CUDA, not on cpu"),
        (make_needs(LAYER, device="cuda"), "float32"),
        (make_needs(replace(LAYER, dtype=torch.float16, value_size=16), device="cuda"), "differ"),
        (make_needs(replace(LAYER, dtype=torch.float16, key_size=12, value_size=12), device="cuda"), "multiple of 8"),
        (make_needs(replace(LAYER, dtype=torch.float16, key_size=264, value_size=264), device="cuda"), "256"),
        (make_needs(replace(LAYER, dtype=torch.float16, is_fp8=True), device="cuda"), "eight bits"),
        (make_needs(replace(LAYER, dtype=torch.float16), device="cuda"), "not installed"),
    ],
)
def test_flash_says_why_it_cannot_serve(needs: AttentionNeeds, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise ImportError("No module named 'flash_attn'")

    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (9, 0))
    monkeypatch.setattr("gateway.engine.attention.flash.load_kernels", missing)
    with pytest.raises(InvalidEngineConfigError, match=reason) as caught:
        choose_attention(EngineConfig(attention_backend="flash"), needs)
    assert "attention_backend 'flash' cannot serve this model here" in str(caught.value)


def test_flash_wants_a_gpu_that_is_not_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (7, 5))
    needs = make_needs(replace(LAYER, dtype=torch.float16), device="cuda")
    assert "Ampere" in (FlashAttention.why_not(needs) or "")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (8, 0))
    monkeypatch.setattr("gateway.engine.attention.flash.load_kernels", lambda: KERNELS)
    assert FlashAttention.why_not(needs) is None


def test_compiled_says_why_it_cannot_serve() -> None:
    with pytest.raises(InvalidEngineConfigError, match="float16"):
        make_engine(dtype="float16", attention_backend="compiled")


def test_blocks_are_as_large_as_the_backend_wants_them(emulated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmulatedFlash, "block_multiple", 8)
    model = make_model("llama")
    prompts = random_prompts(1, [19, 30])
    for wanted, got in ((4, 8), (8, 8), (20, 24)):
        engine = make_engine(model=model, attention_backend="flash", block_size=wanted, check_model=True)
        assert engine.config.block_size == got
        assert 64 * wanted <= engine.stats().num_blocks * got < 64 * wanted + got
        events = run_checked(engine, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
        for i, prompt in enumerate(prompts):
            assert tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 12)


def test_draft_model_attends_to_the_blocks_of_its_target(emulated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmulatedFlash, "block_multiple", 8)
    needs = make_needs()
    assert choose_attention(EngineConfig(), needs, block_size=12) is CompiledAttention
    assert choose_attention(EngineConfig(), needs, block_size=16) is EmulatedFlash
    with pytest.raises(InvalidEngineConfigError, match="multiples of 8 tokens, not 12"):
        choose_attention(EngineConfig(attention_backend="flash"), needs, block_size=12)
    engine = make_engine(draft_model=make_model("qwen3", seed=1), speculation=("model",), attention_backend="flash")
    (prompt,) = random_prompts(1, [19])
    assert tokens_of(run_checked(engine, [make_request(0, prompt)])["0"]) == expected("llama", tuple(prompt), 12)


def test_unknown_backend_is_refused() -> None:
    with pytest.raises(InvalidEngineConfigError, match=r"must be auto, triton.* not 'torch'"):
        EngineConfig(attention_backend="torch")  # type: ignore[arg-type]


def test_staging_keeps_order_shapes_apart_and_grows() -> None:
    staging = Staging(torch.device("cpu"), torch.int32, 4)
    first, second = staging.stage(np.arange(3), np.arange(4).reshape(2, 2))
    assert first.dtype == second.dtype == torch.int32
    assert (first.tolist(), second.tolist()) == ([0, 1, 2], [0, 1, 2, 3])
    (third,) = staging.stage(np.arange(50)[::2])
    assert third.tolist() == list(range(0, 50, 2))
    assert staging.stage() == ()
