"""Patterns matched in linear time: the same language as `re.fullmatch`."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.verify import pattern as module
from gateway.verify.pattern import CostError, LinearPattern, PatternCache, PatternError

TEXTS = [
    *("", "a", "b", "c", "aa", "aaa", "ab", "ba", "aab", "abc", "ababc", "xxy", "xxxxy", "A", "AB", "Ab", "straße"),
    *("STRASSE", "\n", "a\n", "a\nb", "\u0663", "3", "é", "éß", " ", "\u2028", "foo bar", "foobar", "K", "\u212a"),
    *("]", "-", "]-", ".", "😀😀", "\nb\n", "3-4", "aaab"),
]
PATTERNS = [
    *("", "a", "a|b|", "(a|b)*c", "^a$", "a$", "^^a", r"\Aa\Z", "(|a)*", "(a*)*b", "(a+)+b", "a{2,3}", "a{2,}?b"),
    *("a??b", "x{0,3}?y", r"\d+", r"\w+", r"\s", r"[^\W\d_]+", "[a-c]+", "[^a]", ".", "(?s).", ".*", "(?i)straße"),
    *("(?i:a)b", "(?i)[k-l]", r"\bfoo\b.*", r"a\Bb", "(?m)a$\n^b", r"(?a)\w", "(?P<n>a)b", "(?:ab)+", "[]a]"),
    *(
        r"[\]-]",
        r"\.",
        "😀+",
        "(?x) a b # c",
        "(?i:a(?-i:b))",
        "a{0}",
        "(?:){0,2}a?",
        "(?:(?:)?a?)?b",
        "(?s:.)b.",
        r"[\d-]+",
    ),
    *(r"(?a:\w)\w", r"(?a)(?u:\w)\w"),
    # What may be skipped in two ways at once: by itself, and with what stands around it.
    *("(a?(b*)*){0,2}c", "(a?){0,2}b", "((a?b?)?c?){0,3}", "(a{0,3}(b?)*){0,2}a"),
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_linear_pattern_equals_re(pattern: str) -> None:
    linear = LinearPattern(pattern)
    for text in TEXTS:
        assert linear.fullmatch(text) == (re.fullmatch(pattern, text) is not None), text


atoms = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\w", "^", "$", r"\b", "é"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "{1,2}", "{2}", "{0,2}?", "{1,}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(patterns, st.text("abé\n ", max_size=6))
def test_linear_pattern_equals_re_on_any_pattern(pattern: str, text: str) -> None:
    assert LinearPattern(pattern).fullmatch(text) == (re.fullmatch(pattern, text) is not None)


def test_linear_pattern_does_not_backtrack() -> None:
    assert not LinearPattern("(a+)+b").fullmatch("a" * 20_000)
    assert LinearPattern("(a?){50}a{50}").fullmatch("a" * 50)


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", "(?=a)a", "(?!a)b", "(?<=a)b", "(?>a)", "a++", "(?P<x>a)(?(x)b|c)", "(", "[b-a]", "a**", "(?z)"],
)
def test_linear_pattern_refuses(pattern: str) -> None:
    with pytest.raises(PatternError):
        LinearPattern(pattern)


@pytest.mark.parametrize("pattern", ["((a{100}){100}){100}", "(" * 3000 + ")" * 3000, "a" * 20_001, "a{99999999999}"])
def test_linear_pattern_bounds_its_size(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STATES", 10_000)
    with pytest.raises(PatternError):
        LinearPattern(pattern)


def test_linear_pattern_counts_far_in_few_states() -> None:
    pattern = LinearPattern("[a-z]{0,65535}")
    assert pattern.num_states == 65_536
    assert pattern.fullmatch("abc")
    assert not pattern.fullmatch("abC")


def test_linear_pattern_bounds_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 5_000)
    pattern = LinearPattern(".*a{0,100}")
    assert pattern.fullmatch("a" * 20)
    with pytest.raises(CostError):
        pattern.fullmatch("a" * 200)


def test_pattern_cache_bounds_its_states() -> None:
    cache = PatternCache(max_states=100)
    first = cache.get("a{10}")
    assert cache.get("a{10}") is first
    cache.get("b{95}")
    assert cache.get("a{10}") is not first
