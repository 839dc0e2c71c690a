"""What ends the tag that a format stands in, and so does not occur in free text at the end of its content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gateway.api.openai.tag_fields import texts_of
from gateway.errors import InvalidRequestError


@dataclass(frozen=True, slots=True)
class Inside:
    """Where a format stands: how deep, and which texts and tokens end the tag that it is the last of."""

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
