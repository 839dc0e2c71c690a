"""Client connections with bounds on the size of headers, on unfinished bodies and on time.

uvicorn's own protocol has neither bound, and another form of errors.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextvars import copy_context
from typing import Any

import httptools
from litestar import Request
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from gateway.api.http.failures import Handler
from gateway.api.http.request_ids import REQUEST_ID_HEADERS, request_id_of, set_log_request_id
from gateway.config import ServerConfig
from gateway.errors import GatewayError, HeadersTooLargeError, InvalidRequestError, NotReadyError, RequestTimeoutError

logger = logging.getLogger(__name__)

MAX_UNFINISHED_BYTES = 256 << 20
"""Incomplete bodies of all clients together; beyond it those above `_SMALL_BODY_BYTES` are refused."""
WRITE_TIMEOUT_S = 60.0
"""Time in which a client must read part of what is written to it; then its connection is closed."""
SOCKET_PATH = b"/v1/chat/completions"
"""Path of WebSockets."""
_SMALL_BODY_BYTES = 64 * 1024
"""Bodies that are read however much others send."""


class _Unfinished:
    """Bytes of all bodies that are not whole yet."""

    num_bytes = 0


def bounded_by(settings: ServerConfig, respond: Handler) -> type[asyncio.Protocol]:
    """uvicorn's protocol, held to the settings."""

    class Bounded(_Bounded):
        bounds = settings
        responder = staticmethod(respond)
        unfinished = _Unfinished()

    return Bounded


