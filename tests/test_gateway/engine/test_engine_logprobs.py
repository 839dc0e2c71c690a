"""Log-probabilities of answers and prompts against the stock model's forward pass, whatever the schedule."""

from __future__ import annotations

import math
import time
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import CONFIGS, VOCAB, make_model, stock_logits
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_constraints import Dfa, brackets

from gateway.engine import Engine, GenerationRequest, SamplingParams, TokenEvent, TokenLogprobs
from gateway.engine.errors import InvalidSamplingError
from gateway.engine.logprobs import Reports
from gateway.engine.masks import MaskFiller
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence


@cache
def stock(name: str) -> Any:
    return make_model(name)


def reference(name: str, tokens: list[int]) -> torch.Tensor:
    """Log-probabilities after every token. Shapes: [len(tokens), VOCAB]."""
    return stock_logits(stock(name), tokens).log_softmax(-1)


def told_of_prompt(events: list[TokenEvent]) -> list[TokenLogprobs]:
    """What the events say of the prompt, which is one of them alone."""
    (told,) = (event.prompt_logprobs for event in events if event.prompt_logprobs is not None)
    return told


def assert_same(reports: list[TokenLogprobs], tokens: list[int], rows: torch.Tensor, count: int) -> None:
    assert [report.token_id for report in reports] == tokens
    for report, row in zip(reports, rows, strict=True):
        assert report.logprob == pytest.approx(row[report.token_id].item(), abs=1e-4)
        values, ids = row.topk(count)
        assert [token for token, _ in report.top] == ids.tolist()
        assert [value for _, value in report.top] == pytest.approx(values.tolist(), abs=1e-4)


