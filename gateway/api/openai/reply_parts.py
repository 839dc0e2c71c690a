"""Parts that replies of several endpoints share: id, usage, finish reason, confidence, findings, fields, models."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET, Raw, UnsetType, convert

from gateway.api.openai.bodies import (
    AlternativeOut,
    CompletionTokensDetails,
    Confidence,
    ConfidenceOut,
    FieldOut,
    Fields,
    FindingOut,
    Guards,
    ModelList,
    ModelOut,
    PromptTokensDetails,
    UsageOut,
)
from gateway.api.openai.requests import GenerationFields
from gateway.core.answer import (
    Alternative,
    Answer,
    ArgumentsDelta,
    FieldConfidence,
    Finding,
    Finish,
    FinishReason,
    TextDelta,
    Usage,
)
from gateway.core.model import ServedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Identity of a reply.

    Attributes:
        id: Unique, with the dialect's prefix.
        created: Seconds since the epoch.
        model: The name the client knows the model by.
    """

    id: str
    model: str
    created: int = field(default_factory=lambda: int(time.time()))

    @classmethod
    def new(cls, prefix: str, model: str) -> Identity:
        """Return a new identity."""
        return cls(id=f"{prefix}-{secrets.token_hex(12)}", model=model)


def usage_out(usage: Usage) -> UsageOut:
    """Tokens as OpenAI counts them."""
    return UsageOut(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        total_tokens=usage.total_tokens,
        prompt_tokens_details=PromptTokensDetails(cached_tokens=usage.cached_tokens),
        completion_tokens_details=CompletionTokensDetails(reasoning_tokens=usage.reasoning_tokens),
    )


FINISH, STOP = "repetition", "repetition_detected"


def ending_of(
    reason: FinishReason, ended: Answer | Finish, body: GenerationFields
) -> tuple[str, int | str | UnsetType]:
    """`finish_reason` and `stop_reason`.

    vLLM's reason for a loop goes only to requests with vLLM's field: OpenAI's types lack it, and some clients validate
    them. `tool_calls` is always reported: clients decide by it whether to call.
    """
    if ended.has_looped:
        is_asked = body.repetition_detection is not None and reason in ("stop", "length")
        return FINISH if is_asked else reason, STOP
    return reason, UNSET if ended.stop_reason is None else ended.stop_reason


def finish_fields(reason: FinishReason, ended: Answer | Finish, body: GenerationFields) -> dict[str, Any]:
    """Return the fields of a choice that describe the end of its answer."""
    finish_reason, stop_reason = ending_of(reason, ended, body)
    return {
        "finish_reason": finish_reason,
        "stop_reason": stop_reason,
        "budget_steered": ended.is_steered or UNSET,
        "verified_by": ended.verified_by or UNSET,
        "guards": guards_out(ended.findings),
        "confidence": confidence_out(ended.confidence),
        "token_ids": UNSET if ended.token_ids is None else ended.token_ids,
        "prompt_token_ids": UNSET if ended.prompt_token_ids is None else ended.prompt_token_ids,
    }


def confidence_out(told: Sequence[FieldConfidence] | None) -> Confidence:
    """Return one entry per value; unset if confidence was not asked for."""
    return UNSET if told is None else [_entry(each) for each in told]


def _entry(of: FieldConfidence) -> ConfidenceOut:
    return ConfidenceOut(
        path=of.path,
        tool_call=UNSET if of.call is None else of.call,
        logprob=of.logprob,
        mean_logprob=of.mean_logprob,
        num_tokens=of.num_tokens,
        num_forced=of.num_forced,
        alternative=UNSET if of.alternative is None else _alternative(of.alternative),
    )


def _alternative(other: Alternative) -> AlternativeOut:
    # As text: a member may be a number that is larger than an encoder takes.
    values = [Raw(json.dumps(value).encode()) for value in other.values]
    return AlternativeOut(values=values, probability=other.probability)


def guards_out(findings: Sequence[Finding]) -> Guards:
    """Return the findings; unset without any."""
    return convert(findings, list[FindingOut], from_attributes=True) if findings else UNSET


def fields_out(delta: TextDelta | ArgumentsDelta) -> Fields:
    """Return the values that a delta completes, as written; unset if it completes none."""
    call = delta.index if isinstance(delta, ArgumentsDelta) else UNSET
    found = [FieldOut(path=each.path, tool_call=call, value=Raw(each.value.encode())) for each in delta.fields]
    return found or UNSET


def model_list(models: Mapping[str, ServedModel]) -> ModelList:
    """Return each model under its name."""
    return ModelList(data=[model_out(model, name) for name, model in models.items()])


def model_out(model: ServedModel, name: str) -> ModelOut:
    """Return the model under a name."""
    adapter = model.adapters.get(name)
    return ModelOut(
        id=name,
        created=model.created,
        owned_by="portcullis",
        root=model.name if adapter is None else adapter.path,
        parent=None if adapter is None else model.name,
        max_model_len=model.max_context,
    )
