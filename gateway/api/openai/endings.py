"""Why an answer ended, in OpenAI's words and vLLM's."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gateway.api.openai.requests import GenerationFields
from gateway.core.answer import Answer, Finish, FinishReason

FINISH, STOP = "repetition", "repetition_detected"


def ending_of(
    reason: FinishReason, ended: Answer | Finish, body: GenerationFields
) -> tuple[str, int | str | UnsetType]:
    """`finish_reason` and `stop_reason`.

    vLLM's word for a loop is told to who asked in vLLM's words: OpenAI's types do not have it, and some clients
    validate them. That an answer ends with calls is told in any case: clients look there for whether to call.
    """
    if ended.has_looped:
        is_asked = body.repetition_detection is not None and reason in ("stop", "length")
        return FINISH if is_asked else reason, STOP
    return reason, UNSET if ended.stop_reason is None else ended.stop_reason
