"""Server on the address while the model loads: every request is answered with the stage of loading."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from ssl import SSLContext

MAX_REQUEST_BYTES = 1 << 14
PATIENCE_S = 0.5
"""Time for a client to send its request and take the reply; one at a time is served."""

_TURN_S = 0.05


class LoadingServer:
    """Context in which every request on a socket is answered with 503 and the stage; the socket stays open afterwards.

    A callable for `Service.load`; it passes the stages on to `progress`.
    """

    def __init__(self, listener: socket.socket, progress: Callable[[str], None], tls: SSLContext | None = None) -> None:
        self._listener = listener
        self._tls = tls
        self._progress = progress
        self._stage = "starting"
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="portcullis-starting", daemon=True)

    def __call__(self, stage: str) -> None:
        self._stage = stage
        self._progress(stage)

    def __enter__(self) -> Self:
        self._listener.listen()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.is_set():
            ready, _, _ = select.select([self._listener], [], [], _TURN_S)
            if ready:
                with suppress(OSError):
                    self._answer(self._listener.accept()[0])

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_S)
        if self._tls is not None:
            try:
                connection = self._tls.wrap_socket(connection, server_side=True)
            except OSError:
                return connection.close()
        with connection:
            # A reply to a request that was not read could be lost with the connection.
            asked = connection.recv(MAX_REQUEST_BYTES)
            message = f"the server is starting: {self._stage}"
            error = {"message": message, "type": "server_error", "code": "not_ready"}
            body = json.dumps({"status": "starting", "stage": self._stage, "error": error}).encode()
            head = (
                "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
            )
            connection.sendall(head.encode() + (b"" if asked.startswith(b"HEAD ") else body))
