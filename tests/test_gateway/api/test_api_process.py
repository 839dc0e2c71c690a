"""The API while its engine, in a process of its own, dies, hangs, runs out of memory: it answers all the time."""

import json
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import process_entry
import pytest
from process_entry import DIE
from process_entry_sabotaged import ACCEPT, ADD, MASK, MEMORY, STEP, STOP
from serving import config_for, serving

from gateway.config import ProcessConfig
from gateway.service.model import start_worker

ENTRY = (sys.executable, str(Path(__file__).parents[1] / "process_entry_sabotaged.py"))
ORDINARY = [70, 71, 72]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}}, "required": ["a"]}
TOOL = {"type": "function", "function": {"name": "find", "parameters": SCHEMA}}
HELLO = [{"role": "user", "content": "hi"}]


@pytest.fixture(scope="module")
def isolated(tiny_model):
    """A server whose engine can be told to fail."""
    patch = pytest.MonkeyPatch()
    patch.setattr(start_worker, "WORKER", ENTRY)
    config = config_for(
        tiny_model, process=ProcessConfig(mode="process", hang_timeout_s=60.0, restart_wait_s=60.0, max_restarts=1000)
    )
    with serving(config) as live:
        yield live
    patch.undo()


def body(first, **fields):
    return {"prompt": [first, *ORDINARY], "max_tokens": 8, "ignore_eos": True, "temperature": 0} | fields


def complete(live, first=ORDINARY[0], **fields):
    return live.post("/v1/completions", json=body(first, **fields))


def error_of(reply):
    assert set(reply.json()) == {"error"}
    return reply.json()["error"]


def events_of(text):
    return [json.loads(event[6:]) for event in text.split("\n\n") if event.startswith("data: {")]


def assert_serves(live):
    reply = complete(live)
    assert reply.status_code == 200, reply.text
    assert live.get("/ready").status_code == 200


REQUESTS = {
    "plain": ("/v1/completions", {"prompt": "The weather", "max_tokens": 30, "temperature": 1, "logprobs": 3}),
    "several": ("/v1/completions", {"prompt": ["a", "b"], "n": 2, "max_tokens": 12}),
    "stop string": ("/v1/completions", {"prompt": "x", "max_tokens": 200, "stop": ["e", "the"]}),
    "told of the prompt": ("/v1/completions", {"prompt": "The weather", "max_tokens": 3, "prompt_logprobs": 2}),
    "echo": ("/v1/completions", {"prompt": "The weather", "max_tokens": 3, "echo": True, "logprobs": 1}),
    "bans": ("/v1/completions", {"prompt": "x", "max_tokens": 20, "bad_words": ["a"], "logit_bias": {"70": 3}}),
    "schema": ("/v1/chat/completions", {"messages": HELLO, "max_tokens": 60, "guided_json": SCHEMA}),
    "grammar": ("/v1/chat/completions", {"messages": HELLO, "max_tokens": 60, "guided_grammar": "start: /[a-f]+/"}),
    "calls": (
        "/v1/chat/completions",
        {"messages": HELLO, "max_tokens": 120, "tools": [TOOL], "tool_choice": "required"},
    ),
}


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("stream", [False, True])
def test_answers_are_those_of_an_engine_in_a_thread(isolated, tiny_live, name, stream):
    path, fields = REQUESTS[name]
    if stream and "prompt_logprobs" in fields:
        return
    replies = [live.post(path, json={"seed": 5, "stream": stream} | fields) for live in (isolated, tiny_live)]
    told = []
    for reply in replies:
        assert reply.status_code == 200, reply.text
        documents = events_of(reply.text) if stream else [reply.json()]
        told.append([without_identity(document) for document in documents])
    if len(fields.get("prompt", "")) == 2 and stream:
        # Several answers arrive in the order in which they are written.
        told = [sorted(documents, key=lambda document: document["choices"][0]["index"]) for documents in told]
    # Drafts follow what steps cost, and how many rows are computed together tells in the last digit. So it is with what
    # comes in one chunk.
    told = [joined(documents) for documents in told]
    assert json.loads(json.dumps(told[0]), parse_float=lambda text: pytest.approx(float(text), abs=1e-4)) == told[1]


def joined(documents):
    """Chunks that go on with the same text, as one."""
    found = []
    for document in documents:
        try:
            found[-1:] = [one_of(found[-1], document)] if found else [document]
        except ValueError:
            found.append(document)
    return found


