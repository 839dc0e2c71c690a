"""A short cut of each differential fuzz: the masks write, and take, what an engine of its own takes."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from grammars import Compiler, Gbnf, Vocabulary
from tests.bench import fuzz_gbnf, fuzz_lark, fuzz_regex
from tests.bench.fuzzing import END, TOKENS, run
from tests.test_grammars.sampling import VOCABULARY

FUZZES = {
    # Node says what ECMA-262's dialect is.
    "regex": fuzz_regex.draw if shutil.which("node") else fuzz_regex.draw_python,
    "lark": fuzz_lark.draw,
    "gbnf": fuzz_gbnf.draw,
}


# An oracle that takes too long is interrupted, wherever it is.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", FUZZES)
def test_fuzz_finds_nothing(kind):
    tally = run(FUZZES[kind], seed=0, count=40, walks=5)
    assert tally.failures == []
    assert tally.counts["asked"] > 500


AMBIGUOUS = [
    'root ::= x x\nx ::= root{0,2} y* "a"\ny ::= x',
    'root ::= item item\nitem ::= root{0,2} other* ("b" | "a")\nother ::= item',
    'root ::= "a" | root root root+',
]


@pytest.mark.parametrize("grammar", AMBIGUOUS)
def test_ways_to_read_a_text_do_not_multiply(grammar):
    """However many there are, what a match remembers grows with the text alone."""
    compiled = Compiler(VOCABULARY).compile(Gbnf(grammar))
    matcher, row = compiled.matcher(), np.zeros(VOCABULARY.tables.num_words, dtype=np.uint32)
    for _ in range(24):
        matcher.fill_mask(row, 60)
        assert matcher.accept(ord("a"))
    assert compiled.num_bytes < 1_000_000


@pytest.mark.parametrize(
    "grammar", ['root ::= [a-c]{1,3} "b"', "root ::= [a-c]{1,3} [b-d]*", 'root ::= ([a-c]{1,3} "b")*']
)
def test_masks_count_characters_that_may_also_stand_behind_the_counted_ones(grammar):
    vocabulary = Vocabulary.from_tokens(TOKENS, [END])
    compiled = Compiler(vocabulary).compile(Gbnf(grammar))
    row = np.zeros(vocabulary.tables.num_words, dtype=np.uint32)
    for beginning in (b"", b"a", b"c", b"ab", b"bb", b"cb", b"abc"):
        matcher = compiled.matcher()
        if not all(map(matcher.accept, beginning)):
            continue
        matcher.fill_mask(row)
        for token, text in enumerate(TOKENS):
            if text is not None:
                fork = matcher.fork()
                assert bool(row[token >> 5] >> (token & 31) & 1) == all(map(fork.accept, text)), (beginning, text)
