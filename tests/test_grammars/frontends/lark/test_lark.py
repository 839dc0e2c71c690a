"""Lark grammars: what the network accepts is what lark's own Earley parser accepts."""

from __future__ import annotations

import itertools
import json
import random
import re

import lark
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammars import Compiler
from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError
from grammars.frontends.lark import Lark
from grammars.frontends.lark.preferred import language_of_match
from grammars.limits import Limits
from tests.oracles import brute_force_mask, check_masks, mask_of
from tests.test_grammars.reference_rules import as_lark, grammars
from tests.test_grammars.sampling import VOCABULARY, samples
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


@settings(max_examples=60, deadline=None)
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


def test_lark_texts_under_masks_parse_with_lark():
    """Both ways: sampled texts parse, and a text with one character changed is accepted if and only if it parses."""
    grammar = """
    ?start: sum
    ?sum: product | sum "+" product -> add | sum "-" product -> subtract
    ?product: atom | product "*" atom
    ?atom: NUMBER | "-" atom | NAME "(" [sum ("," sum)*] ")" | "(" sum ")" | ESCAPED_STRING
    NAME: /[a-c]+/i
    %import common (NUMBER, ESCAPED_STRING)
    %ignore " "
    """
    parser, constraint = _parser(grammar), Lark(grammar)
    network = Simulator.of(constraint)
    chance = random.Random(3)
    for text in samples(constraint, 25):
        assert _parses(parser, text)
        at = chance.randrange(len(text))
        for changed in (text[:at] + chance.choice('+*1(a" .\\') + text[at + 1 :], text[:at] + text[at + 1 :]):
            assert network.accepts(changed) == _parses(parser, changed), changed


def test_lark_masks_equal_brute_force():
    grammar = 'start: start "," item | item\nitem: ("ab" | /[a-c]{2,}/)~1..2 C?\nC: "/*" /.*?/ "*/"\n%ignore " "'
    compiled = Compiler(VOCABULARY).compile(Lark(grammar))
    chance = random.Random(4)
    for _ in range(10):
        check_masks(compiled.matcher(), chance, range(24, 0, -1))


SCHEMA = '{"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": false}'
TABLE = [
    ('start: "a"i "b"', ["ab", "Ab"], ["aB"]),
    ('start: "a".."c" /x+/i [y]\ny: "y"', ["ax", "cXxy"], ["dx", "ay"]),
    ('start: "a"~2 ("b" | "c")~0..2 "d"? "e"+ "f"*', ["aae", "aabcdeeff"], ["ae", "aabbbe"]),
    ('start: "a"{2} "b"{1,} "c"{,1} "d"{1,2}', ["aabd", "aabbbcdd"], ["aad", "aabccd"]),
    ('start: list{item, ","}\nitem: "x" | "y"\nlist{i, s}: i (s i)*', ["x", "y,x"], ["", "x,"]),
    ('start: wrap{pair, "a"}\nwrap{t, x}: "<" t{x, x} ">"\npair{a, b}: a b', ["<aa>"], ["<a>"]),
    ('start: "a"\n%extend start: "b"', ["a", "b"], ["ab"]),
    ('%import common.INT\n%override INT: "0".."1"\nstart: INT', ["1"], ["2", "11"]),
    ('start: _x y\n_x: "a" -> one\n!y.2: "b" "c"\n  | "d" // rest\n  # more', ["abc", "ad"], ["a"]),
    ('start: A B\nA: "x" | B C\nB: "y"\nC.3: "z"', ["xy", "yzy"], ["yy"]),
    ('start: "a" "b"\n%ignore /[ \\n]+/\n%ignore "#" /[^\\n]*/', [" a\n #x\nb ", "ab#", "a#b"], ["a", "#"]),
    ("start: COMMENT+\nCOMMENT: /\\/\\*.*?\\*\\//s", ["/**/", "/* a\n* */", "/*a*//*b*/"], ["/*/", "/* */ */"]),
    ("start: /a|ab/", ["a"], ["ab"]),
    ("start: /ab|a/", ["a", "ab"], ["b"]),
    ("start: /(a?)(ab)?/", ["a", ""], ["ab"]),
    ("start: /(?!if|do)[a-z]+/ /X(?<=X)(?=Y)Y/?", ["a", "fi", "aXY"], ["if", "dox", "aX"]),
    ("start: /a+?b*/", ["a", "abb"], ["aa", "aab"]),
    ("start: S\n%import common.ESCAPED_STRING -> S", ['"a"', '"\\""', '""'], ['"', '"a"b"', '"\\"', '"\n"']),
    ('start: "a" /(?s:.*)/', ["a", "ab\n"], ["b"]),
    (f'start: "x" obj\nobj: %json {SCHEMA}\n%ignore " "', ['x {"a":1} ', 'x{"a": 1}'], ["x{}"]),
    ('%llguidance {}\nstart: start "a" | ', ["", "aa"], ["b"]),
    (
        'start: "q:" %regex {"substring_words": "foo bar... don\'t"} "!"',
        ["q:!", "q:foo bar!", "q:... !", "q: don'!", "q:foo bar... don't!"],
        ["q:fo!", "q:.!", "q:bar foo!", "q:don't"],
    ),
    ('start: A\nA: %regex {"substring_lines": "a\\nb\\nc"} // c\n', ["", "a\n", "b\nc", "c"], ["a", "b", "a\nc"]),
    ('start: A A\nA.2: %regex {"substring_chunks": ["ab", "", "c"]}\n', ["", "abab", "cabc", "cc"], ["a", "abb"]),
    ('start: A "x"\nA: %json {"type": "boolean"}\n%ignore " "', ["true x", " falsex"], ["x", "nullx"]),
    ('start: (%regex {"substring_chars": "ab"} "-")+', ["-", "ab-b-"], ["", "ba-"]),
    ('start: "\\\\" "\\"" "/" /\\//', ['\\"//'], ["\\"]),
    ('start: "é" /[à-ü]/ "\\u00e9"', ["éêé"], ["é"]),
]


