"""The `Gbnf` constraint: GBNF as llama.cpp reads it, and the EBNF of XGrammar, to rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.base import TextConstraint
from grammars.frontends.regex.charset import ALL, negate, union
from grammars.frontends.regex.syntax import OPERATORS, Chars, Node, alternatives, count_of, repeated, sequence, tree_of
from grammars.frontends.rules.emit import emit_rules
from grammars.frontends.rules.grammar import Call, RuleGrammar, Source
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

_TOKENS = re.compile(
    r"""
      (?P<skip>(?>\s|\#[^\n]*+)++)
    | (?P<rule>(?P<defined>(?a:[\w-]++(?>\.[\w-]++)*+))(?>\s|\#[^\n]*+)*+::=)
    | (?P<name>(?a:[\w-]++(?>\.[\w-]++)*+))
    | (?P<literal>"(?>\\[\s\S]|[^"\\\n])*+")
    | (?P<set>\[(?>\\[\s\S]|[^\]\\\n])*+\])
    | (?P<count>\{\s*+(?P<low>\d++)\s*+(?P<more>,\s*+(?P<high>\d++)?+\s*+)?+\})
    | (?P<operator>[*+?])
    | (?P<token><|!<)
    | (?P<look>\(=)
    | (?P<other>.)
    """,
    re.VERBOSE,
)
_CHARACTER = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])|[\s\S]"
_CHARACTERS, _RANGES = re.compile(_CHARACTER), re.compile(f"({_CHARACTER})(?:-({_CHARACTER}))?")
_ESCAPES = {
    "t": "\t", "r": "\r", "n": "\n", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "0": "\0",
    "\\": "\\", '"': '"', "'": "'", "[": "[", "]": "]", "-": "-", "^": "^",
}  # fmt: skip
_MACROS = frozenset({"TagDispatch", "TokenTagDispatch", "Token", "ExcludeToken", "Regex", "Substring"})
_UNEXPECTED = {
    '"': "a literal is not closed", "[": "a character class is not closed", "{": "expected {m}, {m,} or {m,n}",
    ")": "a closing parenthesis without an open one",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gbnf(TextConstraint):
    """Texts of a grammar in GBNF, as llama.cpp and XGrammar read it.

    The two dialects are read as one. Whitespace, newlines among it, may come between any two symbols; a rule ends
    where the next name is followed by ``::=``. Rules may be left recursive, empty, and in any order.

    Departures from both: a rule that is defined twice is an error (llama.cpp takes the last); ``\\x`` is followed by
    exactly two digits (XGrammar takes as many as there are); a character class that is empty is an error. Names of
    tokens (``<think>``, ``<[1000]>``), lookaheads ``(= ...)`` and XGrammar's macros are refused by name.

    Args:
        text: the grammar.
        root: the rule that a whole text matches.
    """

    text: str
    root: str = "root"

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"gbnf:{self.root!r}:{self.text}"

    def _emit(self, builder: NetworkBuilder, *, escaped: bool) -> int:
        rules, places = _Parser(Source(self.text, builder.limits), builder.limits).parse()
        if self.root not in rules:
            raise InvalidGrammarError(f"rule {self.root!r}, where a text begins, is not defined", "line 1, column 1")
        start = emit_rules(builder, RuleGrammar(rules, self.root, places), escaped=escaped)
        builder.note("", "gbnf")
        return start


@dataclass(slots=True)
class _Group:
    """An open parenthesis, or a rule: what was read of it so far.

    Attributes:
        num_operators: after the last item; -1: there is none.
    """

    start: int
    options: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    num_operators: int = -1

    def node(self) -> Node:
        return alternatives(*self.options, sequence(*self.items))


class _Parser:
    def __init__(self, source: Source, limits: Limits) -> None:
        self._source = source
        self._max_rules = limits.max_grammar_rules
        self._rules: dict[str, Node] = {}
        self._places: dict[str, str] = {}
        self._called: dict[str, int] = {}
        # The rule that is read, and its open groups.
        self._name = ""
        self._stack: list[_Group] = []
        defined = (token["defined"] for token in _TOKENS.finditer(source.text))
        self._dotted = {name for name in defined if name and "." in name}

    def parse(self) -> tuple[dict[str, Node], dict[str, str]]:
        """Return the rules by name, and where each is defined.

        Raises:
            InvalidGrammarError: the text is no grammar, with the line and column.
            UnsupportedError: tokens, lookaheads, macros, by name.
            TooComplexError: too deep, or too many rules.
        """
        text, at = self._source.text, 0
        while at < len(text):
            token = _TOKENS.match(text, at)
            assert token is not None
            at = token.end()
            if token.lastgroup == "skip":
                continue
            if token["rule"]:
                self._define(token)
            elif not self._stack:
                self._fail("expected a rule: a name, then ::=", at)
            elif token["name"]:
                at = self._call(token)
            else:
                self._symbol(token)
        self._end()
        for name, offset in self._called.items():
            if name not in self._rules:
                self._fail(f"rule {name!r} is not defined", offset)
        return self._rules, self._places

    def _define(self, token: re.Match[str]) -> None:
        self._end()
        self._name, start = token["defined"], token.start()
        if self._name in self._rules:
            self._fail(f"rule {self._name!r} is defined twice", start)
        if len(self._rules) >= self._max_rules:
            raise TooComplexError("max_grammar_rules", len(self._rules) + 1, self._max_rules, self._place(start))
        self._places[self._name] = self._place(start)
        self._stack = [_Group(start)]

    def _end(self) -> None:
        """Ends the rule that is read."""
        if len(self._stack) > 1:
            self._fail("a group is not closed", self._stack[-1].start)
        if self._stack:
            self._rules[self._name] = self._stack.pop().node()

    def _call(self, token: re.Match[str]) -> int:
        """Read a name; returns where it ends, which is before a point where no name has one."""
        start, name = token.start(), token["name"]
        name = name if name in self._dotted else name.split(".")[0]
        end = start + len(name)
        if name in _MACROS and self._source.text.startswith("(", end):
            raise UnsupportedError(f"the macro {name}", self._place(start))
        self._called.setdefault(name, start)
        self._push(Call(name))
        return end

    def _symbol(self, token: re.Match[str]) -> None:
        start, group = token.start(), self._stack[-1]
        match token.lastgroup, token[0]:
            case "literal", text:
                found = _CHARACTERS.finditer(text, 1, len(text) - 1)
                read = [self._character(each[0], start + each.start()) for each in found]
                self._push(tree_of("".join(read)))
            case "set", text:
                self._push(self._set(text, start))
            case "operator", text:
                self._repeat(*OPERATORS[text], token)
            case "count", _:
                self._count(token)
            case "token", _:
                raise UnsupportedError("a token by its name or number", self._place(start))
            case "look", _:
                raise UnsupportedError("a lookahead", self._place(start))
            case _, ".":
                self._push(Chars(ALL))
            case _, "|":
                group.options.append(sequence(*group.items))
                group.items, group.num_operators = [], -1
            case _, "(":
                if len(self._stack) >= self._source.max_depth:
                    raise TooComplexError("max_depth", len(self._stack) + 1, self._source.max_depth, self._place(start))
                self._stack.append(_Group(start))
            case _, ")" if len(self._stack) > 1:
                self._push(self._stack.pop().node())
            case _, text:
                self._fail(_UNEXPECTED.get(text, f"unexpected {text!r}"), start)

    def _push(self, node: Node) -> None:
        self._stack[-1].items.append(node)
        self._stack[-1].num_operators = 0

    def _repeat(self, low: int, high: int | None, token: re.Match[str]) -> None:
        group = self._stack[-1]
        if group.num_operators < 0:
            self._fail(f"unexpected {token[0]!r}", token.start())
        group.num_operators += 1
        if group.num_operators > self._source.max_depth:
            limit = self._source.max_depth
            raise TooComplexError("max_depth", group.num_operators, limit, self._place(token.start()))
        group.items[-1] = repeated(group.items[-1], low, high)

    def _count(self, token: re.Match[str]) -> None:
        place = self._place(token.start())
        low = count_of(token["low"], place)
        high = low if token["more"] is None else count_of(token["high"], place) if token["high"] else None
        if high is not None and high < low:
            self._fail("a repeat's bounds are in the wrong order", token.start())
        self._repeat(low, high, token)

    def _set(self, text: str, start: int) -> Node:
        negated = text.startswith("[^")
        ranges: list[tuple[int, int]] = []
        for each in _RANGES.finditer(text, 1 + negated, len(text) - 1):
            low = high = ord(self._character(each[1], start + each.start()))
            if each[2]:
                high = ord(self._character(each[2], start + each.start(2)))
            if high < low:
                self._fail("a range of characters is in the wrong order", start + each.end(1))
            ranges.append((low, high))
        if not ranges:
            self._fail("a character class is empty", start)
        return Chars(negate(union(ranges)) if negated else union(ranges))

    def _character(self, written: str, start: int) -> str:
        if written[0] != "\\":
            return written
        if len(written) > 2:
            code = int(written[2:], 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                self._fail("an escape that is no character", start)
            return chr(code)
        if written[1] not in _ESCAPES:
            self._fail("an unknown escape", start)
        return _ESCAPES[written[1]]

    def _place(self, offset: int) -> str:
        return self._source.place(offset)

    def _fail(self, message: str, offset: int) -> NoReturn:
        raise InvalidGrammarError(message, self._place(offset))
