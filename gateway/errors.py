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

    def __init_subclass__(cls, *, code: str, hint: str = "", retryable: bool = False) -> None:
        cls.code, cls.hint, cls.retryable = code, hint, retryable

    def __init__(self, message: str, *, param: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.param = param


class InvalidRequestError(GatewayError, code="invalid_value"):
    """A field has a value that is not allowed."""


class MalformedBodyError(GatewayError, code="malformed_json", hint="Send one JSON object, encoded in UTF-8."):
    """The body is not JSON."""


class ContentFilterError(GatewayError, code="content_filter"):
    """The policy blocks the prompt."""


class UnsupportedParameterError(GatewayError, code="unsupported_parameter"):
    """A field is not supported, alone or beside another one."""


class ConstraintError(GatewayError, code="invalid_constraint"):
    """A schema, pattern, choice or grammar cannot be compiled.

    Attributes:
        kind: The grammar error's own code (`unsupported`, `unsatisfiable`, ...).
        where: JSON pointer or position inside the constraint, or None.
    """

    def __init__(self, message: str, *, kind: str, where: str | None = None, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.kind = kind
        self.where = where
        self.code = kind


class BudgetError(GatewayError, code="budget_too_small", hint="Raise max_tokens, or loosen the constraint."):
    """Fewer tokens are allowed than the shortest complete answer needs.

    Attributes:
        needed: Tokens that the shortest complete answer takes.
        allowed: Tokens that the request leaves for it.
    """

    def __init__(self, message: str, *, needed: int, allowed: int, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.needed = needed
        self.allowed = allowed


class ContextLengthError(GatewayError, code="context_length_exceeded"):
    """The prompt does not fit into the model's context with room for an answer."""


class NotServedError(GatewayError, code="not_served"):
    """The endpoint exists in the dialect, and its function is not available on this server."""


class WrongModelError(
    GatewayError, code="wrong_model", hint="GET /v1/models lists the models of this server; name another one."
):
    """The model of this name does not do what the endpoint asks: an encoder generates nothing, others embed nothing."""


class PayloadTooLargeError(GatewayError, code="payload_too_large"):
    """The body is longer than `limits.max_body_bytes`, or has too many values."""


class HeadersTooLargeError(GatewayError, code="headers_too_large"):
    """The headers are longer than `server.max_header_bytes`, or more than `server.max_headers`."""


class RequestTimeoutError(GatewayError, code="request_timeout", retryable=True):
    """The headers or the body did not arrive in time."""


class AuthenticationError(
    GatewayError,
    code="invalid_api_key",
    hint="Send the key as 'Authorization: Bearer <key>' or in the header 'x-api-key'.",
):
    """The API key is missing or wrong."""


class ForbiddenOriginError(
    GatewayError, code="forbidden_origin", hint="Name the host in 'server.allowed_hosts', or set an API key."
):
    """A server without API keys was asked by a page of another site, or under a host name that is not allowed."""


class UnsupportedMediaTypeError(
    GatewayError, code="unsupported_media_type", hint="Send the header 'content-type: application/json'."
):
    """The content type of the body is not JSON."""


class ModelNotFoundError(GatewayError, code="model_not_found"):
    """The model of this name is not served."""


class AdapterError(GatewayError, code="invalid_adapter", hint="Use a LoRA adapter that was trained for this model."):
    """A LoRA adapter cannot be loaded: its files, its name or its size are not what this server takes."""


class InvalidImageError(
    GatewayError, code="invalid_image", hint="Send a PNG, JPEG, WebP or GIF file as a data URL, within the limits."
):
    """An image of the request cannot be read, or may not be fetched."""


class ResponseNotFoundError(
    GatewayError,
    code="response_not_found",
    hint="Responses are stored in memory, within bounds, unless they were made with store: false.",
):
    """No response of this id is stored for this API key."""


class GrammarNotFoundError(
    GatewayError,
    code="grammar_not_found",
    hint="GET /v1/grammars lists stored grammars; those without a name are dropped when room is needed.",
):
    """No grammar of this id is stored for this API key."""


class StoredFileNotFoundError(
    GatewayError, code="file_not_found", hint="GET /v1/files lists the files of this API key."
):
    """No file of this id is stored for this API key."""


class BatchNotFoundError(
    GatewayError, code="batch_not_found", hint="GET /v1/batches lists the batches of this API key."
):
    """No batch of this id is stored for this API key."""


class BatchesOffError(
    GatewayError, code="batches_off", hint="Set 'batches.folder' (PORTCULLIS_BATCHES_FOLDER) and restart the server."
):
    """The server stores no files and runs no batches."""


class PreviousResponseError(
    GatewayError, code="previous_response_not_found", hint="Send the conversation's items as input instead."
):
    """The response to continue is not stored for this API key."""


class RouteNotFoundError(GatewayError, code="route_not_found"):
    """The path does not exist."""


class MethodNotAllowedError(GatewayError, code="method_not_allowed"):
    """The path exists, but not with this method."""


class OverloadedError(GatewayError, code="overloaded", hint="Try again in a moment.", retryable=True):
    """The queue, or the API key's share of it, is full; the request was not started."""

    def __init__(self, message: str, *, retry_after_s: int = 1, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.retry_after_s = retry_after_s


class RateLimitError(
    GatewayError, code="rate_limit_exceeded", hint="Wait as long as 'retry-after' says.", retryable=True
):
    """A limit of the API key is reached; the request was not started."""

    def __init__(self, message: str, *, retry_after_s: int = 1) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class DeadlineExceededError(
    GatewayError,
    code="deadline_exceeded",
    hint="Allow more time ('timeout', in seconds), or ask for a shorter answer.",
    retryable=True,
):
    """The time limit of the request (`timeout`) or of the server (`limits.request_timeout_s`) passed before its end."""


class NotReadyError(GatewayError, code="not_ready", retryable=True):
    """The engine is restarting or has stopped, or the server is shutting down."""


class RetrievalError(
    GatewayError, code="retrieval_failed", hint="The server's log says why the retriever failed.", retryable=True
):
    """A retriever found no answer to a query, because it failed or took too long."""


class AuditError(
    GatewayError, code="audit_failed", hint="The server's log says why the record could not be written.", retryable=True
):
    """The audit record of the request could not be written, so its answer is withheld."""


class EngineDiedError(
    GatewayError,
    code="engine_died",
    hint="The engine is restarting; send the request again in a moment.",
    retryable=True,
):
    """The engine's process died or hung while this request ran."""


class EngineMemoryError(
    GatewayError,
    code="engine_out_of_memory",
    hint="The engine keeps running; send the request again in a moment.",
    retryable=True,
):
    """Memory ran out while this request was computed."""


class EngineError(GatewayError, code="engine_error"):
    """The engine gave up this request; others continue.

    Args:
        is_retryable: The request did not cause the failure.
    """

    def __init__(self, message: str, *, is_retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = is_retryable


class VerificationError(
    GatewayError, code="verification_failed", hint="The same request fails again; another seed may succeed."
):
    """The finished answer failed verification and was withheld."""


class DeadEndError(
    GatewayError,
    code="constraint_dead_end",
    hint="Use fewer overlapping alternatives, or raise max_tokens; the constraint's report names its run-time checks.",
):
    """The answer reached a state without an allowed token: a run-time check refused what the masks allowed."""


class RequestCancelledError(GatewayError, code="cancelled", retryable=True):
    """The client disconnected before the answer was complete."""


class InternalError(GatewayError, code="internal_error"):
    """A bug in the server. The log has the cause."""


class ConfigError(GatewayError, code="invalid_configuration"):
    """A setting is unknown or malformed; the message names it and its source."""


class ModelLoadError(GatewayError, code="model_load_failed"):
    """The model is missing or cannot be served."""


class InstallationError(GatewayError, code="broken_installation"):
    """Another distribution owns one of the import names `gateway`, `grammars` or `tools`."""


def leaves(base: type[GatewayError] = GatewayError) -> list[type[GatewayError]]:
    """Every concrete kind of error below `base`, in order of definition."""
    found: list[type[GatewayError]] = []
    for kind in base.__subclasses__():
        found.extend(leaves(kind) or [kind])
    return found
