"""Errors in Anthropic's envelope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Request, Response

from gateway import errors
from gateway.api.anthropic.responses import ErrorBody, ErrorDetails, ErrorEnvelope
from gateway.api.http.failures import responder, status_of, with_field_names
from gateway.api.http.request_ids import request_id_of
from gateway.api.http.sse import event
from gateway.errors import GatewayError

OVERLOADED = 529

_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    OVERLOADED: "overloaded_error",
}
_NAMES = {
    ".function.parameters": ".input_schema",
    ".function": "",
    "tools": "tools[].input_schema",
    "stop": "stop_sequences",
}
"""Anthropic's spelling of fields, by OpenAI's."""
_DETAILS = {"thread": "thread_unsupported_request"}
"""Error details by the field at fault: on this code the client's tool runner goes on without a thread."""


def anthropic_status(error: GatewayError) -> int:
    """Return the status of an error. Anthropic's 429 blames the caller's own rate, so overload is 529."""
    return OVERLOADED if isinstance(error, errors.OverloadedError) else status_of(error)


def envelope(error: GatewayError, request_id: str) -> ErrorEnvelope:
    """Return the error as Anthropic's clients read it."""
    status = anthropic_status(error)
    kind = _TYPES.get(status) or ("invalid_request_error" if status < 500 else "api_error")
    body = ErrorBody(type=kind, message=with_field_names(error, _NAMES))
    if error.param in _DETAILS:
        body.details = ErrorDetails(error_code=_DETAILS[error.param])
    return ErrorEnvelope(error=body, request_id=request_id)


def error_event(request_id: str) -> Callable[[GatewayError], bytes]:
    """Return a function that writes an error as the last event of a stream."""
    return lambda error: event(envelope(error, request_id), "error")


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Return the error response."""
    request_id = request_id_of(request.scope)
    return responder(lambda failure: envelope(failure, request_id), anthropic_status)(request, error)