def count_rows(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows of logits each step computes from now on."""
    rows: list[int] = []
    forward = engine._decoder.forward

    def counted(*arguments: Any) -> torch.Tensor:
        logits = forward(*arguments)
        rows.append(len(logits))
        return logits

    monkeypatch.setattr(engine._decoder, "forward", counted)
    return rows


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("decoder", ["transformers", "auto"])
def test_prompt_logprobs_are_those_of_the_stock_model(name: str, decoder: str) -> None:
    prompts = random_prompts(1, [40, 1, 2, 16, 17, 5])
    engine = make_engine(name, decoder=decoder)
    counts = [3, 1, 0, 2, 5, None]
    requests = [
        make_request(i, prompt, 6, prompt_logprobs=count, logprobs=2)
        for i, (prompt, count) in enumerate(zip(prompts, counts, strict=True))
    ]
    events = run_checked(engine, requests)
    for i, (prompt, count) in enumerate(zip(prompts, counts, strict=True)):
        answer = tokens_of(events[str(i)])
        rows = reference(name, prompt + answer)
        reports = [report for event in events[str(i)] for report in event.logprobs or []]
        assert_same(reports, answer, rows[len(prompt) - 1 : -1], 2)
        if count is None:
            assert all(event.prompt_logprobs is None for event in events[str(i)])
        else:
            assert events[str(i)][0].prompt_logprobs is not None
            assert_same(told_of_prompt(events[str(i)]), prompt[1:], rows[: len(prompt) - 1], count)


@settings(max_examples=15, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    asked=st.lists(st.booleans(), min_size=6, max_size=6),
    shared=st.integers(0, 20),
    num_blocks=st.integers(16, 40),
    max_num_seqs=st.integers(1, 5),
    max_batch_tokens=st.integers(5, 40),
    block_size=st.sampled_from([2, 4, 5]),
    seed=st.integers(0, 3),
)
def test_prompt_logprobs_do_not_depend_on_the_schedule(
    lengths: list[int],
    asked: list[bool],
    shared: int,
    num_blocks: int,
    max_num_seqs: int,
    max_batch_tokens: int,
    block_size: int,
    seed: int,
) -> None:
    (head,) = random_prompts(seed, [shared])
    prompts = [head + prompt for prompt in random_prompts(seed + 10, lengths)]
    prompts = [prompt[-(num_blocks * block_size - 6) :] for prompt in prompts]
    engine = make_engine(
        model=make_model("llama"),
        num_blocks=num_blocks,
        max_num_seqs=max_num_seqs,
        max_batch_tokens=max_batch_tokens,
        block_size=block_size,
    )
    requests = [
        make_request(i, prompt, 6, priority=i % 2, prompt_logprobs=1 if asked[i] else None)
        for i, prompt in enumerate(prompts)
    ]
    events = run_checked(engine, requests)
    for i, prompt in enumerate(prompts):
        rows = reference("llama", prompt + tokens_of(events[str(i)]))
        if asked[i]:
            assert_same(told_of_prompt(events[str(i)]), prompt[1:], rows[: len(prompt) - 1], 1)
        assert tokens_of(events[str(i)]) == rows[len(prompt) - 1 : -1].argmax(-1).tolist()


def test_prompt_logprobs_take_nothing_from_the_prefix_cache_but_fill_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (prompt,) = random_prompts(2, [33])
    engine = make_engine()
    run_checked(engine, [make_request(0, prompt, 2)])
    rows = count_rows(engine, monkeypatch)
    asked = run_checked(engine, [make_request(0, prompt, 2, prompt_logprobs=0)])["0"]
    assert asked[-1].num_cached_tokens == 0
    assert len(told_of_prompt(asked)) == 32
    assert sum(rows) == 32 + 2  # each token of the prompt but the last, and each token of the answer
    rows.clear()
    plain = run_checked(engine, [make_request(0, prompt, 2)])["0"]
    assert plain[-1].num_cached_tokens == 32
    assert sum(rows) == 2


def test_prompt_logprobs_are_computed_once_though_the_request_is_preempted(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = random_prompts(3, [21, 22, 23])
    engine = make_engine(num_blocks=16, max_batch_tokens=8, speculation=())
    rows = count_rows(engine, monkeypatch)
    first = make_request(0, prompts[0], 20, priority=0)
    later = [make_request(i, prompts[i], 20, priority=i, prompt_logprobs=2) for i in (1, 2)]
    events = run_checked(engine, [first, *later])
    assert engine.stats().num_preemptions > 0
    assert sum(rows) == 60 + 21 + 22
    for i in (1, 2):
        rows_of = reference("llama", prompts[i])
        assert_same(told_of_prompt(events[str(i)]), prompts[i][1:], rows_of[:-1], 2)


@pytest.mark.parametrize("num_blocks", range(23, 32))
def test_prompt_logprobs_go_on_where_they_were_when_the_prompt_is_preempted(
    num_blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = random_prompts(8, [8, 9, 9, 37])
    engine = make_engine(
        num_blocks=num_blocks, max_batch_tokens=5, speculation=()
    )  # two tokens of the prompt a step, or five
    for i in range(3):
        engine.add(make_request(i, prompts[i], 24 + i))
    while engine.stats().num_output_tokens < 3:
        engine.step()
    rows, preempted = count_rows(engine, monkeypatch), []
    written = engine.stats().num_output_tokens
    preempt = engine._scheduler._preempt
    monkeypatch.setattr(
        engine._scheduler, "_preempt", lambda victim: (preempted.append(victim.num_scored), preempt(victim))
    )
    events = run_checked(engine, [make_request(3, prompts[3], 2, prompt_logprobs=1)], others=range(3))["3"]
    (num_scored,) = preempted
    assert 20 < num_scored < 36
    assert sum(rows) == 36 + engine.stats().num_output_tokens - written
    assert_same(told_of_prompt(events), prompts[3][1:], reference("llama", prompts[3])[:-1], 1)


def test_prompt_logprobs_come_along_when_the_first_token_is_the_last() -> None:
    (prompt,) = random_prompts(4, [9])
    never = Dfa({0: {}}, {0})  # allows the end of sequence alone
    (event,) = run_checked(make_engine(), [make_request(0, prompt, 4, constraint=never, prompt_logprobs=1)])["0"]
    assert (event.token_ids, event.finish_reason) == ([], "stop")
    assert_same(event.prompt_logprobs or [], prompt[1:], reference("llama", prompt)[:-1], 1)


def test_prompt_logprobs_are_not_told_of_a_prompt_that_was_not_read() -> None:
    (prompt,) = random_prompts(4, [40])
    engine = make_engine()
    engine.add(make_request(0, prompt, 4, prompt_logprobs=1))
    assert engine.step() == []
    engine.cancel("0")
    (event,) = engine.step()
    assert event.finish_reason == "cancelled"
    assert event.prompt_logprobs is None


def test_prompt_logprobs_of_tokens_beyond_the_vocabulary_are_refused() -> None:
    engine = make_engine(vocab_size=40)
    engine.add(make_request(0, [3, 39], 4, prompt_logprobs=1))
    with pytest.raises(InvalidSamplingError) as caught:
        engine.add(make_request(1, [3, 40], 4, prompt_logprobs=1))
    assert caught.value.parameter == "prompt_logprobs"


@pytest.mark.parametrize("options", [{}, {"min_tokens": 8, "bad_words_ids": [[20], [21]], "logit_bias": {22: 3.0}}])
def test_masked_logprobs_are_renormalised_over_the_mask_alone(options: dict[str, Any]) -> None:
    prompts = random_prompts(5, [7, 12, 4])
    drawn = {"temperature": 2.0, "top_k": 4, "repetition_penalty": 1.4, "seed": 5}
    requests = [
        make_request(2, prompts[2], 9, constraint=brackets(2), **drawn, **options),
        make_request(1, prompts[1], 9, logprobs=2, logprob_details=True, **drawn, **options),
        make_request(0, prompts[0], 9, constraint=brackets(3), logprobs=3, logprob_details=True, **drawn, **options),
    ]
    events = run_checked(make_engine(), requests)
    answer = tokens_of(events["0"])
    reports = [report for event in events["0"] for report in event.logprobs or []]
    rows = reference("llama", prompts[0] + answer)[len(prompts[0]) - 1 : -1]
    assert_same(reports, answer, rows, 3)
    constraint = brackets(3)
    for tokens_left, report, row in zip(range(9, 0, -1), reports, rows, strict=False):
        allowed = sorted(allowed_by(constraint, tokens_left))
        chances = row.double().exp()
        kept = chances[allowed].sum()
        assert report.masked is not None
        assert report.masked.removed_mass == pytest.approx(1 - kept.item(), abs=1e-5)
        assert report.masked.logprob == pytest.approx(math.log(chances[report.token_id] / kept), abs=1e-4)
        best = sorted(((chances[token] / kept).log().item(), token) for token in allowed)[::-1][:3]
        assert [token for token, _ in report.masked.top] == [token for _, token in best]
        assert [value for _, value in report.masked.top] == pytest.approx([value for value, _ in best], abs=1e-4)
        assert report.details is not None
        assert report.details.is_forced == (len(allowed) == 1)
        assert report.details.removed == tuple(token not in allowed for token, _ in report.top)
        assert constraint.accept(report.token_id)
    assert any(any(report.details.removed) for report in reports if report.details)
    free = [report for event in events["1"] for report in event.logprobs or []]
    assert len(free) == 9
    assert all(report.masked is None for report in free)
    assert all(report.details and report.details.removed == (False, False) for report in free)
    assert all(event.logprobs is None for event in events["2"])


@pytest.mark.parametrize("speculation", [(), ("forced",)])
def test_details_tell_forced_and_drafted_tokens_and_their_times(speculation: tuple[str, ...]) -> None:
    chain = {token: {token: token + 1} for token in range(10, 20)} | {20: dict.fromkeys(range(20, 26), 21), 21: {}}
    constraint = Dfa({0: {9: 10}} | chain, {21})
    engine = make_engine(speculation=speculation)
    start = time.monotonic()
    events = run_checked(engine, [make_request(0, [3, 4], 40, constraint=constraint, logprobs=0, logprob_details=True)])
    passed = time.monotonic() - start
    told = [report.details for event in events["0"] for report in event.logprobs or []]
    assert [details.is_forced for details in told if details] == [True] * 11 + [False]
    ending = events["0"][-1].ending
    drafted = [details.is_drafted for details in (*told, ending and ending.details) if details]
    assert sum(drafted) == sum(engine.stats().num_accepted.values())
    assert any(drafted) == bool(speculation)
    times = [details.time_ms for details in told if details]
    assert all(each >= 0 for each in times)
    assert 0 < sum(times) <= 1e3 * passed


def allowed_by(constraint: Dfa, tokens_left: int) -> set[int]:
    row = torch.zeros(VOCAB // 32, dtype=torch.uint32).numpy()
    constraint.fill_mask(row, tokens_left)
    return {token for token in range(VOCAB) if row[token // 32] >> (token % 32) & 1}


def test_removed_mass_keeps_its_digits_at_both_ends() -> None:
    logits = torch.tensor([[0.0, -30.0, -60.0], [0.0, -30.0, -60.0], [1.0, 2.0, 3.0]])
    masks = MaskFiller(3, 3, None, overlap=False)
    masks.rows[:, 0] = [0b110, 0b011, 0b111]
    sampling = [SamplingParams(max_tokens=1, logprobs=count) for count in (3, 1, 0)]
    requests = [GenerationRequest(request_id="", prompt_ids=[0], sampling=each) for each in sampling]
    rows = SamplingRows([Sequence(request, 0) for request in requests])
    rows.mask_rows[:] = [0, 1, 2]
    reports = Reports(logits, rows, np.arange(3), masks)
    reports.begin(torch.tensor([1, 0, 2]))
    masked = [report.masked for report in reports.finish([1, 0, 2]).values() if report.masked is not None]
    most, least, nothing = masked
    assert most.removed_mass == pytest.approx(1.0)
    assert most.logprob == pytest.approx(0.0, abs=1e-6)
    assert [token for token, _ in most.top] == [1, 2]
    assert 0 <= least.removed_mass < 1e-12
    assert nothing.removed_mass == 0
    assert nothing.top == ()


def test_asked_tokens_are_told_whatever_their_rank() -> None:
    asked = [7, 3, VOCAB - 1]
    prompts = random_prompts(4, [9, 21, 5])
    options: list[dict[str, Any]] = [{"logprob_token_ids": asked}, {}, {"logprob_token_ids": asked[:1]}]
    requests = [
        make_request(i, prompt, 3, logprobs=0, temperature=0.7, seed=5, **more)
        for i, (prompt, more) in enumerate(zip(prompts, options, strict=True))
    ]
    events = run_checked(make_engine("llama"), requests)
    for prompt, request in zip(prompts, requests, strict=True):
        mine = events[request.request_id]
        text = [*prompt, *tokens_of(mine)]
        rows = reference("llama", text)[len(prompt) - 1 :]
        told = [entry for event in mine for entry in event.logprobs or ()]
        for entry, row in zip(told, rows, strict=False):
            wanted = [row[token].item() for token in request.sampling.logprob_token_ids]
            assert list(entry.asked) == pytest.approx(wanted, abs=1e-4)
    assert [len(events[name][0].logprobs[0].asked) for name in "012"] == [3, 0, 1]


def test_asked_tokens_need_logprobs_and_a_vocabulary() -> None:
    for bad in ({"logprob_token_ids": [1]}, {"logprob_token_ids": [VOCAB], "logprobs": 0}):
        with pytest.raises(InvalidSamplingError, match="logprob_token_ids"):
            make_engine("llama").add(make_request(0, [5], **bad))


def test_token_that_ends_an_answer_is_told_of() -> None:
    (prompt,) = random_prompts(6, [8])
    row = reference("llama", prompt)[-1]
    end = int(row.argmax())
    engine = make_engine("llama")
    (last,) = run_checked(engine, [make_request(0, prompt, logprobs=1, stop_token_ids=[end])])["0"]
    assert (last.token_ids, last.logprobs, last.stop_reason) == ([], None, end)
    assert last.ending is not None
    assert_same([last.ending], [end], row[None], 1)
    (_, *_, cut) = run_checked(engine, [make_request(1, prompt, 3, logprobs=1)])["1"]
    assert cut.ending is None
