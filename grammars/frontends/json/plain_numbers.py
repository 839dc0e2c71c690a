"""Numbers without bounds, which nearly every schema needs, emitted by hand; for their spellings see `numbers`."""

from __future__ import annotations

import sys
from decimal import Decimal

from grammars.frontends.json.digits import MAX_FRACTION_DIGITS, exponents
from grammars.frontends.regex import Language
from grammars.network.builder import NetworkBuilder
from grammars.network.units import UnitClass

MAX_INTEGER_DIGITS = 21
LARGEST = Decimal(repr(sys.float_info.max))
_LARGEST_POWER, _SMALLEST_EXPONENT = LARGEST.adjusted(), -324
_DIGITS = UnitClass.from_ranges(((0x30, 0x39),))


def emit_plain_integer(builder: NetworkBuilder, start: int, end: int) -> None:
    """Emits ``0|-?[1-9][0-9]{0,20}``."""
    negative, digits = builder.state(), builder.span(_DIGITS, 0, MAX_INTEGER_DIGITS - 1, end)
    builder.byte(start, 0x30, 0x30, end)
    builder.byte(start, 0x2D, 0x2D, negative)
    for state in (start, negative):
        builder.byte(state, 0x31, 0x39, digits)


def emit_plain_number(builder: NetworkBuilder, start: int, end: int) -> None:
    """Emits every number that is read as a finite double."""
    negative, zero, one, many, short = (builder.state() for _ in range(5))
    byte, epsilon = builder.byte, builder.epsilon
    fraction = builder.span(_DIGITS, 1, MAX_FRACTION_DIGITS, end)
    largest = _emit_largest(builder, end)
    exponent = Language(exponents(_SMALLEST_EXPONENT, _LARGEST_POWER - 1)).emit(builder, end, escaped=False)
    byte(start, 0x2D, 0x2D, negative)
    for state in (start, negative):
        byte(state, 0x30, 0x30, zero)
        byte(state, 0x31, 0x39, one)
        byte(state, 0x31, 0x31, largest)
    for state in (zero, one, many):
        epsilon(state, end)
    for state in (zero, many):
        byte(state, 0x2E, 0x2E, fraction)
    byte(one, 0x30, 0x39, builder.span(_DIGITS, 0, MAX_INTEGER_DIGITS - 2, many))
    byte(one, 0x2E, 0x2E, builder.span(_DIGITS, 1, MAX_FRACTION_DIGITS, short))
    epsilon(short, end)
    for state in (one, short):
        epsilon(state, exponent)


def _emit_largest(builder: NetworkBuilder, end: int) -> int:
    """Emits what follows the first digit of doubles with the largest exponent; returns where that starts."""
    mantissa, _, power = repr(sys.float_info.max).partition("e+")
    start, exponent, sign, number = (builder.state() for _ in range(4))
    for letter in b"eE":
        builder.byte(exponent, letter, letter, sign)
    builder.byte(sign, 0x2B, 0x2B, number)
    builder.epsilon(sign, number)
    builder.literal(number, power.encode(), end)
    builder.epsilon(start, exponent)
    below, digit = builder.span(_DIGITS, 0, MAX_FRACTION_DIGITS - 1, exponent), builder.state()
    builder.byte(start, 0x2E, 0x2E, digit)
    for largest in mantissa[2:].encode():
        following = builder.state()
        builder.byte(digit, 0x30, largest - 1, below)
        builder.byte(digit, largest, largest, following)
        builder.epsilon(following, exponent)
        digit = following
    return start
