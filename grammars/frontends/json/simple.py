"""Objects, arrays and lists of words whose schemas leave nothing to combine: read and emitted in one pass.

Most schemas are such, all the way down. What is emitted is what their bundles would come to, in a tenth of the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from grammars.errors import TooComplexError
from grammars.frontends.json.arrays import emit_array
from grammars.frontends.json.bundle import ANY_TYPE, TYPES, Goal
from grammars.frontends.json.document import Document, Site
from grammars.frontends.json.keywords import ACTIVE
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.library import Library
from grammars.frontends.json.objects import declared_member, emit_object
from grammars.frontends.json.options import JsonOptions
from grammars.frontends.json.values import emit_values
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

_OBJECT = frozenset(("properties", "required", "additionalProperties"))
_ARRAY = frozenset(("items", "minItems", "maxItems"))
_NOTED = {"type", "enum", *_OBJECT, *_ARRAY}
# What else a schema must not say.
_BESIDE_OBJECT, _BESIDE_ARRAY, _BESIDE_ENUM = ACTIVE - _OBJECT, ACTIVE - _ARRAY, ACTIVE - {"enum"}
_SCHEMA, _WORDS = {dict, bool}, {str}

RuleOf = Callable[[Goal], int | None]


def is_simple(schema: dict[str, Any], limits: Limits) -> bool:
    """Whether `SimpleEmitter` can emit the schema; one with keywords of wrong forms is for others to refuse."""
    kind = schema.get("type")
    if kind == "object":
        return (
            _BESIDE_OBJECT.isdisjoint(schema)
            and type(schema.get("properties", {})) is dict
            and type(schema.get("additionalProperties", True)) in _SCHEMA
            and ("required" not in schema or _is_list_of_words(schema["required"]))
        )
    if kind == "array":
        low, high = schema.get("minItems", 0), schema.get("maxItems", 0)
        return (
            _BESIDE_ARRAY.isdisjoint(schema)
            and type(schema.get("items")) in _SCHEMA
            and type(low) is type(high) is int
            and min(low, high) >= 0
        )
    words = schema.get("enum")
    return (
        _is_list_of_words(words)
        and 0 < len(words) <= limits.max_enum_values
        and (kind == "string" or "type" not in schema)
        and _BESIDE_ENUM.isdisjoint(schema)
    )


def _is_list_of_words(value: Any) -> TypeGuard[list[str]]:
    return type(value) is list and set(map(type, value)) <= _WORDS


class SimpleEmitter:
    """Emits schemas that are simple.

    Args:
        builder, document, layout, library, options: those of the `Emitter`.
    """

    def __init__(
        self, builder: NetworkBuilder, document: Document, layout: Layout, library: Library, options: JsonOptions
    ) -> None:
        self._num_left = builder.limits.max_subschemas
        self._builder = builder
        self._document = document
        self._layout = layout
        self._library = library
        self._options = options

    def plain_types(self, site: Site) -> int | None:
        """The types of a schema that says at most `type`; None for any other."""
        schema, types = site.schema, 0
        if type(schema) is not dict or not ACTIVE.isdisjoint(schema):
            return None
        if "type" not in schema:
            return ANY_TYPE
        name = schema["type"]
        for each in name if type(name) is list else (name,):
            kind = TYPES.get(each) if type(each) is str else None
            if kind is None:
                return None
            types |= kind
        if types and not site.is_noted:
            self._builder.note_all((site.pointer, "type", "mask"))
            site.is_noted = True
        return types or None

    def fill(self, site: Site, start: int, rule_of: RuleOf) -> None:
        """Emits the site's values from `start`.

        Args:
            rule_of: the rule of a goal; None where it is plainly unsatisfiable.

        Raises:
            TooComplexError: more schemas than `max_subschemas`.
        """
        if self._num_left == 0:
            most = self._builder.limits.max_subschemas
            raise TooComplexError("max_subschemas", most + 1, most, site.pointer)
        self._num_left -= 1
        schema, end = site.schema, self._library.end
        if not site.is_noted:
            site.is_noted = True
            notes: list[str] = []
            for keyword in schema:
                if keyword in _NOTED:
                    notes += (site.pointer, keyword, "mask")
            self._builder.note_all(notes)
        if "enum" in schema:
            emit_values(self._builder, self._layout, schema["enum"], start, end)
        elif schema["type"] == "object":
            self._fill_object(site, start, end, rule_of)
        else:
            low, high = schema.get("minItems", 0), schema.get("maxItems")
            item = None if high == 0 else rule_of((self._document.child(site, schema["items"], "items"),))
            emit_array(self._builder, self._layout, [], item, low, high, start, end)

    def _fill_object(self, site: Site, start: int, end: int, rule_of: RuleOf) -> None:
        builder, layout, document, schema = self._builder, self._layout, self._document, site.schema
        declared = document.children(site, "properties", schema["properties"]) if schema.get("properties") else {}
        required = dict.fromkeys(schema.get("required", ()))
        additional = schema.get("additionalProperties")
        rest: Goal = () if additional is None else (document.child(site, additional, "additionalProperties"),)
        names, members = [*declared], []
        for name, literal in declared.items():
            # Most members say no more than a type.
            types = self.plain_types(literal)
            value = rule_of((literal,)) if types is None else self._library.values(types)
            if value is not None:
                members.append((declared_member(builder, layout, name, value, end), name in required))
            elif name in required:
                return
        for name in required:
            if name not in declared:
                value = rule_of(rest)
                if value is None:
                    return
                names.append(name)
                members.append((declared_member(builder, layout, name, value, end), True))
        others = None
        if additional is not False and (rest or self._options.additional_properties_default):
            value = rule_of(rest)
            others = None if value is None else self._library.others.rule(None, names, value)
        num_ordered = len(members) if self._options.property_order == "schema" else 0
        emit_object(builder, layout, members, others, 0, None, start, end, num_ordered)
