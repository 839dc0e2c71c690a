"""Confidence of values: known log-probabilities, laid beside texts that their tokens cut anyhow."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_values import VALUES, walk

from gateway.core.answer import Alternative, Call
from gateway.engine import MaskedLogprobs, TokenEvent, TokenLogprobs
from gateway.service.answers.confidence import Weights
from gateway.text.fields import FieldReader

CITY = {"type": "object", "properties": {"city": {"enum": ["Rome", "Riga", "Oslo", "Roma"]}, "ok": {"type": "boolean"}}}


def weights(*tokens, ending=None):
    """Of tokens as (text, log-probability, others that might have been), all under a mask."""
    known: list[bytes] = []

    def number(text):
        known.append(text if isinstance(text, bytes) else text.encode())
        return len(known) - 1

    def entry(text, logprob=0.0, others=()):
        token = number(text)
        top = ((token, logprob), *((number(other), value) for other, value in others))
        masked = MaskedLogprobs(logprob, tuple(sorted(top, key=lambda each: -each[1])), 0.5)
        return TokenLogprobs(token, -99.0, ((token, -99.0),), masked)

    entries = [entry(*token) for token in tokens]
    end = entry("", *ending) if ending else None
    made = Weights(known)
    made.feed(TokenEvent("", [each.token_id for each in entries], entries, ending=end))
    return made


def of_text(text, *tokens, schema=True, **options):
    assert b"".join(each[0] if isinstance(each[0], bytes) else each[0].encode() for each in tokens) == text.encode()
    return weights(*tokens, **options).confidence(text, schema, (), {})


def test_forced_tokens_are_counted_apart():
    (city,) = of_text(
        '{"city": "Rome"}',
        ('{"', -0.3, [("{", -2.0)]), ("city", 0.0), ('": "', 0.0), ("R", -0.5, [("O", -1.0)]),
        ("o", -0.25, [("i", -2.0)]), ("m", 0.0), ('e"}', -0.125, [("a", -3.0)]),
    )  # fmt: skip
    assert (city.path, city.logprob, city.num_tokens, city.num_forced) == ("/city", -0.875, 3, 2)
    assert city.mean_logprob == pytest.approx(-0.875 / 3)


def test_a_token_counts_for_every_value_that_it_writes():
    first, second = of_text("[1,2]", ("[", 0.0), ("1,2", -0.5, [("1", -1.0)]), ("]", -0.25, [("0", -1.5)]))
    assert [(each.path, each.logprob) for each in (first, second)] == [("/0", -0.5), ("/1", -0.75)]


def test_what_ends_a_number_belongs_to_it():
    (number,) = of_text(
        '{"n":12}',
        ('{"n":', 0.0), ("1", -0.5, [("2", -1.0)]), ("2", -0.25, [("}", -1.5)]), ("}", -0.125, [("3", -2.0)]),
    )  # fmt: skip
    assert number.logprob == -0.875
    (alone,) = of_text("12", ("12", -0.5, [("1", -1.0)]), ending=(-0.25, [("3", -1.5)]))
    assert (alone.path, alone.logprob) == ("", -0.75)
    (word,) = of_text('{"n":null}', ('{"n":', 0.0), ("null", -0.5, [("1", -1.0)]), ("}", -0.125, [(" ", -2.0)]))
    assert word.logprob == -0.5


def test_offsets_are_true_under_escapes_and_half_characters():
    text = '{"\\u00e9/~": "\\"\\\\", "é": ["😀", "x"]}'
    euro = "😀".encode()
    told = of_text(
        text,
        ('{"\\u00e9/~', -9.0, [("!", -1.0)]), ('": "', -1.0, [("!", -1.0)]), ("\\", -2.0, [("!", -1.0)]),
        ('"\\\\"', -4.0, [("!", -1.0)]), (', "', -9.0, [("!", -1.0)]), (b"\xc3", -9.0, [("!", -1.0)]),
        (b"\xa9", -9.0, [("!", -1.0)]), ('": [', -9.0, [("!", -1.0)]), (b'"' + euro[:2], -1.0, [("!", -1.0)]),
        (euro[2:], -2.0, [("!", -1.0)]), ('"', -4.0, [("!", -1.0)]), (', "', -8.0, [("!", -1.0)]),
        ("x", -16.0, [("!", -1.0)]), ('"]}', -32.0, [("!", -1.0)]),
    )  # fmt: skip
    assert [(each.path, each.logprob) for each in told] == [("/é~1~0", -7.0), ("/é/0", -7.0), ("/é/1", -56.0)]


def test_the_best_alternative_of_an_enum_is_what_other_tokens_lead_to():
    others = [('"O', -1.0), ('"Os', -2.0), ('"Ri', -0.9), ("\n", -0.1)]
    city, ok = of_text(
        '{"city":"Rome","ok":true}',
        ('{"city":', 0.0), ('"R', -0.5, others), ("om", -0.25, [("i", -1.5)]), ('e",', -0.125, [("a", -1.0)]),
        ('"ok":', 0.0), ("tr", -0.5, [("false", -1.0)]), ("ue", 0.0), ("}", -0.1, [(" ", -2.0)]),
        schema=CITY,
    )  # fmt: skip
    to_riga = math.exp(-0.9) + math.exp(-0.5 - 1.5)
    to_oslo = math.exp(-1.0) + math.exp(-2.0)
    assert to_riga > to_oslo > math.exp(-0.75 - 1.0)
    assert city.alternative.values == ("Riga",)
    assert city.alternative.probability == pytest.approx(to_riga)
    assert ok.alternative == Alternative(values=(False,), probability=math.exp(-1.0))


def test_members_that_are_not_told_apart_are_told_together():
    tokens = [('{"city":', 0.0), ('"O', -1.0, [('"Ro', -0.5)]), ('slo"', 0.0), ("}", 0.0)]
    (city,) = of_text('{"city":"Oslo"}', *tokens, schema=CITY)
    assert city.alternative == Alternative(values=("Rome", "Roma"), probability=math.exp(-0.5))


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"enum": [1, 12]}}}}, "/0"),
        ({"anyOf": [{"type": "null"}, {"prefixItems": [{"const": 1}]}, {"prefixItems": [{"const": 12}]}]}, "/0"),
        ({"allOf": [{"items": {"oneOf": [{"enum": [1]}, {"enum": [12]}]}}]}, "/0"),
    ],
)
def test_members_are_found_wherever_the_schema_has_them(schema, path):
    (number,) = of_text("[1]", ("[", 0.0), ("1", 0.0), ("]", -0.5, [("2", -1.0)]), schema=schema)
    assert (number.path, number.alternative.values) == (path, (12,))
    assert number.alternative.probability == pytest.approx(math.exp(-1.0))


def test_no_alternative_where_there_is_no_enum():
    told = of_text('["x", 1, null]', ('["x", 1, null]', -1.0, [("[", -2.0)]), schema={"items": {"type": ["string"]}})
    assert [each.alternative for each in told] == [None] * 3


def test_arguments_are_found_behind_thoughts_that_quote_them():
    call = '<tool_call>{"name": "go", "arguments": {"city": "Oslo"}}</tool_call>'
    made = weights(
        ('<think>{"city": "Oslo"}{"city": "Rome"}</think>', -9.0, [("!", -1.0)]),
        (call[:-18], -0.5, [("!", -1.0)]), (call[-18:], -0.25, [("!", -1.0)]), (call, -4.0, [("!", -1.0)]),
    )  # fmt: skip
    calls = [Call("1", "go", '{"city": "Oslo"}'), Call("2", "go", '{"city": "Oslo"}')]
    told = made.confidence("", None, calls, {"go": CITY})
    assert [(each.call, each.path, each.logprob) for each in told] == [(0, "/city", -0.75), (1, "/city", -4.0)]


def test_arguments_in_words_of_their_own_are_left_out():
    made = weights(("<parameter=city>Oslo</parameter>", -0.5, [("!", -1.0)]))
    assert made.confidence("", None, [Call("1", "go", '{"city": "Oslo"}')], {"go": CITY}) == ()
    custom = Call("1", "run", "Oslo", "custom")
    assert made.confidence("", None, [custom], {}) == ()


@given(VALUES, st.booleans(), st.lists(st.integers(1, 9), min_size=1), st.binary(max_size=9))
def test_every_byte_of_a_value_counts_once_however_it_is_cut(value, ascii_only, sizes, thought):
    text = json.dumps(value, ensure_ascii=ascii_only)
    data, at, tokens = text.encode(), 0, [(thought, -1000.0, [("!", -1.0)])]
    while at < len(data):
        size = sizes[len(tokens) % len(sizes)]
        tokens.append((data[at : at + size], -float(len(tokens)), [("!", -1.0)]))
        at += size
    told = weights(*tokens).confidence(text, True, (), {})
    leaves = [(path, inner) for path, inner in walk(value) if not isinstance(inner, dict | list) or not inner]
    assert [each.path for each in told] == [path for path, _ in leaves]
    ends, place = [], 0
    for piece, *_ in tokens[1:]:
        ends.append((place, place + len(piece)))
        place += len(piece)
    reader = FieldReader()
    spans = [field for field in (*reader.feed(text), *reader.finish()) if field.is_leaf]
    for each, field in zip(told, spans, strict=True):
        begin, end = (len(text[:offset].encode()) for offset in (field.begin, field.end))
        end += text[field.begin] in "-0123456789"
        expected = -sum(index + 1 for index, (first, last) in enumerate(ends) if first < end and last > begin)
        assert each.logprob == expected
