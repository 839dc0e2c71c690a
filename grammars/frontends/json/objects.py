"""The network of an object: a selection of members, each at most once, between braces.

    {  gap  "  CHOOSE --name": value--> AFTER  --  ,  gap  "  --> CHOOSE ...  AFTER  }

The set of members done is kept beside the state, so the network is linear in the number of members whatever their
order is. Members are told apart behind the quote: in all the whitespace before it, an object with a hundred optional
members is one state and not a hundred.
"""

from __future__ import annotations

import json.encoder
from collections.abc import Iterable, Sequence

from grammars.frontends.json.layout import Layout
from grammars.frontends.json.strings import emit_excluding
from grammars.frontends.regex import Language
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import UNIQUE
from grammars.network.units import UnitClass

_OPEN, _CLOSE, _COMMA, _QUOTE = b'{},"'
_spell = json.encoder.encode_basestring


# The rule of a member whose value can exist, from behind the quote that opens the name, and whether it is required.
Member = tuple[int, bool]


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
    """Emits objects from `start` to `end`.

    Args:
        others: rule of undeclared members; None: there are none.
        low: fewest members; high: most.
        num_ordered: so many of the first members come in their order, before the rest.
    """
    required = sum([is_required for _, is_required in members])
    most = high if others is not None else len(members) if high is None else min(high, len(members))
    if most is not None and max(low, required) > most:
        return
    if most == 0:
        opened = builder.state()
        builder.byte(start, _OPEN, _OPEN, opened)
        layout.closer(_CLOSE, end).attach(opened)
        return
    first = builder.states(2)
    done = first + 1
    layout.frame(b"{}", start, end, first, done, may_be_empty=required == 0 and low == 0)
    separator = builder.shared_rule(
        ("json separator", layout.name), lambda rule: _emit_separator(builder, layout, rule)
    )
    choose = builder.select(members, others, separator, low, high, done, num_ordered)
    builder.byte(first, _QUOTE, _QUOTE, choose)


def _emit_separator(builder: NetworkBuilder, layout: Layout, start: int) -> None:
    """What stands between two members, up to and including the quote that opens the name."""
    name, end = builder.state(), builder.state()
    layout.comma(start, name)
    builder.byte(name, _QUOTE, _QUOTE, end)
    builder.accept(end)


def any_of(builder: NetworkBuilder, rules: Sequence[int]) -> int | None:
    """The rule of the texts of any of the rules; None where there is none."""
    if len(rules) < 2:
        return rules[0] if rules else None
    start, end = builder.rule(), builder.state()
    builder.accept(end)
    for rule in rules:
        builder.call(start, rule, end)
    return start


def declared_member(builder: NetworkBuilder, layout: Layout, name: str, value_rule: int) -> int:
    """The rule of a member with this name, from behind the opening quote."""
    key = ("json member", name, value_rule)
    start = builder.shared.get(key)
    if start is not None:
        return start
    spelled = _spell(name).encode()[1:]
    if layout.name != "any":
        start = builder.member(spelled + b":", value_rule, layout.is_bounded)
    else:
        start, value, end = builder.rule(), builder.state(), builder.state()
        layout.colon(builder.literal(start, spelled), value)
        builder.call(value, value_rule, end)
        builder.accept(end)
    builder.shared[key] = start
    return start


def emit_other_member(
    builder: NetworkBuilder,
    layout: Layout,
    start: int,
    names: Language | None,
    declared: Iterable[str],
    value_rule: int,
) -> None:
    """Fills the rule `start`, from behind the opening quote: a name that is not declared, a colon and a value.

    No name of the object comes twice, which is what a guard behind the name says.

    Args:
        names: what the name must be; None: anything.
        declared: names that the member cannot have.
    """
    close = builder.states(4)
    colon, value, end = close + 1, close + 2, close + 3
    if names is None:
        emit_excluding(builder, declared, start, builder.span(UnitClass.JSON_STRING, 0, None, close))
    else:
        builder.epsilon(start, names.emit(builder, close, escaped=True))
    builder.byte(close, _QUOTE, _QUOTE, builder.check(UNIQUE, colon))
    layout.colon(colon, value)
    builder.call(value, value_rule, end)
    builder.accept(end)
