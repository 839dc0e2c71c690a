"""Behind Anthropic's and Ollama's words: no key, no room, who leaves, an engine that gives up; their document."""

import json
import threading

import msgspec
import pytest
from serving import config_for, serving
from test_anthropic_messages import events_of, refused
from test_api_disconnect import num_cancelled, read, send, wait_for
from test_api_failures import SECRET, Broken

from gateway.api.anthropic.requests import MessagesBody, PromptFields
from gateway.api.documents import body_schema
from gateway.api.ollama.requests import ChatBody, GenerateBody, ShowBody
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
    """Makes constraints fail after three tokens."""
    from grammars import CompiledGrammar

    engine = tiny_live.service._loaded.engine._engine
    monkeypatch.setattr(engine._masks, "_hook", None)
    monkeypatch.setattr(CompiledGrammar, "matcher", lambda self: Broken(3))


def test_a_message_that_fails_within_its_stream_ends_with_an_error(tiny_live, unmatched):
    reply = tiny_live.post("/v1/messages", json={**MESSAGE, "stream": True})
    assert reply.status_code == 200
    first, *_, last = events_of(reply.text)
    assert first["type"] == "message_start"
    assert (last["type"], last["error"]["type"]) == ("error", "api_error")
    assert last["request_id"] == reply.headers["request-id"]
    assert "message_stop" not in reply.text
    assert SECRET not in reply.text
    refused(tiny_live.post("/v1/messages", json=MESSAGE), 500, "api_error")


def test_lines_that_fail_end_with_an_error(tiny_live, unmatched):
    reply = tiny_live.post("/api/chat", json=CHAT)
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
    before = num_cancelled(tiny_live)
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
    long = {"model": "test-model", "prompt": "x", "max_tokens": 200, "ignore_eos": True, "stream": True}
    is_done = threading.Event()

    def occupy():
        while not is_done.is_set():
            with small_live.http.stream("POST", "/v1/completions", json=long, headers=KEY) as reply:
                reply.read()

    threads = [threading.Thread(target=occupy) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        found = {}
        for path, body in (("/v1/messages", MESSAGE), ("/api/chat", CHAT)):
            for _ in range(200):
                reply = small_live.post(path, json=body, headers=KEY)
                if reply.status_code != 200:
                    found[path] = reply
                    break
    finally:
        is_done.set()
        for thread in threads:
            thread.join()
    refused(found["/v1/messages"], 529, "overloaded_error")
    assert (found["/api/chat"].status_code, set(found["/api/chat"].json())) == (429, {"error"})
    assert all(reply.headers["retry-after"] for reply in found.values())


@pytest.mark.parametrize("kind", [MessagesBody, PromptFields, ChatBody, GenerateBody, ShowBody])
def test_the_document_describes_every_field(kind):
    schema = body_schema(kind)
    fields = msgspec.structs.fields(kind)
    assert {field.name for field in fields} == set(schema["properties"])
    assert schema.get("required", []) == [field.name for field in fields if field.required]
    assert "$ref" not in json.dumps(schema)
