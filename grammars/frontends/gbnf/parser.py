"""GBNF and EBNF text to rules."""

from __future__ import annotations

import re
from typing import NoReturn

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.regex import Language
from grammars.frontends.regex.charset import ALL, Ranges, negate, union
from grammars.frontends.regex.syntax import Chars
from grammars.frontends.rules import Call, Literal, Node, Regular, options, repeated, sequence
from grammars.frontends.rules.source import Source
from grammars.frontends.rules.syntax import EMPTY
from grammars.limits import Limits

_SPACE = re.compile(r"(?>\s|#[^\n]*+)*+")
_NAME = re.compile(r"[\w-]++(?>\.[\w-]++)*+", re.ASCII)
_DEFINES = re.compile(r"(?>\s|#[^\n]*+)*+::=")
_COUNT = re.compile(r"\{\s*+(\d++)\s*+(,\s*+(\d++)?+\s*+)?+\}")
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")
_ESCAPES = {
    "t": "\t", "r": "\r", "n": "\n", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "0": "\0",
    "\\": "\\", '"': '"', "'": "'", "[": "[", "]": "]", "-": "-", "^": "^",
}  # fmt: skip
_MACROS = frozenset({"TagDispatch", "TokenTagDispatch", "Token", "ExcludeToken", "Regex", "Substring"})
_OPERATORS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_MAX_DIGITS = 9


def parse(source: Source, limits: Limits) -> tuple[dict[str, Node], dict[str, str]]:
    """The rules by name, and where each is defined.

    Raises:
        InvalidGrammarError: the text is no grammar, with the line and column.
        UnsupportedError: tokens, lookaheads, macros, by name.
        TooComplexError: too deep, or too many rules.
    """
    return _Parser(source, limits).parse()


