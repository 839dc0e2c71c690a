"""JSON responses that are not streamed."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response
from litestar.types import Receive, Scope, Send


class JsonResponse(Response[bytes]):
    """A JSON response that sends itself.

    Litestar's own conversion merges headers and cookies of handler, routers and app, of which there are none here, and
    takes longer than sending.
    """

    def to_asgi_response(self, app: Any, request: Request[Any, Any, Any], **from_layers: Any) -> Any:
        """Return the response's own messages."""
        return self._send

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        named = {**self.headers, "content-type": "application/json", "content-length": str(len(self.content))}
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()]
        assert self.status_code is not None
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.content, "more_body": False})


def json_response(body: Any, status_code: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    """Return the body as JSON."""
    return JsonResponse(msgspec.json.encode(body), status_code=status_code, headers=headers)
