"""Drafts change how fast an answer comes, and nothing else of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Sequence as Seq
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from engine_models import CONFIGS, VOCAB, make_model, stock_greedy
from engine_runs import Prophet, eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.engine import Engine, TokenEvent
from gateway.engine.inputs import Batch
from gateway.engine.sampler import Sampler
from gateway.engine.scheduling.step_cost import PrefillBudget
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft, speculator

LEAN = ("llama", "qwen3", "mistral")
PATHS = [(name, "transformers") for name in CONFIGS] + [(name, "lean") for name in LEAN]


@cache
def expected(name: str, prompt: tuple[int, ...], max_tokens: int) -> list[int]:
    return stock_greedy(make_model(name), list(prompt), max_tokens)


def prophet(name: str, prompts: list[list[int]], max_tokens: int, truth: float = 1.0) -> Prophet:
    return Prophet([prompt + expected(name, tuple(prompt), max_tokens) for prompt in prompts], truth)


@pytest.mark.parametrize("truth", [1.0, 0.8, 0.0])
@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_drafts_right_or_wrong_leave_greedy_answers_as_they_are(
    name: str, decoder: str, truth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 50, 7, 1, 16])
    source = prophet(name, prompts, 24, truth)
    engine = make_engine(name, decoder=decoder, drafters=[source], max_batch_tokens=24, speculation=())
    events = run_checked(engine, [make_request(i, prompt, 24) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == expected(name, tuple(prompt), 24)
    stats = engine.stats()
    assert stats.num_drafted["prophet"] > 40
    if truth == 1.0:
        assert stats.num_accepted == stats.num_drafted
        assert max(len(event.token_ids) for event in events["0"]) == 9
    if truth == 0.0:
        assert stats.num_accepted["prophet"] < stats.num_drafted["prophet"] / 20


def test_drafts_take_no_blocks_that_others_need(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(2, [9, 11, 14, 6])
    for num_blocks in range(12, 30):
        plain = make_engine(num_blocks=num_blocks, prefix_caching=False, speculation=())
        run_checked(plain, [make_request(i, prompt, 20) for i, prompt in enumerate(prompts)])
        engine = make_engine(
            num_blocks=num_blocks, prefix_caching=False, drafters=[prophet("llama", prompts, 20)], speculation=()
        )
        events = run_checked(engine, [make_request(i, prompt, 20) for i, prompt in enumerate(prompts)])
        assert engine.stats().num_preemptions <= plain.stats().num_preemptions
        assert engine.stats().num_accepted["prophet"] > 0
        for i, prompt in enumerate(prompts):
            assert tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 20)


def test_blocks_are_published_as_far_as_they_became_text(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    (prompt,) = random_prompts(3, [6])
    engine = make_engine(drafters=[prophet("llama", [prompt], 20, 0.0)], speculation=())
    answer = tokens_of(run_checked(engine, [make_request(0, prompt, 20)])["0"])
    # Another request with the same beginning finds the blocks, and they hold what they say.
    longer = prompt + answer
    events = run_checked(engine, [make_request(1, longer, 8)])["1"]
    assert events[-1].num_cached_tokens >= 20
    assert tokens_of(events) == expected("llama", tuple(longer), 8)


@settings(max_examples=15, deadline=None)
@given(
    options=st.fixed_dictionaries(
        {
            "temperature": st.sampled_from([0.0, 0.7, 1.3]),
            "top_k": st.sampled_from([0, 3, 20]),
            "top_p": st.sampled_from([1.0, 0.8]),
            "repetition_penalty": st.sampled_from([1.0, 1.4]),
            "frequency_penalty": st.sampled_from([0.0, 0.6]),
            "no_repeat_ngram_size": st.sampled_from([0, 2]),
            "min_tokens": st.sampled_from([0, 7]),
            "ignore_eos": st.booleans(),
            "logprobs": st.sampled_from([None, 2]),
            "stop_token_ids": st.sampled_from([(), tuple(range(30, 60))]),
        }
    ),
    truth=st.sampled_from([0.6, 0.95, 1.0]),
    lengths=st.lists(st.integers(1, 20), min_size=1, max_size=4),
    seed=st.integers(0, 9),
)
def test_seeded_requests_draw_the_same_tokens_with_and_without_drafts(
    options: dict[str, Any], truth: float, lengths: list[int], seed: int
) -> None:
    prompts = random_prompts(seed, lengths)
    requests = [make_request(i, prompt, 14, seed=i, **options) for i, prompt in enumerate(prompts)]
    plain = run_checked(make_engine(speculation=()), requests)
    texts = [prompt + tokens_of(plain[str(i)]) for i, prompt in enumerate(prompts)]
    engine = make_engine(drafters=[Prophet(texts, truth, seed)], num_blocks=30)
    with pytest.MonkeyPatch.context() as patch:
        eager(patch)
        drafted = run_checked(engine, requests)
    for name, events in plain.items():
        assert_told_alike(events, drafted[name])


def assert_told_alike(plain: list[TokenEvent], drafted: list[TokenEvent]) -> None:
    """The same tokens, end and log-probabilities, however they are spread over events."""
    assert tokens_of(plain) == tokens_of(drafted)
    for name in ("finish_reason", "stop_reason"):
        assert getattr(plain[-1], name) == getattr(drafted[-1], name)
    own, other = ([report for event in events for report in event.logprobs or []] for events in (plain, drafted))
    assert [report.token_id for report in own] == [report.token_id for report in other]
    for one, two in zip(own, other, strict=True):
        assert one.logprob == pytest.approx(two.logprob, abs=1e-4)
        assert [token for token, _ in one.top] == [token for token, _ in two.top]
        assert (one.masked is None) == (two.masked is None)
        if one.masked is not None and two.masked is not None:
            assert one.masked.logprob == pytest.approx(two.masked.logprob, abs=1e-4)
    assert all(event.logprobs is None or len(event.logprobs) == len(event.token_ids) for event in drafted)


class StopAfter:
    """Stops with the token that completes this run."""

    def __init__(self, run: list[int]) -> None:
        self.run, self.seen = run, list[int]()

    def accept(self, token_id: int) -> bool:
        self.seen.append(token_id)
        return self.seen[-len(self.run) :] == self.run


@pytest.mark.parametrize("end", range(1, 12))
def test_stop_inside_a_burst_ends_the_answer_there(end: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    (prompt,) = random_prompts(5, [9])
    answer = expected("llama", tuple(prompt), 24)
    criterion = StopAfter(answer[end - 1 : end + 1])
    first = next(i for i in range(24) if answer[i - 1 : i + 1] == criterion.run)
    engine = make_engine(drafters=[prophet("llama", [prompt], 24)], speculation=())
    events = run_checked(engine, [make_request(0, prompt, 24, stop=criterion)])["0"]
    assert tokens_of(events) == criterion.seen == answer[: first + 1]
    assert events[-1].finish_reason == "stop"
    assert len(events) < len(answer[: first + 1]) or end < 3


@pytest.mark.parametrize("end", range(1, 12))
def test_end_of_sequence_inside_a_burst_ends_the_answer_there(end: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    (prompt,) = random_prompts(5, [9])
    answer = expected("llama", tuple(prompt), 24)
    place = answer.index(answer[end])
    engine = make_engine(drafters=[prophet("llama", [prompt], 24)], speculation=(), eos_token_ids=(answer[end],))
    events = run_checked(engine, [make_request(0, prompt, 24, ignore_eos=False)])["0"]
    assert tokens_of(events) == answer[:place]
    assert events[-1].finish_reason == "stop"
    # With tokens or without: nobody may take it for an answer that was cut.
    assert not events[-1].is_full


@pytest.mark.parametrize("max_tokens", range(1, 12))
def test_budget_ends_inside_a_burst(max_tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    (prompt,) = random_prompts(5, [9])
    engine = make_engine(drafters=[prophet("llama", [prompt], 24)], speculation=())
    events = run_checked(engine, [make_request(0, prompt, max_tokens)])["0"]
    assert tokens_of(events) == expected("llama", tuple(prompt), 24)[:max_tokens]
    assert events[-1].finish_reason == "length"
    assert events[-1].is_full


class Nonsense:
    """Drafters that do what they must not."""

    name = "nonsense"
    reading_s = 0.0

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        if self.kind == "raises":
            raise RuntimeError("no idea")
        if self.kind == "too few":
            return []
        tokens = {"too many": [5] * 99, "unknown": [VOCAB + 7] * 3, "negative": [-1, -1], "empty": []}[self.kind]
        return [Draft(list(tokens), [self.name] * len(tokens)) for _ in sequences]

    def count_unread(self, sequence: Sequence) -> int:
        return 0


@pytest.mark.parametrize("kind", ["raises", "too few", "too many", "unknown", "negative", "empty"])
def test_nonsense_of_a_drafter_harms_nobody(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 7])
    engine = make_engine(drafters=[Nonsense(kind)])
    events = run_checked(engine, [make_request(i, prompt, 16) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 16)
    assert (engine.stats().num_draft_faults > 0) == (kind in ("raises", "too few"))


@pytest.mark.parametrize("attention", ["compiled", "sdpa"])
def test_nan_left_behind_by_a_refused_draft_is_recomputed(attention: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    prompts = random_prompts(3, [5, 9])
    source = prophet("llama", prompts, 20, 0.0)
    engine = make_engine(drafters=[source], speculation=(), attention_backend=attention)
    forward, damaged = engine._decoder.forward, Counter[str]()

    def forward_with_overflow(batch: Batch, cache: Any) -> torch.Tensor:
        logits = forward(batch, cache)
        if batch.layout.num_decode_rows > batch.layout.num_decodes and damaged.total() < 1:
            damaged["steps"] += 1
            assert batch.logits_indices is not None
            last = int(batch.logits_indices[-1])  # the last of the longest draft
            for layer in cache._layers.values():
                layer.pools[0][batch.slot_mapping[last]] = float("nan")
            logits[-1] = float("nan")
            monkeypatch.setattr(source, "propose", lambda sequences, _: [Draft([], []) for _ in sequences])
        return logits

    monkeypatch.setattr(engine._decoder, "forward", forward_with_overflow)
    events = run_checked(engine, [make_request(i, prompt, 20) for i, prompt in enumerate(prompts)])
    assert damaged.total() == 1
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == expected("llama", tuple(prompt), 20)


def test_steps_are_timed_whole_but_for_the_drafters(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    now = [0.0]
    monkeypatch.setattr(speculator, "time", SimpleNamespace(perf_counter=lambda: now[0], thread_time=lambda: 0.0))

    def takes(seconds: float, function: Callable[..., Any]) -> Callable[..., Any]:
        def slow(*arguments: Any) -> Any:
            now[0] += seconds
            return function(*arguments)

        return slow

    monkeypatch.setattr(Prophet, "propose", takes(50.0, Prophet.propose))
    monkeypatch.setattr(Engine, "_forward", takes(2.0, Engine._forward))
    monkeypatch.setattr(Sampler, "sample", takes(1.0, Sampler.sample))
    observed: list[tuple[int, int, float]] = []
    monkeypatch.setattr(PrefillBudget, "observe", lambda self, *told: observed.append(told))
    prompt = [5, 9, 2, 7]
    answer = stock_greedy(make_model("llama"), prompt, 12)
    engine = make_engine("llama", drafters=[Prophet([prompt + answer])])
    assert tokens_of(run_checked(engine, [make_request(0, prompt, 12)])["0"]) == answer
    assert now[0] >= 50.0
    assert observed[0][:2] == (0, len(prompt))
    assert max(rows for rows, _, _ in observed) > 1
    assert {seconds for _, _, seconds in observed} == {3.0}
