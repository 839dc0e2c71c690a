"""Keywords that look at a value as a whole: its type, its equals, its size as a number or a text."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from grammars.frontends.json.decoding import canonical, is_multiple, is_whole
from grammars.frontends.json.document import Site
from grammars.frontends.json.forms import bad, count, number
from grammars.frontends.json.validation.compilation import Compilation, Maker
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope
from grammars.frontends.json.validation.formats import NAMES, format_holds

_TYPES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, Decimal),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def type_(compilation: Compilation, site: Site, value: Any) -> Check:
    named = value if isinstance(value, list) else [value]
    allowed: set[type] = set()
    for name in named:
        if not isinstance(name, str) or name not in _TYPES:
            bad(site, "type", "one of " + ", ".join(_TYPES))
        allowed.update(_TYPES[name])
    if "integer" not in named or "number" in named or site.resource.dialect == 4:
        # To draft 4 an integer is a number written without a fraction or an exponent.
        return lambda value, scope, seen: type(value) in allowed
    return lambda value, scope, seen: type(value) in allowed or (type(value) is Decimal and is_whole(value))


def enum(compilation: Compilation, site: Site, value: Any) -> Check:
    if not isinstance(value, list):
        bad(site, "enum", "an array")
    return _one_of(value)


def const(compilation: Compilation, site: Site, value: Any) -> Check:
    return _one_of([value])


def not_enum(compilation: Compilation, site: Site, value: Any) -> Check:
    listed = _one_of(list(value))
    return lambda value, scope, seen: not listed(value, scope, None)


def _one_of(values: list[Any]) -> Check:
    kinds = {Decimal if type(value) is int else type(value) for value in values}
    listed = frozenset(map(canonical, values))

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        kind = type(value)
        return (Decimal if kind is int else kind) in kinds and canonical(value, scope.spend) in listed

    return check


def bound(keyword: str, holds: Callable[[Any, Any], bool]) -> Maker:
    """The maker of the check that a number is on the right side of a bound."""
    exclusive = keyword if keyword.startswith("exclusive") else "exclusive" + keyword[0].upper() + keyword[1:]

    def make(compilation: Compilation, site: Site, value: Any) -> Check | None:
        is_draft_4 = site.resource.dialect == 4
        if keyword == exclusive and isinstance(value, bool) and is_draft_4:
            return None  # a companion of the inclusive keyword, which reads it
        limit = number(site, keyword, value)
        if is_draft_4 and site.schema.get(exclusive) is True:
            return lambda value, scope, seen: value != limit and holds(value, limit)
        return lambda value, scope, seen: holds(value, limit)

    return make


def size(keyword: str, holds: Callable[[int, int], bool]) -> Maker:
    """The maker of the check that a text, an array or an object has as many characters, items or members as it may."""

    def make(compilation: Compilation, site: Site, value: Any) -> Check:
        limit = count(site, keyword, value)
        return lambda value, scope, seen: holds(len(value), limit)

    return make


def multiple_of(compilation: Compilation, site: Site, value: Any) -> Check:
    of = number(site, "multipleOf", value)
    if of <= 0:
        bad(site, "multipleOf", "a number greater than 0")
    return lambda value, scope, seen: is_multiple(value, of)


def not_multiple_of(compilation: Compilation, site: Site, value: Any) -> Check:
    return lambda number, scope, seen: not is_multiple(number, value)


def pattern_(compilation: Compilation, site: Site, value: Any) -> Check:
    pattern = compilation.pattern(value, site.pointer + "/pattern")
    return lambda value, scope, seen: pattern.is_in(value, scope.spend)


def not_pattern(compilation: Compilation, site: Site, value: Any) -> Check:
    pattern = compilation.pattern(value, site.pointer + "/pattern")
    return lambda value, scope, seen: not pattern.is_in(value, scope.spend)


def format_(compilation: Compilation, site: Site, value: Any) -> Check | None:
    if not isinstance(value, str):
        bad(site, "format", "text")
    resource = site.resource
    if value not in NAMES or not (compilation.asserts_format or resource.asserts_format):
        return None
    dialect, name = resource.dialect, value

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(1 + len(value))
        return format_holds(name, value, dialect)

    return check
