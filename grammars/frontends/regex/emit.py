"""Syntax trees and deterministic automata into a network, characters spelled raw or as inside a JSON string.

Everything is emitted from the end: each function takes the state where the text goes on and returns the one where
it starts. A repeat of one character class becomes a span, which costs one state whatever its counts are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grammars.frontends.regex.charset import ALL, Ranges, intersect, negate, union
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.normalize import not_empty, starred
from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq, is_nullable, weight
from grammars.network import expansion as op
from grammars.network.builder import NetworkBuilder
from grammars.network.units import UnitClass
from grammars.weighted import remembered

# Repeats of at most this many characters are written out; larger ones count.
_MAX_UNROLLED = 48
_ASCII: Ranges = ((0, 0x7F),)
_PLAIN_JSON: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7F))
_NOT_ASCII, _NOT_PLAIN_JSON = negate(_ASCII), negate(_PLAIN_JSON)


def unit_class(ranges: Ranges, escaped: bool) -> UnitClass:
    """The set of characters as the alphabet of a span."""
    if ranges == ALL:
        return UnitClass.JSON_STRING if escaped else UnitClass.ANY
    return UnitClass.from_ranges(ranges, json_escaped=escaped)


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
    if is_nullable(body):
        low, body = 0, starred(body) if high is None else not_empty(body)
    if weight(body) * max(low, high or 0) > _MAX_UNROLLED:
        rule = builder.shared_rule(("repeated", body, escaped), _Body(builder, body, escaped))
        return builder.repeat(rule, low, high, exit)
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


class _Body:
    """Fills the rule of what is repeated."""

    def __init__(self, builder: NetworkBuilder, body: Node, escaped: bool) -> None:
        self._builder = builder
        self._body = body
        self._escaped = escaped

    def __call__(self, start: int) -> None:
        end = self._builder.state()
        self._builder.accept(end)
        self._builder.epsilon(start, emit_tree(self._builder, self._body, end, escaped=self._escaped))


def emit_chars(builder: NetworkBuilder, ranges: Ranges, source: int, target: int, escaped: bool) -> None:
    """One character of the set. Characters of several bytes are a rule of their own, shared by all who need it."""
    single, units = _bytes_and_class(ranges, escaped)
    for low, high in single:
        builder.byte(source, low, high, target)
    if units is not None:
        builder.call(source, _unit_rule(builder, units), target)


class Edges:
    """Edges on sets of characters, very many on few sets, written down together.

    Args:
        escaped: whether characters are spelled as inside a JSON string.
    """

    def __init__(self, builder: NetworkBuilder, escaped: bool) -> None:
        self._builder = builder
        self._escaped = escaped
        self._ops: list[int] = []
        # By the identity of each set: the set, its bytes as `expansion` packs them, the rule of its other characters.
        self._known: dict[int, tuple[Ranges, list[int], int | None]] = {}

    def add(self, source: int, moves: Iterable[tuple[int, Ranges]]) -> None:
        """From `source` to each of the targets by one character of a set."""
        known, ops = self._known, self._ops
        for target, ranges in moves:
            _, packed, rule = known.get(id(ranges)) or self._learn(ranges)
            for pair in packed:
                ops += (op.BYTE, source, pair, target)
            if rule is not None:
                ops += (op.CALL, source, rule, target)

    def write(self) -> None:
        """Puts all of them into the network."""
        self._builder.write(tuple(self._ops))
        self._ops.clear()

    def _learn(self, ranges: Ranges) -> tuple[Ranges, list[int], int | None]:
        single, units = _bytes_and_class(ranges, self._escaped)
        rule = None if units is None else _unit_rule(self._builder, units)
        found = self._known[id(ranges)] = (ranges, [low | high << 8 for low, high in single], rule)
        return found


def _unit_rule(builder: NetworkBuilder, units: UnitClass) -> int:
    return builder.shared_rule(("unit", units), _Unit(builder, units))


class _Unit:
    """Fills the rule of one unit of a class."""

    def __init__(self, builder: NetworkBuilder, units: UnitClass) -> None:
        self._builder = builder
        self._units = units

    def __call__(self, start: int) -> None:
        end = self._builder.state()
        self._builder.accept(end)
        self._units.emit_unit(self._builder, start, end)


@remembered()
def _bytes_and_class(ranges: Ranges, escaped: bool) -> tuple[Ranges, UnitClass | None]:
    """The characters that are spelled as one byte, and the others."""
    plain = _PLAIN_JSON if escaped else _ASCII
    rest = intersect(ranges, _NOT_PLAIN_JSON if escaped else _NOT_ASCII)
    return intersect(ranges, plain), unit_class(rest, escaped) if rest else None


def emit_dfa(builder: NetworkBuilder, dfa: Dfa, exit: int, *, escaped: bool) -> int:
    """Emits a deterministic automaton; loops of a state onto itself become spans. Returns its start."""
    return emit_states(builder, moves_of(dfa), dfa.accepting, exit, {}, escaped=escaped)[0]


def emit_states(
    builder: NetworkBuilder,
    moves: list[dict[int, Ranges]],
    accepting: Sequence[bool] | NDArray[np.uint8],
    exit: int,
    tails: dict[int, Node],
    *,
    escaped: bool,
) -> list[int]:
    """Emits an automaton; returns where each of its states starts. `moves` is used up.

    Args:
        moves: for each state the characters that lead to others.
        accepting: whether the text may end in a state.
        tails: what is matched from some states on, instead of moves.
    """
    edges = Edges(builder, escaped)
    leaving, entering = [], []
    for state, move in enumerate(moves):
        if state in tails:
            leaving.append(emit_tree(builder, tails[state], exit, escaped=escaped))
            entering.append(leaving[-1])
            continue
        loop = move.get(state)
        if loop is not None:
            del move[state]
        outside = builder.state() if move or not accepting[state] else exit
        leaving.append(outside)
        entering.append(outside if loop is None else builder.span(unit_class(loop, escaped), 0, None, outside))
    for state, move in enumerate(moves):
        if leaving[state] != exit and accepting[state]:
            builder.epsilon(leaving[state], exit)
        edges.add(leaving[state], [(entering[target], ranges) for target, ranges in move.items()])
    edges.write()
    return entering


def moves_of(dfa: Dfa) -> list[dict[int, Ranges]]:
    """For each state the characters that lead from it to each state."""
    moves: list[dict[int, Ranges]] = [{} for _ in dfa.table]
    # Tables are mostly empty, so only the cells that lead on are looked at; runs of the same move are one set.
    states, columns = np.nonzero(dfa.table >= 0)
    if not len(states):
        return moves
    targets = dfa.table[states, columns]
    order = np.lexsort((targets, states))
    states, targets, atoms = states[order], targets[order], columns[order].tolist()
    is_first = np.append(True, (states[1:] != states[:-1]) | (targets[1:] != targets[:-1]))
    firsts = np.flatnonzero(is_first)
    merged: dict[tuple[int, ...], Ranges] = {}
    lasts = [*firsts[1:].tolist(), len(atoms)]
    rows = zip(states[firsts].tolist(), targets[firsts].tolist(), firsts.tolist(), lasts, strict=True)
    for state, target, first, last in rows:
        if last - first == 1:
            moves[state][target] = dfa.atoms[atoms[first]]
            continue
        key = tuple(atoms[first:last])
        if key not in merged:
            merged[key] = union(*(dfa.atoms[atom] for atom in key))
        moves[state][target] = merged[key]
    return moves
