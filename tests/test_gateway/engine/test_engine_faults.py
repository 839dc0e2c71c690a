"""Faults, cancellation, stops: each ends what it should and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from engine_models import VOCAB, make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine import Engine, GenerationRequest, SamplingParams
from gateway.engine.errors import (
    ContextLengthExceededError,
    DuplicateRequestError,
    EngineFault,
    InvalidEngineConfigError,
    InvalidSamplingError,
    NonFiniteLogitsError,
    QueueFullError,
    StepFailedError,
)
from gateway.engine.inputs import Batch

Damage = Callable[[torch.Tensor, Batch], torch.Tensor]


class DamagedDecoder:
    """The real decoder, whose output is tampered with."""

    def __init__(self, engine: Engine, damage: Damage) -> None:
        self._inner = engine._decoder
        self._damage = damage

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def forward(self, batch: Batch, cache: Any) -> torch.Tensor:
        return self._damage(self._inner.forward(batch, cache), batch)


def damaged_engine(damage: Damage, **settings: Any) -> Engine:
    engine = make_engine(**settings)
    engine._decoder = DamagedDecoder(engine, damage)  # type: ignore[assignment]
    return engine


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_non_finite_logits_end_their_request_alone(value: float, temperature: float) -> None:
    prompts = random_prompts(1, [5, 9, 12])

    def damage(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        if batch.layout.num_decodes == 3 and int(batch.positions[1]) == 14:
            logits[1, 30] = value
        return logits

    engine = damaged_engine(damage, speculation=())
    requests = [make_request(i, prompt, 10, temperature=temperature, seed=i) for i, prompt in enumerate(prompts)]
    events = run_checked(engine, requests)
    assert isinstance(events["1"][-1].error, NonFiniteLogitsError)
    assert len(tokens_of(events["1"])) == 6
    clean = run_checked(make_engine(), requests)
    for name in ("0", "2"):
        assert tokens_of(events[name]) == tokens_of(clean[name])
    assert tokens_of(run_checked(engine, [requests[1]])["1"])[:5] == tokens_of(clean["1"])[:5]


def test_non_finite_key_values_do_not_reach_the_next_owner_of_the_block() -> None:
    prompts = random_prompts(2, [9, 11])
    engine = make_engine(num_blocks=6, prefix_caching=False)
    poisoned = engine._decoder

    def damage(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        for layer in engine._cache._layers.values():
            layer.pools[0][batch.slot_mapping] = float("nan")
        return logits * float("nan")

    engine._decoder = DamagedDecoder(engine, damage)  # type: ignore[assignment]
    assert run_checked(engine, [make_request(0, prompts[0])])["0"][-1].finish_reason == "error"
    engine._decoder = poisoned
    events = run_checked(engine, [make_request(1, prompts[1])])
    assert tokens_of(events["1"]) == stock_greedy(make_model("llama"), prompts[1], 12)


def test_failed_step_ends_the_requests_in_it_and_the_engine_serves_on() -> None:
    prompts = random_prompts(3, [5, 9, 12, 8, 7])
    failing = iter([False, False, True])

    def damage(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        if next(failing, False):
            raise RuntimeError("out of memory, say")
        return logits

    engine = damaged_engine(damage, max_num_seqs=2)
    events = run_checked(engine, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
    failed = [name for name in events if events[name][-1].finish_reason == "error"]
    assert failed == ["0", "1"]
    for name in failed:
        error = events[name][-1].error
        assert isinstance(error, StepFailedError)
        assert isinstance(error.__cause__, RuntimeError)
    model = make_model("llama")
    for i in (2, 3, 4):
        assert tokens_of(events[str(i)]) == stock_greedy(model, prompts[i], 12)


def test_cancel_running_and_waiting() -> None:
    prompts = random_prompts(4, [5, 9, 12])
    engine = make_engine(max_num_seqs=2)
    for i, prompt in enumerate(prompts):
        engine.add(make_request(i, prompt))
    engine.step()
    assert engine.cancel("0")
    assert engine.cancel("2")
    assert not engine.cancel("2")
    assert not engine.cancel("unknown")
    engine.check_integrity()
    ended, answer = {}, []
    while engine.has_work:
        for event in engine.step():
            ended[event.request_id] = event.finish_reason or ended.get(event.request_id)
            answer += event.token_ids if event.request_id == "1" else []
        engine.check_integrity()
    assert ended == {"0": "cancelled", "2": "cancelled", "1": "length"}
    assert engine.stats().finished == {"cancelled": 2, "length": 1}
    engine.add(make_request(0, prompts[0]))  # the id is free again


class StopAfter:
    """Stops with the n-th token."""

    def __init__(self, count: int) -> None:
        self.count = count

    def accept(self, token_id: int) -> bool:
        self.count -= 1
        if self.count < 0:
            raise RuntimeError("called after it said stop")
        return self.count == 0


def test_stop_criterion_keeps_the_token_that_completes_the_stop() -> None:
    events = run_checked(make_engine(), [make_request(0, [3, 4], 12, stop=StopAfter(5))])["0"]
    assert len(tokens_of(events)) == 5
    assert (events[-1].finish_reason, events[-1].stop_reason) == ("stop", None)


def test_stop_criterion_that_raises_ends_its_request_alone() -> None:
    events = run_checked(make_engine(), [make_request(0, [3, 4], 12, stop=StopAfter(0)), make_request(1, [5, 6])])
    assert events["0"][-1].finish_reason == "error"
    assert events["1"][-1].finish_reason == "length"


@pytest.mark.parametrize("kind", ["eos", "stop token"])
def test_ends_are_not_part_of_the_answer(kind: str) -> None:
    (prompt,) = random_prompts(5, [6])
    answer = stock_greedy(make_model("llama"), prompt, 12)
    end = answer[4]
    position = answer.index(end)
    if kind == "eos":
        engine, request = make_engine(eos_token_ids=[end]), make_request(0, prompt, ignore_eos=False)
    else:
        engine, request = make_engine(), make_request(0, prompt, stop_token_ids=[end])
    events = run_checked(engine, [request])["0"]
    assert tokens_of(events) == answer[:position]
    assert events[-1].finish_reason == "stop"
    assert events[-1].stop_reason == (end if kind == "stop token" else None)


def test_min_tokens_holds_back_the_end() -> None:
    request = make_request(0, [3, 4], 12, ignore_eos=False, min_tokens=7, logit_bias={1: 1000.0})
    assert len(tokens_of(run_checked(make_engine(), [request])["0"])) == 7


def refused(engine: Engine, request: GenerationRequest) -> EngineFault:
    """The error with which the engine refuses the request, which changes nothing."""
    before = engine.stats()
    with pytest.raises(EngineFault) as caught:
        engine.add(request)
    engine.check_integrity()
    assert engine.stats() == before
    return caught.value


def test_add_refuses_what_cannot_run() -> None:
    engine = make_engine(num_blocks=8)
    assert engine.max_model_len == 32
    too_long = refused(engine, make_request(0, [2] * 21, 12))
    assert isinstance(too_long, ContextLengthExceededError)
    assert (too_long.value, too_long.limit) == (33, 32)
    for prompt in ([], [VOCAB], [-1]):
        assert isinstance(refused(engine, make_request(0, prompt)), InvalidSamplingError)
    bad = GenerationRequest(request_id="0", prompt_ids=[2], sampling=SamplingParams(max_tokens=0))
    assert isinstance(refused(engine, bad), InvalidSamplingError)
    engine.add(make_request(0, [2] * 20, 12))
    assert isinstance(refused(engine, make_request(0, [2])), DuplicateRequestError)


def test_add_refuses_beyond_the_queue() -> None:
    engine = make_engine(max_num_seqs=2, max_waiting=3)
    for i in range(5):
        engine.add(make_request(i, [2, 3]))
    fault = refused(engine, make_request(5, [2, 3]))
    assert isinstance(fault, QueueFullError)
    assert fault.retryable
    engine.step()
    assert isinstance(refused(engine, make_request(5, [2, 3])), QueueFullError)


def test_priority_goes_first_and_equals_in_order_of_arrival() -> None:
    engine = make_engine(max_num_seqs=1)
    requests = [make_request(i, [2, 3], 2, priority=priority) for i, priority in enumerate([1, 0, 1, -1])]
    finished: list[str] = []
    for request in requests:
        engine.add(request)
    while engine.has_work:
        finished += [event.request_id for event in engine.step() if event.finish_reason]
    assert finished == ["3", "1", "0", "2"]


def test_long_prompt_does_not_stall_running_requests() -> None:
    engine = make_engine(max_batch_tokens=8)
    engine.add(make_request(0, [2, 3], 30))
    engine.step()
    engine.add(make_request(1, [4] * 60, 4))
    for _ in range(8):  # 60 tokens in chunks of 7
        assert [event.request_id for event in engine.step()] == ["0"]
    assert {event.request_id for event in engine.step()} == {"0", "1"}


def test_stats_count() -> None:
    engine = make_engine()
    run_checked(engine, [make_request(i, [2, 3, 4, 5, 6], 5) for i in range(2)])
    run_checked(engine, [make_request(2, [2, 3, 4, 5, 6], 5)])
    stats = engine.stats()
    assert (stats.num_prompt_tokens, stats.num_cached_tokens, stats.num_output_tokens) == (15, 4, 15)
    assert stats.finished == {"length": 3}
    assert stats.num_steps == 10


@pytest.mark.parametrize(
    "settings",
    [
        {"max_num_seqs": -1},
        {"max_batch_tokens": -1},
        {"max_num_seqs": 64},
        {"num_blocks": 0},
        {"dtype": "int3"},
        {"quantization": "int3"},
        {"quantization": "int8", "dtype": "float16"},
        {"decoder": "x"},
        {"device": "x"},
    ],
)
def test_config_that_makes_no_sense_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidEngineConfigError):
        make_engine(**settings)
