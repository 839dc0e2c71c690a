"""Lark's trees to rules: only what the start needs, each use of a template with other arguments a rule of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.grammar import NonTerminal, Terminal
from lark.lexer import Pattern, PatternStr
from lark.load_grammar import Grammar, PrepareLiterals, TerminalTreeToPattern

from grammars.errors import GrammarError, InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.lark.extensions import UNBOUNDED, Plain
from grammars.frontends.lark.preferred import language_of_match
from grammars.frontends.regex import syntax
from grammars.frontends.rules.grammar import Call, Embedded, RuleGrammar, leaves_of, node_of
from grammars.limits import Limits

_ROOT, _GAP = "%start", "%ignore"
# Ignored text of at most this many states is written out after each terminal instead of called.
_MAX_INLINED_GAP = 8

# The insides of a string up to a quote that no odd number of backslashes precedes, as lark's own `common` writes it.
_STRING = re.compile(
    r"""(?P<open>\\?(?P<quote>["'`])) \.\*\?\(\?<!\\\\\)\(\\\\\\\\\)\*\? (?P=open)(?=\)*(?:\||$))""", re.VERBOSE
)

# Meaning of a name: itself, or a template's argument.
_Value = Terminal | NonTerminal | Token | tuple[Token, Token]
_Scope = dict[str, _Value]


@dataclass(frozen=True, slots=True)
class _Definition:
    parameters: tuple[str, ...]
    body: Any


class Converter:
    """Makes rules of a grammar: those that a start needs."""

    def __init__(self, grammar: Grammar, plain: Plain, limits: Limits) -> None:
        self._plain = plain
        self._limits = limits
        self._ignored = list(dict.fromkeys(map(str, grammar.ignore)))
        self._rules: dict[str, _Definition] = {
            str(name): _Definition(tuple(map(str, params)), tree) for name, params, tree, _ in grammar.rule_defs
        }
        self._terminals: dict[str, Any] = {str(name): tree for name, (tree, _) in grammar.term_defs}
        self._leaves: dict[Any, syntax.Node] = {}
        self._instances: dict[tuple[str, tuple[Any, ...]], str] = {}
        self._pending: list[tuple[str, str, _Scope]] = []
        self._gap: syntax.Node = syntax.EPSILON

    def convert(self, start: str) -> RuleGrammar:
        """Return the rules that `start` needs.

        Raises:
            GrammarError: one of the four leaves, with the line and column.
        """
        definition = self._rules.get(start)
        if definition is None or definition.parameters:
            raise InvalidGrammarError(f"rule {start!r}, where a text begins, is not defined", self._plain.place(0))
        rules: dict[str, syntax.Node] = {}
        places: dict[str, str] = {}
        if self._ignored:
            self._gap = self._make_gap(rules)
        rules[_ROOT] = syntax.sequence(self._gap, Call(self._instance(start, ())))
        while self._pending:
            if len(rules) > self._limits.max_grammar_rules:
                limit = self._limits.max_grammar_rules
                raise TooComplexError("max_grammar_rules", len(rules), limit, self._plain.place_of_name(start))
            name, template, scope = self._pending.pop()
            places[name] = self._plain.place_of_name(template)
            rules[name] = self._body(template, scope)
        return RuleGrammar(rules, _ROOT, places)

    def _make_gap(self, rules: dict[str, syntax.Node]) -> syntax.Node:
        gap = syntax.repeated(syntax.alternatives(*(self._leaf(Terminal(name)) for name in self._ignored)), 0, None)
        if not leaves_of(gap) and gap.facts.weight <= _MAX_INLINED_GAP:
            return gap
        rules[_GAP] = gap
        return Call(_GAP)

    def _instance(self, template: str, arguments: tuple[_Value, ...]) -> str:
        """Return the rule that a template is with these arguments; a plain rule is a template without parameters."""
        key = (template, tuple(map(_key, arguments)))
        name = self._instances.get(key)
        if name is None:
            name = self._instances[key] = template if not arguments else f"{template}#{len(self._instances)}"
            scope = dict(zip(self._rules[template].parameters, arguments, strict=True))
            self._pending.append((name, template, scope))
        return name

    def _body(self, rule: str, scope: _Scope) -> syntax.Node:
        embedded = self._plain.embedded.get(rule)
        if embedded is not None:
            return syntax.sequence(Embedded(embedded), self._gap)
        body = self._rules[rule].body
        if body is None:
            raise UnsupportedError(f"{rule!r}, declared without a definition", self._plain.place_of_name(rule))
        return self._node(body, scope)

    def _node(self, tree: Any, scope: _Scope) -> syntax.Node:
        if not isinstance(tree, Tree):
            return self._value(tree, scope)
        children: list[Any] = tree.children
        match tree.data:
            case "expansions":
                return syntax.alternatives(*(self._node(child, scope) for child in children))
            case "expansion":
                return syntax.sequence(*(self._node(child, scope) for child in children))
            case "alias":
                return self._node(children[0], scope)
            case "maybe":
                return syntax.alternatives(*(self._node(child, scope) for child in children), syntax.EPSILON)
            case "expr":
                return self._repeat(self._node(children[0], scope), children[1], children[2:])
            case _:
                return self._value(tree, scope)

    def _value(self, tree: Any, scope: _Scope) -> syntax.Node:
        value = self._resolve(tree, scope)
        if not isinstance(value, NonTerminal):
            return syntax.sequence(self._leaf(value), self._gap)
        name = str(value.name)
        if name not in self._rules:
            # The rule of a template's instance.
            return Call(name)
        if self._rules[name].parameters:
            place = self._plain.place_of_name(name)
            raise InvalidGrammarError(f"template {name!r} is used without its arguments", place)
        return Call(self._instance(name, ()))

    def _resolve(self, tree: Any, scope: _Scope) -> _Value:
        if isinstance(tree, (Terminal, NonTerminal)):
            return scope.get(str(tree.name), tree)
        match tree.data, tree.children:
            case "value", [child]:
                return self._resolve(child, scope)
            case "literal", [token]:
                return token  # type: ignore[no-any-return]
            case "range", [first, last]:
                return first, last
            case "template_usage", [template, *arguments]:
                return NonTerminal(self._use(self._resolve(template, scope), arguments, scope))
            case data, _:
                raise AssertionError(data)

    def _use(self, template: _Value, arguments: list[Any], scope: _Scope) -> str:
        name = str(template.name) if isinstance(template, NonTerminal) else ""
        definition = self._rules.get(name)
        if definition is None or len(definition.parameters) != len(arguments):
            place = self._plain.place_of_name(name)
            raise InvalidGrammarError(f"template {name!r} does not take {len(arguments)} arguments", place)
        if len(self._instances) > self._limits.max_grammar_rules:
            limit = self._limits.max_grammar_rules
            raise TooComplexError("max_grammar_rules", limit + 1, limit, self._plain.place_of_name(name))
        return self._instance(name, tuple(self._resolve(argument, scope) for argument in arguments))

    def _repeat(self, body: syntax.Node, operator: Token, counts: list[Token]) -> syntax.Node:
        if not counts:
            return syntax.repeated(body, *syntax.OPERATORS[str(operator)])
        place = self._plain.place(counts[0].start_pos or 0)
        low, high = syntax.count_of(counts[0], place), syntax.count_of(counts[-1], place)
        if low < 0 or high < low:
            raise InvalidGrammarError("a repeat's bounds are in the wrong order", place)
        return syntax.repeated(body, low, None if high == UNBOUNDED else high)

    def _leaf(self, value: Terminal | Token | tuple[Token, Token]) -> syntax.Node:
        key = _key(value)
        if key not in self._leaves:
            if isinstance(value, Terminal):
                name = str(value.name)
                if name in self._plain.embedded:
                    return self._leaves.setdefault(key, Embedded(self._plain.embedded[name]))
                make = partial(self._terminal, name)
                offset = None
            else:
                first = value[0] if isinstance(value, tuple) else value
                data = "range" if isinstance(value, tuple) else "literal"
                children: list[Any] = list(value) if isinstance(value, tuple) else [value]
                make = partial(_pattern, Tree(data, children))
                name, offset = str(first), first.start_pos
            try:
                self._leaves[key] = _node_of(make(), self._limits)
            except GrammarError as error:
                error.place_within(self._plain.place_of_name(name) if offset is None else self._plain.place(offset))
                raise
        return self._leaves[key]

    def _terminal(self, name: str) -> Pattern:
        if self._terminals.get(name) is None:
            raise UnsupportedError(f"terminal {name!r}, declared without a definition")
        return _pattern(self._terminals[name])


def _key(value: _Value) -> Any:
    match value:
        case Terminal() | NonTerminal():
            return type(value).__name__, str(value.name)
        case Token():
            return str(value.type), str(value)
        case _:
            return tuple(map(str, value))


def _pattern(tree: Any) -> Pattern:
    """Return the pattern that lark makes of a terminal's tree.

    Raises:
        InvalidGrammarError: lark or Python's own reader of regular expressions refuses it.
    """
    try:
        found = TerminalTreeToPattern().transform(PrepareLiterals().transform(_copy(tree)))
    except (LarkError, AssertionError, OverflowError, TypeError, ValueError, re.error) as error:
        raise InvalidGrammarError(f"not a terminal: {str(error).splitlines()[0] if str(error) else error!r}") from None
    except RecursionError:
        raise TooComplexError("max_depth", 1_000, 1_000) from None
    if isinstance(found, Tree):
        (found,) = found.children
    assert isinstance(found, Pattern)
    return found


def _copy(tree: Any) -> Any:
    """The tree again, since lark changes trees in place."""
    if not isinstance(tree, Tree):
        return tree
    return Tree(tree.data, [_copy(child) for child in tree.children])


def _node_of(pattern: Pattern, limits: Limits) -> syntax.Node:
    """Return the texts that lark's lexer takes for the pattern.

    Raises:
        GrammarError: as the regular expression's front end says.
    """
    if isinstance(pattern, PatternStr) and not pattern.flags:
        if any(0xD800 <= ord(c) <= 0xDFFF for c in pattern.value):
            raise InvalidGrammarError("half of a surrogate pair")
        return syntax.tree_of(pattern.value)
    text = str(pattern.to_regexp()).replace(f",{UNBOUNDED}}}", ",}")
    if len(text) > limits.max_pattern_length:
        raise TooComplexError("max_pattern_length", len(text), limits.max_pattern_length)
    return node_of(language_of_match(_STRING.sub(_plain_string, text), limits), limits.max_pattern_states)


def _plain_string(match: re.Match[str]) -> str:
    quote = match["quote"]
    return rf"{quote}(?:[^{quote}\\\n]|\\.)*{quote}"
