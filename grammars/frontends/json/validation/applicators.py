"""Keywords that apply other schemas to the same value: logic and references.

What a schema evaluates counts only where it holds: a branch that may fail collects for itself and is taken over after.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document import Site
from grammars.frontends.json.forms import bad
from grammars.frontends.json.validation.compilation import Compilation, Maker, Subschema
from grammars.frontends.json.validation.evaluation import Check, Evaluated, Scope


def all_of(compilation: Compilation, site: Site, value: Any) -> Check:
    schemas = compilation.children(site, value, "allOf")

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(len(schemas))
        for schema in schemas:
            if not schema.check(value, scope, seen):
                return False
        return True

    return check


def any_of(compilation: Compilation, site: Site, value: Any) -> Check:
    schemas = compilation.children(site, value, "anyOf")

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(len(schemas))
        if seen is None:
            for schema in schemas:
                if schema.check(value, scope, None):
                    return True
            return False
        holds = False
        for schema in schemas:
            own = Evaluated()
            if schema.check(value, scope, own):
                seen.update(own)
                holds = True
        return holds

    return check


def one_of(compilation: Compilation, site: Site, value: Any) -> Check:
    schemas = compilation.children(site, value, "oneOf")

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(len(schemas))
        holds = False
        found: Evaluated | None = None
        for schema in schemas:
            own = None if seen is None else Evaluated()
            if schema.check(value, scope, own):
                if holds:
                    return False
                holds, found = True, own
        if seen is not None and found is not None:
            seen.update(found)
        return holds

    return check


def not_(compilation: Compilation, site: Site, value: Any) -> Check:
    schema = compilation.child(site, value, "not")
    return lambda value, scope, seen: not schema.check(value, scope, None)


def if_(compilation: Compilation, site: Site, value: Any) -> Check:
    condition = compilation.child(site, value, "if")
    then = compilation.child(site, site.schema.get("then", True), "then")
    otherwise = compilation.child(site, site.schema.get("else", True), "else")

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        scope.spend(2)
        own = None if seen is None else Evaluated()
        if not condition.check(value, scope, own):
            return otherwise.check(value, scope, seen)
        if seen is not None and own is not None:
            seen.update(own)
        return then.check(value, scope, seen)

    return check


def ref(compilation: Compilation, site: Site, value: Any) -> Check:
    target = compilation.reached(site.resource, compilation.document.resolve(site, value))
    return _referring(target, site.pointer + "/$ref")


def _referring(target: Subschema, where: str) -> Check:
    """Asks the target once for each value and scope, so that chains of references cost what they are long."""

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        known = scope.evaluation.known
        key = (target, id(value), scope, seen is None)
        if key not in known:
            scope.spend(1)
            known[key] = None
            own = None if seen is None else Evaluated()
            answer = known[key] = (target.check(value, scope, own), own)
        else:
            found = known[key]
            if found is None:
                raise InvalidGrammarError("a reference leads back to itself without going into the value", where)
            answer = found
        if answer[0] and seen is not None and answer[1] is not None:
            seen.update(answer[1])
        return answer[0]

    return check


def dynamic_ref(compilation: Compilation, site: Site, value: Any) -> Check:
    """The outermost schema in scope with the same dynamic anchor, if the reference leads to such an anchor at all."""
    first = compilation.document.resolve(site, value)
    name = unquote(value.partition("#")[2])
    if not name or name.startswith("/") or compilation.document.dynamic(first.resource, name) is not first:
        return ref(compilation, site, value)
    return _dynamically(compilation, site, first, name, "/$dynamicRef")


def recursive_ref(compilation: Compilation, site: Site, value: Any) -> Check:
    """The outermost schema in scope that allows it, if this one does."""
    if value != "#":
        bad(site, "$recursiveRef", '"#"')
    first = compilation.document.resolve(site, value)
    if compilation.document.dynamic(first.resource, "") is not first:
        return ref(compilation, site, value)
    return _dynamically(compilation, site, first, "", "/$recursiveRef")


def _dynamically(compilation: Compilation, site: Site, first: Site, name: str, keyword: str) -> Check:
    where = site.pointer + keyword
    document = compilation.document
    checks: dict[Site, Check] = {}

    def meet() -> None:
        for target in [first, *document.dynamic_sites(name)]:
            if target not in checks:
                checks[target] = _referring(compilation.reached(site.resource, target), where)

    compilation.when_met.append(meet)

    def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
        for resource in scope.resources:
            target = document.dynamic(resource, name)
            if target is not None:
                return checks[target](value, scope, seen)
        return checks[first](value, scope, seen)

    return check


def unevaluated(keyword: str) -> Maker:
    """The maker of the check of what no other keyword has evaluated of an array or object."""

    def make(compilation: Compilation, site: Site, value: Any) -> Check:
        schema = compilation.child(site, value, keyword)

        def check(value: Any, scope: Scope, seen: Evaluated | None) -> bool:
            assert seen is not None
            scope.spend(1 + len(value))
            for key, item in value.items() if type(value) is dict else enumerate(value):
                if key not in seen and not schema.check(item, scope, None):
                    return False
            seen.update(value if type(value) is dict else range(len(value)))
            return True

        return check

    return make
