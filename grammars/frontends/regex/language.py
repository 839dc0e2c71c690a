"""Languages of patterns, with the operations that JSON Schema needs."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from functools import cached_property

import numpy as np

from grammars.byte_bounded_cache import remembered
from grammars.errors import TooComplexError
from grammars.frontends.regex.automaton import Automaton
from grammars.frontends.regex.charset import ALL, Ranges, intersect
from grammars.frontends.regex.dfa import Dfa, current_effort
from grammars.frontends.regex.emit import TreeEmitter, emit_bounded, emit_dfa, emit_states, has_length, longest_text
from grammars.frontends.regex.lookaround import Graph, LookAutomaton
from grammars.frontends.regex.normalize import bounded_ahead, with_lengths, within, without_anchors
from grammars.frontends.regex.parser import parse
from grammars.frontends.regex.syntax import (
    ANYTHING,
    NODE_BYTES,
    NOTHING,
    Alt,
    Chars,
    End,
    Look,
    Node,
    Repeat,
    example,
    first_of,
    goes_on,
    has_text,
    only_text,
    sequence,
    starts_anywhere,
    tree_of,
)
from grammars.frontends.regex.tables import FAR
from grammars.limits import DEFAULT_LIMITS, Limits
from grammars.network.builder import NetworkBuilder

# Trees of more characters than this are not worth determinizing for the sake of fewer configurations.
_MAX_DETERMINIZED_WEIGHT = 120
# Beyond this a nondeterministic automaton is tried for looks around.
_MAX_DETERMINIZED_LOOKS = 400
_find_word = re.compile("\\^([A-Za-z0-9_]+)\\$").fullmatch
# States of an automaton that is made only to list its texts.
_MAX_LISTED_STATES = 512
# Steps after which a text that two languages share is looked for in another way.
_MAX_TRIED_STEPS = 4_000
# Cost of a look at an excluded word, in cells of tables.
_CELLS_A_WORD = 50


class Language:
    """A set of texts: a tree without anchors, a deterministic automaton, or both.

    Args:
        tree: None where anchors are inside.
        dfa: None until someone needs it.
        automaton: what `dfa` is made from; kept only until that was tried, as it can be large.
        source: a tree, assertions and all, that matches the texts of the language as a whole; may be unknown.
        bounded: together with bounds on the number of characters, what the language is; all else is None then.
    """

    def __init__(
        self,
        tree: Node | None,
        dfa: Dfa | None = None,
        automaton: Automaton | LookAutomaton | None = None,
        bounded: tuple[Language, int, int | None] | None = None,
        source: Node | None = None,
    ) -> None:
        self.tree = tree
        self._source = tree if source is None else source
        self._only_text = None if tree is None else only_text(tree)
        self._bounded = bounded
        self._dfa = dfa
        # See `byte_bounded_cache.ANSWERS`: other automata are made when they are asked for, until there is this one.
        self.can_grow = dfa is None
        self._automaton = automaton
        # Below this many states a deterministic automaton is not worthwhile.
        self._too_few_states = 0
        self._nodes: Graph | None = None

    @property
    def is_everything(self) -> bool:
        """True if every text is in it; may say no where it is hard to see."""
        return self.tree == ANYTHING

    def accepts(self, text: str, max_states: int) -> bool:
        """True if the text is in the language."""
        if self._bounded is not None:
            whole, low, high = self._bounded
            fits = low <= len(text) and (high is None or len(text) <= high)
            return fits and whole.accepts(text, max_states)
        if self._only_text is not None:
            return text == self._only_text
        if self._dfa is not None:
            return self._dfa.accepts(text)
        return self._positions(max_states).accepts(text)

    def dfa(self, max_states: int) -> Dfa:
        """The language as a minimal automaton.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        if self._dfa is None and self._bounded is not None:
            whole, low, high = self._bounded
            found = whole.dfa(max_states).trimmed()
            if high is not None and longest_text(found) <= high:
                high = None
            if max(low, high or 0) > max_states:
                raise TooComplexError("max_pattern_states", max(low, high or 0), max_states)
            self._dfa = found.intersect(Dfa.of_lengths(low, high), max_states).minimized()
            self.can_grow = False
        if self._dfa is None:
            if max_states <= self._too_few_states:
                raise TooComplexError("max_pattern_states", max_states + 1, max_states)
            try:
                self._dfa = self._positions(max_states).determinize(max_states).minimized()
                self.can_grow = False
            except TooComplexError:
                self._too_few_states = max_states
                raise
            finally:
                self._automaton = None
        return self._dfa

    @property
    def num_bytes(self) -> int:
        """Memory held; it may grow when the language is asked for more."""
        source = None if self._source is self.tree else self._source
        bounded = None if self._bounded is None else self._bounded[0]
        nodes = sum([tree.facts.size for tree in (self.tree, source) if tree is not None])
        parts = (self._dfa, self._automaton, self._nodes, bounded)
        return NODE_BYTES * nodes + sum([part.num_bytes for part in parts if part is not None])

    def with_lengths(self, low: int, high: int | None) -> Language:
        """Return the texts of `low` to `high` characters."""
        if low == 0 and high is None:
            return self
        limited = None if self.tree is None else with_lengths(self.tree, low, high)
        if limited is not None:
            return self if limited == self.tree else Language(limited)
        least, most = (0, None) if self._source is None else self._source.facts[:2]
        if (high is not None and least > high) or (most is not None and most < low):
            return Language(NOTHING)
        whole, first, last = self._bounded or (self, 0, None)
        last = high if last is None else last if high is None else min(high, last)
        return Language(None, bounded=(whole, max(low, first), last))

    def intersect(self, other: Language, max_states: int) -> Language:
        """Return the texts of both.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        plain = self._plain_intersection(other, max_states)
        if plain is not None:
            return plain
        with suppress(TooComplexError):
            return Language(None, self._product(other, max_states).minimized())
        return _looking(self._whole(max_states, holds=True), other._matched(max_states), max_states)

    def _plain_intersection(self, other: Language, max_states: int) -> Language | None:
        """Return the texts of both, where one is every text or has one text alone; else None."""
        if self.is_everything or other.is_everything:
            return other if self.is_everything else self
        if not intersect(self._first, other._first):
            return Language(NOTHING)
        for one, another in ((self, other), (other, self)):
            if one._only_text is not None:
                return one if another.accepts(one._only_text, max_states) else Language(NOTHING)
        for one, another in ((self, other), (other, self)):
            # Lengths come last: they multiply with everything else.
            if one._bounded is not None:
                whole, low, high = one._bounded
                return whole.intersect(another, max_states).with_lengths(low, high)
            match one.tree:
                case Repeat(Chars() as body, low, high) if (low, high) != (0, None):
                    every = Language(Repeat(body, 0, None))
                    return another.intersect(every, max_states).with_lengths(low, high)
        return None

    def _product(self, other: Language, max_states: int) -> Dfa:
        return self.dfa(max_states).intersect(other.dfa(max_states), max_states)

    def _whole(self, max_states: int, *, holds: bool) -> Look:
        """Holds at the beginning of the language's texts, or of all others."""
        return Look(sequence(self._matched(max_states), End()), ahead=True, holds=holds)

    def _matched(self, max_states: int) -> Node:
        """Return the tree that matches the texts as a whole, assertions and all."""
        if self._source is None:
            raise TooComplexError("max_pattern_states", max_states + 1, max_states)
        return self._source

    def is_disjoint(self, other: Language, max_states: int) -> bool:
        """True if no text is in both.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        found = self._meets_looking(other, max_states)
        if found is not None:
            return not found
        both = self._plain_intersection(other, max_states)
        if both is None:
            with suppress(TooComplexError):
                return self._product(other, max_states).is_empty
            both = _looking(self._whole(max_states, holds=True), other._matched(max_states), max_states)
        return both.is_empty(max_states)

    @cached_property
    def example(self) -> str | None:
        """A text of the language; None where there is none, or none is seen quickly."""
        return None if self.tree is None else example(self.tree)

    @cached_property
    def _first(self) -> Ranges:
        return ALL if self.tree is None else first_of(self.tree)

    def _meets_looking(self, other: Language, max_states: int) -> bool | None:
        """True if some text is in both, where one of them looks around; None if few steps do not decide it."""
        ours, theirs = self._source, other._source
        if ours is None or theirs is None or not (ours.facts.has_anchor or theirs.facts.has_anchor):
            return None
        if self._dfa is not None and other._dfa is not None:
            return None
        with suppress(TooComplexError):
            both = sequence(self._whole(max_states, holds=True), theirs)
            return LookAutomaton(both, max_states).has_text(_MAX_TRIED_STEPS)
        return None

    def complement(self, max_states: int) -> Language:
        """Every other text."""
        if self.is_everything:
            return Language(NOTHING)
        others = None if self._source is None else sequence(self._whole(max_states, holds=False), ANYTHING)
        with suppress(TooComplexError):
            return Language(None, self.dfa(max_states).complement(), source=others)
        return _looking(self._whole(max_states, holds=False), ANYTHING, max_states)

    def without(self, words: Collection[str], max_states: int) -> Language:
        """The language less a finite set of texts."""
        current_effort().spend_cells(_CELLS_A_WORD * len(words), max_states)
        unwanted = tuple(word for word in words if self.accepts(word, max_states))
        return _without(self, unwanted, max_states) if unwanted else self

    def is_empty(self, max_states: int) -> bool:
        """True if no text is in it."""
        if self.tree is not None:
            return not has_text(self.tree)
        if self._bounded is not None:
            whole, low, high = self._bounded
            return not has_length(whole.dfa(max_states).trimmed(), low, high)
        if (graph := self._graph(max_states)) is not None:
            return not graph.accepting.any() and not any(map(has_text, graph.tails.values()))
        return self.dfa(max_states).is_empty

    def length_range(self) -> tuple[int, int | None]:
        """Bounds on the number of characters of a text, not always tight."""
        return (0, None) if self.tree is None else self.tree.facts[:2]

    @property
    def goes_on(self) -> bool:
        """True if every beginning of a text is one of longer and longer texts; may say no where it is hard to see."""
        if self.tree is not None:
            return goes_on(self.tree)
        if self._bounded is not None:
            return self._bounded[2] is None and self._bounded[0].goes_on
        return self._dfa is not None and self._dfa.goes_on

    def words(self, most: int) -> list[str] | None:
        """Return all texts; None if more than `most`, or hard to list."""
        options = self.tree.options if isinstance(self.tree, Alt) else (self.tree,)
        texts = [text for option in options if option is not None and (text := only_text(option)) is not None]
        if len(texts) == len(options):
            return texts if len(texts) <= most else None
        if self.length_range()[1] is None and self.tree is not None and not self.is_empty(0):
            return None
        try:
            return self.dfa(_MAX_LISTED_STATES).words(most)
        except TooComplexError:
            return None

    def emit(self, builder: NetworkBuilder, exit: int, *, escaped: bool) -> int:
        """Emit the language; returns the start state."""
        max_states = builder.limits.max_pattern_states
        if self._bounded is not None:
            whole, low, high = self._bounded
            return emit_bounded(builder, whole.dfa(max_states).trimmed(), low, high, exit, escaped=escaped)
        trees = TreeEmitter(builder, escaped)
        if (graph := self._graph(max_states)) is not None:
            tails = np.full(len(graph.accepting), -1, dtype=np.int32)
            for node, tree in graph.tails.items():
                tails[node] = trees.emit(tree, exit)
            return int(emit_states(builder, graph.moves, graph.accepting, exit, tails, escaped=escaped)[0])
        if self.tree is not None and (self._dfa is None or self.tree.facts.weight < len(self._dfa.table)):
            if not starts_anywhere(self.tree) or self.tree.facts.weight > _MAX_DETERMINIZED_WEIGHT:
                return trees.emit(self.tree, exit)
            try:
                return emit_dfa(builder, self.dfa(_MAX_DETERMINIZED_WEIGHT), exit, escaped=escaped)
            except TooComplexError:
                return trees.emit(self.tree, exit)
        return emit_dfa(builder, self.dfa(max_states), exit, escaped=escaped)

    def _graph(self, max_states: int) -> Graph | None:
        """Looks around as a graph where a small deterministic automaton does not say them; else None."""
        if self._dfa is not None or self.tree is not None or self._source is None or not self._source.facts.has_anchor:
            return None
        if self._nodes is None:
            # Counted characters become states of their own, so a tree of very many is not worth the attempt.
            if self._source.facts.weight <= _MAX_DETERMINIZED_LOOKS // 2:
                with suppress(TooComplexError):
                    self.dfa(min(max_states, _MAX_DETERMINIZED_LOOKS))
            if self._dfa is None:
                self._automaton = None
                self._nodes = LookAutomaton(self._source, max_states).graph()
        return self._nodes

    def _positions(self, max_states: int) -> Automaton | LookAutomaton:
        if self._automaton is None:
            assert self._source is not None
            kind = LookAutomaton if self._source.facts.has_anchor else Automaton
            self._automaton = kind(self._source, max_states)
        return self._automaton


def _looking(look: Look, source: Node, max_states: int) -> Language:
    """The texts of the tree at whose beginning the look holds: what is combined is only what the tree can meet."""
    tree = sequence(look, source)
    return Language(None, automaton=LookAutomaton(tree, max_states), source=tree)


@remembered()
def language_of(pattern: str, dialect: str, search: bool, limits: Limits = DEFAULT_LIMITS) -> Language:
    """Return the texts that match the pattern, whole or (`search`) anywhere.

    Raises:
        GrammarError: as `parse` and `Automaton` say.
    """
    max_states = limits.max_pattern_states
    current_effort().spend_cells(len(pattern), max_states)
    word = _find_word(pattern) if search and dialect == "ecma" else None
    if word is not None:
        return Language(tree_of(word[1]))
    tree = parse(pattern, dialect, limits.max_depth)
    rest, said = bounded_ahead(tree, search=search)
    if said:
        with suppress(TooComplexError):
            return _bounded(
                tree,
                within(rest, min(FAR if each.high is None else each.high for each in said)),
                said,
                search,
                max_states,
            )
    return _matching(tree, search, max_states)


def _matching(tree: Node, search: bool, max_states: int) -> Language:
    bare = without_anchors(tree, search=search)
    if bare is not None:
        return Language(bare)
    source = sequence(ANYTHING, tree, ANYTHING) if search else tree
    return Language(None, automaton=LookAutomaton(source, max_states), source=source)


def _bounded(whole: Node, rest: Node, said: list[Repeat], search: bool, max_states: int) -> Language:
    """The texts that match the whole tree, as those that match the rest and of which all characters are as is said."""
    found = _matching(rest, search, max_states)
    for counted in said:
        found = found.intersect(Language(counted), max_states)
    if found.tree is None:
        found._source = sequence(ANYTHING, whole, ANYTHING) if search else whole
    return found


@remembered()
def _without(language: Language, unwanted: tuple[str, ...], max_states: int) -> Language:
    if language._bounded is None:
        return Language(None, language.dfa(max_states).without(unwanted))
    whole, low, high = language._bounded
    return Language(None, bounded=(whole.without(unwanted, max_states), low, high))
