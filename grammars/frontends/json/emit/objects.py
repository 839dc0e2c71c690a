"""The networks of objects, of arrays and of given values. An object is a selection of members, each at most once:

    {  gap  "  CHOOSE --name": value--> AFTER  --  ,  gap  "  --> CHOOSE ...  AFTER  }

The set of members done is kept beside the state, so the network is linear in their number in any order. Names branch
after the quote: in the whitespace before it, an object with a hundred optional members is one state and not a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from grammars.frontends.json.emit.layout import Layout
from grammars.frontends.json.meaning.strings import content_rule, emit_excluding
from grammars.frontends.regex import Language
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import UNIQUE, UNIQUE_OF_FEW, Check
from grammars.vocabulary.units import UnitClass

_QUOTE = 0x22

# The rule of a member whose value can exist, from after the quote that opens the name, and whether it is required.
Member = tuple[int, bool]
_IS_REQUIRED = itemgetter(1)


def emit_object(
    builder: NetworkBuilder,
    layout: Layout,
    members: Sequence[Member],
    others: int | None,
    low: int,
    high: int | None,
    start: int,
    end: int,
    num_ordered: int = 0,
) -> None:
    """Emit objects from `start` to `end`.

    Args:
        others: rule of undeclared members; None: there are none.
        low: fewest members; high: most.
        num_ordered: number of first members that come in their order, before the rest.
    """
    required = sum(map(_IS_REQUIRED, members))
    most = high if others is not None else len(members) if high is None else min(high, len(members))
    if most is not None and max(low, required) > most:
        return
    first = builder.states(2)
    done = first + 1
    layout.frame(b"{}", start, end, first, done, may_be_empty=required == 0 and low == 0)
    if most == 0:
        return
    separator = builder.shared.get(("json separator", layout.name)) or _separator(builder, layout)
    choose = builder.select(members, others, separator, low, high, done, num_ordered)
    _quote(builder, layout, first, choose)


def _separator(builder: NetworkBuilder, layout: Layout) -> int:
    """Return the rule of what is between two members, up to where its name begins after the quote."""
    start, name = builder.rule(), builder.state()
    layout.comma(start, name)
    _quote(builder, layout, name, builder.end())
    builder.shared["json separator", layout.name] = start
    return start


def _quote(builder: NetworkBuilder, layout: Layout, source: int, target: int) -> None:
    """Emit the text before a name."""
    if layout.name_quote:
        builder.byte(source, layout.name_quote[0], layout.name_quote[0], target)
    else:
        builder.epsilon(source, target)


def declared_members(builder: NetworkBuilder, layout: Layout, values: Mapping[str, int], end: int) -> dict[str, int]:
    """Return the rules of members, each from after the opening quote to `end`, by name.

    Args:
        values: rules of the values by name.
    """
    shared = builder.shared
    new = {name: rule for name, rule in values.items() if ("json member", name, rule) not in shared}
    texts = layout.name_texts(new)
    if layout.name != "any":
        texts = [text + layout.name_end for text in texts]
        starts = builder.members(zip(texts, new.values(), strict=True), layout.has_space, end)
    else:
        starts = []
        for text, rule in zip(texts, new.values(), strict=True):
            start, value = builder.rule(), builder.state()
            layout.colon(builder.literal(start, text), value)
            builder.call(value, rule, end)
            starts.append(start)
    shared.update(zip([("json member", *member) for member in new.items()], starts, strict=True))
    return {name: shared["json member", name, rule] for name, rule in values.items()}


class OtherMembers:
    """Emitter of undeclared members; those with one rule for their values share all that follows the name.

    Args:
        spans: those that are there already, see `span`.
    """

    def __init__(self, builder: NetworkBuilder, layout: Layout, spans: dict[int, int]) -> None:
        self._builder = builder
        self._layout = layout
        # By the rule of the value: a span of any name, and the state of the name's closing quote.
        self._spans = spans
        self._closes: dict[tuple[int, Check], int] = {}
        self._named: dict[tuple[Language, int], int] = {}

    def rule(self, names: Language | None, declared: Iterable[str], value_rule: int) -> int | None:
        """Return the rule, from after the opening quote, of an undeclared name, a colon and a value, if any.

        No name of the object comes twice, which is what a check after the name says.

        Args:
            names: what the name must be; None: anything.
            declared: names that the member cannot have.
        """
        builder = self._builder
        if names is None:
            start = builder.state()
            emit_excluding(builder, declared, start, self.span(value_rule))
            return start
        known = self._named.get((names, value_rule))
        if known is not None:
            return known
        start = builder.state()
        check = UNIQUE if names.goes_on else UNIQUE_OF_FEW
        builder.call(start, content_rule(builder, names), self._close(value_rule, check))
        self._named[names, value_rule] = start
        return start

    def span(self, value_rule: int) -> int:
        """Return the span of any name, which a value of the rule follows."""
        if value_rule not in self._spans:
            close = self._close(value_rule, UNIQUE)
            self._spans[value_rule] = self._builder.span(UnitClass.JSON_STRING, 0, None, close)
        return self._spans[value_rule]

    def _close(self, value_rule: int, check: Check) -> int:
        """Emit the name's closing quote."""
        if (value_rule, check) not in self._closes:
            self._closes[value_rule, check] = self._emit_close(value_rule, check)
        return self._closes[value_rule, check]

    def _emit_close(self, value_rule: int, check: Check) -> int:
        builder = self._builder
        close = builder.states(3)
        colon, value = close + 1, close + 2
        builder.byte(close, _QUOTE, _QUOTE, builder.require(check, colon))
        self._layout.colon(colon, value)
        builder.call(value, value_rule, builder.end())
        return close


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
    """Emit arrays of `low` to `high` items from `start` to `end`.

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
    """Emit the items after the last with a position of its own."""
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
    """Emit arrays whose items an automaton allows, from `start` to `end`.

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


