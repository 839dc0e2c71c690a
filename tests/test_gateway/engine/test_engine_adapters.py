"""LoRA adapters in one batch with each other and with the base model: each text is that of the merged stock model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import Prophet, make_engine, make_request, random_prompts, run_checked, tokens_of
from transformers import AutoModelForCausalLM

from gateway.embedded import target_path
from gateway.engine import Engine, GenerationRequest
from gateway.engine.errors import AdapterNotFoundError, InvalidAdapterError, UnsupportedModelError
from gateway.engine.request import AdapterFile
from tests.lora_files import Pairs, merged, random_pairs, shapes_of, write_adapter

PATHS = [
    ("llama", "lean"),
    ("qwen3", "lean"),
    ("llama", "transformers"),
    ("gpt2", "transformers"),
    ("mixtral", "transformers"),
]
ADAPTERS = {"one": (4, 1, 0.5), "two": (2, 2, 2.0), "three": (7, 3, 1.0)}
"""Rank, seed and scale of each."""


@cache
def stock(name: str) -> Any:
    return make_model(name)


@cache
def pairs_of(name: str, adapter: str) -> Pairs:
    rank, seed, _ = ADAPTERS[adapter]
    targets = {"two": ("q_proj", "v_proj", "c_attn")}.get(adapter, ("_proj", "c_attn", "c_proj", "c_fc"))
    return random_pairs(shapes_of(stock(name)), rank, seed, 0.15, targets)


@cache
def expected(name: str, adapter: str | None, prompt: tuple[int, ...], max_tokens: int = 12) -> list[int]:
    model = stock(name)
    if adapter is not None:
        pairs = pairs_of(name, adapter)
        model = merged(model, pairs, dict.fromkeys(pairs, ADAPTERS[adapter][2]))
    return stock_greedy(model, list(prompt), max_tokens)


def load(engine: Engine, folder: Path, name: str, adapters: Iterable[str] = ADAPTERS) -> None:
    for adapter in adapters:
        pairs = pairs_of(name, adapter)
        path = write_adapter(folder / adapter, pairs) / "adapter_model.safetensors"
        file = AdapterFile(adapter, str(path), dict.fromkeys(pairs, ADAPTERS[adapter][2]))
        engine.adapters.add(adapter, engine.adapters.read(file))


def request_with(adapter: str | None, *arguments: Any, **options: Any) -> GenerationRequest:
    return replace(make_request(*arguments, **options), adapter=adapter)


@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_adapters_and_base_in_one_batch_equal_the_merged_stock_models(name: str, decoder: str, tmp_path: Path) -> None:
    prompts = random_prompts(1, [5, 23, 9, 7, 1, 16])
    engine = make_engine(name, decoder=decoder, max_adapters=3, check_model=True)
    load(engine, tmp_path, name)
    wanted = ["one", None, "two", "three", None, "one"]
    requests = [
        request_with(adapter, i, prompt) for i, (adapter, prompt) in enumerate(zip(wanted, prompts, strict=True))
    ]
    events = run_checked(engine, requests)
    for i, (adapter, prompt) in enumerate(zip(wanted, prompts, strict=True)):
        assert tokens_of(events[str(i)]) == expected(name, adapter, tuple(prompt)), adapter
    assert len({tuple(expected(name, adapter, tuple(prompts[1]))) for adapter in (None, *ADAPTERS)}) > 2


def test_adapters_of_the_embedded_model_equal_the_merged_stock_model(tmp_path: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(target_path(), dtype=torch.float32).eval()
    pairs = random_pairs(shapes_of(model), 8, size=0.1)
    path = write_adapter(tmp_path, pairs) / "adapter_model.safetensors"
    engine = make_engine(model=str(target_path()), max_adapters=1, dtype="float32", max_batch_tokens=32)
    engine.adapters.add("one", engine.adapters.read(AdapterFile("one", str(path), dict.fromkeys(pairs, 2.0))))
    prompts = random_prompts(9, [20, 7, 3])
    adapted = merged(model, pairs, dict.fromkeys(pairs, 2.0))
    answers = [stock_greedy(each, prompt, 16) for each, prompt in zip((adapted, model, adapted), prompts, strict=True)]
    requests = [request_with(name, i, prompts[i], 16) for i, name in enumerate(("one", None, "one"))]
    events = run_checked(engine, requests)
    assert [tokens_of(events[str(i)]) for i in range(3)] == answers
    assert stock_greedy(model, prompts[0], 16) != answers[0]


def test_prefix_cache_does_not_cross_adapters(tmp_path: Path) -> None:
    (prompt,) = random_prompts(3, [18])
    engine = make_engine(max_adapters=3)
    load(engine, tmp_path, "llama")
    for repeat in range(2):
        for adapter in (None, "one", "two"):
            events = run_checked(engine, [request_with(adapter, 0, prompt)])["0"]
            assert tokens_of(events) == expected("llama", adapter, tuple(prompt))
            assert events[-1].num_cached_tokens == 16 * repeat
    engine.remove_adapter("one", lambda: None)
    load(engine, tmp_path, "llama", ["one"])
    assert run_checked(engine, [request_with("one", 0, prompt)])["0"][-1].num_cached_tokens == 16
    engine.remove_adapter("one", lambda: None)
    other = AdapterFile(
        "one", str(tmp_path / "one/adapter_model.safetensors"), dict.fromkeys(pairs_of("llama", "one"), 9.0)
    )
    engine.adapters.add("one", engine.adapters.read(other))
    assert run_checked(engine, [request_with("one", 0, prompt)])["0"][-1].num_cached_tokens == 0


def test_drafts_are_verified_with_the_adapter_of_their_text(tmp_path: Path) -> None:
    prompts = random_prompts(4, [6, 9, 11])
    wanted = ["one", None, "two"]
    answers = [expected("llama", adapter, tuple(prompt)) for adapter, prompt in zip(wanted, prompts, strict=True)]
    texts = [prompt + answer for prompt, answer in zip(prompts, answers, strict=True)]
    engine = make_engine(max_adapters=3, drafters=[Prophet(texts, truth=0.7)])
    load(engine, tmp_path, "llama")
    requests = [
        request_with(adapter, i, prompt) for i, (adapter, prompt) in enumerate(zip(wanted, prompts, strict=True))
    ]
    events = run_checked(engine, requests)
    assert [tokens_of(events[str(i)]) for i in range(3)] == answers
    assert engine.stats().num_drafts > 0


def test_draft_model_without_adapter_changes_no_answer(tmp_path: Path) -> None:
    prompts = random_prompts(5, [6, 9])
    engine = make_engine(max_adapters=3, draft_model=make_model("llama", seed=1), speculation=("model",))
    load(engine, tmp_path, "llama")
    events = run_checked(engine, [request_with("one", 0, prompts[0]), request_with(None, 1, prompts[1])])
    assert tokens_of(events["0"]) == expected("llama", "one", tuple(prompts[0]))
    assert tokens_of(events["1"]) == expected("llama", None, tuple(prompts[1]))


def test_groups_and_preemption_keep_the_adapter(tmp_path: Path) -> None:
    (prompt,) = random_prompts(6, [9])
    engine = make_engine(max_adapters=3, num_blocks=12, prefix_caching=False)
    load(engine, tmp_path, "llama")
    adapters = ["one", "one", "one", None]
    requests = [
        request_with(adapter, i, prompt, 20, group=None if adapter is None else "g")
        for i, adapter in enumerate(adapters)
    ]
    events = run_checked(engine, requests)
    assert engine.stats().num_preemptions > 0
    for i, adapter in enumerate(adapters):
        assert tokens_of(events[str(i)]) == expected("llama", adapter, tuple(prompt), 20)


@pytest.mark.parametrize("settings", [{"dtype": "bfloat16"}, {"quantization": "int8"}])
def test_adapters_change_products_of_any_kind(settings: dict[str, str], tmp_path: Path) -> None:
    (prompt,) = random_prompts(7, [12])
    folder = tmp_path / "model"
    stock("llama").save_pretrained(folder)
    engine = make_engine(model=str(folder), max_adapters=3, **settings)
    load(engine, tmp_path, "llama")
    pairs = pairs_of("llama", "one")
    model = merged(stock("llama"), pairs, dict.fromkeys(pairs, ADAPTERS["one"][2]))
    with torch.inference_mode():
        exact = model(torch.tensor([prompt])).logits[0, -1].log_softmax(-1)
    for adapter, is_near in (("one", True), (None, False)):
        (event, *_) = run_checked(engine, [request_with(adapter, 0, prompt, 1, logprobs=160)])["0"]
        got = torch.tensor([chance for _, chance in sorted(event.logprobs[0].top)])
        assert (float((got - exact).abs().max()) < 0.5 * float(exact.std())) == is_near


def test_removal_waits_for_texts_under_way(tmp_path: Path) -> None:
    (prompt,) = random_prompts(8, [7])
    engine, removed = make_engine(max_adapters=1), list[str]()
    load(engine, tmp_path, "llama", ["one"])
    with pytest.raises(InvalidAdapterError, match="1 adapters are loaded already"):
        load(engine, tmp_path, "llama", ["two"])
    engine.add(request_with("one", 0, prompt))
    tokens = [token for event in engine.step() for token in event.token_ids]
    engine.remove_adapter("one", lambda: removed.append("one"))
    with pytest.raises(AdapterNotFoundError):
        engine.add(request_with("one", 1, prompt))
    with pytest.raises(InvalidAdapterError):
        load(engine, tmp_path, "llama", ["two"])
    while engine.has_work:
        assert not removed
        tokens += [token for event in engine.step() for token in event.token_ids]
    assert (tokens, removed) == (expected("llama", "one", tuple(prompt)), ["one"])
    load(engine, tmp_path, "llama", ["two"])
    assert tokens_of(run_checked(engine, [request_with("two", 0, prompt)])["0"]) == expected(
        "llama", "two", tuple(prompt)
    )


def test_adapters_that_do_not_fit_are_refused_by_name(tmp_path: Path) -> None:
    engine = make_engine(max_adapters=2, max_adapter_rank=8)
    name = "model.layers.1.mlp.up_proj"
    good = torch.zeros((4, 32)), torch.zeros((48, 4))
    cases: dict[str, tuple[str, tuple[torch.Tensor, torch.Tensor]]] = {
        "no product": ("model.layers.2.mlp.up_proj", good),
        r"must be \[rank, 32\]": (name, (torch.zeros((4, 31)), good[1])),
        r"and \[48, rank\]": (name, (good[0], torch.zeros((48, 5)))),
        r"\[4\]": (name, (torch.zeros(4), good[1])),
        "rank of .* is 9": (name, (torch.zeros((9, 32)), torch.zeros((48, 9)))),
        "rank of .* is 0": (name, (torch.zeros((0, 32)), torch.zeros((48, 0)))),
        "not finite": (name, (good[0], torch.full((48, 4), torch.nan))),
        "are not finite|not finite": (name, (torch.full((4, 32), torch.inf), good[1])),
        r"\['F64'\]": (name, (good[0].double(), good[1].double())),
    }
    for number, (message, (product, pair)) in enumerate(cases.items()):
        path = write_adapter(tmp_path / str(number), {product: pair}, r=1) / "adapter_model.safetensors"
        with pytest.raises(InvalidAdapterError, match=message):
            engine.adapters.read(AdapterFile("a", str(path), {product: 1.0}))
    for file in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(InvalidAdapterError, match="cannot be read"):
            engine.adapters.read(AdapterFile("a", str(file), {name: 1.0}))
    with pytest.raises(InvalidAdapterError, match="cannot be read"):  # the file has another product
        engine.adapters.read(
            AdapterFile("a", str(tmp_path / "6" / "adapter_model.safetensors"), {f"{name[:-7]}down_proj": 1.0})
        )
    with (tmp_path / "large").open("wb") as large:
        large.truncate(1 << 30)
    with pytest.raises(InvalidAdapterError, match="at most"):
        engine.adapters.read(AdapterFile("a", str(tmp_path / "large"), {name: 1.0}))


def test_adapters_are_refused_where_texts_do_not_share_rows_or_none_may_be() -> None:
    with pytest.raises(UnsupportedModelError, match="adapters need"):
        make_engine(decoder="one_by_one", max_adapters=1)
    with pytest.raises(AdapterNotFoundError):
        make_engine().add(request_with("one", 0, [1, 2, 3]))
