"""The engine in a process of its own: what becomes of requests when it dies, hangs, or talks nonsense."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from process_engines import answer, ask, assert_serves, events_of, is_alive, kill, make, request, wait_for
from process_entry import BROKEN, DIE, HANG, MAX_MODEL_LEN, NONSENSE, SLOW, TOO_LONG, VOCAB, WRECK

from gateway.engine import TokenEvent
from gateway.engine.errors import (
    AdapterNotFoundError,
    ConstraintFailedError,
    ContextLengthExceededError,
    DuplicateRequestError,
    EngineClosedError,
    EngineDiedError,
    EngineFault,
    EngineUnavailableError,
    InvalidAdapterError,
    InvalidEngineConfigError,
    StepFailedError,
)
from gateway.engine.process import EngineProcess, supervisor
from gateway.engine.request import AdapterFile


class Source:
    """A constraint that is its own source."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.num_times_taken_apart = 0

    def to_bytes(self) -> bytes:
        self.num_times_taken_apart += 1
        return self.data


@pytest.fixture(scope="module")
def shared() -> Iterator[EngineProcess]:
    """One that no test kills."""
    with make() as engine:
        yield engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EngineProcess]:
    """One to be killed."""
    with make(str(tmp_path), restart_wait_s=120.0) as engine:
        yield engine


def test_it_answers_as_the_engine_inside_it(shared: EngineProcess) -> None:
    assert (shared.max_model_len, shared.vocab_size, shared.eos_token_ids) == (MAX_MODEL_LEN, VOCAB, (1,))
    told = ask(shared, *(request(str(token), [token]) for token in range(2, 60)))
    assert [[token for event in events for token in event.token_ids] for events in told] == [
        answer(token) for token in range(2, 60)
    ]
    assert {tuple(event.finish_reason for event in events) for events in told} == {(None,) * 4 + ("length",)}
    assert shared.generate([request(str(token), [token]) for token in (2, 3)]) == [answer(2), answer(3)]
    assert shared.trouble == ""
    assert shared.is_running


def test_refusals_come_as_the_engine_raised_them(shared: EngineProcess) -> None:
    with pytest.raises(ContextLengthExceededError) as caught:
        ask(shared, request("1", [2], MAX_MODEL_LEN + 1))
    assert (caught.value.value, caught.value.limit) == (MAX_MODEL_LEN + 1, MAX_MODEL_LEN)
    with pytest.raises(StepFailedError) as failed:
        ask(shared, request("1", [BROKEN]))
    assert "a bug in add" in str(failed.value.__cause__)
    assert_serves(shared)


def test_two_requests_of_one_name_are_refused(shared: EngineProcess) -> None:
    async def scenario() -> None:
        stream = shared.stream(request("1", [SLOW], 100))
        await anext(stream)
        with pytest.raises(DuplicateRequestError):
            await events_of(shared, request("1", [3]))
        await stream.aclose()
        # The name is free as soon as nobody waits for the first one; what that one still brings is nobody's.
        assert [event.token_ids[0] for event in await events_of(shared, request("1", [3]))] == answer(3)

    asyncio.run(scenario())


def test_closing_a_stream_cancels_in_the_process(shared: EngineProcess) -> None:
    before = shared.stats().finished["cancelled"]

    async def scenario() -> None:
        async with aclosing(shared.stream(request("1", [SLOW], 5000))) as stream:
            await anext(stream)

    asyncio.run(scenario())
    wait_for(lambda: shared.stats().finished["cancelled"] == before + 1)
    wait_for(lambda: shared.stats().num_running == 0)


def test_a_closed_event_loop_cancels_its_requests(shared: EngineProcess) -> None:
    before = shared.stats().finished["cancelled"]
    streams = []

    async def abandon() -> None:
        streams.append(shared.stream(request("1", [SLOW], 5000)))
        await anext(streams[0])

    loop = asyncio.new_event_loop()
    loop.run_until_complete(abandon())
    loop.close()
    wait_for(lambda: shared.stats().finished["cancelled"] == before + 1)
    assert_serves(shared)


def test_a_constraint_is_sent_once(shared: EngineProcess) -> None:
    source = Source(b"3")
    for name in ("1", "2"):
        (events,) = ask(shared, request(name, [5], constraint=source))
        assert events[-1].finish_reason == "error"
        assert [token for event in events for token in event.token_ids] == answer(5, 4)
    assert source.num_times_taken_apart == 1
    # Another source of the same content needs no second copy there.
    twin = Source(b"3")
    ask(shared, request("3", [5], constraint=twin))
    assert twin.num_times_taken_apart == 1


