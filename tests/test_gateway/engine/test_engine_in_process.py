"""The engine in its own thread: streams, cancellation by closing, faults, the end."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
from engine_models import make_model, stock_greedy
from engine_runs import make_engine, make_request, random_prompts, tokens_of
from held_engine import after_tokens, held

from gateway.engine import InProcessEngine, TokenEvent
from gateway.engine.engine import MAX_FAILED_STEPS
from gateway.engine.errors import ContextLengthExceededError, EngineClosedError, EngineUnavailableError, StepFailedError


async def collect(engine: InProcessEngine, request: Any) -> list[TokenEvent]:
    return [event async for event in engine.stream(request)]


async def until_idle(engine: InProcessEngine) -> None:
    while engine._engine.has_work:
        await asyncio.sleep(0.001)


def test_stream_serves_many_at_once() -> None:
    prompts = random_prompts(1, [5, 9, 12, 30, 2, 7])

    async def scenario(engine: InProcessEngine) -> list[list[TokenEvent]]:
        return await asyncio.gather(*(collect(engine, make_request(i, p)) for i, p in enumerate(prompts)))

    with InProcessEngine(make_engine(speculation=())) as engine:
        answers = asyncio.run(scenario(engine))
        assert engine.generate([make_request(0, prompts[0])]) == [tokens_of(answers[0])]
    model = make_model("llama")
    for prompt, events in zip(prompts, answers, strict=True):
        assert tokens_of(events) == stock_greedy(model, prompt, 12)
        assert [event.finish_reason for event in events] == [None] * 11 + ["length"]


def test_closing_a_stream_cancels_the_request() -> None:
    async def scenario(engine: InProcessEngine) -> None:
        with held(engine, after_tokens(engine, 1)):
            async with aclosing(engine.stream(make_request(0, [2, 3], 200))) as stream:
                async for _ in stream:
                    break
        await until_idle(engine)

    with InProcessEngine(make_engine()) as engine:
        asyncio.run(scenario(engine))
        assert engine.stats().finished == {"cancelled": 1}


def test_cancelled_task_cancels_the_request() -> None:
    async def scenario(engine: InProcessEngine) -> None:
        with held(engine, after_tokens(engine, 1)):
            task = asyncio.create_task(collect(engine, make_request(0, [2, 3], 200)))
            while not engine.stats().num_output_tokens:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        await until_idle(engine)
        assert len(tokens_of(await collect(engine, make_request(0, [2, 3])))) == 12

    with InProcessEngine(make_engine()) as engine:
        asyncio.run(scenario(engine))
        assert engine.stats().finished == {"cancelled": 1, "length": 1}


def test_the_end_of_a_cancelled_request_is_not_told_to_its_successor() -> None:
    async def scenario(engine: InProcessEngine) -> list[TokenEvent]:
        with held(engine, after_tokens(engine, 1)) as let_go:
            async with aclosing(engine.stream(make_request(0, [2, 3], 200))) as stream:
                await anext(stream)
            successor = asyncio.create_task(collect(engine, make_request(0, [2, 3])))
            while engine.stats().num_waiting != 1:  # in the engine, which has not told of the end yet
                await asyncio.sleep(0.001)
            let_go()
            return await successor

    with InProcessEngine(make_engine()) as engine:
        events = asyncio.run(scenario(engine))
        assert events[-1].finish_reason == "length"
        assert len(tokens_of(events)) == 12


def test_requests_end_with_a_thread_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = make_engine()
    engine = InProcessEngine(inner).start()

    def broken(*_: Any) -> Any:
        raise RuntimeError("a bug beyond all guards")

    monkeypatch.setattr(inner, "step", broken)
    monkeypatch.setattr(inner, "fail_all", broken)
    events = asyncio.run(collect(engine, make_request(0, [2, 3])))
    assert isinstance(events[-1].error, EngineUnavailableError)
    assert engine.is_given_up
    engine.close()


def test_stream_raises_when_the_request_is_refused() -> None:
    async def scenario(engine: InProcessEngine) -> None:
        with pytest.raises(ContextLengthExceededError):
            await collect(engine, make_request(0, [2], 10_000))
        assert len(tokens_of(await collect(engine, make_request(0, [2])))) == 12

    with InProcessEngine(make_engine()) as engine:
        asyncio.run(scenario(engine))


def test_close_ends_requests_under_way() -> None:
    engine = InProcessEngine(make_engine()).start()

    async def scenario() -> TokenEvent:
        with held(engine, after_tokens(engine, 1)):
            stream = engine.stream(make_request(0, [2, 3], 200))
            await anext(stream)
            await asyncio.to_thread(engine.close)
            return [event async for event in stream][-1]

    last = asyncio.run(scenario())
    assert last.finish_reason == "error"
    assert isinstance(last.error, EngineClosedError)
    assert not engine.is_running
    engine.close()


def test_stream_of_an_engine_that_does_not_run_is_refused() -> None:
    engine = InProcessEngine(make_engine())
    with pytest.raises(EngineClosedError):
        asyncio.run(collect(engine, make_request(0, [2])))


def test_fault_of_the_bookkeeping_ends_all_requests_and_the_thread_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = make_engine()
    schedule = inner._scheduler.schedule
    failing = iter([False, True])

    def broken() -> Any:
        if next(failing, False):
            raise RuntimeError("a bug")
        return schedule()

    monkeypatch.setattr(inner._scheduler, "schedule", broken)

    async def scenario(engine: InProcessEngine) -> None:
        events = await collect(engine, make_request(0, [2, 3]))
        assert isinstance(events[-1].error, StepFailedError)
        assert len(tokens_of(await collect(engine, make_request(1, [2, 3])))) == 12

    with InProcessEngine(inner) as engine:
        asyncio.run(scenario(engine))


def test_device_whose_error_stays_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = make_engine()

    def broken(*_: Any) -> Any:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    monkeypatch.setattr(inner._decoder, "forward", broken)

    async def scenario(engine: InProcessEngine) -> None:
        for number in range(MAX_FAILED_STEPS):
            assert not engine.is_given_up
            events = await collect(engine, make_request(number, [2, 3]))
            assert isinstance(events[-1].error, StepFailedError)
        engine._thread.join()
        assert engine.is_given_up
        assert engine.trouble == "step after step has failed"
        with pytest.raises(EngineUnavailableError, match="step after step"):
            await collect(engine, make_request(9, [2, 3]))

    with InProcessEngine(inner) as engine:
        asyncio.run(scenario(engine))


def test_closed_event_loop_cancels_its_requests() -> None:
    async def abandon(engine: InProcessEngine) -> None:
        stream = engine.stream(make_request(0, [2, 3], 250))
        await anext(stream)
        streams.append(stream)  # kept, so that nobody closes it

    streams: list[Any] = []
    with InProcessEngine(make_engine()) as engine:
        with held(engine, after_tokens(engine, 1)):
            loop = asyncio.new_event_loop()
            loop.run_until_complete(abandon(engine))
            loop.close()
        assert len(engine.generate([make_request(1, [4, 5], 250)])[0]) == 250
        assert engine.stats().finished["cancelled"] == 1
