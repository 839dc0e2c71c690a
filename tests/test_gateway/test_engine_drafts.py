"""The sources of drafts, and how much is drafted."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from engine_models import (
    Prophet,
    eager,
    make_engine,
    make_model,
    make_request,
    random_prompts,
    run_checked,
    stock_greedy,
    tokens_of,
)
from hypothesis import given
from hypothesis import strategies as st

from gateway.engine import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.masks import MANY, count_few, first_token
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.adaptive import PATIENCE, RATIOS, TRIED, StepCost, Trust, Worth
from gateway.engine.speculation.base import Guess
from gateway.engine.speculation.ngram import LONGEST, MOST_GUESSED, MOST_SEARCHED, SHORTEST, Ngram


def make_sequence(tokens: list[int]) -> Sequence:
    sampling = SamplingParams(max_tokens=1_000)
    return Sequence(GenerationRequest(request_id="0", prompt_ids=tokens, sampling=sampling), 0)


def looked_up(text: list[int], drafted: list[int]) -> tuple[int, int] | None:
    """Slow and obvious: (length of the longest run of last tokens that occurred before, where it went on last)."""
    tail = text + drafted
    for length in range(min(LONGEST, len(tail)), SHORTEST - 1, -1):
        run = tail[len(tail) - length :]
        for start in range(len(text) - length - 1, -1, -1):
            if text[start : start + length] == run:
                return length, start + length
    return None


@given(
    text=st.lists(st.integers(0, 3), min_size=1, max_size=30),
    grown=st.lists(st.integers(0, 3), max_size=12),
    drafted=st.lists(st.integers(0, 3), max_size=6),
)
def test_ngram_guesses_what_came_last_after_the_longest_run(
    text: list[int], grown: list[int], drafted: list[int]
) -> None:
    sequence, ngram = make_sequence(text), Ngram()
    for token in [None, *grown]:
        if token is not None:
            sequence.token_ids.append(token)
        guess = ngram.guess(sequence, drafted, None, lambda kind: True)
        expected = looked_up(sequence.token_ids, drafted)
        assert bool(ngram.may_guess([sequence])) == (looked_up(sequence.token_ids, []) is not None)
        assert (guess is None) == (expected is None)
        if guess is not None and expected is not None:
            length, follower = expected
            assert guess.token_ids == sequence.token_ids[follower : follower + MOST_GUESSED]
            assert guess.kinds[: len(guess.token_ids)] == [
                f"ngram {min(length + more, LONGEST)}" for more in range(len(guess.token_ids))
            ]


def test_ngram_looks_at_the_end_of_long_texts() -> None:
    start = list(range(5000, 5000 + MOST_SEARCHED - 205))
    sequence, ngram = make_sequence([9, 8, 7, *start, 1, 2, 3, *range(100, 298), 1, 2]), Ngram()
    guess = ngram.guess(sequence, [], None, lambda kind: True)
    assert guess is not None
    assert guess.token_ids[:2] == [3, 100]
    assert ngram.guess(sequence, [9, 8], None, lambda kind: True) is not None
    sequence.token_ids += [1, 2]
    assert ngram.guess(sequence, [9, 8], None, lambda kind: True) is None  # it stands before what is searched


def test_ngram_finds_tokens_where_they_begin() -> None:
    sequence, ngram = make_sequence([256, 256, 0, 65536, 0, 1, 1]), Ngram()  # the same bytes, elsewhere
    assert ngram.guess(sequence, [], None, lambda kind: True) is None
    sequence.token_ids += [7, 1, 1]
    guess = ngram.guess(sequence, [], None, lambda kind: True)
    assert guess is not None
    assert guess.token_ids == [7, 1, 1]
    assert ngram.guess(sequence, [], None, lambda kind: kind != "ngram 2") is None


def test_step_cost_finds_the_line_through_noisy_times() -> None:
    cost, chooser = StepCost(), random.Random(0)
    for _ in range(300):
        rows = chooser.randrange(1, 60)
        cost.observe(rows, (2e-3 + 1e-4 * rows) * chooser.uniform(0.9, 1.1))
    fixed, each = cost.line
    assert fixed == pytest.approx(2e-3, rel=0.15)
    assert each == pytest.approx(1e-4, rel=0.15)
    assert cost.least_chance(1) == pytest.approx(1 / 21, rel=0.3)
    assert cost.least_chance(20) == pytest.approx(0.5, rel=0.3)


@pytest.mark.parametrize("rows", [[], [1] * 50, [7, 7, 8] * 20])
def test_step_cost_assumes_the_usual_where_steps_are_alike(rows: list[int]) -> None:
    cost = StepCost()
    for each in rows:
        cost.observe(each, 3e-3)
    assert 0 < cost.least_chance(1) < cost.least_chance(8) < cost.least_chance(64) < 1


def test_step_cost_is_not_fooled_by_an_interruption() -> None:
    calm, disturbed = StepCost(), StepCost()
    for step in range(200):
        rows = 1 + step % 9
        calm.observe(rows, 1e-3 + 1e-4 * rows)
        disturbed.observe(rows, 10.0 if step == 100 else 1e-3 + 1e-4 * rows)
    assert disturbed.least_chance(8) == pytest.approx(calm.least_chance(8), abs=0.15)


def test_step_cost_keeps_within_reason() -> None:
    falling = StepCost()
    for step in range(100):
        falling.observe(1 + step % 9, 1e-3 / (1 + step % 9))
    fixed, each = falling.line
    assert each / fixed == pytest.approx(RATIOS[0])


def test_trust_starts_from_others_and_follows_its_own_text() -> None:
    trust = Trust(make_sequence([1]))
    assert trust.chance("a", 0.7) == pytest.approx(0.7)
    for _ in range(20):
        trust.learn("a", False)
    assert trust.chance("a", 0.7) < 0.15
    assert trust.chance("b", 0.7) == pytest.approx(0.7)
    for _ in range(20):
        trust.learn("a", True)
    assert trust.chance("a", 0.7) > 0.8


def test_trust_tries_again_ever_more_rarely() -> None:
    trust, waits = Trust(make_sequence([1])), []
    for _ in range(7):
        waited = 0
        while not trust.is_tried_again("a"):
            waited += 1
        waits.append(waited)
        trust.learn("a", False)
    assert waits == [8, 16, 32, 64, 128, 128, 128]
    assert waits[0] == PATIENCE[0]
    trust.learn("a", True)
    assert not any(trust.is_tried_again("a") for _ in range(PATIENCE[0]))


def test_guessing_goes_on_while_it_pays_and_few_texts_are_tried_where_not() -> None:
    worth, texts = Worth(), [make_sequence([number]) for number in range(20)]
    for _ in range(50):
        assert worth.select(texts) == texts
        worth.book(saved=2.0, spent=1.0, step=10.0)
    num_more = 0
    while worth.select(texts) == texts:  # what it saved before is not forgotten at once
        worth.book(saved=0.0, spent=2.0, step=10.0)
        num_more += 1
    assert 2 < num_more < 20
    tried = []
    for _ in range(TRIED * TRIED):
        found = worth.select(texts)
        tried += found
        if found:
            worth.book(saved=0.0, spent=0.5, step=10.0)
    assert sorted(each.token_ids for each in tried) == [[number] for number in range(20)]
    while not worth.select(texts):
        pass
    worth.book(saved=1.0, spent=0.5, step=10.0)
    assert worth.select(texts) == texts


@pytest.mark.parametrize("count", [0, 1, 3])
def test_of_few_texts_one_is_tried(count: int) -> None:
    worth, texts = Worth(), [make_sequence([number]) for number in range(count)]
    worth.book(saved=0.0, spent=1.0, step=0.0)
    assert [len(worth.select(texts)) for _ in range(2 * TRIED)] == 2 * ([0] * (TRIED - 1) + [min(count, 1)])


def test_guessing_may_take_a_hundredth_of_a_step_in_any_case() -> None:
    worth, texts = Worth(), [make_sequence([1])]
    for _ in range(100):
        assert worth.select(texts) == texts
        worth.book(saved=0.0, spent=0.9, step=100.0)


@pytest.mark.parametrize("is_dear", [True, False])
def test_guesses_that_take_more_than_they_save_are_left_out(is_dear: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    asked = []

    def guess(self: Ngram, sequence: Sequence, *arguments: Any) -> Guess:
        asked.append(sequence)
        return Guess([2], "ngram", ["ngram 2"])  # hardly ever right

    monkeypatch.setattr(Ngram, "may_guess", lambda self, sequences: list(sequences))
    monkeypatch.setattr(Ngram, "guess", guess)
    now = [0.0]

    def thread_time() -> float:
        now[0] += 0.5 if is_dear else 1e-6  # of a step of one second
        return now[0]

    clock = SimpleNamespace(perf_counter=lambda: 0.0, thread_time=thread_time)
    monkeypatch.setattr("gateway.engine.speculation.speculator.time", clock)
    (prompt,) = random_prompts(1, [5])
    engine = make_engine(speculation=("ngram",), max_draft_tokens=1)
    answer = tokens_of(run_checked(engine, [make_request(0, prompt, 200)])["0"])
    assert answer == stock_greedy(make_model("llama"), prompt, 200)
    assert len(asked) < 40 if is_dear else len(asked) > 150


def test_useless_drafts_die_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.engine.speculation.adaptive.StepCost.line", (1.0, 0.1))
    (prompt,) = random_prompts(1, [5])
    answer = stock_greedy(make_model("llama"), prompt, 200)
    liar = Prophet([prompt + answer], truth=0.0)
    engine = make_engine(drafters=[liar], speculation=())
    events = run_checked(engine, [make_request(0, prompt, 200)])["0"]
    assert [token for event in events for token in event.token_ids] == answer
    assert engine.stats().num_drafted["prophet"] < 60  # of 1,600 that there was room for


def test_allowed_tokens_are_counted() -> None:
    tokens = (0, 31, 32, 95)
    masks = np.zeros((5, 3), dtype=np.uint32)
    for mask, token in zip(masks, tokens, strict=False):
        mask[token // 32] = np.uint32(1) << np.uint32(token % 32)
    assert count_few(masks) == [1, 1, 1, 1, 0]
    assert [first_token(mask) for mask in masks[:4]] == list(tokens)
    masks[:, 2] |= np.uint32(7 << 28)
    assert count_few(masks) == [4, 4, 4, 4, 3]
    assert [first_token(mask) for mask in masks] == [0, 31, 32, 92, 92]
    masks = np.zeros((3, 4096), np.uint32)
    masks[0, :2], masks[1, :3], masks[2, 4000:] = 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF
    few, *others = count_few(masks)
    assert few == MANY == 64
    assert min(others) > MANY


@pytest.mark.parametrize("wrong", [{"speculation": ("guessing",)}, {"max_draft_tokens": 0}])
def test_config_refuses_what_is_no_source(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidEngineConfigError):
        EngineConfig(**wrong)  # type: ignore[arg-type]
