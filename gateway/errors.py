"""Errors of the gateway, one class for each code. Their HTTP statuses are in `gateway.api.http.failures`."""

from __future__ import annotations


class GatewayError(Exception):
    """Base of all gateway errors.

    Attributes:
        code: Stable name of the kind, for machines.
        retryable: The same request may succeed later, unchanged.
        retry_after_s: Seconds after which, where it is.
        hint: What the caller can do about it; empty when the message says it all.
        message: One sentence for a person.
        param: The request field at fault, as the client spelled it (`messages[0].role`), or None.
    """

    code: str = "gateway_error"
    retryable: bool = False
    retry_after_s: int = 1
    hint: str = ""

    def __init__(self, message: str, *, param: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.param = param


class InvalidRequestError(GatewayError):
    """A field has a value that is not allowed."""

    code = "invalid_value"


class MalformedBodyError(GatewayError):
    """The body is not JSON."""

    code = "malformed_json"
    hint = "Send one JSON object, encoded in UTF-8."


class ContentFilterError(GatewayError):
    """The policy blocks the prompt."""

    code = "content_filter"


class UnsupportedParameterError(GatewayError):
    """A field is not supported, alone or beside another one."""

    code = "unsupported_parameter"


class ConstraintError(GatewayError):
    """A schema, pattern, choice or grammar cannot be compiled.

    Attributes:
        kind: The grammar error's own code (`unsupported`, `unsatisfiable`, ...).
        where: JSON pointer or position inside the constraint, or None.
    """

    code = "invalid_constraint"

    def __init__(self, message: str, *, kind: str, where: str | None = None, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.kind = kind
        self.where = where
        self.code = kind


class BudgetError(GatewayError):
    """Fewer tokens are allowed than the shortest complete answer needs.

    Attributes:
        needed: Tokens that the shortest complete answer takes.
        allowed: Tokens that the request leaves for it.
    """

    code = "budget_too_small"
    hint = "Raise max_tokens, or loosen the constraint."

    def __init__(self, message: str, *, needed: int, allowed: int, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.needed = needed
        self.allowed = allowed


class ContextLengthError(GatewayError):
    """The prompt does not fit into the model's context with room for an answer."""

    code = "context_length_exceeded"


class NotServedError(GatewayError):
    """The endpoint exists in the dialect, and its function is not available on this server."""

    code = "not_served"


class PayloadTooLargeError(GatewayError):
    """The body is longer than `limits.max_body_bytes`, or has too many values."""

    code = "payload_too_large"


class HeadersTooLargeError(GatewayError):
    """The headers are longer than `server.max_header_bytes`, or more than `server.max_headers`."""

    code = "headers_too_large"


class RequestTimeoutError(GatewayError):
    """The headers or the body did not arrive in time."""

    code = "request_timeout"
    retryable = True


class AuthenticationError(GatewayError):
    """The API key is missing or wrong."""

    code = "invalid_api_key"
    hint = "Send the key as 'Authorization: Bearer <key>' or in the header 'x-api-key'."


class ForbiddenOriginError(GatewayError):
    """A server without API keys was asked by a page of another site, or under a host name that is not allowed."""

    code = "forbidden_origin"
    hint = "Name the host in 'server.allowed_hosts', or set an API key."


class UnsupportedMediaTypeError(GatewayError):
    """The content type of the body is not JSON."""

    code = "unsupported_media_type"
    hint = "Send the header 'content-type: application/json'."


class ModelNotFoundError(GatewayError):
    """The model of this name is not served."""

    code = "model_not_found"


class NotKeptError(GatewayError):
    """No response of this id is stored for this API key."""

    code = "response_not_found"
    hint = "Responses are stored in memory, within bounds, unless they were made with store: false."


class GrammarNotKeptError(GatewayError):
    """No grammar of this id is stored for this API key."""

    code = "grammar_not_found"
    hint = "GET /v1/grammars lists stored grammars; those without a name are dropped when room is needed."


class PreviousResponseError(GatewayError):
    """The response to continue is not stored for this API key."""

    code = "previous_response_not_found"
    hint = "Send the conversation's items as input instead."


class RouteNotFoundError(GatewayError):
    """The path does not exist."""

    code = "route_not_found"


class MethodNotAllowedError(GatewayError):
    """The path exists, but not with this method."""

    code = "method_not_allowed"


class OverloadedError(GatewayError):
    """The queue, or the API key's share of it, is full; the request was not started."""

    code = "overloaded"
    retryable = True
    hint = "Try again in a moment."

    def __init__(self, message: str, *, retry_after_s: int = 1, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.retry_after_s = retry_after_s


class DeadlineExceededError(GatewayError):
    """The time limit of the request (`timeout`) or of the server (`limits.request_timeout_s`) passed before its end."""

    code = "deadline_exceeded"
    retryable = True
    hint = "Allow more time ('timeout', in seconds), or ask for a shorter answer."


class NotReadyError(GatewayError):
    """The engine is restarting or has stopped, or the server is shutting down."""

    code = "not_ready"
    retryable = True


class AuditError(GatewayError):
    """The audit record of the request could not be written, so its answer is withheld."""

    code = "audit_failed"
    retryable = True
    hint = "The server's log says why the record could not be written."


class EngineDiedError(GatewayError):
    """The engine's process died or hung while this request ran."""

    code = "engine_died"
    retryable = True
    hint = "The engine is restarting; send the request again in a moment."


class EngineMemoryError(GatewayError):
    """Memory ran out while this request was computed."""

    code = "engine_out_of_memory"
    retryable = True
    hint = "The engine keeps running; send the request again in a moment."


class EngineError(GatewayError):
    """The engine gave up this request; others continue.

    Args:
        is_retryable: It was not this request's own doing.
    """

    code = "engine_error"

    def __init__(self, message: str, *, is_retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = is_retryable


class VerificationError(GatewayError):
    """The finished answer failed verification and was withheld."""

    code = "verification_failed"
    hint = "The same request fails again; another seed may succeed."


class DeadEndError(GatewayError):
    """The answer reached a state without an allowed token: a run-time check refused what the masks allowed."""

    code = "constraint_dead_end"
    hint = "Use fewer overlapping alternatives, or raise max_tokens; the constraint's report names its run-time checks."


class RequestCancelledError(GatewayError):
    """The client disconnected before the answer was complete."""

    code = "cancelled"
    retryable = True


class InternalError(GatewayError):
    """A bug in the server. The log has the cause."""

    code = "internal_error"


class ConfigError(GatewayError):
    """A setting is unknown or malformed; the message names it and its source."""

    code = "invalid_configuration"


class ModelLoadError(GatewayError):
    """The model is missing or cannot be served."""

    code = "model_load_failed"


class InstallationError(GatewayError):
    """Another distribution owns one of the import names `gateway`, `grammars` or `tools`."""

    code = "broken_installation"


def leaves(base: type[GatewayError] = GatewayError) -> list[type[GatewayError]]:
    """Every concrete kind of error below `base`, in order of definition."""
    found: list[type[GatewayError]] = []
    for kind in base.__subclasses__():
        found.extend(leaves(kind) or [kind])
    return found
