"""Errors of the engine. The service maps each leaf to a response."""

from __future__ import annotations


class EngineFault(Exception):  # noqa: N818  the base is a category; its leaves end in Error
    """Base of every error that the engine raises or reports in an event."""

    code = "engine_fault"
    retryable = False
    hint = ""


class InvalidEngineConfigError(EngineFault):
    """The configuration contradicts itself or does not fit the model."""

    code = "invalid_engine_config"
    hint = "Correct the named setting."


class UnsupportedModelError(EngineFault):
    """This architecture cannot be computed correctly on paged rows, so it was not loaded.

    Attributes:
        may_be_rounding: Its logits differ in a type whose rounding alone may be the reason.
    """

    code = "unsupported_model"
    may_be_rounding = False
    hint = "Serve a causal transformer with full or sliding-window attention."


class InvalidSamplingError(EngineFault):
    """A sampling parameter is outside its range."""

    code = "invalid_sampling"
    hint = "Correct the named parameter."

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(f"{parameter} {message}")
        self.parameter = parameter
        self.message = message


class ContextLengthExceededError(EngineFault):
    """Prompt and answer together are longer than the engine can hold."""

    code = "context_length_exceeded"
    hint = "Shorten the prompt or lower max_tokens."

    def __init__(self, value: int, limit: int) -> None:
        super().__init__(f"prompt and max_tokens need {value} tokens; the limit is {limit}")
        self.value = value
        self.limit = limit


class QueueFullError(EngineFault):
    """As many requests wait as the queue may hold, of all tenants or of this one.

    Attributes:
        retry_after_s: Seconds after which there is likely to be room.
    """

    code = "queue_full"
    retryable = True
    hint = "Try again later."

    def __init__(self, limit: int, retry_after_s: int = 1, *, is_own: bool = False) -> None:
        super().__init__(f"{limit} {'of your requests' if is_own else 'requests'} are waiting already")
        self.limit = limit
        self.retry_after_s = retry_after_s
        self.is_own = is_own


class DeadlineExceededError(EngineFault):
    """The request's deadline passed before its answer was done."""

    code = "deadline_exceeded"
    retryable = True
    hint = "Ask for more time, or for a shorter answer."

    def __init__(self, num_output_tokens: int, *, was_waiting: bool = False) -> None:
        where = "while the request waited" if was_waiting else "before the answer was done"
        super().__init__(f"the deadline passed {where}; it had {num_output_tokens} tokens")
        self.num_output_tokens = num_output_tokens
        self.was_waiting = was_waiting


class ConstraintFailedError(EngineFault):
    """The request's constraint raised, or refused a token that its own mask allowed."""

    code = "constraint_failed"
    hint = "The cause is chained; the constraint is at fault, not the model."


class DeadMaskError(EngineFault):
    """The token mask allows nothing at all."""

    code = "dead_mask"
    hint = "The constraint cannot be continued; the text so far is a dead end."


class NonFiniteLogitsError(EngineFault):
    """The model's scores for this request are not numbers, or nothing is left to choose from."""

    code = "non_finite_logits"
    hint = "Check the weights and the compute type."


class StepFailedError(EngineFault):
    """A whole step failed; every request in it ended. The cause is chained."""

    code = "step_failed"
    retryable = True
    hint = "The engine serves on; send the request again."


class EngineMemoryError(EngineFault):
    """Memory ran out in a step; every request in it ended. The cause is chained."""

    code = "engine_out_of_memory"
    retryable = True
    hint = "The engine serves on; send the request again, or give the key/value blocks less memory."


class EngineClosedError(EngineFault):
    """The engine is not running, or was closed while the request ran."""

    code = "engine_closed"
    retryable = True
    hint = "Start the engine, or try again when it is back."


class DuplicateRequestError(EngineFault):
    """A request with this id is already in the engine."""

    code = "duplicate_request"
    hint = "Give each request an id of its own."


class EngineDiedError(EngineFault):
    """The engine's process died, or was ended because it hung, while the request ran."""

    code = "engine_died"
    retryable = True
    hint = "The engine is started again; send the request again in a moment."


class EngineUnavailableError(EngineFault):
    """The engine's process is not there: it is still starting again, or was given up."""

    code = "engine_unavailable"
    retryable = True
    hint = "Try again later."


class WireError(EngineFault):
    """A message between the two processes was malformed."""

    code = "wire_broken"
    hint = "Both processes must run the same version."


class FrameTooLargeError(EngineFault):
    """A message is longer than one frame may be."""

    code = "frame_too_large"
    hint = "Ask for less at once."

    def __init__(self, value: int, limit: int) -> None:
        super().__init__(f"a message of {value} bytes is longer than a frame may be ({limit} bytes)")
        self.value = value
        self.limit = limit


def is_out_of_memory(error: BaseException) -> bool:
    """True if memory ran out: Python's, a GPU's, or that of torch's CPU allocator."""
    # torch raises a plain RuntimeError for the last; this module does not import torch.
    is_torch = type(error).__name__ == "OutOfMemoryError" or "DefaultCPUAllocator" in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and is_torch)
