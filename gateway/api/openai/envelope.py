"""Failures in OpenAI's envelope, whatever failed and wherever."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
)
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE
from msgspec import UNSET

from gateway.api.openai.responses import ErrorBody, ErrorEnvelope
from gateway.api.status import status_of
from gateway.errors import (
    GatewayError,
    InternalError,
    InvalidRequestError,
    MethodNotAllowedError,
    PayloadTooLargeError,
    RouteNotFoundError,
)

logger = logging.getLogger(__name__)

_TYPES = {401: "authentication_error", 429: "rate_limit_error", 504: "timeout_error"}


def envelope(error: GatewayError) -> ErrorEnvelope:
    """The error as OpenAI's clients read it; `hint` is an extra field."""
    status = status_of(error)
    kind = _TYPES.get(status) or ("invalid_request_error" if status < 500 else "server_error")
    return ErrorEnvelope(
        error=ErrorBody(message=error.message, type=kind, param=error.param, code=error.code, hint=error.hint or UNSET)
    )


def as_gateway_error(error: BaseException, path: str = "") -> GatewayError:
    """What the client may know of an exception. Anything unforeseen is logged and becomes an `InternalError`."""
    if isinstance(error, GatewayError):
        return error
    if isinstance(error, NotFoundException):
        return RouteNotFoundError(f"there is nothing at {path}")
    if isinstance(error, MethodNotAllowedException):
        return MethodNotAllowedError(f"{path} does not serve this method")
    if isinstance(error, HTTPException) and error.status_code == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
        return PayloadTooLargeError("the body is longer than this server reads (limits.max_body_bytes)")
    if isinstance(error, ClientException):
        return InvalidRequestError(error.detail or HTTPStatus(error.status_code).phrase)
    logger.error("a request failed unexpectedly", exc_info=error)
    return InternalError("the server failed on this request; the cause is in its log")


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Litestar's handler for every exception of the app."""
    failure = as_gateway_error(error, request.scope["path"])
    headers = {}
    if isinstance(failure, MethodNotAllowedError) and isinstance(error, HTTPException) and error.headers:
        headers = {name: value for name, value in error.headers.items() if name.lower() == "allow"}
    if failure.retryable:
        headers["retry-after"] = str(failure.retry_after_s)
    if status_of(failure) == 401:
        headers["www-authenticate"] = "Bearer"
    return Response(
        content=msgspec.json.encode(envelope(failure)),
        status_code=status_of(failure),
        media_type="application/json",
        headers=headers,
    )
