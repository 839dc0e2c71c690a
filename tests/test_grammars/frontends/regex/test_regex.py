"""Regular expressions: what the network accepts is what `re` accepts."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError, UnsupportedError
from grammars.frontends.regex import Regex, language_of
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from tests.test_grammars.simulator import Simulator

TEXTS = [
    "",
    "a",
    "b",
    "A",
    "ab",
    "ba",
    "aab",
    "abc",
    "a\n",
    "\n",
    "é",
    "_",
    "-",
    "1",
    "12",
    "x",
    "xa",
    "a1",
    " ",
    "aaaa",
    "i",
    "ı",
    "İ",
    "ﬆ",
    "\u212a",
]

PYTHON = [
    "a",
    "a|b",
    "ab*",
    "(a|ab)(c|b)?",
    "[a-c]{1,3}",
    "[^a]",
    ".",
    "(?s).",
    r"\d+",
    r"\w",
    r"\s",
    r"\D\D?",
    "(?i)a",
    "(?i:A)b|x",
    "(?P<n>a)b",
    "(?:ab)?",
    "^a$",
    "a$\n",
    "^a$|^b$",
    "(^|x)a",
    "a(b|$)",
    r"\Aa\Z",
    "a{2,}",
    "a{,2}",
    "a{2}b?",
    "(a*)*b",
    "(a?b?){2,3}",
    "a{,",
    r"[]a]",
    r"[^]a]",
    r"[\w-]+",
    r"\x61",
    r"\u00e9",
    r"\N{LATIN SMALL LETTER A}",
    r"\141",
    "(?#note)a",
    "a*?b",
    r"[\d_]+",
    "(?a)\\w",
    "[a-]+",
    "(a|b|ab){30,40}",
    "((a))",
    "a|",
    "(|a)b",
    r"\B\s?",
    r"(?:\B-)?",
    "(?i)İ",
    "(?i)[h-j]",
    "(?i)ﬅ",
    r"(?ia)\W",
]


def states(most: int) -> Limits:
    """At most so many states of one pattern."""
    return Limits(max_depth=100, max_pattern_states=most)


@pytest.mark.parametrize("pattern", PYTHON)
def test_regex_matches_as_re_does(pattern):
    network, reference = Simulator.of(Regex(pattern)), re.compile(pattern)
    for text in TEXTS:
        assert network.accepts(text) == bool(reference.fullmatch(text)), text


SEARCHES = [
    "a",
    "^a",
    "a$",
    "^a$",
    "^a|b$",
    "(^|x)a",
    "a(b|$)",
    "",
    "^$",
    "a+b*",
    "^[a-z]+",
    "[a-z]+$",
    "ab|ba",
    "(a|b)+1",
    "^(a|ab)",
    "x?a",
    "^",
    "$",
    "a{2,3}",
    "^.*$",
    ".+",
    "(ab)*",
    "^(?:a|b)*b",
    "[^a]b",
    "a.b?",
    "^(ab?|b)$",
]


@pytest.mark.parametrize("pattern", SEARCHES)
def test_language_finds_as_re_does(pattern):
    language = language_of(pattern, "ecma", True, states(1000))
    python = re.compile(pattern.replace("$", r"\Z"))
    builder = NetworkBuilder()
    start, end = builder.rule(), builder.state()
    builder.accept(end)
    builder.epsilon(start, language.emit(builder, end, escaped=False))
    network = Simulator(builder.finish(start))
    for text in TEXTS:
        expected = bool(python.search(text))
        assert network.accepts(text) == expected, text
        assert language.accepts(text, 1000) == expected, text
        assert language.dfa(1000).accepts(text) == expected, text
        assert language.complement(1000).accepts(text, 1000) != expected, text


def test_python_search_lets_dollar_stand_before_a_final_newline():
    for pattern in ("a$", "(a|b$)c?", "a$\n", "(x|a$)"):
        language = language_of(pattern, "python", True, states(1000))
        for text in [*TEXTS, "a\n\n", "b\n", "ba\n", "c"]:
            assert language.accepts(text, 1000) == bool(re.search(pattern, text)), (pattern, text)


ECMA = [
    (r"\d", ["1"], ["٣"]),
    (r"\w", ["a", "_"], ["é"]),
    (r"\s", [" ", "\ufeff", "\u00a0"], ["\u200b", "x"]),
    (r"\cA", ["\x01"], ["A"]),
    (r"\/\-", ["/-"], ["\\/-"]),
    (r"\u{1F600}", ["\U0001f600"], ["u"]),
    (r"\ud83d\ude00", ["\U0001f600"], [""]),
    ("[]a", [], ["a", "]a"]),
    ("[^]", ["a", "\n"], [""]),
    (r"[\d-x]", ["-", "x", "3"], ["a"]),
    (r"\pL[\P]", ["pLP"], ["a1", "LP"]),
    (r"\p{Lu}\P{L}", ["É1"], ["é1", "ÉÉ"]),
    (r"\p{Script=Greek}\p{sc=Latn}\P{Script=Han}", ["λaa", "Ωéя"], ["aaa", "λλa", "λa漢"]),
    (r"[\p{Alphabetic}\p{White_Space}]", ["a", "я", " "], ["1", "-"]),
    (r"\p{Emoji_Presentation}\p{Lowercase}\p{Upper}", ["\U0001f600aÉ"], ["1aÉ", "\U0001f600Aa"]),
    ("a{,3}", ["a{,3}"], ["aa"]),
    ("(?<n>a)b", ["ab"], ["b"]),
    (".", ["a", "é"], ["\n", "\u2028"]),
    ("(?i)k", ["K", "\u212a"], ["l"]),
    ("(?i)i", ["I"], ["ı", "İ"]),
    ("(?i)ΐ", ["\u1fd3"], ["ι"]),
    (r"(?i)\W", ["-", "ı"], ["k", "ſ"]),
    (r"\0", ["\0"], ["0"]),
]


@pytest.mark.parametrize(("pattern", "accepted", "refused"), ECMA, ids=[row[0] for row in ECMA])
def test_regex_ecma_dialect(pattern, accepted, refused):
    network = Simulator.of(Regex(pattern, dialect="ecma")) if accepted else None
    if network is None:
        with pytest.raises(UnsatisfiableError):
            Simulator.of(Regex(pattern, dialect="ecma"))
        return
    assert [text for text in accepted if not network.accepts(text)] == []
    assert [text for text in refused if network.accepts(text)] == []


@pytest.mark.parametrize(
    ("pattern", "error"),
    [
        ("(a", InvalidGrammarError),
        ("a)", InvalidGrammarError),
        ("[a", InvalidGrammarError),
        ("*", InvalidGrammarError),
        ("^*a", InvalidGrammarError),
        ("a**", InvalidGrammarError),
        ("a{3,2}", InvalidGrammarError),
        ("\\", InvalidGrammarError),
        (r"\y", InvalidGrammarError),
        ("[b-a]", InvalidGrammarError),
        (r"[\d-x]", InvalidGrammarError),
        ("a(?i)b", InvalidGrammarError),
        (r"\b*", InvalidGrammarError),
        ("(?<=a+)b", InvalidGrammarError),
        ("(?P<n>a)(?P<n>b)", InvalidGrammarError),
        ("(?L)a", InvalidGrammarError),
        ("(a)(?(1)b|c)", UnsupportedError),
        (r"(a)\1", UnsupportedError),
        ("(?P<n>a)(?P=n)", UnsupportedError),
        ("(?>a|ab)c", UnsupportedError),
        ("(?:a|ab)++", UnsupportedError),
        (r"\p{Script=Klingon}", UnsupportedError),
        ("[^\\s\\S]", UnsatisfiableError),
        ("(" * 500 + ")" * 500, TooComplexError),
    ],
)
def test_regex_refuses_by_name(pattern, error):
    with pytest.raises(error):
        Simulator.of(Regex(pattern))


@pytest.mark.parametrize(
    ("pattern", "error", "said"),
    [
        ("(?P<n>a)", UnsupportedError, "(?<name>"),
        ("(?<n>a)(?P=n)", UnsupportedError, "(?P"),
        ("(?<n>a)(?<n>b)", InvalidGrammarError, "'n'"),
        (r"\p{^L}", UnsupportedError, "'^L'"),
        (r"(?<n>a)\k<n>", UnsupportedError, "backreference"),
        (r"\Aa", UnsupportedError, r"\A"),
        (r"\01", UnsupportedError, "octal"),
        ("(?#a)b", InvalidGrammarError, "kind of group"),
        ("(?>a)", InvalidGrammarError, "kind of group"),
        ("a++", InvalidGrammarError, "repeat"),
    ],
)
def test_regex_ecma_refuses_what_it_does_not_know(pattern, error, said):
    with pytest.raises(error) as caught:
        language_of(pattern, "ecma", True)
    assert said in str(caught.value)


def test_regex_names_the_column():
    with pytest.raises(UnsupportedError, match="backreference") as caught:
        Simulator.of(Regex(r"(a)b\1"))
    assert caught.value.where == "column 5"


def test_regex_limits():
    with pytest.raises(TooComplexError) as caught:
        Simulator.of(Regex("a" * 50), Limits(max_pattern_length=10))
    assert caught.value.limit == "max_pattern_length"


def test_regex_large_counts_cost_few_states():
    builder = NetworkBuilder()
    builder.finish(Regex("[a-z]{5,60000}(?:ab){3,50000}").emit(builder))
    assert builder.num_states < 20


def test_regex_is_a_value():
    assert Regex("a") == Regex("a")
    assert len({Regex("a"), Regex("a"), Regex("a", dialect="ecma")}) == 2


def _patterns() -> st.SearchStrategy[str]:
    atoms = st.sampled_from(["a", "b", "c", "[ab]", "[^a]", ".", r"\n", "^", "$", "é", r"\w"])

    def extend(inner):
        group = inner.map(lambda p: f"(?:{p})")
        return st.one_of(
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map("|".join),
            st.tuples(group, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"])).map("".join),
            group,
        )

    return st.recursive(atoms, extend, max_leaves=7)


_WORDS = st.text(alphabet="abc\né", max_size=6)


@settings(max_examples=100, deadline=None)
@given(_patterns(), st.lists(_WORDS, min_size=3, max_size=8))
def test_regex_agrees_with_re(pattern, words):
    reference = re.compile(pattern)
    try:
        network = Simulator.of(Regex(pattern))
    except UnsatisfiableError:
        assert not any(reference.fullmatch(word) for word in words)
        return
    for word in words:
        assert network.accepts(word) == bool(reference.fullmatch(word)), word


@settings(max_examples=80, deadline=None)
@given(_patterns(), st.integers(0, 4), st.integers(0, 3), st.lists(_WORDS, min_size=3, max_size=8))
def test_language_with_lengths_agrees_with_re(pattern, low, more, words):
    language = language_of(pattern, "python", True, states(2000)).with_lengths(low, low + more)
    for word in words:
        expected = bool(re.search(pattern, word)) and low <= len(word) <= low + more
        assert language.accepts(word, 2000) == expected, word


@settings(max_examples=100, deadline=None)
@given(_patterns(), _patterns(), st.lists(_WORDS, min_size=3, max_size=8))
def test_language_intersection_agrees_with_re(first, second, words):
    both = language_of(first, "python", True, states(2000)).intersect(
        language_of(second, "python", True, states(2000)), 4000
    )
    for word in words:
        assert both.accepts(word, 2000) == bool(re.search(first, word) and re.search(second, word)), word


@settings(max_examples=200, deadline=None)
@given(_patterns(), _patterns())
def test_languages_are_disjoint_where_their_intersection_is_empty(first, second):
    ours, theirs = (language_of(f"^(?:{pattern})$", "ecma", True, states(2000)) for pattern in (first, second))
    disjoint = ours.dfa(4000).intersect(theirs.dfa(4000), 4000).is_empty
    assert ours.is_disjoint(theirs, 4000) == disjoint
    assert ours.intersect(theirs, 4000).is_empty(4000) == disjoint


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("^pkg:cargo/.+$", "^pkg:composer/.+$", True),
        ("^(ab|cd){2}x$", "^abcdy$", True),
        ("^(ab|cd){2}", "^abcdy$", False),
        ("^a{2,3}b$", "^aab$", False),
        ("^a{2}b$", "^aaa", True),
        ("^(ab|c)$", "^(b|ac)$", True),
        ("^u?int[0-9]*$", "^u?fixed$", True),
        ("^u?int[0-9]*$", "^u?i?nt$", False),
        ("^a*bc", "^[ab]*d", True),
        ("^a{1,2}bc$", "^aaa?c$", True),
        ("^a{1,2}bc$", "^aab?c$", False),
        ("maker", "operator", False),
        ("^maker", "operator$", False),
        ("maker$", "operator$", True),
    ],
)
def test_languages_are_told_apart_by_how_they_begin(first, second, expected):
    ours, theirs = (language_of(pattern, "ecma", True, states(2000)) for pattern in (first, second))
    assert ours.is_disjoint(theirs, 4000) == theirs.is_disjoint(ours, 4000) == expected
    assert ours.intersect(theirs, 4000).is_empty(4000) == expected
    assert ours.dfa(4000).intersect(theirs.dfa(4000), 4000).is_empty == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("^[b-y]{2}[0-9]x?$", "bb0"),
        ("^[]|q+$", "q"),
        ("^(?:[]|a{100}b{101})$", None),
        ("^(?:[]|(?:a{999}){999})$", None),
    ],
)
def test_languages_have_short_examples(pattern, expected):
    assert language_of(pattern, "ecma", True, states(2000)).example == expected


@pytest.mark.parametrize(("low", "high"), [(0, 3), (2, 2), (3, 4), (1, None), (4, None), (0, 0), (9, 12)])
@pytest.mark.parametrize("pattern", [r"(?:\w+\s+){0,2}\w+", "a*b?a*|c", "(?:ab)*c?", "a|b", "^a|b$", "(?!ab).*"])
def test_bounded_languages_become_networks(pattern, low, high):
    language = language_of(pattern, "python", False, states(1000)).with_lengths(low, high)
    builder = NetworkBuilder()
    start, end = builder.rule(), builder.state()
    builder.accept(end)
    builder.epsilon(start, language.emit(builder, end, escaped=False))
    texts = ["".join(word) for size in range(6) for word in itertools.product("ab ", repeat=size)] + ["c", "ababababc"]
    expected = [t for t in texts if re.fullmatch(pattern, t) and low <= len(t) and (high is None or len(t) <= high)]
    assert [text for text in texts if language.accepts(text, 1000)] == expected
    if language.is_empty(1000):
        assert expected == []
        return
    network = Simulator(builder.finish(start))
    assert [text for text in texts if network.accepts(text)] == expected


def test_bounds_on_length_are_counted_only_where_they_matter():
    builder = NetworkBuilder()
    language = language_of("(?:ab?)*c{2}", "python", False, states(1000)).with_lengths(3, None)
    end = builder.state()
    builder.accept(end)
    language.emit(builder, end, escaped=False)
    assert builder.num_states < 20


def test_automata_that_have_found_their_pattern_are_in_one_state():
    pattern = "|".join(f"^{word}|{word[::-1]}$|{word}x" for word in ("list", "date", "time", "enum", "bool", "long"))
    for text in ("en|de|ru|pt|nl|fr|it|es|pl|uk|zh-cn", pattern):
        assert len(language_of(text, "ecma", True, states(20_000)).dfa(2_000).table) < 100


@pytest.mark.parametrize("pattern", ["[a-c]*", "a*b|^c", "(?:ab?)*c?", "(?!ab)[a-c]{0,3}"])
def test_languages_without_words_lack_just_these(pattern):
    words = ["", "a", "ab", "abc", "ca", "bb", "zz"]
    language = language_of(pattern, "ecma", False, states(1000))
    rest = language.without(words, 1000)
    for text in ("".join(word) for size in range(5) for word in itertools.product("abc", repeat=size)):
        expected = language.accepts(text, 1000) and text not in words
        assert rest.accepts(text, 1000) == expected, text
        assert rest.dfa(1000).minimized().accepts(text) == expected, text


def test_what_may_be_left_out_at_an_edge_is_left_out_however_often():
    language = language_of("b?" * 1_500 + "c" + "a?" * 1_500, "ecma", True, states(100))
    assert language.accepts("abcd", 100)
    assert not language.accepts("abd", 100)
