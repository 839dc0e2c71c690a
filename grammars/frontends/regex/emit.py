"""Syntax trees and deterministic automata into a network, characters spelled raw or as inside a JSON string.

Everything is emitted from the end: each function takes the state where the text goes on and returns the one where
it starts. A repeat of one character class becomes a span, which costs one state whatever its counts are. Where an
automaton's texts are bounded in length, its states are counted only where the count matters: once every way on from a
state fits the bounds, the state is the automaton's own, with spans and all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby, pairwise, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.byte_bounded_cache import remembered
from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, Ranges, intersect, negate, unions
from grammars.frontends.regex.dfa import Dfa, Moves, current_effort
from grammars.frontends.regex.moves import counted_moves, moves_of_table, written_states
from grammars.frontends.regex.normalize import not_empty, starred
from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq
from grammars.frontends.regex.tables import FAR, lengths_of
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.units import UnitClass

# Repeats of at most this many characters are written out; larger ones count.
_MAX_UNROLLED = 48
# What such a state costs, in cells of tables.
_CELLS_A_COUNTED_STATE = 30
# Counted states for each state that a pattern may have: they are only emitted, never combined.
_COUNTED_PER_STATE = 5
# Pairs of a length and a state with a text so long, looked at for one language.
_MAX_PAIRS = 300_000
_ASCII: Ranges = ((0, 0x7F),)
_PLAIN_JSON: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7F))
_NOT_ASCII, _NOT_PLAIN_JSON = negate(_ASCII), negate(_PLAIN_JSON)


@remembered()
def unit_class(ranges: Ranges, escaped: bool) -> UnitClass:
    """Return the set of characters as the alphabet of a span."""
    if ranges == ALL:
        return UnitClass.JSON_STRING if escaped else UnitClass.ANY
    # Very many sets differ in what is spelled as one byte alone.
    single, others = _bytes_and_class(ranges, escaped)
    if others is None:
        return UnitClass.of_bytes(single)
    return others.with_bytes(single)


def spell(text: str, escaped: bool) -> bytes:
    """Return the bytes of a text."""
    return (json.dumps(text, ensure_ascii=False)[1:-1] if escaped else text).encode()


class TreeEmitter:
    """Emits trees without anchors.

    The same tree in front of the same state is emitted once, or nested groups that may be empty would double and double
    again.
    """

    def __init__(self, builder: NetworkBuilder, escaped: bool) -> None:
        self._builder = builder
        self._escaped = escaped
        self._known: dict[tuple[Node, int], int] = {}

    def emit(self, tree: Node, exit: int) -> int:
        """Emit a tree; returns its start."""
        key = (tree, exit)
        if key in self._known:
            return self._known[key]
        builder, start = self._builder, exit
        match tree:
            case Chars(ranges):
                start = builder.state()
                self._emit_chars(ranges, start, exit)
            case Seq(items):
                for is_text, run in groupby(reversed(items), _is_character):
                    if is_text:
                        text, after = _text_of(run)[::-1], start
                        start = builder.state()
                        builder.literal(start, spell(text, self._escaped), after)
                    else:
                        for item in run:
                            start = self.emit(item, start)
            case Alt(options):
                start = self._emit_options(options, exit)
            case Repeat(Chars(ranges), 0, 1):
                start = builder.state()
                builder.epsilon(start, exit)
                self._emit_chars(ranges, start, exit)
            case Repeat(Chars(ranges), low, high):
                start = builder.span(unit_class(ranges, self._escaped), low, high, exit)
            case Repeat(body, low, high):
                start = self._emit_repeat(body, low, high, exit)
            case _:
                start = self._emit_leaf(tree, exit)
        self._known[key] = start
        return start

    def _emit_leaf(self, leaf: Node, exit: int) -> int:
        raise AssertionError("anchors are removed before emission")

    def _emit_options(self, options: tuple[Node, ...], exit: int) -> int:
        """Options that begin with a text and go on alike share the texts' beginnings."""
        builder = self._builder
        start = builder.state()
        words: dict[tuple[Node, ...], list[bytes]] = {}
        for option in options:
            items = option.items if isinstance(option, Seq) else (option,)
            text = _text_of(takewhile(_is_character, items))
            if text:
                words.setdefault(items[len(text) :], []).append(spell(text, self._escaped))
            else:
                builder.epsilon(start, self.emit(option, exit))
        for rest, spelled in words.items():
            builder.words(start, spelled, self.emit(Seq(rest), exit))
        return start

    def _emit_repeat(self, body: Node, low: int, high: int | None, exit: int) -> int:
        builder = self._builder
        if body.facts.is_nullable:
            low, body = 0, starred(body) if high is None else not_empty(body)
        most = max(low, high or 0)
        if most > 1 and most * body.facts.weight > _MAX_UNROLLED:

            def fill(start: int) -> None:
                builder.epsilon(start, self.emit(body, builder.end()))

            return builder.repeat(builder.shared_rule(("repeated", body, self._escaped), fill), low, high, exit)
        if high is None:
            loop = builder.state()
            builder.epsilon(loop, exit)
            exit = self.emit(body, loop)
            builder.epsilon(loop, exit)
            if low == 0:
                return loop
            low -= 1
        else:
            end = exit
            for _ in range(high - low):
                optional = builder.state()
                builder.epsilon(optional, end)
                builder.epsilon(optional, self.emit(body, exit))
                exit = optional
        for _ in range(low):
            exit = self.emit(body, exit)
        return exit

    def _emit_chars(self, ranges: Ranges, source: int, target: int) -> None:
        """Emit one character of the set. Characters of several bytes are a shared rule."""
        single, units = _bytes_and_class(ranges, self._escaped)
        for low, high in single:
            self._builder.byte(source, low, high, target)
        if units is not None:
            self._builder.call(source, _unit_rule(self._builder, units), target)


