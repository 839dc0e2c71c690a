"""HTTP requests by route and status, for `/metrics`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Send

from gateway.audit.request_record import CANCELLED

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class HttpRequests:
    """Number of HTTP requests by (method, route, status); the status is 499 where the client left before a reply.

    The route is a template, and empty where none matched; so is the method where it is none of `METHODS`. Clients
    cannot add labels.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, int]] = Counter()

    def counted(self, app: ASGIApp) -> ASGIApp:
        """Return the app with each of its requests counted when it is over."""

        async def serve(scope: Any, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return await app(scope, receive, send)
            status = CANCELLED

            async def observed(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            try:
                await app(scope, receive, observed)
            finally:
                route = scope.get("path_template") or ""
                method = scope["method"] if scope["method"] in METHODS else ""
                self.counts[method, route, status] += 1

        return serve
