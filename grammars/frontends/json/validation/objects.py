"""Keywords of objects."""

from __future__ import annotations

from typing import Any

from grammars.frontends.json.document import Site
from grammars.frontends.json.forms import names, table
from grammars.frontends.json.validation.compilation import Compilation, Maker, Pattern, Subschema
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
    additional = schema.get("additionalProperties", True)
    is_open = "additionalProperties" not in schema
    return _members(named, searched, None if is_open else child(site, additional, "additionalProperties"))


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
                seen.add(name)
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


def dependent(keyword: str) -> Maker:
    """The maker of the check of what a member brings with it: others, or (of `dependencies`: either) a schema."""

    def make(compilation: Compilation, site: Site, value: Any) -> Check:
        required: list[tuple[str, list[str]]] = []
        schemas: list[tuple[str, Subschema]] = []
        for name, entry in table(site, keyword, value).items():
            is_of_names = keyword == "dependentRequired" or (
                keyword == "dependencies" and isinstance(entry, (list, str))
            )
            if is_of_names:
                is_one = keyword == "dependencies" and isinstance(entry, str)
                required.append((name, [entry] if is_one else names(site, keyword, entry)))
            else:
                schemas.append((name, compilation.child(site, entry, keyword, name)))

        def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
            scope.spend(len(required) + len(schemas))
            for name, others in required:
                if name in value:
                    scope.spend(len(others))
                    if not all(other in value for other in others):
                        return False
            return all(name not in value or schema.check(value, scope, seen) for name, schema in schemas)

        return check

    return make