def _is_character(node: Node) -> bool:
    return isinstance(node, Chars) and len(node.ranges) == 1 and node.ranges[0][0] == node.ranges[0][1]


def _text_of(characters: Iterable[Any]) -> str:
    return "".join([chr(each.ranges[0][0]) for each in characters])


def _unit_rule(builder: NetworkBuilder, units: UnitClass) -> int:
    return builder.shared_rule(("unit", units), lambda start: builder.unit(start, units, builder.end()))


@remembered()
def _bytes_and_class(ranges: Ranges, escaped: bool) -> tuple[Ranges, UnitClass | None]:
    """The characters that are spelled as one byte, and the others."""
    plain = _PLAIN_JSON if escaped else _ASCII
    rest = intersect(ranges, _NOT_PLAIN_JSON if escaped else _NOT_ASCII)
    return intersect(ranges, plain), UnitClass.from_ranges(rest, json_escaped=escaped) if rest else None


def emit_dfa(builder: NetworkBuilder, dfa: Dfa, exit: int, *, escaped: bool) -> int:
    """Emit a deterministic automaton; loops of a state onto itself become spans. Returns its start."""
    return int(emit_states(builder, moves_of(dfa), dfa.accepting, exit, escaped=escaped)[0])


def emit_states(
    builder: NetworkBuilder,
    moves: Moves,
    accepting: NDArray[np.uint8],
    exit: int,
    tails: NDArray[np.int32] | None = None,
    *,
    escaped: bool,
) -> NDArray[np.int32]:
    """Emit an automaton; returns where each of its states starts.

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
    """Return the spellings of character sets by number; make the rules that they need.

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


def longest_text(dfa: Dfa) -> int:
    """Most characters of a text of a trimmed automaton; `FAR` where there is no bound."""
    return int(lengths_of(dfa.table, dfa.accepting)[1][0])


def has_length(dfa: Dfa, low: int, high: int | None) -> bool:
    """True if some text has `low` to `high` characters.

    Raises:
        TooComplexError: that takes longer to see than such texts could take states.
    """
    shortest, longest = lengths_of(dfa.table, dfa.accepting)
    if shortest[0] > (FAR - 1 if high is None else high) or longest[0] < low:
        return False
    if shortest[0] >= low:
        return True
    moves, most = moves_of(dfa), FAR if high is None else min(high, FAR - 1)
    number, _, target, _, ends = counted_moves(
        moves.source, moves.target, moves.which, dfa.accepting, shortest, longest, min(low, FAR), most, _MAX_PAIRS
    )
    if number > _MAX_PAIRS:
        raise TooComplexError("max_pattern_states", number, _MAX_PAIRS)
    return bool(len(ends) or (target < 0).any())


def emit_bounded(builder: NetworkBuilder, dfa: Dfa, low: int, high: int | None, exit: int, *, escaped: bool) -> int:
    """Emit the texts of `low` to `high` characters; returns the start.

    Args:
        dfa: trimmed.

    Raises:
        TooComplexError: too many pairs of a state and a count.
    """
    limit = builder.limits.max_pattern_states * _COUNTED_PER_STATE
    # Counts beyond all texts' are the same to kernels, whose integers end.
    low, most = min(low, FAR), FAR if high is None else min(high, FAR - 1)
    moves = moves_of(dfa)
    shortest, longest = lengths_of(dfa.table, dfa.accepting)
    if shortest[0] >= low and longest[0] <= most:
        return int(emit_states(builder, moves, dfa.accepting, exit, escaped=escaped)[0])
    number, source, target, which, ends = counted_moves(
        moves.source, moves.target, moves.which, dfa.accepting, shortest, longest, low, most, limit
    )
    if number > limit:
        raise TooComplexError("max_pattern_states", limit + 1, limit)
    # After the pairs come the states for which counts do not matter.
    tails = np.full(number, -1, dtype=np.int32)
    if len(target) and target.min() < 0:
        tails = np.append(tails, emit_states(builder, moves, dfa.accepting, exit, escaped=escaped))
        target = np.where(target < 0, number - 1 - target, target)
    accepting = np.zeros(len(tails), dtype=np.uint8)
    accepting[ends] = 1
    counted = Moves(source, target.astype(np.int32), which, moves.sets)
    start = int(emit_states(builder, counted, accepting, exit, tails, escaped=escaped)[0])
    current_effort().spend_cells(_CELLS_A_COUNTED_STATE * number, builder.limits.max_pattern_states)
    return start
