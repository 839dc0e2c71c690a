"""Requests to an ASGI app in the same process, without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from litestar.types import ASGIApp

from gateway.batches.exchange import Reply


def post_scope(path: str, headers: Sequence[tuple[bytes, bytes]], body: bytes, **entries: Any) -> Any:
    """Return the ASGI scope of a POST of JSON, with further headers and entries."""
    own = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [*headers, *own], "client": None, "server": None, **entries,
    }  # fmt: skip


class InProcess:
    """Sender of JSON bodies to an app.

    Args:
        entries: Further entries of each request's scope.
    """

    def __init__(self, app: ASGIApp, entries: Mapping[str, Any] | None = None) -> None:
        self._app, self._entries = app, entries or {}

    async def __call__(self, path: str, body: bytes) -> Reply:
        """Return the reply to a POST. Cancelling the call ends the request as a disconnect does."""
        # A task of its own: the request's context variables are not the caller's.
        return await asyncio.create_task(self._call(path, body))

    async def _call(self, path: str, body: bytes) -> Reply:
        waiting = [{"type": "http.request", "body": body, "more_body": False}]
        status, headers, pieces = 0, dict[bytes, bytes](), list[bytes]()

        async def receive() -> Any:
            if waiting:
                return waiting.pop()
            return await asyncio.Event().wait()

        async def send(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], dict(message["headers"])
            elif message["type"] == "http.response.body":
                pieces.append(message.get("body", b""))

        await self._app(post_scope(path, [(b"host", b"127.0.0.1")], body, **self._entries), receive, send)
        request_id, wait_s = headers.get(b"x-request-id", b""), headers.get(b"retry-after", b"1")
        return Reply(status, request_id.decode(), b"".join(pieces), float(wait_s))
