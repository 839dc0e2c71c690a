"""How much of the prompts is read beside answers under way."""

from __future__ import annotations

import random

import pytest

from gateway.engine import EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.scheduling.scheduler import Scheduler
from gateway.engine.scheduling.step_cost import LEAST_TOKENS, PATIENCE, PROBE, RATIOS, PrefillBudget, StepCost
from gateway.engine.sequence import Sequence

SIZES = EngineConfig(max_num_seqs=4, max_batch_tokens=256, block_size=4)


def learnt(fixed: float, each: float, token: float) -> PrefillBudget:
    """From steps that take so long: what any costs, a row of answers, a token of prompts."""
    prefill = PrefillBudget()
    for step in range(200):
        rows = 1 + step % 8
        prefill.observe(rows, 0, fixed + each * rows)
        prefill.observe(rows, 64, fixed + each * rows + token * 64)
    return prefill


class Fixed(PrefillBudget):
    """Lets through so many tokens beside answers."""

    def most_tokens(self, rows: int) -> int | None:
        return 20 if rows else None


def add(scheduler: Scheduler, arrival: int, length: int, tenant: str = "") -> Sequence:
    sampling = SamplingParams(max_tokens=50)
    request = GenerationRequest(
        request_id=str(arrival), prompt_ids=[2 + arrival] * length, sampling=sampling, tenant=tenant
    )
    sequence = Sequence(request, arrival)
    scheduler.add(sequence)
    return sequence


def step(scheduler: Scheduler) -> dict[int, int]:
    """The tokens that are read of each prompt."""
    plan = scheduler.schedule()
    sampled = plan.sampled
    scheduler.commit(plan)
    for sequence in sampled:
        sequence.token_ids.append(1)
    scheduler.check_integrity()
    return {sequence.arrival: tokens for sequence, tokens in plan.chunks}


def test_a_step_with_prompts_is_bounded_by_what_answers_alone_take() -> None:
    prefill = learnt(1e-3, 1e-4, 5e-5)
    for rows in (1, 4, 8):
        most = prefill.most_tokens(rows)
        assert most == pytest.approx(PATIENCE * (1e-3 + 1e-4 * rows) / 5e-5, rel=0.05)


def test_where_nobody_answers_and_before_anything_is_known_there_is_no_bound() -> None:
    assert learnt(1e-3, 1e-4, 5e-5).most_tokens(0) is None
    assert PrefillBudget().most_tokens(3) is None


def test_what_answers_cost_is_learnt_though_prompts_are_read_in_every_step() -> None:
    prefill = PrefillBudget()
    prefill.observe(0, 256, 256 * 5e-5)
    assert prefill.most_tokens(1) == LEAST_TOKENS
    slow = True
    for _ in range(2_000):
        tokens = prefill.most_tokens(1)
        assert tokens is not None
        prefill.observe(1, tokens, (1e-2 if slow else 1e-3) + tokens * 5e-5)
        prefill.observe(0, 256, 256 * 5e-5)
        slow = False
    (most,) = {prefill.most_tokens(1) for _ in range(PROBE)} - {LEAST_TOKENS}
    assert most == pytest.approx(PATIENCE * 1e-3 / 5e-5, rel=0.2)


def test_something_is_read_in_any_case() -> None:
    assert learnt(1e-3, 1e-4, 1.0).most_tokens(1) == LEAST_TOKENS


def test_one_disturbed_step_changes_little() -> None:
    prefill = learnt(1e-3, 1e-4, 5e-5)
    before = prefill.most_tokens(1)
    prefill.observe(1, 64, 10.0)
    after = prefill.most_tokens(1)
    assert before is not None
    assert after is not None
    assert after > before / 1.5


def test_prompts_of_one_tenant_take_whole_steps_and_less_where_another_waits() -> None:
    scheduler = Scheduler(SIZES, 1000, Fixed())
    add(scheduler, 0, 300, "a")
    assert step(scheduler) == {0: 256}
    assert step(scheduler) == {0: 44}
    add(scheduler, 1, 300, "a")
    assert step(scheduler) == {1: 255}
    add(scheduler, 2, 300, "b")
    assert sum(step(scheduler).values()) == 20


def test_the_first_of_a_flow_gets_what_those_behind_it_leave() -> None:
    scheduler = Scheduler(SIZES, 1000)
    add(scheduler, 0, 1000)
    assert step(scheduler) == {0: 256}
    add(scheduler, 1, 50)
    add(scheduler, 2, 500)
    assert step(scheduler) == {0: 128, 1: 50, 2: 78}
    assert step(scheduler) == {0: 128, 2: 127}


def test_no_prompt_is_given_more_than_there_are_blocks_for() -> None:
    scheduler = Scheduler(SIZES, 80)
    add(scheduler, 0, 200)
    add(scheduler, 1, 100)
    told = [step(scheduler) for _ in range(3)]
    assert sum(tokens for chunks in told for tokens in chunks.values()) == 300


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
