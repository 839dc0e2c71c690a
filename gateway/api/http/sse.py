"""Server-sent events and JSON lines: framing, keep-alive, and errors after the first byte."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import msgspec
from litestar.response import Stream

from gateway.api.http.failures import as_gateway_error
from gateway.core.answer import Delta
from gateway.errors import GatewayError

NO_BUFFERING = {"cache-control": "no-cache", "x-accel-buffering": "no"}
DONE = b"data: [DONE]\n\n"
PING = b": ping\n\n"

_encode = msgspec.json.Encoder().encode

_LINE_ENDS = tuple((end.encode(), b"\\u%04x" % ord(end)) for end in "\x85\u2028\u2029")
"""Characters that JSON strings may hold raw and `str.splitlines` splits at, with their escapes."""
_TO_BLANKS = bytes.maketrans(b"\r\n", b"  ")


def encode_line(body: Any) -> bytes:
    """Return the body as JSON on one line, also for `str.splitlines`, which httpx's `iter_lines` follows."""
    data = _encode(body)
    if b"\n" in data or b"\r" in data:
        data = data.translate(_TO_BLANKS)  # between the tokens of a value that is sent as the model wrote it
    if not data.isascii():
        for end, escape in _LINE_ENDS:
            data = data.replace(end, escape)
    return data


def event(body: Any, name: str = "") -> bytes:
    """Return an event with one data line, and a name if given."""
    data = b"data: " + encode_line(body) + b"\n\n"
    return b"event: " + name.encode() + b"\n" + data if name else data


class RepeatedEvent:
    """Events that differ in the single entry of `choices`; the rest is encoded once."""

    __slots__ = ("_head", "_tail")

    def __init__(self, body: Any) -> None:
        """Args: body: With an empty list. No string contains its name with bare quotes, so it is found for certain."""
        head, tail = event(body).split(b'"choices":[]', 1)
        self._head = head + b'"choices":['
        self._tail = b"]" + tail

    def of(self, choice: Any) -> bytes:
        """Return the event with this entry."""
        return self._head + encode_line(choice) + self._tail


async def written(
    batches: AsyncGenerator[list[Delta], None], write: Callable[[Delta], bytes], ping: bytes = PING
) -> AsyncGenerator[bytes, None]:
    """Yield the bytes that `write` makes of each batch of deltas; `ping` for an empty batch."""
    try:
        async for batch in batches:
            if not batch:
                yield ping
            elif data := b"".join(map(write, batch)):
                yield data
    finally:
        await batches.aclose()


def events(chunks: AsyncGenerator[bytes, None], failed: Callable[[GatewayError], bytes], done: bytes = b"") -> Stream:
    """Return the response that streams the chunks; see `stream_events`."""
    framed = stream_events(chunks, failed, done)
    return Stream(framed, media_type="text/event-stream", headers=NO_BUFFERING, status_code=200)


async def stream_events(
    chunks: AsyncGenerator[bytes, None], failed: Callable[[GatewayError], bytes], done: bytes = b""
) -> AsyncGenerator[bytes, None]:
    """Yield the chunks, then `done`, or the event that `failed` makes of an error.

    Closing this closes `chunks`, and with it what the engine does for them.
    """
    try:
        async for chunk in chunks:
            yield chunk
        if done:
            yield done
    except Exception as error:
        yield failed(as_gateway_error(error))
    finally:
        await chunks.aclose()
