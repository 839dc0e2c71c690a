"""Chats over a WebSocket: several requests under way at a time, each of which can be cancelled.

Each request passes through the app as a POST of its own with the headers of the handshake, so that keys, limits,
policies, records and metrics are those of any request.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Literal

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.api.http.caller import key_of_protocols
from gateway.api.http.connection import SOCKET_PATH
from gateway.api.http.decode import decode
from gateway.api.http.in_process import post_scope
from gateway.api.openai.envelope import envelope
from gateway.errors import GatewayError, InvalidRequestError, OverloadedError

PATH = SOCKET_PATH.decode()
SUBPROTOCOL = "portcullis"
MAX_UNDER_WAY = 64
"""Requests of one socket at a time."""
IDLE_S = 600.0
"""Time without a request under way after which a socket is closed."""
MAX_ID = 100

_KEPT = frozenset((
    *(b"authorization", b"x-api-key", b"host", b"origin", b"user-agent", b"traceparent", b"tracestate"),
    *(b"x-portcullis-policy", b"x-portcullis-verdict", b"x-stainless-read-timeout", b"x-stainless-timeout"),
))  # fmt: skip
"""Headers of the handshake that each request gets."""
_GONE = (WebSocketDisconnect, OSError)
"""Raised where something is sent to a client that has left; the second by uvicorn."""
_ENCODER = msgspec.json.Encoder()


class SocketMessage(Struct, kw_only=True):
    """What a client sends: a request with the body of a POST, or the end of one.

    `id` is the client's, and names the request in all messages about it.
    """

    type: Literal["request", "cancel"]
    id: str
    body: Raw | UnsetType = UNSET


class SocketReply(Struct, kw_only=True):
    """What a client gets. `chunk` has an event of a stream; the last message of each request is `response` (the body
    of a whole answer), `done` (the end of a stream), `error` (with the error's body) or `cancelled`."""

    type: Literal["chunk", "response", "done", "error", "cancelled"]
    id: str | None
    status: int | UnsetType = UNSET
    body: Raw | UnsetType = UNSET


class _Exchange:
    """One request of a socket: an HTTP request of the app, whose reply becomes messages."""

    def __init__(self, socket: WebSocket[Any, Any, Any], request_id: str, body: bytes) -> None:
        self._socket, self._id = socket, request_id
        self._body: bytes | None = body
        self._is_cancelled = asyncio.Event()
        self._status, self._is_stream, self._rest = 0, False, b""
        self.is_over = False

    def cancel(self) -> None:
        """End the request as a client's disconnect does."""
        self._is_cancelled.set()

    async def run(self) -> None:
        """Send the messages of the request; the last one says how it ended."""
        given, key = self._socket.scope, key_of_protocols(self._socket)
        headers = [(name, value) for name, value in given["headers"] if name in _KEPT]
        if key is not None:
            headers.append((b"authorization", b"Bearer " + key.encode("latin-1")))
        assert self._body is not None
        scheme = "https" if given["scheme"] == "wss" else "http"
        scope = post_scope(PATH, headers, self._body, scheme=scheme, client=given["client"], server=given["server"])
        await self._socket.app(scope, self._receive, self._send)
        if self._is_cancelled.is_set() and not self.is_over:
            await self._tell("cancelled")

    async def _receive(self) -> Any:
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        await self._is_cancelled.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        try:
            if not self._is_cancelled.is_set():
                await self._write(message)
        except _GONE:
            # Like a server's own: what streams learns of it from `receive`, and ends its generation.
            self.cancel()

    async def _write(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._is_stream = dict(message["headers"]).get(b"content-type", b"").startswith(b"text/event-stream")
            return
        self._rest += message.get("body", b"")
        if self._is_stream:
            *events, self._rest = self._rest.split(b"\n\n")
            for event in events:
                await self._pass_on(event)
        elif not message.get("more_body"):
            await self._tell("response" if self._status < 400 else "error", self._rest, self._status)

    async def _pass_on(self, event: bytes) -> None:
        data = event.removeprefix(b"data: ")
        if data == event:
            return  # a comment that keeps connections alive, which pings do here
        if data == b"[DONE]":
            await self._tell("done")
        else:
            await self._tell("error" if data.startswith(b'{"error":') else "chunk", data)

    async def _tell(
        self, kind: Literal["chunk", "response", "done", "error", "cancelled"], body: bytes = b"", status: int = 0
    ) -> None:
        self.is_over = kind != "chunk"
        reply = SocketReply(type=kind, id=self._id, status=status or UNSET, body=Raw(body) if body else UNSET)
        await _send_reply(self._socket, reply)


@websocket("/chat/completions")
async def chat_socket(socket: WebSocket[Any, Any, Any]) -> None:
    """Serve the requests of a client until it leaves or has been idle for `IDLE_S`."""
    protocols = socket.scope["subprotocols"]
    await socket.accept(subprotocols=SUBPROTOCOL if SUBPROTOCOL in protocols else None)
    running: dict[str, tuple[_Exchange, asyncio.Task[None]]] = {}
    try:
        while True:
            data = await _next_message(socket, running)
            if data is None:
                await socket.close(1000, "idle")
                return
            try:
                _take(socket, running, decode(SocketMessage, data))
            except GatewayError as error:
                body = Raw(_ENCODER.encode(envelope(error)))
                await _send_reply(socket, SocketReply(type="error", id=None, body=body))
    except WebSocketDisconnect:
        return
    finally:
        for exchange, _ in running.values():
            exchange.cancel()
        await asyncio.gather(*(task for _, task in running.values()), return_exceptions=True)


async def _next_message(socket: WebSocket[Any, Any, Any], running: dict[str, Any]) -> bytes | None:
    """Return a client's message; None once the socket has been idle for too long."""
    receiving = asyncio.ensure_future(socket.receive_data("text"))
    try:
        while True:
            done, _ = await asyncio.wait([receiving], timeout=IDLE_S)
            if done:
                text = receiving.result()
                return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
            if not running:
                return None
    finally:
        receiving.cancel()


def _take(
    socket: WebSocket[Any, Any, Any], running: dict[str, tuple[_Exchange, asyncio.Task[None]]], message: SocketMessage
) -> None:
    """Begin a request, or end one.

    Raises:
        InvalidRequestError: Its id is too long, empty or in use, or it has no body.
        OverloadedError: The socket has as many requests under way as it may.
    """
    if message.type == "cancel":
        if message.id in running:  # else it has ended meanwhile
            running[message.id][0].cancel()
        return
    if not 0 < len(message.id) <= MAX_ID:
        raise InvalidRequestError(f"id must have 1 to {MAX_ID} characters", param="id")
    if message.id in running:
        raise InvalidRequestError(f"id: the request {message.id!r} is under way; each needs its own", param="id")
    if message.body is UNSET:
        raise InvalidRequestError("body is missing: that of a POST to /v1/chat/completions", param="body")
    if len(running) >= MAX_UNDER_WAY:
        raise OverloadedError(f"the socket has {MAX_UNDER_WAY} requests under way, the most that one may have")
    exchange = _Exchange(socket, message.id, bytes(message.body))

    async def run() -> None:
        try:
            with suppress(*_GONE):
                await exchange.run()
        finally:
            del running[message.id]

    running[message.id] = exchange, asyncio.create_task(run())


async def _send_reply(socket: WebSocket[Any, Any, Any], reply: SocketReply) -> None:
    await socket.send_data(_ENCODER.encode(reply).decode(), mode="text")


MESSAGES = (SocketMessage, SocketReply)
"""Shapes of messages, for the OpenAPI document."""
