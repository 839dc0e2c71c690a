"""The spellings of numbers within bounds beside exact decimals."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammars.frontends.json.bundle import FRACTION, INTEGER
from grammars.frontends.json.numbers import number_language

_STATES = 20_000
_BOUNDS = ["0", "1", "0.5", "0.005", "1.005", "3.14159", "10", "99.99", "100"]
_MULTIPLES = ["0.01", "0.1", "0.001", "0.25", "0.5", "1E-7", "1", "3", "2.5"]
_WHOLE = st.sampled_from(["0", "1", "2", "3", "9", "10", "99", "100", "101"])
_FRACTION = st.one_of(
    st.sampled_from(["", "0", "00", "5", "50", "500", "005", "0050", "14159", "99", "9900", "0000001", "000000100"]),
    st.text("0123456789", min_size=1, max_size=4),
)


def _signed(values: list[str]) -> st.SearchStrategy[Decimal]:
    return st.builds(lambda value, sign: Decimal(sign + value), st.sampled_from(values), st.sampled_from(["", "-"]))


_BOUND = st.one_of(st.none(), _signed(_BOUNDS))


@settings(max_examples=400, deadline=None)
@given(
    low=_BOUND,
    low_open=st.booleans(),
    high=_BOUND,
    high_open=st.booleans(),
    multiples=st.lists(st.sampled_from(_MULTIPLES).map(Decimal), max_size=2, unique=True),
    texts=st.lists(st.tuples(st.sampled_from(["", "-"]), _WHOLE, _FRACTION), min_size=8, max_size=40),
)
def test_numbers_within_bounds(
    low: Decimal | None,
    low_open: bool,
    high: Decimal | None,
    high_open: bool,
    multiples: list[Decimal],
    texts: list[tuple[str, str, str]],
) -> None:
    assume(low is None or high is None or low <= high)
    interval = (low, low_open and low is not None, high, high_open and high is not None)
    found = number_language(INTEGER | FRACTION, (interval,), tuple(multiples), ())
    for sign, whole, fraction in texts:
        text = sign + whole + ("." + fraction if fraction else "")
        value = Decimal(text)
        if value == 0 and (sign or any(multiple == multiple.to_integral_value() for multiple in multiples)):
            continue
        if fraction and any(multiple == multiple.to_integral_value() for multiple in multiples):
            # What is whole is spelled without a fraction.
            expected = False
        else:
            above = low is None or value > low or (value == low and not low_open)
            below = high is None or value < high or (value == high and not high_open)
            expected = above and below and all(value % multiple == 0 for multiple in multiples)
        assert found.accepts(text, _STATES) == expected, text


@pytest.mark.parametrize("text", ["0.5", "0.50", "0.500"])
def test_an_open_bound_is_left_out_with_zeros_behind_it(text: str) -> None:
    half = Decimal("0.5")
    assert not number_language(INTEGER | FRACTION, ((half, True, None, False),), (), ()).accepts(text, _STATES)
    assert not number_language(INTEGER | FRACTION, ((None, False, half, True),), (), ()).accepts(text, _STATES)
    assert number_language(INTEGER | FRACTION, ((half, False, half, False),), (), ()).accepts(text, _STATES)
