"""Patterns of JSON Schema, which ECMA-262 defines, in the words of Rust's engines, which `jsonschema-rs` asks.

In Rust classes and words are those of Unicode, a dot means line terminators other than a line feed as well, brackets
stand for sets within sets, and what browsers take for plain characters is refused, or means something else. The library
translates some of it, and none in patterns that look around.
"""

from __future__ import annotations

import re
from operator import is_not
from typing import Any
from urllib.parse import quote, unquote

# What stands for classes between brackets.
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
_SAME = {r"\0": r"\x00", r"\<": "<", r"\>": ">"}
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
_CLASS = re.compile(r"\\[dDwWsSpP]")
_TOKEN = re.compile(
    r"""(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})
    |(?P<control>\\c[a-zA-Z])
    |(?P<escape>\\[pPu]\{[^{}]*\}|\\.)
    |(?P<outside>\{[0-9]+(?:,[0-9]*)?\}|\[\^?\])
    |(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)

# Of these, what stands below a name is a schema; of the others that are known here, what they say is no schema.
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
    """Return the schema with its patterns as Rust reads them; itself where that changes nothing.

    Args:
        originals: gets each pattern that is spelled otherwise, with what it was.
    """
    if isinstance(schema, list):
        items = [with_rust_patterns(item, originals) for item in schema]
        return items if any(map(is_not, items, schema)) else schema
    if not isinstance(schema, dict):
        return schema
    found = {keyword: _spelled_value(keyword, value, originals) for keyword, value in schema.items()}
    return found if any(map(is_not, found.values(), schema.values())) else schema


def _spelled_value(keyword: str, value: Any, originals: dict[str, str]) -> Any:
    if keyword == "pattern" and isinstance(value, str):
        return _spelled(value, originals)
    if keyword == "$ref" and isinstance(value, str) and _BELOW_PATTERN.search(value):
        return _BELOW_PATTERN.sub(lambda match: match[1] + _spelled_part(match[2], originals), value)
    if keyword in _BY_NAME and isinstance(value, dict):
        is_pattern = keyword == "patternProperties"
        names = [_spelled(name, originals) if is_pattern else name for name in value]
        schemas = [with_rust_patterns(one, originals) for one in value.values()]
        changed = any(map(is_not, names, value)) or any(map(is_not, schemas, value.values()))
        # Two patterns that come to be one would be one keyword less.
        return dict(zip(names, schemas, strict=True)) if changed and len(set(names)) == len(names) else value
    return value if keyword in _VALUES else with_rust_patterns(value, originals)


def _spelled_part(part: str, originals: dict[str, str]) -> str:
    """A part of a JSON Pointer in a URI."""
    pattern = unquote(part).replace("~1", "/").replace("~0", "~")
    return quote(_spelled(pattern, originals).replace("~", "~0").replace("/", "~1"), safe="~")


def _spelled(pattern: str, originals: dict[str, str]) -> str:
    spelled = rust_pattern(pattern)
    if spelled == pattern:
        return pattern
    originals[spelled] = pattern
    return spelled
