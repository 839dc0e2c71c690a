"""The second opinion on GBNF: a reader of its own, held against a slow reference and the compiler's tables."""

import itertools

import pytest
from hypothesis import given, settings

from gateway.verify import Verifier
from gateway.verify.earley import EarleyGrammar
from gateway.verify.gbnf_reader import read_gbnf
from tests.oracles import RuleTexts
from tests.oracles import read_gbnf as reference
from tests.test_grammars.frontends.lark.test_gbnf import REFUSED, TABLE
from tests.test_grammars.reference_rules import LETTERS, as_gbnf, grammars

SHORT_TEXTS = ["".join(text) for size in range(5) for text in itertools.product(LETTERS, repeat=size)]
# Grammars that derive no text are grammars all the same, and how deep or far one may be is the compiler's own bound.
NO_MATTER_OF_READING = {'root ::= "a" x\nx ::= "b" x', "root ::= root"} | {
    row[0] for row in REFUSED if "(" * 9 in row[0]
}


@settings(max_examples=100, deadline=None)
@given(grammars())
def test_gbnf_is_derived_as_the_reference_says(made):
    text = as_gbnf(made)
    ours, expected = EarleyGrammar(read_gbnf(text, "start")), RuleTexts(reference(text), "start")
    assert list(filter(ours.fullmatch, SHORT_TEXTS)) == list(filter(expected.accepts, SHORT_TEXTS))


@pytest.mark.parametrize(("text", "accepted", "refused"), TABLE, ids=[row[0][:30] for row in TABLE])
def test_gbnf_accepts_and_refuses(text, accepted, refused):
    ours = EarleyGrammar(read_gbnf(text))
    assert all(map(ours.fullmatch, accepted))
    assert not any(map(ours.fullmatch, refused))


@pytest.mark.parametrize(
    "text", [row[0] for row in REFUSED if row[0] not in NO_MATTER_OF_READING], ids=lambda text: text[:30]
)
def test_what_is_no_grammar_is_not_read(text):
    assert not Verifier().can_read(text, "gbnf")


def test_ends_of_derivations_that_go_on():
    ours = EarleyGrammar(read_gbnf('root ::= "a" root | "b" | ""'))
    assert ours.ends("aabx")[0] == {0, 1, 2, 3}


def test_comments_are_passed_over_once():
    text = "root ::= x " + "#" * 5000 + '\n y\nx ::= "a"\ny ::= "b"'
    assert EarleyGrammar(read_gbnf(text)).fullmatch("ab")
