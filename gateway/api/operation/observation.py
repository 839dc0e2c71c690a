"""One observer of each request's reply, which everything that counts, logs or traces requests reads at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Send

from gateway.audit.request_record import CANCELLED, RequestRecord, begin_record

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Reply:
    """What has been sent of a reply: status, form and end. The status is 499 until the reply has begun."""

    __slots__ = ("_send", "begin", "is_streamed", "is_whole", "status")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begin = perf_counter()
        self.status = CANCELLED
        self.is_streamed = False
        self.is_whole = False

    async def send(self, message: Message) -> None:
        """Send a part of the reply."""
        await self._send(message)
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body":
            self.is_whole = not message.get("more_body")
            self.is_streamed |= not self.is_whole


AtEnd = Callable[[Any, RequestRecord, Reply], None]
"""Takes a request that is over: its ASGI scope, its record and its reply."""


def observed(app: ASGIApp, at_end: Sequence[AtEnd], *, keeps_stages: bool = False) -> ASGIApp:
    """Return the app with each of these called, in order, at the end of every HTTP request.

    It is the outermost layer: a reply that another layer puts in place of the app's is the one that it sees.
    """

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await app(scope, receive, send)
        record, reply = begin_record(keeps_stages=keeps_stages), Reply(send)
        try:
            await app(scope, receive, reply.send)
        finally:
            for call in at_end:
                call(scope, record, reply)

    return serve


class HttpRequests:
    """Number of HTTP requests by (method, route, status); the status is 499 where the client left before a reply.

    The route is a template, and empty where none matched; so is the method where it is none of `METHODS`. Clients
    cannot add labels.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, int]] = Counter()

    def count(self, scope: Any, record: RequestRecord, reply: Reply) -> None:
        """Count a request that is over."""
        method = scope["method"] if scope["method"] in METHODS else ""
        self.counts[method, scope.get("path_template") or "", reply.status] += 1
