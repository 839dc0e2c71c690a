"""The network of an object: a selection of members, each at most once, between braces.

    {  gap  "  CHOOSE --name": value--> AFTER  --  ,  gap  "  --> CHOOSE ...  AFTER  }

The set of members done is kept beside the state, so the network is linear in the number of members whatever their
order is. Members are told apart behind the quote: in all the whitespace before it, an object with a hundred optional
members is one state and not a hundred.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from grammars.frontends.json.layout import Layout
from grammars.frontends.json.strings import content_rule, emit_excluding
from grammars.frontends.regex import Language
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import UNIQUE, UNIQUE_OF_FEW, Guard
from grammars.network.units import UnitClass

_QUOTE = 0x22

# The rule of a member whose value can exist, from behind the quote that opens the name, and whether it is required.
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
    """Emits objects from `start` to `end`.

    Args:
        others: rule of undeclared members; None: there are none.
        low: fewest members; high: most.
        num_ordered: so many of the first members come in their order, before the rest.
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
    """The rule of what stands between two members, up to where its name begins behind the quote."""
    start, name = builder.rule(), builder.state()
    layout.comma(start, name)
    _quote(builder, layout, name, builder.end())
    builder.shared["json separator", layout.name] = start
    return start


def _quote(builder: NetworkBuilder, layout: Layout, source: int, target: int) -> None:
    """What stands before a name."""
    if layout.name_quote:
        builder.byte(source, layout.name_quote[0], layout.name_quote[0], target)
    else:
        builder.epsilon(source, target)


def any_of(builder: NetworkBuilder, every: Iterable[int | None]) -> int | None:
    """The rule of the texts of any of the rules; None where there is none."""
    rules = [rule for rule in every if rule is not None]
    if len(rules) < 2:
        return rules[0] if rules else None
    start, end = builder.rule(), builder.end()
    for rule in rules:
        builder.call(start, rule, end)
    return start


def declared_member(builder: NetworkBuilder, layout: Layout, name: str, value_rule: int, end: int) -> int:
    """The rule of a member with this name, from behind the opening quote to `end`."""
    key = ("json member", name, value_rule)
    start = builder.shared.get(key)
    if start is not None:
        return start
    spelled = layout.name_text(name)
    if layout.name != "any":
        start = builder.member(spelled + layout.name_end, value_rule, layout.has_space, end)
    else:
        start, value = builder.rule(), builder.state()
        layout.colon(builder.literal(start, spelled), value)
        builder.call(value, value_rule, end)
    builder.shared[key] = start
    return start


class OtherMembers:
    """Emits members that are not declared; those with one rule for their values share what follows the name.

    Args:
        spans: those that are there already, see `span`.
    """

    def __init__(self, builder: NetworkBuilder, layout: Layout, spans: dict[int, int]) -> None:
        self._builder = builder
        self._layout = layout
        # By the rule of the value: a span of any name, and where the name's closing quote stands.
        self._spans = spans
        self._closes: dict[tuple[int, Guard], int] = {}
        self._named: dict[tuple[Language, int], int] = {}

    def rule(self, names: Language | None, declared: Iterable[str], value_rule: int) -> int | None:
        """The rule, from behind the opening quote, of a name that is not declared, a colon and a value, if any.

        No name of the object comes twice, which is what a guard behind the name says.

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
        guard = UNIQUE if names.goes_on else UNIQUE_OF_FEW
        builder.call(start, content_rule(builder, names), self._close(value_rule, guard))
        self._named[names, value_rule] = start
        return start

    def span(self, value_rule: int) -> int:
        """The span of any name, which a value of the rule follows."""
        span = self._spans.get(value_rule)
        if span is None:
            close = self._close(value_rule, UNIQUE)
            span = self._spans[value_rule] = self._builder.span(UnitClass.JSON_STRING, 0, None, close)
        return span

    def _close(self, value_rule: int, guard: Guard) -> int:
        """Where the name's closing quote stands."""
        close = self._closes.get((value_rule, guard))
        if close is None:
            close = self._closes[value_rule, guard] = self._emit_close(value_rule, guard)
        return close

    def _emit_close(self, value_rule: int, guard: Guard) -> int:
        builder = self._builder
        close = builder.states(3)
        colon, value = close + 1, close + 2
        builder.byte(close, _QUOTE, _QUOTE, builder.check(guard, colon))
        self._layout.colon(colon, value)
        builder.call(value, value_rule, builder.end())
        return close
