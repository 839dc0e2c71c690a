"""Text that stands as it is, between markers: `RawString`, a `Regex` without some texts, and strings of `Arguments`."""

from __future__ import annotations

from typing import Any

import pytest

from grammars import Arguments, Compiler, JsonSchema, RawString, Regex, UnsatisfiableError, Vocabulary
from tests.oracles import mask_of
from tests.test_grammars.argument_spellings import END, ORDERED, TAGS, TEXT, TOKENS, closed, tagged


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [END]))


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        (TEXT, ["", "a", '"', "a\nb", "</p", "<<"], ["</p>", "a</p>b", "a--"]),
        ({"format": "date", "type": "string"}, ["2024-02-29"], ["2023-02-29", '"2024-02-29"']),
        ({"allOf": [{"type": "string"}, {"pattern": "-"}], "maxLength": 3}, ["-", "a-b"], ["a", "a--", "abc-"]),
        ({"type": ["string", "null"], "enum": ["x", None]}, ["x"], ["null", ""]),
    ],
)
def test_raw_string(compiler: Compiler, schema: Any, accepted: list[str], refused: list[str]) -> None:
    grammar = compiler.compile(RawString(JsonSchema(schema), ("</p>", "--")))
    for text in accepted:
        assert grammar.matcher().accept_text(text.encode()), text
    for text in refused:
        assert not grammar.matcher().accept_text(text.encode()), text


def test_raw_string_that_cannot_be_is_refused(compiler: Compiler) -> None:
    for schema in ({"const": "a--"}, {"type": "integer"}, {"type": "string", "pattern": "--"}):
        with pytest.raises(UnsatisfiableError) as caught:
            compiler.compile(RawString(JsonSchema(schema), ("--",)))
        assert caught.value.where == ""


def test_a_wide_bound_on_raw_text_leaves_out_how_the_marker_begins(compiler: Compiler) -> None:
    schema = closed(["a"], a={"type": "string", "maxLength": 20_000})
    matcher = compiler.compile(Arguments(JsonSchema(schema, ORDERED), TAGS)).matcher
    assert matcher().accept_text(tagged(a="é" * 20_000).encode())
    assert not matcher().accept_text(tagged(a="é" * 20_001).encode())
    assert not matcher().accept_text(tagged(a="a<b").encode())
    schema = closed(["a"], a={"type": ["string", "null"], "maxLength": 20_000})
    matcher = compiler.compile(Arguments(JsonSchema(schema, ORDERED), TAGS)).matcher
    assert matcher().accept_text(tagged(a='"a<b"').encode())
    assert matcher().accept_text(tagged(a="/a/b").encode())
    assert matcher().accept_text(tagged(a="").encode())
    for text in ("a<b", "not", "1", " x"):
        assert not matcher().accept_text(tagged(a=text).encode())


def test_words_that_are_counted_leave_out_how_the_marker_begins(compiler: Compiler) -> None:
    schema = closed(["a"], a={"type": "string", "pattern": r"^(?:\S+\s+){0,39}\S+$", "maxLength": 900})
    matcher = compiler.compile(Arguments(JsonSchema(schema, ORDERED), TAGS)).matcher
    assert matcher().accept_text(tagged(a="one two\n" + "three " * 37 + "four").encode())
    for text in ("", "a ", "a " * 40 + "b", "a <b"):
        assert not matcher().accept_text(tagged(a=text).encode())


def test_regex_without_markers(compiler: Compiler) -> None:
    grammar = compiler.compile(Regex("(?i)a[b-]*", without=("--",)))
    assert grammar.matcher().accept_text(b"Ab-b-B")
    assert not grammar.matcher().accept_text(b"a--")
    with pytest.raises(UnsatisfiableError):
        compiler.compile(Regex("a--+", without=("--",)))


def test_a_marker_that_is_a_special_token_is_that_token() -> None:
    vocabulary = Vocabulary.from_tokens([*TOKENS, None], [END], special_tokens={"</p>": END + 1})
    matcher = Compiler(vocabulary).compile(Arguments(JsonSchema(closed(["a"], a=TEXT), ORDERED), TAGS)).matcher()
    for byte in b"<p=a>\nx\n":
        assert matcher.accept(byte)
    assert END + 1 in mask_of(matcher)
    assert TOKENS.index(b"</p>") not in mask_of(matcher)
    assert matcher.accept(END + 1)
    assert matcher.accept(ord("\n"))
    assert matcher.is_complete
