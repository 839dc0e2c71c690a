"""Rules into a network.

Every emitted rule stands for its texts but the empty one, and a caller may pass it by where the rule is nullable. So no
call comes back without a byte, and left recursion that hides behind empty rules is plain left recursion.

Left recursion is read from its other end: with ``A: A x | B y | z`` and ``B: A w``, a text of `A` is a text that begins
one of the rules in question without recursion, then step by step what makes a larger rule of a smaller one, until an
`A` is whole. That is an automaton with one state for each of the rules, and no recursion at the left.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammars.errors import TooComplexError
from grammars.frontends.base import emit_escaped
from grammars.frontends.regex import Language
from grammars.frontends.regex import syntax as regex
from grammars.frontends.regex.emit import spell
from grammars.frontends.rules.grammar import RuleGrammar
from grammars.frontends.rules.syntax import (
    Call,
    Embedded,
    Literal,
    Node,
    Options,
    Regular,
    Repeated,
    Sequence,
    regular_parts,
    repeated,
    size,
)
from grammars.network.builder import NetworkBuilder

# Repeats that cost at most this many states are written out; larger ones count.
_MAX_UNROLLED = 48


def emit_rules(builder: NetworkBuilder, grammar: RuleGrammar, *, escaped: bool = False) -> int:
    """Emits the grammar, characters spelled raw or as inside a JSON string; returns the start state of the root rule.

    Raises:
        UnsupportedError: what is embedded cannot be spelled as inside a JSON string.
    """
    return _Emitter(builder, grammar, escaped).run()


class _Chain:
    """What follows the first part of a rule: a node, then the rest."""

    __slots__ = ("node", "rest")

    def __init__(self, node: Node, rest: _Chain | None) -> None:
        self.node, self.rest = node, rest


class _Emitter:
    def __init__(self, builder: NetworkBuilder, grammar: RuleGrammar, escaped: bool) -> None:
        self._builder = builder
        self._escaped = escaped
        self._grammar = grammar
        self._components = grammar.left_recursive()
        self._states: dict[str, int] = {}
        self._pending: list[str] = []
        self._all: dict[tuple[int, int], tuple[Node, int]] = {}
        self._some: dict[tuple[int, int], tuple[Node, int]] = {}
        self._counted: dict[int, tuple[Node, int]] = {}
        self._optional: dict[tuple[int, int | None, int], int] = {}
        self._begins: dict[int, tuple[Node, bool]] = {}
        self._chains: dict[tuple[_Chain, int], int] = {}
        self._steps: dict[frozenset[str], list[tuple[str | None, int, bool, str]]] = {}

    def run(self) -> int:
        builder = self._builder
        root, end = builder.rule(), builder.state()
        builder.accept(end)
        builder.epsilon(root, self._emit(Call(self._grammar.root), end))
        while self._pending:
            name = self._pending.pop()
            members = self._components.get(name)
            if members is None:
                self._fill(self._states[name], self._grammar.rules[name])
            elif len(members) == 1:
                self._fill_self_recursive(name)
            else:
                self._fill_recursive(name, members)
        return root

    def _fill(self, start: int, body: Node) -> None:
        end = self._builder.state()
        self._builder.accept(end)
        self._builder.epsilon(start, self._emit_some(body, end))

    def _rule(self, name: str) -> int:
        if name not in self._states:
            self._states[name] = self._builder.rule()
            self._pending.append(name)
        return self._states[name]

    # Each of the following emits from the end: it takes the state where the text goes on and returns its start.

    # The same node in front of the same state is emitted once, or nested groups that may be empty would double and
    # double again.

    def _emit(self, node: Node, exit: int) -> int:
        """All texts of the node."""
        key = (id(node), exit)
        if key not in self._all:
            self._all[key] = (node, self._emit_anew(node, exit))
        return self._all[key][1]

    def _emit_some(self, node: Node, exit: int) -> int:
        """The texts of the node that are not empty."""
        key = (id(node), exit)
        if key not in self._some:
            self._some[key] = (node, self._emit_some_anew(node, exit))
        return self._some[key][1]

    def _emit_anew(self, node: Node, exit: int) -> int:
        builder = self._builder
        match node:
            case Literal(text):
                if not text:
                    return exit
                start = builder.state()
                builder.literal(start, spell(text, self._escaped), exit)
                return start
            case Regular(language):
                return language.emit(builder, exit, escaped=self._escaped)
            case Sequence(items):
                for item in reversed(items):
                    exit = self._emit(item, exit)
                return exit
            case Options(choices):
                return self._emit_options(choices, exit, some=False)
            case Repeated(body, low, high):
                return self._emit_repeated(body, 0 if self._grammar.is_nullable(body) else low, high, exit)
            case _:
                some = self._emit_some(node, exit)
                if not self._grammar.is_nullable(node):
                    return some
                start = builder.state()
                builder.epsilon(start, some)
                builder.epsilon(start, exit)
                return start

    def _emit_some_anew(self, node: Node, exit: int) -> int:
        match node:
            case Call(rule):
                return self._emit_call(self._rule(rule), exit)
            case Embedded(constraint):
                key = ("embedded", constraint.cache_key(), self._escaped)
                if key not in self._builder.shared:
                    self._builder.shared[key] = (
                        emit_escaped(constraint, self._builder) if self._escaped else constraint.emit(self._builder)
                    )
                return self._emit_call(self._builder.shared[key], exit)
            case _ if not self._grammar.is_nullable(node):
                return self._emit(node, exit)
            case Regular(language):
                return self._emit_some_regular(node, language, exit)
            case Sequence(items):
                return self._emit_some_of_sequence(items, exit)
            case Options(choices):
                return self._emit_options(choices, exit, some=True)
            case Repeated(body, low, high):
                return self._emit_repeated(body, 1 if self._grammar.is_nullable(body) else max(low, 1), high, exit)
            case _:
                return self._builder.state()

    def _emit_call(self, rule: int, exit: int) -> int:
        start = self._builder.state()
        self._builder.call(start, rule, exit)
        return start

    def _emit_some_regular(self, node: Regular, language: Language, exit: int) -> int:
        builder = self._builder
        match language.tree:
            case None:
                rest = language.with_lengths(1, None)
                return rest.emit(builder, exit, escaped=self._escaped)
            case regex.Repeat(regex.Chars() as body, _, high):
                return Language(regex.Repeat(body, 1, high)).emit(builder, exit, escaped=self._escaped)
            case _:
                parts = regular_parts(node)
                return builder.state() if parts is node else self._emit_some(parts, exit)

    def _emit_some_of_sequence(self, items: tuple[Node, ...], exit: int) -> int:
        builder = self._builder
        start = builder.state()
        for index in range(len(items) - 1, -1, -1):
            builder.epsilon(start, self._emit_some(items[index], exit))
            if index:
                exit = self._emit(items[index], exit)
        return start

    def _emit_options(self, choices: tuple[Node, ...], exit: int, *, some: bool) -> int:
        """Options that begin with a literal and go on alike share the literals' beginnings."""
        builder = self._builder
        start = builder.state()
        groups: dict[tuple[int, ...], list[tuple[str, tuple[Node, ...]]]] = {}
        for choice in choices:
            items = choice.items if isinstance(choice, Sequence) else (choice,)
            if isinstance(items[0], Literal) and items[0].text:
                groups.setdefault(tuple(map(id, items[1:])), []).append((items[0].text, items[1:]))
            else:
                builder.epsilon(start, (self._emit_some if some else self._emit)(choice, exit))
        for members in groups.values():
            tail = exit
            for item in reversed(members[0][1]):
                tail = self._emit(item, tail)
            builder.words(start, [spell(text, self._escaped) for text, _ in members], tail)
        return start

    def _emit_repeated(self, body: Node, low: int, high: int | None, exit: int) -> int:
        builder = self._builder
        if size(body) * max(low, high or 0) > _MAX_UNROLLED:
            if id(body) not in self._counted:
                self._counted[id(body)] = (body, builder.rule())
                self._fill(self._counted[id(body)][1], body)
            return builder.repeat(self._counted[id(body)][1], low, high, exit)
        exit = self._emit_optional(body, None if high is None else high - low, exit)
        for _ in range(low):
            exit = self._emit_some(body, exit)
        return exit

    def _emit_optional(self, body: Node, most: int | None, exit: int) -> int:
        """Up to `most` of the body (None: any number), none of them empty."""
        if most == 0:
            return exit
        key = (id(body), most, exit)
        if key not in self._optional:
            state = self._optional[key] = self._builder.state()
            more = state if most is None else self._emit_optional(body, most - 1, exit)
            self._builder.epsilon(state, self._emit_some(body, more))
            self._builder.epsilon(state, exit)
        return self._optional[key]

    # Left recursion.

    def _fill_self_recursive(self, name: str) -> None:
        """``A: A x | z`` becomes z, then any number of x."""
        builder = self._builder
        whole = builder.state()
        builder.accept(whole)
        for lead, rest in self._heads(self._grammar.rules[name], None, frozenset((name,))):
            after = self._emit_chain(rest, whole)
            if isinstance(lead, Call) and lead.rule == name:
                builder.epsilon(whole, after)
            else:
                builder.epsilon(self._states[name], self._emit_some(lead, after))

    def _fill_recursive(self, name: str, members: frozenset[str]) -> None:
        """One state for each rule of the component; the steps between them are rules, shared by all its members."""
        builder = self._builder
        steps = self._steps_of(members)
        needed = len(members) * (len(steps) + len(members))
        if needed > builder.limits.max_states:
            raise TooComplexError("max_states", needed, builder.limits.max_states, self._grammar.place(name))
        whole = {member: builder.state() for member in members}
        builder.accept(whole[name])
        for source, rule, is_nullable, target in steps:
            state = self._states[name] if source is None else whole[source]
            builder.call(state, rule, whole[target])
            if is_nullable:
                builder.epsilon(state, whole[target])

    def _steps_of(self, members: frozenset[str]) -> list[tuple[str | None, int, bool, str]]:
        """Steps: the rule one makes larger (None: begins one), what it reads, whether that may be empty, its goal."""
        steps = self._steps.get(members)
        if steps is None:
            steps = self._steps[members] = []
            for target in sorted(members):
                for lead, rest in self._heads(self._grammar.rules[target], None, members):
                    source = lead.rule if isinstance(lead, Call) and lead.rule in members else None
                    rule, end = self._builder.rule(), self._builder.state()
                    self._builder.accept(end)
                    if source is None:
                        self._builder.epsilon(rule, self._emit_some(lead, self._emit_chain(rest, end)))
                    else:
                        self._builder.epsilon(rule, self._emit_some_of_chain(rest, end))
                    steps.append((source, rule, source is not None and self._is_nullable_chain(rest), target))
        return steps

    def _heads(self, node: Node, rest: _Chain | None, members: frozenset[str]) -> Iterator[tuple[Node, _Chain | None]]:
        """The ways in which a text that is not empty can begin: a node, not empty itself, and what follows it."""
        if isinstance(node, Call) or not self._begins_with(node, members):
            yield node, rest
            return
        match node:
            case Sequence(items):
                chains: list[_Chain | None] = [rest]
                for item in reversed(items[1:]):
                    chains.append(_Chain(item, chains[-1]))
                for item, following in zip(items, reversed(chains), strict=True):
                    yield from self._heads(item, following, members)
                    if not self._grammar.is_nullable(item):
                        return
            case Options(choices):
                for choice in choices:
                    yield from self._heads(choice, rest, members)
            case Repeated(body, low, high):
                low = 0 if self._grammar.is_nullable(body) else max(low - 1, 0)
                more = repeated(body, low, None if high is None else high - 1)
                yield from self._heads(body, _Chain(more, rest), members)

    def _begins_with(self, node: Node, members: frozenset[str]) -> bool:
        kept = self._begins.get(id(node))
        if kept is not None:
            return kept[1]
        match node:
            case Call(rule):
                answer = rule in members
            case Sequence(items):
                answer = False
                for item in items:
                    answer = answer or self._begins_with(item, members)
                    if answer or not self._grammar.is_nullable(item):
                        break
            case Options(choices):
                answer = any(self._begins_with(choice, members) for choice in choices)
            case Repeated(body, _, _):
                answer = self._begins_with(body, members)
            case _:
                return False
        self._begins[id(node)] = (node, answer)
        return answer

    def _emit_chain(self, chain: _Chain | None, exit: int) -> int:
        """All of the chain, emitted once for each exit however many chains end in it."""
        links = []
        while chain is not None and (chain, exit) not in self._chains:
            links.append(chain)
            chain = chain.rest
        state = exit if chain is None else self._chains[chain, exit]
        for link in reversed(links):
            state = self._chains[link, exit] = self._emit(link.node, state)
        return state

    def _emit_some_of_chain(self, chain: _Chain | None, exit: int) -> int:
        start = self._builder.state()
        while chain is not None:
            self._builder.epsilon(start, self._emit_some(chain.node, self._emit_chain(chain.rest, exit)))
            if not self._grammar.is_nullable(chain.node):
                break
            chain = chain.rest
        return start

    def _is_nullable_chain(self, chain: _Chain | None) -> bool:
        while chain is not None and self._grammar.is_nullable(chain.node):
            chain = chain.rest
        return chain is None
