"""Numbers within bounds as syntax trees over their digits.

Spellings are canonical: no leading zeros, no plus sign, an integer without a fraction. Integers have at most 19
digits, fractions at most 20, exponents stand after a single digit and cannot overflow a double. Beside a bound an
exponent is allowed only where every such spelling is within the bounds.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from grammars.errors import UnsupportedError
from grammars.frontends.json.bundle import FRACTION, INTEGER, Bundle
from grammars.frontends.json.multiples import (
    MAX_FRACTION_DIGITS,
    MAX_REMAINDERS,
    MAX_STATES,
    SAFE_DIGITS,
    divisible,
    is_whole,
    least,
    only_multiples,
    places_of,
    together,
)
from grammars.frontends.json.plain_numbers import MAX_INTEGER_DIGITS
from grammars.frontends.regex import Language
from grammars.frontends.regex.charset import of
from grammars.frontends.regex.effort import current_effort
from grammars.frontends.regex.parser import parse
from grammars.frontends.regex.syntax import EPSILON, NOTHING, Chars, Node, Repeat, alternatives, character, sequence
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment
from grammars.weighted import remembered

_MAX_CUTS = 2_000
# What the spellings of the numbers in an interval cost, beside the cells of tables that patterns are made to.
_CELLS_A_LANGUAGE = 2_500
_MAX_INTEGER = 10**MAX_INTEGER_DIGITS - 1
_DIGIT = Chars(of("0123456789"))
_ZERO, _MINUS, _POINT = map(character, map(ord, "0-."))
_EXPONENT = "(0?[0-9]|[1-9][0-9]|[12][0-9][0-9]|30[0-7])"
_LARGE_EXPONENT = rf"[1-9](\.[0-9]{{1,20}})?[eE]\+?{_EXPONENT}"
_SMALL_EXPONENT = r"[1-9](\.[0-9]{1,20})?[eE]-(0?[1-9]|[1-9][0-9]|[12][0-9][0-9]|30[0-7])"

_PLAIN_NUMBER = parse(
    r"-?(0(\.[0-9]{1,20})?|[1-9]([0-9]{1,18}(\.[0-9]{1,20})?"
    r"|(\.[0-9]{1,20})?([eE][+-]?([0-9]{1,2}|[12][0-9][0-9]|30[0-7]))?))",
    "ecma",
)
# Not whole, and so few digits that no double rounds to a whole number.
_FRACTIONS = Language(parse(rf"-?((0|[1-9][0-9]{{0,5}})\.[0-9]{{0,8}}[1-9]|{_SMALL_EXPONENT})", "ecma"))
_LARGE, _SMALL = parse(_LARGE_EXPONENT, "ecma"), parse(_SMALL_EXPONENT, "ecma")


# Bounds, each with whether it is left out.
Interval = tuple[Decimal | None, bool, Decimal | None, bool]
# Types, intervals, multiples, not multiples.
Key = tuple[int, tuple[Interval, ...], tuple[Decimal, ...], tuple[Decimal, ...]]


def emit_numbers(builder: NetworkBuilder, bundle: Bundle, types: int, start: int, end: int, where: str) -> None:
    """Emits the numbers that the bundle allows from `start` to `end`.

    Args:
        types: `INTEGER`, `FRACTION` or both.

    Raises:
        UnsupportedError: a multiple that no small automaton checks.
    """
    # What is no multiple is said of integers and of fractions apart.
    parts = [kind for kind in (INTEGER, FRACTION) if types & kind] if bundle.not_multiples else [types]
    for part in parts:
        key = (part, tuple(_intervals(bundle)), bundle.multiples, bundle.not_multiples)
        try:
            rule = builder.shared.get(("json number", key))
            if rule is None:
                _count_cuts(builder, len(key[1]) - 1)
                rule = builder.shared["json number", key] = builder.graft(_fragment(key, builder.limits))
        except UnsupportedError as error:
            raise UnsupportedError(error.what, where) from None
        builder.call(start, rule, end)


def _count_cuts(builder: NetworkBuilder, more: int) -> None:
    """Bounds the numbers that are excluded by a schema: what lies between two costs about as much as a schema does."""
    total = builder.shared["json number cuts"] = builder.shared.get("json number cuts", 0) + more
    if total > _MAX_CUTS:
        raise UnsupportedError(f"the exclusion of more than {_MAX_CUTS} numbers")


@remembered()
def _fragment(key: Key, limits: Limits) -> Fragment:
    """The rule, at state 0, of a number language."""
    current_effort().spend_cells(_CELLS_A_LANGUAGE * len(key[1]), MAX_STATES)
    builder = NetworkBuilder(limits)
    start, found = builder.rule(), number_language(*key)
    if not found.is_empty(limits.max_pattern_states):
        end = builder.state()
        builder.accept(end)
        builder.epsilon(start, found.emit(builder, end, escaped=False))
    return builder.fragment()


_UNBOUNDED: Interval = (None, False, None, False)


def _intervals(bundle: Bundle) -> list[Interval]:
    """The bounds, cut at the excluded numbers."""
    cuts = sorted({
        Decimal(value)
        for value in bundle.excluded
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool)
    })  # fmt: skip
    low, low_open = bundle.low, bundle.low_open
    intervals: list[Interval] = []
    for cut in cuts:
        if low is not None and cut < low:
            continue
        if bundle.high is not None and cut > bundle.high:
            break
        intervals.append((low, low_open, cut, True))
        low, low_open = cut, True
    intervals.append((low, low_open, bundle.high, bundle.high_open))
    return intervals


def number_language(
    types: int, intervals: tuple[Interval, ...], multiples: tuple[Decimal, ...], not_multiples: tuple[Decimal, ...]
) -> Language:
    """The spellings of numbers in any of the intervals, of these types, that are multiples of all and of none."""
    if any(is_whole(m) for m in multiples):
        types &= ~FRACTION
    if Decimal(1) in not_multiples:
        types &= ~INTEGER
    if not types:
        return Language(NOTHING)
    for m in not_multiples:
        if not is_whole(m) or m > MAX_REMAINDERS:
            raise UnsupportedError(f"the complement of multipleOf {m}")
    multiples = together(multiples)
    if any(m <= MAX_REMAINDERS and m % other == 0 for m in multiples for other in not_multiples):
        return Language(NOTHING)
    if types == INTEGER:
        found = Language(alternatives(*(_integers(*interval) for interval in intervals)))
    else:
        places = min(map(places_of, multiples), default=None)
        found = Language(alternatives(*(_decimals(*interval, places) for interval in intervals)))
    if types == FRACTION:
        is_any = intervals == (_UNBOUNDED,) and not multiples
        found = _FRACTIONS if is_any else found.intersect(_FRACTIONS, MAX_STATES)
    for m in multiples:
        # Of tenths, hundredths and so on nothing is left to say.
        if m != Decimal(1).scaleb(-places_of(m)):
            found = only_multiples(found, m)
    if types & INTEGER:
        for m in least(not_multiples):
            found = found.intersect(Language(None, divisible(int(m)).complement()), MAX_STATES)
    return found


@remembered()
def _integers(low: Decimal | None, low_open: bool, high: Decimal | None, high_open: bool) -> Node:
    """Integers within the bounds."""
    lowest, most = -_MAX_INTEGER, _MAX_INTEGER
    if low is not None:
        lowest = max(lowest, int(low.to_integral_value(ROUND_CEILING)) + (low_open and is_whole(low)))
    if high is not None:
        most = min(most, int(high.to_integral_value(ROUND_FLOOR)) - (high_open and is_whole(high)))
    if lowest > most:
        return NOTHING
    options: list[Node] = []
    if most >= 0:
        options.append(_whole_between(max(lowest, 0), most))
    if lowest < 0:
        options.append(sequence(_MINUS, _whole_between(max(1, -most), -lowest)))
    return alternatives(*options)


@remembered()
def _decimals(low: Decimal | None, low_open: bool, high: Decimal | None, high_open: bool, places: int | None) -> Node:
    """Decimals within the bounds, and those exponents that are certain to be.

    Args:
        places: digits behind the point that may be others than zero; there are no exponents then. None: any.
    """
    zero = Decimal(0)
    if low is None and high is None:
        if places is None:
            return _PLAIN_NUMBER
        return sequence(Repeat(_MINUS, 0, 1), _unsigned(zero, False, None, False, places))
    options: list[Node] = []
    if high is None or high > 0 or (high == 0 and not high_open):
        if low is None or low < 0:
            options.append(_unsigned(zero, False, high, high_open, places))
        else:
            options.append(_unsigned(low, low_open, high, high_open, places))
    if low is None or low < 0:
        top, top_open = (zero, True) if high is None or high >= 0 else (-high, high_open)
        options.append(sequence(_MINUS, _unsigned(top, top_open, None if low is None else -low, low_open, places)))
    return alternatives(*options)


def _unsigned(low: Decimal, low_open: bool, high: Decimal | None, high_open: bool, places: int | None) -> Node:
    """Decimals of at least zero within the bounds."""
    digits = MAX_FRACTION_DIGITS
    for bound, is_open in ((low, low_open), (high, high_open)):
        if bound and is_open:
            digits = max(1, min(digits, SAFE_DIGITS - len(str(int(bound)))))
    low_whole, low_rest = _parts(low)
    options: list[Node] = []
    if high is None:
        high_whole = _MAX_INTEGER + 1
    else:
        if high < low or (high == low and (low_open or high_open)):
            return NOTHING
        high_whole, high_rest = _parts(high)
        if high_whole > low_whole:
            last = _fraction("", False, high_rest, high_open, digits, places)
            options.append(sequence(_text(str(high_whole)), last))
        else:
            fraction = _fraction(low_rest, low_open, high_rest, high_open, digits, places)
            return sequence(_text(str(low_whole)), fraction)
    options.append(sequence(_text(str(low_whole)), _fraction(low_rest, low_open, None, False, digits, places)))
    if high_whole - low_whole > 1:
        fraction = _fraction("", False, None, False, digits, places)
        options.append(sequence(_whole_between(low_whole + 1, high_whole - 1), fraction))
    if low == 0 and (high is None or high >= 1) and places is None:
        options.append(_SMALL)
    if low <= 1 and high is None and not (low == 1 and low_open) and places is None:
        options.append(_LARGE)
    return alternatives(*options)


def _parts(value: Decimal) -> tuple[int, str]:
    """The whole part and the fraction's digits without trailing zeros."""
    whole, _, rest = f"{value:f}".partition(".")
    return int(whole), rest.rstrip("0")


