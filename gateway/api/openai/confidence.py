"""How sure the model was of its values, as replies tell it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import UNSET, Raw

from gateway.api.openai.bodies import AlternativeOut, Confidence, ConfidenceOut
from gateway.core.answer import Alternative, FieldConfidence


def confidence_out(told: Sequence[FieldConfidence] | None) -> Confidence:
    """One entry a value; nothing where nobody asked."""
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
