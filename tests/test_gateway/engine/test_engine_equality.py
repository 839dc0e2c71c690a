"""Whatever the schedule, the tokens are those of the stock model."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from engine_models import CONFIGS, PATHS, make_model, stock_greedy, stock_logits
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of


@cache
def stock(name: str) -> Any:
    return make_model(name)


@cache
def expected(name: str, prompt: tuple[int, ...], max_tokens: int) -> list[int]:
    return stock_greedy(stock(name), list(prompt), max_tokens)


@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_engine_mixed_chunked_batch_equals_stock(name: str, decoder: str) -> None:
    prompts = random_prompts(1, [5, 23, 50, 7, 1, 16])
    engine = make_engine(name, decoder=decoder)
    events = run_checked(engine, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == expected(name, tuple(prompt), 12)


@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_engine_preempted_requests_equal_stock(name: str, decoder: str) -> None:
    prompts = random_prompts(2, [5, 6, 7, 4])
    num_blocks = 9 if name == "mistral" else 12  # it gives back what left its window
    engine = make_engine(name, decoder=decoder, num_blocks=num_blocks, prefix_caching=False)
    events = run_checked(engine, [make_request(i, prompt, 20) for i, prompt in enumerate(prompts)])
    assert engine.stats().num_preemptions > 0
    for i, prompt in enumerate(prompts):
        assert tokens_of(events[str(i)]) == expected(name, tuple(prompt), 20)


@pytest.mark.parametrize(("name", "decoder"), PATHS)
def test_engine_shared_prefix_is_cached_and_equals_stock(name: str, decoder: str) -> None:
    (head,) = random_prompts(3, [18])
    tails = random_prompts(4, [3, 7, 1])
    engine = make_engine(name, decoder=decoder)
    run_checked(engine, [make_request(0, head + tails[0])])
    events = run_checked(engine, [make_request(i, head + tail) for i, tail in enumerate(tails)])
    for i, tail in enumerate(tails):
        assert tokens_of(events[str(i)]) == expected(name, tuple(head + tail), 12)
        assert events[str(i)][-1].num_cached_tokens >= 16
        assert events[str(i)][-1].num_prompt_tokens == len(head + tail)


def test_engine_same_prompt_twice_is_cached_up_to_its_last_token() -> None:
    (prompt,) = random_prompts(5, [16])
    engine = make_engine()
    first = run_checked(engine, [make_request(0, prompt)])
    second = run_checked(engine, [make_request(0, prompt)])
    assert first["0"][-1].num_cached_tokens == 0
    assert second["0"][-1].num_cached_tokens == 12  # the last block holds the token whose logits are needed
    assert tokens_of(first["0"]) == tokens_of(second["0"])


def test_engine_without_prefix_caching_caches_nothing() -> None:
    (prompt,) = random_prompts(5, [16])
    engine = make_engine(prefix_caching=False)
    for _ in range(2):
        assert run_checked(engine, [make_request(0, prompt)])["0"][-1].num_cached_tokens == 0


def test_engine_arrivals_while_running_equal_stock() -> None:
    prompts = random_prompts(6, [5, 9, 30, 4])
    engine = make_engine()
    answers: dict[str, list[int]] = {str(i): [] for i in range(len(prompts))}
    for i, prompt in enumerate(prompts):
        engine.add(make_request(i, prompt))
        for _ in range(3):
            for event in engine.step():
                answers[event.request_id] += event.token_ids
    while engine.has_work:
        for event in engine.step():
            answers[event.request_id] += event.token_ids
        engine.check_integrity()
    for i, prompt in enumerate(prompts):
        assert answers[str(i)] == expected("llama", tuple(prompt), 12)


@pytest.mark.parametrize("name", CONFIGS)
def test_engine_logprobs_are_those_of_the_stock_model(name: str) -> None:
    prompts = random_prompts(7, [5, 20])
    engine = make_engine(name)
    options = {"temperature": 0.7, "top_k": 5, "seed": 1, "repetition_penalty": 1.3, "logprobs": 3}
    events = run_checked(engine, [make_request(i, prompt, 6, **options) for i, prompt in enumerate(prompts)])
    for i, prompt in enumerate(prompts):
        answer = tokens_of(events[str(i)])
        reference = stock_logits(stock(name), prompt + answer).log_softmax(-1)[len(prompt) - 1 : -1]
        reports = [report for event in events[str(i)] for report in event.logprobs or []]
        assert [report.token_id for report in reports] == answer
        for report, row in zip(reports, reference, strict=True):
            assert report.logprob == pytest.approx(row[report.token_id].item(), abs=1e-4)
            values, ids = row.topk(3)
            assert [token for token, _ in report.top] == ids.tolist()
            assert [value for _, value in report.top] == pytest.approx(values.tolist(), abs=1e-4)
