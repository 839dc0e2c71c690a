"""Behind Anthropic's and Ollama's words: no key, no room, who leaves, an engine that gives up."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from held_engine import after_tokens, held, wait_for
from serving import config_for, serving
from test_anthropic_messages import events_of, refused
from test_api_disconnect import num_cancelled, read, send
from test_api_failures import SECRET, break_constraints, read_as_it_comes

from gateway.config import EngineConfig, ServerConfig

HELLO = [{"role": "user", "content": "hi"}]
MESSAGE = {
    "model": "test-model",
    "messages": HELLO,
    "max_tokens": 8,
    "output_config": {"format": {"type": "json_schema", "schema": {"enum": ["yes", "no"]}}},
}
CHAT = {"model": "test-model", "messages": HELLO, "format": {"enum": ["yes", "no"]}, "options": {"num_predict": 8}}
KEY = {"x-api-key": "key-one"}
VERSION = {"anthropic-version": "2023-06-01"}


@pytest.fixture
def unmatched(tiny_live, monkeypatch):
    return break_constraints(tiny_live, monkeypatch, 3)


def test_a_message_that_fails_within_its_stream_ends_with_an_error(tiny_live, unmatched):
    reply = read_as_it_comes(tiny_live, "/v1/messages", {**MESSAGE, "stream": True}, unmatched)
    assert reply.status_code == 200
    first, *_, last = events_of(reply.text)
    assert first["type"] == "message_start"
    assert (last["type"], last["error"]["type"]) == ("error", "api_error")
    assert last["request_id"] == reply.headers["request-id"]
    assert "message_stop" not in reply.text
    assert SECRET not in reply.text
    refused(tiny_live.post("/v1/messages", json=MESSAGE), 500, "api_error")


def test_lines_that_fail_end_with_an_error(tiny_live, unmatched):
    reply = read_as_it_comes(tiny_live, "/api/chat", CHAT, unmatched)
    assert reply.status_code == 200
    *pieces, last = (json.loads(line) for line in reply.text.splitlines())
    assert pieces
    assert not any(piece["done"] for piece in pieces)
    assert set(last) == {"error"}
    assert SECRET not in reply.text
    whole = tiny_live.post("/api/chat", json={**CHAT, "stream": False})
    assert (whole.status_code, set(whole.json())) == (500, {"error"})


LONG = {"type": "string", "pattern": "^[a-z]{700}$"}
FORMAT = {"type": "json_schema", "schema": LONG}


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/messages", {**MESSAGE, "max_tokens": 1500, "output_config": {"format": FORMAT}}),
        ("/api/chat", {**CHAT, "format": LONG, "options": {"num_predict": 1500}}),
    ],
)
def test_a_client_that_leaves_cancels_its_answer(tiny_live, path, body, is_streamed):
    tiny_live.wait_until_idle()
    before, engine = num_cancelled(tiny_live), tiny_live.service._loaded.engine
    with held(engine, after_tokens(engine, 60)):
        connection = send(tiny_live, {**body, "stream": is_streamed}, path)
        if is_streamed:
            received = b""
            while received.count(b"\n") < 20:
                received += read(connection)
        else:
            wait_for(lambda: not tiny_live.is_idle())
        connection.close()
        wait_for(lambda: num_cancelled(tiny_live) == before + 1)
    tiny_live.wait_until_idle()


@pytest.fixture(scope="module")
def small_live(tiny_model):
    """A server with a key and room for one."""
    config = config_for(
        tiny_model,
        server=ServerConfig(port=0, api_keys=("key-one",)),
        engine=EngineConfig(num_threads=1, kv_memory_bytes=8 << 20, max_num_seqs=1, max_waiting=1, max_model_len=256),
    )
    with serving(config) as live:
        yield live


def test_without_a_key_nobody_is_let_in(small_live):
    for path in ("/v1/messages", "/v1/messages/count_tokens"):
        refused(small_live.post(path, json=MESSAGE), 401, "authentication_error")
    refused(small_live.get("/v1/models", headers=VERSION), 401, "authentication_error")
    for path in ("/api/chat", "/api/generate", "/api/show", "/api/pull"):
        reply = small_live.post(path, json=CHAT)
        assert (reply.status_code, set(reply.json())) == (401, {"error"})
    assert small_live.get("/api/tags").status_code == small_live.get("/api/ps").status_code == 401
    assert small_live.get("/api/tags", headers=KEY).status_code == 200
    assert small_live.get("/v1/models", headers=VERSION | KEY).status_code == 200
    assert small_live.get("/").status_code == small_live.get("/api/version").status_code == 200


def test_a_full_queue_is_told_in_each_ones_words(small_live):
    small_live.wait_until_idle()
    engine, body = small_live.service._loaded.engine, {"model": "test-model", "prompt": "x", "max_tokens": 20}
    with ThreadPoolExecutor(2) as threads, held(engine):
        others = [threads.submit(small_live.post, "/v1/completions", json=body, headers=KEY) for _ in range(2)]
        wait_for(lambda: engine.stats().num_waiting == 2)  # one of them for the next step
        message = small_live.post("/v1/messages", json=MESSAGE, headers=KEY)
        told = small_live.post("/api/chat", json=CHAT, headers=KEY)
    assert [other.result().status_code for other in others] == [200, 200]
    refused(message, 529, "overloaded_error")
    assert (told.status_code, set(told.json())) == (429, {"error"})
    assert message.headers["retry-after"]
    assert told.headers["retry-after"]
