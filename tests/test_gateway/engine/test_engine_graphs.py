"""Decode steps over tensors that stay where they are: graphs on a GPU, here the calls themselves, interpreted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from test_engine_triton import DEVICE, Interpreted, few_keys

from gateway.engine import EngineConfig, graphs
from gateway.engine.adapters import Adapters, Weights
from gateway.engine.attention import choice
from gateway.engine.attention.triton import FrozenTriton
from gateway.engine.graphs import GraphDecoder, _text, why_wrong, with_graphs
from gateway.engine.inputs import BatchBuilder
from gateway.engine.models.elementwise import TritonElementwise
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.load import load_model
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import NO_ADAPTER

__all__ = ["few_keys"]
CONFIG = EngineConfig(
    device=DEVICE.type,
    max_num_seqs=2,
    max_draft_tokens=8,
    max_batch_tokens=64,
    block_size=4,
    num_blocks=40,
    check_model=False,
)


RECORDED = [("qwen3", "auto"), ("llama", "transformers"), ("gemma2", "transformers")]


class Steps:
    """A decoder in Triton, and the same recorded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str = "qwen3", decoder: str = "auto") -> None:
        monkeypatch.setattr(choice, "BACKENDS", (Interpreted,))
        monkeypatch.setattr(choice, "why_wrong", lambda backend, needs: None)
        monkeypatch.setattr(graphs, "PROVED_BLOCKS", 2)
        monkeypatch.setattr(graphs, "MOST_ROWS", 12)
        loaded = load_model(make_model(name), replace(CONFIG, decoder=decoder))
        self.decoder = loaded.decoder
        assert isinstance(self.decoder, FastLlamaDecoder) == (decoder == "auto")
        if isinstance(self.decoder, FastLlamaDecoder):
            self.decoder.elementwise = TritonElementwise(self.decoder.norms)
        self.config = loaded.fit(CONFIG)
        self.cache = loaded.make_cache(40, 4)
        self.builder = loaded.make_builder(self.config)
        self.calls: dict[tuple[int, int], int] = {}
        self.recorded = GraphDecoder(self.decoder, self.cache, self.builder, self.config, self.capture)

    def capture(self, call: Any) -> Any:
        """Counted by rows a tile, and rows."""
        (batch,) = call.args
        kind = batch.attention.form.rows, len(batch.input_ids)

        def replay() -> None:
            self.calls[kind] = self.calls.get(kind, 0) + 1
            call()

        return replay


@pytest.mark.usefixtures("few_keys")
def test_steps_with_adapters_are_not_recorded_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch)
    adapters = Adapters(steps.decoder, 1, 4)
    product = "model.layers.0.mlp.up_proj"
    adapters.add("one", Weights.of({product: (torch.ones(4, 32).to(DEVICE), torch.ones(4, 48).to(DEVICE))}))
    builder = BatchBuilder(steps.config, steps.decoder.device, steps.builder.attention, adapters)
    text = _text(0, 2, 5)
    text.num_computed = 4
    plain = steps.recorded.forward(builder.build(Plan(decode=[text])), steps.cache).clone()
    assert sum(steps.calls.values()) == 1
    text.adapter = 0
    adapted = steps.recorded.forward(builder.build(Plan(decode=[text])), steps.cache).clone()
    assert sum(steps.calls.values()) == 1
    assert not torch.allclose(adapted, plain)
    text.adapter = NO_ADAPTER
    again = steps.recorded.forward(builder.build(Plan(decode=[text])), steps.cache)
    assert sum(steps.calls.values()) == 2
    assert torch.equal(again, plain)


