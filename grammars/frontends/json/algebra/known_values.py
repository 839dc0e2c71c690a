"""Rules of values from earlier parts of a network, for parts whose schemas have the same text."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from grammars.frontends.base import spelled_out
from grammars.frontends.json.document.document import Subschema
from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.meaning.keywords import how_held
from grammars.frontends.json.meaning.type_bounds import Conjunction
from grammars.network.builder import NetworkBuilder

# What these say, they say wherever they occur.
_PLAIN = {
    *("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems"),
}
_ANNOTATIONS = {"title", "description", "default", "example", "examples", "deprecated", "$comment"}


class KnownValues:
    """Rules of values, found again by the text of schemas that depends on nothing else.

    Args:
        options: how the schemas are read.
    """

    def __init__(self, builder: NetworkBuilder, options: JsonOptions) -> None:
        self._builder = builder
        self._options = spelled_out(options)
        self._annotations = _ANNOTATIONS if options.formats == "assert" else _ANNOTATIONS | {"format"}

    def of(self, terms: Conjunction, use: Hashable, make: Callable[[Conjunction], int | None]) -> int | None:
        """Return the rule that `make` makes of the conjunction, or made of one with the same text for the same use."""
        builder, subschema = self._builder, terms[0] if len(terms) == 1 else None
        new = builder.new_values
        if (
            new is None
            or type(subschema) is not Subschema
            or subschema.is_noted
            or subschema.resource.vocabularies is not None
        ):
            return make(terms)
        if subschema.words is None:
            notes: list[str] = []
            subschema.words = self._words(subschema.schema, subschema.pointer, notes) or ""
            if subschema.words:
                builder.note_all(notes)
        if not subschema.words:
            return make(terms)
        key, known = (subschema.words, use, self._options, subschema.resource.dialect), builder.known_values
        if key in known:
            return known[key]
        new[key] = found = make(terms)
        return found

    def _words(self, schema: Any, pointer: str, notes: list[str]) -> str | None:
        """Return an equal key for schemas with equal text; None if a schema's place may matter.

        Args:
            notes: get what the report says of the keywords.
        """
        if type(schema) is not dict:
            return repr(schema) if type(schema) is bool else None
        found = []
        for keyword, value in schema.items():
            if keyword in self._annotations:
                continue
            said: str | None = None
            if keyword in _PLAIN:
                said = repr(value)
            elif keyword == "items":
                said = self._words(value, f"{pointer}/items", notes)
            elif keyword == "anyOf" and type(value) is list:
                each = [self._words(one, f"{pointer}/anyOf/{index}", notes) for index, one in enumerate(value)]
                said = None if None in each else repr(each)
            if said is None:
                return None
            notes += (pointer, keyword, how_held(keyword, value))
            found.append(f"{keyword} {said}")
        return "|".join(found)
