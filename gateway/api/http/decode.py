"""Request bodies: size checks, JSON to Structs, errors that name the field."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np

from gateway.errors import GatewayError, InvalidRequestError, MalformedBodyError

MAX_CONTAINERS = 50_000
"""Objects and arrays of a body."""
MAX_MEMBERS = 100_000
"""Members of all its objects."""
MAX_VALUES = 500_000
"""Values of all its objects and arrays: a prompt of token ids may have as many."""

_LIMITS = (
    (b"{[", MAX_CONTAINERS, "objects and arrays"),
    (b":", MAX_MEMBERS, "members of objects"),
    (b",", MAX_VALUES, "values"),
)


def check_body(body: bytes) -> None:
    """Return if a body holds as much as is read at once. Cost: some ns a byte; 4 MB take a few ms.

    Raises:
        InvalidRequestError: The body holds too much; says what and how much.
    """
    if not any(_count(body, marks) > most for marks, most, _ in _LIMITS):
        return
    # Count outside strings only: unescaped quotes begin and end them.
    plain = np.frombuffer(body.replace(b"\\\\", b"").replace(b'\\"', b""), dtype=np.uint8)
    is_outside = ~np.bitwise_xor.accumulate(plain == ord('"'))
    for marks, most, what in _LIMITS:
        count = sum(int(np.count_nonzero((plain == mark) & is_outside)) for mark in marks)
        if count > most:
            raise InvalidRequestError(f"the body holds {count} {what}; at most {most} are read")


def _count(body: bytes, marks: bytes) -> int:
    return sum(body.count(mark) for mark in marks)


T = TypeVar("T", bound=msgspec.Struct)
Made = TypeVar("Made")

_LONG = 64 * 1024
"""Bytes of a body from which on handing it to a thread pays."""

_PLACE = re.compile(r"(?s)^(.*?)(?: - at `(?:key in )?\$\.?(.*)`)?$")
_MISSING = re.compile(r"^Object missing required field `(.+)`$")
_BYTE = re.compile(r" \(byte (\d+)\)$")


@cache
def _decoder(kind: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def decode(kind: type[T], body: bytes) -> T:
    """Return the body as a Struct.

    Raises:
        MalformedBodyError: The body is not JSON; says where.
        InvalidRequestError: A field is missing or of a wrong type, and `param` is its path; or it holds too much.
    """
    check_body(body)
    try:
        decoded: T = _decoder(kind).decode(body)
    except msgspec.ValidationError as error:
        raise _misfit(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _malformed(body, str(error)) from None
    except RecursionError:
        raise InvalidRequestError("the body is nested too deeply") from None
    return decoded


async def converted(make: Callable[..., Made], body: Any, *others: Any, num_bytes: int) -> Made:
    """Return `make(body)`; for long bodies from a thread, so that the event loop stays free."""
    if num_bytes <= _LONG:
        return make(body, *others)
    return await asyncio.to_thread(make, body, *others)


def read_json(text: str, param: str) -> Any:
    """Return a JSON text inside a field (schemas may come as strings)."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise InvalidRequestError(f"{param} is a string that is not JSON: {error}", param=param) from None
    except RecursionError:
        raise InvalidRequestError(f"{param} is nested too deeply", param=param) from None


def _misfit(text: str) -> GatewayError:
    match = _PLACE.match(text)
    assert match is not None, "the expression matches every text"
    what, path = match[1], match[2] or ""
    missing = _MISSING.match(what)
    if missing is not None:
        path = f"{path}.{missing[1]}" if path else missing[1]
        return InvalidRequestError(f"the field {path} is missing", param=path)
    if not path:
        return InvalidRequestError(f"the body does not fit: {what}")
    return InvalidRequestError(f"{path}: {what}", param=path)


def _malformed(body: bytes, text: str) -> GatewayError:
    if not body.strip():
        return MalformedBodyError("the body is empty; a JSON object is expected")
    match = _BYTE.search(text)
    if match is None:
        return MalformedBodyError(f"the body is not JSON: {text}")
    offset = int(match[1])
    line = body.count(b"\n", 0, offset) + 1
    column = offset - (body.rfind(b"\n", 0, offset) + 1) + 1
    reason = _BYTE.sub("", text).removeprefix("JSON is malformed: ")
    return MalformedBodyError(f"the body is not JSON: {reason} at line {line}, column {column} (byte {offset})")