def emit_values(
    builder: NetworkBuilder, layout: Layout, values: Iterable[Any], start: int, end: int, *, is_ordered: bool = False
) -> None:
    """Emit each value from `start` to `end`; scalars share their first bytes.

    Args:
        is_ordered: the members of objects come in the order in which they are given; else in any.
    """
    scalars: list[Any] = []
    waiting: list[tuple[Any, int, int]] = []
    for value in layout.spellable(values):
        if isinstance(value, (list, dict)) and value:
            waiting.append((value, start, end))
        else:
            scalars.append(value)
    words = layout.spellings(scalars)
    for value, first, last in waiting:
        _emit_container(builder, layout, value, first, last, is_ordered, waiting)
    if len(words) < _MANY:
        builder.words(start, words, end)
        return
    # Long lists often occur in several places; `end` is the same where nothing follows.
    key = ("json words", end, *words)
    builder.epsilon(start, builder.shared_rule(key, lambda rule: builder.words(rule, words, end)))


def _emit_container(
    builder: NetworkBuilder,
    layout: Layout,
    value: list[Any] | dict[str, Any],
    start: int,
    end: int,
    is_ordered: bool,
    waiting: list[tuple[Any, int, int]],
) -> None:
    """Emit an array or object but for the arrays and objects in it, which have to wait."""
    rules, inner_end = [], builder.end()
    for item in value.values() if isinstance(value, dict) else value:
        rule = builder.rule()
        rules.append(rule)
        if isinstance(item, (list, dict)) and item:
            waiting.append((item, rule, inner_end))
        else:
            builder.words(rule, layout.spellings([item]), inner_end)
    size = len(rules)
    if isinstance(value, list):
        emit_array(builder, layout, rules, None, size, size, start, end)
        return
    declared = declared_members(builder, layout, dict(zip(value, rules, strict=True)), inner_end)
    members = [(rule, True) for rule in declared.values()]
    emit_object(builder, layout, members, None, size, size, start, end, size if is_ordered else 0)
