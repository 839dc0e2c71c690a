"""JSON text read in pieces and passed on as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator

from tools.formats.reading.cursor import Cursor, ParserRoutine

_OUTSIDE = re.compile(r'[^"{}\[\]]+')
_STRING_RUN = re.compile(r'[^"\\]+')
_WRITTEN_RUN = re.compile(r'(?:[^"\\]|\\.)+', re.DOTALL)
_SCALAR = re.compile(r'[^\s,:"{}\[\]]+')
_SCALAR_START = re.compile(r"[-0-9A-Za-z]")
_CLOSER = {"{": "}", "[": "]"}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = frozenset("0123456789abcdefABCDEF")

NO_ARGUMENTS = "{}"
"""What a call without arguments, with `null` or with an empty string is read as."""

quoted: Callable[[str], str] = json.JSONEncoder(ensure_ascii=False).encode
"""The JSON text of a string, with its characters as they are."""

Emit = Callable[[str], None]


class MalformedError(Exception):
    """The text is not what the reader expects; the message names that."""


def read_value(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read one JSON value and pass on its text.

    Only brackets and strings are followed: enough to know where the value ends. Whether it is JSON is for
    verification to say.
    """
    first = yield from cursor.need()
    if first in _CLOSER:
        yield from _read_nested(cursor, emit)
    elif first == '"':
        yield from _read_string(cursor, emit)
    else:
        scalar = False
        while run := cursor.take_run(_SCALAR):
            scalar = True
            emit(run)
            if not (yield from cursor.peek()):
                break
        if not scalar:
            raise MalformedError("a JSON value expected")


def read_arguments(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read a call's arguments and pass on their JSON text: what a string spells, and `{}` where there are none."""
    has_text = False

    def pass_on(text: str) -> None:
        nonlocal has_text
        has_text = has_text or bool(text)
        emit(text)

    first = yield from cursor.need()
    if first == '"':
        yield from read_text_into(cursor, pass_on)
    elif first in _CLOSER:
        yield from read_value(cursor, pass_on)
    elif _SCALAR_START.match(first):
        scalar: list[str] = []
        yield from read_value(cursor, scalar.append)
        text = "".join(scalar)
        pass_on("" if text == "null" else text)
    if not has_text:
        emit(NO_ARGUMENTS)


def read_members(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read the rest of an object whose opening brace was read, and pass on its text."""
    yield from _read_nested(cursor, emit, "}")


def _read_nested(cursor: Cursor, emit: Emit, open_closers: str = "") -> ParserRoutine:
    closers = list(open_closers)
    while True:
        char = yield from cursor.need()
        if char == '"':
            yield from _read_string(cursor, emit)
        elif char in _CLOSER:
            closers.append(_CLOSER[char])
            emit(cursor.take(1))
        elif char in "}]":
            if closers.pop() != char:
                raise MalformedError("brackets that do not match")
            emit(cursor.take(1))
            if not closers:
                return
        else:
            emit(cursor.take_run(_OUTSIDE))


def _read_string(cursor: Cursor, emit: Emit) -> ParserRoutine:
    emit(cursor.take(1))
    while True:
        char = yield from cursor.need()
        if char == '"':
            emit(cursor.take(1))
            return
        run = cursor.take_run(_WRITTEN_RUN)
        if run:
            emit(run)
        else:
            # The rest of an escape is still to come.
            emit(cursor.take(1))
            yield from cursor.need()
            emit(cursor.take(1))


def read_text(cursor: Cursor) -> Generator[None, None, str]:
    """Read one JSON string and return the text it spells."""
    pieces: list[str] = []
    yield from read_text_into(cursor, pieces.append)
    return "".join(pieces)


def read_text_into(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read one JSON string and pass on the text it spells; half a surrogate pair becomes U+FFFD."""
    if (yield from cursor.need()) != '"':
        raise MalformedError("a string expected")
    cursor.take(1)
    high = 0
    while True:
        char = yield from cursor.need()
        unit = 0
        text = ""
        if char == "\\":
            unit, text = yield from _read_escape(cursor)
        elif char == '"':
            cursor.take(1)
        else:
            text = cursor.take_run(_STRING_RUN)
        if high and 0xDC00 <= unit <= 0xDFFF:
            text = chr(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00))
            high = unit = 0
        if high:
            emit("\ufffd")
        high = unit if 0xD800 <= unit <= 0xDBFF else 0
        emit("\ufffd" if 0xDC00 <= unit <= 0xDFFF else text)
        if char == '"':
            return


def _read_escape(cursor: Cursor) -> Generator[None, None, tuple[int, str]]:
    """Read one escape: a UTF-16 unit if it is half a surrogate pair, else the character."""
    cursor.take(1)
    char = yield from cursor.need()
    cursor.take(1)
    if char != "u":
        if char not in _ESCAPES:
            raise MalformedError("an escape that JSON does not know")
        return 0, _ESCAPES[char]
    digits = ""
    while len(digits) < 4:
        if (yield from cursor.need()) not in _HEX:
            raise MalformedError("four hexadecimal digits expected")
        digits += cursor.take(1)
    unit = int(digits, 16)
    return (unit, "") if 0xD800 <= unit <= 0xDFFF else (0, chr(unit))
