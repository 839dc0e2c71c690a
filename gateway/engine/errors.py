"""Errors of the engine. The service maps each leaf to a response."""

from __future__ import annotations


class EngineFault(Exception):  # noqa: N818  the base is a category; its leaves end in Error
    """Base of every error that the engine raises or reports in an event."""

    code: str = "engine_fault"
    retryable: bool = False
    hint: str = ""

    def __init_subclass__(cls, *, code: str, hint: str = "", retryable: bool = False) -> None:
        cls.code, cls.hint, cls.retryable = code, hint, retryable


class InvalidEngineConfigError(EngineFault, code="invalid_engine_config", hint="Correct the named setting."):
    """The configuration contradicts itself or does not fit the model."""


class UnsupportedModelError(
    EngineFault, code="unsupported_model", hint="Serve a causal transformer with full or sliding-window attention."
):
    """This architecture cannot be computed correctly on paged rows, so it was not loaded.

    Attributes:
        may_be_rounding: Its logits differ in a type whose rounding alone may be the reason.
    """

    may_be_rounding = False


class InvalidSamplingError(EngineFault, code="invalid_sampling", hint="Correct the named parameter."):
    """A sampling parameter is outside its range."""

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(f"{parameter} {message}")
        self.parameter = parameter
        self.message = message


class InvalidAdapterError(EngineFault, code="invalid_adapter", hint="Use an adapter that was trained for this model."):
    """A LoRA adapter does not fit the model, or there is no room for it."""


class AdapterNotFoundError(EngineFault, code="adapter_not_found", hint="Load the adapter first."):
    """No LoRA adapter of this name is loaded."""


class ContextLengthExceededError(
    EngineFault, code="context_length_exceeded", hint="Shorten the prompt or lower max_tokens."
):
    """Prompt and answer together are longer than the engine can hold."""

    def __init__(self, value: int, limit: int) -> None:
        super().__init__(f"prompt and max_tokens need {value} tokens; the limit is {limit}")
        self.value = value
        self.limit = limit


class QueueFullError(EngineFault, code="queue_full", hint="Try again later.", retryable=True):
    """As many requests wait as the queue may hold, of all tenants or of this one.

    Attributes:
        retry_after_s: Seconds after which there is likely to be room.
    """

    def __init__(self, limit: int, retry_after_s: int = 1, *, is_own: bool = False) -> None:
        super().__init__(f"{limit} {'of your requests' if is_own else 'requests'} are waiting already")
        self.limit = limit
        self.retry_after_s = retry_after_s
        self.is_own = is_own


class AdaptationsFullError(EngineFault, code="adaptations_full", hint="Try again later.", retryable=True):
    """As many answers adapt the model as may do so at a time."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} answers adapt the model already")
        self.limit = limit


class DeadlineExceededError(
    EngineFault, code="deadline_exceeded", hint="Ask for more time, or for a shorter answer.", retryable=True
):
    """The request's deadline passed before its answer was done."""

    def __init__(self, num_output_tokens: int, *, was_waiting: bool = False) -> None:
        where = "while the request waited" if was_waiting else "before the answer was done"
        super().__init__(f"the deadline passed {where}; it had {num_output_tokens} tokens")
        self.num_output_tokens = num_output_tokens
        self.was_waiting = was_waiting


class ConstraintFailedError(
    EngineFault, code="constraint_failed", hint="The cause is chained; the constraint is at fault, not the model."
):
    """The request's constraint raised, or refused a token that its own mask allowed."""


class DeadMaskError(
    EngineFault, code="dead_mask", hint="The constraint cannot be continued; the text so far is a dead end."
):
    """The token mask allows nothing at all."""


class NonFiniteLogitsError(EngineFault, code="non_finite_logits", hint="Check the weights and the compute type."):
    """The model's scores for this request are not numbers, or nothing is left to choose from."""


class StepFailedError(
    EngineFault, code="step_failed", hint="The engine serves on; send the request again.", retryable=True
):
    """A whole step failed; every request in it ended. The cause is chained."""


class EngineMemoryError(
    EngineFault,
    code="engine_out_of_memory",
    hint="The engine serves on; send the request again, or give the key/value blocks less memory.",
    retryable=True,
):
    """Memory ran out in a step; every request in it ended. The cause is chained."""


class EngineClosedError(
    EngineFault, code="engine_closed", hint="Start the engine, or try again when it is back.", retryable=True
):
    """The engine is not running, or was closed while the request ran."""


class DuplicateRequestError(EngineFault, code="duplicate_request", hint="Give each request an id of its own."):
    """A request with this id is already in the engine."""


class EngineDiedError(
    EngineFault,
    code="engine_died",
    hint="The engine is started again; send the request again in a moment.",
    retryable=True,
):
    """The engine's process died, or was ended because it hung, while the request ran."""


class EngineUnavailableError(EngineFault, code="engine_unavailable", hint="Try again later.", retryable=True):
    """The engine's process is not there: it is still starting again, or was given up."""


class WireError(EngineFault, code="wire_broken", hint="Both processes must run the same version."):
    """A message between the two processes was malformed."""


class FrameTooLargeError(EngineFault, code="frame_too_large", hint="Ask for less at once."):
    """A message is longer than one frame may be."""

    def __init__(self, value: int, limit: int) -> None:
        super().__init__(f"a message of {value} bytes is longer than a frame may be ({limit} bytes)")
        self.value = value
        self.limit = limit


def is_out_of_memory(error: BaseException) -> bool:
    """True if memory ran out: Python's, a GPU's, or that of torch's CPU allocator."""
    # torch raises a plain RuntimeError for the last; this module does not import torch.
    is_torch = type(error).__name__ == "OutOfMemoryError" or "DefaultCPUAllocator" in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and is_torch)
