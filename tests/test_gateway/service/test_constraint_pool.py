"""Strangers' constraints in processes of their own: too long, too large, killed at work; and nobody else is harmed."""

import asyncio
import itertools
import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import uvloop
from serving import config_for, serving

from gateway.config import LimitsConfig, ProcessConfig, ServerConfig
from gateway.errors import NotReadyError
from gateway.service.constraints.backends import JobTooHeavyError
from gateway.service.constraints.constraint_worker import PREFIX, Outcome, framed
from gateway.service.constraints.jobs import Compile
from gateway.service.constraints.pool import ConstraintPool
from grammars import Regex

ONE, TWO = {"x-api-key": "key-one"}, {"x-api-key": "key-two"}
JSON = {"content-type": "application/json"}
TIMEOUT_S = 30.0
NUMBERS = itertools.count(1000)
"""Of constraints that nobody asked about."""


def endless(number):
    """A schema whose compilation takes seconds."""
    numbers = [{"type": "number", "exclusiveMinimum": 5_000 * number + place + 0.25} for place in range(1_500)]
    return {"type": "object", "properties": {f"p{place}": number for place, number in enumerate(numbers)}}


def error_of(reply):
    return reply.json()["error"]


class Clock:
    """Time as the processes' work is bounded by it."""

    ahead_s = 0.0

    def monotonic(self):
        return time.monotonic() + self.ahead_s


class Pool:
    """A server, and the processes behind it."""

    def __init__(self, live, clock):
        self.live = live
        self.clock = clock
        self.backend = live.service._compilations.backend
        self.forks = live.service._loaded.engine

    def compile(self, schema, headers=ONE, path="/v1/grammars", **fields):
        return self.live.post(path, json={"schema": schema} | fields, headers=headers)

    def workers(self):
        """Process ids, of those that were greeted."""
        return {worker.pid for worker in (*self.backend._idle, *self.backend._busy) if worker.pid}

    def busy(self, other_than=0):
        """The process at work, once there is one."""
        found = []

        def is_at_work():
            found[:] = [worker.pid for worker in list(self.backend._busy) if worker.pid not in (0, other_than)]
            return found

        wait_for(is_at_work)
        return found[0]

    def hold(self):
        """Stop the process that does the next job; returns its id."""
        idle = self.backend._idle
        # One that is there; after a job that took long it is another one.
        wait_for(lambda: self.compile(small(next(NUMBERS))).status_code == 200 and idle and idle[-1].pid)
        os.kill(idle[-1].pid, signal.SIGSTOP)
        return idle[-1].pid

    def let_time_pass(self):
        """What is at work has been so for as long as it may."""
        self.clock.ahead_s += TIMEOUT_S

    def forget(self):
        self.live.service._compilations._refused.clear()


@pytest.fixture(scope="module")
def pool(tiny_model):
    config = config_for(
        tiny_model,
        server=ServerConfig(port=0, api_keys=("key-one", "key-two")),
        process=ProcessConfig(mode="process", restart_wait_s=60.0),
        limits=LimitsConfig(compile_timeout_s=TIMEOUT_S, max_compilations=2, max_waiting_compilations=4),
    )
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch, serving(config) as live:
        patch.setattr("gateway.service.constraints.pool.time", clock)
        yield Pool(live, clock)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


def small(number):
    return {"type": "object", "properties": {f"p{number}": {"type": "integer"}}}


def keep_whoever_took_long(monkeypatch):
    monkeypatch.setattr("gateway.service.constraints.pool._LONG_S", 2 * TIMEOUT_S)


def test_one_process_is_there_and_is_used_again(pool, monkeypatch):
    keep_whoever_took_long(monkeypatch)
    for number in range(5):
        assert pool.compile(small(number)).status_code == 200
    (worker,) = pool.workers()
    assert pool.compile(small(7)).json()["min_tokens"] > 0
    assert pool.workers() == {worker}


def test_what_takes_too_long_is_refused_and_holds_up_nobody(pool):
    with ThreadPoolExecutor(1) as threads:
        worker = pool.hold()
        heavy = threads.submit(pool.compile, endless(0))
        assert pool.busy() == worker
        neighbours = [pool.compile(small(100 + number), TWO) for number in range(5)]
        assert not heavy.done()
        assert [reply.status_code for reply in neighbours] == [200] * 5
        pool.let_time_pass()
        reply = heavy.result()
    assert (reply.status_code, error_of(reply)["code"]) == (400, "too_complex")
    assert f"longer than {TIMEOUT_S:g} s" in error_of(reply)["message"]
    assert error_of(reply)["param"] == "schema"
    # By its digest: nobody has worked on it again.
    assert error_of(pool.compile(endless(0), TWO)) == error_of(reply)
    assert worker not in pool.workers()
    wait_for(lambda: not is_alive(worker))
    assert pool.compile(small(200)).status_code == 200