@remembered()
def _fraction(low: str, low_open: bool, high: str | None, high_open: bool, digits: int, places: int | None) -> Node:
    """What may follow the whole part: nothing or a point and digits, within the bounds given by their digits."""
    if max(len(low), len(high or "")) >= digits:
        digits = max(len(low), len(high or "")) + 1
    places = digits if places is None else min(digits, places)
    if not low and not low_open and high is None:
        return alternatives(EPSILON, sequence(_POINT, _some_digits(1, digits, places)))
    options: list[Node] = []
    if _in_range("", low, low_open, high, high_open):
        options.append(EPSILON)
    tree = _digits_within("", low, low_open, high, high_open, digits, places)
    if tree != NOTHING:
        options.append(sequence(_POINT, tree))
    return alternatives(*options)


def _some_digits(least: int, digits: int, places: int) -> Node:
    """Up to so many digits, of which all but the first `places` are zeros."""
    any_digits = [Repeat(_DIGIT, least, places)] if places else []
    return sequence(*any_digits, *([Repeat(_ZERO, 0, digits - places)] if digits > places else []))


def _in_range(digits: str, low: str, low_open: bool, high: str | None, high_open: bool) -> bool:
    """Whether the fraction with these digits is within the bounds."""
    value = digits.rstrip("0")
    if value < low or (low_open and value == low):
        return False
    return high is None or value < high or (value == high and not high_open)


