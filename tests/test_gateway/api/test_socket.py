"""Chats over a WebSocket: real connections, several requests at a time, cancelled ones, and what is refused."""

import asyncio
import json
import time

import pytest
from held_engine import held, wait_for
from serving import config_for, serving
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gateway.api.openai import socket as chat_socket
from gateway.config import LimitsConfig, ServerConfig

BODY = {"model": "test-model", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 8, "temperature": 0}
# Drawn, so that no draft can guess thousands of tokens at once.
ENDLESS = {"ignore_eos": True, "repetition_detection": {"max_pattern_size": 0}, "temperature": 1}
LONG = {**BODY, **ENDLESS, "max_tokens": 3000, "stream": True}


@pytest.fixture(scope="module")
def keyed_live(tiny_model):
    server = ServerConfig(port=0, api_keys=("one", "two"))
    with serving(config_for(tiny_model, server=server, limits=LimitsConfig(max_body_bytes=200_000))) as live:
        yield live


def talk(live, script, **options):
    """What a coroutine that gets the socket returns."""

    async def run():
        url = live.url.replace("http", "ws", 1) + "/v1/chat/completions"
        # With a bounded queue this client reads nothing, the server's close included, while 16 messages are unread.
        async with connect(url, max_queue=None, **options) as socket:
            return await asyncio.wait_for(script(socket), 60)

    return asyncio.run(run())


def message(name, body, kind="request"):
    return json.dumps({"type": kind, "id": name, "body": body})


async def until_the_end(socket, *names):
    """All messages until these requests are over, by id."""
    found, left = {name: [] for name in names}, set(names)
    while left:
        reply = json.loads(await socket.recv())
        found.setdefault(reply["id"], []).append(reply)
        if reply["type"] != "chunk":
            left.discard(reply["id"])
    return found


def test_whole_answers_and_streams_are_those_of_http(tiny_live):
    async def script(socket):
        await socket.send(message("whole", BODY))
        await socket.send(message("stream", {**BODY, "stream": True}))
        return await until_the_end(socket, "whole", "stream")

    found = talk(tiny_live, script)
    expected = tiny_live.post("/v1/chat/completions", json=BODY).json()["choices"]
    (whole,) = found["whole"]
    assert (whole["type"], whole["status"], whole["body"]["choices"]) == ("response", 200, expected)
    *chunks, done = found["stream"]
    assert done == {"type": "done", "id": "stream"}
    text = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["body"]["choices"])
    assert text == expected[0]["message"]["content"]


def test_requests_run_side_by_side(tiny_live):
    async def script(socket):
        for number in range(10):
            await socket.send(message(str(number), {**BODY, "stream": number % 2 == 0}))
        return await until_the_end(socket, *map(str, range(10)))

    found = talk(tiny_live, script)
    assert [found[str(number)][-1]["type"] for number in range(10)] == ["done", "response"] * 5


def test_a_cancelled_request_ends_alone(tiny_live):
    async def script(socket):
        await socket.send(message("long", LONG))
        await socket.send(message("other", LONG | {"max_tokens": 300}))
        assert json.loads(await socket.recv())["type"] == "chunk"
        await socket.send(json.dumps({"type": "cancel", "id": "long"}))
        await socket.send(json.dumps({"type": "cancel", "id": "unknown"}))
        return await until_the_end(socket, "long", "other")

    found = talk(tiny_live, script)
    assert found["long"][-1] == {"type": "cancelled", "id": "long"}
    assert len(found["long"]) < 2500
    assert found["other"][-1]["type"] == "done"
    tiny_live.wait_until_idle()


