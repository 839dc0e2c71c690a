"""Middleware that records every request before its reply ends."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from gateway.api.fallback import respond
from gateway.api.http.caller import tenant_if_brought
from gateway.api.http.request_ids import request_id_of
from gateway.api.operation.health import UNRECORDED
from gateway.audit.log import AuditLog
from gateway.audit.request_record import CANCELLED, RequestRecord, current_record
from gateway.errors import AuditError, RequestCancelledError


def audited(app: ASGIApp, log: AuditLog) -> ASGIApp:
    """Return the app with every request recorded in the log. It serves HTTP only."""

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        if scope["path"] in UNRECORDED:
            return await app(scope, receive, send)
        record = current_record()
        record.log, record.request_id = log, request_id_of(scope)
        record.tenant = tenant_if_brought(Request(scope))
        record.endpoint = f"{scope['method']} {scope['path']}"
        reply = _HeldReply(scope, record, send)
        try:
            await app(scope, receive, reply.send)
        finally:
            if not record.is_sealed:
                record.error = record.error or RequestCancelledError.code
                with suppress(AuditError):  # the client is gone; the log says why
                    await record.seal(CANCELLED)

    return serve


class _HeldReply:
    """Reply whose end is held back until its request is recorded. Generated answers are recorded earlier, at their
    last `Finish` (see `service.answers.recording`)."""

    def __init__(self, scope: Scope, record: RequestRecord, send: Send) -> None:
        self._scope = scope
        self._record = record
        self._send = send
        self._start: Any = None
        self._status = 0
        self._is_refused = False

    async def send(self, message: Message) -> None:
        """Send it, or an error in place of the reply."""
        if message["type"] == "http.response.start":
            # It waits for the first bytes: until then another reply may take its place.
            self._start, self._status = message, message["status"]
            return
        if self._is_refused:
            return
        if message["type"] == "http.response.body" and (self._record.error or not message.get("more_body")):
            try:
                await self._record.seal(self._status)
            except AuditError as error:
                # What is under way has no end but an error; answers of models never come here.
                if self._start is not None:
                    return await self._refuse(error)
        await self._pass_on(message)

    async def _refuse(self, error: AuditError) -> None:
        self._is_refused = True
        reply = respond(Request(self._scope), error)
        headers = {**reply.headers, "content-type": "application/json", "content-length": str(len(reply.content))}
        self._start = {
            "type": "http.response.start",
            "status": reply.status_code,
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()],
        }
        await self._pass_on({"type": "http.response.body", "body": reply.content, "more_body": False})

    async def _pass_on(self, message: Message) -> None:
        if self._start is not None:
            start, self._start = self._start, None
            await self._send(start)
        await self._send(message)
