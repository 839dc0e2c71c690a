"""Failures in OpenAI's envelope."""

from __future__ import annotations

from msgspec import UNSET

from gateway.api.failures import responder
from gateway.api.openai.bodies import ErrorBody, ErrorEnvelope
from gateway.api.sse import event
from gateway.api.status import status_of
from gateway.errors import GatewayError

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 504: "timeout_error"}


def envelope(error: GatewayError) -> ErrorEnvelope:
    """The error as OpenAI's clients read it; `hint` is an extra field."""
    status = status_of(error)
    kind = _TYPES.get(status) or ("invalid_request_error" if status < 500 else "server_error")
    return ErrorEnvelope(
        error=ErrorBody(message=error.message, type=kind, param=error.param, code=error.code, hint=error.hint or UNSET)
    )


def error_event(error: GatewayError) -> bytes:
    """The error as the last event of a stream."""
    return event(envelope(error))


respond = responder(envelope)
