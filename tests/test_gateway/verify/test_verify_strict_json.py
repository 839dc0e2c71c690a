"""Strict JSON: what Python's reader lets pass and RFC 8259 does not, and where each fault stands."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.verify import StrictJsonError, parse_strict
from gateway.verify.strict_json import MAX_DEPTH


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" [1, -0, true, false, null] \n", [1, 0, True, False, None]),
        ("1.50", Decimal("1.50")),
        ("1e2", Decimal("1e2")),
        ("1e-400000000", 0.0),
        ("12345678901234567890123", 12345678901234567890123),
        ('"\\ud83d\\ude00\\u00e9"', "😀é"),
        ('{"a":{"a":1},"b":[{"a":2}]}', {"a": {"a": 1}, "b": [{"a": 2}]}),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, None),
        (json.dumps("[{" * 500), "[{" * 500),
    ],
)
def test_parse_strict_reads(text: str, value: object) -> None:
    parsed = parse_strict(text)
    assert value is None or parsed == value


@pytest.mark.parametrize(
    ("text", "reason", "offset", "path"),
    [
        ("", "the text ends before the value does", 0, ""),
        ("  ", "the text ends before the value does", 2, ""),
        ("{} x", "text after the value", 3, ""),
        ('{"a":1,"b":{"c":2,"c":3}}', 'the name "c" stands twice in an object', 18, "/b/c"),
        ('{"a":1,"\\u0061":2}', 'the name "a" stands twice in an object', 7, "/a"),
        ('{"a":[1,NaN]}', "a value expected", 8, "/a/1"),
        ("-Infinity", "a number expected", 0, ""),
        ("[1,2.5,1e400]", "a number too large to be finite", 7, "/2"),
        ('{"n":' + "9" * 4301 + "}", "an integer of more than 4300 digits", 5, "/n"),
        ("[01]", "a comma or a closing bracket expected", 2, "/0"),
        ("[+1]", "a value expected", 1, "/0"),
        ("[.5]", "a value expected", 1, "/0"),
        ("[5.]", "a comma or a closing bracket expected", 2, "/0"),
        ("[٣]", "a number expected", 1, "/0"),
        ("[1,]", "a value expected", 3, "/1"),
        ('{"a":1,}', "a name in double quotes expected", 7, "/a"),
        ("{'a':1}", "a name in double quotes expected", 1, "/0"),
        ('{"a" 1}', "a colon expected", 5, "/a"),
        ('{"a":1', "the text ends before the value does", 6, "/a"),
        ('["ab', "the text ends inside a string", 4, "/0"),
        ('["a\nb"]', "a raw control character in a string", 3, "/0"),
        ('["\\x41"]', "an escape that JSON does not know", 2, "/0"),
        ('{"a/b~":["\\ud800"]}', "half a surrogate pair in a string", 9, "/a~1b~0/0"),
        ('["\\ude00\\ud83d"]', "half a surrogate pair in a string", 1, "/0"),
        ('["\ud800"]', "half a surrogate pair in a string", 1, "/0"),
        ('\ufeff{"a":1}', "a value expected", 0, ""),
        ("[1]\x00", "text after the value", 3, ""),
        ("// x\n1", "a value expected", 0, ""),
        ("\xa01", "a value expected", 0, ""),
        ("tru", "a value expected", 0, ""),
        ("[" * 201, "more than 200 arrays and objects inside each other", 200, "/0" * 200),
    ],
)
def test_parse_strict_refuses(text: str, reason: str, offset: int, path: str) -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse_strict(text)
    assert (caught.value.reason, caught.value.offset, caught.value.path) == (reason, offset, path)


def test_parse_strict_survives_absurd_depth() -> None:
    with pytest.raises(StrictJsonError, match="inside each other"):
        parse_strict('{"a":' * 100_000)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_parse_strict_reads_what_python_writes(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert json.loads(text) == value
    parsed = parse_strict(text)
    assert json.dumps(parsed, default=float) == json.dumps(value)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["{", "}", "[", "]", ",", ":", '"a"', '"', "1", "-", ".5", "e9", " ", "null", "\\u0061"]))
)
def test_parse_strict_and_python_agree_on_what_is_json(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        json.loads(text, object_pairs_hook=lambda pairs: [len(pairs) == len(dict(pairs)) or 1 / 0])
        expected = True
    except (ValueError, ZeroDivisionError):
        expected = False
    if expected:
        parse_strict(text)
    else:
        with pytest.raises(StrictJsonError) as caught:
            parse_strict(text)
        assert 0 <= caught.value.offset <= len(text)
        assert not caught.value.reason.startswith("Expecting"), "the walk must find what the reader found"
