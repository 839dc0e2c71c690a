"""A step in flight: the next one is started before its tokens are told, and answers are what they are without."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import eager, make_engine, make_request, random_prompts, run_checked, tokens_of
from test_engine_constraints import EOS, brackets

from gateway.engine import Engine, TokenEvent
from gateway.engine.errors import NonFiniteLogitsError, StepFailedError
from gateway.engine.sampler import Choice
from gateway.engine.scheduling.run_ahead import PERIOD, TRIAL, AheadChoice

PROMPTS = random_prompts(5, [3, 7, 12, 5, 9, 2])


def watch(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens, in order: a forward pass, or tokens that the host waits for."""
    happened: list[str] = []
    forward, finish = Engine._forward, Choice.finish

    def forwards(*arguments: Any) -> Any:
        happened.append("forward")
        return forward(*arguments)

    def finishes(self: Choice) -> Any:
        happened.append("tokens")
        return finish(self)

    monkeypatch.setattr(Engine, "_forward", forwards)
    monkeypatch.setattr(Choice, "finish", finishes)
    return happened


def test_a_step_is_started_before_the_tokens_of_the_one_before_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    happened = watch(monkeypatch)
    engine = make_engine(run_ahead=True, speculation=())
    answer = tokens_of(run_checked(engine, [make_request(0, PROMPTS[0], 6)])["0"])
    assert answer == stock_greedy(make_model("llama"), PROMPTS[0], 6)
    # The prompt; the first step behind it; then two in turns, and no step for a seventh token.
    assert happened == ["forward", "tokens", "forward", *["forward", "tokens"] * 4, "tokens"]


def requests(**options: Any) -> list[Any]:
    """Of many kinds, which end at different times."""
    return [
        make_request(0, PROMPTS[0], 9),
        make_request(1, PROMPTS[1], 30, temperature=1.0, seed=4, top_p=0.9),
        make_request(2, PROMPTS[2], 14, constraint=brackets(2)),
        make_request(3, PROMPTS[3], 25, repetition_penalty=1.5, presence_penalty=0.5, logprobs=2),
        make_request(4, PROMPTS[4], 17, temperature=0.7, seed=9, constraint=brackets(3)),
        make_request(5, PROMPTS[5], 12, temperature=1.3, seed=1, top_k=5, min_tokens=4, ignore_eos=False),
    ]


def logprobs_of(events: list[TokenEvent]) -> list[float]:
    return [each.logprob for event in events for each in event.logprobs or ()]


@pytest.mark.parametrize("decoder", ["lean", "transformers", "one_by_one"])
@pytest.mark.parametrize("max_num_seqs", [1, 3, 8])
def test_answers_are_those_of_an_engine_that_waits(decoder: str, max_num_seqs: int) -> None:
    told = []
    for run_ahead in (False, True):
        engine = make_engine(
            run_ahead=run_ahead,
            speculation=(),
            decoder=decoder,
            max_num_seqs=max_num_seqs,
            eos_token_ids=(EOS,),
            prefix_caching=decoder != "one_by_one",
        )
        answers = run_checked(engine, requests())
        told.append(answers)
    for name, events in told[0].items():
        others = told[1][name]
        assert (tokens_of(others), others[-1].finish_reason) == (tokens_of(events), events[-1].finish_reason)
        assert logprobs_of(others) == pytest.approx(logprobs_of(events), abs=1e-4)


def test_who_waits_is_admitted_when_somebody_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    happened = watch(monkeypatch)
    engine = make_engine(run_ahead=True, speculation=(), max_num_seqs=2)
    answers = run_checked(engine, [make_request(number, PROMPTS[number], 4 + 6 * number) for number in range(4)])
    assert [len(tokens_of(answers[str(number)])) for number in range(4)] == [4, 10, 16, 22]
    # Rows that were computed behind an end are few: each end costs one.
    assert happened.count("forward") <= 4 + 16 + 22 + 4


