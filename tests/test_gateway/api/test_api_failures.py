"""Failures behind the API: each ends its own request, says so, and leaves the next one alone."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import openai
import pytest
from held_engine import held, wait_for
from serving import config_for, serving

from gateway.config import EngineConfig, LimitsConfig, ServerConfig
from gateway.engine.masks import fill_each
from gateway.verify import Verdict

HELLO = [{"role": "user", "content": "hi"}]
CHOICE = {"messages": HELLO, "max_tokens": 8, "guided_choice": ["yes", "no"]}
SECRET = "a secret of the server"


def error_of(reply):
    assert set(reply.json()) == {"error"}
    return reply.json()["error"]


def assert_serves(live):
    reply = live.post("/v1/chat/completions", json=CHOICE)
    assert reply.status_code == 200, reply.text


def events_of(reply):
    assert reply.status_code == 200
    return [json.loads(event[6:]) for event in reply.text.split("\n\n") if event.startswith("data: {")]


def read_as_it_comes(live, path, body, has_come):
    """The reply to a request, whole; `has_come` is set as soon as there is something of it."""
    with live.http.stream("POST", path, json=body) as reply:
        pieces = []
        for piece in reply.iter_bytes():
            has_come.set()
            pieces.append(piece)
    return httpx.Response(reply.status_code, headers=reply.headers, content=b"".join(pieces))


class Broken:
    """A constraint that permits one token, and fails after some, when the client has something of what was written."""

    def __init__(self, token_id, num_good, has_come):
        self._token_id, self.left, self._has_come = token_id, num_good, has_come

    def fill_mask(self, row, tokens_left=None):
        row[:] = 0
        row[self._token_id // 32] = 1 << self._token_id % 32

    def accept(self, token_id):
        self.left -= 1
        if self.left < 0:
            assert self._has_come.wait(60)
            raise RuntimeError(SECRET)
        return True

    @property
    def is_complete(self):
        return False

    def forced_tokens(self):
        return []


def break_constraints(live, monkeypatch, num_good):
    """Make constraints fail after some tokens, in requests after this call. Return an event to be set when the client
    has something of what was written before, if anything is."""
    from grammars import CompiledGrammar

    loaded, has_come = live.service._loaded, threading.Event()
    monkeypatch.setattr(loaded.engine._engine._masks, "_hook", fill_each)
    (letter,) = loaded.tokenizer.encode("a", add_special_tokens=False).ids
    if num_good == 0:
        has_come.set()
    monkeypatch.setattr(CompiledGrammar, "matcher", lambda self: Broken(letter, num_good, has_come))
    return has_come


@pytest.fixture
def unmatched(tiny_live, monkeypatch):
    return lambda num_good: break_constraints(tiny_live, monkeypatch, num_good)


def test_a_failing_constraint_ends_its_request_alone(tiny_live, unmatched, monkeypatch):
    unmatched(0)
    reply = tiny_live.post("/v1/chat/completions", json=CHOICE)
    assert reply.status_code == 500
    assert error_of(reply)["code"] == "engine_error"
    assert SECRET not in reply.text
    reply = tiny_live.post("/v1/chat/completions", json={**CHOICE, "stream": True})
    assert (reply.status_code, error_of(reply)["code"]) == (500, "engine_error")
    monkeypatch.undo()
    assert_serves(tiny_live)


def test_clients_do_not_repeat_what_fails_again(tiny_live, unmatched, monkeypatch):
    unmatched(0)
    asked = []
    prepare = tiny_live.service.prepare_chat
    monkeypatch.setattr(tiny_live.service, "prepare_chat", lambda *given: asked.append(given) or prepare(*given))
    with pytest.raises(openai.InternalServerError) as caught:
        tiny_live.client.with_options(max_retries=2).chat.completions.create(
            model="test-model", messages=HELLO, max_tokens=8, extra_body={"guided_choice": ["yes", "no"]}
        )
    assert len(asked) == 1
    assert caught.value.response.headers["x-should-retry"] == "false"
    assert "retry-after" not in caught.value.response.headers


def test_a_failure_after_the_stream_began_is_its_last_event(tiny_live, unmatched, monkeypatch):
    has_come = unmatched(3)
    reply = read_as_it_comes(tiny_live, "/v1/chat/completions", {**CHOICE, "stream": True}, has_come)
    *chunks, last = events_of(reply)
    assert chunks
    assert all(chunk["object"] == "chat.completion.chunk" for chunk in chunks)
    assert all(choice["finish_reason"] is None for chunk in chunks for choice in chunk["choices"])
    assert last["error"]["code"] == "engine_error"
    assert "[DONE]" not in reply.text
    assert SECRET not in reply.text
    has_come.clear()
    stream = tiny_live.client.chat.completions.create(
        model="test-model", messages=HELLO, max_tokens=8, stream=True, extra_body={"guided_choice": ["yes", "no"]}
    )
    next(stream)
    has_come.set()
    with pytest.raises(openai.APIError):
        list(stream)
    monkeypatch.undo()
    assert_serves(tiny_live)


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_fails_verification_is_never_a_result(tiny_live, monkeypatch, stream):
    verdict = Verdict.failed("choice", "no")
    monkeypatch.setattr(tiny_live.service._verifier, "verify_choice", lambda choices, text: verdict)
    reply = tiny_live.post("/v1/chat/completions", json={**CHOICE, "stream": stream})
    if stream and reply.status_code == 200:  # its text was there before its end
        *chunks, last = events_of(reply)
        assert all(choice["finish_reason"] is None for chunk in chunks for choice in chunk["choices"])
        assert last["error"]["code"] == "verification_failed"
        assert "[DONE]" not in reply.text
    else:
        assert (reply.status_code, error_of(reply)["code"]) == (500, "verification_failed")
        assert "choices" not in reply.json()
    monkeypatch.undo()
    assert_serves(tiny_live)


def test_a_fault_of_the_server_tells_nothing(tiny_live, monkeypatch, caplog):
    async def broken(*_):
        raise RuntimeError(SECRET)

    monkeypatch.setattr(tiny_live.service, "prepare_chat", broken)
    reply = tiny_live.post("/v1/chat/completions", json=CHOICE)
    assert (reply.status_code, error_of(reply)["code"]) == (500, "internal_error")
    assert SECRET not in reply.text
    assert "RuntimeError" not in reply.text
    assert SECRET in caplog.text
    monkeypatch.undo()
    assert_serves(tiny_live)


@pytest.fixture(scope="module")
def small_live(tiny_model):
    """A server with keys and little room."""
    config = config_for(
        tiny_model,
        server=ServerConfig(port=0, api_keys=("key-one", "schlüssel")),
        engine=EngineConfig(num_threads=1, kv_memory_bytes=8 << 20, max_num_seqs=1, max_waiting=1, max_model_len=256),
        limits=LimitsConfig(compile_timeout_s=1e-6, max_n=4, default_max_tokens=5),
    )
    with serving(config) as live:
        yield live


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer key-one x"},
        {"Authorization": "Basic key-one"},
        {"Authorization": "key-one"},
        {"x-api-key": "key-on"},
        {"x-api-key": "key-one,schlüssel".encode("latin-1")},
    ],
    ids=str,
)
def test_without_a_key_nobody_is_let_in(small_live, headers):
    for path in ("/v1/models", "/v1/models/test-model"):
        reply = small_live.get(path, headers=headers)
        assert (reply.status_code, error_of(reply)["code"]) == (401, "invalid_api_key")
        assert reply.headers["www-authenticate"] == "Bearer"
    reply = small_live.post("/v1/chat/completions", content=b"{", headers=headers)
    assert reply.status_code == 401
    assert "key-one" not in reply.text


def test_keys_are_taken_in_both_headers(small_live):
    for headers in (
        {"Authorization": "Bearer key-one"},
        {"authorization": "bearer key-one"},
        {"x-api-key": "key-one"},
        {"x-api-key": "schlüssel".encode()},
    ):
        assert small_live.get("/v1/models", headers=headers).status_code == 200
    assert small_live.get("/health").status_code == 200
    assert small_live.get("/ready").status_code == 200


def test_more_than_the_queue_holds_is_refused_and_may_be_tried_again(small_live):
    headers = {"x-api-key": "key-one"}
    body, engine = {"prompt": "x", "max_tokens": 20, "ignore_eos": True}, small_live.service._loaded.engine
    with ThreadPoolExecutor(8) as threads, held(engine):
        asked = [threads.submit(small_live.post, "/v1/completions", json=body, headers=headers) for _ in range(8)]
        wait_for(lambda: sum(reply.done() for reply in asked) == 6)
    replies = [reply.result() for reply in asked]
    assert sorted(reply.status_code for reply in replies) == [200] * 2 + [429] * 6, "one may run and one wait"
    refused = next(reply for reply in replies if reply.status_code == 429)
    assert error_of(refused)["code"] == "overloaded"
    assert refused.headers["retry-after"]
    small_live.wait_until_idle()
    assert small_live.post("/v1/completions", json=body, headers=headers).status_code == 200


def test_more_answers_than_could_ever_wait_are_refused_for_good(small_live):
    body = {"prompt": ["x", "y"], "n": 2}
    reply = small_live.post("/v1/completions", json=body, headers={"x-api-key": "key-one"})
    assert (reply.status_code, error_of(reply)["param"]) == (400, "n")


def test_the_default_length_is_the_servers(small_live):
    body = {"prompt": "x", "ignore_eos": True}
    reply = small_live.post("/v1/completions", json=body, headers={"x-api-key": "key-one"})
    assert reply.json()["usage"]["completion_tokens"] == 5


def test_a_compilation_that_takes_too_long_is_refused(small_live):
    headers = {"x-api-key": "key-one"}
    body = {"prompt": "x", "guided_regex": "[a-z]{3}(foo|bar)+"}
    reply = small_live.post("/v1/completions", json=body, headers=headers)
    assert (reply.status_code, error_of(reply)["code"]) == (400, "too_complex")
    assert error_of(reply)["param"] == "guided_regex"


def test_a_service_that_was_closed_is_not_ready(tiny_model):
    with serving(config_for(tiny_model)) as live:
        live.service.close()
        assert live.get("/health").status_code == 200
        reply = live.get("/ready")
        assert (reply.status_code, error_of(reply)["code"]) == (503, "not_ready")
        reply = live.post("/v1/completions", json={"prompt": "x"})
        assert (reply.status_code, error_of(reply)["code"]) == (503, "not_ready")
