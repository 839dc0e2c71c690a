"""Why an answer ended, in OpenAI's words and vLLM's."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gateway.core.answer import Answer, Finish, FinishReason

FINISH, STOP = "repetition", "repetition_detected"


def ending_of(reason: FinishReason, ended: Answer | Finish) -> tuple[str, int | str | UnsetType]:
    """`finish_reason` and `stop_reason`. One of calls stays what it is: clients look there for whether to call."""
    if ended.has_looped:
        return FINISH if reason in ("stop", "length") else reason, STOP
    return reason, UNSET if ended.stop_reason is None else ended.stop_reason
