"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def escape(token: str) -> str:
    """The token as it stands in a pointer."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def pointer_to(way: Sequence[str | int]) -> str:
    """The pointer to where names of members and numbers of items lead."""
    tokens = list(map(str, way))
    path = "/".join(["", *tokens])
    # Most names need no escapes.
    return path if "~" not in path and path.count("/") == len(tokens) else "/".join(["", *map(escape, tokens)])


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
