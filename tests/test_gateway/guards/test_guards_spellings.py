"""Characters that are read as others: what is found is what a look at the text as it is read finds."""

import random
import unicodedata

import pytest

from gateway.guards import Applied, Rules, Screen
from gateway.guards.kinds import GUARDS
from gateway.guards.kinds.base import OptionError
from gateway.guards.spellings import Spelling
from tests.counts import few_or_all

ALIKE = {"а": "a", "е": "e", "о": "o", "с": "c", "р": "p", "х": "x", "Α": "A", "ο": "o", "ｆ": "f", "ı": "i", "ɪ": "i"}
LETTERS = [*"abcefiopx EFIA", "ﬁ", "ﬀ", "ﬃ", "ⅸ", "Ⅸ", "㏄", "℅", "𝐟", "ⓐ", "ª", "ｉ", "²", "п", "∞", *ALIKE]


def screen_of(guard, **options):
    rules = GUARDS[guard].rules(options)
    return Screen(Rules([Applied(rule=rule, action="block", replacement="") for rule in rules]))


def read(text, nfkc, confusables):
    """As another one than the guards' reads it."""
    whole = [unicodedata.normalize("NFKC", each) if nfkc else each for each in text]
    return "".join(ALIKE.get(each, each) if confusables else each for part in whole for each in part)


@pytest.mark.parametrize("num_terms", few_or_all(15, 60))
@pytest.mark.parametrize(("nfkc", "confusables"), [(True, False), (False, True), (True, True)])
def test_terms_are_found_as_they_are_read(nfkc, confusables, num_terms):
    source, num_found = random.Random(5), 0
    for _ in range(num_terms):
        term = "".join(source.choices("abcefiopx", k=source.randint(1, 4)))
        ignores = source.random() < 0.5
        options = {"terms": [term], "nfkc": nfkc, "confusables": confusables, "ignore_case": ignores}
        for _ in range(20):
            text = "".join(source.choices(LETTERS, k=12))
            said = read(text, nfkc, confusables)
            expected = term in (said.lower() if ignores else said)
            screen = screen_of("terms", **options)
            for character in text:
                screen.feed(character)
            screen.flush()
            assert (screen.blocked is not None) == expected, (term, text)
            num_found += expected
    assert num_found > num_terms * 5 // 6


def test_marks_on_letters_may_stand_apart():
    for text in ("café", unicodedata.normalize("NFD", "CAFÉ")):
        screen = screen_of("terms", terms=["café"], nfkc=True)
        screen.feed(text + "!")
        assert screen.blocked is not None
    screen = screen_of("terms", terms=["café"], nfkc=True)
    screen.feed("cafe!")
    assert screen.blocked is None


@pytest.mark.parametrize(("text", "is_found"), [("АВ-１２", True), ("AB-12", True), ("AΒ-1Z", False)])
def test_patterns_are_widened_letter_by_letter(text, is_found):
    screen = screen_of("pattern", pattern="[A-C]{2}-[0-9]{2}", nfkc=True, confusables=True)
    screen.feed(text)
    screen.flush()
    assert (screen.blocked is not None) == is_found


def test_look_alikes_are_letters_that_are_named_so():
    for letter in "AEOP":
        assert Spelling(confusables=True).read(unicodedata.lookup(f"FULLWIDTH LATIN CAPITAL LETTER {letter}")) == letter
    assert Spelling(confusables=True).read("ѕсоре ᴀ") == "scope a"
    assert Spelling(nfkc=True).read("ѕ") == "ѕ"
    assert not Spelling()


def test_too_many_ways_to_write_a_term_are_refused():
    with pytest.raises(OptionError, match="too many ways"):
        GUARDS["terms"].rules({"terms": ["i" * 60], "nfkc": True})
