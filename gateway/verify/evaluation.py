"""Memoised validation: each schema is evaluated once per place of the value.

`jsonschema-rs` looks at a schema as often as references lead to it, which may double with each reference. An evaluation
asks it about the keywords that say something of their own, follows those that lead to other schemas, and remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple, Protocol

from jsonschema_specifications import REGISTRY
from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012, lookup_recursive_ref
from referencing.jsonschema import specification_with as specification_of

_URIS = {
    DRAFT4: "http://json-schema.org/draft-04/schema#",
    DRAFT6: "http://json-schema.org/draft-06/schema#",
    DRAFT7: "http://json-schema.org/draft-07/schema#",
    DRAFT201909: "https://json-schema.org/draft/2019-09/schema",
    DRAFT202012: "https://json-schema.org/draft/2020-12/schema",
}
# In these drafts, siblings of a reference are ignored, and tuples have additional items.
_OLD = (DRAFT4, DRAFT6, DRAFT7)
_REFERENCES = ("$ref", "$recursiveRef", "$dynamicRef")
_LEAVES = frozenset(
    (
        *("type", "enum", "const", "format", "pattern", "minLength", "maxLength", "required", "dependentRequired"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"),
        *("uniqueItems", "minProperties", "maxProperties"),
    )
)

Seen = frozenset[Any]
"""Members or items that a valid schema evaluated: names or positions."""
_NONE: Seen = frozenset()


class Asked(NamedTuple):
    """A schema at a place, as a question."""

    schema: Any
    value: Any
    resolver: Any
    specification: Any

    @property
    def key(self) -> tuple[Any, ...]:
        """Return the key of the question; references may depend on the dynamic scope."""
        return (id(self.schema), id(self.value), *[uri for uri, _ in self.resolver.dynamic_scope()])


Answers = Generator[Asked, Seen | None, Seen | None]


class Validator(Protocol):
    """Decides about a schema without references."""

    def is_valid(self, instance: Any) -> bool: ...


class Evaluation:
    """Validates values against one schema.

    Args:
        schema: the whole schema, a valid one.
        resources: other documents that it may refer to, by URI.
        build: makes the validator of a schema that refers to no other.
    """

    def __init__(self, schema: Any, resources: Mapping[str, Any], build: Callable[[Any], Validator]) -> None:
        self._specification = _specification(schema, DRAFT202012)
        others: Any = REGISTRY.with_contents(resources.items(), default_specification=self._specification)
        self._resolver = others.resolver_with_root(self._specification.create_resource(schema))
        self._schema = schema
        self._build = build
        self._leaves: dict[int, Validator | None] = {}
        self._patterns: dict[str, Validator] = {}

    def is_valid(self, value: Any) -> bool:
        """Return whether the value is valid.

        Raises:
            Unresolvable: A reference has no target.
        """
        return _Look(self).at(Asked(self._schema, value, self._resolver, self._specification)) is not None

    def leaf(self, schema: dict[str, Any], specification: Any) -> Validator | None:
        """Return the validator of the keywords without subschemas; None if there are none."""
        if id(schema) not in self._leaves:
            leaves = {keyword: schema[keyword] for keyword in schema if keyword in _LEAVES}
            whole = {"$schema": _URIS[specification], **leaves}
            self._leaves[id(schema)] = self._build(whole) if leaves else None
        return self._leaves[id(schema)]

    def matches(self, pattern: str, name: str) -> bool:
        """Return whether the pattern is found in the name."""
        if pattern not in self._patterns:
            self._patterns[pattern] = self._build({"pattern": pattern})
        return self._patterns[pattern].is_valid(name)


class _Look:
    """A value with the results for its places."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[Any, Seen | None] = {}

    def at(self, asked: Asked) -> Seen | None:
        """Return what a schema evaluates at a place; None if it is invalid there."""
        # A stack of its own: schemas and values may be nested more deeply than calls may be.
        stack: list[tuple[Any, Answers]] = [(None, _asking(asked))]
        answer: Seen | None = None
        while stack:
            key, place = stack[-1]
            try:
                asked = place.send(answer)
            except StopIteration as ended:
                answer = self._known[key] = ended.value
                stack.pop()
                continue
            if not isinstance(asked.schema, dict):
                answer = _NONE if asked.schema else None
            elif asked.key in self._known:
                answer = self._known[asked.key]
            else:
                self._known[asked.key] = _NONE  # what leads back to itself says nothing
                stack.append((asked.key, _Place(asked).seen(self._evaluation)))
                answer = None
        return answer


def _asking(asked: Asked) -> Answers:
    return (yield asked)