def test_a_client_that_leaves_ends_its_requests(tiny_live):
    async def script(socket):
        for number in range(3):
            await socket.send(message(str(number), LONG))
        begun = set()
        while len(begun) < 3:
            begun.add(json.loads(await socket.recv())["id"])
        began = time.monotonic()
        await socket.close()
        assert socket.close_code == 1000
        assert time.monotonic() - began < 5

    before = tiny_live.service._loaded.engine.stats().finished["cancelled"]
    talk(tiny_live, script)
    wait_for(lambda: tiny_live.service._loaded.engine.stats().finished["cancelled"] == before + 3)
    tiny_live.wait_until_idle()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("{", "not JSON"),
        ('{"type": "request"}', "id is missing"),
        ('{"type": "ask", "id": "a"}', "type: Invalid enum value"),
        (json.dumps({"type": "request", "id": "a"}), "body is missing"),
        (message("", BODY), "id must have 1 to 100"),
        (message("x" * 101, BODY), "id must have 1 to 100"),
        ("[" * 5000, "does not fit"),
    ],
)
def test_a_malformed_message_is_told_and_harms_nothing(tiny_live, sent, said):
    async def script(socket):
        await socket.send(sent)
        told = json.loads(await socket.recv())
        await socket.send(message("next", BODY))
        return told, await until_the_end(socket, "next")

    told, found = talk(tiny_live, script)
    assert (told["type"], told["id"]) == ("error", None)
    assert said in told["body"]["error"]["message"]
    assert found["next"][-1]["type"] == "response"


@pytest.mark.parametrize("stream", [False, True])
def test_a_refused_request_is_an_error_of_its_own(tiny_live, stream):
    async def script(socket):
        await socket.send(message("a", {**BODY, "top_p": 9, "stream": stream}))
        await socket.send(message("b", {**BODY, "model": "none", "stream": stream}))
        return await until_the_end(socket, "a", "b")

    found = talk(tiny_live, script)
    assert [(found[name][0]["type"], found[name][0]["status"]) for name in "ab"] == [("error", 400), ("error", 404)]
    assert found["a"][0]["body"]["error"]["param"] == "top_p"


def test_one_id_is_under_way_once_and_requests_are_bounded(tiny_live, monkeypatch):
    monkeypatch.setattr(chat_socket, "MAX_UNDER_WAY", 2)

    async def script(socket):
        for name in ("a", "a", "b", "c"):
            await socket.send(message(name, LONG))
        told = []
        while len(told) < 2:
            reply = json.loads(await socket.recv())
            if reply["type"] == "error":
                told.append(reply["body"]["error"])
        return told

    again, full = talk(tiny_live, script)
    assert "'a' is under way" in again["message"]
    assert full["code"] == "overloaded"


def test_a_key_is_asked_for_at_the_handshake(keyed_live):
    async def script(socket):
        await socket.send(message("a", BODY))
        return (await until_the_end(socket, "a"))["a"][-1]["type"]

    for headers in ({}, {"Authorization": "Bearer wrong"}):
        with pytest.raises(InvalidStatus) as caught:
            talk(keyed_live, script, additional_headers=headers)
        assert caught.value.response.status_code in (401, 403)
    for options in (
        {"additional_headers": {"Authorization": "Bearer one"}},
        {"additional_headers": {"x-api-key": "two"}},
        {"subprotocols": ["portcullis", "openai-insecure-api-key.one"]},
    ):
        assert talk(keyed_live, script, **options) == "response"


def test_pages_of_other_sites_are_kept_out(tiny_live):
    async def script(socket):
        return await socket.recv()

    with pytest.raises(InvalidStatus):
        talk(tiny_live, script, additional_headers={"Origin": "https://evil.example"})


def test_a_message_longer_than_a_body_ends_the_socket(keyed_live):
    async def script(socket):
        await socket.send(message("a", {**BODY, "messages": [{"role": "user", "content": "x" * 300_000}]}))
        await socket.recv()

    with pytest.raises(ConnectionClosed) as caught:
        talk(keyed_live, script, additional_headers={"x-api-key": "one"})
    assert caught.value.rcvd.code == 1009


def test_an_idle_socket_is_closed_and_a_busy_one_is_not(tiny_live, monkeypatch):
    monkeypatch.setattr(chat_socket, "IDLE_S", 0.3)

    async def script(socket):
        with held(tiny_live.service._loaded.engine):
            await socket.send(message("a", BODY))
            await asyncio.sleep(0.8)
        assert (await until_the_end(socket, "a"))["a"][-1]["type"] == "response"
        await socket.recv()

    with pytest.raises(ConnectionClosed) as caught:
        talk(tiny_live, script)
    assert caught.value.rcvd.code == 1000


def test_other_paths_take_no_socket(tiny_live):
    """A request that would rather speak another protocol is served in this one."""
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}  # fmt: skip
    assert tiny_live.get("/v1/models", headers=headers).status_code == 200
