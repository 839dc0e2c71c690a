"""`thinking`, and the signatures of what was thought."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from gateway.api.anthropic.requests import PromptFields, ThinkingIn
from gateway.core.request import ReasoningOptions
from gateway.errors import InvalidRequestError, UnsupportedParameterError


def reasoning_of(body: PromptFields, max_tokens: int | None) -> ReasoningOptions:
    """What a body wants of the thinking before an answer.

    Raises:
        UnsupportedParameterError: A way to think that is not served.
        InvalidRequestError: The budget is missing, or not below `max_tokens`.
    """
    effort = body.output_config.effort if body.output_config is not None else None
    given = body.thinking
    origin = "thinking" if given is not None and given.type == "enabled" else "output_config.effort"
    if given is None or given.type == "adaptive":
        return ReasoningOptions(effort=effort, origin=origin)
    if given.type == "disabled":
        return ReasoningOptions(enabled=False, effort=effort, origin=origin)
    if given.type == "between_tools":
        raise UnsupportedParameterError("thinking.type 'between_tools' is not served", param="thinking.type")
    if given.type != "enabled":
        raise InvalidRequestError(
            f"thinking.type must be enabled, adaptive or disabled, not '{given.type[:100]}'", param="thinking.type"
        )
    return ReasoningOptions(
        enabled=True,
        effort=effort,
        origin=origin,
        budget=_budget(given, max_tokens),
        budget_origin="thinking.budget_tokens",
    )


def _budget(given: ThinkingIn, max_tokens: int | None) -> int:
    budget, place = given.budget_tokens, "thinking.budget_tokens"
    if budget is None:
        raise InvalidRequestError(f"the field {place} is missing", param=place)
    if budget < 1 or (max_tokens is not None and budget >= max_tokens):
        raise InvalidRequestError(f"{place} must be at least 1 and less than max_tokens, not {budget}", param=place)
    return budget


def signature_of(text: str) -> str:
    """What stands for a signature: a digest. It proves nothing, and nobody checks it when it comes back."""
    return b64encode(sha256(text.encode()).digest()).decode()
