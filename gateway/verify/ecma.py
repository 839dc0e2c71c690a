"""Patterns of JSON Schema (ECMA-262) translated for the Rust engines of `jsonschema-rs`.

In Rust classes and words are those of Unicode, a dot means line terminators other than a line feed as well, brackets
stand for sets within sets, and what browsers take for plain characters is refused, or means something else. The library
translates some of it, and none in patterns that look around.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote

# Classes between brackets.
_WORD, _SPACE = "0-9A-Za-z_", "\\t-\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NO_SPACE = (
    "\\x00-\\x08\\x0e-\\x1f!-\u009f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    "\u3001-\ufefe\uff00-\U0010ffff"
)
_CLASSES = {
    r"\d": "0-9",
    r"\D": "\\x00-/:-\U0010ffff",
    r"\s": _SPACE,
    r"\S": _NO_SPACE,
    r"\w": _WORD,
    r"\W": "\\x00-/:-@\\[-\\^`\\{-\U0010ffff",
}
# Without braces `\p` names no property.
_SAME = {r"\0": r"\x00", r"\<": "<", r"\>": ">", r"\p": "p", r"\P": "P"}
_OUTSIDE = {
    **_SAME,
    **{name: f"[{members}]" for name, members in _CLASSES.items()},
    "]": r"\]",
    "{": r"\{",
    "}": r"\}",
    "[^]": r"[\s\S]",
    "[]": r"[^\s\S]",
    r"\b": f"(?:(?<![{_WORD}])(?=[{_WORD}])|(?<=[{_WORD}])(?![{_WORD}]))",
    r"\B": f"(?:(?<![{_WORD}])(?![{_WORD}])|(?<=[{_WORD}])(?=[{_WORD}]))",
}
_INSIDE = {**_SAME, **_CLASSES, r"\b": r"\x08", "[": r"\[", "&": r"\&", "~": r"\~"}
_ANY_BUT_LINE_TERMINATORS = "[^\\n\\r\u2028\u2029]"
# Begins a group in which a dot means every character.
_EVERY_DOT = re.compile(r"\(\?[a-z]*s[a-z]*[-:]")
_CLASS = re.compile(r"\\(?:[dDwWsS]|[pP]\{)")
_TOKEN = re.compile(
    r"""(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})
    |(?P<control>\\c[a-zA-Z])
    |(?P<escape>\\[pPu]\{[^{}]*\}|\\.)
    |(?P<outside>\{[0-9]+(?:,[0-9]*)?\}|\[\^?\])
    |(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)

# Keywords whose members are schemas by name; known keywords below them are no schemas.
_BY_NAME = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
_VALUES = {"const", "enum", "default", "example", "examples", "required", "dependentRequired", "type"}

# A pointer's part that is the pattern of members.
_BELOW_PATTERN = re.compile(r"(/patternProperties/)([^/]+)")


def rust_pattern(pattern: str) -> str:
    """Return a pattern that Rust's engines read as ECMA-262 reads this one."""
    outside = _OUTSIDE if _EVERY_DOT.search(pattern) else {**_OUTSIDE, ".": _ANY_BUT_LINE_TERMINATORS}
    found: list[str] = []
    is_inside, before, position = False, "", 0
    while match := _TOKEN.match(pattern, position):
        text, kind = match[0], match.lastgroup
        if is_inside and kind == "outside":
            text = text[0]  # a character like any in a class
        position += len(text)
        if kind == "pair":
            found.append(chr(0x10000 + ((int(text[2:6], 16) & 0x3FF) << 10) + (int(text[8:], 16) & 0x3FF)))
        elif kind == "control":
            found.append(f"\\x{ord(text[2]) % 32:02x}")
        elif not is_inside:
            found.append(outside.get(text, text))
            is_inside = text == "["
        elif text == "-" and (_CLASS.match(before) or _CLASS.match(pattern, position)):
            found.append(r"\-")
        else:
            found.append(_INSIDE.get(text, text))
            is_inside = text != "]"
        before = text
    return "".join(found)


def with_rust_patterns(schema: Any, originals: dict[str, str]) -> Any:
    """Return a copy of the schema with its patterns as Rust reads them.

    Args:
        originals: gets each pattern that is spelled otherwise, with what it was.
    """
    found = [schema]
    waiting: list[tuple[Any, Any]] = [(found, 0)]
    while waiting:
        holder, place = waiting.pop()
        value = holder[place]
        if isinstance(value, list):
            holder[place] = copied = value.copy()
            waiting += [(copied, index) for index in range(len(copied))]
        elif isinstance(value, dict):
            holder[place] = members = value.copy()
            for keyword, said in value.items():
                if isinstance(said, str):
                    members[keyword] = _spelled_text(keyword, said, originals)
                elif keyword in _BY_NAME and isinstance(said, dict):
                    members[keyword] = named = _spelled_names(said, originals, keyword == "patternProperties")
                    waiting += [(named, name) for name in named]
                elif keyword not in _VALUES:
                    waiting.append((members, keyword))
    return found[0]


def _spelled_text(keyword: str, text: str, originals: dict[str, str]) -> str:
    if keyword == "pattern":
        return _spelled(text, originals)
    if keyword == "$ref":
        return _BELOW_PATTERN.sub(lambda match: match[1] + _spelled_part(match[2], originals), text)
    return text


def _spelled_names(schemas: dict[str, Any], originals: dict[str, str], are_patterns: bool) -> dict[str, Any]:
    if not are_patterns:
        return schemas.copy()
    spelled = {_spelled(pattern, originals): schema for pattern, schema in schemas.items()}
    # Two patterns that came to be one would be one keyword less.
    return spelled if len(spelled) == len(schemas) else schemas.copy()


def _spelled_part(part: str, originals: dict[str, str]) -> str:
    """Return a part of a JSON Pointer in a URI."""
    pattern = unquote(part).replace("~1", "/").replace("~0", "~")
    return quote(_spelled(pattern, originals).replace("~", "~0").replace("/", "~1"), safe="~")


def _spelled(pattern: str, originals: dict[str, str]) -> str:
    spelled = rust_pattern(pattern)
    if spelled == pattern:
        return pattern
    originals[spelled] = pattern
    return spelled
