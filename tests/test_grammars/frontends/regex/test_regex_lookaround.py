"""Looks ahead and behind, word boundaries, flags: what the automata accept is what `re` accepts."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammars.errors import TooComplexError, UnsatisfiableError
from grammars.frontends.regex import Regex, language, language_of
from grammars.frontends.regex.dfa import Effort, current_effort
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from tests.test_grammars.simulator import Simulator

SHORT = ["".join(word) for size in range(5) for word in itertools.product("ab\n", repeat=size)]
TEXTS = [
    *SHORT,
    "aaaaa",
    "a b",
    " a",
    "é",
    "bé a",
    "AB",
    "_a-",
    "a_b ",
    "ab ab",
    "aBa",
    "1a 2",
    "\u212ak",
    "ſs",
    "\u0345",
    "\u03b9",
    "\u03451",
    "\u03b91",
]

_ATOMS = ["a", "b", "[ab]", "[^a]", ".", r"\n", "^", "$", r"\b", r"\B", r"\w", r"\W", " ", r"\A", r"\Z", "é", "ab"]


def states(most: int) -> Limits:
    """At most so many states of one pattern."""
    return Limits(max_depth=100, max_pattern_states=most)


def _patterns() -> st.SearchStrategy[str]:
    def extend(inner):
        group = inner.map(lambda p: f"(?:{p})")
        opened = st.sampled_from(["(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?s:", "(?m:", "(?a:"])
        return st.one_of(
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
            st.tuples(group, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"])).map("".join),
            st.tuples(opened, inner, st.just(")")).map("".join),
        )

    return st.recursive(st.sampled_from(_ATOMS), extend, max_leaves=8)


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:  # a look behind of varying width, or a repeated anchor
        return None


PYTHON = [
    "(?=a)a.",
    "(?!a)..",
    "a(?!b)",
    ".(?<=a)b",
    "(?<!a)b",
    "(?<!a)b|(?<=a)ab?",
    "(?=.*b)(?!.*a$)[ab]+",
    r"(?=.{2,3}\Z)(?:a?.b|b+)",
    r"(?!b)(?=[ab]{0,3}\Z)(?=\A.{2,}\Z)(?:.{1,2}b){1,9}a?",
    r"(?=.{1,2}\Z)(?:a|(?=b)b)+|ab\n",
    "(?!(?!a))a",
    "(?=(?!ab)a)..",
    "(?:(?=.b)a|b(?!b))*",
    "(?<=(?<!a)b)a.*",
    r"(?<=\bab)a?",
    r"(?<!\ba)b",
    r"\bab?\b.*",
    r"\Bb|a\B.+",
    r".\b.",
    r"a\b|(?=b)b\w",
    "(?m)^a$.*",
    "(?m)a$\n^b",
    "(?ms).^b",
    "a$|a$\n",
    r"(?:a|^)b\Z",
    "(?<=^a)b",
    "(?x) a b # no more\n c?",
    "(?x: a ) b",
    "(?i:aB)",
    "(?ai)k",
    "(?i)k.?",
    r"(?i)\w|\W\d",
    r"(?i)[\w.]|[^\w\u03b9]\d",
    r"(?a:\w)\w",
    "(?s-i:.)a",
    "(?>ab)a",
    "a*+b",
    "a{1,2}+.",
    "[ab]?+b",
    "(?>a+)b",
    "(?=a)*b",
    "(?:(?=a)|b){2}a",
    "(?!.*b.*b)a*b?a*",
]


@pytest.mark.parametrize("pattern", PYTHON)
def test_looks_match_as_re_does(pattern):
    reference = re.compile(pattern)
    whole, search = (language_of(pattern, "python", mode, states(2000)) for mode in (False, True))
    for text in TEXTS:
        assert whole.accepts(text, 2000) == bool(reference.fullmatch(text)), text
        assert search.accepts(text, 2000) == bool(reference.search(text)), text
        assert search.dfa(2000).accepts(text) == bool(reference.search(text)), text


ECMA = [
    (r"^(?!foo)\w+$", ["bar", "fo"], ["foo", "foobar", ""]),
    ("^(?=.*[0-9])(?=.*[a-z]).{3,6}$", ["ab1", "1bbbbb"], ["abc", "123", "a1", "a234567"]),
    ("(?<=[$])[0-9]+", ["$1", "a$23"], ["1", "$ 1"]),
    (r"\bcat\b", ["cat", "a cat.", "écat"], ["concat", "cats"]),
    (r"^\Bx?", ["", "-"], ["a"]),
    ("(?<=a{2,})b", ["aab", "aaab"], ["ab", "b"]),
    ("(?i:abc)d", ["ABCd", "abcd"], ["abcD"]),
    ("(?m:^a$)", ["a", "b\na", "a\r\nb"], ["ab", "ba"]),
    ("(?<year>[0-9]{4})(?!-)", ["2024", "2024x"], ["2024-", "202"]),
]


@pytest.mark.parametrize(("pattern", "accepted", "refused"), ECMA, ids=[row[0] for row in ECMA])
def test_ecma_looks_find(pattern, accepted, refused):
    language = language_of(pattern, "ecma", True, states(2000))
    assert [text for text in accepted if not language.accepts(text, 2000)] == []
    assert [text for text in refused if language.accepts(text, 2000)] == []


@pytest.mark.parametrize("pattern", ["(?=.*b)(?!.*a$)[ab]+", r"\bab?\b.*", "(?!(?!a))a.?", "(?m)a$\n^b", "a{1,2}+."])
def test_looks_become_a_network(pattern):
    network, reference = Simulator.of(Regex(pattern)), re.compile(pattern)
    for text in TEXTS:
        assert network.accepts(text) == bool(reference.fullmatch(text)), text


@settings(max_examples=80, deadline=None)
@given(_patterns().filter(_compiled), st.lists(st.text("ab\n é_-", max_size=5), min_size=4, max_size=8))
def test_looks_agree_with_re_without_determinizing(pattern, words):
    reference = _compiled(pattern)
    language_of.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "_MAX_DETERMINIZED_LOOKS", 1)
        try:
            network = Simulator.of(Regex(pattern))
        except UnsatisfiableError:
            assert not any(reference.fullmatch(word) for word in words if word)
            return
    for word in words:
        if word or r"\B" not in pattern:
            assert network.accepts(word) == bool(reference.fullmatch(word)), word


def test_counts_behind_a_look_are_counted():
    builder = NetworkBuilder()
    start = Regex(r"(?!foo)\b[a-z]{1,60000}(?:[a-z]|-){0,50000}").emit(builder)
    network = Simulator(builder.finish(start))
    assert builder.num_states < 60
    assert network.accepts("fo-")
    assert network.accepts("a" * 100)
    assert not network.accepts("foot")
    assert not network.accepts("-a")


def test_looks_that_contradict_are_unsatisfiable():
    for pattern in ("(?=a)b", "(?!a)a", "a(?<=b)", r"a\ba", "(?=.{3}$)(?=.{4}$).*"):
        with pytest.raises(UnsatisfiableError):
            Simulator.of(Regex(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=.*a.{40}b).*",
        "(?!.*foo)[a-z]{1,60000}",
        r"(?:\ba|x){60000}y",
        "[a-z]*" * 3000 + r"\b",
        "".join(f"(?=.*{letter})" for letter in "abcdefghijklmnopqrstuvw") + ".*",
    ],
)
def test_looks_beyond_the_limit_are_refused(pattern):
    with pytest.raises(TooComplexError) as caught:
        Simulator.of(Regex(pattern), Limits(max_pattern_states=2000))
    assert caught.value.limit == "max_pattern_states"


@settings(max_examples=250, deadline=None)
@given(_patterns().filter(_compiled), st.lists(st.text("ab\n é_-", max_size=6), min_size=4, max_size=10))
def test_looks_agree_with_re(pattern, words):
    reference = _compiled(pattern)
    # The empty text is no boundary and no non-boundary in older versions of Python.
    words = [word for word in words if word or r"\B" not in pattern]
    whole, search = (language_of(pattern, "python", mode, states(4000)) for mode in (False, True))
    for word in words:
        assert whole.accepts(word, 4000) == bool(reference.fullmatch(word)), word
        assert search.accepts(word, 4000) == bool(reference.search(word)), word
    try:
        automaton = search.dfa(4000)
    except TooComplexError:
        return
    for word in words:
        assert automaton.accepts(word) == bool(reference.search(word)), word


@pytest.mark.parametrize(("first", "second"), [("a.{30}b", "^[ab]{3}$"), ("^[ab]*$", "b.{25}a"), ("^a", "a.{30}b")])
def test_combinations_beyond_the_limit_are_made_where_they_meet(first, second):
    limit = 500
    one, other = (language_of(pattern, "ecma", True, states(limit)) for pattern in (first, second))
    both, without = one.intersect(other, limit), other.intersect(one.complement(limit), limit)
    texts = ["", "ab", "aab", "bab", "a" * 32 + "b", "b" + "a" * 40, "ca" + "b" * 40, "xa" + "c" * 30 + "b"]
    for text in texts:
        expected = bool(re.search(first, text)), bool(re.search(second, text))
        assert both.accepts(text, limit) == (expected == (True, True)), text
        assert without.accepts(text, limit) == (expected == (False, True)), text


def test_names_of_a_host_within_bounds_are_few_states():
    pattern = r"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$"
    found = language_of(pattern, "ecma", True, states(2_000))
    label = "a" * 63 + "."
    texts = [
        "a.b",
        "ab",
        "a.1",
        "a.1b",
        "a://b.c",
        "a.b.",
        ".....a",
        label + "b",
        "a" + label + "b",
        label * 3 + "b" * 63,
    ]
    for text in [*texts, label * 3 + "b" * 64, "a." * 127 + "b", "a." * 127 + "bc", "a.b\n", ""]:
        assert found.accepts(text, 2_000) == (re.search(pattern[:-1] + r"\Z", text) is not None), text


def test_texts_too_short_for_a_pattern_that_looks_are_none():
    found = language_of(r"a(?=b)b(?:..){2,}c", "ecma", True, states(1_000))
    assert found.with_lengths(0, 6).is_empty(1_000)
    assert not found.with_lengths(0, 7).is_empty(1_000)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (r"^(?=.*\d)\w+$", r"^[a-z]+$", True),
        (r"^(?=.*\d)\w+$", r"^[a-z0-9]+$", False),
        (r"^https?:[a-z.]{1,256}\b$", r"^[~/].*$", True),
        (r"^(?!a)[a-c]{3}$", r"^(?!b)[ab]{3}$", True),
        (r"^(?!a)[a-c]{3}$", r"^(?!b)[a-c]{3}$", False),
    ],
)
def test_languages_that_look_around_are_disjoint(first: str, second: str, expected: bool) -> None:
    ours, theirs = (language_of(pattern, "ecma", True, states(1000)) for pattern in (first, second))
    assert ours.is_disjoint(theirs, 1000) == expected
    assert theirs.is_disjoint(ours, 1000) == expected
    assert ours.intersect(theirs, 1000).is_empty(1000) == expected


def _refuse(number: int) -> None:
    with pytest.raises(TooComplexError, match="max_pattern_states"):
        language_of(f"(?={'b?' * 1_500}c){number}.*", "python", False, states(200))


def test_patterns_of_one_constraint_share_their_steps():
    with Effort():
        for number in range(30):
            _refuse(number)
        alone = current_effort().steps
        _refuse(0)
        assert current_effort().steps < 1.01 * alone
        with pytest.raises(TooComplexError):
            language_of("(?=a)ab", "python", False, Limits(max_depth=99, max_pattern_states=200))
    # What is too much beside other patterns is not too much alone.
    assert language_of("(?=a)ab", "python", False, Limits(max_depth=99, max_pattern_states=200)).accepts("ab", 200)
    with Effort():
        _refuse(0)
        assert current_effort().steps < alone / 2
