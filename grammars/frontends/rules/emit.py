"""Rules into a network.

Every emitted rule has its texts but the empty one, and a caller may pass it by where the rule is nullable. So no
call comes back without a byte, and left recursion that hides after empty rules is plain left recursion.

Left recursion is read from its other end: with ``A: A x | B y | z`` and ``B: A w``, a text of `A` is a text that begins
one of the rules in question without recursion, then step by step what makes a larger rule of a smaller one, until an
`A` is whole. That is an automaton with one state for each of the rules, and no recursion at the left.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammars.errors import TooComplexError
from grammars.frontends.base import emit_escaped
from grammars.frontends.regex.emit import TreeEmitter
from grammars.frontends.regex.normalize import not_empty
from grammars.frontends.regex.syntax import EPSILON, Alt, Node, Repeat, Seq, repeated, sequence
from grammars.frontends.rules.grammar import Call, Embedded, Matched, RuleGrammar, calls_of
from grammars.network.builder import NetworkBuilder

# The part of all states for rules that begin with each other, and for how many steps one counts that is ambiguous.
_MOST_RECURSIVE, _STEPS_AMBIGUOUS = 10, 6


def emit_rules(builder: NetworkBuilder, grammar: RuleGrammar, *, escaped: bool = False) -> int:
    """Emit the grammar, characters spelled raw or as inside a JSON string; returns the start state of the root rule.

    Raises:
        UnsupportedError: what is embedded cannot be spelled as inside a JSON string.
    """
    return _RuleEmitter(builder, grammar, escaped).run()


class _RuleEmitter(TreeEmitter):
    def __init__(self, builder: NetworkBuilder, grammar: RuleGrammar, escaped: bool) -> None:
        super().__init__(builder, escaped)
        self._grammar = grammar
        self._components = grammar.left_recursive()
        self._states: dict[str, int] = {}
        self._pending: list[str] = []
        self._steps: dict[frozenset[str], list[tuple[str | None, int, bool, str, bool]]] = {}

    def run(self) -> int:
        root = self._rule_of(self._grammar.start)
        while self._pending:
            name = self._pending.pop()
            members = self._components.get(name)
            if members is None:
                end = self._builder.end()
                self._builder.epsilon(self._states[name], self.emit(not_empty(self._grammar.rules[name]), end))
            elif len(members) == 1:
                self._fill_self_recursive(name)
            else:
                self._fill_recursive(name, members)
        return root

    def _rule_of(self, tree: Node) -> int:
        rule = self._builder.rule()
        self._builder.epsilon(rule, self.emit(tree, self._builder.end()))
        return rule

    def _emit_leaf(self, leaf: Node, exit: int) -> int:
        builder = self._builder
        match leaf:
            case Matched(language):
                return language.emit(builder, exit, escaped=self._escaped)
            case Call(name):
                if name not in self._states:
                    self._states[name] = builder.rule()
                    self._pending.append(name)
                rule = self._states[name]
            case Embedded(constraint):
                key = ("embedded", constraint.cache_key(), self._escaped)
                if key not in builder.shared:
                    builder.shared[key] = (
                        emit_escaped(constraint, builder) if self._escaped else constraint.emit(builder)
                    )
                rule = builder.shared[key]
            case _:
                return super()._emit_leaf(leaf, exit)
        start = builder.state()
        builder.call(start, rule, exit)
        return start

    # Left recursion.

    def _fill_self_recursive(self, name: str) -> None:
        """``A: A x | z`` becomes z, then any number of x."""
        whole = self._builder.state()
        self._builder.accept(whole)
        for lead, rest in self._heads(self._grammar.rules[name], EPSILON, frozenset((name,))):
            after = self.emit(rest, whole)
            if isinstance(lead, Call) and lead.rule == name:
                self._builder.epsilon(whole, after)
            else:
                self._builder.epsilon(self._states[name], self.emit(not_empty(lead), after))

    def _fill_recursive(self, name: str, members: frozenset[str]) -> None:
        """Emit a state for each rule of the component; the steps between them are rules, shared by its members."""
        builder = self._builder
        steps = self._steps_of(members)
        num_steps = sum(_STEPS_AMBIGUOUS if is_ambiguous else 1 for *_, is_ambiguous in steps)
        needed, most = len(members) * (num_steps + len(members)), builder.limits.max_states // _MOST_RECURSIVE
        if needed > most:
            raise TooComplexError("max_states", needed, most, self._grammar.place(name))
        whole = {member: builder.state() for member in members}
        builder.accept(whole[name])
        for source, rule, is_nullable, target, _ in steps:
            state = self._states[name] if source is None else whole[source]
            builder.call(state, rule, whole[target])
            if is_nullable:
                builder.epsilon(state, whole[target])

    def _steps_of(self, members: frozenset[str]) -> list[tuple[str | None, int, bool, str, bool]]:
        """Steps: the rule one makes larger (None: begins one), what by, may it be empty, its goal, is it ambiguous."""
        steps = self._steps.get(members)
        if steps is None:
            steps = self._steps[members] = []
            for target in sorted(members):
                for lead, rest in self._heads(self._grammar.rules[target], EPSILON, members):
                    if isinstance(lead, Call) and lead.rule in members:
                        rule, is_ambiguous = self._rule_of(not_empty(rest)), not members.isdisjoint(calls_of(rest))
                        steps.append((lead.rule, rule, rest.facts.is_nullable, target, is_ambiguous))
                    else:
                        steps.append((None, self._rule_of(sequence(not_empty(lead), rest)), False, target, False))
        return steps

    def _heads(self, node: Node, rest: Node, members: frozenset[str]) -> Iterator[tuple[Node, Node]]:
        """The ways in which a text that is not empty can begin: a node and what follows it.

        Cost: long sequences are halved, so that what follows is a few parts of them, which many ways share.
        """
        if isinstance(node, Call) or members.isdisjoint(self._grammar.first_calls(node)):
            yield node, rest
            return
        match node:
            case Seq(items):
                first, second = sequence(*items[: len(items) // 2]), sequence(*items[len(items) // 2 :])
                yield from self._heads(first, Seq((second, rest)), members)
                if first.facts.is_nullable:
                    yield from self._heads(second, rest, members)
            case Alt(options):
                for option in options:
                    yield from self._heads(option, rest, members)
            case Repeat(body, low, high):
                low = 0 if body.facts.is_nullable else max(low - 1, 0)
                more = repeated(body, low, None if high is None else high - 1)
                yield from self._heads(body, Seq((more, rest)), members)
