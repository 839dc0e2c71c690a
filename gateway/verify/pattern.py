"""Python's regular expressions, matched in linear time.

Python's own reader gives the syntax tree and its own engine decides single characters and positions, so the language
is exactly `re.fullmatch`'s. Only the search is replaced: all alternatives advance together, one character at a time,
instead of one after the other by backtracking.

See: Thompson, "Regular Expression Search Algorithm", CACM 11(6), 1968.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # the only access to Python's own reading
from typing import Any

MAX_PATTERN_CHARACTERS = 20_000
MAX_STATES = 100_000
"""Places in the pattern, counted repeats unrolled; about 150 bytes each."""

MAX_STEPS = 2_000_000
"""States visited while matching one text; about a microsecond each."""

_ALPHABETS = re.ASCII | re.UNICODE


class PatternError(ValueError):
    """A pattern that is malformed, or that cannot be matched in linear time."""

    code = "unverifiable_pattern"
    retryable = False
    hint = "No backreferences, look-around, conditional, atomic or possessive groups."


class CostError(Exception):
    """Matching took more than `MAX_STEPS`."""


class LinearPattern:
    """A pattern of Python's, compiled for linear-time matching.

    Attributes:
        looks_around: The match depends on the surrounding text: word, line or text boundaries.

    Raises:
        PatternError: it is malformed, has a construct that is not regular, or is too large.
    """

    __slots__ = ("_start", "_states", "looks_around")

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_PATTERN_CHARACTERS:
            raise PatternError(f"the pattern is longer than {MAX_PATTERN_CHARACTERS} characters")
        try:
            tree = _parser.parse(pattern)
            builder = _Builder()
            self._start = builder.build(tree, tree.state.flags, builder.accept)
        except re.error as error:
            raise PatternError(str(error)) from error
        except (RecursionError, OverflowError) as error:
            raise PatternError("the pattern is nested too deeply or counts too far") from error
        self._states = builder.states
        self.looks_around = any(state.place for state in self._states)

    @property
    def num_states(self) -> int:
        """Return the number of states, which measures its memory."""
        return len(self._states)

    def fullmatch(self, text: str) -> bool:
        """Return whether the whole text matches.

        Cost: at most the states times the characters.

        Raises:
            CostError: that is more than `MAX_STEPS`.
        """
        steps = 0
        current = self._close([self._start], text, 0)
        for at, char in enumerate(text):
            steps += len(current) + 1
            if steps > MAX_STEPS:
                raise CostError
            states = self._states
            following = {
                state.target for state in (states[number] for number in current) if state.char and state.char(char)
            }
            if not following:
                return False
            current = self._close(following, text, at + 1)
        return _Builder.accept in current

    def ends(self, text: str, begin: int, max_steps: int) -> tuple[list[int], int]:
        """Return where matches that begin at a place of the text may end, and the steps that it took to find out.

        Raises:
            CostError: that is more than `max_steps`.
        """
        found: list[int] = []
        steps, at = 1, begin
        current = self._close([self._start], text, at)
        while current:
            if _Builder.accept in current:
                found.append(at)
            steps += len(current)
            if steps > max_steps:
                raise CostError
            if at == len(text):
                break
            states, char = self._states, text[at]
            at += 1
            following = {
                state.target for state in (states[number] for number in current) if state.char and state.char(char)
            }
            current = self._close(following, text, at)
        return found, steps

    def _close(self, numbers: Iterable[int], text: str, at: int) -> set[int]:
        """Return the states that are reached without a character at this place of the text."""
        seen = set(numbers)
        pending = list(seen)
        while pending:
            state = self._states[pending.pop()]
            if state.place is None or state.place(text, at):
                for number in state.epsilon:
                    if number not in seen:
                        seen.add(number)
                        pending.append(number)
        return seen


class _State:
    """A state: a character with its target, or other states, some only at certain positions."""

    __slots__ = ("char", "epsilon", "place", "target")

    def __init__(
        self,
        epsilon: tuple[int, ...] = (),
        char: Callable[[str], Any] | None = None,
        target: int = 0,
        place: Callable[[str, int], Any] | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.char = char
        self.target = target
        self.place = place


class _Builder:
    """Turns Python's syntax tree into states, back to front: each part continues with what follows it."""

    accept = 0

    def __init__(self) -> None:
        self.states = [_State()]
        self._matchers: dict[str, re.Pattern[str]] = {}

    def build(self, tree: Any, flags: int, following: int) -> int:
        """Return the state that matches the tree and goes on at `following`."""
        for operator, argument in reversed(list(tree)):
            following = self._build_item(operator, argument, flags, following)
        return following

    def _add(self, state: _State) -> int:
        if len(self.states) >= MAX_STATES:
            raise PatternError(f"the pattern needs more than {MAX_STATES} states")
        self.states.append(state)
        return len(self.states) - 1

    def _build_item(self, operator: Any, argument: Any, flags: int, following: int) -> int:
        if operator in (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN):
            matcher = self._matcher(operator, argument, flags)
            return self._add(_State(char=matcher.fullmatch, target=following))
        if operator is _constants.AT:
            matcher = self._matcher(operator, argument, flags)
            return self._add(_State((following,), place=matcher.match))
        if operator is _constants.BRANCH:
            _, branches = argument
            return self._add(_State(tuple(self.build(branch, flags, following) for branch in branches)))
        if operator is _constants.SUBPATTERN:
            _, added, removed, tree = argument
            # A group that says which characters are letters says it instead of what is around it.
            kept = flags & ~_ALPHABETS if added & _ALPHABETS else flags
            return self.build(tree, (kept | added) & ~removed, following)
        if operator in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            low, high, repeated = argument
            return self._build_repeat(low, high, repeated, flags, following)
        raise PatternError(f"{str(operator).lower().replace('_', ' ')} cannot be matched in linear time")

    def _build_repeat(self, low: int, high: int, tree: Any, flags: int, following: int) -> int:
        end = following
        if high is _constants.MAXREPEAT:
            following = self._add(_State())
            self.states[following].epsilon = (self.build(tree, flags, following), end)
        else:
            for _ in range(high - low):
                following = self._optional(self.build(tree, flags, following), end)
        for _ in range(low):
            following = self.build(tree, flags, following)
        return following

    def _optional(self, start: int, end: int) -> int:
        """Return the state that goes on at either."""
        if start != end and start == len(self.states) - 1 and self.states[start].char:
            # Built just now, so nothing else leads there: it may skip to the end, too, itself.
            self.states[start].epsilon += (end,)
            return start
        return self._add(_State((start, end)))

    def _matcher(self, operator: Any, argument: Any, flags: int) -> re.Pattern[str]:
        key = f"{operator} {argument} {flags}"
        if key not in self._matchers:
            item = _parser.SubPattern(_parser.State(), [(operator, argument)])
            self._matchers[key] = _compiler.compile(item, flags)
        return self._matchers[key]


class PatternCache:
    """Recently compiled patterns, bounded by their total states. Thread-safe."""

    def __init__(self, max_states: int = 2 * MAX_STATES) -> None:
        self._max_states = max_states
        self._num_states = 0
        self._patterns: OrderedDict[str, LinearPattern] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, pattern: str) -> LinearPattern:
        """Return the compiled pattern.

        Raises:
            PatternError: see `LinearPattern`.
        """
        with self._lock:
            found = self._patterns.get(pattern)
            if found is not None:
                self._patterns.move_to_end(pattern)
                return found
        built = LinearPattern(pattern)
        with self._lock:
            if pattern not in self._patterns:
                self._patterns[pattern] = built
                self._num_states += built.num_states
            while self._num_states > self._max_states:
                _, oldest = self._patterns.popitem(last=False)
                self._num_states -= oldest.num_states
        return built
