"""Types of settings. Their bounds are part of the annotation: loading, errors and documentation read the same ones."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, ValidationError, convert

MAX_INT = (1 << 63) - 1
MAX_SECONDS = 1e9
"""Longest time that every clock and timer can count."""

Count = Annotated[int, Meta(ge=1, le=MAX_INT)]
CountOrZero = Annotated[int, Meta(ge=0, le=MAX_INT)]
Seconds = Annotated[float, Meta(gt=0, le=MAX_SECONDS)]
SecondsOrZero = Annotated[float, Meta(ge=0, le=MAX_SECONDS)]
Price = Annotated[float, Meta(ge=0, le=1e9)]
Port = Annotated[int, Meta(ge=1, le=65535)]
PortOrAny = Annotated[int, Meta(ge=0, le=65535)]
Text = Annotated[str, Meta(min_length=1)]
NamedPath = Annotated[str, Meta(pattern=r"\A[^=\s]{1,256}=.+\Z", description="a name and a path, NAME=PATH")]
Origin = Annotated[
    str,
    Meta(
        pattern=r"\A(\*|[a-z][a-z0-9+.-]*://[^/?#@,\sA-Z]+)\Z",
        description="an origin in lower case without a path (https://app.example) or *",
    ),
]
Device = Annotated[
    str,
    Meta(
        pattern=r"\A(auto|cpu|(cuda|mps|xpu)(:[0-9]+)?)\Z",
        description="auto, cpu, cuda, mps or xpu, the last three with a number (cuda:1) or without",
    ),
]


def check_fields(section: Any) -> None:
    """Return if each field of a dataclass has a value that its annotation allows.

    Raises:
        ValueError: Names the field and what is allowed; the value of a field without `repr` is not shown.
    """
    hints = _hints(section.__class__)
    for field in fields(section):
        value, hint = getattr(section, field.name), hints[field.name]
        try:
            convert(value, hint)
        except ValidationError:
            raise ValueError(f"{field.name} {must_be(hint, value if field.repr else None)}") from None


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def must_be(hint: Any, value: Any = None) -> str:
    """Return the second half of an error: `must be auto or fp8, not 'fp7'`; None leaves the value out."""
    return f"must be {describe_type(hint)}" + ("" if value is None else f", not {value!r}")


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def join_alternatives(names: Sequence[str]) -> str:
    """Return the names as alternatives: `a, b or c`."""
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def without_none(hint: Any) -> Any:
    """Return the type that an optional one has when it is set."""
    if get_origin(hint) in (Union, types.UnionType):
        (inner,) = (member for member in get_args(hint) if member is not types.NoneType)
        return inner
    return hint


def describe_type(hint: Any) -> str:
    """Return the allowed values of a setting in words: `a whole number from 0 to 65535`."""
    hint = without_none(hint)
    if get_origin(hint) is tuple:
        return f"a list, each {describe_type(get_args(hint)[0])}"
    if get_origin(hint) is Literal:
        return join_alternatives(get_args(hint))
    if get_origin(hint) is not Annotated:
        return _KINDS[hint]
    kind, meta = get_args(hint)
    if meta.description is not None:
        return str(meta.description)
    if meta.min_length:
        return "a text that is not empty"
    return f"{_KINDS[kind]} {_range(meta)}"


def _range(meta: Meta) -> str:
    least = f"above {meta.gt:g}" if meta.gt is not None else f"from {meta.ge}"
    most = "" if meta.le == MAX_INT else f" to {meta.le:g}"
    return f"{least}{most}" if most or meta.gt is not None else f"of at least {meta.ge}"
