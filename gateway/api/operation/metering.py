"""Counting of each request's tokens for its API key, and the reply's headers about the key's limits."""

from __future__ import annotations

from typing import Any

from litestar.types import ASGIApp, Message, Receive, Send

from gateway.api.http.caller import admission_in
from gateway.audit.request_record import begin_record


def metered(app: ASGIApp) -> ASGIApp:
    """Return the app with an end of each admission: when the reply is over, or its client has gone."""

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await app(scope, receive, send)
        record = begin_record(scope)

        async def send_with_limits(message: Message) -> None:
            admission = admission_in(scope)
            if admission is not None and message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in admission.headers().items()]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            await app(scope, receive, send_with_limits)
        finally:
            if (admission := admission_in(scope)) is not None:
                usage = None if record.usage is None else record.usage()
                if usage is None:
                    admission.close(0, 0)
                else:
                    admission.close(usage.prompt_tokens, usage.completion_tokens)

    return serve
