"""The one table from kinds of error to HTTP."""

from __future__ import annotations

from gateway import errors
from gateway.errors import GatewayError

STATUS: dict[type[GatewayError], int] = {
    errors.InvalidRequestError: 400,
    errors.MalformedBodyError: 400,
    errors.ContentFilterError: 400,
    errors.UnsupportedParameterError: 400,
    errors.NotServedError: 400,
    errors.ConstraintError: 400,
    errors.BudgetError: 400,
    errors.ContextLengthError: 400,
    errors.PreviousResponseError: 400,
    errors.AuthenticationError: 401,
    errors.ForbiddenOriginError: 403,
    errors.ModelNotFoundError: 404,
    errors.NotKeptError: 404,
    errors.GrammarNotKeptError: 404,
    errors.RouteNotFoundError: 404,
    errors.MethodNotAllowedError: 405,
    errors.RequestTimeoutError: 408,
    errors.PayloadTooLargeError: 413,
    errors.UnsupportedMediaTypeError: 415,
    errors.DeadEndError: 422,
    errors.OverloadedError: 429,
    errors.HeadersTooLargeError: 431,
    errors.RequestCancelledError: 499,
    errors.EngineError: 500,
    errors.VerificationError: 500,
    errors.InternalError: 500,
    errors.ConfigError: 500,
    errors.ModelLoadError: 500,
    errors.InstallationError: 500,
    errors.AuditError: 503,
    errors.EngineDiedError: 503,
    errors.EngineMemoryError: 503,
    errors.NotReadyError: 503,
    errors.DeadlineExceededError: 504,
}


def status_of(error: GatewayError) -> int:
    """The HTTP status of an error."""
    return STATUS[type(error)]
