"""Server-sent events: framing, keep-alive, and failures after the first byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

import msgspec

from gateway.api.openai.envelope import as_gateway_error, envelope

DONE = b"data: [DONE]\n\n"
PING = b": ping\n\n"

_encode = msgspec.json.Encoder().encode


def event(body: msgspec.Struct) -> bytes:
    """One event. JSON text has no raw line ends, so it is always one data line."""
    return b"data: " + _encode(body) + b"\n\n"


async def stream_events(chunks: AsyncGenerator[bytes, None], ping_interval_s: float) -> AsyncGenerator[bytes, None]:
    """The chunks, a comment line whenever none came for a while, then `[DONE]`, or an error event if they fail.

    Closing this closes `chunks`, and with it what the engine does for them.
    """
    following: asyncio.Task[bytes | None] | None = None
    try:
        while True:
            following = asyncio.create_task(_next(chunks))
            while not (await asyncio.wait({following}, timeout=ping_interval_s or None))[0]:
                yield PING
            chunk = following.result()
            if chunk is None:
                break
            yield chunk
        yield DONE
    except Exception as error:
        yield event(envelope(as_gateway_error(error)))
    finally:
        if following is not None and not following.done():
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
        elif following is not None and not following.cancelled():
            following.exception()  # taken note of: nobody is left to be told
        await chunks.aclose()


async def _next(chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    return await anext(chunks, None)