@pytest.mark.parametrize(("grammar", "accepted", "refused"), TABLE, ids=[row[0][:30] for row in TABLE])
def test_lark_accepts_and_refuses(grammar, accepted, refused):
    network = Simulator.of(Lark(grammar))
    assert [text for text in accepted if not network.accepts(text)] == []
    assert [text for text in refused if network.accepts(text)] == []


@given(st.text("abc", max_size=7))
@settings(max_examples=40, deadline=None)
def test_lark_substrings_are_all_parts_of_the_text(text):
    network = Simulator.of(Lark(f'start: %regex {{"substring_chars": "{text}"}}'))
    parts = {text[i:j] for i in range(len(text) + 1) for j in range(i, len(text) + 1)}
    tried = ("".join(letters) for size in range(4) for letters in itertools.product("abc", repeat=size))
    assert {other for other in (*tried, *parts) if network.accepts(other)} == parts


def test_lark_substrings_are_linear_in_the_text():
    chance = random.Random(3)
    words = [chance.choice(["lorem", "ipsum", "dolor", "sit"]) for _ in range(4000)]
    network = Simulator.of(Lark("start: %regex " + json.dumps({"substring_words": " ".join(words)}))).n
    assert network.num_states < 60_000
    compiled = Compiler(VOCABULARY).compile(Lark("start: %regex " + json.dumps({"substring_words": "ab abc ab"})))
    for text in (b"", b"ab", b"abc", b"ab "):
        matcher = compiled.matcher()
        assert all(matcher.accept(byte) for byte in text)
        assert mask_of(matcher) == brute_force_mask(matcher)


def test_lark_start_is_any_rule():
    assert Simulator.of(Lark('one: "a"\ntwo: "b" one', start="two")).accepts("ba")


