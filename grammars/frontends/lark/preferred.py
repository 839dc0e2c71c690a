"""The texts that Python's `re.match` takes of a pattern: it matters which repeat is lazy and which option is first.

A lexer asks a pattern for one match at a place. ``a|ab`` never gives it "ab", and ``/\\*.*?\\*/`` never a text with
``*/`` inside. The match is the one of highest priority, so the automaton keeps its threads in the order of priority
and drops those after one that has matched (Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009).
"""

from __future__ import annotations

import re

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.automaton import partition
from grammars.frontends.regex.charset import EMPTY, Ranges, intersect, union
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.parser import parse
from grammars.frontends.regex.syntax import Alt, Begin, Chars, End, Look, Node, Repeat, Seq
from grammars.limits import Limits

# Private characters that are put into a pattern after a lazy repeat and at the end of an alternative or a group,
# because the parser drops laziness, reorders alternatives, and makes one repeat of two.
_LAZY, _END = "\U0010fffd", "\U0010fffc"
_LAZY_RANGES, _END_RANGES = ((ord(_LAZY), ord(_LAZY)),), ((ord(_END), ord(_END)),)
_PIECES = re.compile(
    r"\\.|\[\^?\]?(?>\\.|[^]\\])*+\]|\(\?|(?P<repeat>[*+?]|\{(?>\d+,?\d*|,\d+)\})(?P<lazy>\??)|[|)]", re.DOTALL
)
_MAX_STEPS = 400_000
_MATCH = -1


def language_of_match(pattern: str, limits: Limits) -> Language:
    """Return the texts that `re.match` may take of the pattern, whatever follows.

    Raises:
        GrammarError: as `language_of` says; a lazy repeat together with anchors or lookaround is not supported.
    """
    marked = _marked(pattern)
    plain = language_of(pattern, "python", False, limits)
    tree = parse(marked, "python", limits.max_depth)
    _check_looks(tree, True, True)
    if _LAZY not in marked and plain.tree is not None and _has_no_choice(plain.tree):
        return plain
    if tree.facts.has_anchor:
        if _has_order(tree):
            raise UnsupportedError("a lazy repeat or alternatives in a terminal with lookaround")
        return plain
    if tree.facts.weight > limits.max_pattern_states:
        raise TooComplexError("max_pattern_states", tree.facts.weight, limits.max_pattern_states)
    automaton = _Automaton(tree, limits)
    return Language(None, automaton.dfa.minimized()) if automaton.is_smaller else plain


def _marked(pattern: str) -> str:
    def mark(match: re.Match[str]) -> str:
        if match[0] in ("|", ")"):
            return _END + match[0]
        return match["repeat"] + _LAZY if match["lazy"] else match[0]

    return _PIECES.sub(mark, pattern)


def _check_looks(tree: Node, at_start: bool, at_end: bool) -> None:
    """Refuse assertions on what is around the terminal: a language of its own cannot say them.

    Args:
        tree: part of the pattern.
        at_start: whether nothing of the terminal may precede the part.
        at_end: the same for after it.
    """
    match tree:
        case Begin() | End():
            raise UnsupportedError("an anchor in a terminal")
        case Look(body, ahead):
            if body.facts.has_anchor:
                raise UnsupportedError("an anchor in a terminal")
            if at_end if ahead else at_start:
                raise UnsupportedError(f"a look{'ahead at the end' if ahead else 'behind at the start'} of a terminal")
        case Seq(items):
            for index, item in enumerate(items):
                before = at_start and all(map(_may_be_empty, items[:index]))
                _check_looks(item, before, at_end and all(map(_may_be_empty, items[index + 1 :])))
        case Alt(options):
            for option in options:
                _check_looks(option, at_start, at_end)
        case Repeat(body):
            _check_looks(body, at_start, at_end)
        case _:
            pass


def _may_be_empty(tree: Node) -> bool:
    return (isinstance(tree, Chars) and tree.ranges in (_LAZY_RANGES, _END_RANGES)) or (
        tree.facts.is_nullable
        or (isinstance(tree, Seq) and all(map(_may_be_empty, tree.items)))
        or (isinstance(tree, Alt) and any(map(_may_be_empty, tree.options)))
        or (isinstance(tree, Repeat) and _may_be_empty(tree.body))
    )


def _has_order(tree: Node) -> bool:
    """True if a lazy repeat or an alternative is outside of looks."""
    match tree:
        case Chars(ranges):
            return ranges == _LAZY_RANGES
        case Alt():
            return True
        case Seq(items):
            return any(map(_has_order, items))
        case Repeat(body):
            return _has_order(body)
        case _:
            return False


