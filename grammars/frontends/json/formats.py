"""The formats that are asserted."""

from __future__ import annotations

from grammars.frontends.regex import Language


def language(name: str) -> Language | None:
    """The strings of a format; None for a name that no dialect knows, which is an annotation."""
    return None