REFUSED = [
    ("", InvalidGrammarError, "line 1, column 1"),
    ('start "a"', InvalidGrammarError, "line 1, column 7"),
    ('start: "a', InvalidGrammarError, "line 1, column 8"),
    ("start: /a", InvalidGrammarError, "line 1, column 8"),
    ("start: /(/", InvalidGrammarError, "line 1, column 8: column 1"),
    ('x: "x"\nstart: x A', InvalidGrammarError, "line 2, column 10"),
    ("start: A\nA: B\nB: A", InvalidGrammarError, "line 2, column 1"),
    ("start: A\nA: start", InvalidGrammarError, "line 1, column 1"),
    ('start: "a"~3..2', InvalidGrammarError, "line 1, column 12"),
    ('start: x{"a"}\nx{a, b}: a b', InvalidGrammarError, "line 1, column 8"),
    ('start: "a"\nstart: "b"', InvalidGrammarError, "line 1, column 1"),
    ("%import common.NOTHING\nstart: NOTHING", InvalidGrammarError, "line 1, column 16"),
    ("%import other.THING\nstart: THING", InvalidGrammarError, "line 1, column 9"),
    ("%import .other.THING\nstart: THING", InvalidGrammarError, "line 1, column 10"),
    ("start: x\nx: %json {1}", InvalidGrammarError, "line 2, column 11"),
    ('start: x\nx: %json {"type": "x"}', InvalidGrammarError, "line 2, column 4: /type"),
    ('start: %json {\n"type": "string"}\n  y', InvalidGrammarError, "line 3, column 4"),
    ('start: "a" <|eot|>', UnsupportedError, "line 1, column 12"),
    ('start: "a" <[7]>', UnsupportedError, "line 1, column 12"),
    ("start: x\nx[temperature=1]: /.*/", UnsupportedError, "line 2, column 1"),
    ('start: %regex {"pattern": "a b"}', InvalidGrammarError, "line 1, column 15"),
    ('start: %regex {"substring_words": 1}', InvalidGrammarError, "line 1, column 15"),
    ('start: %lark {"a": 1}', UnsupportedError, "line 1, column 8"),
    ('start: A "x"\nA: %regex {"substring_chars": "ab"} | "c"', UnsupportedError, "line 2, column 1"),
    ('start: A "x"\nA: B "a"\nB: %regex {"substring_chars": "ab"}', UnsupportedError, "line 2, column 1"),
    ("start: @other", UnsupportedError, "line 1, column 8"),
    ("start: A\nA: /a+/ & /.{3}/", UnsupportedError, "line 2, column 9"),
    ("start: A\nA: ~/a/", UnsupportedError, "line 2, column 4"),
    ("start: /if(?!x)/ /[a-z]/", UnsupportedError, "line 1, column 8"),
    ("start: /if\\b/ /[a-z]/", UnsupportedError, "line 1, column 8"),
    ('start: "a" /(?<!a)b/', UnsupportedError, "line 1, column 12"),
    ('start: "a" /^b$/', UnsupportedError, "line 1, column 12"),
    ("start: /(?!a).*?b/", UnsupportedError, "line 1, column 8"),
    ("start: A\n%declare A", UnsupportedError, "line 1, column 8"),
    ('start: "a" x\nx: "b" x', UnsatisfiableError, "line 1, column 12"),
    ("start: " + "(" * 500 + '"a"' + ")" * 500, TooComplexError, "line 1, column 68"),
    ('start: a{"x"}\na{x}: x | a{b{x}}\nb{y}: "w" y', TooComplexError, "line 1, column 8"),
    ("start: A0\n" + "".join(f"A{i}: A{i + 1} A{i + 1}\n" for i in range(60)) + 'A60: "x"', TooComplexError, None),
    ("start: /(a|b)*?a(a|b){16}c/", TooComplexError, None),
    ("start: /" + "\\\\" * 500, InvalidGrammarError, "line 1, column 8"),
    ('start: "a"' + "\n" * 20_000 + "%", InvalidGrammarError, None),
]


@pytest.mark.parametrize(("grammar", "error", "where"), REFUSED, ids=[row[0][:30] for row in REFUSED])
def test_lark_refuses_with_the_place(grammar, error, where):
    with pytest.raises(error) as caught:
        Simulator.of(Lark(grammar))
    assert where is None or caught.value.where == where


@pytest.mark.parametrize("body", ['("b" | ' * 58 + '"a"' + ")*" * 58, '("a" | "b") ' * 2000, '["a"] ' * 2000])
def test_lark_nested_repeats_and_long_sequences_stay_small(body):
    assert Simulator.of(Lark("start: " + body)).n.num_states < 20_000


_PATTERNS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "."]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{1,2}", "{1,2}?", "{2}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(_PATTERNS)
def test_language_of_match_is_what_re_match_takes(pattern):
    try:
        language = language_of_match(pattern, Limits())
    except UnsupportedError:
        assume(False)
    for text in ("".join(letters) for size in range(6) for letters in itertools.product("ab", repeat=size)):
        found = re.match(pattern, text)
        assert language.accepts(text, 1000) == (found is not None and found.end() == len(text)), text
