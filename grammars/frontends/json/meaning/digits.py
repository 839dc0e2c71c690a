"""Spellings of the numbers from one decimal to another, as syntax trees over their digits; of all numbers, by hand.

Spellings are canonical: no leading zeros, no plus sign before the number. Fractions have at most 22 digits, as many as
anyone writes a double with before it takes an exponent.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal

from grammars.byte_bounded_cache import remembered
from grammars.frontends.regex import Language
from grammars.frontends.regex.charset import of
from grammars.frontends.regex.syntax import EPSILON, NOTHING, Chars, Node, Repeat, alternatives, character, sequence
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.units import UnitClass

MAX_FRACTION_DIGITS = 22
MINUS = character(ord("-"))
_ONE = 10**MAX_FRACTION_DIGITS
_DIGIT, _E = Chars(of("0123456789")), Chars(of("eE"))
_ZERO, _PLUS, _POINT = map(character, map(ord, "0+."))


def fixed(low: Decimal, high: Decimal, most: int, places: int, *, is_bare: bool) -> Node:
    """Decimals from `low`, at least 0, to `high`, without exponents.

    Args:
        most: largest whole part.
        places: digits after the point that may be others than zero.
        is_bare: there may be no point; else there is one.
    """
    least, largest = math.ceil(low.scaleb(MAX_FRACTION_DIGITS)), math.floor(high.scaleb(MAX_FRACTION_DIGITS))
    largest = min(largest, (most + 1) * _ONE - 1)
    if least > largest:
        return NOTHING
    (first, after), (last, before) = divmod(least, _ONE), divmod(largest, _ONE)
    lower = f"{after:0{MAX_FRACTION_DIGITS}d}".rstrip("0")
    upper = None if before == _ONE - 1 else f"{before:0{MAX_FRACTION_DIGITS}d}".rstrip("0")
    if first == last:
        return _after_whole(whole_between(first, last), fraction(lower, upper, places, is_bare=is_bare))
    options: list[Node] = []
    if lower:
        options.append(_after_whole(whole_between(first, first), fraction(lower, None, places, is_bare=is_bare)))
        first += 1
    if upper is not None:
        options.append(_after_whole(whole_between(last, last), fraction("", upper, places, is_bare=is_bare)))
        last -= 1
    if first <= last:
        options.append(_after_whole(whole_between(first, last), fraction("", None, places, is_bare=is_bare)))
    return alternatives(*options)


def _after_whole(whole: Node, rest: Node) -> Node:
    return rest if rest == NOTHING else sequence(whole, rest)


def scientific(low: Decimal, high: Decimal, places: int | None) -> Node:
    """Decimals from `low`, more than 0, to `high` as one digit or more, of which all but one are a fraction, times a
    power of ten.

    Args:
        places: digits after the point that may be others than zero, were it written without an exponent, which is
            then less than -4. None: any.
    """
    if low > high:
        return NOTHING
    first, last, options = low.adjusted(), high.adjusted(), []
    if places is not None:
        first, last = max(first, -places), min(last, -5)
    step = first
    while step <= last:
        # One power of ten at each end, all between them together.
        is_inside = places is None and first < step < last
        until = last - 1 if is_inside else step
        lower = low.scaleb(-step) if step == low.adjusted() else Decimal(1)
        upper = high.scaleb(-until) if until == high.adjusted() else Decimal(10)
        digits = MAX_FRACTION_DIGITS if places is None else places + step
        mantissa = fixed(lower, upper, 9, digits, is_bare=True)
        options.append(_after_whole(mantissa, exponents(step, until)))
        step = until + 1
    return alternatives(*options)


def exponents(low: int, high: int) -> Node:
    """Return the exponents for a number multiplied by a power of ten."""
    options: list[Node] = []
    if high >= 0:
        options.append(sequence(Repeat(_PLUS, 0, 1), _padded(max(low, 0), high)))
    if low < 0:
        options.append(sequence(MINUS, _padded(max(-high, 1), -low)))
    return sequence(_E, alternatives(*options))


def _padded(low: int, high: int) -> Node:
    """Return `whole_between`, with a zero allowed before one digit."""
    if low > 9:
        return whole_between(low, high)
    short = sequence(Repeat(_ZERO, 0, 1), whole_between(low, min(9, high)))
    return short if high < 10 else alternatives(short, whole_between(10, high))


@remembered()
def fraction(low: str, high: str | None, places: int, *, is_bare: bool) -> Node:
    """A point and digits from `low` to `high`, both without zeros at the end; None: no bound.

    Args:
        is_bare: the point may be missing.
    """
    options = [EPSILON] if is_bare and not low else []
    if not low and high is None:
        return alternatives(*options, sequence(_POINT, _some_digits(1, MAX_FRACTION_DIGITS, places)))
    tree = _digits_within(low, high, MAX_FRACTION_DIGITS, places)
    return alternatives(*options, *([] if tree == NOTHING else [sequence(_POINT, tree)]))


def _some_digits(least: int, digits: int, places: int) -> Node:
    """Return up to a number of digits, of which all but the first `places` are zeros."""
    if not places:
        return Repeat(_ZERO, least, digits)
    zeros = [Repeat(_ZERO, 0, digits - places)] if digits > places else []
    return sequence(Repeat(_DIGIT, least, min(places, digits)), *zeros)


@remembered()
def _digits_within(low: str, high: str | None, room: int, places: int) -> Node:
    """At least one more digit of a fraction of which the bounds agree with all digits before.

    Args:
        low: further digits of the lower bound; none where all that follows is more.
        high: of the upper bound, after which there are zeros; None where all that follows is less.
        room: digits that may come.
        places: of these may be others than zero.
    """
    if not room:
        return NOTHING
    free: list[str] = []
    options: list[Node] = []
    least, most = low[:1] or "0", "9" if high is None else high[:1] or "0"
    for digit in "0123456789" if places > 0 else "0":
        if not least <= digit <= most:
            continue
        lower = low[1:] if digit == least else ""
        upper = None if high is None or digit != most else high[1:]
        if not lower and upper is None:
            free.append(digit)
        elif not lower and not upper:
            # Nothing but zeros can follow.
            options.append(sequence(character(ord(digit)), Repeat(_ZERO, 0, room - 1)))
        else:
            more: list[Node] = [] if lower else [EPSILON]
            rest = _digits_within(lower, upper, room - 1, places - 1)
            if rest != NOTHING:
                more.append(rest)
            if more:
                options.append(sequence(character(ord(digit)), alternatives(*more)))
    if free:
        options.append(sequence(Chars(of("".join(free))), _some_digits(0, room - 1, max(places - 1, 0))))
    return alternatives(*options)


def whole_between(low: int, high: int) -> Node:
    """Whole numbers from `low` to `high`, both at least 0."""
    first, last = str(low), str(high)
    options: list[Node] = []
    while len(first) < len(last):
        if first in ("1", "0" * len(first)) or first == "1" + "0" * (len(first) - 1):
            break
        options.append(_same_length(first, "9" * len(first)))
        first = "1" + "0" * len(first)
    if len(first) < len(last):
        if first == "0":
            options.append(_text("0"))
            first = "1"
        longest = len(last) if set(last) == {"9"} else len(last) - 1
        if longest >= len(first):
            tail = Repeat(_DIGIT, len(first) - 1, longest - 1)
            options.append(sequence(Chars(of("123456789")), tail))
        if longest == len(last):
            return alternatives(*options)
        first = "1" + "0" * (len(last) - 1)
    options.append(_same_length(first, last))
    return alternatives(*options)


def _same_length(low: str, high: str) -> Node:
    """Digit strings from `low` to `high`, which are of one length."""
    if low == high:
        return _text(low)
    rest = len(low) - 1
    if low[0] == high[0]:
        return sequence(_text(low[0]), _same_length(low[1:], high[1:]))
    first, last = int(low[0]), int(high[0])
    options: list[Node] = []
    if low[1:] != "0" * rest:
        options.append(sequence(_text(low[0]), _same_length(low[1:], "9" * rest)))
        first += 1
    upper: list[Node] = []
    if high[1:] != "9" * rest:
        upper.append(sequence(_text(high[0]), _same_length("0" * rest, high[1:])))
        last -= 1
    if first <= last:
        between = Chars(of("".join(map(str, range(first, last + 1)))))
        options.append(sequence(between, Repeat(_DIGIT, rest, rest)) if rest else between)
    return alternatives(*options, *upper)


def _text(text: str) -> Node:
    return sequence(*map(character, map(ord, text)))


MAX_INTEGER_DIGITS = 21
LARGEST = Decimal(repr(sys.float_info.max))
_LARGEST_POWER, _SMALLEST_EXPONENT = LARGEST.adjusted(), -324
_DIGITS = UnitClass.from_ranges(((0x30, 0x39),))


def emit_plain_integer(builder: NetworkBuilder, start: int, end: int) -> None:
    """Emit ``0|-?[1-9][0-9]{0,20}``."""
    negative, digits = builder.state(), builder.span(_DIGITS, 0, MAX_INTEGER_DIGITS - 1, end)
    builder.byte(start, 0x30, 0x30, end)
    builder.byte(start, 0x2D, 0x2D, negative)
    for state in (start, negative):
        builder.byte(state, 0x31, 0x39, digits)


def emit_plain_number(builder: NetworkBuilder, start: int, end: int) -> None:
    """Emit every number that is read as a finite double."""
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
    """Emit what follows the first digit of doubles with the largest exponent; returns where that starts."""
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
