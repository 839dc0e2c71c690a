"""Arrays, and given values (`enum` and `const`) spelled out."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from grammars.frontends.json.digits import LARGEST, MAX_INTEGER_DIGITS
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.objects import declared_member, emit_object
from grammars.network.builder import NetworkBuilder

_OPEN, _CLOSE = b"[]"


def emit_array(
    builder: NetworkBuilder,
    layout: Layout,
    prefix: Sequence[int],
    rest: int | None,
    low: int,
    high: int | None,
    start: int,
    end: int,
) -> None:
    """Emits arrays of `low` to `high` items from `start` to `end`.

    Args:
        prefix: rules of the first items, by position.
        rest: rule of the items after them; None: there are none.
    """
    most = len(prefix) if rest is None else high
    if high is not None and most is not None:
        most = min(most, high)
    if most is not None and low > most:
        return
    if rest is not None and most is None and low < 2 and not prefix:
        item = builder.states(2)
        after = item + 1
        layout.frame(b"[]", start, end, item, after, may_be_empty=low == 0)
        builder.call(item, rest, after)
        layout.comma(after, item)
        return
    opened = builder.state()
    builder.byte(start, _OPEN, _OPEN, opened)
    if low == 0:
        layout.close(opened, _CLOSE, end)
    if most == 0:
        return
    source = builder.state()
    layout.gap(opened, source)
    rules = [*prefix[:most], *([] if prefix or rest is None else [rest])]
    for index, rule in enumerate(rules):
        after = builder.state()
        builder.call(source, rule, after)
        if index + 1 == len(rules):
            _emit_rest(builder, layout, rest, index + 1, low, most, after, end)
            return
        if index + 1 >= low:
            layout.close(after, _CLOSE, end)
        source = builder.state()
        layout.comma(after, source)


def _emit_rest(
    builder: NetworkBuilder,
    layout: Layout,
    rest: int | None,
    done: int,
    low: int,
    most: int | None,
    after: int,
    end: int,
) -> None:
    """What follows the last item that has a position of its own."""
    if rest is None or most == done:
        if done >= low:
            layout.close(after, _CLOSE, end)
        return
    if low <= done and most is None:
        item = builder.state()
        layout.close(after, _CLOSE, end)
        layout.comma(after, item)
        builder.call(item, rest, after)
        return
    rule, item, last, closing = builder.rule(), builder.state(), builder.state(), builder.state()
    layout.comma(rule, item)
    builder.call(item, rest, last)
    builder.accept(last)
    builder.epsilon(after, builder.repeat(rule, max(low - done, 0), None if most is None else most - done, closing))
    layout.close(closing, _CLOSE, end)


State = TypeVar("State", bound=Hashable)


def emit_item_automaton(
    builder: NetworkBuilder,
    layout: Layout,
    first: State,
    moves: Mapping[State, Sequence[tuple[int, State]]],
    is_final: Callable[[State], bool],
    start: int,
    end: int,
) -> None:
    """Emits arrays whose items an automaton allows, from `start` to `end`.

    Args:
        first: the automaton's state before any item.
        moves: from each state, rules of the next item, each with the state after it.
        is_final: whether the array may end.
    """
    opened = builder.state()
    builder.byte(start, _OPEN, _OPEN, opened)
    if is_final(first):
        layout.close(opened, _CLOSE, end)
    items = {state: builder.state() for state in moves}
    layout.gap(opened, items[first])
    afters: dict[State, int] = {}
    for state, following in moves.items():
        for rule, target in following:
            if target not in afters:
                after = afters[target] = builder.state()
                if is_final(target):
                    layout.close(after, _CLOSE, end)
                layout.comma(after, items[target])
            builder.call(items[state], rule, afters[target])


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
