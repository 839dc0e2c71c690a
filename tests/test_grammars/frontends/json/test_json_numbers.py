"""The spellings of numbers within bounds beside exact decimals."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

import jsonschema_rs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammars import JsonSchema
from grammars.frontends.json.emit.numbers import Interval, number_languages
from grammars.frontends.json.meaning.type_bounds import FRACTION, INTEGER
from tests.test_grammars.simulator import Simulator

_STATES = 20_000
_BOUNDS = ["0", "1", "0.5", "0.005", "1.005", "3.14159", "10", "99.99", "100", "1E-7", "9007199254740993", "1E+19"]
_MULTIPLES = ["0.01", "0.1", "0.001", "0.25", "0.5", "1E-7", "3E-5", "1", "3", "2.5", "0.3", "10"]
_WHOLE = st.sampled_from(
    ["0", "1", "2", "3", "9", "10", "99", "100", "101", "9007199254740993", "12345678901234567890"]
)
_FRACTION = st.one_of(
    st.sampled_from(["", "0", "00", "5", "50", "500", "005", "0050", "14159", "99", "9900", "0000001", "000000100"]),
    st.text("0123456789", min_size=1, max_size=22),
)
_SIGN = st.sampled_from(["", "-"])


def _signed(values: list[str]) -> st.SearchStrategy[Decimal]:
    return st.builds(lambda value, sign: Decimal(sign + value), st.sampled_from(values), _SIGN)


_BOUND = st.one_of(st.none(), _signed(_BOUNDS), st.floats(-1e25, 1e25).map(lambda value: Decimal(repr(value))))


@st.composite
def _intervals(draw: st.DrawFn) -> Interval:
    low, high = draw(_BOUND), draw(_BOUND)
    assume(low is None or high is None or low <= high)
    return low, draw(st.booleans()) and low is not None, high, draw(st.booleans()) and high is not None


_languages = lru_cache(maxsize=64)(number_languages)


def _accepts(
    types: int, interval: Interval, text: str, multiples: Sequence[str] = (), others: Sequence[str] = ()
) -> bool:
    found = _languages(types, (interval,), tuple(map(Decimal, multiples)), tuple(map(Decimal, others)))
    return any(language.accepts(text, _STATES) for language in found)


def _read(text: str) -> Decimal:
    """What the text means to a validator: a double compares as the shortest decimal that is read as it."""
    value = json.loads(text)
    return Decimal(repr(value))


def _is_within(interval: Interval, value: Decimal) -> bool:
    low, low_open, high, high_open = interval
    above = low is None or value > low or (value == low and not low_open)
    return above and (high is None or value < high or (value == high and not high_open))


def _is_multiple(value: Decimal, of: str) -> bool:
    first, second = value.as_integer_ratio(), Decimal(of).as_integer_ratio()
    return (first[0] * second[1]) % (first[1] * second[0]) == 0


def _spellings(value: float) -> list[str]:
    """As Python and JavaScript write the double."""
    python = repr(value)
    script = python.replace("e-0", "e-")
    if 1e-6 <= abs(value) < 1e-4 or 1e16 <= abs(value) < 1e21:
        script = f"{Decimal(python):f}"
    return [python, script.removesuffix(".0") if value else python]


_DOUBLES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(2**54), 2**54).map(float),
    st.tuples(st.integers(-(2**53), 2**53), st.sampled_from([-math.inf, math.inf])).map(lambda t: math.nextafter(*t)),
)


@settings(max_examples=100, deadline=None)
@given(interval=_intervals(), doubles=st.lists(_DOUBLES, min_size=8, max_size=20))
def test_every_double_within_the_bounds_can_be_written_and_no_other(interval: Interval, doubles: list[float]) -> None:
    for bound in (interval[0], interval[2]):
        if bound is not None and abs(bound) < 2**53:
            near = float(bound)
            doubles = [*doubles, near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf)]
    for value in doubles:
        is_within = _is_within(interval, Decimal(repr(value)))
        for text in _spellings(value):
            assert _accepts(INTEGER | FRACTION, interval, text) == is_within, text
        assert _accepts(FRACTION, interval, repr(value)) == (is_within and not value.is_integer()), value


@settings(max_examples=100, deadline=None)
@given(
    interval=_intervals(),
    multiples=st.lists(st.sampled_from(_MULTIPLES), max_size=2, unique=True),
    others=st.lists(st.sampled_from(_MULTIPLES), max_size=2, unique=True),
    texts=st.lists(st.tuples(_SIGN, _WHOLE, _FRACTION, st.sampled_from(["", "e-7", "E19"])), min_size=8, max_size=40),
)
def test_numbers_within_bounds(
    interval: Interval, multiples: list[str], others: list[str], texts: list[tuple[str, str, str, str]]
) -> None:
    for sign, whole, fraction, exponent in texts:
        text = sign + whole + ("." + fraction if fraction else "") + exponent
        value = _read(text)
        has_others = bool(fraction or exponent)
        expected = _is_within(interval, value) and all(_is_multiple(value, m) for m in multiples)
        expected = expected and not any(_is_multiple(value, m) for m in others)
        accepted = _accepts(INTEGER | FRACTION, interval, text, multiples, others)
        assert accepted <= expected, text
        digits = len(text.replace(".", "").strip("-0"))
        if not has_others and abs(value) < 10**21:
            assert accepted == expected or text == "-0", text
        elif not exponent and digits <= 15 and text == repr(float(text)):
            assert accepted == expected, text
        if not has_others:
            assert _accepts(INTEGER, interval, text, multiples, others) == accepted or text == "-0", text


@settings(max_examples=60, deadline=None)
@given(
    interval=_intervals(),
    numbers=st.tuples(st.sampled_from(_MULTIPLES), st.booleans()),
    texts=st.lists(st.tuples(_SIGN, _WHOLE, _FRACTION), min_size=8, max_size=40),
)
def test_what_can_be_written_can_be_written_as_python_does(
    interval: Interval, numbers: tuple[str, bool], texts: list[tuple[str, str, str]]
) -> None:
    one, is_multiple = [numbers[0]], numbers[1]
    for sign, whole, fraction in texts:
        text = sign + whole + ("." + fraction if fraction else "")
        for types in (INTEGER, FRACTION, INTEGER | FRACTION):
            if _accepts(types, interval, text, one if is_multiple else [], [] if is_multiple else one):
                again = json.dumps(json.loads(text))
                assert _accepts(types, interval, again, one if is_multiple else [], [] if is_multiple else one), text


@pytest.mark.parametrize("text", ["0.5", "0.50", "0.500"])
def test_an_open_bound_is_left_out_with_zeros_behind_it(text: str) -> None:
    half = Decimal("0.5")
    assert not _accepts(INTEGER | FRACTION, (half, True, None, False), text)
    assert not _accepts(INTEGER | FRACTION, (None, False, half, True), text)
    assert _accepts(INTEGER | FRACTION, (half, False, half, False), text)


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"type": "number"}, ["1.7976931348623157e+308", "5e-324"], ["1e400", "1.7976931348623159e308"]),
        (
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
            ["0", "0.5040002580000128", "1e-7", "1e-07", "5e-324", "0.9999999999999999"],
            ["9.99999999999999999999e-1", "1", "1.0", "1e0"],
        ),
        ({"type": "number", "exclusiveMinimum": -1}, ["-0.9999999999999999"], ["-9.99999999999999999999e-1"]),
        ({"type": "number", "multipleOf": 1}, ["6000.0", "6000"], ["6000.5"]),
        ({"multipleOf": 2}, ["6.0", "6"], ["5.0", "5"]),
        (
            {"type": "integer", "minimum": 1e19},
            ["10000000000000000000", "99999999999999999999"],
            ["9999999999999999999"],
        ),
        ({"type": "integer", "maximum": -1e30}, [f"-1{'0' * 30}"], [f"-{'9' * 30}", "-5"]),
        ({"not": {"type": "integer"}}, ["1.0000000000000002", "0.1", "1e-05"], ["1.0000000000000001", "1.0", "7"]),
        ({"type": "number", "not": {"multipleOf": 2.5}}, ["5.1", "1e-05", "3"], ["5", "7.5", "0.0", "10.0"]),
        (
            {"type": "number", "not": {"multipleOf": 0.5}},
            ["0.1", "-0.7", "0.11010001200300111"],
            ["1", "0.5", "0.50000000000000000001"],
        ),
        ({"type": "number", "not": {"const": 0.1}}, ["0.10000000000000002"], ["0.1", "0.10000000000000000001", "1e-1"]),
        ({"type": "number", "multipleOf": 0.3}, ["0.9", "1.2", "3"], ["0.8", "1"]),
    ],
    ids=str,
)
def test_numbers_are_judged_as_the_doubles_they_are_read_as(
    schema: dict[str, object], accepted: list[str], refused: list[str]
) -> None:
    validator, simulator = jsonschema_rs.validator_for(schema), Simulator.of(JsonSchema(schema))
    for text in accepted:
        assert simulator.accepts(text), text
        assert validator.is_valid(json.loads(text)), text
    for text in refused:
        assert not simulator.accepts(text), text


@pytest.mark.parametrize("types", [FRACTION, INTEGER | FRACTION])
@pytest.mark.parametrize("multiple", ["3E-5", "2.5E-6", "1E-7", "7E-12"])
def test_small_multiples_are_spelled_with_exponents_too(multiple: str, types: int) -> None:
    everything = (None, False, None, False)
    for factor in (1, 2, 7, 15, 123, 4001):
        for value in (factor * Decimal(multiple), factor * Decimal(multiple) / 4):
            text = repr(float(value))
            is_multiple = Decimal(text) % Decimal(multiple) == 0
            for spelled in (text, "-" + text, text.replace("e-0", "e-").replace("e", "E")):
                assert _accepts(types, everything, spelled, [multiple], []) == is_multiple, spelled
                assert _accepts(types, everything, spelled, [], [multiple]) == (not is_multiple), spelled
