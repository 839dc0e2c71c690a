"""Errors in TGI's envelope, with its statuses."""

from __future__ import annotations

from gateway import errors
from gateway.api.http.failures import responder, status_of, with_field_names
from gateway.api.http.sse import event
from gateway.api.tgi.bodies import TgiError
from gateway.errors import GatewayError

_NAMES = {"n": "best_of", "prompt": "inputs", "top_logprobs": "top_n_tokens", "max_tokens": "max_new_tokens"}
_KINDS = {
    errors.AuthenticationError: (401, "authentication"),
    errors.OverloadedError: (429, "overloaded"),
    errors.RateLimitError: (429, "overloaded"),
    errors.EngineError: (424, "generation"),
    errors.EngineMemoryError: (424, "generation"),
    errors.EngineDiedError: (424, "generation"),
    errors.VerificationError: (500, "incomplete_generation"),
    errors.NotReadyError: (503, "unhealthy"),
    errors.DeadlineExceededError: (504, "timeout"),
}


def kind_of(error: GatewayError) -> tuple[int, str]:
    """Return status and `error_type`. Invalid requests are 422 here, 400 in other dialects."""
    known = _KINDS.get(type(error))
    if known is not None:
        return known
    status = status_of(error)
    if status == 400:
        return 422, "validation"
    return status, "validation" if status < 500 else "internal"


def envelope(error: GatewayError) -> TgiError:
    """Return the error as TGI's clients read it."""
    return TgiError(error=with_field_names(error, _NAMES), error_type=kind_of(error)[1])


def error_event(error: GatewayError) -> bytes:
    """Return the error as the last event of a stream."""
    return event(envelope(error))


respond = responder(envelope, lambda error: kind_of(error)[0])
