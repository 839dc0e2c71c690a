"""Sets of code points as sorted ranges, and the named classes of the two regex dialects."""

from __future__ import annotations

import itertools
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib import resources

from grammars.byte_bounded_cache import remembered

Ranges = tuple[tuple[int, int], ...]

MAX_CODE_POINT = 0x10FFFF
ALL: Ranges = ((0, 0xD7FF), (0xE000, MAX_CODE_POINT))
_NUM_CHARACTERS = MAX_CODE_POINT + 1 - 0x800
EMPTY: Ranges = ()
# After every character.
_NONE = (MAX_CODE_POINT + 1, MAX_CODE_POINT + 1)
# Outside these blocks every code point is private use or unassigned.
_SCANNED: Ranges = ((0, 0x3347F), (0xE0000, 0xE01EF))
_PRIVATE_PLANES: Ranges = ((0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))


def union(*sets: Iterable[tuple[int, int]]) -> Ranges:
    """Return the code points in any of the sets; the normal form of every other function here."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted([pair for ranges in sets for pair in ranges]):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def negate(ranges: Ranges) -> Ranges:
    """The Unicode scalar values outside the set."""
    gaps, start = [], 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= MAX_CODE_POINT:
        gaps.append((start, MAX_CODE_POINT))
    return intersect(tuple(gaps), ALL)


def unions(parts: Sequence[Ranges], choices: Iterable[Sequence[int]]) -> list[Ranges]:
    """For each choice of some of the disjoint sets their union."""
    numbers = frozenset(range(len(parts)))
    is_all = sum([high - low + 1 for ranges in parts for low, high in ranges]) == _NUM_CHARACTERS
    found = []
    for chosen in choices:
        if len(chosen) == 1:
            found.append(parts[chosen[0]])
        elif is_all and 2 * len(chosen) > len(parts):
            found.append(negate(union(*[parts[index] for index in numbers.difference(chosen)])))
        else:
            found.append(union(*[parts[index] for index in chosen]))
    return found


def intersect(first: Ranges, second: Ranges) -> Ranges:
    """Return the code points in both sets."""
    common: list[tuple[int, int]] = []
    others = iter(second)
    begin, end = next(others, _NONE)
    for low, high in first:
        while end < low:
            begin, end = next(others, _NONE)
        while begin <= high:
            common.append((low if low > begin else begin, high if high < end else end))
            if end > high:
                break
            begin, end = next(others, _NONE)
    return tuple(common)


def contains(ranges: Ranges, code: int) -> bool:
    """True if the code point is in the set."""
    index = bisect_right(ranges, (code, MAX_CODE_POINT))
    return index > 0 and ranges[index - 1][1] >= code


def of(characters: str) -> Ranges:
    """Return the set of these characters."""
    if len(characters) == 1:
        return ((ord(characters), ord(characters)),)
    return union([(ord(c), ord(c)) for c in characters])


def matching(predicate: Callable[[str], bool]) -> Ranges:
    """The assigned characters of which the predicate holds."""
    ranges: list[tuple[int, int]] = []
    start = previous = -2
    for code in itertools.chain.from_iterable(range(low, high + 1) for low, high in _SCANNED):
        if predicate(chr(code)):
            if code != previous + 1:
                if start >= 0:
                    ranges.append((start, previous))
                start = code
            previous = code
    if start >= 0:
        ranges.append((start, previous))
    return tuple(ranges)


@lru_cache(maxsize=8)
def python_class(letter: str) -> Ranges:
    r"""Return the characters of ``\d``, ``\w`` or ``\s`` in Python's text patterns."""
    if letter == "d":
        return matching(str.isdecimal)
    if letter == "s":
        return matching(str.isspace)
    return matching(lambda c: c.isalnum() or c == "_")


ASCII_CLASSES: dict[str, Ranges] = {
    "d": of("0123456789"),
    "w": union(((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))),
    "s": of(" \t\n\r\f\v"),
}
ECMA_SPACE: Ranges = union(of("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"), ((0x2000, 0x200A),))
LINE_ENDS = {"python": of("\n"), "ecma": of("\n\r\u2028\u2029")}


@lru_cache(maxsize=3)
def _orbits(rules: str) -> dict[int, tuple[int, ...]]:
    """Characters that are equal when case is ignored."""
    groups: dict[int, set[int]] = {}
    by_capitals: dict[str, int] = {}
    for code in range(0x80 if rules == "ascii" else 0x1E944):
        character = chr(code)
        if character in "ıİ":
            # One is upper case of i in some languages, the other lower case of I: Python takes all four for equal.
            others = ["i"] if rules == "python" else []
        else:
            capitals = character.upper()
            others = [character.lower(), capitals, capitals.lower(), chr(by_capitals.setdefault(capitals, code))]
        for other in others:
            if len(other) == 1 and other != character:
                merged = groups.get(code, {code}) | groups.get(ord(other), {ord(other)})
                for member in merged:
                    groups[member] = merged
    return {code: tuple(sorted(members)) for code, members in groups.items()}


@remembered()
def ignore_case(ranges: Ranges, rules: str) -> Ranges:
    """The set together with every character that differs from a member in case only.

    Args:
        rules: whose: "python", "ecma" (simple case folding), or "ascii" (Python's for letters of ASCII alone).
    """
    orbits = _orbits(rules)
    cased = intersect(ranges, _cased(rules))
    extra = [(other, other) for low, high in cased for code in range(low, high + 1) for other in orbits[code]]
    return union(ranges, extra)


@lru_cache(maxsize=3)
def _cased(rules: str) -> Ranges:
    return union((code, code) for code in _orbits(rules))


@lru_cache(maxsize=64)
def property_of(name: str) -> Ranges | None:
    """The scalar values with a property (``Lu``, ``gc=Letter``, ``Script=Greek``, ``Alphabetic``); None if unknown."""
    if name in ("Lowercase", "Lower", "Uppercase", "Upper"):
        return matching(str.islower if name.startswith("Lower") else str.isupper)
    if name == "Assigned":
        return negate(_of_categories(("Cn",)))
    listed = _listed().get(name.replace("Script=", "sc=").replace("General_Category=", "gc="), "").split()
    if not listed:
        return None
    if listed[0].startswith("="):
        return _of_categories((listed[0][1:], *listed[1:]))
    pairs = (code.partition("-") for code in listed)
    return intersect(tuple((int(low, 16), int(high or low, 16)) for low, _, high in pairs), ALL)


def _of_categories(beginnings: tuple[str, ...]) -> Ranges:
    """The scalar values of general categories that begin so."""
    found = matching(lambda character: unicodedata.category(character).startswith(beginnings))
    if "Co".startswith(beginnings):
        found = union(found, _PRIVATE_PLANES)
    if "Cn".startswith(beginnings):
        found = union(found, negate(union(_SCANNED, _PRIVATE_PLANES)))
    return intersect(found, ALL)


@lru_cache(maxsize=1)
def _listed() -> dict[str, str]:
    """Return the code points of each property, as written in Unicode's tables, by each of its names."""
    rows = resources.files(__package__).joinpath("properties.txt").read_text("utf-8").splitlines()[1:]
    return {name: codes for row in rows for names, _, codes in [row.partition(";")] for name in names.split()}
