"""JSON values, with decimals for numbers with a fraction or an exponent: read, compared and divided exactly, and
without writing out far exponents.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from math import isinf
from typing import Any

from grammars.errors import TooComplexError

Number = int | Decimal
_BLOCK = 1000
_MAX_EXPONENT = 400
MAX_DIGITS = 4300  # what the interpreter allows whole numbers


def _decimal(text: str) -> Decimal:
    """The shortest decimal that is read as the same double; far exponents, which no double has, are refused."""
    number = Decimal(text)
    if len(text) > MAX_DIGITS or (number and abs(number.adjusted()) > _MAX_EXPONENT):
        raise ValueError(f"a number of {len(text)} characters is out of range")
    return as_double(number)


def as_double(number: Decimal) -> Decimal:
    """The shortest decimal that is read as the same double; the number itself where it is beyond doubles."""
    found = float(number)
    return number if isinf(found) else Decimal(repr(found))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


DECODER = json.JSONDecoder(parse_float=_decimal, parse_constant=_refuse_constant)


def canonical(value: Any, spend: Callable[[int], None] | None = None) -> Any:
    """Return a hashable key: equal for values that JSON calls equal, so for 1 and 1.0 but not for 1 and true.

    Args:
        spend: called with the number of members and items as they are looked at.
    """
    kind = type(value)
    if kind is list:
        if spend is not None:
            spend(len(value))
        return ("array", *[canonical(item, spend) for item in value])
    if kind is dict:
        if spend is not None:
            spend(len(value))
        return ("object", frozenset([(name, canonical(item, spend)) for name, item in value.items()]))
    return (kind, value) if value is None or kind is bool else value


def is_multiple(value: Number, of: Number) -> bool:
    """True if `value` is a whole number of times `of`, which is not 0.

    Cost: linear in the digits of `value`, whatever its exponent.
    """
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    _, of_digits, of_exponent = Decimal(of).as_tuple()
    _, digits, exponent = Decimal(value).as_tuple()
    assert isinstance(exponent, int), "JSON has no infinities"
    assert isinstance(of_exponent, int), "JSON has no infinities"
    divisor = int(Decimal((0, of_digits, 0)))
    exponent -= of_exponent
    if exponent >= 0:
        return _remainder(digits, divisor) * pow(10, exponent, divisor) % divisor == 0
    # A multiple of a power of ten ends in as many zeros.
    return not any(digits[exponent:]) and _remainder(digits[:exponent], divisor) == 0


def _remainder(digits: tuple[int, ...], divisor: int) -> int:
    """Return the remainder of a number in decimal digits; a block at a time, since long conversions are quadratic."""
    remainder = 0
    for start in range(0, len(digits), _BLOCK):
        block = digits[start : start + _BLOCK]
        remainder = (remainder * 10 ** len(block) + int(Decimal((0, block, 0)))) % divisor
    return remainder


def refuse_deep(value: Any, max_depth: int) -> None:
    """Refuse values that are nested too deeply to be looked at recursively.

    Raises:
        TooComplexError: arrays and objects more than `max_depth` inside each other.
    """
    level, depth = [value], 0
    while level := [outer for outer in level if type(outer) is dict or type(outer) is list]:
        depth += 1
        if depth > max_depth:
            raise TooComplexError("max_depth", depth, max_depth)
        level = [item for outer in level for item in (outer.values() if type(outer) is dict else outer)]
