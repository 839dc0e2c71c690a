"""JSON text taken apart, and spelled another way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from tools.errors import UnwritableCallError
from tools.formats.reading.text import WHITESPACE

_PIECES = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|null|true|false|\s+', re.DOTALL)


def _constant(text: str) -> str:
    raise ValueError(f"{text} is no JSON")


# Numbers are not looked at: they may be of any size.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_constant)
_KINDS = {"{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null"}


def json_type(text: str) -> str | None:
    """Return the type of the value that a text is JSON of, whitespace aside; None if it is no JSON.

    Cost: linear in the text.
    """
    text = text.strip(WHITESPACE)
    try:
        if not text or _DECODER.raw_decode(text)[1] != len(text):
            return None
    except (ValueError, RecursionError):
        return None
    return _KINDS.get(text[0], "number")


def members_of(arguments: str) -> list[tuple[str, str]]:
    """Return the names of an object given as JSON text, each with the text of its value as it is written.

    Raises:
        UnwritableCallError: the text is no JSON of an object.
    """
    text = arguments.strip(WHITESPACE)
    if json_type(text) != "object":
        raise UnwritableCallError("arguments that are no object in JSON cannot be written")
    found = []
    at = _skip(text, 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        begin = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, begin)
        found.append((name, text[begin:end]))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def items_of(value: str) -> list[str]:
    """Return the texts of the items of an array given as JSON text, each as it is written."""
    text, found = value.strip(WHITESPACE), []
    at = _skip(text, 1)
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        found.append(text[at:end])
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


class _Number(str):
    """A number as it is spelled."""


class _Members(list[tuple[str, object]]):
    """Members of an object."""


_SPELLED = json.JSONDecoder(
    parse_int=_Number, parse_float=_Number, parse_constant=_constant, object_pairs_hook=_Members
)


def in_order(value: str) -> str:
    """Return JSON text with the members of each object in the order of their names, whatever their case.

    Raises:
        UnwritableCallError: the text is no JSON.
    """
    try:
        return _ordered(_SPELLED.decode(value))
    except (ValueError, RecursionError) as error:
        raise UnwritableCallError("arguments that are no JSON cannot be written") from error


def _ordered(value: object) -> str:
    if isinstance(value, _Members):
        members = sorted(value, key=lambda member: rank_of(member[0]))
        return (
            "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {_ordered(each)}" for name, each in members) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_ordered, value)) + "]"
    return value if isinstance(value, _Number) else json.dumps(value, ensure_ascii=False)


def rank_of(name: str) -> str:
    """Return what a name is sorted by, as chat templates sort."""
    return name.lower()


def _skip(text: str, at: int) -> int:
    while text[at] in WHITESPACE:
        at += 1
    return at


def text_of(value: str) -> str | None:
    """Return the string that a value is JSON of; None for other values."""
    if not value.startswith('"'):
        return None
    found: str = json.loads(value)
    return found


def respelled(
    value: str,
    words: Mapping[str, str],
    text: Callable[[str], str],
    name: Callable[[str], str],
    is_compact: bool = False,
) -> str:
    """Return JSON text with its words, strings and names spelled as these say; the rest stays as it is.

    Args:
        is_compact: Whitespace between the tokens is left out.
    """

    def piece(match: re.Match[str]) -> str:
        quoted, colon = match.groups()
        if quoted is None:
            return "" if is_compact and match[0].isspace() else words.get(match[0], match[0])
        spelled: str = json.loads(quoted)
        if not colon:
            return text(spelled)
        return name(spelled) + (":" if is_compact else colon)

    return _PIECES.sub(piece, value)
