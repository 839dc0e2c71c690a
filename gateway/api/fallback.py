"""Failures at addresses that no dialect has, or more than one, and of requests that came to none: in the envelope of
whoever asks."""

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
    """The client is one of Anthropic's."""
    return ANTHROPIC_VERSION in request.headers


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The reply to a request that failed; OpenAI's envelope where nothing tells whose client it is from."""
    if request.scope["path"].startswith("/api/"):
        return as_ollama(request, error)
    if request.scope["path"].startswith("/generate"):
        return as_tgi(request, error)
    if is_anthropic(request) or request.scope["path"].startswith("/v1/messages"):
        return as_anthropic(request, error)
    return as_openai(request, error)
