"""Values of bodies as texts."""

from __future__ import annotations

from typing import Any

import msgspec


def described(name: str, description: str | None) -> str:
    """An option with what it means."""
    return f"{name} ({description})" if description else name


def as_text(value: Any) -> str:
    """A text as it is; anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
