"""Rules that every schema shares, built once in each network: whitespace, plain values of each type."""

from __future__ import annotations

from functools import cache

import numpy as np

from grammars.frontends.json.arrays import emit_array
from grammars.frontends.json.bundle import ANY_TYPE, ARRAY, BOOLEAN, INTEGER, KINDS, NULL, NUMBER, OBJECT, STRING
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.numbers import emit_plain_integer, emit_plain_number
from grammars.frontends.json.objects import OtherMembers, emit_object
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment
from grammars.network.guards import UNIQUE
from grammars.network.network import Ints
from grammars.network.units import UnitClass

_QUOTE = 0x22
_BRACKETS = b"]}"


class Library:
    """Gives out the shared rules of one network.

    Args:
        builder: of the network.
        layout: where whitespace may stand.

    Attributes:
        end: where every rule ends.
        others: members that are not declared.
    """

    def __init__(self, builder: NetworkBuilder, layout: Layout) -> None:
        self._builder = builder
        self._layout = layout
        self._rules: dict[int, int] = {}
        shared, name = builder.shared, layout.name
        end = shared.get(("json end", name))
        if end is None:
            self.end = builder.end()
            self.others = OtherMembers(builder, layout, {})
            return
        # What `_fragment` has made ready.
        self.end = end
        self.others = OtherMembers(builder, layout, {shared["json", name, ANY_TYPE]: shared["json others", name]})
        for bracket in _BRACKETS:
            layout.closings[bracket, end] = shared["json closing", name, bracket]

    @staticmethod
    def install(builder: NetworkBuilder, whitespace: str) -> None:
        """Puts the rules of all plain values into the builder, unless they are there already."""
        if ("json", whitespace, ANY_TYPE) not in builder.shared:
            builder.graft(_fragment(whitespace))

    def values(self, types: int) -> int:
        """The rule of every value of these types."""
        rule = self._rules.get(types)
        if rule is None:
            key = ("json", self._layout.name, types)
            rule = self._builder.shared.get(key)
            if rule is None:
                rule = self._builder.shared_rule(key, lambda start: self._build(types, start))
            self._rules[types] = rule
        return rule

    def _build(self, types: int, start: int) -> None:
        builder, chosen = self._builder, KINDS[types]
        end = self.end
        for kind in chosen:
            if len(chosen) > 1 and kind not in (NULL, BOOLEAN):
                builder.call(start, self.values(kind), end)
            else:
                self._build_kind(kind, start, end)

    def _build_kind(self, kind: int, start: int, end: int) -> None:
        builder = self._builder
        if kind == NULL:
            builder.literal(start, b"null", end)
        elif kind == BOOLEAN:
            builder.literal(start, b"true", end)
            builder.literal(start, b"false", end)
        elif kind == STRING:
            close = builder.state()
            builder.byte(close, _QUOTE, _QUOTE, end)
            builder.byte(start, _QUOTE, _QUOTE, builder.span(UnitClass.JSON_STRING, 0, None, close))
        elif kind & NUMBER:
            emit = emit_plain_integer if kind == INTEGER else emit_plain_number
            emit(builder, start, end)
        elif kind == ARRAY:
            emit_array(builder, self._layout, [], self.values(ANY_TYPE), 0, None, start, end)
        elif kind == OBJECT:
            member = self.others.rule(None, (), self.values(ANY_TYPE))
            emit_object(builder, self._layout, [], member, 0, None, start, end)


@cache
def _fragment(whitespace: str) -> Fragment:
    """The rules of every value and of the values of each type, ready to be copied into a network."""
    builder = NetworkBuilder()
    layout = Layout(builder, whitespace)
    library = Library(builder, layout)
    for types in (ANY_TYPE, INTEGER):
        library.values(types)
    shared = builder.shared
    shared["json end", whitespace] = library.end
    shared["json others", whitespace] = library.others.span(library.values(ANY_TYPE))
    for bracket in _BRACKETS:
        shared["json closing", whitespace, bracket] = layout.closing(bracket, library.end)
    return builder.fragment(has_one_entry=False)


def numbered_rules(builder: NetworkBuilder) -> Ints:
    """Where the rules laid out as "bounded" stand in the builder, in the order of `plain.work.Work.library`."""
    key = ("json end", "bounded")
    base = builder.shared[key] - _fragment("bounded").shared[key]
    places: Ints = _places().copy()
    if base:
        places[places >= 0] += base
        places[6:9] = _places()[6:9]
        places[6], places[8] = builder.class_index(UnitClass.JSON_STRING), builder.guard_index(UNIQUE)
    return places


@cache
def _places() -> Ints:
    fragment, name = _fragment("bounded"), "bounded"
    shared = fragment.shared
    closings = [shared["json closing", name, bracket] for bracket in reversed(_BRACKETS)]
    strings = UnitClass.JSON_STRING
    classes = [fragment.classes[strings], len(strings.table), fragment.guards[UNIQUE]]
    rules = [shared.get(("json", name, types), -1) for types in range(ANY_TYPE + 1)]
    first = [shared["json end", name], shared["json separator", name], shared["json indent"], *closings]
    return np.array([*first, shared["json others", name], *classes, *rules], dtype=np.int64)
