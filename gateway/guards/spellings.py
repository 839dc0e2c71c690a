"""Characters that are read as others: compatible ones (NFKC), and letters that look alike.

A text is read character by character. What a reader would take together, a letter and the mark on it that comes as a
character of its own, is known for the terms themselves.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from gateway.guards.patterns import PatternError, class_of
from grammars.frontends.regex.charset import Ranges, contains, of, union

MAX_SPELLINGS = 1000
"""Most spellings of one term that differ in characters covering several letters."""

_ALIKE = {
    "GREEK CAPITAL LETTER": (
        "ALPHA A, BETA B, EPSILON E, ZETA Z, ETA H, IOTA I, KAPPA K, MU M, NU N, OMICRON O, RHO P, TAU T, UPSILON Y, "
        "CHI X"
    ),
    "GREEK SMALL LETTER": (
        "ALPHA a, GAMMA y, ETA n, IOTA i, KAPPA k, NU v, OMICRON o, RHO p, TAU t, UPSILON u, CHI x, OMEGA w"
    ),
    "GREEK": "LUNATE SIGMA SYMBOL c, CAPITAL LUNATE SIGMA SYMBOL C, LETTER YOT j",
    "CYRILLIC CAPITAL LETTER": (
        "A A, VE B, ES C, IE E, EN H, BYELORUSSIAN-UKRAINIAN I I, JE J, KA K, EM M, O O, ER P, DZE S, TE T, HA X, U Y, "
        "STRAIGHT U Y, KOMI DE D, QA Q, WE W, IZHITSA V"
    ),
    "CYRILLIC": "LETTER PALOCHKA I",
    "CYRILLIC SMALL LETTER": (
        "A a, VE b, ES c, KOMI DE d, IE e, SHHA h, BYELORUSSIAN-UKRAINIAN I i, JE j, KA k, PALOCHKA l, EM m, EN h, "
        "O o, ER p, QA q, GHE r, DZE s, TE t, IZHITSA v, WE w, HA x, U y, STRAIGHT U y"
    ),
    "ARMENIAN SMALL LETTER": "OH o, SEH u, VO n, HO h, CO g, YI j, ZA q",
    "LATIN SMALL LETTER": "DOTLESS I i, DOTLESS J j, SCRIPT G g, ALPHA a, LONG S s",
}
"""Names of letters, by what they begin with, and the Latin letters that they look like; some say it in their names."""
_NAMED = re.compile(r"(?:FULLWIDTH )?LATIN (?:LETTER SMALL CAPITAL|(SMALL) LETTER|CAPITAL LETTER) ([A-Z])")


@dataclass(frozen=True, slots=True)
class Spelling:
    """Characters that are read as others.

    Attributes:
        nfkc: Characters equal under Unicode compatibility.
        confusables: Characters that look alike.
    """

    nfkc: bool = False
    confusables: bool = False

    def __bool__(self) -> bool:
        return self.nfkc or self.confusables

    def read(self, text: str) -> str:
        """Return the text with each character as it is read."""
        alike: Mapping[str, str] = _alike() if self.confusables else {}
        whole = "".join(unicodedata.normalize("NFKC", each) for each in text) if self.nfkc else text
        return "".join(alike.get(each, each) for each in whole)

    def widened(self, ranges: Ranges) -> Ranges:
        """Return the set with all characters that are read as its members."""
        return _widened(self, ranges) if self else ranges

    def pattern(self, term: str, *, ignore_case: bool, whole_words: bool) -> str:
        """Return the pattern of all spellings of a term, before each character is widened.

        Raises:
            PatternError: There are too many ways.
        """
        if not self:
            return re.escape(term)
        if self.nfkc:
            term = unicodedata.normalize("NFKC", term)
        term = self.read(term)
        tiles: dict[int, dict[int, list[str]]] = {}
        wanted = _folded(term) if ignore_case else term
        for reading, characters in _several(self):
            said = _folded(reading) if ignore_case else reading
            for begin, end in _places(wanted, said, whole_words):
                tiles.setdefault(begin, {}).setdefault(end, []).extend(characters)
        num_ways = [1] * (len(term) + 1)
        ways = [""] * (len(term) + 1)
        for at in reversed(range(len(term))):
            ends = {at + 1: _letter(self, term[at])}
            for end, characters in tiles.get(at, {}).items():
                also = class_of(of("".join(sorted(set(characters)))))
                ends[end] = f"(?:{ends[end]}|{also})" if end in ends else also
            num_ways[at] = sum(num_ways[end] for end in ends)
            if num_ways[at] > MAX_SPELLINGS:
                raise PatternError(f"there are too many ways to write {term!r}")
            options = [each + ways[end] for end, each in ends.items()]
            ways[at] = options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"
        return ways[0]


def _letter(spelling: Spelling, letter: str) -> str:
    """Return the letter, or its parts if its marks may be separate characters."""
    apart = unicodedata.normalize("NFD", letter) if spelling.nfkc else letter
    return re.escape(letter) if apart == letter else f"(?:{re.escape(letter)}|{re.escape(apart)})"


def _places(term: str, said: str, whole_words: bool) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a term's letters that a character covers which is read as several."""
    size = len(term)
    for begin in range(1 - len(said), size):
        first, last = max(begin, 0), min(begin + len(said), size)
        is_inside = begin >= 0 and begin + len(said) <= size
        if (is_inside or not whole_words) and term[first:last] == said[first - begin : last - begin]:
            yield first, last


def _folded(text: str) -> str:
    return "".join(lower if len(lower := each.lower()) == 1 else each for each in text)


@lru_cache(maxsize=4096)
def _widened(spelling: Spelling, ranges: Ranges) -> Ranges:
    more = [characters for letter, characters in _one(spelling).items() if contains(ranges, ord(letter))]
    return union(ranges, of("".join(more))) if more else ranges


@cache
def _readings(spelling: Spelling) -> Mapping[str, str]:
    """Return the characters that are not read as themselves, with their readings."""
    found = {}
    for code in range(sys.maxunicode + 1):
        if not 0xD800 <= code < 0xE000 and (reading := spelling.read(chr(code))) != chr(code):
            found[chr(code)] = reading
    return found


@cache
def _one(spelling: Spelling) -> Mapping[str, str]:
    """Return the characters that are read as one other, by that one."""
    found: dict[str, list[str]] = {}
    for character, reading in _readings(spelling).items():
        if len(reading) == 1:
            found.setdefault(reading, []).append(character)
    return {reading: "".join(characters) for reading, characters in found.items()}


@cache
def _several(spelling: Spelling) -> list[tuple[str, list[str]]]:
    """Return the characters that are read as several, by those."""
    found: dict[str, list[str]] = {}
    for character, reading in _readings(spelling).items():
        if len(reading) > 1:
            found.setdefault(reading, []).append(character)
    return list(found.items())


@cache
def _alike() -> Mapping[str, str]:
    """Letters that look like a Latin one."""
    found = {}
    for beginning, names in _ALIKE.items():
        for name in names.split(", "):
            rest, letter = name.rsplit(" ", 1)
            found[unicodedata.lookup(f"{beginning} {rest}")] = letter
    for code in range(0x80, sys.maxunicode + 1):
        named = _NAMED.fullmatch(unicodedata.name(chr(code), ""))
        if named is not None:
            found[chr(code)] = named[2].lower() if named[1] or "SMALL" in named[0] else named[2]
    return found
