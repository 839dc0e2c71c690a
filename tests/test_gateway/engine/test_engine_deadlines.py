"""A deadline ends its request wherever it stands, and nothing else."""

from __future__ import annotations

import pytest
from engine_models import make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine import Engine, TokenEvent
from gateway.engine.errors import DeadlineExceededError


class Clock:
    """Time that passes a second with every step."""

    def __init__(self, engine: Engine) -> None:
        self.now = 100.0
        engine._outputs.clock = lambda: self.now

    def run(self, engine: Engine) -> dict[str, list[TokenEvent]]:
        events: dict[str, list[TokenEvent]] = {}
        while engine.has_work:
            self.now += 1
            for event in engine.step():
                events.setdefault(event.request_id, []).append(event)
            engine.check_integrity()
        stats = engine.stats()
        assert stats.num_free_blocks == stats.num_blocks
        return events


def fault_of(events: list[TokenEvent]) -> DeadlineExceededError:
    assert events[-1].finish_reason == "error"
    assert isinstance(events[-1].error, DeadlineExceededError)
    return events[-1].error


def test_deadline_ends_those_that_run_wait_and_read() -> None:
    prompts = random_prompts(1, [5, 5, 60, 5])
    engine = make_engine(max_num_seqs=3, max_batch_tokens=12)
    clock = Clock(engine)
    engine.add(make_request(0, prompts[0], 12))
    engine.add(make_request(1, prompts[1], 12, deadline=105.0))
    engine.add(make_request(2, prompts[2], 12, deadline=103.0))
    engine.add(make_request(3, prompts[3], 12, deadline=103.0))
    events = clock.run(engine)
    assert fault_of(events["1"]).num_output_tokens == len(tokens_of(events["1"])) == 4
    assert not fault_of(events["1"]).was_waiting
    assert fault_of(events["2"]).num_output_tokens == 0
    assert not fault_of(events["2"]).was_waiting
    assert fault_of(events["3"]).was_waiting
    model = make_model("llama")
    assert tokens_of(events["0"]) == stock_greedy(model, prompts[0], 12)
    assert tokens_of(events["1"]) == stock_greedy(model, prompts[1], 12)[:4]
    assert engine.stats().finished == {"length": 1, "error": 3}


def test_done_in_time_is_done() -> None:
    engine = make_engine()
    clock = Clock(engine)
    engine.add(make_request(0, [2, 3], 5, deadline=106.0))
    engine.add(make_request(1, [2, 3], 5))
    events = clock.run(engine)
    assert events["0"][-1].finish_reason == "length"
    # The deadline of what is over concerns nobody else.
    clock.now = 200.0
    assert tokens_of(run_checked(engine, [make_request(2, [2, 3], 5)])["2"]) == tokens_of(events["1"])


def test_deadline_that_has_passed_is_refused_at_once() -> None:
    engine = make_engine()
    Clock(engine)
    with pytest.raises(DeadlineExceededError) as caught:
        engine.add(make_request(0, [2, 3], deadline=100.0))
    assert caught.value.retryable
    assert not engine.has_work


def test_deadline_ends_whole_groups_and_single_members() -> None:
    (prompt,) = random_prompts(2, [40])
    engine = make_engine(max_batch_tokens=8)
    clock = Clock(engine)
    for i in range(3):
        engine.add(make_request(i, list(prompt), 12, group="g", deadline=103.0))
    events = clock.run(engine)
    assert all(fault_of(events[str(i)]).num_output_tokens == 0 for i in range(3))
    clock.now = 100.0
    for i, deadline in enumerate([102.0, None, 107.5, None]):
        engine.add(make_request(i, list(prompt), 6, group="g", deadline=deadline))
    events = clock.run(engine)
    expected = stock_greedy(make_model("llama"), prompt, 6)
    assert tokens_of(events["1"]) == tokens_of(events["3"]) == expected
    assert tokens_of(events["0"]) == []
    assert tokens_of(events["2"]) == expected[: fault_of(events["2"]).num_output_tokens]


def test_deadlines_are_looked_at_only_when_one_may_have_passed() -> None:
    engine = make_engine(max_num_seqs=1)
    clock = Clock(engine)
    for i in range(20):
        engine.add(make_request(i, [2, 3], 4, deadline=101.5 + 10 * i))
    order = [name for name, events in clock.run(engine).items() if events[-1].finish_reason == "length"]
    assert len(order) == 19, "all but the first, whose four steps did not fit"
    assert engine._outputs.next_deadline > clock.now
