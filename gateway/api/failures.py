"""What a client may know of a failure, whatever failed and wherever; each dialect puts it into its own envelope."""

from __future__ import annotations

import logging
from collections.abc import Callable
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

from gateway.api.status import status_of
from gateway.audit.notes import noted
from gateway.errors import (
    GatewayError,
    InternalError,
    InvalidRequestError,
    MethodNotAllowedError,
    PayloadTooLargeError,
    RequestCancelledError,
    RouteNotFoundError,
)

logger = logging.getLogger(__name__)

Envelope = Callable[[GatewayError], msgspec.Struct]
"""A dialect's body for an error."""

Handler = Callable[[Request[Any, Any, Any], Exception], Response[bytes]]


def as_gateway_error(error: BaseException, path: str = "") -> GatewayError:
    """What the client may know of an exception. Anything unforeseen is logged and becomes an `InternalError`."""
    failure = _known(error, path)
    noted().error = failure.code
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
            # OpenAI's and Anthropic's clients repeat what ends so unless they are told.
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
