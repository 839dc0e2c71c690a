"""Request ids, in replies and in log records.

Importing this is light: the log is set up before the model loads.
"""

from __future__ import annotations

import logging
import re
import secrets
from contextvars import ContextVar
from typing import Any

REQUEST_ID_HEADERS = (b"x-request-id", b"request-id")
"""OpenAI's clients read the first, Anthropic's the second."""

_SCOPE_KEY = "portcullis.request_id"
_GIVEN_ID = re.compile(rb"[A-Za-z0-9._:-]{1,128}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id_of(scope: Any) -> str:
    """Return the id of a request: a valid `x-request-id`, as proxies set it, or a new one."""
    found: str | None = scope.get(_SCOPE_KEY)
    if found is None:
        given = next((value for name, value in scope["headers"] if name == REQUEST_ID_HEADERS[0]), b"")
        found = given.decode() if _GIVEN_ID.fullmatch(given) else f"req_{secrets.token_hex(12)}"
        scope[_SCOPE_KEY] = found
    return found


def set_log_request_id(scope: Any) -> None:
    """Set the request id that log records of this task carry from here on."""
    _current.set(request_id_of(scope))


async def add_request_id(message: Any, scope: Any) -> None:
    """Every reply carries its request's id."""
    if message["type"] == "http.response.start":
        found = request_id_of(scope).encode()
        message["headers"] = [*message["headers"], *((name, found) for name in REQUEST_ID_HEADERS)]


class RequestIdFilter(logging.Filter):
    """Logging filter that sets `record.request_id`: the id of the current request, or the empty string."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True after setting `record.request_id`."""
        record.request_id = _current.get()
        return True
