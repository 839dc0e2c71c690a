"""Strings, numbers and given values that nothing but their own keywords narrows, without a document around them."""

from __future__ import annotations

from typing import Any

from grammars.errors import TooComplexError
from grammars.frontends.json.bundle import (
    BOOLEAN,
    KINDS,
    NULL,
    NUMBER,
    STRING,
    Bundle,
    is_all_plain,
    is_plain,
    of_types,
)
from grammars.frontends.json.decoding import decoded
from grammars.frontends.json.document import Resource, Site
from grammars.frontends.json.keywords import ACTIVE, narrowing
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.library import Library
from grammars.frontends.json.numbers import emit_numbers
from grammars.frontends.json.options import JsonOptions
from grammars.frontends.json.plain_text import Hole, PlainText
from grammars.frontends.json.pointers import pointer_to
from grammars.frontends.json.strings import emit_strings
from grammars.frontends.json.values import emit_values
from grammars.network.builder import NetworkBuilder

_OF_VALUES = {"enum", "const"}
_OF_SCALARS = {
    "type", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", *_OF_VALUES,
}  # fmt: skip
_ELSEWHERE = ACTIVE - _OF_SCALARS
_NAMED = (str, list)


class ScalarEmitter:
    """Emits holes of a plain text.

    Args:
        builder: has the rules of plain values, laid out as "bounded".
        plain: whose holes they are.
    """

    def __init__(self, builder: NetworkBuilder, plain: PlainText, options: JsonOptions) -> None:
        self._builder = builder
        self._text = plain.text
        self._elsewhere = _ELSEWHERE if plain.is_one_resource else _ELSEWHERE | {"$id", "id"}
        self._resource = Resource(None, "", plain.dialect, "")
        self._narrows = narrowing(plain.dialect, options.formats == "assert")
        self._layout = Layout(builder, options.whitespace)
        self._library = Library(builder, self._layout)

    def fill(self, hole: Hole) -> bool:
        """Emits the hole's values, from its rule on; False: others have to do that."""
        schema = decoded(self._text, hole.begin)
        if (
            type(schema) is not dict
            or not self._elsewhere.isdisjoint(schema)
            or type(schema.get("type", "")) not in _NAMED
        ):
            return False
        site = Site(schema, pointer_to(hole.way), self._resource)
        bundle, notes = self._narrowed(site)
        builder, rule = self._builder, hole.rule
        if bundle.enum is None:
            for kind in KINDS[bundle.types]:
                self._fill(bundle, kind, rule, site.pointer)
        elif is_all_plain(bundle):
            most = builder.limits.max_enum_values
            if len(bundle.enum) > most:
                raise TooComplexError("max_enum_values", len(bundle.enum), most)
            emit_values(builder, self._layout, of_types(bundle.enum, bundle.types), rule, self._library.end)
        else:
            return False
        builder.note_all(notes)
        return True

    def _narrowed(self, site: Site) -> tuple[Bundle, list[str]]:
        """What the schema says, and notes of its keywords."""
        bundle, notes = Bundle(), list[str]()
        document: Any = None  # which keywords of these kinds have no need of
        for keyword, value in site.schema.items():
            narrow = self._narrows.get(keyword)
            if narrow is not None:
                narrow(document, site, value, bundle)
                notes += (site.pointer, keyword, "mask")
        return bundle, notes

    def _fill(self, bundle: Bundle, kind: int, start: int, pointer: str) -> None:
        builder, end = self._builder, self._library.end
        if kind in (NULL, BOOLEAN):
            emit_values(builder, self._layout, [None] if kind == NULL else [True, False], start, end)
        elif is_plain(bundle, kind):
            builder.call(start, self._library.values(kind), end)
        elif kind == STRING:
            emit_strings(builder, bundle, start, end)
        else:
            assert kind & NUMBER
            emit_numbers(builder, bundle, kind, start, end, pointer)
