"""What references are written with: JSON pointers (RFC 6901) and URI references, resolved as RFC 3986 (section 5) says.

The standard library resolves only against schemes that it knows; schemas name themselves with any.
"""

from __future__ import annotations

import re
from typing import Any

_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def escape(token: str) -> str:
    """The token as it stands in a pointer."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def unescape(token: str) -> str:
    """The token that stands so in a pointer."""
    return token.replace("~1", "/").replace("~0", "~")


def step(node: Any, escaped: str) -> Any:
    """What a token of a pointer, as it stands there, leads to from `node`.

    Raises:
        KeyError: nothing stands there.
    """
    token = unescape(escaped)
    if isinstance(node, dict):
        return node[token]
    if isinstance(node, list) and token.isascii() and token.isdigit() and int(token) < len(node):
        return node[int(token)]
    raise KeyError(token)


def resolved(base: str, reference: str) -> tuple[str, str]:
    """The URI that a reference means where `base` is the base, without and then its fragment."""
    scheme, authority, path, query, fragment = _split(reference)
    if scheme is None:
        scheme, base_authority, base_path, base_query, _ = _split(base)
        if authority is None:
            authority = base_authority
            if not path:
                path = base_path
                query = base_query if query is None else query
            elif not path.startswith("/"):
                path = _merged(base_authority, base_path, path)
    return _joined(scheme, authority, _without_dots(path), query), fragment or ""


def _split(uri: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _PARTS.fullmatch(uri)
    assert match is not None  # every part is optional, and together they leave no character out
    scheme, authority, path, query, fragment = match.groups()
    return scheme, authority, path, query, fragment


def _merged(authority: str | None, base_path: str, path: str) -> str:
    if authority is not None and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    segments = path.split("/")
    if "." not in segments and ".." not in segments:
        return path
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    joined = "/".join(kept)
    return joined if joined.startswith("/") or not path.startswith("/") else "/" + joined


def _joined(scheme: str | None, authority: str | None, path: str, query: str | None) -> str:
    start = "" if scheme is None else scheme + ":"
    host = "" if authority is None else "//" + authority
    return start + host + path + ("" if query is None else "?" + query)
