"""A draft model beside the engine's own: it changes no answer, whatever happens to it or around it."""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest
import torch
from engine_models import make_model
from engine_runs import eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from test_engine_constraints import brackets
from test_engine_equality import expected

from gateway.engine import Engine, GenerationRequest
from gateway.engine.speculation.draft_model import DraftModel


def make_similar(strength: float = 0.01) -> Any:
    """A model that says mostly what the tiny Llama says."""
    model, generator = make_model("llama"), torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += strength * torch.randn(parameter.shape, generator=generator)
    return model


def make_speculative(**settings: Any) -> Engine:
    return make_engine(**({"speculation": ("model",), "draft_model": make_similar()} | settings))


def draft_decoder_of(engine: Engine) -> Any:
    return next(each for each in engine._speculator._sources if isinstance(each, DraftModel)).decoder


@pytest.mark.parametrize("num_blocks", [64, 22])
def test_greedy_answers_stay_as_they_are(num_blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 40, 7, 1, 16])
    engine = make_speculative(num_blocks=num_blocks, max_batch_tokens=24)
    for _ in range(2):  # the second time prompts come from the prefix cache
        events = run_checked(engine, [make_request(i, prompt, 24) for i, prompt in enumerate(prompts)])
        for i, prompt in enumerate(prompts):
            assert tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 24)
    stats = engine.stats()
    assert stats.num_accepted["model"] > 20
    assert stats.num_accepted["model"] < stats.num_drafted["model"]
    assert (stats.num_cached_tokens > 0) == (num_blocks == 64)
    assert (stats.num_preemptions > 0) == (num_blocks == 22)


def varied_requests() -> list[GenerationRequest]:
    """Everything that changes what is drawn."""
    prompts = random_prompts(3, [9, 5, 14, 20, 3])
    options: list[dict[str, Any]] = [
        {"temperature": 1.0, "seed": 1, "top_p": 0.9},
        {"temperature": 0.7, "seed": 2, "top_k": 20, "repetition_penalty": 1.3},
        {"temperature": 1.2, "seed": 3, "frequency_penalty": 0.5, "min_p": 0.02},
        {"constraint": brackets(3), "temperature": 1.5, "seed": 4},
        {"constraint": brackets(2), "no_repeat_ngram_size": 3},
    ]
    return [make_request(i, prompt, 20, **each) for i, (prompt, each) in enumerate(zip(prompts, options, strict=True))]


def test_seeded_answers_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    plain = run_checked(make_engine(speculation=()), varied_requests())
    for sources in (("model",), ("forced", "ngram", "model")):
        engine = make_speculative(speculation=sources)
        events = run_checked(engine, varied_requests())
        assert {key: tokens_of(each) for key, each in events.items()} == {
            key: tokens_of(each) for key, each in plain.items()
        }
        assert engine.stats().num_accepted["model"] > 0


def test_cancelled_requests_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    chooser, prompts = random.Random(1), random_prompts(4, [12, 7, 30, 5, 18, 9, 25, 11])
    engine, answers = make_speculative(num_blocks=24), dict[str, list[int]]()
    for i, prompt in enumerate(prompts):
        engine.add(make_request(i, prompt, 16))
        answers[str(i)] = []
    cancelled = set()
    while engine.has_work:
        for event in engine.step():
            answers[event.request_id] += event.token_ids
        engine.check_integrity()
        victim = str(chooser.randrange(len(prompts)))
        if chooser.random() < 0.15 and engine.cancel(victim):
            cancelled.add(victim)
    assert 0 < len(cancelled) < len(prompts)
    for i, prompt in enumerate(prompts):
        answer = expected("llama", tuple(prompt), 16)
        assert answers[str(i)] == answer[: len(answers[str(i)])]
        assert str(i) in cancelled or answers[str(i)] == answer
    assert engine.stats().num_free_blocks == engine.stats().num_blocks


def test_draft_model_that_raises_is_switched_off(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    eager(monkeypatch)
    engine = make_speculative()
    decoder = draft_decoder_of(engine)
    forward, calls = decoder.forward, iter(range(100))

    def failing(*arguments: Any) -> Any:
        if next(calls) == 9:
            raise RuntimeError("out of luck")
        return forward(*arguments)

    decoder.forward = failing
    prompts = random_prompts(5, [5, 23, 7])
    with caplog.at_level(logging.ERROR):
        events = run_checked(engine, [make_request(i, prompt, 24) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 24)
    assert next(calls) == 10, "it was asked again"
    assert engine.stats().num_draft_faults == 1
    errors = [record.message for record in caplog.records if record.levelno == logging.ERROR]
    assert errors == ["drafts from source 'model' failed; it is not asked again"]


@pytest.mark.parametrize("options", [{}, {"temperature": 1.0}, {"temperature": 1.0, "seed": 4}])
def test_draft_model_without_numbers_harms_nobody(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    engine = make_speculative()
    decoder = draft_decoder_of(engine)
    forward, calls = decoder.forward, iter(range(1000))

    def overflowing(*arguments: Any) -> torch.Tensor:
        logits: torch.Tensor = forward(*arguments)
        return logits.fill_(float("nan")) if next(calls) % 3 == 0 else logits

    decoder.forward = overflowing
    prompts = random_prompts(6, [5, 23, 7])
    events = run_checked(engine, [make_request(i, prompt, 24, **options) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        assert len(tokens_of(events[str(i)])) == 24
        assert options or tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 24)
    assert engine.stats().num_draft_faults == 0
    assert engine.stats().num_accepted["model"] > 0


def test_draft_model_reads_a_text_once_the_answer_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    monkeypatch.setattr("gateway.engine.speculation.speculator.READ_AHEAD", 3)
    engine = make_speculative()
    (prompt,) = random_prompts(7, [60])
    engine.add(make_request(0, prompt, 60))
    drafted_from = None
    answer: list[int] = []
    while engine.has_work:
        for event in engine.step():
            answer += event.token_ids
        if drafted_from is None and engine.stats().num_drafted["model"]:
            drafted_from = len(answer)
    assert answer == expected("llama", tuple(prompt), 60)
    assert drafted_from is not None
    assert 26 <= drafted_from < 36
