"""Partitions: their bound, and what becomes of constraints when others take their place."""

from __future__ import annotations

import gc
import itertools
import weakref

import pytest

from grammars import Compiler, Regex, Vocabulary
from grammars.vocabulary import partitions
from grammars.vocabulary.units import UnitClass
from tests.oracles import brute_force_mask, mask_of

EOS = 256
LETTERS = "abcdefghijkl"


@pytest.fixture
def vocabulary(monkeypatch) -> Vocabulary:
    monkeypatch.setattr(partitions, "_MAX_CLASSES", 4)
    pairs = [f"{one}{other}".encode() for one in LETTERS for other in LETTERS]
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, *pairs, b"abc-", "aé".encode()], [EOS])


def _pattern(number: int) -> Regex:
    return Regex(f"[^{LETTERS[number]}é]{{0,9}}-[^{LETTERS[number - 1]}]*")


def _is_right(matcher, text: str) -> bool:
    for byte in text.encode():
        if mask_of(matcher) != brute_force_mask(matcher) or not matcher.accept(byte):
            return False
    return mask_of(matcher) == brute_force_mask(matcher)


def test_masks_are_right_in_every_generation(vocabulary):
    compiler, matchers, generations = Compiler(vocabulary), [], []
    for number in range(1, len(LETTERS)):
        compiled = compiler.compile(_pattern(number))
        matchers.append(compiled.matcher())
        assert _is_right(compiled.matcher(), "xx-zz")
        generations.append(vocabulary.partitions)
    assert len(set(map(id, generations))) >= 3
    # Constraints of all generations go on side by side, also with classes that their own has no room for.
    assert all(_is_right(matcher, "xxx-yy") for matcher in matchers)


def test_a_full_generation_goes_with_its_last_constraint(vocabulary):
    compiler = Compiler(vocabulary)
    first = weakref.ref(vocabulary.partitions)
    matcher = compiler.compile(_pattern(1)).matcher()
    for number in range(2, len(LETTERS)):
        mask_of(compiler.compile(_pattern(number)).matcher())
    assert first() is not vocabulary.partitions
    assert _is_right(matcher, "xx-")
    assert first() is not None
    del matcher
    gc.collect()
    assert first() is None


def test_constraints_asked_for_again_are_compiled_for_the_new_generation(vocabulary):
    compiler = Compiler(vocabulary)
    old, codes = compiler.compile(_pattern(1)), itertools.count()
    while not vocabulary.partitions.is_full:
        vocabulary.partitions.of_class(UnitClass.from_ranges([(next(codes), 200)]))
    assert vocabulary.partitions.of_class(UnitClass.from_ranges([(100, 101)])) == partitions.EMPTY
    compiler.compile(_pattern(2))
    new = compiler.compile(_pattern(1))
    assert new is not old
    assert _is_right(new.matcher(), "xx-")
    assert compiler.compile(_pattern(1)) is new


def test_bytes_fill_a_generation_too(vocabulary, monkeypatch):
    assert not vocabulary.partitions.is_full
    monkeypatch.setattr(partitions, "_MAX_BYTES", vocabulary.partitions.num_bytes + 100)
    vocabulary.partitions.of_class(UnitClass.ANY)
    assert vocabulary.partitions.is_full
    before = vocabulary.partitions
    assert vocabulary.renew_partitions() is not before
    assert vocabulary.renew_partitions() is vocabulary.partitions
    assert not vocabulary.partitions.is_full


@pytest.mark.parametrize("pattern", ["[^aé]{0,9}-[^b]*", "(?:[c-h]*a)*-", "[^aé]*[x-z]+"])
def test_masks_are_right_where_a_full_generation_has_the_class_but_not_what_leaves_it(vocabulary, pattern):
    matcher = Compiler(vocabulary).compile(Regex(pattern)).matcher()
    partitions_, before = vocabulary.partitions, None
    built = partitions_._build

    def build(*arguments):
        nonlocal before
        built(*arguments)
        partitions_.is_full, before = True, partitions_.num_bytes

    partitions_._build = build
    text = {"[": "ccx-z", "(": "cchagda-"}[pattern[0]]
    assert _is_right(matcher, text if pattern[-1] != "+" else "ccxyz")
    assert before is not None
    assert partitions_.num_bytes == before


@pytest.mark.parametrize(("pattern", "text"), [("[^aé]{0,9}a[^b]*", "ccxaz"), ("(?:[c-h]*a)*-", "cchagda-")])
def test_masks_are_right_where_too_many_tokens_leave_a_class(vocabulary, pattern, text, monkeypatch):
    monkeypatch.setattr(partitions, "_MOST_LEAVING", 2)
    assert _is_right(Compiler(vocabulary).compile(Regex(pattern)).matcher(), text)
    known = vocabulary.partitions._pools["residual_of"]
    assert (known.array[: known.used] == partitions.TOO_LARGE).any()