def _digits_within(
    prefix: str, low: str, low_open: bool, high: str | None, high_open: bool, digits: int, places: int
) -> Node:
    """At least one more digit after `prefix`, so that the whole fraction is within the bounds."""
    room = digits - len(prefix)
    if room == 0:
        return NOTHING
    free: list[str] = []
    options: list[Node] = []
    size = len(prefix) + 1
    least, most = low[:size].ljust(size, "0"), None if high is None else high[:size].ljust(size, "0")
    for digit in "0123456789" if len(prefix) < places else "0":
        longer = prefix + digit
        touches_low = longer == least and (low_open or size < len(low))
        touches_high = longer == most
        if longer < least or (most is not None and longer > most):
            continue
        if not touches_low and not touches_high:
            free.append(digit)
        elif not touches_low and size >= len(high or ""):
            # Nothing but zeros can follow.
            options += [] if high_open else [sequence(character(ord(digit)), Repeat(_ZERO, 0, room - 1))]
        else:
            more: list[Node] = []
            if _in_range(longer, low, low_open, high, high_open):
                more.append(EPSILON)
            rest = _digits_within(longer, low, low_open, high, high_open, digits, places)
            if rest != NOTHING:
                more.append(rest)
            if more:
                options.append(sequence(character(ord(digit)), alternatives(*more)))
    if free:
        rest = _some_digits(0, room - 1, max(places - len(prefix) - 1, 0))
        options.append(sequence(Chars(of("".join(free))), rest))
    return alternatives(*options) if options else NOTHING


def _whole_between(low: int, high: int) -> Node:
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
