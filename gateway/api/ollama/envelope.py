"""Errors in Ollama's envelope."""

from __future__ import annotations

from msgspec import Struct

from gateway.api.http.failures import responder, with_field_names
from gateway.api.http.sse import encode_line
from gateway.errors import GatewayError

_OPTIONS = ("temperature", "top_k", "top_p", "min_p", "typical_p", "seed", "presence_penalty", "frequency_penalty")
_NAMES = {name: f"options.{name}" for name in (*_OPTIONS, "stop")} | {
    "repetition_penalty": "options.repeat_penalty",
    "max_tokens": "options.num_predict",
}
"""Ollama's spelling of fields, by OpenAI's."""


class ErrorEnvelope(Struct, kw_only=True):
    """The body of an error response, and the last line of a failed stream."""

    error: str


def envelope(error: GatewayError) -> ErrorEnvelope:
    """Return the error as Ollama's clients read it."""
    return ErrorEnvelope(error=with_field_names(error, _NAMES))


def error_line(error: GatewayError) -> bytes:
    """Return the error as the last line of a stream."""
    return encode_line(envelope(error)) + b"\n"


respond = responder(envelope)
