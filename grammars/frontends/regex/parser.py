"""Patterns to syntax trees, with a stack of our own: nesting never reaches Python's recursion limit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.regex import charset
from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.escapes import Escapes, column
from grammars.frontends.regex.syntax import (
    LAST_LINE_END,
    OPERATORS,
    Begin,
    Chars,
    End,
    Look,
    Node,
    Repeat,
    alternatives,
    character,
    count_of,
    repeated,
    sequence,
)

DIALECTS = ("python", "ecma")
# Later passes recurse over the tree, at most three frames a group.
MAX_GROUP_DEPTH = 120
# Larger ones may turn out not to matter where the length of the text is bounded.
_MAX_COUNT_DIGITS = 18
_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_PYTHON_COUNT = re.compile(r"\{(\d*)(?:(,)(\d*))?\}")
# Literal characters, unless a flag says otherwise.
_PLAIN = re.compile(r"[^()|\[\\.^$*+?{]+")
_KINDS = frozenset("dDwWsS")
_SPEAKING_FLAGS = frozenset("ix")
_NAMES = {"python": re.compile(r"\?P<([^\W\d]\w*)>"), "ecma": re.compile(r"\?<([^\W\d]\w*)>")}
_FLAGS = re.compile(r"\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
# If the body is ahead, and if it must hold.
_LOOKAROUND = {"?=": (True, True), "?!": (True, False), "?<=": (False, True), "?<!": (False, False)}
_UNSUPPORTED = {
    "python": {"?(": "a conditional group", "?P=": "a backreference"},
    "ecma": {"?P": "(?P…) in an ECMA-262 pattern, which spells a named group (?<name>…)"},
}
_FLAG_LETTERS = {"python": "aimsux", "ecma": "ims"}


@dataclass(slots=True)
class _Group:
    """Open parenthesis: its content so far and the flags to restore when it closes."""

    start: int
    flags: frozenset[str]
    options: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    repeatable: bool = False
    look: tuple[bool, bool] | None = None
    is_atomic: bool = False

    def node(self) -> Node:
        return alternatives(*self.options, sequence(*self.items))


def parse(pattern: str, dialect: str, max_depth: int = MAX_GROUP_DEPTH) -> Node:
    """The syntax tree of `pattern`.

    Raises:
        InvalidGrammarError: the pattern is not one of its dialect.
        UnsupportedError: backreferences, conditionals and the like, by name.
        TooComplexError: groups nested deeper than `max_depth`.
    """
    return _Parser(pattern, dialect, min(max_depth, MAX_GROUP_DEPTH)).parse()


class _Parser:
    def __init__(self, pattern: str, dialect: str, max_depth: int) -> None:
        self.pattern = pattern
        self.dialect = dialect
        self.is_python = dialect == "python"
        self.flag_letters = _FLAG_LETTERS[dialect]
        self.names: set[str] = set()
        self.max_depth = max_depth
        self.escapes = Escapes(pattern, dialect)
        self.line_ends = charset.LINE_ENDS[dialect]
        self.flags: frozenset[str] = frozenset()
        self.at = 0
        self.stack = [_Group(0, self.flags)]

    def parse(self) -> Node:
        handlers = {
            "(": self._open, ")": self._close, "|": self._bar, "[": self._class, "\\": self._escape,
            ".": self._dot, "^": self._caret, "$": self._dollar, "*": self._star, "+": self._star, "?": self._star,
            "{": self._brace,
        }  # fmt: skip
        while self.at < len(self.pattern):
            if _SPEAKING_FLAGS.isdisjoint(self.flags):
                plain = _PLAIN.match(self.pattern, self.at)
                if plain is not None:
                    self._plain(plain)
                    continue
            elif "x" in self.flags and self._skip_comment():
                continue
            handlers.get(self.pattern[self.at], self._literal)()
        if len(self.stack) > 1:
            raise InvalidGrammarError("a group is not closed", column(self.stack[-1].start))
        return self.stack[0].node()

    def _plain(self, run: re.Match[str]) -> None:
        group = self.stack[-1]
        group.items.extend(map(character, map(ord, run[0])))
        group.repeatable = True
        self.at = run.end()

    def _skip_comment(self) -> bool:
        """Skips what verbose mode ignores; False where nothing is to be skipped."""
        if self.pattern[self.at] in " \t\n\r\v\f":
            self.at += 1
        elif self.pattern[self.at] == "#":
            end = self.pattern.find("\n", self.at)
            self.at = len(self.pattern) if end < 0 else end + 1
        else:
            return False
        return True

    def _push(self, node: Node, *, repeatable: bool = True) -> None:
        self.stack[-1].items.append(node)
        self.stack[-1].repeatable = repeatable

    def _chars(self, ranges: Ranges) -> Chars:
        if "i" in self.flags:
            ranges = charset.ignore_case(ranges, self.escapes.case_rules(self.flags))
        return Chars(charset.intersect(ranges, charset.ALL))

    def _literal(self) -> None:
        code = ord(self.pattern[self.at])
        self.at += 1
        self._push(self._chars(((code, code),)) if "i" in self.flags else character(code))

    def _dot(self) -> None:
        self.at += 1
        self._push(Chars(charset.ALL if "s" in self.flags else charset.negate(self.line_ends)))

    def _caret(self) -> None:
        self.at += 1
        self._push(self._line_edge(ahead=False) if "m" in self.flags else Begin(), repeatable=False)

    def _dollar(self) -> None:
        self.at += 1
        is_line = "m" in self.flags
        end = LAST_LINE_END if self.is_python else End()
        self._push(self._line_edge(ahead=True) if is_line else end, repeatable=False)

    def _line_edge(self, *, ahead: bool) -> Look:
        """Return an assertion of the edge of the text or of a line."""
        return Look(Chars(charset.negate(self.line_ends)), ahead=ahead, holds=False)

    def _is_kind(self) -> bool:
        """True if a kind of characters follows that ignoring case does not change."""
        return self.is_python and self.pattern[self.at] == "\\" and self.pattern[self.at + 1 : self.at + 2] in _KINDS

    def _escape(self) -> None:
        is_kind = self._is_kind()
        node, self.at = self.escapes.read(self.at, in_class=False, flags=self.flags)
        is_chars = isinstance(node, Chars)
        self._push(self._chars(node.ranges) if isinstance(node, Chars) and not is_kind else node, repeatable=is_chars)

    def _bar(self) -> None:
        group = self.stack[-1]
        group.options.append(sequence(*group.items))
        group.items, group.repeatable = [], False
        self.at += 1

    def _open(self) -> None:
        start = self.at
        self.at += 1
        group = _Group(start, self.flags)
        if self.pattern.startswith("?", self.at) and not self._group_prefix(group):
            return
        if len(self.stack) >= self.max_depth:
            raise TooComplexError("max_depth", len(self.stack) + 1, self.max_depth, column(start))
        self.stack.append(group)

    def _group_prefix(self, group: _Group) -> bool:
        """Read what follows ``(``; False when no group was opened."""
        start, rest = group.start, self.pattern[self.at : self.at + 3]
        for prefix, look in _LOOKAROUND.items():
            if rest.startswith(prefix):
                group.look = look
                self.at += len(prefix)
                return True
        if rest.startswith("?>") and self.is_python:
            group.is_atomic = True
            self.at += 2
            return True
        name_match = _NAMES[self.dialect].match(self.pattern, self.at)
        if name_match:
            if name_match[1] in self.names:
                raise InvalidGrammarError(f"two groups are named {name_match[1]!r}", column(start))
            self.names.add(name_match[1])
            self.at = name_match.end()
            return True
        if rest.startswith("?#") and self.is_python:
            end = self.pattern.find(")", self.at)
            if end < 0:
                raise InvalidGrammarError("a comment is not closed", column(start))
            self.at = end + 1
            return False
        unsupported = _UNSUPPORTED[self.dialect]
        for prefix, what in unsupported.items():
            if rest.startswith(prefix):
                raise UnsupportedError(what, column(start))
        return self._flags(start)

    def _flags(self, start: int) -> bool:
        match = _FLAGS.match(self.pattern, self.at)
        if match is None or (match[3] == ")" and (match[2] or not match[1])):
            raise InvalidGrammarError("unknown kind of group", column(start))
        for flag in match[1] + (match[2] or ""):
            if flag not in self.flag_letters:
                raise InvalidGrammarError(f"unknown flag {flag!r}", column(start))
        if match[3] == ")" and (self.at != 1 or start != 0):
            raise InvalidGrammarError("global flags stand at the start of a pattern", column(start))
        self.at = match.end()
        added = frozenset(match[1])
        kept = self.flags - frozenset("a") if "u" in added else self.flags
        self.flags = (kept | added) - frozenset(match[2] or "")
        if match[3] == ")":
            self.stack[0].flags = self.flags
        return match[3] == ":"

    def _close(self) -> None:
        if len(self.stack) == 1:
            raise InvalidGrammarError("a closing parenthesis without an open one", column(self.at))
        group = self.stack.pop()
        self.flags = group.flags
        self.at += 1
        node = group.node()
        if group.look is not None:
            self._look(group, node)
        else:
            self._push(_atomic(node, column(group.start)) if group.is_atomic else node)

    def _look(self, group: _Group, body: Node) -> None:
        ahead, holds = group.look or (True, True)
        if self.is_python and not ahead and body.facts.least != body.facts.most:
            raise InvalidGrammarError("a look behind needs a fixed width", column(group.start))
        self._push(Look(body, ahead, holds), repeatable=self.is_python)

    def _star(self) -> None:
        low, high = OPERATORS[self.pattern[self.at]]
        self.at += 1
        self._repeat(low, high)

    def _brace(self) -> None:
        match = (_PYTHON_COUNT if self.is_python else _COUNT).match(self.pattern, self.at)
        if match is None or match[0] == "{}":
            self._literal()
            return
        place = column(self.at)
        low = count_of(match[1] or "0", place, _MAX_COUNT_DIGITS)
        high = low if match[2] is None else count_of(match[3], place, _MAX_COUNT_DIGITS) if match[3] else None
        if high is not None and high < low:
            raise InvalidGrammarError("a repeat's bounds are in the wrong order", place)
        self.at = match.end()
        self._repeat(low, high)

    def _repeat(self, low: int, high: int | None) -> None:
        group = self.stack[-1]
        if not group.repeatable:
            raise InvalidGrammarError("nothing to repeat", column(self.at - 1))
        body = group.items[-1]
        if self.is_python and self._take("+"):
            group.items[-1] = _atomic(repeated(body, low, high), column(self.at - 1))
        else:
            self._take("?")
            group.items[-1] = repeated(body, low, high)
        group.repeatable = False

    def _class(self) -> None:
        start = self.at
        self.at += 1
        negated = self._take("^")
        ranges: list[Ranges] = []
        first = self.is_python
        while first or not self._take("]"):
            if self.at >= len(self.pattern):
                raise InvalidGrammarError("a character class is not closed", column(start))
            first, is_kind = False, self._is_kind()
            item = self._class_item()
            if "i" in self.flags and not is_kind:
                item = charset.ignore_case(item, self.escapes.case_rules(self.flags))
            ranges.append(item)
        chosen = charset.union(*ranges)
        self._push(Chars(charset.negate(chosen) if negated else charset.intersect(chosen, charset.ALL)))

    def _class_item(self) -> Ranges:
        start = self.at
        low = self._class_atom()
        if not self.pattern.startswith("-", self.at) or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return low
        self.at += 1
        high = self._class_atom()
        if not (_is_single(low) and _is_single(high)):
            if self.is_python:
                self._bad_range(start)
            return charset.union(low, charset.of("-"), high)
        if low[0][0] > high[0][0]:
            self._bad_range(start)
        return ((low[0][0], high[0][0]),)

    def _class_atom(self) -> Ranges:
        if self.pattern[self.at] == "\\":
            node, self.at = self.escapes.read(self.at, in_class=True, flags=self.flags)
            assert isinstance(node, Chars)
            return node.ranges
        code = ord(self.pattern[self.at])
        self.at += 1
        return ((code, code),)

    def _bad_range(self, start: int) -> NoReturn:
        raise InvalidGrammarError("not a range of characters", column(start))

    def _take(self, character: str) -> bool:
        if self.pattern.startswith(character, self.at):
            self.at += 1
            return True
        return False


def _is_single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]


def _atomic(node: Node, where: str) -> Node:
    """The node as a group that gives back nothing of its first match.

    Raises:
        UnsupportedError: it is not plain to see which match that is.
    """
    if node.facts.least == node.facts.most:
        return node
    if isinstance(node, Repeat) and isinstance(node.body, Chars):
        ended = Look(node.body, ahead=True, holds=False)
        if node.high is None:
            return sequence(node, ended)
        fewer = sequence(Repeat(node.body, node.low, node.high - 1), ended)
        return alternatives(Repeat(node.body, node.high, node.high), fewer)
    raise UnsupportedError("an atomic group or possessive repeat of more than one kind of character", where)
