"""`input` of `/v1/decisions` as one text."""

from __future__ import annotations

from typing import Any

import msgspec

from gateway.api.decisions.requests import ItemIn, PartIn, Text
from gateway.errors import InvalidRequestError, UnsupportedParameterError


def described(name: str, description: str | None) -> str:
    """Return an option with its description."""
    return f"{name} ({description})" if description else name


def as_text(value: Any) -> str:
    """Return a text as it is; anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


MAX_JSON_BYTES = 256 * 1024
"""Longest `input_json`, as OpenAI documents it."""


def transcript(given: str | list[ItemIn]) -> str:
    """Return a text as it is; of items, who said and called what.

    Raises:
        InvalidRequestError: An item lacks what its type needs, or is the output of no call; says which.
        UnsupportedParameterError: It holds an image.
    """
    if isinstance(given, str):
        return given
    if not given:
        raise InvalidRequestError("input is empty", param="input")
    if len(given) == 1 and given[0].role == "user" and given[0].content is not None:
        return text_of(given[0].content, "input[0].content")
    names: dict[str, str] = {}
    return "\n\n".join(_turn(item, f"input[{index}]", names) for index, item in enumerate(given))


def text_of(given: Text, origin: str) -> str:
    """Return the parts of a text, joined.

    Raises:
        InvalidRequestError: A part lacks what its type needs; says which.
        UnsupportedParameterError: One is an image.
    """
    if isinstance(given, str):
        return given
    return "\n".join(_part(part, f"{origin}[{index}]") for index, part in enumerate(given))


def _part(part: PartIn, origin: str) -> str:
    if part.type == "input_image":
        raise UnsupportedParameterError(
            "images are not served; they need a server whose model reads them", param=f"{origin}.type"
        )
    field = {"input_text": "text", "output_text": "text", "input_json": "data", "refusal": "refusal"}.get(part.type)
    if field is None:
        raise InvalidRequestError(f"{origin}.type is not one of a text's", param=f"{origin}.type")
    value = getattr(part, field)
    if value is None:
        raise InvalidRequestError(f"the field {origin}.{field} is missing", param=f"{origin}.{field}")
    text = as_text(value)
    if field == "data" and len(text.encode()) > MAX_JSON_BYTES:
        raise InvalidRequestError(f"{origin}.data is longer than {MAX_JSON_BYTES} bytes", param=f"{origin}.data")
    return text


def _turn(item: ItemIn, origin: str, names: dict[str, str]) -> str:
    """Return the text of one item; `names` maps the ids of earlier calls to names."""
    if item.type in (None, "message"):
        return f"{_needed(item, 'role', origin)}: {text_of(_needed(item, 'content', origin), f'{origin}.content')}"
    call_id: str = _needed(item, "call_id", origin)
    if item.type in ("function_call", "custom_tool_call"):
        field = "arguments" if item.type == "function_call" else "input"
        names[call_id] = _needed(item, "name", origin)
        return f"assistant calls {names[call_id]}: {_needed(item, field, origin)}"
    if call_id not in names:
        raise InvalidRequestError(f"{origin}.call_id names no call before it", param=f"{origin}.call_id")
    return f"{names[call_id]} returns: {text_of(_needed(item, 'output', origin), f'{origin}.output')}"


def _needed(item: ItemIn, field: str, origin: str) -> Any:
    value = getattr(item, field)
    if value is None:
        raise InvalidRequestError(f"the field {origin}.{field} is missing", param=f"{origin}.{field}")
    return value
