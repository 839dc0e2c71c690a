"""HTTP POST to an untrusted server: no redirects, no proxies, bounded in time and size."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

from gateway.guards.rule import JudgeError

MAX_REPLY_BYTES = 1 << 20


def post(url: str, body: Mapping[str, Any], key: str | None, timeout_s: float) -> Any:
    """Return the JSON reply.

    Args:
        key: API key of the server.
        timeout_s: For all of it.

    Raises:
        JudgeError: There was no valid reply in time. Contains neither the key nor the body.
    """
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    assert parts.hostname is not None, "it was looked at"
    connection = kind(parts.hostname, parts.port, timeout=timeout_s)
    headers = {"content-type": "application/json"} | ({} if key is None else {"authorization": f"Bearer {key}"})
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    # Every wait on the socket is bounded by itself; a server that says a byte at a time has its end here.
    held: list[socket.socket] = []
    timer = Timer(timeout_s, lambda: _break((connection.sock, *held)))
    with closing(connection):
        timer.start()
        try:
            connection.connect()
            held.append(connection.sock)  # a reply that ends with the connection takes it away
            connection.request("POST", path, json.dumps(body), headers)
            with connection.getresponse() as reply:
                if reply.status != 200:
                    raise JudgeError(f"{parts.hostname} replied {reply.status}")
                data = reply.read(MAX_REPLY_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            raise JudgeError(f"{parts.hostname} cannot be asked: {error or type(error).__name__}") from error
        finally:
            timer.cancel()
    if len(data) > MAX_REPLY_BYTES:
        raise JudgeError(f"{parts.hostname} replied more than {MAX_REPLY_BYTES} bytes")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise JudgeError(f"{parts.hostname} replied no JSON") from error


def _break(ends: Iterable[socket.socket | None]) -> None:
    for end in ends:
        if end is not None:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
