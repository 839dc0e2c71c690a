"""JSON pointers.

See: RFC 6901, section 3; draft-handrews-relative-json-pointer-01 and draft-bhutton-relative-json-pointer-00.
"""

from __future__ import annotations

import re

_POINTER = "(?:/(?:[^/~]|~[01])*+)*+"
_JSON_POINTER = re.compile(_POINTER)
_RELATIVE = re.compile(f"(?:0|[1-9][0-9]*)(?:#|{_POINTER})")
_RELATIVE_WITH_OFFSET = re.compile(f"(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|{_POINTER})")


def is_json_pointer(value: str) -> bool:
    """RFC 6901 JSON pointer, as text (not as a fragment of a URI)."""
    return _JSON_POINTER.fullmatch(value) is not None


def is_relative_json_pointer(value: str) -> bool:
    """A relative JSON pointer."""
    return _RELATIVE.fullmatch(value) is not None


def is_relative_json_pointer_with_offset(value: str) -> bool:
    """A relative JSON pointer as 2020-12 knows it, which may go to another item of the same array."""
    return _RELATIVE_WITH_OFFSET.fullmatch(value) is not None
