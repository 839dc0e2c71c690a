"""The network of an object: declared members in order, then any others.

Q(i) expects a name and M(i) stands after a value; i is the first declared member that may still come:

    {  gap  "  Q(0)  a": value  M(1)  ,  gap  "  Q(1)  b": value  M(2)  ...  }
                 \\_ skip an optional one _____________/

Optional members are skipped by epsilon edges, so the network is linear in the number of members. The skipping stands
behind the quote: before it, in all the whitespace that may stand there, an object with a hundred optional members is
one state and not a hundred.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from grammars.frontends.json.layout import Layout
from grammars.frontends.json.strings import emit_excluding
from grammars.frontends.regex import Language
from grammars.network.builder import NetworkBuilder
from grammars.network.units import UnitClass

_OPEN, _CLOSE, _COMMA, _COLON, _QUOTE = b'{},:"'


class Member(NamedTuple):
    """A declared member whose value can exist."""

    name: str
    rule: int
    is_required: bool


def emit_object(
    builder: NetworkBuilder,
    layout: Layout,
    members: Sequence[Member],
    others: Sequence[int],
    low: int,
    high: int | None,
    start: int,
    end: int,
) -> None:
    """Emits objects from `start` to `end`.

    Args:
        members: in their order.
        others: rules of undeclared members, from behind the quote that opens the name.
        low: fewest members; beyond 1 only where each member counts once, so where `others` is empty or the
            required ones suffice.
        high: most members.
    """
    if high is not None and high < low:
        return
    closer = layout.closer(_CLOSE, end)
    opened = builder.state()
    builder.byte(start, _OPEN, _OPEN, opened)
    required = sum(member.is_required for member in members)
    low = 0 if low <= required else low
    high = None if high is not None and not others and high >= len(members) else high
    if required == 0 and low == 0:
        closer.attach(opened)
    if high == 0 or (not members and not others):
        return
    if low <= 1 and high is None:
        first = builder.state()
        layout.gap(opened, first)
        _emit_members(builder, layout, members, others, first, closer.attach)
    else:
        _emit_counted(builder, layout, members, others, low, high, opened, closer.attach)


class Witness(NamedTuple):
    """Rules of undeclared members of which one must occur.

    Attributes:
        bits: which of the demands such a member meets.
        is_last: nothing may follow it: a later member of the same name would take its value's place.
    """

    bits: int
    rules: Sequence[int]
    is_last: bool


def emit_witnessed_object(
    builder: NetworkBuilder,
    layout: Layout,
    members: Sequence[Member],
    others: Sequence[int],
    witnesses: Sequence[Witness],
    start: int,
    end: int,
) -> None:
    """Emits objects in which witnesses meet all demands, after the declared members."""
    closer = layout.closer(_CLOSE, end)
    opened, name, final = builder.state(), builder.state(), builder.state()
    builder.byte(start, _OPEN, _OPEN, opened)
    layout.gap(opened, name)
    closer.attach(final)
    every = 0
    for witness in witnesses:
        every |= witness.bits
    quoted = {0: _emit_members(builder, layout, members, others, name, lambda state: None)}
    queue = [0]
    for met in queue:
        for witness in witnesses:
            if not witness.bits & ~met or (witness.is_last and met | witness.bits != every):
                continue
            after = final
            if not witness.is_last:
                following = met | witness.bits
                if following not in quoted:
                    quoted[following] = builder.state()
                    queue.append(following)
                after = _emit_after(builder, layout, quoted[following])
                if following == every:
                    closer.attach(after)
            for rule in witness.rules:
                builder.call(quoted[met], rule, after)
        if met:
            after = _emit_after(builder, layout, quoted[met])
            if met == every:
                closer.attach(after)
            for rule in others:
                builder.call(quoted[met], rule, after)


def _emit_after(builder: NetworkBuilder, layout: Layout, quoted: int) -> int:
    """A state after a member from which a comma and a quote lead to `quoted`."""
    after, name = builder.state(), builder.state()
    layout.separator(after, _COMMA, name)
    builder.byte(name, _QUOTE, _QUOTE, quoted)
    return after


def _emit_members(
    builder: NetworkBuilder,
    layout: Layout,
    members: Sequence[Member],
    others: Sequence[int],
    name: int,
    close: Callable[[int], None],
) -> int:
    """Emits members from the state `name`; the state behind the quote of an undeclared one's name."""
    last_required = max((i for i, member in enumerate(members) if member.is_required), default=-1)
    quoted = _emit_quote(builder, name)
    for index, member in enumerate(members):
        after = builder.state()
        _emit_member(builder, layout, member, quoted, after)
        if index >= last_required:
            close(after)
        if index + 1 < len(members) or others:
            name = builder.state()
            layout.separator(after, _COMMA, name)
            following = _emit_quote(builder, name)
            if not member.is_required:
                builder.epsilon(quoted, following)
            quoted = following
    if others:
        after = builder.state()
        for rule in others:
            builder.call(quoted, rule, after)
        layout.separator(after, _COMMA, name)
        close(after)
    return quoted


