"""The text of a grammar, and its rules: what is known of them, and small regular ones written out where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError
from grammars.frontends.base import Constraint
from grammars.frontends.regex import Language, syntax
from grammars.limits import Limits

# Deeper groups would exhaust Python's own stack.
MAX_NESTING = 60
# A regular rule of at most this many states is written out at each call, so that its loops become spans.
_MAX_INLINED = 40


class Source:
    """A grammar's text.

    Raises:
        InvalidGrammarError: it is no text, or has half of a surrogate pair in it.
        TooComplexError: longer than `limits.max_grammar_bytes`.
    """

    def __init__(self, text: str, limits: Limits) -> None:
        if not isinstance(text, str):
            raise InvalidGrammarError("a grammar is text")
        self.text = text
        if len(text) > limits.max_grammar_bytes:
            raise TooComplexError("max_grammar_bytes", len(text), limits.max_grammar_bytes)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidGrammarError("half of a surrogate pair", self.place(error.start)) from None
        self.max_depth = min(limits.max_depth, MAX_NESTING)

    def place(self, offset: int) -> str:
        """The offset as a line and a column, both counted from 1."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        return f"line {self.text.count(chr(10), 0, offset) + 1}, column {offset - line_start + 1}"


@dataclass(frozen=True, slots=True, eq=False)
class Call(syntax.Leaf):
    """A text of the named rule."""

    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class Embedded(syntax.Leaf):
    """A text of another constraint, which has no empty text."""

    constraint: Constraint


@dataclass(frozen=True, slots=True, eq=False)
class Matched(syntax.Leaf):
    """A text of a language that is no tree, or is better emitted as an automaton."""

    language: Language


def node_of(language: Language, max_states: int) -> syntax.Node:
    """The language as a tree.

    Raises:
        TooComplexError: the language is an automaton of more than `max_states` states.
    """
    if language.tree is not None and not syntax.starts_anywhere(language.tree):
        return language.tree
    if language.is_empty(max_states):
        return syntax.NOTHING
    if language.accepts("", max_states):
        return syntax.Repeat(Matched(language.with_lengths(1, None)), 0, 1)
    return Matched(language)


class RuleGrammar:
    """The rules that the root needs, analysed.

    Args:
        rules: a body for each name.
        root: where a text begins.
        places: for each name, where it is defined, for messages.

    Attributes:
        rules: bodies of the rules that are left; small regular ones are gone from all but the root. A call stands for
            the texts of a rule that are not empty, and may be left out where the rule has the empty text.
        start: the call of the root.

    Raises:
        UnsatisfiableError: no text ends, with the rule that never does.
    """

    def __init__(self, rules: Mapping[str, syntax.Node], root: str, places: Mapping[str, str] | None = None) -> None:
        self.root = root
        self._places = dict(places or {})
        order = components({name: dict.fromkeys(calls_of(body)) for name, body in rules.items()}, [root])
        nullable = _least({name: rules[name] for names in order for name in names}, lambda leaf: False)
        self.rules: dict[str, syntax.Node] = {}
        instead: dict[str, syntax.Node] = {}
        for names in order:
            for name in names:
                body = _with_bodies(rules[name], instead, nullable)
                if len(names) == 1 and name != root and body.facts.weight <= _MAX_INLINED and not leaves_of(body):
                    instead[name] = body
                else:
                    self.rules[name] = body
        self._merge_cycles()
        self.start = _with_bodies(Call(root), {}, nullable)
        self._check_productive()

    def place(self, rule: str) -> str | None:
        """Position of the rule's definition."""
        return self._places.get(rule)

    def first_calls(self, node: syntax.Node) -> set[str]:
        """Return the rules that a text of the node can begin with before a byte was consumed."""
        found: set[str] = set()
        stack = [node]
        while stack:
            match stack.pop():
                case Call(rule):
                    found.add(rule)
                case syntax.Seq(items):
                    for item in items:
                        stack.append(item)
                        if not item.facts.is_nullable:
                            break
                case syntax.Alt(options):
                    stack.extend(options)
                case syntax.Repeat(body, _, _):
                    stack.append(body)
        return found

    def left_recursive(self) -> dict[str, frozenset[str]]:
        """For each rule that can begin with itself, the rules it does so through, itself among them."""
        graph = {name: self.first_calls(body) for name, body in self.rules.items()}
        found: dict[str, frozenset[str]] = {}
        for names in components(graph, graph):
            if len(names) > 1 or names[0] in graph[names[0]]:
                found.update(dict.fromkeys(names, frozenset(names)))
        return found

    def _merge_cycles(self) -> None:
        """Make one of the rules that are each an alternative of the other: they have the same texts, but for none."""
        graph = {
            name: [unit for option in _options(body) if (unit := _unit(option))] for name, body in self.rules.items()
        }
        for names in components(graph, graph):
            if len(names) > 1:
                kept = self.root if self.root in names else names[0]
                options = [option for name in names for option in _options(self.rules.pop(name))]
                self.rules[kept] = syntax.alternatives(*(option for option in options if _unit(option) not in names))
                instead = dict.fromkeys(names, Call(kept))
                self.rules = {name: _with_bodies(body, instead, set()) for name, body in self.rules.items()}

    def _check_productive(self) -> None:
        productive = _least(self.rules, lambda leaf: leaf.ranges != () if isinstance(leaf, syntax.Chars) else True)
        if self.root in productive:
            return
        # From the root through rules that never end, to the first one met twice: the culprit, not its callers.
        name, seen = self.root, set[str]()
        while name not in seen:
            seen.add(name)
            name = next((n for n in calls_of(self.rules[name]) if n not in productive), name)
        raise UnsatisfiableError(f"rule {name!r} matches no text that ends", self.place(name))


