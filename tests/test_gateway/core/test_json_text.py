"""Compact JSON of a value."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.json_text import json_text

numbers = st.integers() | st.floats(allow_nan=False)
texts = st.text(st.characters())  # halves of surrogate pairs too
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda each: st.lists(each) | st.dictionaries(texts, each),
    max_leaves=8,
)


@given(values)
def test_it_says_the_value_and_can_be_sent(value: Any) -> None:
    assert json.loads(json_text(value).encode()) == value


@pytest.mark.parametrize("value", [["é", None], ["é"], {"é": 10**30}])
def test_what_needs_no_escape_has_none(value: Any) -> None:
    assert json_text(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_what_is_no_number_of_json_is_not_taken_for_null() -> None:
    assert {json_text([each]) for each in (math.inf, -math.inf, math.nan, None)} == {
        *("[Infinity]", "[-Infinity]", "[NaN]", "[null]")
    }


def test_nesting_ends_somewhere() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(RecursionError):
        json_text(nested)
