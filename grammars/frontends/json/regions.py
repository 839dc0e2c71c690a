"""The JSON value that ends where a text ends, and what it stands in; read backwards, whatever is before it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import numpy as np

from grammars.frontends.json.decoding import MAX_DIGITS, as_double
from grammars.kernels.unique import container_start, string_start

_QUOTE, _CLOSERS, _SCALARS = 0x22, b"]}", b"+-.0123456789Eaeflnrstu"
_FAR = "1" + 17 * "0"  # for exponents of more digits


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
    start = len(text.rstrip(_SCALARS))
    return start if start < len(text) else -1


def last_value(text: bytes) -> Any:
    """The value that ends with the text.

    Raises:
        RepeatedNameError: an object in it has two members of one name.
        RecursionError: values are too deep.
    """
    return read(text[value_start(text) :])


def last_item(text: bytes) -> tuple[Any, bytes]:
    """The item of an array that ends with the text, and the text of the array as it would be without it."""
    start = value_start(text)
    container = int(container_start(np.frombuffer(text, dtype=np.uint8), start))
    return read(text[start:]), text[container:start].rstrip(b", \t\r\n") + b"]"


def read(data: bytes) -> Any:
    """The value of a JSON text; raises what `last_value` does."""
    return json.loads(data, parse_float=_decimal, parse_int=_integer, object_pairs_hook=_unique)


def _integer(text: str) -> int:
    # The interpreter reads no longer ones itself.
    return int(text) if len(text) <= MAX_DIGITS else int(Decimal(text))


def _decimal(text: str) -> Decimal:
    digits, _, exponent = text.lower().partition("e")
    if len(exponent) > len(_FAR):
        text = f"{digits}e{exponent[0].strip('0123456789')}{_FAR}"
    return as_double(Decimal(text))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedNameError
    return members
