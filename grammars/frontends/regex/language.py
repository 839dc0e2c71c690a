"""The texts a pattern stands for, with the operations that JSON Schema needs on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

import numpy as np

from grammars.errors import TooComplexError
from grammars.frontends.regex.automaton import Automaton
from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.dfa import Dfa
from grammars.frontends.regex.effort import current_effort
from grammars.frontends.regex.emit import emit_dfa, emit_states, emit_tree, moves_in
from grammars.frontends.regex.lengths import emit_bounded, has_length, longest_text
from grammars.frontends.regex.lookaround import Graph, LookAutomaton
from grammars.frontends.regex.normalize import with_lengths, without_anchors
from grammars.frontends.regex.openings import can_begin, differ, example, flow_together, opening
from grammars.frontends.regex.parser import parse
from grammars.frontends.regex.syntax import (
    ANYTHING,
    NOTHING,
    Alt,
    End,
    Look,
    Node,
    Repeat,
    Seq,
    has_look,
    length_range,
    sequence,
    weight,
)
from grammars.frontends.regex.words import has_text, only_text, tree_of, words_of
from grammars.network.builder import NetworkBuilder
from grammars.weighted import remembered

# Trees of more characters than this are not worth determinizing for the sake of fewer configurations.
_MAX_DETERMINIZED_WEIGHT = 120
# Beyond this a nondeterministic automaton is tried for looks around.
_MAX_DETERMINIZED_LOOKS = 400
_find_word = re.compile("\\^([A-Za-z0-9_]+)\\$").fullmatch
# States of an automaton that is made only to list its texts.
_MAX_LISTED_STATES = 512
# Steps after which a text that two languages share is looked for in another way.
_MAX_TRIED_STEPS = 4_000


class Language:
    """A set of texts: a tree without anchors, a deterministic automaton, or both.

    Args:
        tree: None where anchors stand inside.
        dfa: None until someone needs it.
        automaton: what `dfa` is made from; kept only until that was tried, as it can be large.
        source: a tree, assertions and all, that matches the texts of the language as a whole; may be unknown.
        bounded: together with bounds on the number of characters, what the language is; all else is None then.
    """

    # See `weighted.ANSWERS`: automata are made when they are asked for.
    can_grow = True

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
        self._automaton = automaton
        # So many states are too few for a deterministic automaton.
        self._too_few_states = 0
        self._nodes: Graph | None = None

    @property
    def is_everything(self) -> bool:
        """Whether every text is in it; may say no where it is hard to see."""
        return self.tree == ANYTHING

    def accepts(self, text: str, max_states: int) -> bool:
        """Whether the text is in the language."""
        if self._bounded is not None:
            whole, low, high = self._bounded
            fits = low <= len(text) and (high is None or len(text) <= high)
            return fits and whole.accepts(text, max_states)
        if self._only_text is not None:
            return text == self._only_text
        if self._dfa is not None:
            return self._dfa.accepts(text)
        if self._opening and not can_begin(self._opening, text):
            return False
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
        if self._dfa is None:
            if max_states <= self._too_few_states:
                raise TooComplexError("max_pattern_states", max_states + 1, max_states)
            try:
                self._dfa = self._positions(max_states).determinize(max_states).minimized()
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
        parts = (self.tree, source, self._dfa, self._automaton, self._nodes, bounded)
        return sum([part.num_bytes for part in parts if part is not None])

    def with_lengths(self, low: int, high: int | None) -> Language:
        """The texts of `low` to `high` characters."""
        if low == 0 and high is None:
            return self
        limited = None if self.tree is None else with_lengths(self.tree, low, high)
        if limited is not None:
            return self if limited == self.tree else Language(limited)
        return self._told_by(Language(None, bounded=(self, low, high)))

    def intersect(self, other: Language, max_states: int) -> Language:
        """The texts of both.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        plain = self._plain_intersection(other, max_states)
        if plain is not None:
            return plain
        try:
            return self._told_by(Language(None, self._product(other, max_states).minimized()), other)
        except TooComplexError:
            both = self._looking_at(other, max_states)
            if both is None:
                raise
            return both

    def _plain_intersection(self, other: Language, max_states: int) -> Language | None:
        """The texts of both, where one is every text or has one text alone, or none begins like both; else None."""
        if self.is_everything or other.is_everything:
            return other if self.is_everything else self
        if differ(self._opening, other._opening):
            return Language(NOTHING)
        for one, another in ((self, other), (other, self)):
            if one._only_text is not None:
                return one if another.accepts(one._only_text, max_states) else Language(NOTHING)
        return None

    def _product(self, other: Language, max_states: int) -> Dfa:
        return self.dfa(max_states).intersect(other.dfa(max_states), max_states)

    def _looking_at(self, other: Language, max_states: int) -> Language | None:
        """The texts of both, as those of the one at whose beginning the other is; None where they have no tree."""
        if self._source is None or other._source is None:
            return None
        return _looking(_whole(self._source, holds=True), other._source, max_states)

    def is_disjoint(self, other: Language, max_states: int) -> bool:
        """Whether no text is in both.

        Raises:
            TooComplexError: more than `max_states` states.
        """
        if differ(self._opening, other._opening):
            return True
        if self._plainly_meets(other, max_states):
            return False
        found = self._meets_looking(other, max_states)
        if found is not None:
            return not found
        both = self._plain_intersection(other, max_states)
        if both is None:
            try:
                return self._product(other, max_states).is_empty
            except TooComplexError:
                both = self._looking_at(other, max_states)
                if both is None:
                    raise
        return both.is_empty(max_states)

    def _plainly_meets(self, other: Language, max_states: int) -> bool:
        """Whether some text is in both, as far as the trees and an example of each tell."""
        for one, another in ((self, other), (other, self)):
            text = one.example
            if text is None or (another.tree is None and another._dfa is None):
                continue
            if another.example is not None and flow_together(one.tree, another.tree):
                return True
            with suppress(TooComplexError):
                if another.accepts(text, max_states):
                    return True
        return False

    @cached_property
    def example(self) -> str | None:
        """A text of the language; None where there is none, or none is seen quickly."""
        return None if self.tree is None else example(self.tree)

    @cached_property
    def _opening(self) -> list[Ranges]:
        return [] if self.tree is None else opening(self.tree)

    def _told_by(self, part: Language, other: Language | None = None) -> Language:
        """Some of the texts of this language, and of the other, which begin as those do."""
        ours, theirs = self._opening, [] if other is None else other._opening
        part._opening = ours if len(ours) > len(theirs) else theirs
        return part

    def _meets_looking(self, other: Language, max_states: int) -> bool | None:
        """Whether some text is in both, where one of them looks around and few steps tell; else None."""
        if self._source is None or other._source is None or not (has_look(self._source) or has_look(other._source)):
            return None
        if self._dfa is not None and other._dfa is not None:
            return None
        try:
            tree = sequence(_whole(self._source, holds=True), other._source)
            return LookAutomaton(tree, search=False, max_states=max_states).has_text(_MAX_TRIED_STEPS)
        except TooComplexError:
            return None

    def complement(self, max_states: int) -> Language:
        """Every other text."""
        if self.is_everything:
            return Language(NOTHING)
        try:
            return Language(None, self.dfa(max_states).complement(), source=self._negated())
        except TooComplexError:
            if self._source is None:
                raise
            return _looking(_whole(self._source, holds=False), ANYTHING, max_states)

    def _negated(self) -> Node | None:
        return None if self._source is None else sequence(_whole(self._source, holds=False), ANYTHING)

    def without(self, words: Iterable[str], max_states: int) -> Language:
        """The language less a finite set of texts."""
        unwanted = tuple(word for word in words if self.accepts(word, max_states))
        return _without(self, unwanted, max_states) if unwanted else self

    def is_empty(self, max_states: int) -> bool:
        """Whether no text is in it."""
        if self.tree is not None:
            return not has_text(self.tree)
        if self._bounded is not None:
            whole, low, high = self._bounded
            return not has_length(whole.dfa(max_states).trimmed(), low, high)
        if (graph := self._graph(max_states)) is not None:
            return not any(graph.accepting) and not any(map(has_text, graph.tails.values()))
        return self.dfa(max_states).is_empty

    def length_range(self) -> tuple[int, int | None]:
        """Bounds on the number of characters of a text, not always tight."""
        return (0, None) if self.tree is None else length_range(self.tree)

    @property
    def goes_on(self) -> bool:
        """Whether every beginning of a text is one of longer and longer texts; may say no where it is hard to see."""
        if self.tree is not None:
            return _goes_on(self.tree)
        if self._bounded is not None:
            return self._bounded[2] is None and self._bounded[0].goes_on
        return self._dfa is not None and self._dfa.goes_on

    def words(self, most: int, max_states: int) -> list[str] | None:
        """All texts; None where they are more than `most`, or hard to list."""
        if self.tree is not None:
            return words_of(self.tree, most)
        try:
            return self.dfa(min(max_states, _MAX_LISTED_STATES)).words(most)
        except TooComplexError:
            return None

    def emit(self, builder: NetworkBuilder, exit: int, *, escaped: bool) -> int:
        """Emits the language; returns the start state."""
        max_states = builder.limits.max_pattern_states
        if self._bounded is not None:
            whole, low, high = self._bounded
            return emit_bounded(builder, whole.dfa(max_states).trimmed(), low, high, exit, escaped=escaped)
        if (graph := self._graph(max_states)) is not None:
            accepting = np.array(graph.accepting, dtype=np.uint8)
            moves = moves_in(graph.moves)
            return int(emit_states(builder, moves, accepting, exit, graph.tails, escaped=escaped)[0])
        if self.tree is not None and (self._dfa is None or weight(self.tree) < len(self._dfa.table)):
            if not _starts_anywhere(self.tree) or weight(self.tree) > _MAX_DETERMINIZED_WEIGHT:
                return emit_tree(builder, self.tree, exit, escaped=escaped)
            try:
                return emit_dfa(builder, self.dfa(_MAX_DETERMINIZED_WEIGHT), exit, escaped=escaped)
            except TooComplexError:
                return emit_tree(builder, self.tree, exit, escaped=escaped)
        return emit_dfa(builder, self.dfa(max_states), exit, escaped=escaped)

    def _graph(self, max_states: int) -> Graph | None:
        """Looks around as a graph where a small deterministic automaton does not say them; else None."""
        if self._dfa is not None or self.tree is not None or self._source is None or not has_look(self._source):
            return None
        if self._nodes is None:
            # Counted characters become states of their own, so a tree of very many is not worth the attempt.
            if weight(self._source) <= _MAX_DETERMINIZED_LOOKS // 2:
                with suppress(TooComplexError):
                    self.dfa(min(max_states, _MAX_DETERMINIZED_LOOKS))
            if self._dfa is None:
                self._automaton = None
                self._nodes = LookAutomaton(self._source, search=False, max_states=max_states).graph()
        return self._nodes

    def _positions(self, max_states: int) -> Automaton | LookAutomaton:
        if self._automaton is None:
            assert self._source is not None
            kind = LookAutomaton if has_look(self._source) else Automaton
            self._automaton = kind(self._source, search=False, max_states=max_states)
        return self._automaton


