"""Schemas given as Python values become the JSON text that they mean, or are refused."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal

import pytest

from grammars import InvalidGrammarError, JsonSchema, TooComplexError

_NULL = {"default": None}


@pytest.mark.parametrize(
    "more",
    [{}, _NULL, {"title": 'é\U0001f600"\n\x7f', **_NULL}, {"title": "é\ud800"}],
    ids=["fast", "with null", "beyond ASCII", "not text"],
)
@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        ((1, 2.5, 1e300, 1 << 80, True), [1, 2.5, 1e300, 1 << 80, True]),
        ({"a"}, ["a"]),
        (Decimal("1.50"), 1.5),
        (Decimal("12"), 12),
        (datetime.date(2020, 2, 29), "2020-02-29"),
        ("null", "null"),
        ('":null', '":null'),
        ({1: "x"}, {"1": "x"}),
    ],
    ids=repr,
)
def test_values_of_other_types_have_the_form_that_json_has_for_them(value, meaning, more):
    text = JsonSchema({"x": value, **more}).text
    assert text.isascii()
    assert json.loads(text) == {"x": meaning, **more}


@pytest.mark.parametrize("more", [{}, _NULL], ids=["fast", "with null"])
@pytest.mark.parametrize("value", [float("nan"), float("-inf"), object, [b"x", object]], ids=repr)
def test_values_that_json_does_not_have_are_refused(value, more):
    with pytest.raises(InvalidGrammarError, match="not JSON"):
        JsonSchema({"x": value, **more})


def test_number_that_cannot_be_written_exactly_is_refused():
    with pytest.raises(InvalidGrammarError, match="cannot be written"):
        JsonSchema({"x": Decimal("0.1000000000000000000000000000001"), "y": "\ud800"})


def test_value_inside_itself_is_refused():
    schema: dict[str, object] = {}
    schema["items"] = schema
    with pytest.raises(InvalidGrammarError, match="Circular"):
        JsonSchema(schema)


def test_nesting_beyond_what_can_be_written_is_refused():
    schema: dict[str, object] = {}
    for _ in range(50_000):
        schema = {"items": schema}
    with pytest.raises(TooComplexError, match="max_depth"):
        JsonSchema(schema)


def test_members_keep_their_order():
    assert JsonSchema({"b": 1, "a": {"z": 1, "y": 2}}).text == '{"b":1,"a":{"z":1,"y":2}}'