class _Bounded(HttpToolsProtocol):
    bounds: ServerConfig
    responder: Handler
    unfinished: _Unfinished
    _num_unparsed: int

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.timeout_keep_alive = self.bounds.keep_alive_timeout_s  # type: ignore[assignment]  # for `call_later` alone
        self._fault: GatewayError | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._is_under_way = False
        self._num_body_bytes = 0
        self._unanswered: deque[RequestResponseCycle] = deque()
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None, "")
        self._stop_watching()
        self._end_body()
        # uvicorn marks only the last of several pipelined requests as disconnected.
        for cycle in self._unanswered:
            cycle.disconnected = True
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        self._stop_watching()
        super().resume_writing()

    def on_response_complete(self) -> None:
        self._unanswered.popleft()
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_reader()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch_reader()

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        before = self._is_in_head, self._num_body_bytes
        try:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as found:
                if self._should_upgrade():
                    return self.handle_websocket_upgrade()
                self._read_without_upgrade(data[found.args[0] :])
        except httptools.HttpParserError:
            # What it did not take, or what a callback kept it from taking.
            self._refuse(self._fault or InvalidRequestError("what came is no HTTP request"))
        # A header or trailer that is not whole yet is in the parser's memory alone.
        if (self._is_in_head or self._is_under_way) and not self.transport.is_closing():
            is_alike = before == (self._is_in_head, self._num_body_bytes)
            self._num_unparsed = self._num_unparsed + len(data) if is_alike else 0
            if self._num_unparsed > self.bounds.max_header_bytes:
                self._refuse(self._too_large())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_under_way = True
        self._begin_head()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        # Trailers after the body are ignored (RFC 9110, 6.5.1).
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        if self.parser.should_upgrade() and not self._should_upgrade():
            return
        if len(self.connections) > self.bounds.max_connections and not self._close_an_idle_one():
            self._end_with(NotReadyError(f"more than {self.bounds.max_connections} clients are connected"))
        self._wait(self.bounds.body_timeout_s, "body")
        super().on_headers_complete()
        if not self.parser.should_upgrade():
            self._unanswered.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        self._num_body_bytes += len(body)
        self.unfinished.num_bytes += len(body)
        is_full = self.unfinished.num_bytes > MAX_UNFINISHED_BYTES
        if is_full and self._num_body_bytes > _SMALL_BODY_BYTES:
            self._end_with(NotReadyError("other bodies are being read; there is no room for one that is so long"))
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            return
        self._wait(None, "")
        self._end_body()
        super().on_message_complete()
        self._is_under_way = False

    def _should_upgrade(self) -> bool:
        """True for a WebSocket, where there is one; anything else is served in this protocol."""
        return self.url.partition(b"?")[0] == SOCKET_PATH and super()._should_upgrade()

    def handle_websocket_upgrade(self) -> None:
        self._wait(None, "")
        super().handle_websocket_upgrade()

    def _read_without_upgrade(self, rest: bytes) -> None:
        """Serve a request that would rather speak another protocol in this one (RFC 9110, 7.8).

        The parser takes its body for that other protocol, so the head is parsed again without the header.
        """
        method = self.parser.get_method()
        if method == b"CONNECT":
            return self._refuse(InvalidRequestError("this server is no proxy"))
        self.parser = httptools.HttpRequestParser(self)
        lines = [b"%s %s HTTP/1.1" % (method, self.url)]
        lines += [b"%s: %s" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser.feed_data(b"\r\n".join([*lines, b"", rest]))

    def _close_an_idle_one(self) -> bool:
        """Close the connection that has been idle longest; False if none is idle."""
        others = (each for each in self.connections if isinstance(each, _Bounded) and not each.transport.is_closing())
        idle = {timer.when(): each for each in others if (timer := each.timeout_keep_alive_task) is not None}
        if idle:
            idle[min(idle)].transport.close()
        return bool(idle)

    def _begin_head(self) -> None:
        self._is_in_head = True
        self._num_unparsed = self._num_bytes = self._num_headers = 0
        self._wait(self.bounds.headers_timeout_s, "headers")

    def _count(self, num_bytes: int) -> None:
        self._num_bytes += num_bytes
        self._num_headers += 1
        if self._num_bytes > self.bounds.max_header_bytes or self._num_headers > self.bounds.max_headers:
            self._end_with(self._too_large())

    def _end_body(self) -> None:
        """Subtract the body from the bytes of unfinished bodies."""
        self.unfinished.num_bytes -= self._num_body_bytes
        self._num_body_bytes = 0

    def _end_with(self, fault: GatewayError) -> None:
        """From a callback of the parser: end its work."""
        self._fault = fault
        raise fault

    def _too_large(self) -> GatewayError:
        return HeadersTooLargeError(
            f"the headers have more than {self.bounds.max_header_bytes} bytes, or are more than "
            f"{self.bounds.max_headers}"
        )

    def _wait(self, seconds: float | None, what: str) -> None:
        """Restart the timer that closes the connection; None stops it."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._end_slow, what, seconds)

    def _watch_reader(self) -> None:
        """Restart the timer that aborts the connection if the client reads nothing: it would hold its request, or its
        place after closing, forever."""
        self._stop_watching()
        if self not in self.connections:
            return  # it has ended
        seconds, left = WRITE_TIMEOUT_S, self.transport.get_write_buffer_size()
        self._unread_timer = self.loop.call_later(seconds, self._end_unread, left)

    def _stop_watching(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _end_unread(self, left: int) -> None:
        if 0 < self.transport.get_write_buffer_size() < left:
            self._watch_reader()
        else:
            self.transport.abort()

    def _end_slow(self, what: str, seconds: float) -> None:
        if not self.transport.is_closing():
            self._refuse(RequestTimeoutError(f"the request's {what} did not come within {seconds:g} s"))

    def _refuse(self, error: GatewayError) -> None:
        self._wait(None, "")
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            scope = self._scope()
            reply = self.responder(Request(scope), error)
            headers = {**reply.headers, "content-length": str(len(reply.content)), "connection": "close"}
            headers |= {name.decode(): request_id_of(scope) for name in REQUEST_ID_HEADERS}
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"content-type: application/json\r\n{lines}\r\n".encode("latin-1")
            self.transport.write(STATUS_LINE[reply.status_code or 500] + head + reply.content)
            copy_context().run(_tell, scope, error)
        self.transport.close()
        self._watch_reader()

    def _scope(self) -> Any:
        """As much as is known of the request."""
        if not self._is_under_way:
            return {"type": "http", "path": "", "headers": []}
        return {"path": self.url.partition(b"?")[0].decode("latin-1"), **self.scope}


def _tell(scope: Any, error: GatewayError) -> None:
    set_log_request_id(scope)
    logger.info("refused before its request was whole: %s", error.message)