LONGER = ("content", "text", "arguments", "tokens", "token_logprobs", "top_logprobs", "text_offset")


def one_of(first, second, name=None):
    """Both as one, or a ValueError where they differ by more than text that goes on."""
    if name in LONGER and type(first) is type(second) and isinstance(first, str | list):
        return first + second
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        return {key: one_of(first[key], second[key], key) for key in first}
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [one_of(*each) for each in zip(first, second, strict=True)]
    if name == "finish_reason" and first is None:
        return second
    if first != second:
        raise ValueError(name)
    return first


def without_identity(document):
    plain = {name: value for name, value in document.items() if name not in ("id", "created", "usage")}
    assert plain["choices"]
    return plain


@pytest.mark.parametrize(("order", "code"), [(DIE, "engine_died"), (MEMORY, "engine_out_of_memory")])
@pytest.mark.parametrize("stream", [False, True])
def test_what_ends_a_step_ends_its_requests_with_503(isolated, order, code, stream):
    with ThreadPoolExecutor(4) as threads:
        others = [threads.submit(complete, isolated, max_tokens=3000, stream=True) for _ in range(3)]
        while isolated.service._loaded.engine.stats().num_running < 3:
            time.sleep(0.01)
        reply = complete(isolated, order, stream=stream)
        assert reply.status_code == 503
        assert error_of(reply)["code"] == code
        assert reply.headers["retry-after"]
        for other in others:
            ended = other.result()
            # Those that had begun say so in their last event.
            error = events_of(ended.text)[-1]["error"] if ended.status_code == 200 else error_of(ended)
            assert error["code"] == code
            assert "[DONE]" not in ended.text
    assert_serves(isolated)


def test_what_hangs_ends_its_requests_with_503(tiny_model, monkeypatch):
    # An engine that is no model, and there at once.
    monkeypatch.setattr(start_worker, "WORKER", (sys.executable, str(Path(process_entry.__file__))))
    config = config_for(tiny_model, process=ProcessConfig(mode="process", hang_timeout_s=3.0, restart_wait_s=60.0))
    with serving(config) as live:
        for stream in (False, True):
            slow = body(process_entry.SLOW, max_tokens=4000, stream=True)
            with live.http.stream("POST", "/v1/completions", json=slow) as begun:
                lines = begun.iter_lines()
                assert next(lines).startswith("data: ")
                reply = complete(live, process_entry.HANG, stream=stream)
                assert (reply.status_code, error_of(reply)["code"]) == (503, "engine_died")
                assert reply.headers["retry-after"]
                assert json.loads([line for line in lines if line][-1][6:])["error"]["code"] == "engine_died"
        assert complete(live).status_code == 200


@pytest.mark.parametrize(
    ("order", "fields"),
    [
        (MASK, {"guided_regex": "[a-z]{4}"}),
        (ACCEPT, {"guided_regex": "[a-z]{4}"}),
        (STOP, {"stop": ["zebra"]}),
        (ADD, {}),
    ],
    ids=["mask", "accept", "stop", "add"],
)
def test_a_hook_that_fails_ends_its_request_alone(isolated, order, fields):
    restarts = isolated.service._loaded.engine.num_restarts
    with ThreadPoolExecutor(4) as threads:
        others = [threads.submit(complete, isolated, max_tokens=200, seed=1) for _ in range(3)]
        reply = complete(isolated, order, **fields)
        assert (reply.status_code, error_of(reply)["code"]) == (500, "engine_error")
        assert "purpose" not in reply.text
        assert [other.result().status_code for other in others] == [200] * 3
    assert isolated.service._loaded.engine.num_restarts == restarts


def test_a_step_that_fails_is_no_death(isolated):
    restarts = isolated.service._loaded.engine.num_restarts
    reply = complete(isolated, STEP)
    assert (reply.status_code, error_of(reply)["code"]) == (500, "engine_error")
    assert isolated.service._loaded.engine.num_restarts == restarts
    assert_serves(isolated)


