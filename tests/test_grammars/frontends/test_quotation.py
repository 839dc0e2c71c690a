"""Quotations: against the list of all parts of a text that begin and end at words' borders."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammars import Compiler, Quotation, TooComplexError, Vocabulary

COMPILER = Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


def quotations(text, without):
    """All of them, by definition."""
    chunks = [found.span() for found in re.finditer(r"\w+|\s+|[^\w\s]", text)]
    marks = [found.span() for found in re.finditer(re.escape(without), text)] if without else []
    free = [not any(begin < b and a < end for a, b in marks) for begin, end in chunks]
    runs = [(i, j) for i in range(len(chunks)) for j in range(i, len(chunks)) if all(free[i : j + 1])]
    parts = {text[chunks[i][0] : chunks[j][1]] for i, j in runs}
    return {each for each in parts if each == each.strip()}


@settings(max_examples=60, deadline=None)
@given(st.text("ab é.\n<>", max_size=10), st.sampled_from(["", "<>", "b", "."]))
def test_quotations_are_the_parts_of_a_text_between_borders_of_words(text, without):
    expected = quotations(text, without)
    candidates = {text[a:b] for a in range(len(text) + 1) for b in range(a, len(text) + 1)} | {"ba", "aa b", "x"}
    if not expected:
        with pytest.raises(Exception, match="no text"):
            COMPILER.compile(Quotation(text, without))
        return
    compiled = COMPILER.compile(Quotation(text, without))
    assert {each for each in candidates if compiled.matcher().accept_text(each.encode())} == expected


def test_a_long_text_has_as_many_states_as_bytes_and_more_is_refused():
    text = " ".join(f"word{number} is no. {number * 7919 % 1000}," for number in range(4_000))
    matcher = COMPILER.compile(Quotation(text)).matcher()
    assert matcher.accept_text(text[: text.index(" word900")].encode())
    with pytest.raises(TooComplexError, match="max_states"):
        COMPILER.compile(Quotation(text * 8))
