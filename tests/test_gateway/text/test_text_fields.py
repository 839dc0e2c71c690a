"""Fields are told once, when they are complete, wherever the text is cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_values import VALUES, walk

from gateway.text.fields import FieldReader


def fields_of(text, size=1):
    reader = FieldReader()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [field for piece in pieces for field in reader.feed(piece)] + reader.finish()


@given(VALUES, st.integers(1, 7), st.booleans(), st.sampled_from([None, 2]))
def test_fields_are_those_of_the_value(value, size, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    told = fields_of(text, size)
    assert [(field.path, field.value) for field in told] == list(walk(value))
    for field in told:
        assert json.loads(text[field.begin : field.end]) == field.value
        assert text[field.begin : field.end].strip() == text[field.begin : field.end]
        assert field.is_leaf == (not isinstance(field.value, dict | list) or not field.value)


def test_a_field_is_told_with_its_last_character():
    reader = FieldReader()
    told = [(mark, [field.path for field in reader.feed(mark)]) for mark in '{"a": "x", "b": [1, {}]}']
    assert [each for each in told if each[1]] == [
        ('"', ["/a"]), (",", ["/b/0"]), ("}", ["/b/1"]), ("]", ["/b"]), ("}", [""]),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["]", "{{}}", "nul,", "[1 2 }{", "{1: 2}", '"\\x"', "[01]"])
def test_a_text_that_is_no_json_raises_nothing(text):
    for size in (1, 9):
        fields_of(text, size)
