"""The network of an array."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from grammars.frontends.json.layout import Layout
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
