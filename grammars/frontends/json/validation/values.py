"""JSON values: equality, whole numbers, multiples and depth, exactly and without writing out far exponents."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from grammars.errors import TooComplexError

Number = int | Decimal


def canonical(value: Any, spend: Callable[[int], None] | None = None) -> Any:
    """A hashable stand-in: equal for values that JSON calls equal, so for 1 and 1.0 but not for 1 and true.

    Args:
        spend: told the number of members and items as they are looked at.
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


def is_whole(value: Any) -> bool:
    """Whether the number has no fractional part."""
    if isinstance(value, int):
        return True
    _, digits, exponent = value.as_tuple()
    return exponent >= 0 or not any(digits[exponent:])


def is_multiple(value: Number, of: Number) -> bool:
    """Whether `value` is a whole number of times `of`, which is not 0."""
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    whole, exponent, size = _scaled(value)
    divisor, shift, _ = _scaled(of)
    divisor = abs(divisor)
    exponent -= shift
    if exponent >= 0:
        return whole % divisor * pow(10, exponent, divisor) % divisor == 0
    # Digits that are fewer than the zeros asked of them can only be 0.
    return whole == 0 or (-exponent <= size and whole % (divisor * 10**-exponent) == 0)


def _scaled(value: Number) -> tuple[int, int, int]:
    """The number as a whole one times a power of ten; and a bound on the digits of the whole one."""
    if isinstance(value, int):
        return value, 0, value.bit_length() // 3 + 1
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int), "JSON has no infinities"
    return int(Decimal((sign, digits, 0))), exponent, len(digits)


def refuse_deep(value: Any, max_depth: int) -> None:
    """Refuses values that are nested too deeply to be looked at recursively.

    Raises:
        TooComplexError: arrays and objects more than `max_depth` inside each other.
    """
    level, depth = [value], 0
    while level:
        level = [
            item
            for outer in level
            if type(outer) is dict or type(outer) is list
            for item in (outer.values() if type(outer) is dict else outer)
        ]
        depth += 1
        if depth > max_depth and level:
            raise TooComplexError("max_depth", depth, max_depth)
