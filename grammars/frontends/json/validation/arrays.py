"""Keywords of arrays."""

from __future__ import annotations

from typing import Any

from grammars.frontends.json.decoding import canonical
from grammars.frontends.json.document import Site
from grammars.frontends.json.forms import bad, count
from grammars.frontends.json.validation.compilation import Compilation, Subschema
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope


def items(compilation: Compilation, site: Site, value: Any) -> Check | None:
    """`prefixItems`, `items` and `additionalItems` together."""
    schema, dialect = site.schema, site.resource.dialect
    positions: Any = []
    rest, keyword = schema.get("items"), "items"
    if dialect >= 2020:
        positions = schema.get("prefixItems", [])
        if isinstance(rest, list):
            bad(site, "items", "a schema")
    elif isinstance(rest, list):
        positions, rest, keyword = rest, schema.get("additionalItems"), "additionalItems"
    prefix = compilation.children(site, positions, "prefixItems" if dialect >= 2020 else "items")
    after = None if rest is None else compilation.child(site, rest, keyword)
    return None if after is None and not prefix else _items(prefix, after)


def _items(prefix: list[Subschema], rest: Subschema | None) -> Check:
    start = len(prefix)

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        number = min(start, len(value)) if rest is None else len(value)
        scope.spend(1 + number)
        for schema, item in zip(prefix, value, strict=False):
            if not schema.check(item, scope, None):
                return False
        if rest is not None:
            test = rest.check
            for item in value[start:] if start else value:
                if not test(item, scope, None):
                    return False
        if seen is not None:
            seen.update(range(number))
        return True

    return check


def contains(compilation: Compilation, site: Site, value: Any) -> Check:
    """`contains` with `minContains` and `maxContains`; from 2020-12 on it evaluates the items that it finds."""
    schema, dialect = site.schema, site.resource.dialect
    vocabularies = site.resource.vocabularies
    least, most = 1, None
    if dialect >= 2019 and (vocabularies is None or "validation" in vocabularies):
        least = count(site, "minContains", schema.get("minContains", 1))
        if "maxContains" in schema:
            most = count(site, "maxContains", schema["maxContains"])
    wanted = compilation.child(site, value, "contains")
    evaluates = dialect >= 2020

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(1 + len(value))
        found = []
        for index, item in enumerate(value):
            if wanted.check(item, scope, None):
                found.append(index)
                if most is not None and len(found) > most:
                    return False
        if len(found) < least:
            return False
        if seen is not None and evaluates:
            seen.update(found)
        return True

    return check


def repeats(compilation: Compilation, site: Site, value: Any) -> Check:
    are_unique = unique_items(compilation, site, value)
    assert are_unique is not None
    return lambda value, scope, seen: not are_unique(value, scope, None)


def unique_items(compilation: Compilation, site: Site, value: Any) -> Check | None:
    if not isinstance(value, bool):
        bad(site, "uniqueItems", "a boolean")
    if not value:
        return None

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        known = set()
        for item in value:
            known.add(canonical(item, scope.spend))
        scope.spend(1 + len(value))
        return len(known) == len(value)

    return check
