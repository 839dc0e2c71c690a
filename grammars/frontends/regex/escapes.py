"""Escapes outside and inside a character class, in both dialects."""

from __future__ import annotations

import re
import unicodedata

from grammars.errors import InvalidGrammarError, UnsupportedError
from grammars.frontends.regex import charset
from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.syntax import Alt, Begin, Chars, End, Look, Node, Seq, character

_CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PYTHON_CONTROLS = {**_CONTROLS, "a": "\a"}
_HEX_LENGTHS = {"x": 2, "u": 4, "U": 8}
# Negation inside braces, and one letter without them, are of engines in Python's place.
_PROPERTIES = {"python": re.compile(r"\{(\^?)([^{}]*)\}|()([A-Z])"), "ecma": re.compile(r"\{()([^{}]*)\}")}
_OCTAL = re.compile(r"[0-7]{1,3}")
# Until Python 3.14 ``\B`` held nowhere in the empty text.
_NEEDS_TEXT = re.search(r"\B", "") is None
_SURROGATE_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


class Escapes:
    """Reads one escape at a time from a pattern.

    Args:
        pattern: the whole pattern.
        dialect: "python" or "ecma".
    """

    def __init__(self, pattern: str, dialect: str) -> None:
        self.pattern = pattern
        self.is_python = dialect == "python"

    def read(self, at: int, *, in_class: bool, flags: frozenset[str]) -> tuple[Node, int]:
        """Return the node of the escape whose backslash is at `at`, and the index after it."""
        if at + 1 >= len(self.pattern):
            raise InvalidGrammarError("the pattern ends in a backslash", column(at))
        letter = self.pattern[at + 1]
        if letter in "dDwWsS":
            return Chars(self._named_class(letter, flags)), at + 2
        if letter in "pP":
            return self._property(letter, at)
        if not in_class:
            anchor = self._assertion(letter, at, flags)
            if anchor is not None:
                return anchor, at + 2
        code, after = self._character(letter, at, in_class)
        return Chars(((code, code),)), after

    def case_rules(self, flags: frozenset[str]) -> str:
        """Return the rules for ignoring case, see `charset.ignore_case`."""
        return "ecma" if not self.is_python else "ascii" if "a" in flags else "python"

    def _named_class(self, letter: str, flags: frozenset[str]) -> Ranges:
        name = letter.lower()
        if self.is_python and "a" not in flags:
            ranges = charset.python_class(name)
        elif name == "s" and not self.is_python:
            ranges = charset.ECMA_SPACE
        else:
            ranges = charset.ASCII_CLASSES[name]
            if name == "w" and "i" in flags:
                # So `\W` has none of the letters that `\w` takes for one of its own.
                ranges = charset.ignore_case(ranges, self.case_rules(flags))
        return ranges if letter.islower() else charset.negate(ranges)

    def _property(self, letter: str, at: int) -> tuple[Node, int]:
        match = _PROPERTIES["python" if self.is_python else "ecma"].match(self.pattern, at + 2)
        if match is None and not self.is_python:
            return character(ord(letter)), at + 2  # it is literal, by Annex B
        if match is None:
            raise InvalidGrammarError("a property escape needs a name in braces", column(at))
        name = match[2] or match[match.lastindex or 2]
        ranges = charset.property_of(name)
        if ranges is None:
            raise UnsupportedError(f"the Unicode property {name!r}", column(at))
        negated = (letter == "P") != bool(match[1])
        return Chars(charset.negate(ranges) if negated else ranges), match.end()

    def _assertion(self, letter: str, at: int, flags: frozenset[str]) -> Node | None:
        if letter in "bB":
            return self._word_boundary(letter, flags)
        is_octal = self.is_python and re.match("[0-3][0-7]{2}", self.pattern[at + 1 : at + 4])
        if (letter in "123456789" and not is_octal) or (letter == "k" and not self.is_python):
            raise UnsupportedError("a backreference", column(at))
        if letter in "AZz":
            if not self.is_python:
                raise UnsupportedError(f"\\{letter} in an ECMA-262 pattern", column(at))
            return Begin() if letter == "A" else End()
        return None

    def _word_boundary(self, letter: str, flags: frozenset[str]) -> Node:
        word = self._named_class("w", flags)
        ahead, behind = (
            {holds: Look(Chars(word), ahead=ahead, holds=holds) for holds in (True, False)} for ahead in (True, False)
        )
        if letter == "b":
            return Alt(tuple(Seq((behind[holds], ahead[not holds])) for holds in (True, False)))
        options = [Seq((behind[holds], ahead[holds])) for holds in (True, False)]
        if self.is_python and _NEEDS_TEXT:
            others = Chars(charset.negate(word))
            options[1:] = [
                Seq((behind[False], Look(others, ahead=True, holds=True))),
                Seq((Look(others, ahead=False, holds=True), ahead[False])),
            ]
        return Alt(tuple(options))

    def _character(self, letter: str, at: int, in_class: bool) -> tuple[int, int]:
        if letter in _HEX_LENGTHS and (self.is_python or letter != "U"):
            return self._hexadecimal(letter, at)
        if letter.isascii() and letter.isdigit():
            return self._octal(at, in_class)
        controls = _PYTHON_CONTROLS if self.is_python else _CONTROLS
        if letter in controls:
            return ord(controls[letter]), at + 2
        if letter == "b" and in_class:
            return 8, at + 2
        if letter == "c" and not self.is_python and re.match(r"[A-Za-z]", self.pattern[at + 2 : at + 3]):
            return ord(self.pattern[at + 2]) % 32, at + 3
        if letter == "N" and self.is_python:
            return self._named_character(at)
        if letter.isascii() and letter.isalpha():
            raise InvalidGrammarError(f"unknown escape \\{letter}", column(at))
        return ord(letter), at + 2

    def _hexadecimal(self, letter: str, at: int) -> tuple[int, int]:
        pair = _SURROGATE_PAIR.match(self.pattern, at)
        if pair is not None and not self.is_python:
            return 0x10000 + ((int(pair[1], 16) - 0xD800) << 10) + int(pair[2], 16) - 0xDC00, pair.end()
        match = re.compile(f"[0-9a-fA-F]{{{_HEX_LENGTHS[letter]}}}").match(self.pattern, at + 2)
        if match is None and letter == "u" and not self.is_python:
            match = re.compile(r"\{([0-9a-fA-F]+)\}").match(self.pattern, at + 2)
        if match is None:
            raise InvalidGrammarError(f"incomplete escape \\{letter}", column(at))
        code = int(match[0].strip("{}"), 16)
        if code > charset.MAX_CODE_POINT:
            raise InvalidGrammarError(f"no such character: {match[0]}", column(at))
        return code, match.end()

    def _octal(self, at: int, in_class: bool) -> tuple[int, int]:
        match = _OCTAL.match(self.pattern, at + 1)
        if not self.is_python and match is not None and match[0] != "0":
            raise UnsupportedError("an octal escape in an ECMA-262 pattern", column(at))
        if match is None or (in_class and self.is_python and int(match[0], 8) > 0o377):
            raise InvalidGrammarError("not an octal escape", column(at))
        return int(match[0], 8), match.end()

    def _named_character(self, at: int) -> tuple[int, int]:
        match = re.compile(r"\{([^{}]+)\}").match(self.pattern, at + 2)
        if match is None:
            raise InvalidGrammarError("\\N needs a name in braces", column(at))
        try:
            return ord(unicodedata.lookup(match[1])), match.end()
        except KeyError:
            raise InvalidGrammarError(f"no character is named {match[1]!r}", column(at)) from None


def column(index: int) -> str:
    """Return the column of a position in a pattern; the first is 1."""
    return f"column {index + 1}"
