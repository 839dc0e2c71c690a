"""A client's connection, with bounds on what it sends before its request is whole, and on the time that it takes.

uvicorn's own protocol has neither.
"""

from __future__ import annotations

import asyncio

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from gateway.api.openai.envelope import envelope
from gateway.api.status import status_of
from gateway.config import ServerConfig
from gateway.errors import GatewayError, HeadersTooLargeError, InvalidRequestError, RequestTimeoutError


def bounded_by(settings: ServerConfig) -> type[asyncio.Protocol]:
    """uvicorn's protocol, held to the settings."""

    class Bounded(_Bounded):
        bounds = settings

    return Bounded


class _Bounded(HttpToolsProtocol):
    bounds: ServerConfig

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._fault: GatewayError | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None, "")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # A header that is not whole yet is in the parser's memory alone.
        if self._is_in_head and not self.transport.is_closing():
            self._num_unparsed += len(data)
            if self._num_unparsed > self.bounds.max_header_bytes:
                self._refuse(self._too_large())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begin_head()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._wait(self.bounds.body_timeout_s, "body")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._wait(None, "")
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser did not take, or what a callback kept it from taking."""
        self._refuse(self._fault or InvalidRequestError("what came is no HTTP request"))

    def _begin_head(self) -> None:
        self._is_in_head = True
        self._num_unparsed = self._num_bytes = self._num_headers = 0
        self._wait(self.bounds.headers_timeout_s, "headers")

    def _count(self, num_bytes: int) -> None:
        self._num_bytes += num_bytes
        self._num_headers += 1
        if self._num_bytes > self.bounds.max_header_bytes or self._num_headers > self.bounds.max_headers:
            self._fault = self._too_large()
            raise self._fault  # ends the parser's work

    def _too_large(self) -> GatewayError:
        return HeadersTooLargeError(
            f"the headers have more than {self.bounds.max_header_bytes} bytes, or are more than "
            f"{self.bounds.max_headers}"
        )

    def _wait(self, seconds: float | None, what: str) -> None:
        """Have the connection end unless what is waited for comes in time; None: nothing is waited for."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._end_slow, what, seconds)

    def _end_slow(self, what: str, seconds: float) -> None:
        if not self.transport.is_closing():
            self._refuse(RequestTimeoutError(f"the request's {what} did not come within {seconds:g} s"))

    def _refuse(self, error: GatewayError) -> None:
        self._wait(None, "")
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            body = msgspec.json.encode(envelope(error))
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[status_of(error)] + head + body)
        self.transport.close()
