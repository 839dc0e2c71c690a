"""Requests of one group read their prompt once, and are otherwise on their own."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_faults import StopAfter, damaged_engine

from gateway.engine import Engine, GenerationRequest
from gateway.engine.companions import Companion
from gateway.engine.errors import InvalidSamplingError, NonFiniteLogitsError
from gateway.engine.inputs import Batch
from tests.counts import examples

PATHS = [("llama", "lean"), ("gemma3", "transformers"), ("mistral", "lean"), ("gpt2", "transformers")]


def group_of(count: int, prompt: list[int], max_tokens: int = 12, **options: Any) -> list[GenerationRequest]:
    """Requests of one group, each with a seed of its own."""
    return [
        make_request(i, list(prompt), max_tokens, group="g", **({"seed": i, "temperature": 1.0} | options))
        for i in range(count)
    ]


def alone(requests: list[GenerationRequest], **settings: Any) -> list[list[int]]:
    """What each would answer without the others, and without any cache."""
    answers = []
    for request in requests:
        engine = make_engine(prefix_caching=False, **settings)
        single = copy.copy(request)
        single.group = None
        answers.append(tokens_of(run_checked(engine, [single])[request.request_id]))
    return answers


class Counting:
    """The real decoder; counts the tokens of prompts that it computes."""

    def __init__(self, engine: Engine, num_prompt_tokens: int) -> None:
        self._inner = engine._decoder
        self._num_prompt_tokens = num_prompt_tokens
        self.num_read = 0
        engine._decoder = self  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def forward(self, batch: Batch, cache: Any) -> torch.Tensor:
        self.num_read += int((batch.positions < self._num_prompt_tokens).sum())
        return self._inner.forward(batch, cache)


@pytest.mark.parametrize("caching", [True, False])
@pytest.mark.parametrize("length", [1, 3, 4, 5, 16, 23])
def test_group_reads_its_prompt_once(length: int, caching: bool) -> None:
    (prompt,) = random_prompts(length, [length])
    engine = make_engine(prefix_caching=caching)
    counting = Counting(engine, length)
    requests = group_of(4, prompt, 6)
    events = run_checked(engine, requests)
    # Each but the first computes the last token of the prompt again, for the scores after it.
    assert counting.num_read == length + 3
    assert [tokens_of(events[str(i)]) for i in range(4)] == alone(requests)
    assert [events[str(i)][-1].num_cached_tokens for i in range(4)] == [0] + 3 * [length - 1]
    # A block that ends with the last but one token of the prompt is shared whole.
    assert engine.stats().num_copied_blocks == (0 if length % 4 == 1 else 3)


@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_group_answers_as_each_would_alone(name: str, decoder: str) -> None:
    (prompt,) = random_prompts(2, [14])
    settings = {"name": name, "decoder": decoder}
    requests = group_of(4, prompt, 20)
    events = run_checked(make_engine(**settings), requests)
    answers = [tokens_of(events[str(i)]) for i in range(4)]
    assert answers == alone(requests, **settings)
    assert len(set(map(tuple, answers))) > 1, "seeds are each one's own"


def test_greedy_group_equals_stock() -> None:
    (prompt,) = random_prompts(3, [14])
    events = run_checked(make_engine(), group_of(4, prompt, temperature=0.0))
    expected = stock_greedy(make_model("llama"), prompt, 12)
    assert [tokens_of(events[str(i)]) for i in range(4)] == [expected] * 4


def test_members_have_their_own_penalties_and_stops() -> None:
    (prompt,) = random_prompts(4, [9])
    requests = group_of(4, prompt, 16, repetition_penalty=1.4, frequency_penalty=0.3, no_repeat_ngram_size=2)
    expected = alone(requests)
    stops = [StopAfter(count) for count in (3, 16, 7, 1)]
    for request, stop in zip(requests, stops, strict=True):
        request.stop = stop
    events = run_checked(make_engine(), requests)
    for i, stop_at in enumerate((3, 16, 7, 1)):
        assert tokens_of(events[str(i)]) == expected[i][:stop_at]


def test_members_beyond_the_rows_follow_when_there_is_room() -> None:
    (prompt,) = random_prompts(5, [11])
    requests = group_of(9, prompt, 6)
    for caching in (True, False):
        engine = make_engine(max_num_seqs=3, prefix_caching=caching)
        events = run_checked(engine, requests)
        assert [tokens_of(events[str(i)]) for i in range(9)] == alone(requests)


@pytest.mark.parametrize("caching", [True, False])
@pytest.mark.parametrize(("name", "decoder"), PATHS[:2])
def test_preempted_members_answer_all_the_same(name: str, decoder: str, caching: bool) -> None:
    (prompt,) = random_prompts(14, [9])
    requests = group_of(5, prompt, 20)
    settings = {"name": name, "decoder": decoder}
    engine = make_engine(**settings, num_blocks=14, max_num_seqs=5, prefix_caching=caching)
    events = run_checked(engine, requests)
    assert engine.stats().num_preemptions > 0
    assert [tokens_of(events[str(i)]) for i in range(5)] == alone(requests, **settings)


def test_members_that_resume_in_one_step_copy_what_is_computed() -> None:
    """The second goes on from the first, whose own last block is then only a copy that has yet to be made."""
    (prompt,) = random_prompts(15, [6])
    requests = group_of(3, prompt)
    engine = make_engine(prefix_caching=False)
    answers: dict[str, list[int]] = {str(i): [] for i in range(3)}
    for request in requests:
        engine.add(request)
    for _ in range(4):
        for event in engine.step():
            answers[event.request_id] += event.token_ids
    first, middle, last = engine._scheduler.running
    for preempted in (first, last):
        engine._scheduler._preempt(preempted)
    for event in engine.step():
        answers[event.request_id] += event.token_ids
    assert engine._scheduler.running == [first, middle, last]
    assert engine.stats().num_copied_blocks == 2 + 2
    for name, events in run_checked(engine, [], others=range(3)).items():
        answers[name] += tokens_of(events)
    assert [answers[str(i)] for i in range(3)] == alone(requests)


def test_members_that_come_late_go_on_from_one_that_answers() -> None:
    (prompt,) = random_prompts(6, [10])
    engine = make_engine(prefix_caching=False)
    counting = Counting(engine, 10)
    requests = group_of(3, prompt, 12)
    engine.add(requests[0])
    answers: dict[str, list[int]] = {str(i): [] for i in range(3)}
    for _ in range(4):
        for event in engine.step():
            answers[event.request_id] += event.token_ids
    assert len(answers["0"]) >= 4
    for name, events in run_checked(engine, requests[1:], others=[0]).items():
        answers[name] += tokens_of(events)
    assert [answers[str(i)] for i in range(3)] == alone(requests)
    assert counting.num_read == 10 + 2


def test_held_members_delay_nobody() -> None:
    prompts = random_prompts(7, [60, 5])
    engine = make_engine(max_batch_tokens=8, max_num_seqs=4)
    for request in group_of(3, prompts[0], 4):
        engine.add(request)
    engine.step()
    engine.add(make_request(9, prompts[1], 3, priority=1))
    finished: list[str] = []
    while engine.has_work:
        for event in engine.step():
            finished += [event.request_id] if event.finish_reason else []
        engine.check_integrity()
    assert set(finished) == {"0", "1", "2", "9"}
    late = group_of(3, prompts[0], 4)
    engine = make_engine(max_batch_tokens=8, max_num_seqs=4, prefix_caching=False)
    for request in late:
        engine.add(request)
    engine.add(make_request(9, prompts[1], 3, tenant="other"))
    engine.step()
    assert {sequence.request_id for sequence in engine._scheduler.waiting} == {"1", "2"}
    events = run_checked(engine, [], others=[0, 1, 2, 9])
    assert tokens_of(events["9"])[-1:] != []


@pytest.mark.parametrize("steps", range(7))
def test_cancelled_reader_leaves_an_heir(steps: int) -> None:
    """Before it ran, in the middle of the prompt, and when it had read it."""
    (prompt,) = random_prompts(8, [37])
    requests = group_of(4, prompt, 6)
    engine = make_engine(max_batch_tokens=8)
    for request in requests:
        engine.add(request)
    answers: dict[str, list[int]] = {str(i): [] for i in range(4)}
    for _ in range(steps):
        for event in engine.step():
            answers[event.request_id] += event.token_ids
    assert engine.cancel("0")
    engine.check_integrity()
    assert engine.cancel("2")
    engine.check_integrity()
    for name, events in run_checked(engine, [], others=range(4)).items():
        answers[name] += tokens_of(events)
    expected = alone(requests)
    assert (answers["1"], answers["3"]) == (expected[1], expected[3])
    assert not engine._scheduler.groups._members


def test_reader_with_prompt_logprobs_tells_them_and_shares_its_blocks() -> None:
    (prompt,) = random_prompts(9, [21])
    requests = group_of(3, prompt, 5)
    scored = make_request(0, list(prompt), 5, group="g", seed=0, temperature=1.0, prompt_logprobs=2)
    engine = make_engine()
    events = run_checked(engine, [scored, *requests[1:]])
    assert [tokens_of(events[str(i)]) for i in range(3)] == alone(requests)
    (told,) = [event.prompt_logprobs for event in events["0"] if event.prompt_logprobs]
    assert [entry.token_id for entry in told] == prompt[1:]
    assert all(event.prompt_logprobs is None for i in (1, 2) for event in events[str(i)])
    every = [make_request(i, list(prompt), 5, group="g", seed=i, temperature=1.0, prompt_logprobs=2) for i in range(3)]
    events = run_checked(make_engine(), every)
    assert [tokens_of(events[str(i)]) for i in range(3)] == alone(requests)
    assert all([entry.token_id for entry in events[str(i)][0].prompt_logprobs or ()] == prompt[1:] for i in range(3))


def test_group_takes_a_cached_prompt() -> None:
    (prompt,) = random_prompts(10, [18])
    engine = make_engine()
    run_checked(engine, [make_request(0, prompt)])
    requests = group_of(3, prompt)
    events = run_checked(engine, requests)
    assert [tokens_of(events[str(i)]) for i in range(3)] == alone(requests)
    assert [events[str(i)][-1].num_cached_tokens for i in range(3)] == [16, 17, 17]


def test_group_of_another_prompt_is_refused() -> None:
    engine = make_engine()
    engine.add(make_request(0, [2, 3, 4], group="g"))
    with pytest.raises(InvalidSamplingError, match="group"):
        engine.add(make_request(1, [2, 3, 5], group="g"))
    engine.check_integrity()
    run_checked(engine, [make_request(2, [2, 3, 4], group="g")], others=[0])
    engine.add(make_request(1, [2, 3, 5], group="g"))  # the name is free again


@pytest.mark.parametrize("caching", [True, False])
def test_non_finite_member_fails_alone(caching: bool) -> None:
    (prompt,) = random_prompts(11, [10])
    requests = group_of(3, prompt, 8)

    def damage(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        if batch.layout.num_decodes == 3 and int(batch.positions[1]) == 12:
            for layer in engine._cache._layers.values():
                layer.pools[0][batch.slot_mapping[1]] = float("nan")
            logits[1] = float("nan")
        return logits

    engine = damaged_engine(damage, prefix_caching=caching)
    events = run_checked(engine, requests)
    assert isinstance(events["1"][-1].error, NonFiniteLogitsError)
    expected = alone(requests)
    assert tokens_of(events["0"]) == expected[0]
    assert tokens_of(events["2"]) == expected[2]
    again = run_checked(engine, requests)
    assert [tokens_of(again[str(i)]) for i in range(3) if i != 1] == [expected[0], expected[2]]


def test_prompt_that_is_not_finite_leaves_nothing_behind() -> None:
    """All members fail in one step; what they shared is cleared all the same."""
    (prompt,) = random_prompts(12, [10])

    def damage(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        if batch.layout.num_decodes == 3:
            for layer in engine._cache._layers.values():
                layer.pools[0][:] = float("nan")
            logits[:] = float("nan")
        return logits

    engine = damaged_engine(damage, prefix_caching=False, num_blocks=12)
    events = run_checked(engine, group_of(3, prompt, 8))
    assert all(isinstance(events[str(i)][-1].error, NonFiniteLogitsError) for i in range(3))
    # Two that all shared, and the last one of each; what nobody held was not theirs to clear.
    finite = engine._cache._layers[0].pools[0].isfinite().flatten(1).all(dim=1).view(13, 4)[:12].all(dim=1)
    assert int(finite.sum()) == 5


@settings(max_examples=examples(15), deadline=None)
@given(
    lengths=st.lists(st.integers(1, 26), min_size=1, max_size=4),
    counts=st.lists(st.integers(1, 5), min_size=4, max_size=4),
    cancelled=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 12)), max_size=4),
    pauses=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    greedy=st.booleans(),
    path=st.sampled_from(PATHS[:3]),
    sizes=st.fixed_dictionaries(
        {
            "num_blocks": st.integers(9, 40),
            "max_num_seqs": st.integers(1, 6),
            "max_batch_tokens": st.integers(6, 30),
            "prefix_caching": st.booleans(),
            "attention_backend": st.sampled_from(["compiled", "sdpa"]),
        }
    ),
)
def test_any_mix_of_groups_answers_as_each_would_alone(
    lengths: list[int],
    counts: list[int],
    cancelled: list[tuple[int, int, int]],
    pauses: list[int],
    greedy: bool,
    path: tuple[str, str],
    sizes: dict[str, Any],
) -> None:
    """Several tenants and priorities, with chunks, preemption, cancels and late members; sound at every step."""
    name, decoder = path
    settings = {"name": name, "decoder": decoder}
    engine = make_engine(**settings, **sizes)
    requests = [
        make_request(
            10 * g + i,
            prompt,
            7,
            group=f"g{g}",
            tenant="ab"[g % 2],
            priority=g // 3,
            seed=i,
            temperature=0.0 if greedy else 1.0,
        )
        for g, prompt in enumerate(random_prompts(13, lengths))
        for i in range(counts[g])
    ]
    ends = {str(10 * g + i): step for g, i, step in cancelled}
    answers: dict[str, list[int]] = {request.request_id: [] for request in requests}
    gone: set[str] = set()
    num_steps = 0

    def step() -> None:
        nonlocal num_steps
        num_steps += 1
        for request_id, at in ends.items():
            if at == num_steps and engine.cancel(request_id):
                gone.add(request_id)
        for event in engine.step():
            answers[event.request_id] += event.token_ids
        engine.check_integrity()

    for request in requests:
        engine.add(copy.copy(request))
        for _ in range(pauses[int(request.request_id) // 10]):
            step()
    while engine.has_work:
        step()
    stats = engine.stats()
    assert stats.num_free_blocks == stats.num_blocks
    assert not engine._scheduler.groups._members
    assert len(engine._scheduler.counters) == 0
    for request, expected in zip(requests, alone(requests, **settings), strict=True):
        got = answers[request.request_id]
        assert got == (expected[: len(got)] if request.request_id in gone else expected)


@pytest.mark.parametrize("path", PATHS)
def test_steps_of_a_search_compute_one_token_each(path: tuple[str, str]) -> None:
    """Two texts go on from each, token by token; blocks that are not full are copied."""
    engine = make_engine(path[0], decoder=path[1], num_blocks=96)
    plain, number = make_engine(path[0], decoder=path[1], prefix_caching=False), count()
    texts = random_prompts(3, [13])
    for _ in range(4):
        steps = [replace(make_request(next(number), text, 8), is_step=True) for text in texts]
        events = run_checked(engine, steps)
        for step in steps if len(texts) > 1 else ():
            assert events[step.request_id][0].num_cached_tokens == len(step.prompt_ids) - 1
        chosen = [tokens_of(events[step.request_id])[0] for step in steps]
        assert [[token] for token in chosen] == plain.generate([make_request(next(number), text, 1) for text in texts])
        texts = [[*text, max(token - less, 0)] for text, token in zip(texts, chosen, strict=True) for less in (0, 1)]
    assert engine.stats().num_copied_blocks == 2 + 4 + 8


def test_steps_of_a_search_with_companions_read_copied_blocks() -> None:
    """Of an ensemble that starts with a token pending each nothing is computed in the step that copies its blocks."""
    engine, plain, number = make_engine(num_blocks=96), make_engine(prefix_caching=False), count()
    text, other = random_prompts(4, [13, 10])
    formula = (0.5, 0, "*", 0.5, 1, "*", "+")
    for _ in range(5):
        step = replace(
            make_request(next(number), text, 8), companions=(Companion(list(other)),), formula=formula, is_step=True
        )
        (token,) = tokens_of(run_checked(engine, [step])[step.request_id])
        once = replace(step, request_id=str(next(number)), sampling=replace(step.sampling, max_tokens=1))
        assert [[token]] == plain.generate([once])
        text, other = [*text, token], [*other, token]
    assert engine.stats().num_copied_blocks > 4
