"""Errors in OpenAI's envelope, and the OpenAPI responses of its endpoints."""

from __future__ import annotations

from msgspec import UNSET

from gateway.api.http.failures import responder, status_of
from gateway.api.http.openapi import failures, replies
from gateway.api.http.sse import event
from gateway.api.openai.bodies import ChatCompletion, Completion, ErrorBody, ErrorEnvelope
from gateway.errors import GatewayError

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 504: "timeout_error"}


def envelope(error: GatewayError) -> ErrorEnvelope:
    """Return the error as OpenAI's clients read it; `hint` is an extra field."""
    status = status_of(error)
    kind = _TYPES.get(status) or ("invalid_request_error" if status < 500 else "server_error")
    return ErrorEnvelope(
        error=ErrorBody(message=error.message, type=kind, param=error.param, code=error.code, hint=error.hint or UNSET)
    )


def error_event(error: GatewayError) -> bytes:
    """Return the error as the last event of a stream."""
    return event(envelope(error))


respond = responder(envelope)


FAILURES = failures(ErrorEnvelope)
CHAT_RESPONSES = replies(ChatCompletion, FAILURES)
COMPLETION_RESPONSES = replies(Completion, FAILURES)
