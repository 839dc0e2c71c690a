"""JSON text of schemas to values, with numbers as exact as they are written."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from grammars.errors import InvalidGrammarError

_MAX_EXPONENT = 400
_MAX_DIGITS = 4300  # what the interpreter allows whole numbers


def decoded(text: str, begin: int) -> Any:
    """The value that begins there in a text that is JSON.

    Raises:
        InvalidGrammarError: a number in it is out of range.
    """
    try:
        return DECODER.raw_decode(text, begin)[0]
    except ValueError as error:
        raise InvalidGrammarError(f"the schema is not JSON: {error}", None) from None


def _decimal(text: str) -> Decimal:
    """The number exactly; far exponents are refused, since their digits would have to be written out."""
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} characters is out of range")
    number = Decimal(text)
    if number and abs(number.adjusted()) > _MAX_EXPONENT:
        raise ValueError(f"the number {text} is out of range")
    return number


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


DECODER = json.JSONDecoder(parse_float=_decimal, parse_constant=_refuse_constant)