def _emit_quote(builder: NetworkBuilder, name: int) -> int:
    """The state behind the quote that opens a name at `name`."""
    quoted = builder.state()
    builder.byte(name, _QUOTE, _QUOTE, quoted)
    return quoted


def _emit_counted(
    builder: NetworkBuilder,
    layout: Layout,
    members: Sequence[Member],
    others: Sequence[int],
    low: int,
    high: int | None,
    opened: int,
    close: Callable[[int], None],
) -> None:
    """The same with a state for each number of members so far; numbers that make no difference are one."""
    last_required = max((i for i, member in enumerate(members) if member.is_required), default=-1)
    ceiling = low if high is None else high
    names: dict[tuple[int, int], int] = {}
    queue: list[tuple[int, int]] = []

    def state_of(index: int, done: int) -> int:
        key = (index, min(done, ceiling) if high is None else done)
        if key not in names:
            names[key] = builder.state()
            queue.append(key)
        return names[key]

    first = builder.state()
    layout.gap(opened, first)
    builder.byte(first, _QUOTE, _QUOTE, state_of(0, 0))
    for index, done in queue:
        name, after = names[index, done], builder.state()
        if high is not None and done >= high:
            continue
        if index < len(members):
            _emit_member(builder, layout, members[index], name, after)
            if not members[index].is_required:
                builder.epsilon(name, state_of(index + 1, done))
            following = index + 1
        else:
            for rule in others:
                builder.call(name, rule, after)
            following = index
        if done + 1 >= low and following > last_required:
            close(after)
        if following < len(members) or others:
            before = builder.state()
            layout.separator(after, _COMMA, before)
            builder.byte(before, _QUOTE, _QUOTE, state_of(following, done + 1))


def _emit_member(builder: NetworkBuilder, layout: Layout, member: Member, source: int, target: int) -> None:
    spelled = json.dumps(member.name, ensure_ascii=False).encode()[1:]
    value = builder.state()
    if layout.name == "any":
        layout.separator(builder.literal(source, spelled), _COLON, value)
    else:
        layout.gap(builder.literal(source, spelled + b":"), value)
    builder.call(value, member.rule, target)


def emit_other_member(
    builder: NetworkBuilder,
    layout: Layout,
    start: int,
    names: Language | None,
    declared: Iterable[str],
    value_rule: int,
) -> None:
    """Fills the rule `start`, from behind the opening quote: a name that is not declared, a colon and a value.

    Args:
        names: what the name must be; None: anything.
        declared: names that the member cannot have.
    """
    close, colon, value, end = (builder.state() for _ in range(4))
    if names is None:
        emit_excluding(builder, declared, start, builder.span(UnitClass.JSON_STRING, 0, None, close))
    else:
        builder.epsilon(start, names.emit(builder, close, escaped=True))
    builder.byte(close, _QUOTE, _QUOTE, colon)
    layout.separator(colon, _COLON, value)
    builder.call(value, value_rule, end)
    builder.accept(end)
