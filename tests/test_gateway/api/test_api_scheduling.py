"""What clients may say about the order of work, and what they are told when there is too much of it."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import openai
import pytest
from held_engine import after_tokens, held, let_deadlines_pass, once_running, wait_for
from serving import config_for, serving

from gateway.config import EngineConfig, LimitsConfig, ServerConfig

ONE, TWO = {"x-api-key": "key-one"}, {"x-api-key": "key-two"}


def error_of(reply):
    return reply.json()["error"]


@pytest.fixture(scope="module")
def keyed_live(tiny_model):
    config = config_for(
        tiny_model,
        server=ServerConfig(port=0, api_keys=("key-one", "key-two")),
        engine=EngineConfig(num_threads=1, kv_memory_bytes=8 << 20, max_num_seqs=2, max_waiting=6, max_model_len=1024),
        limits=LimitsConfig(max_n=8, max_compilations=2, max_waiting_compilations=4),
    )
    with serving(config) as live:
        yield live


def requests_of(live, monkeypatch):
    """The requests that reach the engine, as they come."""
    seen = []
    engine = live.service._loaded.engine
    batches = engine.batches

    def watched(request, tick_s):
        seen.append(request)
        return batches(request, tick_s)

    monkeypatch.setattr(engine, "batches", watched)
    return seen


@contextmanager
def holding_up(live, name):
    """Compilations of constraints that contain `name` wait until the block is left."""
    backend, released, held = live.service._compilations.backend, threading.Event(), threading.Semaphore(0)
    context = backend._context

    class Slow:
        def compile(self, spec):
            if name in spec.cache_key():
                held.release()
                released.wait(30)
            return context.compiler.compile(spec)

    backend._context = replace(context, compiler=Slow())
    try:
        yield held
    finally:
        released.set()
        backend._context = context


# --- best_of ---


def test_more_candidates_than_could_ever_wait_are_refused_for_good(keyed_live):
    reply = keyed_live.post("/v1/completions", json={"prompt": "x", "best_of": 6}, headers=ONE)
    assert (reply.status_code, error_of(reply)["param"]) == (400, "best_of"), "two run, and three of one key may wait"


# --- priority, tenants ---


@pytest.mark.parametrize("value", ["high", 1.5, 1 << 31, -(1 << 31)])
def test_priority_that_is_none_is_refused_by_name(tiny_live, value):
    reply = tiny_live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1, "priority": value})
    assert (reply.status_code, error_of(reply)["param"]) == (400, "priority")


def test_priority_and_tenant_reach_the_engine_but_no_key_does(keyed_live, monkeypatch):
    seen = requests_of(keyed_live, monkeypatch)
    body = {"prompt": "x", "max_tokens": 1}
    keyed_live.post("/v1/completions", json=body | {"priority": -3}, headers=ONE)
    keyed_live.post("/v1/completions", json=body, headers=TWO)
    keyed_live.post("/v1/completions", json=body, headers={"authorization": "Bearer key-one"})
    assert [request.priority for request in seen] == [-3, 0, 0]
    one, two, again = (request.tenant for request in seen)
    assert one == again != two
    assert one
    assert not any("key" in request.tenant for request in seen)
    assert all(request.deadline is None for request in seen)


def test_without_keys_there_are_no_tenants(tiny_live, monkeypatch):
    seen = requests_of(tiny_live, monkeypatch)
    tiny_live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1}, headers={"authorization": "Bearer mine"})
    assert [request.tenant for request in seen] == [""]


def test_priorities_may_be_switched_off(tiny_model):
    config = config_for(tiny_model, limits=LimitsConfig(priorities=False))
    with serving(config) as live:
        reply = live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1, "priority": -1})
        assert (reply.status_code, error_of(reply)["param"]) == (400, "priority")
        reply = live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1, "priority": 0})
        assert reply.status_code == 200


def test_one_key_cannot_fill_the_queue(keyed_live):
    body, engine = {"prompt": "x", "max_tokens": 40, "ignore_eos": True}, keyed_live.service._loaded.engine
    with ThreadPoolExecutor(10) as threads, held(engine):
        many = [threads.submit(keyed_live.post, "/v1/completions", json=body | {"n": 1}, headers=ONE) for _ in range(9)]
        wait_for(lambda: sum(reply.done() for reply in many) == 4)
        other = threads.submit(keyed_live.post, "/v1/completions", json=body | {"max_tokens": 3}, headers=TWO)
        wait_for(lambda: engine.stats().num_waiting == 6)
    assert other.result().status_code == 200
    replies = [reply.result() for reply in many]
    assert sorted(reply.status_code for reply in replies) == [200] * 5 + [429] * 4, "two may run"
    refused = next(reply for reply in replies if reply.status_code == 429)
    assert error_of(refused)["code"] == "overloaded"
    assert "3 of your requests" in error_of(refused)["message"]
    assert 1 <= int(refused.headers["retry-after"]) <= 60


def test_retry_after_is_what_the_engine_says(keyed_live, monkeypatch):
    from gateway.engine.errors import QueueFullError

    async def full(request, tick_s):
        raise QueueFullError(6, 17)
        yield

    monkeypatch.setattr(keyed_live.service._loaded.engine, "batches", full)
    for body in ({"prompt": "x"}, {"prompt": "x", "stream": True}):
        reply = keyed_live.post("/v1/completions", json=body, headers=ONE)
        assert (reply.status_code, reply.headers["retry-after"]) == (429, "17")


# --- time ---

LONG = {"prompt": "x", "max_tokens": 900, "ignore_eos": True, "logit_bias": {}}


@pytest.mark.parametrize("value", [0, -1, "10", True, 1e400])
def test_timeout_that_is_none_is_refused_by_name(tiny_live, value):
    body = '{"prompt": "x", "max_tokens": 1, "timeout": %s}' % ("1e400" if value == 1e400 else repr(value).lower())
    reply = tiny_live.post("/v1/completions", content=body.replace("'", '"'))
    assert (reply.status_code, error_of(reply)["param"]) == (400, "timeout")


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
@pytest.mark.parametrize("name", ["x-stainless-read-timeout", "x-stainless-timeout"])
def test_timeout_header_that_is_none_is_refused_by_name(tiny_live, name, text):
    reply = tiny_live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1}, headers={name: text})
    assert (reply.status_code, error_of(reply)["param"]) == (400, name)


@pytest.mark.parametrize("text", ["NOT_GIVEN", "None", ""])
def test_timeout_header_of_a_client_that_was_told_nothing_is_ignored(tiny_live, text):
    headers = {"x-stainless-timeout": text}
    assert tiny_live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1}, headers=headers).status_code == 200


def test_time_that_is_over_ends_the_answer(keyed_live, monkeypatch):
    engine = keyed_live.service._loaded.engine
    half_way = after_tokens(engine, 20)
    with ThreadPoolExecutor(1) as threads, held(engine, half_way):
        asked = threads.submit(keyed_live.post, "/v1/completions", json=LONG | {"timeout": 60}, headers=ONE)
        wait_for(lambda: half_way(engine.stats()))
        let_deadlines_pass(engine, monkeypatch)
    reply = asked.result()
    assert (reply.status_code, error_of(reply)["code"]) == (504, "deadline_exceeded")
    assert error_of(reply)["type"] == "timeout_error"
    keyed_live.wait_until_idle()
    stats = engine.stats()
    assert stats.num_free_blocks == stats.num_blocks


def test_time_that_is_over_ends_a_stream_with_an_error(keyed_live, monkeypatch):
    engine, asked = keyed_live.service._loaded.engine, LONG | {"timeout": 60, "stream": True}
    with (
        held(engine, after_tokens(engine, 20)) as let_go,
        keyed_live.http.stream("POST", "/v1/completions", json=asked, headers=ONE) as reply,
    ):
        assert reply.status_code == 200
        lines = reply.iter_lines()
        events = [next(lines)]
        let_deadlines_pass(engine, monkeypatch)
        let_go()
        events += [line for line in lines if line]
    assert len(events) > 1
    assert "deadline_exceeded" in events[-1]
    assert not any("[DONE]" in event for event in events)


def test_openais_client_tells_how_long_it_waits(keyed_live, monkeypatch):
    seen = requests_of(keyed_live, monkeypatch)
    client = openai.OpenAI(base_url=f"{keyed_live.url}/v1", api_key="key-one", max_retries=0)
    now = time.monotonic()
    for timeout, stream in ((40, False), (openai.Timeout(50, read=30), False), (40, True)):
        answer = client.completions.create(model="test-model", prompt="x", max_tokens=1, timeout=timeout, stream=stream)
        list(answer) if stream else answer
    left = [request.deadline and request.deadline - now for request in seen]
    assert 40 <= left[0] < 50
    assert 30 <= left[1] < 40
    assert left[2] is None, "a stream is not silent until its end"
    client.completions.create(model="test-model", prompt="x", max_tokens=1, extra_body={"timeout": 5}, timeout=40)
    assert seen[-1].deadline - time.monotonic() <= 5
    client.close()


def test_the_server_sets_a_time_of_its_own_that_requests_may_shorten(tiny_model, monkeypatch):
    config = config_for(tiny_model, limits=LimitsConfig(request_timeout_s=100.0))
    with serving(config) as live:
        seen = requests_of(live, monkeypatch)
        for timeout in (None, 20, 500):
            live.post("/v1/completions", json={"prompt": "x", "max_tokens": 1, "timeout": timeout})
        left = [request.deadline - time.monotonic() for request in seen]
    assert 80 < left[0] <= 100
    assert left[1] <= 20
    assert 80 < left[2] <= 100


def test_time_that_is_over_ends_a_request_that_waits(keyed_live, monkeypatch):
    engine = keyed_live.service._loaded.engine
    with ThreadPoolExecutor(3) as threads, held(engine, once_running(2)):
        running = [threads.submit(keyed_live.post, "/v1/completions", json=LONG, headers=ONE) for _ in range(2)]
        wait_for(lambda: engine.stats().num_running == 2)
        late = threads.submit(keyed_live.post, "/v1/completions", json=LONG | {"timeout": 60}, headers=TWO)
        wait_for(lambda: engine.stats().num_waiting == 1)
        let_deadlines_pass(engine, monkeypatch)
    reply = late.result()
    assert (reply.status_code, error_of(reply)["code"]) == (504, "deadline_exceeded")
    assert "while the request waited" in error_of(reply)["message"]
    assert all(each.result().status_code == 200 for each in running)


# --- constraints that take long to compile ---


def constrained(word, **extra):
    return {"prompt": "x", "max_tokens": 8, "guided_choice": [word, word + "s"]} | extra


def test_time_that_is_over_ends_a_request_whose_constraint_compiles(keyed_live):
    with holding_up(keyed_live, "slowly"):
        reply = keyed_live.post("/v1/completions", json=constrained("slowly", timeout=0.1), headers=ONE)
    assert (reply.status_code, error_of(reply)["code"]) == (504, "deadline_exceeded")
    assert keyed_live.post("/v1/completions", json=constrained("slowly"), headers=ONE).status_code == 200


def test_a_constraint_that_compiles_holds_up_no_token_of_others(keyed_live):
    with ThreadPoolExecutor(1) as threads, holding_up(keyed_live, "dragging") as held:
        slow = threads.submit(keyed_live.post, "/v1/completions", json=constrained("dragging"), headers=ONE)
        held.acquire()
        stream = {"prompt": "x", "max_tokens": 40, "ignore_eos": True, "stream": True}
        with keyed_live.http.stream("POST", "/v1/completions", json=stream, headers=ONE) as reply:
            assert [line for line in reply.iter_lines() if line][-1] == "data: [DONE]"
        for headers in (ONE, TWO):
            body = {"prompt": "x", "max_tokens": 5, "ignore_eos": True}
            assert keyed_live.post("/v1/completions", json=body, headers=headers).status_code == 200
        assert not slow.done()
    assert slow.result().json()["choices"][0]["text"] in ("dragging", "draggings")


def test_slow_constraints_of_one_key_block_no_other_keys(keyed_live):
    with ThreadPoolExecutor(6) as threads, holding_up(keyed_live, "lingering") as held:
        words = [f"lingering{i}" for i in range(3)]
        slow = [threads.submit(keyed_live.post, "/v1/completions", json=constrained(w), headers=ONE) for w in words]
        held.acquire()
        while keyed_live.service._compilations.queue.num_waiting < 2:
            time.sleep(0.005)
        reply = keyed_live.post("/v1/completions", json=constrained("another"), headers=ONE)
        assert (reply.status_code, error_of(reply)["code"]) == (429, "overloaded"), "two of one key may wait"
        assert reply.headers["retry-after"]
        for word in ("swift", "quick"):
            reply = keyed_live.post("/v1/completions", json=constrained(word), headers=TWO)
            assert reply.json()["choices"][0]["text"].startswith(word)
        assert not any(each.done() for each in slow)
    assert all(each.result().status_code == 200 for each in slow)


def test_a_constraint_that_two_ask_for_is_compiled_once(keyed_live):
    compiled = []
    with ThreadPoolExecutor(3) as threads, holding_up(keyed_live, "shared") as held:
        backend = keyed_live.service._compilations.backend
        slow = backend._context.compiler

        class Counting:
            def compile(self, spec):
                compiled.append(spec)
                return slow.compile(spec)

        backend._context = replace(backend._context, compiler=Counting())
        first = threads.submit(keyed_live.post, "/v1/completions", json=constrained("shared"), headers=ONE)
        held.acquire()
        others = [
            threads.submit(keyed_live.post, "/v1/completions", json=constrained("shared"), headers=headers)
            for headers in (ONE, TWO)
        ]
        time.sleep(0.2)
        assert not any(each.done() for each in (first, *others))
    assert {each.result().status_code for each in (first, *others)} == {200}
    assert len(compiled) == 1