def test_a_constraint_that_cannot_be_made_again_ends_its_request_alone(shared: EngineProcess) -> None:
    with pytest.raises(ConstraintFailedError, match="invalid literal"):
        ask(shared, request("1", [5], constraint=Source(b"no number")))
    assert_serves(shared)


def test_a_constraint_that_cannot_be_taken_apart_ends_its_request_alone(shared: EngineProcess) -> None:
    with pytest.raises(StepFailedError):
        ask(shared, request("1", [5], constraint=object()))
    assert_serves(shared)


def test_stop_strings_travel(shared: EngineProcess) -> None:
    end = answer(5)[2]
    (events,) = ask(shared, request("1", [5], stop=(str(end),)))
    assert [token for event in events for token in event.token_ids] == answer(5, 3)
    assert events[-1].finish_reason == "stop"


def test_a_prompt_longer_than_the_sockets_buffer_arrives(shared: EngineProcess) -> None:
    assert shared.generate([request("1", [8] * 1_000_000)]) == [answer(8)]


def test_killed_amid_requests(engine: EngineProcess) -> None:
    async def scenario() -> list[list[TokenEvent]]:
        running = [asyncio.create_task(events_of(engine, request(str(i), [SLOW], 5000))) for i in range(8)]
        while engine.stats().num_running < 8:
            await asyncio.sleep(0.001)
        os.kill(engine.pid, signal.SIGKILL)
        return await asyncio.gather(*running)

    first = engine.pid
    for events in asyncio.run(scenario()):
        assert events[-1].finish_reason == "error"
        assert isinstance(events[-1].error, EngineDiedError)
        assert "SIGKILL" in str(events[-1].error)
    assert_serves(engine)
    assert engine.pid != first
    assert engine.num_restarts == 1
    assert engine.is_running


def test_a_hang_is_ended(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with make(str(tmp_path), hang_timeout_s=1.0, restart_wait_s=120.0) as engine:
        first = engine.pid
        (hanging, slow) = ask(engine, request("1", [HANG]), request("2", [SLOW], 5000))
        for events in (hanging, slow):
            assert isinstance(events[-1].error, EngineDiedError)
            assert "hung" in str(events[-1].error)
        assert_serves(engine)
        assert not is_alive(first)
    # The log says where it hung.
    assert "_obey" in capfd.readouterr().err


def test_a_process_without_requests_gives_signs_of_life(engine: EngineProcess) -> None:
    for _ in range(2):
        last = engine.stats()
        wait_for(lambda last=last: engine.stats() is not last)
    assert engine.num_restarts == 0
    assert_serves(engine)


def test_a_stopped_process_counts_as_hanging(tmp_path: Path) -> None:
    with make(str(tmp_path), hang_timeout_s=1.0, restart_wait_s=120.0) as engine:
        os.kill(engine.pid, signal.SIGSTOP)
        (events,) = ask(engine, request("1", [5]))
        assert isinstance(events[-1].error, EngineDiedError)
        assert_serves(engine)


def test_an_engine_that_cannot_compute_any_more_is_started_again(engine: EngineProcess) -> None:
    pid = engine.pid
    (events,) = ask(engine, request("last", [WRECK], max_tokens=1))
    assert events[-1].finish_reason == "length"  # what came of the step is told before
    wait_for(lambda: engine.pid not in (pid, None) and not engine.trouble)
    assert_serves(engine)
    assert engine.num_restarts == 1


@pytest.mark.parametrize("token", [NONSENSE, TOO_LONG])
def test_nonsense_on_the_socket_is_a_death(engine: EngineProcess, token: int) -> None:
    (events,) = ask(engine, request("1", [token], 5000))
    assert isinstance(events[-1].error, EngineDiedError)
    assert "frame" in str(events[-1].error)
    assert_serves(engine)


def test_nonsense_to_the_worker_ends_it(engine: EngineProcess) -> None:
    # By the thread that else talks on the channel.
    engine._post(lambda: engine._channel.send(b"nonsense"))
    wait_for(lambda: engine.num_restarts == 1)
    assert_serves(engine)


def test_requests_wait_while_it_starts_again(engine: EngineProcess) -> None:
    for expected in (1, 2, 3):
        kill(engine)
        # Posted while there is nobody to answer; from the second death on there is a pause.
        assert_serves(engine)
        assert engine.num_restarts == expected


def test_after_repeated_deaths_it_is_given_up(tmp_path: Path) -> None:
    with make(str(tmp_path), max_restarts=2) as engine:
        for _ in range(3):
            (events,) = ask(engine, request("1", [DIE]))
            assert isinstance(events[-1].error, EngineFault)
            assert events[-1].error.retryable
        wait_for(lambda: "given up" in engine.trouble)
        assert not engine.is_running
        assert engine.num_restarts == 2
        with pytest.raises(EngineUnavailableError, match="given up"):
            ask(engine, request("1", [5]))
        with pytest.raises(EngineUnavailableError, match="given up"):
            engine.generate([request("1", [5])])


def test_a_process_that_served_long_has_not_died_repeatedly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "STABLE_S", 0.0)
    with make(str(tmp_path), max_restarts=1, restart_wait_s=60.0) as engine:
        for expected in (1, 2, 3):
            kill(engine)
            assert_serves(engine)
            assert engine.num_restarts == expected


