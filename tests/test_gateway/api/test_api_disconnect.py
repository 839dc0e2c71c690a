"""A client that goes away takes its generation with it."""

import asyncio
import json
import socket
from urllib.parse import urlsplit

import pytest
from held_engine import after_tokens, held, once_running, wait_for

from gateway.api.http.disconnect import while_connected
from gateway.errors import RequestCancelledError

BODY = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 900, "ignore_eos": True, "seed": 1}


def num_cancelled(live):
    return live.service._loaded.engine.stats().finished["cancelled"]


def send(live, body, path="/v1/chat/completions"):
    """A connection on which the request is under way."""
    address = urlsplit(live.url)
    connection = socket.create_connection((address.hostname, address.port), timeout=30)
    content = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    lines.append(f"Content-Length: {len(content)}")
    connection.sendall("\r\n".join((*lines, "", "")).encode() + content)
    return connection


def read(connection):
    """What has come; at least a byte."""
    piece = connection.recv(4096)
    assert piece, "the connection was closed"
    return piece


@pytest.mark.parametrize("n", [1, 3])
def test_a_client_that_leaves_a_stream_cancels_it(tiny_live, n):
    tiny_live.wait_until_idle()
    before, engine = num_cancelled(tiny_live), tiny_live.service._loaded.engine
    with held(engine, after_tokens(engine, 60 * n)):
        connection = send(tiny_live, {**BODY, "stream": True, "n": n})
        received = b""
        while received.count(b"data: ") < 8:
            received += read(connection)
        connection.close()
        wait_for(lambda: num_cancelled(tiny_live) == before + n)
    tiny_live.wait_until_idle()
    engine._engine.check_integrity()


@pytest.mark.parametrize(
    ("fields", "num_answers"),
    [({}, 1), ({"n": 3}, 3), ({"guided_regex": "[a-z]{700}", "ignore_eos": False}, 1)],
    ids=["one", "three", "constrained"],
)
def test_a_client_that_does_not_wait_for_the_whole_cancels_it(tiny_live, fields, num_answers):
    tiny_live.wait_until_idle()
    before, engine = num_cancelled(tiny_live), tiny_live.service._loaded.engine
    with held(engine, once_running(num_answers)):
        connection = send(tiny_live, {**BODY, **fields})
        wait_for(lambda: engine.stats().num_running == num_answers)
        connection.close()
        wait_for(lambda: num_cancelled(tiny_live) == before + num_answers)
    tiny_live.wait_until_idle()
    assert tiny_live.post("/v1/chat/completions", json={**BODY, "max_tokens": 2}).status_code == 200


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "stream"])
def test_a_client_that_leaves_before_the_first_token_cancels_its_answers(tiny_live, is_streamed):
    tiny_live.wait_until_idle()
    before, engine = num_cancelled(tiny_live), tiny_live.service._loaded.engine
    body = {"prompt": ["x"] * 16, "max_tokens": 900, "ignore_eos": True, "stream": is_streamed}
    with held(engine):
        connection = send(tiny_live, body, "/v1/completions")
        wait_for(lambda: engine.stats().num_waiting == 16)
        connection.close()
        wait_for(lambda: num_cancelled(tiny_live) == before + 16)
    tiny_live.wait_until_idle()


def test_a_stop_string_beside_tools_ends_the_generation(tiny_live):
    tiny_live.wait_until_idle()
    tool = {"type": "function", "function": {"name": "f"}}
    asked = {**BODY, "tools": [tool], "max_tokens": 60, "ignore_eos": False, "temperature": 0.7}
    whole = tiny_live.post("/v1/chat/completions", json=asked).json()["choices"][0]["message"]["content"]
    stop = whole[5:7]
    reply = tiny_live.post("/v1/chat/completions", json={**asked, "stop": stop}).json()
    assert reply["choices"][0]["message"]["content"] == whole[: whole.index(stop)]
    assert reply["choices"][0]["finish_reason"] == "stop"
    tiny_live.wait_until_idle()


class Leaving:
    """What a handler hears of its client."""

    def __init__(self):
        self.has_left = asyncio.Event()

    async def receive(self):
        await self.has_left.wait()
        return {"type": "http.disconnect"}


def test_work_ends_as_its_client_leaves_and_its_handler_goes_on():
    async def handler():
        client = Leaving()
        asyncio.get_running_loop().call_soon(client.has_left.set)
        with pytest.raises(RequestCancelledError):
            await while_connected(client, asyncio.sleep(60))
        async with asyncio.timeout(60):  # would pass on a cancellation that is still open
            await asyncio.sleep(0)
        assert asyncio.current_task().cancelling() == 0
        return await while_connected(Leaving(), asyncio.sleep(0, "done"))

    assert asyncio.run(handler()) == "done"


@pytest.mark.parametrize("leaves", [False, True], ids=["stays", "leaves"])
def test_a_handler_that_is_cancelled_is_so_whatever_its_client_does(leaves):
    async def serve():
        client = Leaving()
        handler = asyncio.create_task(while_connected(client, asyncio.sleep(60)))
        for _ in range(2):
            await asyncio.sleep(0)
        if leaves:
            client.has_left.set()
        handler.cancel()
        with pytest.raises(asyncio.CancelledError):
            await handler
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(serve())