class _Parser:
    def __init__(self, source: Source, limits: Limits) -> None:
        self._source = source
        self._text = source.text
        self._max_rules = limits.max_grammar_rules
        self._at = 0
        self._rules: dict[str, Node] = {}
        self._places: dict[str, str] = {}
        self._called: dict[str, int] = {}
        self._dotted = {
            match[0]
            for match in _NAME.finditer(self._text)
            if "." in match[0] and _DEFINES.match(self._text, match.end())
        }

    def parse(self) -> tuple[dict[str, Node], dict[str, str]]:
        self._skip()
        while self._at < len(self._text):
            self._definition()
        for name, offset in self._called.items():
            if name not in self._rules:
                self._fail(f"rule {name!r} is not defined", offset)
        return self._rules, self._places

    def _definition(self) -> None:
        start = self._at
        name = self._name()
        defines = _DEFINES.match(self._text, self._at) if name else None
        if not defines:
            self._fail("expected a rule: a name, then ::=")
        if name in self._rules:
            self._fail(f"rule {name!r} is defined twice", start)
        if len(self._rules) >= self._max_rules:
            raise TooComplexError("max_grammar_rules", len(self._rules) + 1, self._max_rules, self._place(start))
        self._at = defines.end()
        self._skip()
        self._places[name] = self._place(start)
        self._rules[name] = self._alternatives(1)
        if self._at < len(self._text) and self._text[self._at] == ")":
            self._fail("a closing parenthesis without an open one")

    def _alternatives(self, depth: int) -> Node:
        found = [self._sequence(depth)]
        while self._take("|"):
            found.append(self._sequence(depth))
        return options(*found)

    def _sequence(self, depth: int) -> Node:
        items = []
        while (item := self._item(depth)) is not None:
            items.append(self._repeats(item))
        return sequence(*items)

    def _item(self, depth: int) -> Node | None:
        """The next symbol; None where the sequence ends."""
        character = self._text[self._at : self._at + 1]
        if character in ("", "|", ")"):
            return None
        if character == '"':
            return self._literal()
        if character == "[":
            return self._class()
        if character == ".":
            self._at += 1
            return _chars(ALL)
        if character == "(":
            return self._group(depth)
        if character == "<" or self._text.startswith("!<", self._at):
            raise UnsupportedError("a token by its name or number", self._place(self._at))
        return self._call()

    def _group(self, depth: int) -> Node:
        start = self._at
        if self._text.startswith("(=", start):
            raise UnsupportedError("a lookahead", self._place(start))
        if depth >= self._source.max_depth:
            raise TooComplexError("max_depth", depth + 1, self._source.max_depth, self._place(start))
        self._at += 1
        self._skip()
        inner = self._alternatives(depth + 1)
        if not self._text.startswith(")", self._at):
            self._fail("a group is not closed", start)
        self._at += 1
        return inner

    def _call(self) -> Node | None:
        start = self._at
        name = self._name()
        if not name:
            self._fail(f"unexpected {self._text[start]!r}")
        if _DEFINES.match(self._text, self._at):
            self._at = start
            return None
        if name in _MACROS and self._text.startswith("(", self._at):
            raise UnsupportedError(f"the macro {name}", self._place(start))
        self._called.setdefault(name, start)
        return Call(name)

    def _name(self) -> str:
        match = _NAME.match(self._text, self._at)
        if match is None:
            return ""
        name = match[0] if match[0] in self._dotted else match[0].split(".")[0]
        self._at += len(name)
        return name

    def _repeats(self, item: Node) -> Node:
        """The item with the operators behind it."""
        count = 0
        while True:
            self._skip()
            character = self._text[self._at : self._at + 1]
            if character and character in _OPERATORS:
                low, high = _OPERATORS[character]
                self._at += 1
            elif character == "{":
                low, high = self._bounds()
            else:
                return item
            count += 1
            if count > self._source.max_depth:
                raise TooComplexError("max_depth", count, self._source.max_depth, self._place(self._at))
            item = repeated(item, low, high)

    def _bounds(self) -> tuple[int, int | None]:
        start = self._at
        match = _COUNT.match(self._text, start)
        if match is None:
            self._fail("expected {m}, {m,} or {m,n}")
        if max(len(match[1]), len(match[3] or "")) > _MAX_DIGITS:
            raise TooComplexError("max_count", 10**_MAX_DIGITS, 10**_MAX_DIGITS - 1, self._place(start))
        low = int(match[1])
        high = low if match[2] is None else int(match[3]) if match[3] else None
        if high is not None and high < low:
            self._fail("a repeat's bounds are in the wrong order")
        self._at = match.end()
        return low, high

    def _literal(self) -> Node:
        start = self._at
        self._at += 1
        text = []
        while not self._text.startswith('"', self._at):
            if self._at >= len(self._text) or self._text[self._at] == "\n":
                self._fail("a literal is not closed", start)
            text.append(self._character())
        self._at += 1
        return Literal("".join(text)) if text else EMPTY

    def _class(self) -> Node:
        start = self._at
        self._at += 1
        negated = self._text.startswith("^", self._at)
        self._at += negated
        ranges: list[tuple[int, int]] = []
        while not self._text.startswith("]", self._at):
            if self._at >= len(self._text) or self._text[self._at] == "\n":
                self._fail("a character class is not closed", start)
            low = high = ord(self._character())
            if self._text.startswith("-", self._at) and self._text[self._at + 1 : self._at + 2] not in ("]", "", "\n"):
                place = self._at
                self._at += 1
                high = ord(self._character())
                if high < low:
                    self._fail("a range of characters is in the wrong order", place)
            ranges.append((low, high))
        if not ranges:
            self._fail("a character class is empty", start)
        self._at += 1
        chosen = union(ranges)
        return _chars(negate(chosen) if negated else chosen)

    def _character(self) -> str:
        start = self._at
        self._at += 1
        if self._text[start] != "\\":
            return self._text[start]
        match = _HEX.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
            code = int(match[1] or match[2] or match[3], 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                self._fail("an escape that is no character", start)
            return chr(code)
        character = _ESCAPES.get(self._text[self._at : self._at + 1])
        if character is None:
            self._fail("an unknown escape", start)
        self._at += 1
        return character

    def _take(self, character: str) -> bool:
        if not self._text.startswith(character, self._at):
            return False
        self._at += 1
        self._skip()
        return True

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None
        self._at = match.end()

    def _place(self, offset: int) -> str:
        return self._source.place(offset)

    def _fail(self, message: str, offset: int | None = None) -> NoReturn:
        raise InvalidGrammarError(message, self._place(self._at if offset is None else offset))


def _chars(ranges: Ranges) -> Node:
    return Regular(Language(Chars(ranges)), False, not ranges)
