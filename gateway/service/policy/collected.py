"""Assembly of answers from their deltas."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.core.answer import (
    Answer,
    ArgumentsDelta,
    Call,
    CallDelta,
    CitationDelta,
    Delta,
    Finish,
    PromptDelta,
    ReasoningDelta,
    TextDelta,
    TokenLogprob,
    Usage,
)
from gateway.core.documents import Citation


def collected(choice: int, deltas: Sequence[Delta]) -> Answer:
    """Return the answer assembled from its deltas, without calls if it was blocked: the last one may be cut."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[Call] = []
    logprobs: list[TokenLogprob] = []
    citations: list[Citation] = []
    of_prompt: tuple[TokenLogprob, ...] | None = None
    for delta in deltas:
        match delta:
            case TextDelta(_, text, entries):
                texts.append(text)
                logprobs += entries
            case ReasoningDelta(_, text):
                thoughts.append(text)
            case CallDelta():
                calls.append(Call(delta.id, delta.name, "", delta.kind))
                logprobs += delta.logprobs
            case ArgumentsDelta(_, _, text):
                logprobs += delta.logprobs
                last = calls[-1]
                calls[-1] = Call(last.id, last.name, last.arguments + text, last.kind)
            case CitationDelta(_, citation):
                citations.append(citation)
            case PromptDelta(_, entries):
                of_prompt = entries
            case Finish():
                finish = delta
            case Usage():
                raise AssertionError("usage is of all answers together")
    return Answer(
        choice=choice,
        text="".join(texts),
        calls=() if finish.reason == "content_filter" else tuple(calls),
        finish_reason=finish.reason,
        stop_reason=finish.stop_reason,
        logprobs=tuple(logprobs),
        prompt_logprobs=of_prompt,
        reasoning="".join(thoughts),
        citations=tuple(citations),
        rest=finish.rest,
        findings=finish.findings,
        has_looped=finish.has_looped,
        is_steered=finish.is_steered,
        verdict=finish.verdict,
        confidence=finish.confidence,
        token_ids=finish.token_ids,
        prompt_token_ids=finish.prompt_token_ids,
    )
