"""Grammars in GBNF, as in llama.cpp and XGrammar, as plain productions; independent of the compiler's reader.

Whitespace, newlines among it, and comments may occur between any two symbols. A rule ends where a name is followed by
``::=``.
"""

from __future__ import annotations

import re

from gateway.verify.pattern import PatternError
from gateway.verify.productions import MAX_CHARACTERS, Productions, UnreadableError

_NAME = r"[A-Za-z0-9_-]+"
_SYMBOL = re.compile(
    rf"""
      (?:\s|\#[^\n]*+)++
    | (?P<name>{_NAME}(?:\.{_NAME})*)
    | "(?P<literal>(?:[^"\\\n]|\\.)*)"
    | \[(?P<negated>\^?)(?P<set>(?:[^\]\\\n]|\\.)+)\]
    | \{{\s*(?P<low>\d{{1,6}})\s*(?:(?P<comma>,)\s*(?P<high>\d{{1,6}})?\s*)?\}}
    | (?P<sign>[|()*+?.])
    """,
    re.VERBOSE | re.DOTALL,
)
_DEFINES = re.compile(r"(?:\s|#[^\n]*+)*+::=")
_WRITTEN = re.compile(r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.)|(.)", re.DOTALL)
_NAMED = dict(zip("trnabfve0", "\t\r\n\a\b\f\v\x1b\0", strict=True)) | {each: each for each in "\\\"'[]-^"}
_COUNTS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def read_gbnf(text: str, start: str = "root") -> Productions:
    """Return the productions of a grammar.

    Raises:
        UnreadableError: it is none, or it names tokens, looks ahead, or uses a macro.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError("too long")
    try:
        return _Reader(text).read(start)
    except PatternError as error:
        raise UnreadableError(f"a terminal: {error}") from None


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found = Productions()
        self._rules: dict[str, int] = {}
        self._defined: set[str] = set()
        # The rule that is read and its open groups: options that are complete, and the items of the last one.
        self._open: list[tuple[list[tuple[int, ...]], list[int]]] = []
        self._rule = 0

    def read(self, start: str) -> Productions:
        text, at = self._text, 0
        names = (match for match in _SYMBOL.finditer(text) if match["name"])
        self._dotted = {match["name"] for match in names if _DEFINES.match(text, match.end())}
        while at < len(text):
            match = _SYMBOL.match(text, at)
            if match is None:
                raise UnreadableError(f"at {at}")
            at = self._name(match) if match["name"] else match.end()
            if match.lastgroup is not None and not match["name"]:
                self._symbol(match)
        self._end()
        if self._rules.keys() != self._defined or start not in self._defined:
            raise UnreadableError("a rule is not defined")
        self._found.start = self._rules[start]
        return self._found

    def _name(self, match: re.Match[str]) -> int:
        """Read a name; where it ends, which is before a point unless a rule has its points in its name."""
        name = match["name"]
        if definition := _DEFINES.match(self._text, match.end()):
            self._end()
            if name in self._defined:
                raise UnreadableError("a rule is defined twice")
            self._defined.add(name)
            self._rule = self._symbol_of(name)
            self._open = [([], [])]
            return definition.end()
        name = name if name in self._dotted else name.split(".")[0]
        end = match.start() + len(name)
        if self._text.startswith("(", end) and name[0].isupper():
            raise UnreadableError("a macro, or what looks like one")
        self._items.append(self._symbol_of(name))
        return end

    def _symbol_of(self, name: str) -> int:
        if name not in self._rules:
            self._rules[name] = self._found.add([])
        return self._rules[name]

    @property
    def _items(self) -> list[int]:
        if not self._open:
            raise UnreadableError("a symbol outside of rules")
        return self._open[-1][1]

    def _end(self) -> None:
        if len(self._open) > 1:
            raise UnreadableError("a group is not closed")
        if self._open:
            options, items = self._open.pop()
            self._found.rules[self._rule] = [*options, tuple(items)]

    def _symbol(self, match: re.Match[str]) -> None:
        items, found = self._items, self._found
        if match["literal"] is not None:
            items.append(found.terminal("(?s:" + "".join(map(_escaped, _characters(match["literal"]))) + ")"))
        elif match["set"] is not None:
            items.append(found.terminal(f"[{match['negated']}{_ranges(match['set'])}]"))
        elif match["low"] is not None:
            low, high = int(match["low"]), int(match["high"] or 0)
            self._repeat(low, low if match["comma"] is None else high if match["high"] else None)
        elif match["sign"] in _COUNTS:
            self._repeat(*_COUNTS[match["sign"]])
        elif match["sign"] == ".":
            items.append(found.terminal("(?s:.)"))
        elif match["sign"] == "|":
            self._open[-1][0].append(tuple(items))
            items.clear()
        elif match["sign"] == "(":
            if self._text.startswith("=", match.end()):
                raise UnreadableError("a lookahead")
            self._open.append(([], []))
        else:
            if len(self._open) < 2:
                raise UnreadableError("a parenthesis that closes nothing")
            options, last = self._open.pop()
            self._items.append(found.add([*options, tuple(last)]))

    def _repeat(self, low: int, high: int | None) -> None:
        if not self._items or (high is not None and high < low):
            raise UnreadableError("nothing is repeated")
        self._items[-1] = self._found.repeated(self._items[-1], low, high)


def _characters(written: str) -> list[str]:
    """Return the characters, escapes resolved."""
    return [_character(match) for match in _WRITTEN.finditer(written)]


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise UnreadableError("an escape that is no character")
        return chr(number)
    if match[5] is not None:
        return match[5]
    if match[4] not in _NAMED:
        raise UnreadableError("an unknown escape")
    return _NAMED[match[4]]


def _ranges(written: str) -> str:
    """Return the insides of a set, as a pattern has them."""
    matches, parts, at = list(_WRITTEN.finditer(written)), "", 0
    while at < len(matches):
        low = high = _character(matches[at])
        if at + 2 < len(matches) and matches[at + 1][0] == "-":
            high, at = _character(matches[at + 2]), at + 2
        at += 1
        if high < low:
            raise UnreadableError("a range that ends before it begins")
        parts += f"{_escaped(low)}-{_escaped(high)}"
    return parts


def _escaped(character: str) -> str:
    return f"\\U{ord(character):08x}"
