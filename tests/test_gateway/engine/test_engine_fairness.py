"""Tenants take turns: what each has got decides, not how much it asks for."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from engine_models import make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.engine import Engine, GenerationRequest
from gateway.engine.errors import QueueFullError
from gateway.engine.scheduling.waiting_queue import (
    MAX_IDLE_LANES,
    MAX_RETRY_AFTER_S,
    ThroughputEstimate,
    TokenCounters,
    WaitingQueue,
)
from gateway.engine.sequence import Sequence


def make_sequence(arrival: int, tenant: str, priority: int = 0) -> Sequence:
    return Sequence(make_request(arrival, [2, 3], tenant=tenant, priority=priority), arrival)


def test_counters_lift_a_flow_that_comes_back_but_never_lower_it() -> None:
    counters = TokenCounters()
    a, b, c = (0, "a"), (0, "b"), (0, "c")
    counters.enter(a)
    counters.charge(a, 100)
    counters.enter(b)
    assert counters[b] == 100, "a newcomer is owed nothing for the time before"
    counters.charge(b, 50)
    counters.leave(b)
    counters.enter(b)
    assert counters[b] == 150, "a pause clears no debt"
    counters.leave(b)
    counters.charge(a, 200)
    counters.enter(b)
    assert counters[b] == 300
    counters.enter(c)
    counters.leave(a)
    counters.leave(b)
    counters.leave(c)
    assert len(counters) == 0, "with nobody left there is nothing to remember"


def test_counters_of_one_priority_say_nothing_about_another() -> None:
    counters = TokenCounters()
    counters.enter((0, "a"))
    counters.charge((0, "a"), 100)
    counters.enter((1, "b"))
    counters.enter((1, "a"))
    assert counters[1, "b"] == counters[1, "a"] == 0
    counters.enter((0, "b"))
    assert counters[0, "b"] == 100


def test_counters_remember_a_bounded_number_of_idle_flows() -> None:
    counters = TokenCounters()
    counters.enter((0, "patient"))
    for number in range(3 * MAX_IDLE_LANES):
        lane = (0, f"tenant {number}")
        counters.enter(lane)
        counters.charge(lane, 10)
        counters.leave(lane)
        counters.check_integrity([(0, "patient")])
    assert len(counters) == MAX_IDLE_LANES + 1
    counters.charge((0, "patient"), 10)
    counters.enter((0, "other"))
    counters.leave((0, "other"))
    assert len(counters) == 1, "who is not ahead any more is forgotten"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.integers(0, 9), st.booleans()), max_size=40))
def test_queue_order_is_that_of_a_sort(entries: list[tuple[int, str, int, bool]]) -> None:
    """Against the obvious: sort all by (priority, counter, arrival) whenever one is taken."""
    counters = TokenCounters()
    queue = WaitingQueue(counters)
    waiting: list[Sequence] = []
    for arrival, (priority, tenant, cost, takes) in enumerate(entries):
        sequence = make_sequence(arrival, tenant, priority)
        counters.enter(sequence.lane)
        counters.charge(sequence.lane, cost)
        queue.add(sequence)
        waiting.append(sequence)
        if takes:
            first = min(waiting, key=lambda s: (s.request.priority, counters[s.lane], s.arrival))
            assert queue.first() is first
            queue.remove(first)
            waiting.remove(first)
        queue.check_integrity()
        assert queue.num_waiting == len(waiting)
        assert set(queue) == set(waiting)
    assert (queue.first() is None) == (not waiting)


def finishing_order(engine: Engine, requests: list[GenerationRequest]) -> list[str]:
    order: list[str] = []
    for request in requests:
        engine.add(request)
    while engine.has_work:
        order += [event.request_id for event in engine.step() if event.finish_reason]
        engine.check_integrity()
    return order


def run_checked_in_order(engine: Engine, requests: list[GenerationRequest]) -> dict[str, list[int]]:
    """The answers, in the order in which they were done."""
    tokens: dict[str, list[int]] = {}
    order: list[str] = []
    for request in requests:
        engine.add(request)
    while engine.has_work:
        for event in engine.step():
            tokens.setdefault(event.request_id, []).extend(event.token_ids)
            order += [event.request_id] if event.finish_reason else []
        engine.check_integrity()
    return {name: tokens[name] for name in order}


@pytest.mark.parametrize("limits", [{"max_num_seqs": 2}, {"num_blocks": 6}])
def test_many_requests_of_one_tenant_do_not_delay_the_single_one_of_another(limits: dict[str, int]) -> None:
    engine = make_engine(**limits)
    prompts = random_prompts(1, [5] * 30)
    requests = [make_request(i, prompt, 6, tenant="many") for i, prompt in enumerate(prompts)]
    events: list[str] = []
    for request in [*requests, make_request(99, [2, 3, 4], 6, tenant="single")]:
        engine.add(request)
    while engine.has_work:
        events += [event.request_id for event in engine.step()]
        engine.check_integrity()
    begun = list(dict.fromkeys(events))
    assert begun.index("99") <= 4
    assert [number for number in begun if number != "99"] == [str(i) for i in range(30)]


def test_two_busy_tenants_get_the_same_whatever_they_ask_for() -> None:
    """One sends long answers and the other short ones; tokens are shared evenly all the same."""
    engine = make_engine(max_num_seqs=2, num_blocks=64)
    chooser = random.Random(3)
    requests = [make_request(i, [2, 3, 4], 24, tenant="long") for i in range(10)]
    requests += [make_request(100 + i, [2, 3, 4], 4, tenant="short") for i in range(60)]
    chooser.shuffle(requests)
    tenants = {request.request_id: request.tenant for request in requests}
    for request in requests:
        engine.add(request)
    got: Counter[str] = Counter()
    for _ in range(100):
        for event in engine.step():
            got[tenants[event.request_id]] += len(event.token_ids)
    assert engine.stats().num_waiting > 0
    assert {tenants[each.request_id] for each in engine._outputs} == {"long", "short"}, "both are still busy"
    # A short request costs 3 + 2 * 4, of which 8 are for its answer; a long one 3 + 2 * 24.
    weighted = {"long": got["long"] * 51 / 24, "short": got["short"] * 11 / 4}
    assert abs(weighted["long"] - weighted["short"]) <= 2 * 51


@settings(max_examples=10, deadline=None)
@given(
    shapes=st.tuples(*[st.tuples(st.integers(1, 20), st.integers(1, 16))] * 2),
    max_num_seqs=st.integers(1, 5),
    factor=st.integers(1, 4),
)
def test_counters_of_busy_tenants_stay_close(
    shapes: tuple[tuple[int, int], tuple[int, int]], max_num_seqs: int, factor: int
) -> None:
    """However long the prompts and answers are, and however many more of them one tenant sends."""
    engine = make_engine(max_num_seqs=max_num_seqs, prefix_caching=False, num_blocks=80)
    for tenant, (length, max_tokens) in enumerate(shapes):
        for i in range((8 * factor, 8)[tenant]):
            engine.add(make_request(100 * tenant + i, [2 + i] * length, max_tokens, tenant=str(tenant)))
    # Twice what runs at a time, as the paper proves.
    bound = 2 * max(max_num_seqs * (length + 2 * max_tokens) for length, max_tokens in shapes)
    counters = engine._scheduler.counters
    engine.step()
    while {sequence.request.tenant for sequence in engine._scheduler.waiting} == {"0", "1"}:
        engine.check_integrity()
        assert abs(counters[0, "0"] - counters[0, "1"]) <= bound
        engine.step()


def test_the_tenant_that_got_most_is_preempted_first() -> None:
    engine = make_engine(max_num_seqs=4, num_blocks=12, prefix_caching=False)
    prompts = random_prompts(2, [9, 9, 9])
    preempted: set[str] = set()
    for i, tenant in enumerate(["busy", "busy", "calm"]):
        engine.add(make_request(i, prompts[i], 20, tenant=tenant))
    answers: dict[str, list[int]] = {str(i): [] for i in range(3)}
    while engine.has_work:
        for event in engine.step():
            answers[event.request_id] += event.token_ids
        preempted |= {s.request_id for s in engine._scheduler.waiting if s.num_preemptions}
        engine.check_integrity()
    assert preempted
    assert "2" not in preempted, "it was the last to arrive, but is its tenant's only one"
    model = make_model("llama")
    for i, prompt in enumerate(prompts):
        assert answers[str(i)] == stock_greedy(model, prompt, 20)


@pytest.mark.parametrize("tenants", ["ab", "aa"])
def test_a_short_prompt_does_not_wait_until_a_long_one_is_read(tenants: str) -> None:
    """Tenants take turns; of one tenant the first prompt takes half of a step, those behind it the rest."""
    prompts = random_prompts(5, [60, 6])
    engine = make_engine(max_batch_tokens=8, max_num_seqs=4)
    engine.add(make_request(0, prompts[0], 2, tenant=tenants[0]))
    engine.step()
    answers = run_checked_in_order(engine, [make_request(1, prompts[1], 2, tenant=tenants[1])])
    assert list(answers) == ["1", "0"]
    for i, prompt in enumerate(prompts):
        assert answers[str(i)] == stock_greedy(make_model("llama"), prompt, 2)


def test_an_urgent_prompt_overtakes_one_that_is_being_read() -> None:
    engine = make_engine(max_batch_tokens=8, max_num_seqs=4)
    engine.add(make_request(0, [2] * 60, 2))
    engine.step()
    engine.add(make_request(1, [3] * 6, 2, priority=-1))
    assert [event.request_id for event in engine.step()] == ["1"]
    assert "0" in run_checked(engine, [], others=[0, 1])


def test_without_tenants_the_order_is_that_of_arrival() -> None:
    engine = make_engine(max_num_seqs=1)
    assert finishing_order(engine, [make_request(i, [2, 3], 2) for i in range(6)]) == list("012345")


def test_a_request_that_continues_another_has_its_place() -> None:
    engine = make_engine(max_num_seqs=1, max_waiting=2)
    engine.add(make_request(0, [2, 3], 2))
    while engine.has_work:
        events = engine.step()
    engine.add(make_request(1, [2, 3], 2))
    engine.step()
    engine.add(make_request(2, [2, 3], 2))
    engine.add(make_request(3, [2, 3], 2))
    with pytest.raises(QueueFullError):
        engine.add(make_request(4, [2, 3], 2))
    assert events[-1].times is not None
    onward = replace(make_request(5, [2, 3, 4], 2), since=events[-1].times[0])
    engine.add(onward)
    engine.check_integrity()
    ended = []
    while engine.has_work:
        ended += [event.request_id for event in engine.step() if event.finish_reason]
    assert ended == list("1523")


def test_a_tenant_cannot_fill_the_queue_alone() -> None:
    engine = make_engine(max_num_seqs=1, max_waiting=6, max_waiting_per_tenant=3)
    engine.add(make_request(100, [2, 3], tenant="runs"))
    engine.step()
    for i in range(3):
        engine.add(make_request(i, [2, 3], tenant="many"))
    with pytest.raises(QueueFullError, match="3 of your requests") as caught:
        engine.add(make_request(3, [2, 3], tenant="many"))
    assert caught.value.is_own
    assert caught.value.limit == 3
    for i in range(10, 13):
        engine.add(make_request(i, [2, 3], tenant="other"))
    with pytest.raises(QueueFullError) as full:
        engine.add(make_request(13, [2, 3], tenant="third"))
    assert not full.value.is_own
    engine.check_integrity()


def test_half_of_the_queue_is_the_default_share_and_no_tenant_has_all() -> None:
    half = make_engine(max_num_seqs=1, max_waiting=6)
    for i in range(4):  # one takes the free row
        half.add(make_request(i, [2, 3], tenant="many"))
    with pytest.raises(QueueFullError):
        half.add(make_request(4, [2, 3], tenant="many"))
    nameless = make_engine(max_num_seqs=1, max_waiting=6)
    for i in range(7):
        nameless.add(make_request(i, [2, 3]))
    with pytest.raises(QueueFullError):
        nameless.add(make_request(7, [2, 3]))


def test_finish_rate_tells_when_to_come_back() -> None:
    rate, now = ThroughputEstimate(), 1000.0
    rate.clock = lambda: now
    assert rate.retry_after_s(10) == 1, "nothing is known yet"
    rate.begin()
    now += 0.25
    assert rate.retry_after_s(10) == 3, "none is done: one takes as long as there was something to do"
    assert rate.retry_after_s(100, num_running=10) == 3, "ten at once take that long together"
    for _ in range(4):
        now += 0.5
        rate.note()
    assert rate.retry_after_s(10) == 6  # 2.25 s for 4
    assert rate.retry_after_s(0) == 1
    assert rate.retry_after_s(10_000) == MAX_RETRY_AFTER_S
    now += 3600
    rate.begin()
    now += 0.1
    rate.note()
    assert rate.retry_after_s(5) == 1, "an idle hour is not a slow one"


def test_a_full_queue_says_when_to_come_back() -> None:
    engine = make_engine(max_num_seqs=1, max_waiting=4)
    now = 50.0
    engine._scheduler.rate.clock = lambda: now
    for i in range(5):
        engine.add(make_request(i, [2, 3], 2))
    for _ in range(2):
        now += 1.0
        engine.step()
    engine.add(make_request(5, [2, 3], 2))
    with pytest.raises(QueueFullError) as caught:
        engine.add(make_request(6, [2, 3], 2))
    assert caught.value.retry_after_s == 10, "five wait, and one took two seconds"


@settings(max_examples=10, deadline=None)
@given(
    entries=st.lists(
        st.tuples(st.integers(1, 24), st.sampled_from("abc"), st.integers(0, 1), st.integers(0, 3)),
        min_size=1,
        max_size=10,
    ),
    num_blocks=st.integers(9, 24),
    max_num_seqs=st.integers(1, 5),
    caching=st.booleans(),
)
def test_any_mix_of_tenants_equals_stock(
    entries: list[tuple[int, str, int, int]], num_blocks: int, max_num_seqs: int, caching: bool
) -> None:
    engine = make_engine(num_blocks=num_blocks, max_num_seqs=max_num_seqs, prefix_caching=caching)
    prompts = random_prompts(4, [length for length, _, _, _ in entries])
    answers: dict[str, list[int]] = {str(i): [] for i in range(len(entries))}

    def step() -> None:
        for event in engine.step():
            answers[event.request_id] += event.token_ids
        engine.check_integrity()

    for i, (_, tenant, priority, pause) in enumerate(entries):
        engine.add(make_request(i, prompts[i], 8, tenant=tenant, priority=priority))
        for _ in range(pause):
            step()
    while engine.has_work:
        step()
    model = make_model("llama")
    for i, prompt in enumerate(prompts):
        assert answers[str(i)] == stock_greedy(model, prompt, 8)
    assert len(engine._scheduler.counters) == 0
    assert tokens_of(run_checked(engine, [make_request(0, prompts[0], 8)])["0"]) == answers["0"]
