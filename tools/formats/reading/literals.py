"""Literals that are not JSON, read in pieces and passed on as JSON text: Python's, and those with delimited strings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass

from tools.formats.reading.text import WHITESPACE, Cursor, MalformedError, MarkerSearch, ParserRoutine, TruncatedError

MAX_DEPTH = 100
"""Lists and dictionaries within each other; what is deeper is malformed."""

_MAX_SCALAR = 10_000
_WORDS = {"None": "null", "null": "null", "True": "true", "true": "true", "False": "false", "false": "false"}
_SCALAR = re.compile(r"[0-9A-Za-z_.+-]+")
_BARE_NAME = re.compile(r"[^:,{}\[\]\"'<>\n]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LOOSE_NUMBER = re.compile(r"([+-]?)([0-9][0-9_]*)?(?:(\.)([0-9][0-9_]*)?)?([eE][+-]?[0-9]+)?")
_HEX_NUMBER = re.compile(r"[+-]?0[xX][0-9A-Fa-f_]{1,64}")
_RUNS = {quote: re.compile(rf"[^{quote}\\]+") for quote in "'\""}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "\n": ""}
_ESCAPES |= {char: char for char in "\\'\""}
_HEX_SIZES = {"x": 2, "u": 4, "U": 8}
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")

Emit = Callable[[str], None]


def json_text(text: str) -> str:
    """Return a string as JSON spells it, without its quotes; half a surrogate pair becomes U+FFFD."""
    return json.dumps(whole(text), ensure_ascii=False)[1:-1]


def whole(text: str) -> str:
    """Return the text with U+FFFD for each half of a surrogate pair."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Members:
    """Passes on the members of one object as JSON text; of several with one name the first."""

    __slots__ = ("_emit", "_names")

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._names: set[str] = set()
        emit("{")

    def begin(self, name: str) -> Emit:
        """Return where the value of the next member goes."""
        if name in self._names:
            return _drop
        separator = ", " if self._names else ""
        self._names.add(name)
        self._emit(f'{separator}"{json_text(name)}": ')
        return self._emit

    def end(self) -> None:
        """Say that no member follows."""
        self._emit("}")


