"""The styles in which programmers name tools and arguments."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from embedded_model.data import words as w
from embedded_model.data.source import Source
from embedded_model.data.toolspec import ToolSpec

NAMESPACES = (
    "api", "app", "calendar", "crm", "db", "files", "git", "home", "mail", "shop", "system", "tools", "travel", "user",
    "web", "work", "github", "slack", "notion", "mcp", "functions", "billing", "media", "maps",
)  # fmt: skip


def camel(name: str) -> str:
    """`get_user_name` as `getUserName`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def pascal(name: str) -> str:
    """`get_user_name` as `GetUserName`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def kebab(name: str) -> str:
    """`get_user_name` as `get-user-name`."""
    return name.replace("_", "-")


def _namespace(source: Source) -> str:
    return source.pick(NAMESPACES if source.chance(0.7) else w.THINGS_OF_LIFE)


def _spaced(separator: str) -> Callable[[str, Source], str]:
    return lambda name, source: f"{_namespace(source)}{separator}{name}"


def _dotted(name: str, source: Source) -> str:
    verb, _, noun = name.partition("_")
    return f"{noun}.{verb}" if noun and source.chance(0.5) else f"{_namespace(source)}.{name}"


_STYLES: tuple[tuple[float, Callable[[str, Source], str]], ...] = (
    (0.46, lambda name, source: name),
    (0.18, lambda name, source: camel(name)),
    (0.05, lambda name, source: pascal(name)),
    (0.06, lambda name, source: kebab(name)),
    (0.12, _dotted),
    (0.04, lambda name, source: f"{_namespace(source)}.{camel(name)}"),
    (0.06, _spaced("__")),
    (0.03, _spaced("-")),
)


def style(spec: ToolSpec, source: Source) -> ToolSpec:
    """The tool as another programmer would name it; its arguments follow in camel case where its name does.

    The phrases and clauses keep referring to the arguments: their places are renamed along.
    """
    (rename,) = source.choices([rename for _, rename in _STYLES], [weight for weight, _ in _STYLES])
    name = rename(spec.name, source)
    if camel(spec.name) not in name or "_" not in "".join(p.key for p in spec.parameters):
        return replace(spec, name=name)
    return replace(spec, name=name).renamed({p.key: camel(p.key) for p in spec.parameters})


@lru_cache(maxsize=1 << 16)
def name_parts(name: str) -> frozenset[str]:
    """The words of a name in any style, in lower case."""
    spaced = "".join(f"_{letter}" if letter.isupper() else letter for letter in name)
    return frozenset(part.lower() for part in re.split(r"[_.\-]+", spaced) if part)
