"""Lark grammars: what the network accepts is what lark's own Earley parser accepts."""

from __future__ import annotations

import itertools

import lark
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammars.errors import UnsatisfiableError
from grammars.frontends.lark import Lark
from tests.test_grammars.reference_rules import as_lark, grammars
from tests.test_grammars.simulator import Simulator

SHORT_TEXTS = ["".join(text) for size in range(5) for text in itertools.product("ab ", repeat=size)]


def _parses(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


def _parser(text: str) -> lark.Lark:
    return lark.Lark(text, parser="earley", lexer="dynamic_complete")


@settings(max_examples=150, deadline=None)
@given(grammars(), st.sampled_from(["", '" "', "/ +/", '" b"']))
def test_lark_agrees_with_lark(grammar, ignored):
    text = as_lark(grammar, ignored)
    try:
        parser = _parser(text)
    except lark.exceptions.LarkError:
        # Two equal expansions of a rule, or a terminal that may be empty.
        assume(False)
    expected = [text for text in SHORT_TEXTS if _parses(parser, text)]
    try:
        network = Simulator.of(Lark(text))
    except UnsatisfiableError:
        assert expected == []
        return
    assert [text for text in SHORT_TEXTS if network.accepts(text)] == expected