@pytest.mark.usefixtures("few_keys")
@pytest.mark.parametrize(
    ("name", "decoder"), [("qwen3", "auto"), ("qwen3", "transformers"), ("gemma2", "transformers")]
)
def test_recorded_steps_are_those_of_the_decoder(name: str, decoder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, name, decoder)
    assert steps.recorded._numbers == [1, 2, 4, 8, 12]
    texts = [_text(number, 8, tokens) for number, tokens in enumerate((16, 1, 7))]
    for text in texts:
        text.num_computed = len(text.token_ids) - 1
    for index in range(2):
        for pool in steps.cache.layer(index).pools:
            pool.normal_(generator=torch.Generator(pool.device).manual_seed(index))
    plans = [Plan(decode=texts), Plan(decode=texts[:1]), Plan(decode=texts[1:], drafts={texts[2]: list(range(8))})]
    for plan in plans:
        batch = steps.builder.build(plan)
        expected = steps.decoder.forward(batch, steps.cache)
        before = [pool.clone() for index in range(2) for pool in steps.cache.layer(index).pools]
        got = steps.recorded.forward(batch, steps.cache)
        # The rows that fill the step up wrote into the last block alone; the others what is there already.
        after = [pool for index in range(2) for pool in steps.cache.layer(index).pools]
        assert all(torch.allclose(one[:-4], other[:-4], atol=1e-5) for one, other in zip(before, after, strict=True))
        assert torch.allclose(got, expected, atol=1e-5)
    assert steps.calls == {(8, 4): 1, (8, 1): 1, (16, 12): 1}


@pytest.mark.usefixtures("few_keys")
def test_steps_that_are_not_recorded_are_the_decoder_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, "llama")
    texts = [_text(number, 2, 4) for number in range(13)]
    prompt = steps.builder.build(Plan(chunks=[(texts[0], 4)]))
    assert steps.recorded.forward(prompt, steps.cache).shape[0] == 1
    for text in texts:
        text.num_computed = 3
    beside = steps.builder.build(Plan(decode=texts[:1], chunks=[(texts[1], 1)]))
    assert steps.recorded.forward(beside, steps.cache).shape[0] == 2
    many = steps.builder.build(Plan(decode=texts))
    assert steps.recorded.forward(many, steps.cache).shape[0] == 13
    few = steps.builder.build(Plan(decode=texts[:2]))
    other = type(steps.cache)(40, 4, steps.cache.slots)
    assert steps.recorded.forward(few, other).shape[0] == 2
    assert steps.calls == {}
    steps.recorded.forward(few, steps.cache)
    assert steps.calls == {(8, 2): 1}


@pytest.mark.usefixtures("few_keys")
@pytest.mark.parametrize("mistake", [None, "attention", "rows"])
def test_recorded_steps_that_are_wrong_are_found(mistake: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(monkeypatch, "llama")
    if mistake == "attention":
        monkeypatch.setattr(FrozenTriton, "take_over", lambda self: None)
    elif mistake == "rows":
        monkeypatch.setattr(graphs, "_inputs", lambda batch: (batch.positions, batch.slot_mapping))
    found = why_wrong(steps.recorded, steps.decoder, steps.cache, steps.builder, steps.config)
    assert ("are wrong by" in (found or "")) == (mistake is not None)
    assert mistake is not None or steps.calls == {(8, 1): 1, (8, 2): 1, (8, 8): 2}  # the last with drafts


@pytest.mark.slow
@pytest.mark.usefixtures("few_keys")
def test_answers_of_recorded_steps_are_those_of_the_stock_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def recorded(decoder: Any, cache: Any, builder: Any, config: EngineConfig) -> GraphDecoder:
        decoder.elementwise = TritonElementwise(decoder.norms)
        return GraphDecoder(decoder, cache, builder, config, lambda call: call)

    monkeypatch.setattr(choice, "BACKENDS", (Interpreted,))
    monkeypatch.setattr("gateway.engine.engine.with_graphs", recorded)
    engine = make_engine("llama", device=DEVICE.type, num_blocks=20)
    prompts = random_prompts(1, [5, 23, 1])
    events = run_checked(engine, [make_request(i, prompt, 8) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == stock_greedy(make_model("llama"), prompt, 8)


def test_without_a_gpu_nothing_is_recorded() -> None:
    loaded = load_model(make_model("llama"), EngineConfig(device="cpu", check_model=False))
    config = loaded.fit(EngineConfig(device="cpu"))
    builder = loaded.make_builder(config)
    assert with_graphs(loaded.decoder, loaded.make_cache(4, 16), builder, config) is loaded.decoder
