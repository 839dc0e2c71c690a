"""Given values spelled out: `enum` and `const`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from grammars.frontends.json.arrays import emit_array
from grammars.frontends.json.digits import LARGEST, MAX_INTEGER_DIGITS
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.objects import declared_member, emit_object
from grammars.network.builder import NetworkBuilder

_MANY = 32
_spell = json.JSONEncoder(ensure_ascii=False).encode


def emit_values(
    builder: NetworkBuilder, layout: Layout, values: Iterable[Any], start: int, end: int, *, is_ordered: bool = False
) -> None:
    """Emits each value from `start` to `end`; scalars share their first bytes.

    Args:
        is_ordered: the members of objects come in the order in which they are given; else in any.
    """
    words: list[bytes] = []
    waiting: list[tuple[Any, int, int]] = []
    for value in layout.spellable(values):
        if isinstance(value, (list, dict)) and value:
            waiting.append((value, start, end))
        else:
            words.extend(_spellings(layout, value))
    for value, first, last in waiting:
        _emit_container(builder, layout, value, first, last, is_ordered, waiting)
    if len(words) < _MANY:
        builder.words(start, words, end)
        return
    # Long lists often stand in several places; `end` is the same where nothing follows.
    key = ("json words", end, *words)
    shared = builder.shared.get(key)
    if shared is None:
        shared = builder.shared[key] = builder.state()
        builder.words(shared, words, end)
    builder.epsilon(start, shared)


def _emit_container(
    builder: NetworkBuilder,
    layout: Layout,
    value: list[Any] | dict[str, Any],
    start: int,
    end: int,
    is_ordered: bool,
    waiting: list[tuple[Any, int, int]],
) -> None:
    """Emits an array or object but for the arrays and objects in it, which have to wait."""
    rules, inner_end = [], builder.end()
    for item in value.values() if isinstance(value, dict) else value:
        rule = builder.rule()
        rules.append(rule)
        if isinstance(item, (list, dict)) and item:
            waiting.append((item, rule, inner_end))
        else:
            builder.words(rule, _spellings(layout, item), inner_end)
    size = len(rules)
    if isinstance(value, list):
        emit_array(builder, layout, rules, None, size, size, start, end)
        return
    names = zip(value, rules, strict=True)
    members = [(declared_member(builder, layout, name, rule, inner_end), True) for name, rule in names]
    emit_object(builder, layout, members, None, size, size, start, end, size if is_ordered else 0)


def _spellings(layout: Layout, value: Any) -> list[bytes]:
    if value is None or type(value) is bool:
        return [layout.literals[0 if value is None else 2 - value]]
    if type(value) is str:
        return [layout.text(value)]
    if isinstance(value, Decimal):
        # As Python and as JavaScript write it.
        spelled = repr(float(value)) if abs(value) <= LARGEST else f"{value:f}"
        found = [spelled, spelled.replace("e-0", "e-")]
        if -7 <= value.adjusted() < MAX_INTEGER_DIGITS:
            found += [f"{value:f}", *([str(int(value))] if value == int(value) else [])]
        return list(dict.fromkeys(map(str.encode, found)))
    return [_spell(value).encode()]
