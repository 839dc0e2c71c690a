"""The engine on a GPU: the same answers as on the CPU. Run with `-m gpu` where there is one."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import PATHS, VOCAB, make_model, stock_greedy
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from test_engine_constraints import Dfa

from gateway.engine import EngineConfig
from gateway.engine.attention.base import AttentionNeeds, LayerNeeds
from gateway.engine.attention.choice import choose_attention, why_wrong
from gateway.engine.attention.flash import FlashAttention
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.attention.triton import TritonAttention
from gateway.engine.inputs import Staging

HAS_FLASH = importlib.util.find_spec("flash_attn") is not None
needs_flash = pytest.mark.skipif(not HAS_FLASH, reason="flash-attn is not installed")
pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")]

LAYER = LayerNeeds(8, 2, 64, 64, torch.bfloat16, None, None)
LAYERS = [
    LAYER,
    replace(LAYER, dtype=torch.float16, heads=2),
    replace(LAYER, window=9),
    replace(LAYER, window=300, softcap=5.0),
    replace(LAYER, key_size=128, value_size=128),
]


def even() -> Dfa:
    """Even tokens alone, as many as one likes."""
    return Dfa({0: dict.fromkeys(range(4, VOCAB, 2), 0)}, {0})


@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_cuda_answers_are_those_of_the_stock_model(name: str, decoder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 50, 7, 1, 16])
    stock = make_model(name)
    answers = [stock_greedy(stock, prompt, 12) for prompt in prompts]
    drafter = Prophet([prompt + answer for prompt, answer in zip(prompts, answers, strict=True)], 0.7)
    options = {"device": "cuda", "attention_backend": "sdpa", "num_blocks": 28, "check_model": True}
    engine = make_engine(name, decoder=decoder, drafters=[drafter], **options)
    for _ in range(2):
        events = run_checked(engine, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
        assert [tokens_of(events[str(i)]) for i in range(len(prompts))] == answers


def test_cuda_draws_what_the_cpu_draws() -> None:
    options: dict[str, Any] = {"temperature": 0.9, "logprobs": 3, "prompt_logprobs": 1}
    kinds: list[dict[str, Any]] = [
        {"top_k": 20, "repetition_penalty": 1.2, "logit_bias": {7: 2.0}},
        {"top_p": 0.8, "presence_penalty": 0.3, "frequency_penalty": 0.2, "bad_words_ids": ((5,), (6, 7))},
        {"min_p": 0.05, "no_repeat_ngram_size": 2, "constraint": even},
        {"typical_p": 0.7, "allowed_token_ids": tuple(range(3, 90)), "min_tokens": 5},
        {"temperature": 0.0, "constraint": even},
    ]
    prompts = random_prompts(4, [9, 20, 3, 30, 12])
    found = []
    for device in ("cpu", "cuda"):
        engine = make_engine(device=device, draft_model=make_model("qwen3"), speculation=("ngram", "model"))
        requests = [
            make_request(
                i, prompt, 16, **(options | {"seed": i} | {k: v() if v is even else v for k, v in kind.items()})
            )
            for i, (prompt, kind) in enumerate(zip(prompts, kinds, strict=True))
        ]
        events = run_checked(engine, requests)
        assert all(each[-1].error is None for each in events.values())
        found.append({number: tokens_of(each) for number, each in events.items()})
    assert found[0] == found[1]


@pytest.mark.parametrize("backend", [TritonAttention, SdpaAttention, pytest.param(FlashAttention, marks=needs_flash)])
@pytest.mark.parametrize("layer", LAYERS)
def test_cuda_attention_is_right(layer: LayerNeeds, backend: Any) -> None:
    needs = AttentionNeeds(torch.device("cuda"), (layer,), 512)
    assert backend.why_not(needs) is None
    assert why_wrong(backend, needs) is None


@pytest.mark.parametrize("backend", ["auto", pytest.param("flash", marks=needs_flash)])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["llama", "mistral", "gemma2", "gpt2"])
def test_cuda_attention_that_reads_pages_says_what_torch_s_says(name: str, dtype: str, backend: str) -> None:
    prompts = random_prompts(1, [5, 23, 50, 7])
    answers = []
    for attention in (backend, "sdpa"):
        engine = make_engine(name, device="cuda", dtype=dtype, attention_backend=attention, check_model=True)
        assert engine._builder.attention.name == ("triton" if attention == "auto" else attention)
        events = run_checked(engine, [make_request(i, prompt, 8, logprobs=1) for i, prompt in enumerate(prompts)])
        answers.append([events[str(i)][0].logprobs[0].logprob for i in range(len(prompts))])
    assert answers[0] == pytest.approx(answers[1], abs=0.15)


def test_cuda_attends_by_our_kernel_in_float32_too() -> None:
    needs = AttentionNeeds(torch.device("cuda"), (replace(LAYER, dtype=torch.float32),), 512)
    assert choose_attention(EngineConfig(), needs) is TritonAttention


def test_cuda_staging_does_not_overwrite_what_is_under_way() -> None:
    staging = Staging(torch.device("cuda"), torch.int64, 1 << 20)
    sums = []
    for number in range(20):
        (sent,) = staging.stage(np.full(1 << 20, number))
        sums.append(sent.sum())
    assert [int(each) for each in sums] == [number << 20 for number in range(20)]


def test_blocks_come_back_from_pinned_memory_and_a_file(tmp_path: Path) -> None:
    prompts = random_prompts(1, [40, 44, 37, 48])
    expected = [stock_greedy(make_model("llama"), prompt, 6) for prompt in prompts]
    pages = {"num_blocks": 16, "kv_offload_bytes": 1 << 20, "kv_offload_file": str(tmp_path / "pages")}
    for tier in ("memory", "file"):
        engine = make_engine(device="cuda", attention_backend="sdpa", **pages)
        for _ in range(2):
            for prompt, answer in zip(prompts, expected, strict=True):
                assert tokens_of(run_checked(engine, [make_request(0, prompt, 6)])["0"]) == answer
        assert engine.stats().offload_hits[tier] > 0
        engine.close()