def _whole(source: Node, *, holds: bool) -> Look:
    """Holds at the beginning of the texts that the tree matches as a whole, or of all others."""
    return Look(sequence(source, End()), ahead=True, holds=holds)


def _looking(look: Look, source: Node, max_states: int) -> Language:
    """The texts of the tree at whose beginning the look holds: what is combined is only what the tree can meet."""
    tree = sequence(look, source)
    return Language(None, automaton=LookAutomaton(tree, search=False, max_states=max_states), source=tree)


def _starts_anywhere(tree: Node) -> bool:
    if isinstance(tree, Seq) and len(tree.items) > 1:
        return isinstance(tree.items[0], Repeat) and tree.items[0] == ANYTHING
    options = getattr(tree, "options", ())
    return any(_starts_anywhere(option) for option in options)


def _goes_on(tree: Node) -> bool:
    match tree:
        case Seq(items):
            return bool(items) and _goes_on(items[-1])
        case Alt(options):
            return all(map(_goes_on, options))
        case Repeat(body, _, high):
            return _goes_on(body) or (high is None and body.facts.most != 0)
    return False


@remembered()
def language_of(pattern: str, dialect: str, search: bool, max_depth: int, max_states: int) -> Language:
    """The texts that match the pattern, whole or (`search`) anywhere.

    Raises:
        GrammarError: as `parse` and `Automaton` say.
    """
    current_effort().spend_cells(len(pattern), max_states)
    word = _find_word(pattern) if search and dialect == "ecma" else None
    if word is not None:
        return Language(tree_of(word[1]))
    tree = parse(pattern, dialect, max_depth)
    bare = without_anchors(tree, search=search)
    if bare is not None:
        return Language(bare)
    source = sequence(ANYTHING, tree, ANYTHING) if search else tree
    refused, key = current_effort().refused, (pattern, dialect, search, max_states)
    if key in refused:
        raise TooComplexError("max_pattern_states", max_states + 1, max_states)
    kind = LookAutomaton if has_look(tree) else Automaton
    try:
        return Language(None, automaton=kind(tree, search=search, max_states=max_states), source=source)
    except TooComplexError:
        refused.add(key)
        raise


@remembered()
def _without(language: Language, unwanted: tuple[str, ...], max_states: int) -> Language:
    if language._bounded is None:
        return language._told_by(Language(None, language.dfa(max_states).without(unwanted)))
    whole, low, high = language._bounded
    return language._told_by(Language(None, bounded=(whole.without(unwanted, max_states), low, high)))
