"""`usage`, the same in every reply."""

from __future__ import annotations

from gateway.api.openai.bodies import CompletionTokensDetails, PromptTokensDetails, UsageOut
from gateway.core.answer import Usage


def usage_out(usage: Usage) -> UsageOut:
    """Tokens as OpenAI counts them."""
    return UsageOut(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        total_tokens=usage.total_tokens,
        prompt_tokens_details=PromptTokensDetails(cached_tokens=usage.cached_tokens),
        completion_tokens_details=CompletionTokensDetails(reasoning_tokens=usage.reasoning_tokens),
    )