def test_a_request_that_is_cancelled_in_flight_leaves_the_others_theirs() -> None:
    engine = make_engine(run_ahead=True, speculation=())
    for number in range(3):
        engine.add(make_request(number, PROMPTS[number], 20))
    events = [event for _ in range(6) for event in engine.step()]
    assert engine.cancel("1")
    engine.check_integrity()
    while engine.has_work:
        events += engine.step()
        engine.check_integrity()
    own = {name: [event for event in events if event.request_id == name] for name in "012"}
    assert own["1"][-1].finish_reason == "cancelled"
    for number in (0, 2):
        assert tokens_of(own[str(number)]) == stock_greedy(make_model("llama"), PROMPTS[number], 20)
    assert engine.stats().num_free_blocks == engine.stats().num_blocks


def test_a_pass_that_fails_ahead_ends_its_requests_once_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(run_ahead=True, speculation=())
    forward, calls = Engine._forward, [0]

    def failing(self: Engine, plan: Any, ahead: Any = None) -> Any:
        calls[0] += ahead is not None
        if calls[0] == 3:
            raise RuntimeError("the device is gone")
        return forward(self, plan, ahead)

    monkeypatch.setattr(Engine, "_forward", failing)
    for number in range(2):
        engine.add(make_request(number, PROMPTS[number], 20))
    events = []
    while engine.has_work:
        events += engine.step()
        engine.check_integrity()
        calls[0] += calls[0] == 3
    assert [event.request_id for event in events if isinstance(event.error, StepFailedError)] == ["0", "1"]
    assert tokens_of(run_checked(engine, [make_request(2, PROMPTS[2], 8)])["2"]) == stock_greedy(
        make_model("llama"), PROMPTS[2], 8
    )
    assert engine.stats().num_free_blocks == engine.stats().num_blocks


def test_scores_that_are_not_finite_end_their_own_request(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(run_ahead=True, speculation=())
    forward, calls = Engine._forward, [0]

    def poisoned(self: Engine, plan: Any, ahead: Any = None) -> torch.Tensor:
        logits = forward(self, plan, ahead)
        calls[0] += ahead is not None
        if calls[0] == 4:
            logits[1] = float("nan")
        return logits

    monkeypatch.setattr(Engine, "_forward", poisoned)
    answers = run_checked(engine, [make_request(number, PROMPTS[number], 20) for number in range(3)])
    assert isinstance(answers["1"][-1].error, NonFiniteLogitsError)
    for number in (0, 2):
        assert tokens_of(answers[str(number)]) == stock_greedy(make_model("llama"), PROMPTS[number], 20)


def test_drafts_and_running_ahead_take_turns_until_one_is_known_to_be_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    eager(monkeypatch)
    monkeypatch.setattr("gateway.engine.scheduling.run_ahead.TRIAL", 3)
    monkeypatch.setattr("gateway.engine.scheduling.run_ahead.PERIOD", 12)
    engine = make_engine(run_ahead=True)
    answers = run_checked(engine, [make_request(number, PROMPTS[number] * 4, 60) for number in range(2)])
    for number in range(2):
        assert tokens_of(answers[str(number)]) == stock_greedy(make_model("llama"), PROMPTS[number] * 4, 60)
    assert engine.stats().num_drafted["ngram"] > 0


@pytest.mark.parametrize(("drafted", "ahead"), [(8.0, 5.0), (5.0, 8.0)], ids=["drafts pay", "they do not"])
def test_the_faster_way_is_taken_and_both_are_tried_again(drafted: float, ahead: float) -> None:
    choice, taken = AheadChoice(), []
    for _ in range(2 * PERIOD):
        taken.append(choice.choose(9))
        choice.observe(9, taken[-1], int(1000 * (ahead if taken[-1] else drafted)), 1.0)
    first = [False] * TRIAL + [True] * TRIAL
    assert taken[: 2 * TRIAL] == taken[PERIOD : PERIOD + 2 * TRIAL] == first
    assert set(taken[2 * TRIAL : PERIOD]) == set(taken[PERIOD + 2 * TRIAL :]) == {ahead > drafted}
    assert choice.choose(100) is False, "other numbers of rows are measured by themselves"