def _drop(text: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Literals:
    """Reads values as Python spells them, and as JSON does.

    Attributes:
        delimiter: Stands at both ends of strings, which have no escapes then; names need no quotes. Strings in quotes
            are read too.
    """

    delimiter: str = ""

    def read(self, cursor: Cursor, emit: Emit, depth: int = 0) -> ParserRoutine:
        """Read one value and pass on JSON text of it.

        Raises:
            MalformedError: something else follows, or values are too deep.
            TruncatedError: the text ended inside the value.
        """
        if depth > MAX_DEPTH:
            raise MalformedError(f"values more than {MAX_DEPTH} deep")
        char = yield from cursor.need()
        if char == "{":
            yield from self._read_object(cursor, emit, depth)
        elif char in "[(":
            yield from self._read_array(cursor, emit, depth, "]" if char == "[" else ")")
        elif not (yield from self._read_string(cursor, emit)):
            emit((yield from _read_scalar(cursor)))

    def _read_array(self, cursor: Cursor, emit: Emit, depth: int, closer: str) -> ParserRoutine:
        cursor.take(1)
        emit("[")
        separator = ""
        while (yield from _next(cursor, closer, bool(separator))) != closer:
            emit(separator)
            yield from self.read(cursor, emit, depth + 1)
            separator = ", "
        cursor.take(1)
        emit("]")

    def _read_object(self, cursor: Cursor, emit: Emit, depth: int) -> ParserRoutine:
        cursor.take(1)
        members = Members(emit)
        is_first = True
        while (yield from _next(cursor, "}", not is_first)) != "}":
            is_first = False
            name = yield from self.read_name(cursor)
            yield from cursor.skip()
            if not (yield from cursor.match(":")):
                raise MalformedError("a colon expected")
            yield from cursor.skip()
            yield from self.read(cursor, members.begin(name), depth + 1)
        cursor.take(1)
        members.end()

    def read_name(self, cursor: Cursor) -> Generator[None, None, str]:
        """Read the name of a member."""
        pieces: list[str] = []
        if (yield from self._read_string(cursor, pieces.append)):
            name: str = json.loads("".join(pieces))
            return name
        if not self.delimiter:
            raise MalformedError("a name in quotes expected")
        return (yield from read_run(cursor, _BARE_NAME)).strip(WHITESPACE)

    def _read_string(self, cursor: Cursor, emit: Emit) -> Generator[None, None, bool]:
        """Read a string if one follows; return True if so."""
        if self.delimiter and (yield from cursor.match(self.delimiter)):
            emit('"')
            yield from self._read_delimited(cursor, emit)
        elif (char := (yield from cursor.need())) in _RUNS:
            emit('"')
            yield from _read_quoted(cursor, emit, char)
        else:
            return False
        emit('"')
        return True

    def _read_delimited(self, cursor: Cursor, emit: Emit) -> ParserRoutine:
        anchors = MarkerSearch([self.delimiter])
        while True:
            text, anchor = yield from cursor.read_until(anchors)
            emit(json_text(text))
            if anchor:
                cursor.take(len(anchor))
                return
            if not text:
                raise TruncatedError


def _next(cursor: Cursor, closer: str, needs_comma: bool) -> Generator[None, None, str]:
    """Read up to the next item, and return its first character, or the closing bracket, unread."""
    yield from cursor.skip()
    char = yield from cursor.need()
    if needs_comma and char != closer:
        if char != ",":
            raise MalformedError("a comma or a closing bracket expected")
        cursor.take(1)
        yield from cursor.skip()
        char = yield from cursor.need()
    return char


def read_run(cursor: Cursor, pattern: re.Pattern[str]) -> Generator[None, None, str]:
    """Read what the pattern of a character class matches, up to something else.

    Raises:
        MalformedError: it is nothing, or very long.
        TruncatedError: the text ended before.
    """
    yield from cursor.need()
    pieces: list[str] = []
    size = 0
    while run := cursor.take_run(pattern):
        pieces.append(run)
        size += len(run)
        if size > _MAX_SCALAR:
            raise MalformedError("a name or number that is too long")
        yield from cursor.need()
    if not pieces:
        raise MalformedError("a name or a value expected")
    return "".join(pieces)


def _read_scalar(cursor: Cursor) -> Generator[None, None, str]:
    text = yield from read_run(cursor, _SCALAR)
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        return text
    if _HEX_NUMBER.fullmatch(text):
        return str(int(text.replace("_", ""), 16))
    loose = _LOOSE_NUMBER.fullmatch(text)
    if not loose or not (loose[2] or loose[4]):
        raise MalformedError("a value expected")
    sign, whole, point, fraction, exponent = loose.groups(default="")
    digits = whole.replace("_", "").lstrip("0") or "0"
    rest = f".{fraction.replace('_', '') or '0'}" if point else ""
    return f"{'-' if sign == '-' else ''}{digits}{rest}{exponent}"


def _read_quoted(cursor: Cursor, emit: Emit, quote: str) -> ParserRoutine:
    """Read a string of Python, in one quote or three, and pass on JSON text of its content."""
    end = quote * 3 if (yield from cursor.match(quote * 3)) else quote
    if end == quote:
        cursor.take(1)
    high = ""
    while True:
        char = yield from cursor.need()
        text = ""
        if char == "\\":
            text = yield from _read_escape(cursor)
        elif char != quote:
            text = cursor.take_run(_RUNS[quote])
        elif end == quote or (yield from cursor.match(end)):
            break
        else:
            text = cursor.take(1)
        if len(text) == 1 and "\ud800" <= text <= "\udbff" and not high:
            high = text  # waits for the other half
            continue
        emit(json_text(high + text))
        high = ""
    emit(json_text(high))
    if end == quote:
        cursor.take(1)


def _read_escape(cursor: Cursor) -> Generator[None, None, str]:
    cursor.take(1)
    char = yield from cursor.need()
    cursor.take(1)
    if char in _OCTAL:
        digits = char
        while len(digits) < 3 and (yield from cursor.need()) in _OCTAL:
            digits += cursor.take(1)
        return chr(int(digits, 8))
    if char not in _HEX_SIZES:
        # An escape that Python does not know is kept.
        return _ESCAPES.get(char, "\\" + char)
    digits = ""
    while len(digits) < _HEX_SIZES[char]:
        if (yield from cursor.need()) not in _HEX:
            raise MalformedError(f"{_HEX_SIZES[char]} hexadecimal digits expected")
        digits += cursor.take(1)
    if int(digits, 16) > 0x10FFFF:
        raise MalformedError("a character that does not exist")
    return chr(int(digits, 16))