def _options(body: syntax.Node) -> tuple[syntax.Node, ...]:
    return body.options if isinstance(body, syntax.Alt) else (body,)


def _unit(option: syntax.Node) -> str | None:
    """Return the rule of which the option is a text, if it is no more than that."""
    call = option.body if isinstance(option, syntax.Repeat) and (option.low, option.high) == (0, 1) else option
    return call.rule if isinstance(call, Call) else None


def calls_of(node: syntax.Node) -> list[str]:
    """Return the rules that the node calls, in order, each time it does."""
    return [leaf.rule for leaf in leaves_of(node) if isinstance(leaf, Call)]


def leaves_of(node: syntax.Node) -> list[syntax.Leaf]:
    """Return the node's leaves that are not patterns, in order."""
    found, stack = [], [node]
    while stack:
        match stack.pop():
            case syntax.Leaf() as leaf:
                found.append(leaf)
            case syntax.Seq(parts) | syntax.Alt(parts) as inner if inner.facts.most is None:
                stack.extend(reversed(parts))
            case syntax.Repeat(body, _, _):
                stack.append(body)
    return found


def _with_bodies(node: syntax.Node, bodies: Mapping[str, syntax.Node], nullable: set[str]) -> syntax.Node:
    """Return the node with bodies instead of some calls; others are optional where their rule has the empty text."""
    match node:
        case Call(rule):
            return bodies.get(rule) or (syntax.Repeat(node, 0, 1) if rule in nullable else node)
        case syntax.Seq(items) if node.facts.most is None:
            return syntax.sequence(*(_with_bodies(item, bodies, nullable) for item in items))
        case syntax.Alt(options) if node.facts.most is None:
            return syntax.alternatives(*(_with_bodies(option, bodies, nullable) for option in options))
        case syntax.Repeat(_, _, 0):
            return syntax.EPSILON
        case syntax.Repeat(body, low, high):
            return syntax.repeated(_with_bodies(body, bodies, nullable), low, high)
        case _:
            return node


class _Gate:
    """A node that becomes true once `missing` of its parts are."""

    __slots__ = ("missing", "parent", "rule")

    def __init__(self, parent: _Gate | None, missing: int, rule: str | None = None) -> None:
        self.parent, self.missing, self.rule = parent, missing, rule


def _least(rules: Mapping[str, syntax.Node], is_true: Callable[[syntax.Node], bool]) -> set[str]:
    """The rules of which a property of leaves holds: of all items, of any option, of a repeat that may be skipped.

    Linear in the grammar (Dowling and Gallier, J. Logic Programming 1984).
    """
    waiting: dict[str, list[_Gate]] = {name: [] for name in rules}
    ready: list[_Gate] = []
    for name, body in rules.items():
        stack: list[tuple[syntax.Node, _Gate]] = [(body, _Gate(None, 1, name))]
        while stack:
            node, parent = stack.pop()
            match node:
                case Call(rule):
                    waiting[rule].append(parent)
                case syntax.Seq(()) | syntax.Repeat(_, 0, _):
                    ready.append(parent)
                case syntax.Seq(items):
                    gate = _Gate(parent, len(items))
                    stack.extend((item, gate) for item in items)
                case syntax.Alt(options):
                    gate = _Gate(parent, 1)
                    stack.extend((option, gate) for option in options)
                case syntax.Repeat(inner, _, _):
                    stack.append((inner, parent))
                case _ if is_true(node):
                    ready.append(parent)
    found: set[str] = set()
    while ready:
        gate = ready.pop()
        gate.missing -= 1
        if gate.missing != 0:
            continue
        if gate.parent is not None:
            ready.append(gate.parent)
        elif gate.rule is not None:
            found.add(gate.rule)
            ready.extend(waiting[gate.rule])
    return found


def components(graph: Mapping[str, Iterable[str]], roots: Iterable[str]) -> list[list[str]]:
    """The strongly connected components that can be met from `roots`, callees first (Tarjan, SIAM J. Comput. 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    placed: set[str] = set()
    held: list[str] = []
    found: list[list[str]] = []
    for root in roots:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        held.append(root)
        path = [(root, iter(graph[root]))]
        while path:
            name, targets = path[-1]
            target = next((t for t in targets if t not in placed), None)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[name])
                if low[name] == index[name]:
                    found.append([held.pop()])
                    while found[-1][-1] != name:
                        found[-1].append(held.pop())
                    placed.update(found[-1])
            elif target in index:
                low[name] = min(low[name], index[target])
            else:
                index[target] = low[target] = len(index)
                held.append(target)
                path.append((target, iter(graph[target])))
    return found
