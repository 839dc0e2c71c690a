"""Strict JSON: RFC 8259, unique names, finite numbers, valid Unicode, bounded depth."""

import json
import math
import re
from decimal import Decimal
from typing import Any, NoReturn

from gateway.verify.verdict import pointer

MAX_DEPTH = 200
"""Arrays and objects inside each other; the validators themselves give up at 255."""

MAX_INTEGER_DIGITS = 4300
"""Python's own limit for reading a decimal integer, whose cost is quadratic."""

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][-+]?[0-9]+)?")
_STRING_RUN = re.compile(r'[^"\\\x00-\x1f]*')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_WORD = re.compile(r"true|false|null")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class StrictJsonError(ValueError):
    """A text that is not strict JSON.

    Attributes:
        reason: The error, in a few words.
        offset: Character offset of the fault.
        path: JSON pointer to the value with the error.
    """

    code = "invalid_json"
    retryable = False
    hint = "One JSON value, each name once in its object, finite numbers."

    def __init__(self, reason: str, offset: int, path: str) -> None:
        super().__init__(f"{reason} at character {offset}")
        self.reason = reason
        self.offset = offset
        self.path = path


def parse_strict(text: str, max_depth: int = MAX_DEPTH) -> Any:
    """Return the value that a strict JSON text spells, fractions as exact decimals.

    Cost: one pass of the C reader. A text that is at fault, or may be, is walked in Python too, for the fault's place.

    Raises:
        StrictJsonError: with the first fault and where it is.
    """
    if text.count("[") + text.count("{") > max_depth or _SURROGATE.search(text) or not _is_unicode(text):
        _Walk(text, max_depth).run()
    try:
        return _DECODER.decode(text)
    except ValueError as error:
        _Walk(text, max_depth).run()
        raise StrictJsonError(str(error), 0, "") from error


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice")
    return members


def _fraction(literal: str) -> float | Decimal:
    number = float(literal)
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    # Validators compare decimals exactly and expand their exponents, which is harmless only within a double's range.
    return Decimal(literal) if number or "e" not in literal.lower() else number


def _refuse_constant(literal: str) -> NoReturn:
    raise ValueError(f"{literal} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_fraction, parse_constant=_refuse_constant)


class _Walk:
    """Walks a JSON text without building it, and raises its first error with offset and path.

    Invariant: `_path` holds one entry per open array or object, `_names` the names seen so far in each (None: array).
    """

    def __init__(self, text: str, max_depth: int) -> None:
        self._text = text
        self._max_depth = max_depth
        self._at = 0
        self._path: list[str | int] = []
        self._names: list[set[str] | None] = []

    def run(self) -> None:
        self._space()
        while self._value() or self._after_value():
            self._space()
        if self._at < len(self._text):
            self._fail("text after the value")

    def _fail(self, reason: str, at: int | None = None) -> NoReturn:
        raise StrictJsonError(reason, self._at if at is None else at, pointer(self._path))

    def _space(self) -> None:
        self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]  # matches the empty text too

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _value(self) -> bool:
        """Read a value, or open one; True when the first member of an opened one follows."""
        first = self._peek()
        if first in ("{", "["):
            return self._open(first)
        if first == '"':
            self._string()
        elif first == "-" or first.isdigit():
            self._number()
        elif word := _WORD.match(self._text, self._at):
            self._at = word.end()
        else:
            self._fail("the text ends before the value does" if not first else "a value expected")
        return False

    def _open(self, bracket: str) -> bool:
        if len(self._path) == self._max_depth:
            self._fail(f"more than {self._max_depth} arrays and objects inside each other")
        self._at += 1
        self._space()
        if self._peek() == ("}" if bracket == "{" else "]"):
            self._at += 1
            return False
        self._names.append(set() if bracket == "{" else None)
        self._path.append(0)
        if bracket == "{":
            self._name()
        return True

    def _after_value(self) -> bool:
        """Close what ends here; True when another member follows."""
        while self._path:
            self._space()
            names = self._names[-1]
            mark = self._peek()
            if mark == ",":
                self._at += 1
                self._space()
                if names is None:
                    self._path[-1] = int(self._path[-1]) + 1
                else:
                    self._name()
                return True
            if mark != ("]" if names is None else "}"):
                self._fail(
                    "the text ends before the value does" if not mark else "a comma or a closing bracket expected"
                )
            self._at += 1
            self._path.pop()
            self._names.pop()
        self._space()
        return False

    def _name(self) -> None:
        names = self._names[-1]
        assert names is not None
        begin = self._at
        if self._peek() != '"':
            self._fail("a name in double quotes expected")
        name = self._string()
        if name in names:
            self._fail(f"the name {json.dumps(name)} stands twice in an object", begin)
        names.add(name)
        self._path[-1] = name
        self._space()
        if self._peek() != ":":
            self._fail("a colon expected")
        self._at += 1

    def _string(self) -> str:
        begin = self._at
        self._at += 1
        while True:
            self._at = _STRING_RUN.match(self._text, self._at).end()  # type: ignore[union-attr]
            mark = self._peek()
            if mark == '"':
                self._at += 1
                break
            escape = _ESCAPE.match(self._text, self._at)
            if not escape:
                reason = "an escape that JSON does not know" if mark == "\\" else "a raw control character in a string"
                self._fail(reason if mark else "the text ends inside a string")
            self._at = escape.end()
        value: str = json.loads(self._text[begin : self._at])
        if not _is_unicode(value):
            self._fail("half a surrogate pair in a string", begin)
        return value

    def _number(self) -> None:
        number = _NUMBER.match(self._text, self._at)
        if not number:
            self._fail("a number expected")
        if number["fraction"] or number["exponent"]:
            if not math.isfinite(float(number[0])):
                self._fail("a number too large to be finite")
        elif len(number[1]) > MAX_INTEGER_DIGITS:
            self._fail(f"an integer of more than {MAX_INTEGER_DIGITS} digits")
        self._at = number.end()