def test_a_model_that_cannot_be_loaded_again_is_given_up(tmp_path: Path) -> None:
    with make(str(tmp_path), max_restarts=2, restart_wait_s=60.0) as engine:
        tmp_path.joinpath("deadly").touch()
        os.kill(engine.pid, signal.SIGKILL)
        wait_for(lambda: "given up" in engine.trouble)
        assert "too large" in engine.trouble


@pytest.mark.parametrize(("model", "says"), [("unpreparable", "no such model"), ("unbuildable", "too large")])
def test_a_model_that_cannot_be_loaded_is_told_by_start(model: str, says: str) -> None:
    engine = make(model)
    with pytest.raises(InvalidEngineConfigError, match=says):
        engine.start()
    assert not engine.is_running
    engine.close()


def test_a_command_that_is_no_worker_is_told_by_start() -> None:
    engine = make(command=(sys.executable, "-c", "pass"))
    with pytest.raises(EngineUnavailableError):
        engine.start()
    engine.close()


def test_start_does_not_wait_forever() -> None:
    engine = make(command=(sys.executable, "-c", "import time; time.sleep(600)"), start_timeout_s=0.5)
    with pytest.raises(EngineUnavailableError, match=r"did not come up within 0\.5 s"):
        engine.start()
    engine.close()


def test_close_ends_requests_and_processes(tmp_path: Path) -> None:
    engine = make(str(tmp_path))
    with pytest.raises(EngineClosedError):
        ask(engine, request("1", [5]))
    engine.start()
    pid, parent = map(int, tmp_path.joinpath("pids").read_text().split())

    async def scenario() -> list[TokenEvent]:
        stream = engine.stream(request("1", [SLOW], 5000))
        await anext(stream)
        await asyncio.to_thread(engine.close)
        return [event async for event in stream]

    assert isinstance(asyncio.run(scenario())[-1].error, EngineClosedError)
    wait_for(lambda: not is_alive(pid) and not is_alive(parent))
    assert not engine.is_running
    engine.close()
    with pytest.raises(EngineClosedError):
        ask(engine, request("1", [5]))


def test_nothing_outlives_the_process_of_the_client(tmp_path: Path) -> None:
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[2]); from process_engines import make\n"
        "engine = make(sys.argv[1]).start(); print('up', flush=True); time.sleep(600)"
    )
    client = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), str(Path(__file__).parents[1])], stdout=subprocess.PIPE, text=True
    )
    with client:
        assert client.stdout.readline() == "up\n"
        pid, parent = map(int, tmp_path.joinpath("pids").read_text().split())
        assert is_alive(pid)
        assert is_alive(parent)
        client.kill()
    wait_for(lambda: not is_alive(pid) and not is_alive(parent))


def test_signals_to_the_group_are_the_clients_business(engine: EngineProcess, tmp_path: Path) -> None:
    pid, parent = map(int, tmp_path.joinpath("pids").read_text().split())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(pid, number)
        os.kill(parent, number)
    assert_serves(engine)
    assert engine.num_restarts == 0


def test_adapters_are_loaded_while_it_answers_and_again_by_the_next_worker(engine: EngineProcess) -> None:
    for path, error in (("bad", InvalidAdapterError), ("broken", StepFailedError)):
        with pytest.raises(error):
            engine.load_adapter(AdapterFile("one", path, {"x": 1.0})).result(60)
    for name in ("one", "two"):
        engine.load_adapter(AdapterFile(name, "good", {"x": 1.0})).result(60)
    engine.unload_adapter("two").result(60)
    with pytest.raises(AdapterNotFoundError):
        engine.unload_adapter("two").result(60)
    kill(engine)
    assert engine.generate([request("probe", [5], adapter="one")]) == [answer(5)]
    with pytest.raises(AdapterNotFoundError):
        engine.generate([request("probe", [5], adapter="two")])
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.load_adapter(AdapterFile("two", "good", {"x": 1.0})).result(60)
