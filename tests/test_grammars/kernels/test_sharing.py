import random

import numpy as np
import pytest

from grammars import Compiler, Gbnf, Limits, TooComplexError, Vocabulary

BYTES = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])


def _web(size, last=""):
    rules = [f'r{i} ::= r{(2 * i + 1) % size} r{(3 * i + 2) % size} | "{i % 10}" | r{i + 1}' for i in range(size - 1)]
    return Gbnf("\n".join(["root ::= r0", *rules, f'r{size - 1} ::= "{(size - 1) % 10}"{last}']))


def _write(matcher, rng, num_tokens):
    row = np.zeros(BYTES.tables.num_words, dtype=np.uint32)
    for _ in range(num_tokens):
        matcher.fill_mask(row)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
        assert set(allowed) - {256} == set(range(48, 58))
        assert (256 in allowed) == matcher.is_complete
        assert matcher.accept(48 + rng.randrange(10))


@pytest.mark.parametrize(("size", "steps"), [(22, 8_000_000), (22, 3_000), (39, 8_000_000), (56, 1_000_000)])
def test_texts_of_ambiguous_rules_go_on(size, steps):
    """The rules have every text of digits, however many steps a mask may take."""
    matcher = Compiler(BYTES, Limits(max_match_steps=steps)).compile(_web(size)).matcher()
    _write(matcher, random.Random(size), 12)


def test_rules_that_are_each_an_alternative_of_the_other_are_one():
    compiled = Compiler(BYTES).compile(_web(200, " | r0"))
    assert compiled.matcher().compiled.network.num_states < 100
    _write(compiled.matcher(), random.Random(0), 50)


def test_more_rules_that_begin_with_each_other_than_texts_have_room_for_are_refused():
    with pytest.raises(TooComplexError, match="max_states"):
        Compiler(BYTES).compile(_web(150))


def test_a_text_that_needs_more_room_than_an_arena_has_gets_it():
    limits = Limits(max_configuration_pairs=512, max_configurations=512, max_stack_nodes=512)
    compiled = Compiler(BYTES, limits).compile(Gbnf('root ::= "(" root "]" | "x"'))
    matcher, other = compiled.matcher(), compiled.matcher()
    for _ in range(5000):
        assert matcher.accept(ord("("))
    assert other.accept(ord("("))
    assert other.accept(ord("x"))
    for token in b"x" + b"]" * 5000:
        assert matcher.accept(token)
    assert matcher.is_complete
    assert not other.is_complete
    with pytest.raises(TooComplexError):
        compiled.matcher().accept_text(b"(" * 20_000)
