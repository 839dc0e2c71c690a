"""Syntax trees and deterministic automata into a network, characters spelled raw or as inside a JSON string.

Everything is emitted from the end: each function takes the state where the text goes on and returns the one where
it starts. A repeat of one character class becomes a span, which costs one state whatever its counts are.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammars.frontends.regex.charset import ALL, Ranges, intersect, negate, unions
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.moves import moves_of_table, written_states
from grammars.frontends.regex.normalize import not_empty, starred
from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq
from grammars.network.builder import NetworkBuilder
from grammars.network.units import UnitClass
from grammars.weighted import remembered

# Repeats of at most this many characters are written out; larger ones count.
_MAX_UNROLLED = 48
_ASCII: Ranges = ((0, 0x7F),)
_PLAIN_JSON: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7F))
_NOT_ASCII, _NOT_PLAIN_JSON = negate(_ASCII), negate(_PLAIN_JSON)


@remembered()
def unit_class(ranges: Ranges, escaped: bool) -> UnitClass:
    """The set of characters as the alphabet of a span."""
    if ranges == ALL:
        return UnitClass.JSON_STRING if escaped else UnitClass.ANY
    # Very many sets differ in what is spelled as one byte alone.
    single, others = _bytes_and_class(ranges, escaped)
    if others is None:
        return UnitClass.of_bytes(single)
    return others.with_bytes(single)


def spell(text: str, escaped: bool) -> bytes:
    """The bytes of a text."""
    return (json.dumps(text, ensure_ascii=False)[1:-1] if escaped else text).encode()


def emit_tree(builder: NetworkBuilder, tree: Node, exit: int, *, escaped: bool) -> int:
    """Emits a tree without anchors; returns its start."""
    match tree:
        case Chars(ranges):
            start = builder.state()
            emit_chars(builder, ranges, start, exit, escaped)
            return start
        case Seq(items):
            return _emit_sequence(builder, items, exit, escaped)
        case Alt(options):
            start = builder.state()
            for option in options:
                builder.epsilon(start, emit_tree(builder, option, exit, escaped=escaped))
            return start
        case Repeat(Chars(ranges), 0, 1):
            start = builder.state()
            builder.epsilon(start, exit)
            emit_chars(builder, ranges, start, exit, escaped)
            return start
        case Repeat(Chars(ranges), low, high):
            return builder.span(unit_class(ranges, escaped), low, high, exit)
        case Repeat(body, low, high):
            return _emit_repeat(builder, body, low, high, exit, escaped)
        case _:
            raise AssertionError("anchors are removed before emission")


def _emit_sequence(builder: NetworkBuilder, items: tuple[Node, ...], exit: int, escaped: bool) -> int:
    index = len(items)
    while index > 0:
        end = index
        while index > 0 and _is_character(items[index - 1]):
            index -= 1
        if index < end:
            text = "".join(chr(item.ranges[0][0]) for item in items[index:end] if isinstance(item, Chars))
            start = builder.state()
            builder.literal(start, spell(text, escaped), exit)
            exit = start
        else:
            index -= 1
            exit = emit_tree(builder, items[index], exit, escaped=escaped)
    return exit


def _is_character(node: Node) -> bool:
    return isinstance(node, Chars) and len(node.ranges) == 1 and node.ranges[0][0] == node.ranges[0][1]


def _emit_repeat(builder: NetworkBuilder, body: Node, low: int, high: int | None, exit: int, escaped: bool) -> int:
    if body.facts.is_nullable:
        low, body = 0, starred(body) if high is None else not_empty(body)
    if body.facts.weight * max(low, high or 0) > _MAX_UNROLLED:

        def fill(start: int) -> None:
            builder.epsilon(start, emit_tree(builder, body, builder.end(), escaped=escaped))

        return builder.repeat(builder.shared_rule(("repeated", body, escaped), fill), low, high, exit)
    if high is None:
        loop = builder.state()
        builder.epsilon(loop, exit)
        exit = emit_tree(builder, body, loop, escaped=escaped)
        builder.epsilon(loop, exit)
        if low == 0:
            return loop
        low -= 1
    else:
        end = exit
        for _ in range(high - low):
            optional = builder.state()
            builder.epsilon(optional, end)
            builder.epsilon(optional, emit_tree(builder, body, exit, escaped=escaped))
            exit = optional
    for _ in range(low):
        exit = emit_tree(builder, body, exit, escaped=escaped)
    return exit


def emit_chars(builder: NetworkBuilder, ranges: Ranges, source: int, target: int, escaped: bool) -> None:
    """One character of the set. Characters of several bytes are a rule of their own, shared by all who need it."""
    single, units = _bytes_and_class(ranges, escaped)
    for low, high in single:
        builder.byte(source, low, high, target)
    if units is not None:
        builder.call(source, _unit_rule(builder, units), target)


def _unit_rule(builder: NetworkBuilder, units: UnitClass) -> int:
    return builder.shared_rule(("unit", units), lambda start: builder.unit(start, units, builder.end()))


@remembered()
def _bytes_and_class(ranges: Ranges, escaped: bool) -> tuple[Ranges, UnitClass | None]:
    """The characters that are spelled as one byte, and the others."""
    plain = _PLAIN_JSON if escaped else _ASCII
    rest = intersect(ranges, _NOT_PLAIN_JSON if escaped else _NOT_ASCII)
    return intersect(ranges, plain), UnitClass.from_ranges(rest, json_escaped=escaped) if rest else None


def emit_dfa(builder: NetworkBuilder, dfa: Dfa, exit: int, *, escaped: bool) -> int:
    """Emits a deterministic automaton; loops of a state onto itself become spans. Returns its start."""
    return int(emit_states(builder, moves_of(dfa), dfa.accepting, exit, escaped=escaped)[0])


class Moves(NamedTuple):
    """Moves between the states of an automaton, see `moves`: by `which` of the sets each source leads to its target."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    which: NDArray[np.int32]
    sets: list[Ranges]


