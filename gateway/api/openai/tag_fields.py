"""Fields of a structural tag's objects, each read as what it must be, or refused by its place."""

from __future__ import annotations

from typing import Any

from gateway.errors import InvalidRequestError, UnsupportedParameterError


def count_of(given: dict[str, Any], name: str, place: str, most: int) -> int:
    """Return a count up to `most`."""
    value = needed(given, name, place)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidRequestError(f"{place}.{name} must be an integer that is not negative", param=f"{place}.{name}")
    if value > most:
        raise UnsupportedParameterError(f"{place}.{name} is at most {most}", param=f"{place}.{name}")
    return value


def as_object(value: Any, place: str) -> dict[str, Any]:
    """Return the value, which must be an object."""
    if not isinstance(value, dict):
        raise InvalidRequestError(f"{place} must be an object", param=place)
    return value


def needed(given: dict[str, Any], name: str, place: str) -> Any:
    """Return a field that must be there."""
    if given.get(name) is None:
        raise InvalidRequestError(f"the field {place}.{name} is missing", param=f"{place}.{name}")
    return given[name]


def text_of(given: dict[str, Any], name: str, place: str) -> str:
    """Return a field that is a text."""
    value = needed(given, name, place)
    if not isinstance(value, str):
        raise InvalidRequestError(f"{place}.{name} must be a text", param=f"{place}.{name}")
    return value


def flag_of(given: dict[str, Any], name: str, place: str) -> bool:
    """Return a field that is true or false; false where it is missing."""
    value = given.get(name) or False
    if not isinstance(value, bool):
        raise InvalidRequestError(f"{place}.{name} must be true or false", param=f"{place}.{name}")
    return value


def list_of(given: dict[str, Any], name: str, place: str) -> list[Any]:
    """Return a field that is a list with something in it."""
    value = needed(given, name, place)
    if not isinstance(value, list) or not value:
        raise InvalidRequestError(f"{place}.{name} must be a list that is not empty", param=f"{place}.{name}")
    return value


def texts_of(given: dict[str, Any], name: str, place: str) -> tuple[str, ...]:
    """Return a field that is a list of texts, none of them empty."""
    value = list_of(given, name, place)
    if not all(isinstance(text, str) and text for text in value):
        raise InvalidRequestError(f"{place}.{name} must be texts that are not empty", param=f"{place}.{name}")
    return tuple(value)


def token_of(value: Any, place: str) -> int | str:
    """Return a token: its number, or its name or text."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | str)
        or value == ""
        or (isinstance(value, int) and value < 0)
    ):
        raise InvalidRequestError(f"{place} must be a token's number, or its text", param=place)
    return value


def tokens_of(given: dict[str, Any], name: str, place: str) -> tuple[int | str, ...]:
    """Return a field that is a list of tokens; none where it is missing."""
    value = given.get(name) or []
    if not isinstance(value, list):
        raise InvalidRequestError(f"{place}.{name} must be a list", param=f"{place}.{name}")
    return tuple(token_of(token, f"{place}.{name}[{index}]") for index, token in enumerate(value))