def test_what_waits_behind_it_is_served_by_the_next_process(pool):
    with ThreadPoolExecutor(4) as threads:
        # One key has one of the two processes.
        pool.hold()
        heavy = threads.submit(pool.compile, endless(1))
        pool.busy()
        waiting = [threads.submit(pool.compile, small(300 + number)) for number in range(2)]
        wait_for(lambda: pool.live.service._compilations.queue.num_waiting == 2)
        pool.let_time_pass()
        assert heavy.result().status_code == 400
        assert [reply.result().status_code for reply in waiting] == [200, 200]


def test_one_key_cannot_fill_the_queue_and_is_told_when_to_come_back(pool, monkeypatch):
    with ThreadPoolExecutor(6) as threads:
        pool.hold()
        heavy = [threads.submit(pool.compile, endless(10 + number)) for number in range(3)]
        pool.busy()
        wait_for(lambda: pool.live.service._compilations.queue.num_waiting == 2)
        reply = pool.compile(small(400))
        assert (reply.status_code, error_of(reply)["code"]) == (429, "overloaded")
        # Two wait, and one is at work.
        assert 1 <= int(reply.headers["retry-after"]) <= 60
        assert pool.compile(small(400), TWO).status_code == 200
        monkeypatch.setattr(pool.backend, "_timeout_s", 0.0)
        pool.let_time_pass()
        assert [reply.result().status_code for reply in heavy] == [400, 400, 400]


def test_a_process_that_is_killed_at_work_is_replaced_and_the_work_done(pool):
    os.kill(pool.hold(), signal.SIGKILL)  # while it has nothing to do
    assert pool.compile(small(501)).status_code == 200
    with ThreadPoolExecutor(1) as threads:
        pool.hold()
        slow = threads.submit(pool.compile, small(502))
        os.kill(pool.busy(), signal.SIGKILL)
        assert slow.result().status_code == 200


def test_who_dies_at_work_twice_is_worth_another_try(pool):
    with ThreadPoolExecutor(1) as threads:
        first = pool.hold()
        slow = threads.submit(pool.compile, endless(2))
        assert pool.busy() == first
        os.kill(first, signal.SIGKILL)
        os.kill(pool.busy(other_than=first), signal.SIGKILL)
        reply = slow.result()
    assert (reply.status_code, error_of(reply)["code"]) == (503, "not_ready")
    assert reply.headers["retry-after"]
    assert pool.compile(small(601)).status_code == 200


def test_memory_is_bounded_too(pool, monkeypatch):
    monkeypatch.setattr(pool.backend, "_max_bytes", 8 << 20)
    reply = pool.compile({"enum": [f"{number} {'y' * 40}" for number in range(10_000)]})
    assert (reply.status_code, error_of(reply)["code"]) == (400, "too_complex")
    monkeypatch.undo()
    assert pool.compile(small(700)).status_code == 200


@pytest.mark.parametrize("path", ["explain", "accept", "next-tokens", "verify", "lint"])
def test_everything_that_is_asked_of_a_constraint_is_as_in_threads(pool, tiny_live, path):
    path = "/v1/verify" if path == "verify" else f"/v1/grammars/{path}"
    for schema in ({"type": "array", "items": {"enum": ["ü", 1]}, "uniqueItems": True}, {"$ref": "#/x"}, True):
        for text in ('["ü"', '["ü",1]', "\ud800"):
            body = json.dumps({"schema": schema} | ({} if path.endswith(("explain", "lint")) else {"text": text}))
            replies = [live.post(path, content=body, headers=ONE | JSON) for live in (pool.live, tiny_live)]
            assert replies[0].status_code == replies[1].status_code
            assert replies[0].json() == replies[1].json()


def test_an_answer_that_is_heavy_to_verify_is_verified_in_a_process(pool, monkeypatch):
    asked = []
    run = pool.backend.run
    monkeypatch.setattr(pool.backend, "run", lambda job, done: asked.append(type(job).__name__) or run(job, done))
    body = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 60, "temperature": 0}
    light, heavy = {"enum": [1, 2]}, {"enum": [1, 2], "$comment": "(?" + 10 * "x"}
    for schema, expected in ((light, ["Compile"]), (heavy, ["Compile", "Check", "Verify"])):
        asked.clear()
        reply = pool.live.post("/v1/chat/completions", json=body | {"guided_json": schema}, headers=ONE)
        assert reply.status_code == 200, reply.text
        assert [name for name in asked if name != "Compile"] == expected[1:]


def test_an_answer_whose_verification_takes_too_long_is_a_504(pool, monkeypatch):
    schema = {"enum": [1, 2], "$comment": "(?" + 10 * "y"}
    body = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 60, "guided_json": schema}
    assert pool.live.post("/v1/chat/completions", json=body, headers=ONE).status_code == 200
    run = pool.backend.run

    def watched(job, done):
        # From the second question about an answer on there is no time at all.
        monkeypatch.setattr(pool.backend, "_timeout_s", 0.0 if type(job).__name__ == "Verify" else TIMEOUT_S)
        return run(job, done)

    monkeypatch.setattr(pool.backend, "run", watched)
    reply = pool.live.post("/v1/chat/completions", json=body, headers=ONE)
    assert (reply.status_code, error_of(reply)["code"]) == (504, "deadline_exceeded")
    monkeypatch.undo()
    pool.forget()
    assert pool.live.post("/v1/chat/completions", json=body, headers=ONE).status_code == 200


