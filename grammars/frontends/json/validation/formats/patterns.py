"""The syntax of regular expressions as ECMA-262 has it with the flag `u`.

Names of Unicode properties are not looked up. The front end for patterns reads more (what other languages write) and
less (what no automaton can do) than this.

See: ECMA-262, section 22.2.1.
"""

from __future__ import annotations

import re

_SYNTAX = frozenset("^$\\.*+?()[]{}|")
_IDENTITY = _SYNTAX | {"/"}
_QUANTIFIER = re.compile(r"(?:[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\})\??")
_GROUP = re.compile(r"\((?:\?(?::|(?P<look><?[=!])|<(?P<name>[^<>]*)>|(?P<flags>[ims]*(?:-[ims]*)?):))?")
_HEX_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\})")
_CONTROL_ESCAPE = re.compile(r"\\(?:c([A-Za-z])|([fnrtv])|(0)(?![0-9]))")
_SET_ESCAPE = re.compile(r"\\(?:[dDsSwW]|[pP]\{[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?\})")
_REFERENCE = re.compile(r"\\(?:([1-9][0-9]*)|k<([^<>]*)>)")
_LAST = 0x10FFFF


class _Malformed(Exception):  # noqa: N818 - never leaves this module
    pass


def is_pattern(text: str) -> bool:
    """Whether the text is a pattern."""
    try:
        _Reader(text).read()
    except _Malformed:
        return False
    return True


class _Reader:
    """Reads a pattern from left to right; open groups are a list, so nesting is free."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.repeatable = False
        self.open: list[bool] = []  # whether each group can be repeated
        self.groups = 0
        self.names: set[str] = set()
        self.highest = 0
        self.referred: set[str] = set()

    def read(self) -> None:
        while self.at < len(self.text):
            self._term(self.text[self.at])
        if self.open or self.highest > self.groups or not self.referred <= self.names:
            raise _Malformed

    def _term(self, first: str) -> None:
        if first == "(":
            self._group()
        elif first == ")":
            if not self.open:
                raise _Malformed
            self.at += 1
            self.repeatable = self.open.pop()
        elif first == "[":
            self._class()
        elif first == "\\":
            self._escape()
        elif first in "*+?{":
            self._quantifier()
        elif first in "]}":
            raise _Malformed
        else:
            self.at += 1
            self.repeatable = first not in "^$|"

    def _matched(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def _group(self) -> None:
        match = self._matched(_GROUP)
        if match is None or self.text.startswith("?", self.at):
            raise _Malformed
        flags, name = match["flags"], match["name"]
        if flags is not None:
            letters = flags.replace("-", "")
            if not letters or len(set(letters)) < len(letters):
                raise _Malformed
        elif match[0] == "(" or name is not None:
            self.groups += 1
        if name is not None:
            if name in self.names or not name.replace("$", "_").isidentifier():
                raise _Malformed
            self.names.add(name)
        self.open.append(match["look"] is None)
        self.repeatable = False

    def _quantifier(self) -> None:
        match = self._matched(_QUANTIFIER)
        if match is None or not self.repeatable:
            raise _Malformed
        if match[3] and _number(match[1]) > _number(match[3]):
            raise _Malformed
        self.repeatable = False

    def _escape(self) -> None:
        reference = self._matched(_REFERENCE)
        self.repeatable = True
        if reference is not None:
            if reference[1] is None:
                self.referred.add(reference[2])
            else:
                self.highest = max(self.highest, int(reference[1][:9]))
        elif self.text[self.at + 1 : self.at + 2] in ("b", "B"):
            self.at += 2
            self.repeatable = False
        elif self._matched(_SET_ESCAPE) is None:
            self._character("")

    def _class(self) -> None:
        self.at += 2 if self.text.startswith("[^", self.at) else 1
        while not self.text.startswith("]", self.at):
            low = self._class_atom()
            if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
                self.at += 1
                high = self._class_atom()
                if low is None or high is None or low > high:
                    raise _Malformed
        self.at += 1
        self.repeatable = True

    def _class_atom(self) -> int | None:
        """The code of a character; None for a set of them."""
        if self.at >= len(self.text):
            raise _Malformed
        if self.text[self.at] != "\\":
            self.at += 1
            return ord(self.text[self.at - 1])
        return None if self._matched(_SET_ESCAPE) else self._character("b-")

    def _character(self, also: str) -> int:
        """The code that an escape stands for; `also` lists letters that mean themselves here."""
        match = self._matched(_HEX_ESCAPE)
        if match is not None:
            code = int(next(filter(None, match.groups())), 16)
            if code > _LAST:
                raise _Malformed
            low = self._matched(_LOW_SURROGATE) if 0xD800 <= code < 0xDC00 and match[2] else None
            return code if low is None else 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00
        match = self._matched(_CONTROL_ESCAPE)
        if match is not None:
            return 0 if match[3] else ord(match[1]) % 32 if match[1] else "tnvfr".index(match[2]) + 9
        following = self.text[self.at + 1 : self.at + 2]
        if not following or (following not in _IDENTITY and following not in also):
            raise _Malformed
        self.at += 2
        return 8 if following == "b" else ord(following)


_LOW_SURROGATE = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")


def _number(digits: str) -> tuple[int, str]:
    """Compares as the number does, however many digits it has."""
    digits = digits.lstrip("0")
    return len(digits), digits
