"""What can go wrong in the gateway, one class per kind. Nothing here knows HTTP; `gateway.api.http.failures` does."""

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
    """A field has a value that cannot be served as it stands."""

    code = "invalid_value"


class MalformedBodyError(GatewayError):
    """The body is not JSON."""

    code = "malformed_json"
    hint = "Send one JSON object, encoded in UTF-8."


class ContentFilterError(GatewayError):
    """What the request would have a model read is blocked by the policy that screens it."""

    code = "content_filter"


class UnsupportedParameterError(GatewayError):
    """A field that is known and cannot be honoured, alone or beside another one."""

    code = "unsupported_parameter"


class ConstraintError(GatewayError):
    """A schema, pattern, choice or grammar that cannot be compiled.

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
    """A whole endpoint that is known and does what this server does not do."""

    code = "not_served"


class PayloadTooLargeError(GatewayError):
    """The body is longer than the server reads."""

    code = "payload_too_large"


class HeadersTooLargeError(GatewayError):
    """The request's headers are longer, or more, than the server reads."""

    code = "headers_too_large"


class RequestTimeoutError(GatewayError):
    """The request did not come within the time that it had."""

    code = "request_timeout"
    retryable = True


class AuthenticationError(GatewayError):
    """No key, or not one of ours."""

    code = "invalid_api_key"
    hint = "Send the key as 'Authorization: Bearer <key>' or in the header 'x-api-key'."


class ForbiddenOriginError(GatewayError):
    """A page of another site, or a name that is not this machine's, on a server that asks for no key."""

    code = "forbidden_origin"
    hint = "Name the host in 'server.allowed_hosts', or set an API key."


class UnsupportedMediaTypeError(GatewayError):
    """The body says that it is not JSON."""

    code = "unsupported_media_type"
    hint = "Send the header 'content-type: application/json'."


class ModelNotFoundError(GatewayError):
    """The request names a model that is not served here."""

    code = "model_not_found"


class NotKeptError(GatewayError):
    """No response of this id is kept for this API key."""

    code = "response_not_found"
    hint = "Responses are kept in memory, within bounds, unless they were made with store: false."


class GrammarNotKeptError(GatewayError):
    """No constraint of this id is kept for this API key."""

    code = "grammar_not_found"
    hint = "GET /v1/grammars lists those that are kept; one that was not given a name goes when room is needed."


class PreviousResponseError(GatewayError):
    """The request continues a response that is not kept for this API key."""

    code = "previous_response_not_found"
    hint = "Send the conversation's items as input instead."


class RouteNotFoundError(GatewayError):
    """No such path."""

    code = "route_not_found"


class MethodNotAllowedError(GatewayError):
    """The path exists, the method does not."""

    code = "method_not_allowed"


class OverloadedError(GatewayError):
    """The queue, or the share of it that one API key has, is full; the request was not begun."""

    code = "overloaded"
    retryable = True
    hint = "Try again in a moment."

    def __init__(self, message: str, *, retry_after_s: int = 1, param: str | None = None) -> None:
        super().__init__(message, param=param)
        self.retry_after_s = retry_after_s


class DeadlineExceededError(GatewayError):
    """The time that the request had, by its own word or the server's settings, was over before its answer was done."""

    code = "deadline_exceeded"
    retryable = True
    hint = "Allow more time ('timeout', in seconds), or ask for a shorter answer."


class NotReadyError(GatewayError):
    """The engine is starting again or has stopped, or the server is shutting down."""

    code = "not_ready"
    retryable = True


class AuditError(GatewayError):
    """What was to be kept of the request could not be written, so its answer is withheld."""

    code = "audit_failed"
    retryable = True
    hint = "Nothing leaves that is not recorded; the server's log says why it could not be."


class EngineDiedError(GatewayError):
    """The engine's process died or hung while this request ran."""

    code = "engine_died"
    retryable = True
    hint = "It is being started again; send the request again in a moment."


class EngineMemoryError(GatewayError):
    """Memory ran out while this request was computed."""

    code = "engine_out_of_memory"
    retryable = True
    hint = "The engine serves on; send the request again in a moment."


class EngineError(GatewayError):
    """The engine gave up on this request; others go on.

    Args:
        is_retryable: It was not this request's own doing.
    """

    code = "engine_error"

    def __init__(self, message: str, *, is_retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = is_retryable


class VerificationError(GatewayError):
    """A finished answer did not pass verification and was withheld."""

    code = "verification_failed"
    hint = "Nothing unverified was returned as a result. The same request fails again; one with another seed may do."


class DeadEndError(GatewayError):
    """An answer came to where its constraint lets nothing follow: a guard refused what masks had let pass."""

    code = "constraint_dead_end"
    hint = (
        "Fewer alternatives that overlap, or more max_tokens, leave a way on; the constraint's report names the guards."
    )


class RequestCancelledError(GatewayError):
    """The client went away before the answer was done."""

    code = "cancelled"
    retryable = True


class InternalError(GatewayError):
    """A fault of ours. Its text says nothing about the cause; the log does."""

    code = "internal_error"


class ConfigError(GatewayError):
    """A setting is unknown or malformed; the message names it and where it came from."""

    code = "invalid_configuration"


class ModelLoadError(GatewayError):
    """The model's folder is missing or cannot be served."""

    code = "model_load_failed"


class InstallationError(GatewayError):
    """The packages do not belong together (another distribution owns one of our import names)."""

    code = "broken_installation"


def leaves(base: type[GatewayError] = GatewayError) -> list[type[GatewayError]]:
    """Every concrete kind of error below `base`, in order of definition."""
    found: list[type[GatewayError]] = []
    for kind in base.__subclasses__():
        found.extend(leaves(kind) or [kind])
    return found
