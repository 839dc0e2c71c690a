"""The fields about reasoning before an answer: OpenAI's, vLLM's and SGLang's."""

from __future__ import annotations

from gateway.api.openai.requests import ChatCompletionRequest
from gateway.core.request import ReasoningOptions
from gateway.errors import InvalidRequestError
from tools.reasoning import EFFORTS

_SWITCHES = ("enable_thinking", "thinking")
"""Variables of chat templates that clients set directly."""


def reasoning_of(body: ChatCompletionRequest) -> ReasoningOptions:
    """What a body wants of the reasoning.

    Raises:
        InvalidRequestError: The effort is none that is known.
    """
    effort = body.reasoning_effort
    if effort is not None and effort not in EFFORTS:
        raise InvalidRequestError(f"reasoning_effort must be one of {', '.join(EFFORTS)}", param="reasoning_effort")
    given = body.chat_template_kwargs or {}
    switch = next((given[name] for name in _SWITCHES if isinstance(given.get(name), bool)), None)
    origin = "reasoning_effort" if switch is None else "chat_template_kwargs"
    if switch is None and effort == "none":
        switch = False
    return ReasoningOptions(
        enabled=switch,
        effort=effort,
        origin=origin,
        budget=body.thinking_token_budget,
        include=body.include_reasoning is not False,
    )
