"""Cross-origin requests of browsers: preflights answered, replies marked as readable.

See: https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Send

ANY_ORIGIN = "*"

_METHODS = b"GET, HEAD, POST, PUT, DELETE"
_LIMITS = ", ".join(
    f"x-ratelimit-{part}-{name}" for part in ("limit", "remaining", "reset") for name in ("requests", "tokens")
)
_EXPOSED = f"x-request-id, request-id, retry-after, x-should-retry, x-portcullis-ignored, {_LIMITS}".encode()
"""Headers of replies that scripts may read."""
_MAX_AGE_S = b"600"


def cross_origin(app: ASGIApp, allowed_origins: Collection[str]) -> ASGIApp:
    """Return the app with the headers of CORS for these origins; `*` allows every one.

    A preflight is answered here: browsers send it without the key. Requests of other origins are passed on without
    headers, so that the browser keeps the reply from the page.
    """
    allowed = frozenset(origin.lower().encode() for origin in allowed_origins)
    allows_any = ANY_ORIGIN.encode() in allowed

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"]) if scope["type"] == "http" else {}
        origin = headers.get(b"origin")
        if origin is None or not (allows_any or origin.lower() in allowed):
            return await app(scope, receive, send)
        common = [(b"access-control-allow-origin", b"*" if allows_any else origin), (b"vary", b"origin")]
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            preflight = [(b"access-control-allow-methods", _METHODS), (b"access-control-max-age", _MAX_AGE_S)]
            if asked := headers.get(b"access-control-request-headers"):
                preflight.append((b"access-control-allow-headers", asked))
            await send({"type": "http.response.start", "status": 204, "headers": [*common, *preflight]})
            return await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                marks = [*common, (b"access-control-expose-headers", _EXPOSED)]
                message["headers"] = [*message["headers"], *marks]
            await send(message)

        await app(scope, receive, send_marked)

    return serve
