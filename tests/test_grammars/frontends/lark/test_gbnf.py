"""GBNF: what the network accepts is what the grammar says."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings

from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError
from grammars.frontends.gbnf import Gbnf
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from tests.oracles import RuleTexts, read_gbnf
from tests.test_grammars.reference_rules import LETTERS, as_gbnf, grammars
from tests.test_grammars.simulator import Simulator

SHORT_TEXTS = ["".join(text) for size in range(6) for text in itertools.product(LETTERS, repeat=size)]


@settings(max_examples=100, deadline=None)
@given(grammars())
def test_gbnf_agrees_with_the_reference(grammar):
    written = as_gbnf(grammar)
    expected = list(filter(RuleTexts(read_gbnf(written), "start").accepts, SHORT_TEXTS))
    try:
        network = Simulator.of(Gbnf(written, root="start"))
    except UnsatisfiableError:
        assert expected == []
        return
    assert [text for text in SHORT_TEXTS if network.accepts(text)] == expected


TABLE = [
    ('root ::= "a" | "b" "c"', ["a", "bc"], ["", "b", "ac"]),
    ('root ::= "a"\n  | "b"\n\n# a comment\nother ::= "x" # unused', ["a", "b"], ["x"]),
    ('root ::=\n  (\n "a"\n other\n)\nother ::= "b"', ["ab"], ["a"]),
    ('root ::= "a" |', ["a", ""], ["b"]),
    ("root ::= [^a-c\\n] [a-] [\\]\\\\] .", ["d-]\n", "éa\\x"], ["aa]x", "db]x"]),
    ('root ::= "\\x41\\u00e9\\U0001F600\\t\\n\\r\\"\\\\"', ['Aé😀\t\n\r"\\'], ["A"]),
    ('root ::= "ab"{2} [0-9]{1,3} "x"{2,}', ["abab1xx", "abab123xxx"], ["ab1xx", "abab1234xx", "abab1x"]),
    ('root ::= check-mate a_b c.d\ncheck-mate ::= "#"\na_b ::= "+"\nc.d ::= "-"', ["#+-"], ["#+"]),
    ('root ::= a.b\na ::= "x"\nb ::= "y"', ["xzy"], ["xy"]),
    ('root ::= root "+" root | [0-9]', ["1", "1+2+3"], ["", "1+", "+1"]),
    ('root ::= empty root "a" | "b"\nempty ::= ""', ["b", "baa"], ["a", "ab"]),
    ('root ::= root{0} root | "a" ("b"? "c")?', ["a", "ac", "abc"], ["", "aa", "aca"]),
    ('root ::= x ("b" | "a") | "c"\nx ::= y+ ("d" | root)\ny ::= "e"{0}', ["c", "cb", "dab"], ["", "b", "ed"]),
    ('root ::= ("a"*)* ("b"?)+', ["", "aab", "bb"], ["ba"]),
    ('root ::= one two\none ::= two "x" | "y"\ntwo ::= one "z" | "w" | ""', ["y", "yyz", "xw", "yzxyzxz"], ["", "z"]),
    ('root ::= a b\na ::= a "x" | "z"\nb ::= "y" "w"', ["zyw", "zxyw"], ["zywx", "zxywx"]),
    ('root ::= "é" [à-ü]', ["éê"], ["é", "e"]),
]


@pytest.mark.parametrize(("grammar", "accepted", "refused"), TABLE, ids=[row[0][:30] for row in TABLE])
def test_gbnf_accepts_and_refuses(grammar, accepted, refused):
    network = Simulator.of(Gbnf(grammar))
    assert [text for text in accepted if not network.accepts(text)] == []
    assert [text for text in refused if network.accepts(text)] == []


REFUSED = [
    ("", InvalidGrammarError, "line 1, column 1"),
    ('root = "a"', InvalidGrammarError, "line 1, column 5"),
    ('root ::= "a', InvalidGrammarError, "line 1, column 10"),
    ("root ::= [a", InvalidGrammarError, "line 1, column 10"),
    ("root ::= []", InvalidGrammarError, "line 1, column 10"),
    ("root ::= [z-a]", InvalidGrammarError, "line 1, column 12"),
    ('root ::= (\n "a"', InvalidGrammarError, "line 1, column 10"),
    ('root ::= "a")', InvalidGrammarError, "line 1, column 13"),
    ('root ::= "\\q"', InvalidGrammarError, "line 1, column 11"),
    ('root ::= "\\ud800"', InvalidGrammarError, "line 1, column 11"),
    ('root ::= "a"{3,2}', InvalidGrammarError, "line 1, column 13"),
    ('root ::= "a"{,2}', InvalidGrammarError, "line 1, column 13"),
    ('root ::= "a"\n\nx ::= y', InvalidGrammarError, "line 3, column 7"),
    ('root ::= "a"\nroot ::= "b"', InvalidGrammarError, "line 2, column 1"),
    ('root ::= "a" ;', InvalidGrammarError, "line 1, column 14"),
    ("root ::= <think>", UnsupportedError, "line 1, column 10"),
    ('root ::= "a" !<[7]>', UnsupportedError, "line 1, column 14"),
    ('root ::= "a" (= "b")', UnsupportedError, "line 1, column 14"),
    ('root ::= TagDispatch(("a", root))', UnsupportedError, "line 1, column 10"),
    ('root ::= "a" x\nx ::= "b" x', UnsatisfiableError, "line 2, column 1"),
    ("root ::= root", UnsatisfiableError, "line 1, column 1"),
    ("root ::= " + "(" * 500 + '"a"' + ")" * 500, TooComplexError, "line 1, column 69"),
    ('root ::= "a"{99999999999}', TooComplexError, "line 1, column 13"),
]


@pytest.mark.parametrize(("grammar", "error", "where"), REFUSED, ids=[row[0][:30] for row in REFUSED])
def test_gbnf_refuses_with_the_place(grammar, error, where):
    with pytest.raises(error) as caught:
        Simulator.of(Gbnf(grammar))
    assert caught.value.where == where


def test_gbnf_limits():
    with pytest.raises(TooComplexError) as caught:
        Simulator.of(Gbnf('root ::= "aaaaaaaaaa"'), Limits(max_grammar_bytes=10))
    assert caught.value.limit == "max_grammar_bytes"
    with pytest.raises(TooComplexError) as caught:
        Simulator.of(Gbnf('root ::= a\na ::= "x" root\nb ::= "c"'), Limits(max_grammar_rules=2))
    assert caught.value.limit == "max_grammar_rules"


def test_gbnf_large_counts_and_long_lists_cost_few_states():
    builder = NetworkBuilder()
    builder.finish(Gbnf('root ::= ("a" root? "b"){5,60000}').emit(builder))
    assert builder.num_states < 20
    builder = NetworkBuilder()
    builder.finish(Gbnf("root ::= " + " | ".join(f'"word{i}"' for i in range(1000))).emit(builder))
    assert builder.num_states < 1200


HOSTILE = [
    "root ::= " + '("b" | ' * 58 + '"a"' + ")*" * 58,
    "root ::= " + '("b"? ' * 58 + "root" + ")*" * 58,
    "root ::= " + "(" * 58 + 'root "a"? | "b"' + "){0,3}" * 58,
    "root ::= " + " ".join(["root?"] * 2000) + ' "x"',
    "root ::= " + " ".join(['(root? "a"?)'] * 2000),
    "root ::= r0\n" + "\n".join(f'r{i} ::= r{(i + 1) % 300} "a" | r{i * 7 % 300} | "c"' for i in range(300)),
]


@pytest.mark.parametrize("grammar", HOSTILE, ids=range(len(HOSTILE)))
def test_gbnf_nested_repeats_and_cycles_stay_small(grammar):
    assert Simulator.of(Gbnf(grammar)).n.num_states < 100_000