def test_the_api_answers_while_the_engine_is_away(isolated):
    seen, is_over = [], threading.Event()
    engine = isolated.service._loaded.engine
    forkserver = int(Path(f"/proc/{engine.pid}/stat").read_text().rsplit(")", 1)[1].split()[1])

    def look():
        with httpx.Client(base_url=isolated.url, timeout=60) as http:
            while not is_over.is_set():
                seen.append((http.get("/health").status_code, http.get("/ready").status_code))

    def wait_until_seen(ready):
        num_seen, end = len(seen), time.monotonic() + 60
        while (200, ready) not in seen[num_seen:]:
            assert time.monotonic() < end
            time.sleep(0.01)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        wait_until_seen(200)
        # Nobody starts it again for now.
        os.kill(forkserver, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as threads:
            os.kill(engine.pid, signal.SIGKILL)
            wait_until_seen(503)
            # This one comes while nobody is there to answer, and waits.
            waiting = threads.submit(complete, isolated)
            wait_until_seen(503)
            os.kill(forkserver, signal.SIGCONT)
            assert waiting.result().status_code == 200
    finally:
        is_over.set()
        watcher.join()
    assert {health for health, _ in seen} == {200}
    assert {ready for _, ready in seen} == {200, 503}
    assert_serves(isolated)


def test_a_client_that_leaves_frees_the_engine(isolated):
    engine = isolated.service._loaded.engine
    before = engine.stats().finished["cancelled"]
    with (
        suppress(httpx.ReadTimeout),
        isolated.http.stream("POST", "/v1/completions", json=body(70, max_tokens=3000, stream=True)) as reply,
    ):
        next(reply.iter_lines())
    end = time.monotonic() + 60
    while engine.stats().finished["cancelled"] == before:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert engine.stats().num_running == 0


def test_a_mixed_load_with_deaths_in_it(isolated):
    """Every request ends: with the answer that it gets alone, or with a 503 of its own."""
    expected = {first: complete(isolated, first, max_tokens=60).json()["choices"][0]["text"] for first in range(80, 90)}
    restarts = isolated.service._loaded.engine.num_restarts
    orders = [80 + number % 10 for number in range(60)]
    orders[20], orders[40] = DIE, MEMORY
    with ThreadPoolExecutor(12) as threads:
        replies = list(threads.map(lambda first: complete(isolated, first, max_tokens=60), orders))
    assert {reply.status_code for reply in replies} == {200, 503}
    for first, reply in zip(orders, replies, strict=True):
        if reply.status_code == 200:
            assert reply.json()["choices"][0]["text"] == expected[first]
        else:
            assert error_of(reply)["code"] in ("engine_died", "engine_out_of_memory")
    assert isolated.service._loaded.engine.num_restarts == restarts + 1
    assert_serves(isolated)
    stats = isolated.service._loaded.engine.stats()
    assert stats.num_free_blocks == stats.num_blocks


def test_when_it_is_given_up_health_stays_and_readiness_goes(tiny_model, monkeypatch):
    # An engine that is no model, and there at once.
    monkeypatch.setattr(start_worker, "WORKER", (sys.executable, str(Path(process_entry.__file__))))
    config = config_for(tiny_model, process=ProcessConfig(mode="process", max_restarts=1))
    with serving(config) as live:
        for _ in range(2):
            reply = complete(live, process_entry.DIE)
            assert (reply.status_code, error_of(reply)["code"]) in [(503, "engine_died"), (503, "not_ready")]
        for _ in range(3):
            reply = live.get("/ready")
            assert reply.status_code == 503
            assert "given up" in error_of(reply)["message"]
            reply = complete(live)
            assert (reply.status_code, error_of(reply)["code"]) == (503, "not_ready")
            assert reply.headers["retry-after"]
            assert live.get("/health").status_code == 200
            assert live.get("/v1/models").status_code == 200


def test_decisions_and_ends_of_answers_cross_the_border(isolated, tiny_live):
    questions = {"q": {"type": "choice", "criteria": {"one": None, "two": None}}}
    grammar = {"type": "regex", "value": "yes"}
    bodies = {
        "/v1/systemone": {"state": "x", "questions": questions},
        "/generate": {"inputs": "x", "parameters": {"grammar": grammar, "details": True, "max_new_tokens": 20}},
    }
    apart, together = (
        [live.post(path, json=body).json() for path, body in bodies.items()] for live in (isolated, tiny_live)
    )
    assert apart[0]["answers"]["q"]["probabilities"] == pytest.approx(
        together[0]["answers"]["q"]["probabilities"], rel=1e-3
    )
    tokens, others = (reply["details"]["tokens"] for reply in (apart[1], together[1]))
    assert tokens[-1]["special"]
    assert [token["id"] for token in tokens] == [token["id"] for token in others]
