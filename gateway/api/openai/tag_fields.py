"""Fields of a structural tag, each checked and read by type; errors name the field."""

from __future__ import annotations

from dataclasses import dataclass
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
    """Return a field that is a list of non-empty strings."""
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


@dataclass(frozen=True, slots=True)
class Inside:
    """Position of a format: its depth, and the texts and tokens that end the tag it closes."""

    depth: int = 0
    ends: tuple[str, ...] = ()
    end_tokens: tuple[int | str, ...] = ()


def excluded_texts(given: dict[str, Any], place: str, inside: Inside) -> tuple[str, ...]:
    """Texts that free text does not contain, but none that contains another of them."""
    texts = {*inside.ends, *(texts_of(given, "excludes", place) if given.get("excludes") else ())}
    return tuple(sorted(text for text in texts if not any(other != text and other in text for other in texts)))


def triggers_of(triggers: tuple[str, ...], given: dict[str, Any], place: str, inside: Inside) -> tuple[str, ...]:
    """Triggers and, after them, those of the texts that are excluded which hold no trigger anyway."""
    excluded = [text for text in excluded_texts(given, place, inside) if not any(each in text for each in triggers)]
    for text in excluded:
        if any(text in trigger for trigger in triggers):
            raise InvalidRequestError(f"{place}: {text[:64]!r} is excluded, and stands in a trigger", param=place)
    return (*triggers, *excluded)
