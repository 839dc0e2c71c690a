import random

import numpy as np
import pytest

from grammars import Compiler, Gbnf, Limits, TooComplexError, Vocabulary

BYTES = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])


def _web(size):
    rules = (
        f'r{i} ::= r{(2 * i + 1) % size} r{(3 * i + 2) % size} | "{i % 10}" | r{(i + 1) % size}' for i in range(size)
    )
    return Gbnf("root ::= r0\n" + "\n".join(rules))


@pytest.mark.parametrize("size", [39, 90, 107])
def test_texts_of_ambiguous_rules_go_on(size):
    matcher, rng = Compiler(BYTES).compile(_web(size)).matcher(), random.Random(size)
    row = np.zeros(BYTES.tables.num_words, dtype=np.uint32)
    for _ in range(8):
        matcher.fill_mask(row)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
        assert set(allowed) - {256} == set(range(48, 58))
        assert matcher.accept(48 + rng.randrange(10))


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
