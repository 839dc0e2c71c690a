"""Numbers without bounds, which nearly every schema needs, emitted by hand; for their spellings see `numbers`."""

from __future__ import annotations

from grammars.frontends.json.multiples import MAX_FRACTION_DIGITS
from grammars.network.builder import NetworkBuilder
from grammars.network.units import UnitClass

MAX_INTEGER_DIGITS = 19
_DIGITS = UnitClass.from_ranges(((0x30, 0x39),))


def emit_plain_integer(builder: NetworkBuilder, start: int, end: int) -> None:
    """Emits ``0|-?[1-9][0-9]{0,18}``."""
    negative, digits = builder.state(), builder.span(_DIGITS, 0, MAX_INTEGER_DIGITS - 1, end)
    builder.byte(start, 0x30, 0x30, end)
    builder.byte(start, 0x2D, 0x2D, negative)
    for state in (start, negative):
        builder.byte(state, 0x31, 0x39, digits)


def emit_plain_number(builder: NetworkBuilder, start: int, end: int) -> None:
    """Emits every number: the texts of `numbers._PLAIN_NUMBER`."""
    negative, zero, one, many, short, signed, digit = (builder.state() for _ in range(7))
    byte, epsilon, exponent = builder.byte, builder.epsilon, builder.state()
    fraction = builder.span(_DIGITS, 1, MAX_FRACTION_DIGITS, end)
    byte(start, 0x2D, 0x2D, negative)
    for state in (start, negative):
        byte(state, 0x30, 0x30, zero)
        byte(state, 0x31, 0x39, one)
    for state in (zero, one, many, short, digit):
        epsilon(state, end)
    for state in (zero, many):
        byte(state, 0x2E, 0x2E, fraction)
    byte(one, 0x30, 0x39, builder.span(_DIGITS, 0, MAX_INTEGER_DIGITS - 2, many))
    byte(one, 0x2E, 0x2E, builder.span(_DIGITS, 1, MAX_FRACTION_DIGITS, short))
    for state in (one, short):
        byte(state, 0x45, 0x45, exponent)
        byte(state, 0x65, 0x65, exponent)
    byte(exponent, 0x2B, 0x2B, signed)
    byte(exponent, 0x2D, 0x2D, signed)
    epsilon(exponent, signed)
    byte(signed, 0x30, 0x39, digit)
    byte(digit, 0x30, 0x39, end)
    hundreds, tens, three = builder.state(), builder.state(), builder.state()
    byte(signed, 0x31, 0x32, hundreds)
    byte(hundreds, 0x30, 0x39, tens)
    byte(tens, 0x30, 0x39, end)
    byte(signed, 0x33, 0x33, three)
    largest = builder.state()
    byte(three, 0x30, 0x30, largest)
    byte(largest, 0x30, 0x37, end)
