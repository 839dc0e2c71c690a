"""Texts that an answer responds to, for policies that compare them with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.core.decisions import DecisionRequest
from gateway.core.request import ChatRequest, CompletionRequest
from gateway.guards import Said


def said_in(request: ChatRequest | CompletionRequest | DecisionRequest) -> Said:
    """Return the system and user texts that the answers respond to."""
    if isinstance(request, ChatRequest):
        texts = [(message.get("role"), _flat(message.get("content"))) for message in request.messages]
        asked = next((text for role, text in reversed(texts) if role == "user"), "")
        others = [message for term in request.options.terms for message in term.messages or ()]
        texts += [(message.get("role"), _flat(message.get("content"))) for message in others]
        return Said("\n".join(text for role, text in texts if role in ("system", "developer")), asked)
    prompts = request.prompts if isinstance(request, CompletionRequest) else ()
    return Said("", "\n".join(prompt for prompt in prompts if isinstance(prompt, str)))


def _flat(content: Any) -> str:
    """Return the text of a message's content, parts joined."""
    if isinstance(content, list):
        return "\n".join(_flat(part.get("text") if isinstance(part, Mapping) else part) for part in content)
    return content if isinstance(content, str) else ""
