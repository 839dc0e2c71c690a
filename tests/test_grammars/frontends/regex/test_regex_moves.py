"""Moves of automata, and automata with bounds on lengths, against what is plain to see."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, MAX_CODE_POINT
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.emit import emit_bounded, moves_of, unit_class
from grammars.frontends.regex.tables import FAR, lengths_of
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.units import DEAD_UNIT, UnitClass
from tests.test_grammars.simulator import Simulator

_LETTERS = "abé\n"
_ATOMS = [((ord(letter), ord(letter)),) for letter in sorted(_LETTERS)]
_REST = ((0xF0, MAX_CODE_POINT),)


def random_dfa(seed: int, density: float) -> Dfa:
    chosen = random.Random(seed)
    count = chosen.randint(1, 7)
    table = [
        [chosen.randrange(count) if chosen.random() < density else -1 for _ in range(len(_ATOMS) + 1)]
        for _ in range(count)
    ]
    return Dfa([*_ATOMS, _REST], table, [chosen.random() < 0.4 for _ in range(count)]).trimmed()


def texts(dfa: Dfa, most: int) -> dict[str, bool]:
    letters = [*_LETTERS, "\U0001f600"]
    all_texts = ("".join(text) for size in range(most + 1) for text in itertools.product(letters, repeat=size))
    return {text: dfa.accepts(text) for text in all_texts}


@pytest.mark.parametrize("seed", range(40))
def test_moves_of_says_the_table(seed):
    dfa = random_dfa(seed, 0.3 + seed % 7 / 10)
    moves = moves_of(dfa)
    pairs = list(zip(moves.source.tolist(), moves.target.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    found = {
        (source, pair): target
        for (source, target), which in zip(pairs, moves.which.tolist(), strict=True)
        for pair in moves.sets[which]
    }
    for (state, atom), target in np.ndenumerate(dfa.table):
        covering = {
            goal
            for (source, (low, high)), goal in found.items()
            if source == state and low <= dfa.atoms[atom][0][0] <= high
        }
        assert covering == ({target} if target >= 0 else set())


def test_moves_of_many_sets_are_told_apart():
    table = np.array([[(state >> column) & 1 for column in range(10)] for state in range(1 << 10)], dtype=np.int32)
    atoms = [((2 * column, 2 * column),) for column in range(10)]
    moves = moves_of(Dfa(atoms, table, np.ones(len(table), dtype=np.uint8)))
    assert len({*moves.sets}) == len(moves.sets) == (1 << 10) - 1
    for source, target, which in zip(*(column.tolist() for column in moves[:3]), strict=True):
        assert moves.sets[which] == tuple(atoms[c][0] for c in range(10) if (source >> c) & 1 == target)


@pytest.mark.parametrize("seed", range(40))
def test_lengths_of_are_those_of_the_texts(seed):
    dfa = random_dfa(seed, 0.25)
    if dfa.is_empty:
        return
    shortest, longest = lengths_of(dfa.table, dfa.accepting)
    count = len(dfa.table)
    targets = [{target for target in row if target >= 0} for row in dfa.table.tolist()]
    # No text without a loop is longer than there are states; with one, some are longer than that.
    layers = [{state} for state in range(count)]
    sizes: list[list[int]] = [[] for _ in range(count)]
    for size in range(2 * count + 1):
        for state, layer in enumerate(layers):
            if any(dfa.accepting[reached] for reached in layer):
                sizes[state].append(size)
        layers = [set().union(*(targets[reached] for reached in layer)) for layer in layers]
    for state in range(count):
        assert shortest[state] == (sizes[state][0] if sizes[state] else FAR)
        if sizes[state]:
            assert longest[state] == (sizes[state][-1] if sizes[state][-1] < count else FAR)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("escaped", [True, False])
def test_emit_bounded_takes_texts_of_these_lengths(seed, escaped):
    dfa = random_dfa(seed, 0.5)
    low, high = seed % 3, None if seed % 5 == 0 else seed % 3 + seed % 4
    expected = {
        text: accepted and low <= len(text) and (high is None or len(text) <= high)
        for text, accepted in texts(dfa, 4).items()
    }
    if not any(expected.values()):
        return
    builder = NetworkBuilder()
    root, end = builder.rule(), builder.state()
    builder.accept(end)
    builder.epsilon(root, emit_bounded(builder, dfa, low, high, end, escaped=escaped))
    simulator = Simulator(builder.finish(root))
    for text, accepted in expected.items():
        spelled = text.replace("\n", "\\n") if escaped else text
        assert simulator.accepts(spelled) == accepted, text


def test_emit_bounded_refuses_counts_beyond_integers():
    loop = Dfa([((97, 97),), ((98, 98),)], [[1, -1], [-1, 0]], [True, False])
    with pytest.raises(TooComplexError):
        emit_bounded(NetworkBuilder(), loop, 0, 10**40, 0, escaped=False)


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize(
    "ranges",
    [
        ALL,
        ((0x61, 0x7A),),
        ((0, 0x10FFFF),),
        ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7F), (0xE9, 0x10FFFF)),
        ((0, 9), (0x22, 0x22), (0x41, 0x5C), (0x7F, 0x81)),
        ((0x800, 0xFFFF),),
        ((10, 10),),
        (),
    ],
    ids=str,
)
def test_unit_class_is_that_of_the_ranges(ranges, escaped):
    expected = UnitClass.from_ranges(ranges, json_escaped=escaped)
    found = unit_class(ranges, escaped)
    assert found == expected
    assert found.fewest_bytes.tolist() == expected.fewest_bytes.tolist()


def test_moves_of_units_are_their_table():
    for units in (UnitClass.JSON_STRING, UnitClass.ANY, UnitClass.from_ranges([(0x61, 0xE000)])):
        table = np.full_like(units.table, DEAD_UNIT)
        for state, low, high, goal in units.moves:
            assert (table[state, low : high + 1] == DEAD_UNIT).all()
            table[state, low : high + 1] = goal
        assert (table == units.table).all()
