"""Errors outside a dialect's routes, in the envelope that the client understands."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response

from gateway.api.anthropic.envelope import respond as as_anthropic
from gateway.api.ollama.envelope import respond as as_ollama
from gateway.api.openai.envelope import respond as as_openai
from gateway.api.tgi.envelope import respond as as_tgi

ANTHROPIC_VERSION = "anthropic-version"
"""The header that every client of Anthropic's sends, and no other."""


def is_anthropic(request: Request[Any, Any, Any]) -> bool:
    """True if the client is one of Anthropic's."""
    return ANTHROPIC_VERSION in request.headers


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Return the error response; in OpenAI's envelope unless path or headers name another dialect."""
    if request.scope["path"].startswith("/api/"):
        return as_ollama(request, error)
    if request.scope["path"].startswith("/generate"):
        return as_tgi(request, error)
    if is_anthropic(request) or request.scope["path"].startswith("/v1/messages"):
        return as_anthropic(request, error)
    return as_openai(request, error)
