"""Which source of drafts is used, and how much a drafter is asked for: what brings most tokens a second."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from engine_models import make_model, stock_greedy
from engine_runs import Prophet, make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine import Engine
from gateway.engine.sampler import Sampler
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import speculator
from gateway.engine.speculation.guess import Guesser
from gateway.engine.speculation.speculator import KEPT, PAUSE, Race


def race(ratios: list[float], steps: int, noise: float = 0.0, known: Race | None = None) -> tuple[Race, Counter[int]]:
    """Steps of a second whose sources make tokens come so many times as fast, and how often each was used."""
    chooser, run, used = random.Random(0), known or Race(len(ratios)), Counter[int]()
    for _ in range(steps):
        number = run.order()[0]
        used[number] += 1
        run.note(number, ratios[number], chooser.gauss(1.0, noise))
    return run, used


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize(
    "ratios", [[1.0], [1.0, 1.3], [1.0, 0.9], [1.0, 0.9, 1.2], [1.05, 1.4, 1.2], [0.95, 0.8, 0.8], [1.0, 0.95]]
)
def test_race_uses_the_fastest_and_tries_others_little(ratios: list[float], noise: float) -> None:
    _, used = race(ratios, 4_000, noise)
    best = max(ratios)
    assert used.most_common(1)[0][0] == ratios.index(best)
    lost = sum(used[number] * (1 - ratio / best) for number, ratio in enumerate(ratios))
    assert lost / 4_000 <= 3 * (len(ratios) - 1) * (1 - KEPT) / PAUSE + noise / 4
    assert set(used) == set(range(len(ratios)))


def test_race_notices_that_another_is_the_fastest_now() -> None:
    first, used = race([1.0, 0.9], 1_000)
    assert used[0] > 900
    second, used = race([1.0, 1.5], 300, known=first)
    assert used[1] > 200
    assert race([1.0, 0.9], 1_000, known=second)[1][0] > 750


def test_race_keeps_drafts_that_cost_hardly_anything() -> None:
    assert race([1.0, 0.995], 1_000, 0.01)[1][1] > 400


def test_race_gives_the_order_in_which_sources_are_asked() -> None:
    run = Race(3)
    assert sorted(run.order()[:3]) == [0, 1, 2]
    for number, worth in ((0, 1.0), (1, 0.5), (2, 2.0)):
        run.note(number, worth, 1.0)
    assert run.order()[-3:] == [2, 0, 1]


def slow_down(
    patch: pytest.MonkeyPatch, now: list[float], owner: type, name: str, seconds: Callable[..., float]
) -> None:
    """Have each call of the method advance the clock by `seconds` of its arguments."""
    real = getattr(owner, name)

    def slow(self: Any, *arguments: Any) -> Any:
        now[0] += seconds(*arguments)
        return real(self, *arguments)

    patch.setattr(owner, name, slow)


@pytest.mark.parametrize("is_dear", [True, False])
def test_guesses_that_take_more_than_they_save_are_left_out(is_dear: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [0.0], list[Sequence]()
    monkeypatch.setattr(speculator, "time", SimpleNamespace(perf_counter=lambda: now[0], thread_time=lambda: now[0]))

    def guess(sequences: list[Sequence], most: Any) -> float:
        asked.extend(sequences)
        return 0.5 if is_dear else 1e-6

    slow_down(monkeypatch, now, Guesser, "guess", guess)
    slow_down(monkeypatch, now, Engine, "_forward", lambda *_: 1.0)
    (prompt,) = random_prompts(1, [5])
    engine = make_engine(speculation=("ngram",), max_draft_tokens=1)
    answer = tokens_of(run_checked(engine, [make_request(0, prompt, 200)])["0"])
    assert answer == stock_greedy(make_model("llama"), prompt, 200)
    assert len(asked) < 30 if is_dear else len(asked) > 120


@pytest.mark.parametrize(("pass_s", "least", "most"), [(0.01, 6.0, 8.0), (0.3, 2.0, 6.0), (2.0, 0.0, 0.5)])
def test_a_drafter_is_asked_for_as_much_as_its_passes_are_worth(
    pass_s: float, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, asked = [0.0], list[int]()
    monkeypatch.setattr(speculator, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def propose(sequences: Any, lengths: Any) -> float:
        asked.extend(lengths)
        return pass_s * max(lengths)

    slow_down(monkeypatch, now, Prophet, "propose", propose)
    slow_down(monkeypatch, now, Sampler, "sample", lambda *_: 1.0)
    (prompt,) = random_prompts(1, [5])
    answer = stock_greedy(make_model("llama"), prompt, 240)
    engine = make_engine(drafters=[Prophet([prompt + answer], 0.9)], speculation=())
    assert tokens_of(run_checked(engine, [make_request(0, prompt, 240)])["0"]) == answer
    num_steps = engine.stats().num_steps
    assert least <= sum(asked) / num_steps <= most
    assert now[0] < 240 * 1.1
