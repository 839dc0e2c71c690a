"""Failures in a dialect's own words: the gateway names fields as OpenAI does."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.errors import GatewayError


def respelled(error: GatewayError, names: Mapping[str, str]) -> str:
    """One text for a person: what went wrong, with the field as the client spelled it, and what can be done about it.

    Args:
        names: The dialect's spelling of a field, or of its end, by the gateway's own.
    """
    message, hint = error.message, error.hint
    if error.param:
        message = message.replace(error.param, _respelled(error.param, names), 1)
    if not hint:
        return message
    hint = hint.replace("max_tokens", names.get("max_tokens", "max_tokens"))
    return f"{message}. {hint[0].upper()}{hint[1:]}"


def _respelled(param: str, names: Mapping[str, str]) -> str:
    if param in names:
        return names[param]
    for end, other in names.items():
        if end.startswith(".") and end in param:
            return param.replace(end, other, 1)
    return param
