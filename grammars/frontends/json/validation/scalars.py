"""Keywords that look at a value as a whole: its type, its equals, its size as a number or a text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from grammars.frontends.json.document import Site
from grammars.frontends.json.forms import bad, count, number
from grammars.frontends.json.validation.compilation import Compilation
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope
from grammars.frontends.json.validation.formats import NAMES, format_holds
from grammars.frontends.json.validation.values import canonical, is_multiple, is_whole

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


def minimum(compilation: Compilation, site: Site, value: Any) -> Check:
    bound = number(site, "minimum", value)
    if _is_open(site, "exclusiveMinimum"):
        return lambda value, scope, seen: value > bound
    return lambda value, scope, seen: value >= bound


def maximum(compilation: Compilation, site: Site, value: Any) -> Check:
    bound = number(site, "maximum", value)
    if _is_open(site, "exclusiveMaximum"):
        return lambda value, scope, seen: value < bound
    return lambda value, scope, seen: value <= bound


def _is_open(site: Site, keyword: str) -> bool:
    return site.resource.dialect == 4 and site.schema.get(keyword) is True


def exclusive_minimum(compilation: Compilation, site: Site, value: Any) -> Check | None:
    if isinstance(value, bool) and site.resource.dialect == 4:
        return None
    bound = number(site, "exclusiveMinimum", value)
    return lambda value, scope, seen: value > bound


def exclusive_maximum(compilation: Compilation, site: Site, value: Any) -> Check | None:
    if isinstance(value, bool) and site.resource.dialect == 4:
        return None
    bound = number(site, "exclusiveMaximum", value)
    return lambda value, scope, seen: value < bound


def multiple_of(compilation: Compilation, site: Site, value: Any) -> Check:
    of = number(site, "multipleOf", value)
    if of <= 0:
        bad(site, "multipleOf", "a number greater than 0")
    return lambda value, scope, seen: is_multiple(value, of)


def not_multiple_of(compilation: Compilation, site: Site, value: Any) -> Check:
    return lambda number, scope, seen: not is_multiple(number, value)


def min_length(compilation: Compilation, site: Site, value: Any) -> Check:
    least = count(site, "minLength", value)
    return lambda value, scope, seen: len(value) >= least


def max_length(compilation: Compilation, site: Site, value: Any) -> Check:
    most = count(site, "maxLength", value)
    return lambda value, scope, seen: len(value) <= most


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
