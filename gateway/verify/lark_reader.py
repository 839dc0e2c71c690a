"""Grammars in Lark's language as plain productions: read by the lark library, written out here."""

from __future__ import annotations

import re
from typing import Any

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.grammar import NonTerminal, Terminal
from lark.load_grammar import GrammarBuilder, PrepareLiterals, TerminalTreeToPattern

from gateway.verify.pattern import PatternError
from gateway.verify.productions import MAX_CHARACTERS, Productions, UnreadableError

_LIBRARY = ("common", "lark", "python", "unicode")
_IMPORT = re.compile(r"%import\s+(\.*\w*)")
# The library's reader takes quadratic time for many blank lines.
_BLANK_LINES = re.compile(r"(?:[ \t\r]*\n){200}")
_COUNTS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
# What llguidance adds that says nothing about a text: a header, and names for parts of it. Literals stay as they are.
_SAYS_NOTHING = re.compile(
    r"""(?mx)
      (?P<kept> "(?:\\.|[^"\\\n])*" | /(?!/)(?:\\.|[^/\\\n])*/ | //[^\n]* )
    | ^[ \t]*%llguidance[ \t]*\{[ \t]*\}
    | (?<=[A-Za-z0-9_])\[[ \t]*(?:stop_)?capture[ \t]*(?:=[ \t]*"[^"\\\n]*")?[ \t]*\](?=[ \t]*:)
    """
)
# How lark's `common` writes the insides of a string, up to a quote that is not escaped.
_STRING_INSIDES = r".*?(?<!\\)(\\\\)*?"


def read_lark(text: str, start: str = "start") -> Productions:
    """Return the productions of a grammar.

    Raises:
        UnreadableError: see there.
    """
    if len(text) > MAX_CHARACTERS or _BLANK_LINES.search(text):
        raise UnreadableError("too long")
    if any(path not in _LIBRARY for path in _IMPORT.findall(text)):
        raise UnreadableError("imports from elsewhere than the library")
    try:
        builder = GrammarBuilder()
        builder.load_grammar(_SAYS_NOTHING.sub(lambda found: found["kept"] or "", text), "<grammar>")
        return _Reader(builder.build()).read(start)
    except LarkError as error:
        raise UnreadableError(str(error).split("\n", 1)[0]) from None
    except PatternError as error:
        raise UnreadableError(f"a terminal: {error}") from None
    except (RecursionError, AssertionError, AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise UnreadableError(repr(error)) from None


class _Reader:
    def __init__(self, grammar: Any) -> None:
        self._definitions = {str(name): ([str(p) for p in params], tree) for name, params, tree, _ in grammar.rule_defs}
        self._terminals = {str(name): tree for name, (tree, _) in grammar.term_defs}
        self._ignored = [str(name) for name in grammar.ignore]
        self._found = Productions()
        self._symbols: dict[Any, int] = {}
        self._pending: list[tuple[int, Any, dict[str, Any]]] = []

    def read(self, start: str) -> Productions:
        found = self._found
        found.start = self._rule(start, ())
        found.ignored = [-1 - self._terminal(Terminal(name)) for name in self._ignored]
        while self._pending:
            symbol, tree, scope = self._pending.pop()
            found.rules[symbol] = [(self._symbol(tree, scope),)]
        return found

    def _rule(self, name: str, arguments: tuple[Any, ...]) -> int:
        key = (name, tuple(map(_key, arguments)))
        if key not in self._symbols:
            parameters, tree = self._definitions[name]
            if tree is None or len(parameters) != len(arguments):
                raise UnreadableError(f"rule {name} has no definition that fits")
            self._symbols[key] = self._found.add([])
            self._pending.append((self._symbols[key], tree, dict(zip(parameters, arguments, strict=True))))
        return self._symbols[key]

    def _symbol(self, tree: Any, scope: dict[str, Any]) -> int:
        """Return the symbol of a part of a rule."""
        tree = _resolved(tree, scope)
        if isinstance(tree, NonTerminal):
            return self._rule(str(tree.name), ())
        if not isinstance(tree, Tree):
            return self._terminal(tree)
        children: list[Any] = tree.children
        match tree.data:
            case "expansions":
                return self._found.add([(self._symbol(child, scope),) for child in children])
            case "expansion":
                return self._found.add([tuple(self._symbol(child, scope) for child in children)])
            case "alias":
                return self._symbol(children[0], scope)
            case "maybe":
                return self._found.add([(self._symbol(child, scope),) for child in children] + [()])
            case "expr":
                counts = children[2:]
                low, high = (int(counts[0]), int(counts[-1])) if counts else _COUNTS[str(children[1])]
                return self._found.repeated(self._symbol(children[0], scope), low, high)
            case "template_usage":
                template, *arguments = children
                name = str(_resolved(template, scope).name)
                return self._rule(name, tuple(_resolved(argument, scope) for argument in arguments))
            case "literal" | "range":
                return self._terminal(tree)
            case data:
                raise UnreadableError(str(data))

    def _terminal(self, value: Any) -> int:
        key = ("terminal", _key(value))
        if key not in self._symbols:
            tree = self._terminals[str(value.name)] if isinstance(value, Terminal) else value
            if tree is None:
                raise UnreadableError("a terminal without a definition")
            self._symbols[key] = self._found.terminal(_pattern(tree))
        return self._symbols[key]


def _resolved(tree: Any, scope: dict[str, Any]) -> Any:
    """Return the definition of a name without the library's wrappers."""
    while isinstance(tree, Tree) and tree.data == "value":
        (tree,) = tree.children
    if isinstance(tree, (Terminal, NonTerminal)):
        return scope.get(str(tree.name), tree)
    return Tree("literal", [tree]) if isinstance(tree, Token) else tree


def _key(value: Any) -> str:
    return f"{type(value).__name__} {value!r}"


def _pattern(tree: Any) -> str:
    found = TerminalTreeToPattern().transform(PrepareLiterals().transform(_copy(tree)))
    if isinstance(found, Tree):
        (found,) = found.children
    pattern = str(found.to_regexp())
    for quote in ('"', "'", "`", r"\""):
        inside = rf"{quote}(?:[^{quote[-1]}\\\n]|\\.)*{quote}"
        pattern = pattern.replace(quote + _STRING_INSIDES + quote, inside)
    return pattern


def _copy(tree: Any) -> Any:
    """Return a copy: the library changes trees in place."""
    return Tree(tree.data, [_copy(child) for child in tree.children]) if isinstance(tree, Tree) else tree
