"""Errors as HTTP responses: one table of statuses, one handler for all dialects."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    InternalServerException,
    MethodNotAllowedException,
    NotFoundException,
)
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE

from gateway import errors
from gateway.audit.request_record import current_record
from gateway.errors import (
    GatewayError,
    InternalError,
    InvalidRequestError,
    MethodNotAllowedError,
    PayloadTooLargeError,
    RequestCancelledError,
    RouteNotFoundError,
)

STATUS: dict[type[GatewayError], int] = {
    errors.InvalidRequestError: 400,
    errors.MalformedBodyError: 400,
    errors.ContentFilterError: 400,
    errors.UnsupportedParameterError: 400,
    errors.NotServedError: 400,
    errors.WrongModelError: 400,
    errors.ConstraintError: 400,
    errors.AdapterError: 400,
    errors.InvalidImageError: 400,
    errors.BudgetError: 400,
    errors.ContextLengthError: 400,
    errors.PreviousResponseError: 400,
    errors.AuthenticationError: 401,
    errors.ForbiddenOriginError: 403,
    errors.ModelNotFoundError: 404,
    errors.ResponseNotFoundError: 404,
    errors.GrammarNotFoundError: 404,
    errors.StoredFileNotFoundError: 404,
    errors.BatchNotFoundError: 404,
    errors.BatchesOffError: 404,
    errors.RouteNotFoundError: 404,
    errors.MethodNotAllowedError: 405,
    errors.RequestTimeoutError: 408,
    errors.PayloadTooLargeError: 413,
    errors.UnsupportedMediaTypeError: 415,
    errors.DeadEndError: 422,
    errors.OverloadedError: 429,
    errors.RateLimitError: 429,
    errors.HeadersTooLargeError: 431,
    errors.RequestCancelledError: 499,
    errors.EngineError: 500,
    errors.VerificationError: 500,
    errors.InternalError: 500,
    errors.ConfigError: 500,
    errors.ModelLoadError: 500,
    errors.InstallationError: 500,
    errors.RetrievalError: 503,
    errors.AuditError: 503,
    errors.EngineDiedError: 503,
    errors.EngineMemoryError: 503,
    errors.NotReadyError: 503,
    errors.DeadlineExceededError: 504,
}


def status_of(error: GatewayError) -> int:
    """Return the HTTP status of an error."""
    return STATUS[type(error)]


logger = logging.getLogger(__name__)

Envelope = Callable[[GatewayError], msgspec.Struct]
"""A dialect's body for an error."""

Handler = Callable[[Request[Any, Any, Any], Exception], Response[bytes]]


def as_gateway_error(error: BaseException, path: str = "") -> GatewayError:
    """Return the error to show the client. Unexpected exceptions are logged and become an `InternalError`."""
    failure = _known(error, path)
    current_record().error = failure.code
    return failure


def _known(error: BaseException, path: str) -> GatewayError:
    if isinstance(error, GatewayError):
        return error
    if isinstance(error, NotFoundException):
        return RouteNotFoundError(f"there is nothing at {path}")
    if isinstance(error, MethodNotAllowedException):
        return MethodNotAllowedError(f"{path} does not serve this method")
    if isinstance(error, HTTPException) and error.status_code == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
        return PayloadTooLargeError("the body is longer than this server reads (limits.max_body_bytes)")
    if isinstance(error, InternalServerException) and "disconnect" in error.detail:
        # Litestar's word, and its alone, for a client that goes away while it sends its body.
        return RequestCancelledError("the client went away before its body was whole")
    if isinstance(error, ClientException):
        return InvalidRequestError(error.detail or HTTPStatus(error.status_code).phrase)
    logger.error("a request failed unexpectedly", exc_info=error)
    return InternalError("the server failed on this request; the cause is in its log")


def responder(envelope: Envelope, status_of: Callable[[GatewayError], int] = status_of) -> Handler:
    """Litestar's handler for every exception of a dialect's routes."""

    def respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
        failure = as_gateway_error(error, request.scope["path"])
        headers = {}
        if isinstance(failure, MethodNotAllowedError) and isinstance(error, HTTPException) and error.headers:
            headers = {name: value for name, value in error.headers.items() if name.lower() == "allow"}
        if failure.retryable:
            headers["retry-after"] = str(failure.retry_after_s)
        status = status_of(failure)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR and not failure.retryable:
            # OpenAI's and Anthropic's clients retry these unless the header says no.
            headers["x-should-retry"] = "false"
        if status == HTTPStatus.UNAUTHORIZED:
            headers["www-authenticate"] = "Bearer"
        return Response(
            content=msgspec.json.encode(envelope(failure)),
            status_code=status,
            media_type="application/json",
            headers=headers,
        )

    return respond


def with_field_names(error: GatewayError, names: Mapping[str, str]) -> str:
    """Return message and hint as one text, with the field as the client's dialect names it.

    Args:
        names: The dialect's spelling of a field, or of its end, by the gateway's own.
    """
    message, hint = error.message, error.hint
    if error.param:
        message = message.replace(error.param, _field_name(error.param, names), 1)
    if not hint:
        return message
    hint = hint.replace("max_tokens", names.get("max_tokens", "max_tokens"))
    return f"{message}. {hint[0].upper()}{hint[1:]}"


def _field_name(param: str, names: Mapping[str, str]) -> str:
    if param in names:
        return names[param]
    for end, other in names.items():
        if end.startswith(".") and end in param:
            return param.replace(end, other, 1)
    return param