class _Place:
    """A schema at a place of the value, evaluated by asking for other places."""

    def __init__(self, asked: Asked) -> None:
        self._resolver = asked.resolver
        self._specification = _specification(asked.schema, asked.specification)
        self._is_old = self._specification in _OLD
        self._refers_alone = self._is_old and "$ref" in asked.schema
        self._schema = {"$ref": asked.schema["$ref"]} if self._refers_alone else asked.schema
        self._value = asked.value

    def seen(self, evaluation: Evaluation) -> Answers:
        """See `_Look.at`."""
        leaf = None if self._refers_alone else evaluation.leaf(self._schema, self._specification)
        if leaf is not None and not leaf.is_valid(self._value):
            return None
        seen = yield from self._seen_in_place()
        if seen is not None and isinstance(self._value, dict):
            return (yield from self._seen_members(evaluation, self._value, seen))
        if seen is not None and isinstance(self._value, list):
            return (yield from self._seen_items(self._value, seen))
        return seen

    def _of(self, schema: Any, value: Any) -> Asked:
        resolver = self._resolver
        if isinstance(schema, dict) and ("$id" in schema or "id" in schema):
            resolver = resolver.in_subresource(_specification(schema, self._specification).create_resource(schema))
        return Asked(schema, value, resolver, self._specification)

    def _referred(self, keyword: str) -> Asked:
        if keyword == "$recursiveRef":
            found = lookup_recursive_ref(self._resolver)
        else:
            found = self._resolver.lookup(self._schema[keyword])
        return Asked(found.contents, self._value, found.resolver, self._specification)

    def _seen_in_place(self) -> Answers:
        """Return what the schemas applied in place evaluate."""
        schema, value = self._schema, self._value
        required = [self._referred(keyword) for keyword in _REFERENCES if keyword in schema]
        required += [self._of(each, value) for each in schema.get("allOf", ())]
        found: Seen = _NONE
        if "if" in schema:
            seen = yield self._of(schema["if"], value)
            found |= seen or _NONE
            required.append(self._of(schema.get("else" if seen is None else "then", True), value))
        if isinstance(value, dict):
            for name, each in {**schema.get("dependencies", {}), **schema.get("dependentSchemas", {})}.items():
                if name in value:
                    required.append(self._of(value.keys() >= set(each) if isinstance(each, list) else each, value))
        for asked in required:
            seen = yield asked
            if seen is None:
                return None
            found |= seen
        for keyword in ("anyOf", "oneOf"):
            num_held = 0
            for each in schema.get(keyword, ()):
                seen = yield self._of(each, value)
                num_held += seen is not None
                found |= seen or _NONE
            if keyword in schema and (num_held == 0 or (num_held > 1 and keyword == "oneOf")):
                return None
        if "not" in schema and (yield self._of(schema["not"], value)) is not None:
            return None
        return found

    def _seen_members(self, evaluation: Evaluation, members: dict[str, Any], seen: Seen) -> Answers:
        schema = self._schema
        declared, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        local = set()
        for name, member in members.items():
            if "propertyNames" in schema and (yield self._of(schema["propertyNames"], name)) is None:
                return None
            asked = [declared[name]] if name in declared else []
            asked += [each for pattern, each in patterns.items() if evaluation.matches(pattern, name)]
            if not asked and "additionalProperties" in schema:
                asked = [schema["additionalProperties"]]
            for each in asked:
                if (yield self._of(each, member)) is None:
                    return None
                local.add(name)
        return (yield from self._without_unevaluated("unevaluatedProperties", members, seen | local))

    def _seen_items(self, items: list[Any], seen: Seen) -> Answers:
        schema = self._schema
        prefix, rest = schema.get("prefixItems", []), schema.get("items")
        if self._specification != DRAFT202012:
            prefix, rest = (rest, schema.get("additionalItems")) if isinstance(rest, list) else ([], rest)
        local = set(range(len(items) if rest is not None else min(len(prefix), len(items))))
        for index, item in enumerate(items):
            each = prefix[index] if index < len(prefix) else rest
            if each is not None and (yield self._of(each, item)) is None:
                return None
        if "contains" in schema:
            hits = set()
            for index, item in enumerate(items):
                if (yield self._of(schema["contains"], item)) is not None:
                    hits.add(index)
            least, most = (1, None) if self._is_old else (schema.get("minContains", 1), schema.get("maxContains"))
            if len(hits) < least or (most is not None and len(hits) > most):
                return None
            if self._specification == DRAFT202012:
                local |= hits
        return (yield from self._without_unevaluated("unevaluatedItems", dict(enumerate(items)), seen | local))

    def _without_unevaluated(self, keyword: str, parts: Mapping[Any, Any], seen: Seen) -> Answers:
        if keyword not in self._schema or self._is_old:
            return seen
        for key, part in parts.items():
            if key not in seen and (yield self._of(self._schema[keyword], part)) is None:
                return None
        return frozenset(parts)


def _specification(schema: Any, default: Any) -> Any:
    return specification_of(schema.get("$schema", ""), default) if isinstance(schema, dict) else default