def _has_no_choice(tree: Node) -> bool:
    """True if it is plain to see that the next character alone decides how a match goes on."""
    behind = EMPTY
    for item in reversed(tree.items if isinstance(tree, Seq) else (tree,)):
        repeat = item if isinstance(item, Repeat) else Repeat(item, 1, 1)
        if not isinstance(repeat.body, Chars):
            return False
        ranges = repeat.body.ranges
        if repeat.low != repeat.high and intersect(ranges, behind):
            return False
        behind = union(ranges, behind) if repeat.low == 0 else ranges
    return True


class _Automaton:
    """Threads are states of this program: read a character of a set, or go on in one of several ways, best first."""

    def __init__(self, tree: Node, limits: Limits) -> None:
        self._ranges: list[Ranges | None] = []
        self._ways: list[tuple[int, ...]] = []
        self._leave: dict[int, int] = {}
        self._max_states = limits.max_pattern_states
        self.is_smaller = False
        self._steps = 0
        self.dfa = self._determinized(self._add(tree, _MATCH))

    def _state(self, ranges: Ranges | None, *ways: int) -> int:
        if len(self._ways) >= 4 * self._max_states:
            raise TooComplexError("max_pattern_states", len(self._ways), self._max_states)
        self._ranges.append(ranges)
        self._ways.append(ways)
        return len(self._ways) - 1

    def _add(self, node: Node, then: int) -> int:
        match node:
            case Chars(ranges):
                return then if ranges == _END_RANGES else self._state(ranges, then)
            case Seq(items):
                index = len(items) - 1
                while index >= 0:
                    item, is_lazy = items[index], False
                    if isinstance(item, Chars) and item.ranges == _LAZY_RANGES:
                        index -= 1
                        item = items[index]
                        is_lazy = isinstance(item, Repeat)
                    then = self._add_repeat(item, then, True) if is_lazy else self._add(item, then)
                    index -= 1
                return then
            case Alt(options):
                return self._state(None, *(self._add(option, then) for option in options))
            case Repeat():
                return self._add_repeat(node, then, False)
            case _:
                raise AssertionError("only simple trees come here")

    def _add_repeat(self, node: Node, then: int, is_lazy: bool) -> int:
        assert isinstance(node, Repeat)

        def either(more: int, leave: int) -> tuple[int, int]:
            return (leave, more) if is_lazy else (more, leave)

        if node.high is None:
            loop = self._state(None)
            self._leave[loop] = then
            self._ways[loop] = either(self._add(node.body, loop), then)
            then = loop
        else:
            if node.high > 1 and _may_be_empty(node.body):
                raise UnsupportedError("a counted repeat of what may be empty, where the order of options matters")
            leave = then
            for _ in range(node.high - node.low):
                then = self._state(None, *either(self._add(node.body, then), leave))
        for _ in range(node.low):
            then = self._add(node.body, then)
        return then

    def _close(self, starts: list[int]) -> tuple[int, ...]:
        """The threads in order; a match ends the list."""
        found: list[int] = []
        seen: set[int] = set()
        stack = list(reversed(starts))
        while stack:
            self._steps += 1
            state = stack.pop()
            if state in seen:
                # An iteration that read nothing is the last one.
                if state in self._leave:
                    stack.append(self._leave[state])
                continue
            if state == _MATCH:
                found.append(_MATCH)
                self.is_smaller = self.is_smaller or any(s not in seen and s != _MATCH for s in stack)
                break
            seen.add(state)
            if self._ranges[state] is not None:
                found.append(state)
            else:
                stack.extend(reversed(self._ways[state]))
        return tuple(found)

    def _determinized(self, start: int) -> Dfa:
        atoms, atoms_of = partition(ranges for ranges in self._ranges if ranges is not None)
        first = self._close([start])
        known = {first: 0}
        order = [first]
        table: list[list[int]] = []
        for threads in order:
            goals: dict[int, list[int]] = {}
            for state in threads:
                ranges = None if state == _MATCH else self._ranges[state]
                for atom in () if ranges is None else atoms_of[ranges]:
                    goals.setdefault(atom, []).append(self._ways[state][0])
            row = [-1] * len(atoms)
            for atom, starts in goals.items():
                following = self._close(starts)
                if following not in known:
                    if len(order) >= self._max_states or self._steps > _MAX_STEPS:
                        raise TooComplexError("max_pattern_states", self._max_states + 1, self._max_states)
                    known[following] = len(order)
                    order.append(following)
                row[atom] = known[following]
            table.append(row)
        return Dfa(atoms, table, [_MATCH in threads for threads in order])
