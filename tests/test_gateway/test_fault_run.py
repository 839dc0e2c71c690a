"""Five hundred requests, of which many are cut off or made to fail, over an engine that dies and hangs: each ends, with
the answer that it would have had alone or with an error of its own, and nothing is left behind."""

import json
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from conftest import config_for, serving
from process_entry_sabotaged import ACCEPT, ADD, DIE, HANG, MASK, MEMORY, STEP, STOP

from gateway.config import ProcessConfig
from gateway.service import engines

ENTRY = (sys.executable, str(Path(__file__).with_name("process_entry_sabotaged.py")))
NUM_REQUESTS, NUM_CLIENTS = 500, 12

KINDS = {
    "free": {"max_tokens": 20, "temperature": 1},
    "greedy": {"max_tokens": 30, "temperature": 0},
    "regex": {"max_tokens": 30, "guided_regex": "[a-z]{3,9}( [a-z]{2,5}){0,2}"},
    "schema": {
        "max_tokens": 80,
        "guided_json": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}}},
    },
    "stop": {"max_tokens": 60, "stop": ["e", "zebra"]},
    "several": {"max_tokens": 10, "n": 3},
}
SABOTAGE = {MASK: "regex", ACCEPT: "regex", STOP: "stop", ADD: "free", STEP: "free", MEMORY: "free"}
ERRORS = {"engine_error": 500, "engine_died": 503, "engine_out_of_memory": 503, "not_ready": 503}


def plan(chooser):
    """Bodies of all requests, each with what the client does: wait for it whole, read it as a stream, or leave."""
    asked = []
    for number in range(NUM_REQUESTS):
        order = {NUM_REQUESTS // 3: DIE, 2 * NUM_REQUESTS // 3: HANG}.get(number)
        if order is None:
            order = chooser.choice(list(SABOTAGE)) if chooser.random() < 0.1 else chooser.randrange(60, 70)
        kind = SABOTAGE.get(order, "free" if order in (DIE, HANG) else chooser.choice(list(KINDS)))
        body = {"prompt": [order, 70, 71, chooser.randrange(72, 76)], "seed": number % 5} | KINDS[kind]
        manner = "whole" if order > 200 else chooser.choice(["whole", "whole", "stream", "leave", "cut"])
        asked.append((body, manner))
    return asked


def text_of(reply):
    return [choice["text"] for choice in sorted(reply["choices"], key=lambda choice: choice["index"])]


def read_stream(response):
    """Texts of the answers, or the error that ended them."""
    texts = {}
    for line in response.iter_lines():
        if line.startswith("data: {"):
            event = json.loads(line[6:])
            if "error" in event:
                return event["error"]
            for choice in event["choices"]:
                texts[choice["index"]] = texts.get(choice["index"], "") + choice["text"]
    return [texts[index] for index in sorted(texts)]


def send(live, body, manner):
    """What came of a request: texts, an error, or None where the client did not wait for it."""
    with httpx.Client(base_url=live.url, timeout=120) as http:
        if manner == "whole":
            reply = http.post("/v1/completions", json=body)
            return told(reply.status_code, reply.json())
        if manner == "leave":
            with suppress(httpx.ReadTimeout):
                http.post("/v1/completions", json=body, timeout=httpx.Timeout(120, read=0.02))
            return None
        with http.stream("POST", "/v1/completions", json=body | {"stream": True}) as response:
            if response.status_code != 200:
                return told(response.status_code, json.loads(response.read()))
            if manner == "cut":
                next(response.iter_lines())
                return None
            return read_stream(response)


def told(status, reply):
    if status == 200:
        return text_of(reply)
    assert ERRORS[reply["error"]["code"]] == status
    return reply["error"]


@pytest.mark.slow
def test_every_request_ends_with_its_answer_or_its_own_error(tiny_model, tiny_live, monkeypatch):
    monkeypatch.setattr(engines, "WORKER", ENTRY)
    process = ProcessConfig(mode="process", hang_timeout_s=5.0, restart_wait_s=120.0)
    asked = plan(random.Random(1))
    expected = {}
    for body, _ in asked:
        key = json.dumps(body)
        if body["prompt"][0] < 200 and key not in expected:
            expected[key] = text_of(tiny_live.post("/v1/completions", json=body).json())
    health, is_over = set(), threading.Event()

    def look(live):
        while not is_over.wait(0.05):
            health.add(httpx.get(f"{live.url}/health", timeout=60).status_code)

    with serving(config_for(tiny_model, process=process)) as live:
        watcher = threading.Thread(target=look, args=(live,))
        watcher.start()
        with ThreadPoolExecutor(NUM_CLIENTS) as clients:
            outcomes = list(clients.map(lambda one: send(live, *one), asked))
        engine = live.service._loaded.engine
        live.wait_until_idle(60)
        end = time.monotonic() + 60
        while live.service.num_under_way:
            assert time.monotonic() < end
            time.sleep(0.01)
        stats = engine.stats()
        assert stats.num_free_blocks == stats.num_blocks
        assert engine.num_restarts == 2
        for body in list(KINDS.values())[:3]:
            body = {"prompt": "x", "seed": 1} | body
            replies = [server.post("/v1/completions", json=body).json() for server in (live, tiny_live)]
            assert text_of(replies[0]) == text_of(replies[1])
        is_over.set()
        watcher.join()
    assert health == {200}
    num_answers = 0
    for (body, manner), outcome in zip(asked, outcomes, strict=True):
        if isinstance(outcome, list):
            num_answers += 1
            assert body["prompt"][0] < 200, "a request that was to fail did not"
            assert outcome == expected[json.dumps(body)]
        else:
            assert outcome is not None or manner in ("leave", "cut")
    # Failures are those that were asked for, and the company that a step, or the process, had when it failed.
    assert num_answers > NUM_REQUESTS // 4
