"""The JSON value that ends where a text ends, and what it stands in; read backwards, whatever is before it."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import numpy as np

from grammars.errors import TooComplexError
from grammars.frontends.json.decoding import as_double
from grammars.kernels.unique import container_start, string_start

_QUOTE, _CLOSERS = 0x22, b"]}"
_SCALAR = re.compile(rb"(?:true|false|null|[-+.0-9eE]+)\Z")
_MAX_SCALAR_BYTES = 10_000
# Beyond this, numbers are not worth the digits that comparing them takes.
_MAX_EXPONENT = 100_000


class RepeatedNameError(ValueError):
    """An object has two members of one name."""


def value_start(text: bytes) -> int:
    """Where the value begins that ends with the text; -1 where none does."""
    array = np.frombuffer(text, dtype=np.uint8)
    if not text:
        return -1
    if text[-1] == _QUOTE:
        return int(string_start(array, len(text) - 1))
    if text[-1] in _CLOSERS:
        return int(container_start(array, len(text) - 1))
    found = _SCALAR.search(text, max(0, len(text) - _MAX_SCALAR_BYTES))
    return found.start() if found else -1


def last_value(text: bytes) -> Any:
    """The value that ends with the text.

    Raises:
        RepeatedNameError: an object in it has two members of one name.
        TooComplexError: a number has too many digits, or values are too deep.
    """
    return read(text[value_start(text) :])


def last_item(text: bytes) -> tuple[Any, bytes]:
    """The item of an array that ends with the text, and the text of the array as it would be without it."""
    start = value_start(text)
    container = int(container_start(np.frombuffer(text, dtype=np.uint8), start))
    return read(text[start:]), text[container:start].rstrip(b", \t\r\n") + b"]"


def read(data: bytes) -> Any:
    """The value of a JSON text; raises what `last_value` does."""
    try:
        return json.loads(data, parse_float=_decimal, object_pairs_hook=_unique)
    except RecursionError:
        raise TooComplexError("max_depth", 1_000, 1_000) from None
    except RepeatedNameError:
        raise
    except ValueError as error:
        if "digits" in str(error):
            raise TooComplexError("max_number_digits", 4_301, 4_300) from None
        raise


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if number and abs(number.adjusted()) > _MAX_EXPONENT:
        raise TooComplexError("max_exponent", abs(number.adjusted()), _MAX_EXPONENT)
    return as_double(number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedNameError
    return members