def emit_states(
    builder: NetworkBuilder,
    moves: Moves,
    accepting: NDArray[np.uint8],
    exit: int,
    tails: NDArray[np.int32] | None = None,
    *,
    escaped: bool,
) -> NDArray[np.int32]:
    """Emits an automaton; returns where each of its states starts.

    Args:
        accepting: whether the text may end in a state.
        tails: where states without moves start that are in the network already; -1 for all others.
    """
    classes, sizes = [0] * len(moves.sets), [0] * len(moves.sets)
    is_loop = moves.source == moves.target
    for index in set(moves.which[is_loop].tolist()):
        units = unit_class(moves.sets[index], escaped)
        classes[index], sizes[index] = builder.class_index(units), len(units.table)
    spellings = _spellings_of(builder, moves.sets, moves.which[~is_loop], escaped)
    ops, entering, number = written_states(
        moves.source, moves.target, moves.which, accepting,
        np.full(len(accepting), -1, dtype=np.int32) if tails is None else tails, builder.num_states, exit,
        np.array(classes, dtype=np.int32), np.array(sizes, dtype=np.int32), *spellings,
    )  # fmt: skip
    builder.states(number)
    builder.write_array(ops)
    return entering  # type: ignore[no-any-return]


def _spellings_of(
    builder: NetworkBuilder, sets: list[Ranges], which: NDArray[np.int32], escaped: bool
) -> list[NDArray[np.int32]]:
    """How the characters of those sets are spelled that are asked for by number; rules that this takes are made.

    Returns:
        Where the bytes of each set begin; those bytes, in ranges as `network.operations` packs them; of each set, the
        rule of its characters of several bytes, or -1.
    """
    pairs: list[int] = []
    byte_start, rules = [0], []
    wanted = set(which.tolist())
    for index, ranges in enumerate(sets):
        single, units = _bytes_and_class(ranges, escaped) if index in wanted else ((), None)
        pairs += [low | high << 8 for low, high in single]
        byte_start.append(len(pairs))
        rules.append(-1 if units is None else _unit_rule(builder, units))
    return [np.array(values, dtype=np.int32) for values in (byte_start, pairs, rules)]


def moves_of(dfa: Dfa) -> Moves:
    """From each state to each other one move, by all characters that lead there."""
    moves, sets = moves_of_table(dfa.table)
    is_in = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")
    columns, ends = np.nonzero(is_in)[1].tolist(), np.cumsum(is_in.sum(axis=1)).tolist()
    choices = [columns[first:last] for first, last in pairwise([0, *ends])]
    source, target, which = moves.T.copy()
    return Moves(source, target, which, unions(dfa.atoms, choices))


def moves_in(rows: list[dict[int, Ranges]]) -> Moves:
    """The same moves, given for each state as the characters that lead to others."""
    number: dict[Ranges, int] = {}
    moves = [
        (source, target, number.setdefault(ranges, len(number)))
        for source, row in enumerate(rows)
        for target, ranges in row.items()
    ]
    columns = np.array(moves, dtype=np.int32).reshape(-1, 3).T.copy()
    return Moves(columns[0], columns[1], columns[2], list(number))
