"""GBNF: what the network accepts is what the grammar says."""

from __future__ import annotations

import itertools

from hypothesis import given, settings

from grammars.errors import UnsatisfiableError
from grammars.frontends.gbnf import Gbnf
from tests.test_grammars.reference_rules import LETTERS, accepts, as_gbnf, grammars
from tests.test_grammars.simulator import Simulator

SHORT_TEXTS = ["".join(text) for size in range(6) for text in itertools.product(LETTERS, repeat=size)]


@settings(max_examples=150, deadline=None)
@given(grammars())
def test_gbnf_agrees_with_the_reference(grammar):
    expected = [text for text in SHORT_TEXTS if accepts(grammar, text)]
    try:
        network = Simulator.of(Gbnf(as_gbnf(grammar), root="start"))
    except UnsatisfiableError:
        assert expected == []
        return
    assert [text for text in SHORT_TEXTS if network.accepts(text)] == expected
