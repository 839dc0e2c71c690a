"""Patterns mean what ECMA-262 says, whatever engine decides about them."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from gateway.errors import ConstraintError
from gateway.verify.ecma import rust_pattern, with_rust_patterns
from gateway.verify.schema import SchemaCache
from grammars import GrammarError, Limits
from grammars.frontends.regex import language_of

_CASES = [
    (r"^.$", ["a", "\x85", "\U0001f600"], ["\n", "\r", "\u2028", "\u2029", ""]),
    (r"^[^]$", ["a", "\n"], [""]),
    (r"^[]?$", [""], ["a", "]"]),
    (r"^\d$", ["7"], ["\u0663"]),
    (r"^(?!x)\d$", ["7"], ["\u0663"]),
    (r"^(?!x)\w$", ["_"], ["\xe9"]),
    (r"^[\W]$", ["\xe9", "-"], ["_"]),
    (r"^[^\W]$", ["_"], ["\xe9"]),
    (r"^\s$", ["\ufeff", "\xa0", "\x0b"], ["\x85", "\u200b"]),
    (r"^(?=.)\S$", ["\x85"], ["\ufeff"]),
    (r"\bfoo\b", ["a foo", "\xe9foo"], ["afoo", "foo_"]),
    (r"^\Bfoo$", [], ["foo"]),
    (r".*\{\{.+}}.*", ["a {{b}} c"], ["{{}}"]),
    (r"^{a}$", ["{a}"], ["a"]),
    (r"^a{,2}$", ["a{,2}"], ["aa"]),
    (r"^(?:[a-c]+)]$", ["ab]"], ["ab"]),
    (r"^[a-\d]$", ["a", "-", "5"], ["b"]),
    (r"^[[&&&~]$", ["[", "&", "~"], ["a"]),
    (r"^[\b]$", ["\b"], ["b"]),
    (r"^\0$", ["\0"], ["0"]),
    (r"^\pL$", ["pL"], ["a", "L"]),
    (r"^[\p-r]\P$", ["qP"], ["-P", "a1"]),
    (r"^\cJ$", ["\n"], ["J"]),
    (r"^\<\>$", ["<>"], [""]),
    (r"^\ud83d\ude00$", ["\U0001f600"], ["\ufffd"]),
    (r"^\u{1f600}\p{Lu}$", ["\U0001f600É"], ["\U0001f600é"]),
    (r"^(?s:.)$", ["\n"], ["ab"]),
    (r"^a$", ["a"], ["a\n"]),
]


def _is_valid(pattern: str, text: str) -> bool:
    return SchemaCache().check({"pattern": pattern}, text).passed


@pytest.mark.parametrize(("pattern", "matching", "others"), _CASES, ids=[case[0] for case in _CASES])
def test_patterns_are_those_of_ecma(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [text for text in matching if not _is_valid(pattern, text)] == []
    assert [text for text in others if _is_valid(pattern, text)] == []


_PIECES = (
    *".ab{}][^$()*+?|-# \xe90",
    *("(?:", "(?=", "(?!", "(?<!", "[^", "{2}", "{1,}", "{,2}", "&&", "--", "~~", "\\\\"),
    *(rf"\{letter}" for letter in "dDwWsSb0[]-"),
    *(r"\cA", r"\u0041", r"\p{L}"),
)
_TEXTS = (
    *map(chr, range(128)),
    *(
        "",
        "\x85",
        "\xa0",
        "\xe9",
        "\u0663",
        "\u2028",
        "\ufeff",
        "\U0001f600",
        "aa",
        "ab",
        "a{2",
        "[a",
        "a]",
        "{}",
        "b-a",
    ),
)


@pytest.mark.parametrize("seed", range(4))
def test_an_automaton_of_the_pattern_agrees(seed: int) -> None:
    drawn, compared = random.Random(seed), 0
    while compared < 250:
        pattern = "".join(drawn.choices(_PIECES, k=drawn.randint(1, 8)))
        try:
            language = language_of(pattern, "ecma", True, Limits())
            expected = [text for text in _TEXTS if language.accepts(text, 20_000)]
        except GrammarError:
            continue
        if "(?:)" in pattern:
            continue  # to repeat nothing is refused
        validator = SchemaCache().keep({"pattern": pattern}).validator
        assert validator is not None
        assert [text for text in _TEXTS if validator.is_valid(text)] == expected, pattern
        compared += 1


def test_a_schema_keeps_what_is_no_pattern() -> None:
    schema: dict[str, Any] = {
        "const": {"pattern": "."},
        "enum": [{"pattern": "."}],
        "properties": {"pattern": {"default": {"pattern": "."}}, "patternProperties": {"required": ["."]}},
        "patternProperties": {"^a$": {"pattern": "^b$"}},
    }
    originals: dict[str, str] = {}
    given = copy.deepcopy(schema)
    assert with_rust_patterns(schema, originals) == schema == given
    assert originals == {}


def test_patterns_are_found_where_schemas_stand() -> None:
    schema = {
        "patternProperties": {"^.$": {"items": [{"pattern": r"\d"}]}},
        "properties": {"pattern": {"pattern": "."}},
        "allOf": [{"not": {"pattern": "}"}}],
    }
    originals: dict[str, str] = {}
    spelled = with_rust_patterns(schema, originals)
    dot = rust_pattern(".")
    assert spelled == {
        "patternProperties": {f"^{dot}$": {"items": [{"pattern": "[0-9]"}]}},
        "properties": {"pattern": {"pattern": dot}},
        "allOf": [{"not": {"pattern": r"\}"}}],
    }
    assert originals == {f"^{dot}$": "^.$", "[0-9]": r"\d", dot: ".", r"\}": "}"}


def test_reasons_tell_the_pattern_as_it_was_given() -> None:
    verdict = SchemaCache().check({"properties": {"a": {"pattern": r"^a.{2,}\d$"}}}, {"a": "b"})
    assert verdict.reason == r'"b" does not match "^a.{2,}\d$"'
    assert verdict.path == "/a"


def test_reasons_tell_the_value_as_it_was_given() -> None:
    schema = {"properties": {"a": {"pattern": r"\<"}, "b": {"pattern": r"^\d$"}}}
    assert SchemaCache().check(schema, {"b": "<[0-9]"}).reason == r'"<[0-9]" does not match "^\d$"'
    assert SchemaCache().check({**schema, "type": "string"}, {"<": 1}).reason == '{"<":1} is not of type "string"'


def test_references_into_patterns_still_lead_there() -> None:
    schema = {
        "patternProperties": {"^x.$": {"type": "integer"}},
        "properties": {"y": {"$ref": "#/patternProperties/%5Ex.$"}},
    }
    cache = SchemaCache()
    assert cache.check(schema, {"xa": 1, "y": 2}).passed
    assert not cache.check(schema, {"xa": "1"}).passed
    assert not cache.check(schema, {"y": "2"}).passed


@pytest.mark.parametrize("keyword", ["not", "items", "properties", "allOf"])
@pytest.mark.parametrize("depth", [100, 200, 300, 500, 2_000])
def test_deep_schemas_are_built_or_refused(keyword: str, depth: int) -> None:
    schema: dict[str, Any] = {"pattern": "."}
    for _ in range(depth):
        schema = {keyword: {"properties": {"a": schema}, "allOf": [schema]}.get(keyword, schema)}
    is_built = True
    try:
        SchemaCache().keep(schema)
    except ConstraintError:
        is_built = False
    assert is_built or depth > 100
