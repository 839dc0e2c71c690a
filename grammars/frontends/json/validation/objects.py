"""Keywords of objects."""

from __future__ import annotations

from typing import Any

from grammars.frontends.json.document import Site
from grammars.frontends.json.forms import count, names, table
from grammars.frontends.json.validation.compilation import Compilation, Pattern, Subschema
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope


def members(compilation: Compilation, site: Site, value: Any) -> Check:
    """`properties`, `patternProperties` and `additionalProperties` together."""
    schema = site.schema
    properties = table(site, "properties", schema.get("properties", {}))
    patterns = table(site, "patternProperties", schema.get("patternProperties", {}))
    child = compilation.child
    named = {name: child(site, subschema, "properties", name) for name, subschema in properties.items()}
    where = f"{site.pointer}/patternProperties"
    searched = [
        (compilation.pattern(pattern, where), child(site, subschema, "patternProperties", pattern))
        for pattern, subschema in patterns.items()
    ]
    if "additionalProperties" in schema:
        return _members(named, searched, child(site, schema["additionalProperties"], "additionalProperties"))
    return _members(named, searched, None) if searched else _properties(named)


def _properties(named: dict[str, Subschema]) -> Check:
    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(1 + len(value))
        for name, item in value.items():
            schema = named.get(name)
            if schema is not None:
                if not schema.check(item, scope, None):
                    return False
                if seen is not None:
                    seen.names.add(name)
        return True

    return check


def _members(
    named: dict[str, Subschema], searched: list[tuple[Pattern, Subschema]], additional: Subschema | None
) -> Check:
    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(1 + len(value) * (1 + len(searched)))
        for name, item in value.items():
            schema = named.get(name)
            is_named = schema is not None
            if schema is not None and not schema.check(item, scope, None):
                return False
            for pattern, other in searched:
                if pattern.is_in(name, scope.spend):
                    is_named = True
                    if not other.check(item, scope, None):
                        return False
            if not is_named:
                if additional is None:
                    continue
                if not additional.check(item, scope, None):
                    return False
            if seen is not None:
                seen.names.add(name)
        return True

    return check


def unevaluated_properties(compilation: Compilation, site: Site, value: Any) -> Check:
    schema = compilation.child(site, value, "unevaluatedProperties")

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        assert seen is not None
        scope.spend(1 + len(value))
        evaluated = seen.names
        for name, item in value.items():
            if name not in evaluated and not schema.check(item, scope, None):
                return False
        evaluated.update(value)
        return True

    return check


def property_names(compilation: Compilation, site: Site, value: Any) -> Check:
    schema = compilation.child(site, value, "propertyNames")

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(1 + len(value))
        for name in value:
            if not schema.check(name, scope, None):
                return False
        return True

    return check


def exists(compilation: Compilation, site: Site, value: Any) -> Check:
    """Some pair of a name's and a value's schema is met by some member; only complements say this."""
    wanted, item_schema = (compilation.child(site, schema, "propertyNames") for schema in value)

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(1 + len(value))
        for name, item in value.items():
            if wanted.check(name, scope, None) and item_schema.check(item, scope, None):
                return True
        return False

    return check


def required(compilation: Compilation, site: Site, value: Any) -> Check:
    needed = names(site, "required", value)

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(len(needed))
        for name in needed:
            if name not in value:
                return False
        return True

    return check


def min_properties(compilation: Compilation, site: Site, value: Any) -> Check:
    least = count(site, "minProperties", value)
    return lambda value, scope, seen: len(value) >= least


def max_properties(compilation: Compilation, site: Site, value: Any) -> Check:
    most = count(site, "maxProperties", value)
    return lambda value, scope, seen: len(value) <= most


def dependencies(compilation: Compilation, site: Site, value: Any) -> Check:
    """`dependencies`: names or a schema for each."""
    entries = table(site, "dependencies", value)
    lists = {name: entry for name, entry in entries.items() if isinstance(entry, list)}
    schemas = {name: entry for name, entry in entries.items() if not isinstance(entry, list)}
    strings = {name: [entry] for name, entry in schemas.items() if isinstance(entry, str)}
    schemas = {name: entry for name, entry in schemas.items() if name not in strings}
    by_names = _dependent_names(site, "dependencies", {**lists, **strings})
    by_schemas = _dependent_schemas(compilation, site, "dependencies", schemas)
    return lambda value, scope, seen: by_names(value, scope, seen) and by_schemas(value, scope, seen)


def dependent_required(compilation: Compilation, site: Site, value: Any) -> Check:
    return _dependent_names(site, "dependentRequired", table(site, "dependentRequired", value))


def dependent_schemas(compilation: Compilation, site: Site, value: Any) -> Check:
    return _dependent_schemas(compilation, site, "dependentSchemas", table(site, "dependentSchemas", value))


def _dependent_names(site: Site, keyword: str, entries: dict[str, Any]) -> Check:
    needed = [(name, names(site, keyword, entry)) for name, entry in entries.items()]

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(len(needed))
        for name, others in needed:
            if name in value:
                scope.spend(len(others))
                for other in others:
                    if other not in value:
                        return False
        return True

    return check


def _dependent_schemas(compilation: Compilation, site: Site, keyword: str, entries: dict[str, Any]) -> Check:
    schemas = [(name, compilation.child(site, entry, keyword, name)) for name, entry in entries.items()]

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(len(schemas))
        for name, schema in schemas:
            if name in value and not schema.check(value, scope, seen):
                return False
        return True

    return check
