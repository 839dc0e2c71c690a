"""`Arguments`: what is written of each schema in each spelling, and what is refused with its place."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from grammars import (
    ANY_TYPES,
    Arguments,
    ArgumentSpelling,
    Compiler,
    GrammarError,
    InvalidGrammarError,
    JsonSchema,
    UnsatisfiableError,
    UnsupportedError,
    ValueTag,
    Vocabulary,
    argument_types,
)
from tests.oracles import brute_force_mask, mask_of
from tests.test_grammars.argument_spellings import (
    DELIMITED,
    END,
    MAYBE,
    NUMBER,
    ORDERED,
    PYTHON,
    STRING,
    TAGS,
    TEXT,
    TOKENS,
    TYPED,
    closed,
    tagged,
)


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens(TOKENS, [END]))


DEEP = {
    "type": "object",
    "properties": {"k": {"type": ["boolean", "null"]}},
    "additionalProperties": {"type": "string", "maxLength": 3},
}

CASES: list[tuple[str, ArgumentSpelling, Any, list[str], list[str]]] = [
    (
        "strings are raw text",
        TAGS,
        closed(["a"], a=TEXT),
        [tagged(a=text) for text in ("", "x", '"x"', "1", "null", "\n", "a\nb", "</p", "</p\n", "é<p", "\x00")],
        ["", tagged(b="x"), tagged(a="x</p>"), tagged(a="<p="), tagged(a="</p>y"), tagged(a="x")[:-1], "<p=a>x</p>\n"],
    ),
    (
        "what is said of strings is said of raw text",
        TAGS,
        closed(["a"], a={"type": "string", "pattern": "^a.*b$", "minLength": 3, "maxLength": 6}),
        [tagged(a=text) for text in ("a\"b", "a\\nb", "a</pb", "a</pbb")],
        [tagged(a=text) for text in ("ab", "axxxxxb", "xab", "a</p>b")],
    ),
    (
        "null and booleans are written as JSON or Python does, where there are no strings",
        TAGS,
        closed([], a={"enum": [True, None, 3]}, b={"type": ["boolean", "null"], "not": {"const": False}}, c=MAYBE),
        [tagged(a=text) for text in ("true", "True", "null", "None", "3")]
        + [tagged(b=text) for text in ("true", "True", "null", "None")]
        + [tagged(c=text) for text in ("null", "None")],
        [tagged(a=text) for text in ("False", "false", "TRUE", "none", "Nonex", "[None]")]
        + [tagged(b="False"), tagged(b="false")],
    ),
    (
        "null between delimited strings, too",
        DELIMITED,
        closed([], a={"type": "array", "items": {"type": ["null", "boolean"]}}),
        ["a:[null,None,true,false]", "a:[None]"],
        ["a:[True]", "a:[False]", "a:[none]"],
    ),
    (
        "given strings, without those that hold the marker",
        TAGS,
        closed([], a={"enum": ["x", "y z", "", "</p>"]}),
        ["", *(tagged(a=text) for text in ("x", "y z", ""))],
        [tagged(a=text) for text in ("</p>", "z", '"x"')],
    ),
    (
        "excluded strings",
        TAGS,
        closed([], a={"type": "string", "not": {"enum": ["no", ""]}}),
        [tagged(a=text) for text in ("n", "nob", "yes")],
        [tagged(a=text) for text in ("no", "")],
    ),
    (
        "what is no string is JSON",
        TAGS,
        closed([], n=NUMBER, o=DEEP, l={"type": "array", "items": {"enum": ["</p>", True, 1.5]}}),
        [tagged(n="12"), tagged(o='{"k": null, "z": "abc"}'), tagged(l='["</p>", true,\n  1.5]')],
        [tagged(n='"12"'), tagged(n="1.5"), tagged(o='{"z": "abcd"}'), tagged(l="[true, 2]"), tagged(l="[]", n="1")],
    ),
    (
        "either: JSON, or text that is none and begins like none",
        TAGS,
        closed([], a=MAYBE),
        [
            *(tagged(a=text) for text in ("null", '"null"', "nullx", "Null", "hi there", '""', "", "tru", "a[1]", "-")),
            *(tagged(a=text) for text in ("1.0.0", "5th", "01", "-x", " a", "\n", "1e", "]", "null null")),
        ],
        [
            *(tagged(a=text) for text in ("true", "false", "5", " -5 ", "1.5e+3", "[a", "{", '"a', ' "a', "a</p>")),
            *(tagged(a=text) for text in ("null ", " true", "0\n")),
        ],
    ),
    (
        "either, of few",
        TAGS,
        closed([], a={"enum": ["x", "5", 5, None]}),
        [tagged(a=text) for text in ("x", '"x"', '"5"', "5", "null")],
        [tagged(a=text) for text in ("y", "6")],
    ),
    (
        "types in the tags",
        TYPED,
        closed(["a"], a=MAYBE, n={"type": ["number", "string"]}),
        [
            '<p n="a" s="1">null</p>',
            '<p n="a" s="0">null</p><p n="n" s="0">1.5</p>',
            '<p n="a" s="1"></p><p n="n" s="1">[</p>',
        ],
        ['<p n="a" s="0">"x"</p>', '<p n="a" s="0">x</p>', '<p n="a" s="0">5</p>', '<p n="n" s="0">1</p>'],
    ),
    (
        "members that are not declared",
        TAGS,
        {"type": "object", "properties": {"a": NUMBER}, "additionalProperties": {"type": "string", "maxLength": 2}},
        ["", tagged(a="1", zz="ab"), tagged(zz="ab"), tagged(b="1", c="2"), tagged(ab="")],
        [tagged(zz="abc"), tagged(zz="ab", a="1"), "<p=x y>\nab\n</p>\n", "<p=>\nab\n</p>\n", tagged(a="x")],
    ),
    (
        "names by pattern",
        TAGS,
        {"patternProperties": {"^s": TEXT, "^n": NUMBER}, "additionalProperties": False, "type": "object"},
        [tagged(s1="abc"), tagged(n1="5"), tagged(s1='"5"'), tagged(s="x", n="1")],
        [tagged(n1="abc"), tagged(x="1"), tagged(s1="5")],
    ),
    (
        "alternatives of the whole",
        TAGS,
        {"type": "object", "anyOf": [closed(["a"], a=TEXT), closed(["a", "b"], a=NUMBER, b=TEXT)]},
        [tagged(a="x"), tagged(a='"5"'), tagged(a="5", b="z")],
        ["", tagged(a="5"), tagged(a="x", b="z"), tagged(b="z")],
    ),
    (
        "what depends on members",
        TAGS,
        {**closed([], a=TEXT, b=TEXT, c=TEXT), "dependentRequired": {"a": ["b"]}, "minProperties": 1},
        [tagged(b="x"), tagged(a="x", b="y"), tagged(c="")],
        ["", tagged(a="x"), tagged(a="x", c="y")],
    ),
    (
        "no members at all",
        TAGS,
        closed([]),
        [""],
        [tagged(a="x"), "\n"],
    ),
    (
        "a schema that refers to itself",
        TAGS,
        {**closed([], v=NUMBER, next={"$ref": "#"}), "type": "object"},
        ["", tagged(v="1", next='{"v": 2, "next": {}}')],
        [tagged(next="{'v': 2}"), tagged(next='{"x": 2}')],
    ),
    (
        "keywords of Python",
        PYTHON,
        closed(["a"], a=TEXT, n=NUMBER, o=DEEP, m=MAYBE, b={"type": "boolean"}),
        [
            "a='x'", 'a="x"', "a=''", "a='it\"s', n=-5", 'a="it\'s\\n\\u0000\\\\"',
            "a='é', o={\"k\": None, \"z\": \"abc\"}",
            "a='x', o={ \"k\":True}", "a='x', m=None, b=False", "a='x', m='None'",
        ],
        [
            "", "n=5", "a=x", "a='it's'", "a='\n'", "a='\\'", "a='x', b=false", "a='x',n=1", "a='x', o={'k': True}",
            "a='x', o={\"k\": true}", "b=True, a='x'", "a='x', m=null", "a='x', ",
        ],
    ),
    (
        "strings of Python that a pattern narrows",
        PYTHON,
        closed(["a"], a={"type": "string", "pattern": "^[a-c'\"]+$", "maxLength": 3}),
        ["a='abc'", 'a="a\'c"', "a='a\"c'", 'a="\\""'],
        ["a='abd'", "a='abca'", "a='a'c'", 'a=""'],
    ),
    (
        "strings between delimiters",
        DELIMITED,
        closed(["a"], a=TEXT, n={"type": ["integer", "null"]}, o=DEEP, l={"type": "array", "items": TEXT}),
        [
            "a:<q><q>", 'a:<q>"\\n\n{}é<q>,n:5', "a:<q>x<q>,n:null,o:{k:true,z:<q>abc<q>},l:[<q>1<q>,<q><q>]",
            "a:<q><<q>", "a:<q>x<q>,o:{}", "a:<q>x<q>,l:[]",
        ],
        [
            "", "n:5", 'a:"x"', "a:<q>x", "a:<q>x<q>, n:5", "a:<q>x<q>,o:{z:<q>abcd<q>}", "a:<q>x<q>,o:{\"k\":true}",
            "a:<q>x<q>,l:[1]",
        ],
    ),
    (
        "names between delimiters",
        DELIMITED,
        closed([], **{"x:y": NUMBER, "o": closed(["a b"], **{"a b": TEXT})}),
        ["<q>x:y<q>:5", "o:{<q>a b<q>:<q><q>}", "<q>x:y<q>:5,o:{<q>a b<q>:<q>z<q>}"],
        ["x:y:5", "o:{a b:<q><q>}", "<q>o<q>:{}"],
    ),
    (
        "given values between delimiters",
        DELIMITED,
        closed(["a"], a={"enum": ["x", "<q>", {"k": ["y", None]}, {"k": "<q>"}, False]}),
        ["a:<q>x<q>", "a:{k:[<q>y<q>,null]}", "a:false"],
        ["a:<q><q><q>", "a:{k:<q><q><q>}", "a:x"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("spelling", "schema", "accepted", "refused"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_arguments_accept_and_refuse(
    compiler: Compiler, spelling: ArgumentSpelling, schema: Any, accepted: list[str], refused: list[str]
) -> None:
    grammar = compiler.compile(Arguments(JsonSchema(schema, ORDERED), spelling))
    for text in accepted:
        assert grammar.matcher().accept_text(text.encode()), text
    for text in refused:
        assert not grammar.matcher().accept_text(text.encode()), text


@pytest.mark.parametrize(("spelling", "schema"), [case[1:3] for case in CASES], ids=[case[0] for case in CASES])
def test_masks_of_arguments_are_exact(compiler: Compiler, spelling: ArgumentSpelling, schema: Any) -> None:
    grammar = compiler.compile(Arguments(JsonSchema(schema, ORDERED), spelling))
    for seed in range(3):
        source, matcher = random.Random(seed), grammar.matcher()
        for left in range(60, 0, -1):
            allowed = mask_of(matcher, left)
            if left % 7 == 0:
                assert mask_of(matcher) == brute_force_mask(matcher)
            tokens = sorted(allowed)
            pieces = [token for token in tokens if 256 <= token < END]
            token = source.choice(pieces if pieces and source.random() < 0.4 else tokens)
            assert matcher.accept(token)
            if token == END:
                break
        else:
            assert matcher.is_complete


REFUSED: list[tuple[str, ArgumentSpelling, Any, type[GrammarError], str]] = [
    ("a name that cannot be written", TAGS, closed([], **{"a>b": TEXT}), UnsupportedError, "a>b"),
    ("a name that is no keyword", PYTHON, closed([], **{"a b": TEXT}), UnsupportedError, "a b"),
    ("a nested name", DELIMITED, closed([], a=closed([], **{"x<q>": TEXT})), UnsupportedError, "x<q>"),
    ("a long name", TAGS, closed([], **{"a" * 257: TEXT}), UnsupportedError, "/properties"),
    ("no string without the marker", TAGS, closed(["a"], a={"const": "</p>"}), UnsatisfiableError, "f: /"),
    ("nothing at all", TAGS, closed(["a"], a=False), UnsatisfiableError, "f: /"),
    ("many members of any names", TAGS, {"type": "object", "minProperties": 2}, UnsupportedError, "minProperties"),
    (
        "unique items of Python that are no strings",
        PYTHON,
        closed([], a={"type": "array", "uniqueItems": True, "items": {"type": "object"}}),
        UnsupportedError,
        "uniqueItems",
    ),
]


@pytest.mark.parametrize(
    ("spelling", "schema", "error", "says"), [row[1:] for row in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_arguments_are_refused_by_name(
    compiler: Compiler, spelling: ArgumentSpelling, schema: Any, error: type[GrammarError], says: str
) -> None:
    with pytest.raises(error, match=re.escape(says)) as caught:
        compiler.compile(Arguments(JsonSchema(schema, ORDERED), spelling, "f"))
    assert str(caught.value.where).startswith("f: ")


def test_unique_strings_of_python_stay_unique(compiler: Compiler) -> None:
    schema = closed([], a={"type": "array", "uniqueItems": True, "items": TEXT})
    grammar = compiler.compile(Arguments(JsonSchema(schema, ORDERED), PYTHON))
    assert grammar.matcher().accept_text(b'a=["x", "y"]')
    assert not grammar.matcher().accept_text(b'a=["x", "x"]')


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": (ValueTag(STRING, ">"),)},
        {"tags": (ValueTag(ANY_TYPES, ">"), ValueTag(STRING, ">>"))},
        {"marker": ""},
        {"marker": "</q>"},
        {"values": "delimited", "delimiter": ""},
    ],
)
def test_a_spelling_that_cannot_be_read_is_refused(fields: dict[str, Any]) -> None:
    whole = {"before": "<", "tags": (ValueTag(ANY_TYPES, ">"),), "after": "</p>", "names": "a", "marker": "</p>"}
    with pytest.raises(InvalidGrammarError):
        ArgumentSpelling(**{**whole, **fields})


def test_argument_types_tell_what_decides_the_spelling() -> None:
    schema = {
        "type": "object",
        "properties": {"a": TEXT, "b": {"enum": [1, "x"]}, "c": {"$ref": "#/$defs/c"}, "d": True},
        "$defs": {"c": {"allOf": [{"type": ["string", "array"]}, {"type": ["string", "null"]}]}},
        "patternProperties": {"^z": TEXT},
        "additionalProperties": NUMBER,
    }
    types = argument_types(JsonSchema(schema))
    assert [types.of(name) for name in "abc"] == [STRING, {"number", "string"}, STRING]
    assert types.of("d") == ANY_TYPES
    assert types.of("unknown") == {"string", "number"}
    assert argument_types(JsonSchema(closed([]))).of("x") == frozenset()


def test_equal_spellings_have_equal_keys_in_whatever_order_their_types_are_told():
    def key(types):
        spelling = replace(TAGS, tags=(ValueTag(frozenset(types), ">\n"),))
        return Arguments(JsonSchema({"type": "object"}), spelling).cache_key()

    assert len({key(types) for types in itertools.permutations(ANY_TYPES)}) == 1