def test_constraints_are_served_again_after_everything_was_killed(pool):
    engine = pool.forks.pid
    forkserver = int(Path(f"/proc/{engine}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(forkserver, signal.SIGKILL)
    wait_for(lambda: pool.forks.pid != engine)
    assert pool.compile(small(800)).status_code == 200
    assert pool.live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1}, headers=ONE).status_code == 200


class Told:
    """Makes no processes, but sockets at whose other end something was said."""

    def __init__(self, *said):
        self.said = list(said)
        self.ends = []

    def fork_helper(self):
        if not self.said:
            raise OSError("no descriptor is left")
        ours, theirs = socket.socketpair()
        theirs.sendall(self.said.pop(0))
        theirs.setblocking(False)
        self.ends.append(theirs)
        return ours

    def end_helper(self, pid):
        pass


GREETING = framed(PREFIX.pack(1 << 22))  # of no process: ids are smaller


@pytest.mark.parametrize("said", [b"", GREETING], ids=["starting", "at work"])
@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_what_is_under_way_when_it_is_closed_fails_as_not_ready(run, said):
    async def scenario():
        forks = Told(said)
        pool = ConstraintPool(forks, None, LimitsConfig(compile_timeout_s=TIMEOUT_S), TIMEOUT_S)
        job = asyncio.ensure_future(pool.run(Compile(Regex("a")), lambda: None))
        await asyncio.sleep(0)
        if said:
            await asyncio.get_running_loop().sock_recv(forks.ends[0], 1)
        pool.close()
        with pytest.raises(NotReadyError):
            await asyncio.wait_for(job, TIMEOUT_S - 10)
        forks.ends[0].close()

    run(scenario())


def test_without_a_descriptor_jobs_are_worth_another_try():
    async def scenario():
        forks = Told(GREETING + framed(bytes([Outcome.OUT_OF_MEMORY])))
        pool = ConstraintPool(forks, None, LimitsConfig(compile_timeout_s=TIMEOUT_S), TIMEOUT_S)
        # What was found out is told, although there can be no other process after it.
        for error in (JobTooHeavyError, NotReadyError):
            with pytest.raises(error):
                await pool.run(Compile(Regex("a")), lambda: None)
        forks.ends[0].close()

    asyncio.run(scenario())


def test_further_processes_go_when_they_are_idle(pool, monkeypatch):
    keep_whoever_took_long(monkeypatch)
    monkeypatch.setattr("gateway.service.constraints.pool.IDLE_S", 0.1)
    pool.backend._sweep = None  # the next one does not wait for one that earlier tests began
    with ThreadPoolExecutor(2) as threads:
        worker = pool.hold()
        heavy = threads.submit(pool.compile, small(901))
        assert pool.busy() == worker
        assert pool.compile(small(900), TWO).status_code == 200
        assert len(pool.workers()) == 2
        os.kill(worker, signal.SIGCONT)
        assert heavy.result().status_code == 200
    wait_for(lambda: len(pool.backend._idle) == len(pool.workers()) == 1)


def test_long_texts_are_read_in_turns(pool, monkeypatch):
    released, held = threading.Event(), threading.Semaphore(0)
    encode = pool.live.service._loaded.tokenizer.encode_batch_fast

    class Slow:
        def __getattr__(self, name):
            return getattr(tokenizer, name)

        def encode_batch_fast(self, texts, **options):
            if "slowly" in texts[0]:
                held.release()
                released.wait(30)
            return encode(texts, **options)

    tokenizer = pool.live.service._loaded.tokenizer
    object.__setattr__(pool.live.service._loaded, "tokenizer", Slow())
    long, short = "slowly " * 10_000, "slow"
    with ThreadPoolExecutor(4) as threads:
        try:
            reading = [
                threads.submit(pool.live.post, "/tokenize", json={"prompt": long}, headers=ONE) for _ in range(3)
            ]
            assert held.acquire(timeout=20)
            wait_for(lambda: pool.live.service.tokenizer_threads.queue.num_waiting == 2)
            reply = pool.live.post("/tokenize", json={"prompt": long}, headers=ONE)
            assert (reply.status_code, error_of(reply)["code"]) == (429, "overloaded")
            assert int(reply.headers["retry-after"]) >= 1
            assert pool.live.post("/tokenize", json={"prompt": short}, headers=ONE).status_code == 200
            other = threads.submit(pool.live.post, "/tokenize", json={"prompt": long}, headers=TWO)
            assert held.acquire(timeout=20)
        finally:
            released.set()
        assert {reply.result().status_code for reply in (*reading, other)} == {200}
    object.__setattr__(pool.live.service._loaded, "tokenizer", tokenizer)
