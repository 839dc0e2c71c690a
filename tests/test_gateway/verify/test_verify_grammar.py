"""The second opinion on grammars, held against lark's own Earley parser."""

from __future__ import annotations

import itertools
import json

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.verify import CostError, Verifier
from gateway.verify.earley import EarleyGrammar, GrammarCache
from gateway.verify.lark_reader import read_lark
from gateway.verify.productions import UnreadableError
from tests.test_grammars.frontends.lark.test_lark import TABLE, _parser, _parses
from tests.test_grammars.reference_rules import as_lark, grammars

SHORT_TEXTS = ["".join(text) for size in range(5) for text in itertools.product("ab ", repeat=size)]
JSON = r"""
?start: value
value: object | array | ESCAPED_STRING | SIGNED_NUMBER | "true" | "null"
array: "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair: ESCAPED_STRING ":" value
%import common.ESCAPED_STRING
%import common.SIGNED_NUMBER
%import common.WS
%ignore WS
"""


def grammar(text):
    return EarleyGrammar(read_lark(text))


@settings(max_examples=60, deadline=None)
@given(grammars(), st.sampled_from(["", "\n%ignore / +/"]))
def test_earley_agrees_with_lark(made, ignored):
    text = as_lark(made) + ignored
    try:
        parser = _parser(text)
    except lark.exceptions.LarkError:
        return
    ours = grammar(text)
    for candidate in SHORT_TEXTS:
        assert ours.fullmatch(candidate) == _parses(parser, candidate), candidate


def _is_readable(text):
    try:
        read_lark(text)
    except UnreadableError:
        return False
    return True


# A terminal is any text of its pattern here, whatever `re.match` would prefer.
LOOSER = {"start: COMMENT+\nCOMMENT: /\\/\\*.*?\\*\\//s", "start: /a|ab/", "start: /(a?)(ab)?/", "start: /a+?b*/"}
READABLE = [row for row in TABLE if _is_readable(row[0])]


def test_most_grammars_are_readable():
    assert len(READABLE) >= 15


@pytest.mark.parametrize(("text", "accepted", "refused"), READABLE, ids=[row[0][:30] for row in READABLE])
def test_earley_accepts_and_refuses(text, accepted, refused):
    ours = grammar(text)
    assert all(map(ours.fullmatch, accepted))
    if text not in LOOSER:
        assert not any(map(ours.fullmatch, refused))


@pytest.mark.parametrize(
    ("text", "accepted", "refused"),
    [
        ('start: ["a"] ["b"]~0..3 "c"?', ["", "a", "abbb", "bc", "c"], ["ba", "bbbb", "cc"]),
        ('start: "a"~2..4 "b"~2', ["aabb", "aaaabb"], ["abb", "aaaaabb", "aab"]),
        ('start: pair{"a"} | pair{NAME}\npair{x}: x "," x\nNAME: /[b-z]+/', ["a,a", "bc,d"], ["a,b", "bc,"]),
        ("start: start start | \"a\" |", ["", "a", "aaa"], ["b"]),
        ('start: "a" start "b" | ', ["", "aabb"], ["aab", "ba"]),
        ('start: x+ ";"\n?x.2: "0".."3" -> digit\n  | KEY\nKEY: "k"i', ["0k3K;"], ["4;", ";"]),
        (JSON, [' {"a": [1.5, "x\\"y"]} ', "[]", "null"], ["[", '{"a" 1}', '"a"b"', ""]),
    ],
)  # fmt: skip
def test_earley_reads_what_larks_language_says(text, accepted, refused):
    ours = grammar(text)
    assert all(map(ours.fullmatch, accepted))
    assert not any(map(ours.fullmatch, refused))


@pytest.mark.parametrize(
    "text",
    [
        'start: %json {"type": "object"}',
        "start: <|tool|>",
        'start: "a"{2,3}',
        "start: x",
        'start: "a"~1..60000',
        "start: /(?<=a)b/",
        r"start: /(a)\1/",
        "%import .secrets.THING\nstart: THING",
        "%import other.THING\nstart: THING",
        'start: "a"' + "\n" * 5000,
        'start: "' + "a" * 70_000 + '"',
        "",
    ],
)
def test_other_grammars_are_not_readable(text):
    verifier = Verifier()
    assert not verifier.can_read(text)
    with pytest.raises(ValueError, match="cannot be read"):
        verifier.verify_grammar(text, "a")


def test_options_are_not_multiplied_out():
    ours = grammar("start: " + '["a"] ' * 500)
    assert ours.fullmatch("a" * 7)
    assert not ours.fullmatch("b")


def test_what_takes_too_long_is_not_decided():
    with pytest.raises(CostError):
        grammar('start: start start | "a"').fullmatch("a" * 3000)
    with pytest.raises(CostError):
        grammar("start: /(a|a)*b/ | /a*/ start").fullmatch("a" * 5000)


def test_a_text_that_can_be_read_in_many_ways_is_decided():
    """Of its ways those that differ in their beginning alone are followed as one."""
    sums = EarleyGrammar(read_lark('start: e\ne: e "+" e | "1"'))
    text = "+".join("1" * 500)
    assert sums.fullmatch(text)
    assert not sums.fullmatch(text + "+")
    both = EarleyGrammar(read_lark('start: a\na: a "x" | "x" a | "x"'))
    assert both.fullmatch("x" * 500)
    assert not both.fullmatch("x" * 500 + "y")


def test_long_texts_are_decided():
    ours = grammar(JSON)
    text = json.dumps([{"name": "x" * 300, "values": list(range(20))}] * 20)
    assert ours.fullmatch(text)
    assert not ours.fullmatch(text[:-1])


def test_verifier_says_what_failed():
    verifier = Verifier()
    assert verifier.can_read(JSON)
    assert verifier.verify_grammar(JSON, "[1]")
    verdict = verifier.verify_grammar(JSON, "[1")
    assert (verdict.passed, verdict.check) == (False, "grammar")


def test_grammars_are_kept_while_their_texts_are_short_together() -> None:
    cache = GrammarCache()
    first = cache.get('start: "a"', "lark")
    assert cache.get('start: "a"', "lark") is first
    for letter in "bcdefgh":
        cache.get(f'start: "{letter}" // {50_000 * "x"}', "lark")
    assert cache.get('start: "a"', "lark") is not first
