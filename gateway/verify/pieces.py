"""Texts made of pieces (tags in free text, one thing after another), each judged by what verifies its kind.

Where a piece ends need not be told by what stands there: all of its ends are followed, within bounds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from gateway.core.constraints import (
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    RegexConstraint,
    SequenceConstraint,
    TagsConstraint,
)
from gateway.verify.earley import GrammarCache
from gateway.verify.pattern import CostError, PatternCache, PatternError
from gateway.verify.productions import UnreadableError
from gateway.verify.schema import Schema

MAX_STEPS = 2_000_000
"""For a text: steps of automata and parsers, places looked at, characters of JSON."""

_SPACE = " \t\n\r"
_READER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
"""Finds where a value ends. What it is, is looked at strictly then."""

Follows = str | None
"""What stands behind a piece; an empty text where that is not known; None: nothing, the text ends there."""


class Pieces:
    """Judges one text.

    Args:
        is_valid: Whether a text is JSON of a schema.
    """

    def __init__(
        self, text: str, patterns: PatternCache, grammars: GrammarCache, is_valid: Callable[[Schema, str], bool]
    ) -> None:
        self._text = text
        self._patterns = patterns
        self._grammars = grammars
        self._is_valid = is_valid
        self._known: dict[tuple[int, int, Follows], frozenset[int]] = {}
        self._steps = 0

    def holds(self, constraint: Constraint) -> bool:
        """Return whether the whole text is one of the constraint's.

        Raises:
            UnreadableError: a piece's grammar or pattern cannot be read.
            CostError: finding out takes more than `MAX_STEPS`.
        """
        return len(self._text) in self._ends(constraint, 0, None)

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise CostError

    def _ends(self, constraint: Constraint, at: int, follows: Follows) -> frozenset[int]:
        """Where texts of the constraint that begin at a place may end, followed by what must follow."""
        key = id(constraint), at, follows
        if key not in self._known:
            self._spend(1)
            found = {end for end in self._found(constraint, at, follows) if self._may_end(end, follows)}
            self._known[key] = frozenset(found)
        return self._known[key]

    def _found(self, constraint: Constraint, at: int, follows: Follows) -> Iterable[int]:
        match constraint:
            case ChoiceConstraint(options=options):
                self._spend(len(options))
                return [at + len(each) for each in options if self._text.startswith(each, at)]
            case JsonConstraint(schema=schema):
                return self._json(schema, at)
            case RegexConstraint(pattern=pattern):
                return self._matches(pattern, at, follows)
            case GrammarConstraint():
                return self._derived(constraint, at, follows)
            case SequenceConstraint(parts=parts):
                return self._in_order(parts, at, follows)
            case TagsConstraint():
                return self._tagged(constraint, at, follows)

    def _may_end(self, end: int, follows: Follows) -> bool:
        return end == len(self._text) if follows is None else self._text.startswith(follows, end)

    def _places(self, at: int, follows: Follows) -> list[int]:
        """Where a text that begins at a place may end, as far as what follows tells."""
        if follows is None:
            return [len(self._text)]
        self._spend(len(self._text) - at)
        return [end for end in range(at, len(self._text) + 1) if self._may_end(end, follows)]

    def _json(self, schema: Schema, at: int) -> Iterator[int]:
        text, begin = self._text, at
        while begin < len(text) and text[begin] in _SPACE:
            begin += 1
        try:
            _, end = _READER.raw_decode(text, begin)
        except json.JSONDecodeError:
            return
        except RecursionError:
            raise CostError from None
        self._spend(end - at)
        # A number may end before its last digit.
        first = end if text[begin] not in "-0123456789" else begin + 1
        for last in range(first, end + 1):
            self._spend(last - begin)
            if self._is_valid(schema, text[begin:last]):
                yield last
                after = last
                while last == end and after < len(text) and text[after] in _SPACE:
                    after += 1
                    yield after

    def _matches(self, pattern: str, at: int, follows: Follows) -> Iterable[int]:
        try:
            read = self._patterns.get(pattern)
        except PatternError as error:
            raise UnreadableError(str(error)) from error
        if not read.looks_around:
            found, steps = read.ends(self._text, at, MAX_STEPS - self._steps)
            self._spend(steps)
            return found
        places = self._places(at, follows)
        self._spend(read.num_states * sum(end - at for end in places))
        return [end for end in places if read.fullmatch(self._text[at:end])]

    def _derived(self, constraint: GrammarConstraint, at: int, follows: Follows) -> Iterable[int]:
        read = self._grammars.get(constraint.text, constraint.language)
        places = self._places(at, follows) if read.looks_around else [len(self._text)]
        found: set[int] = set()
        for last in places:
            ends, steps = read.ends(self._text[at:last], MAX_STEPS - self._steps)
            self._spend(steps)
            found |= {at + end for end in ends if not read.looks_around or at + end == last}
        return found

    def _in_order(self, parts: tuple[Constraint, ...], at: int, follows: Follows) -> set[int]:
        places = {at}
        for index, part in enumerate(parts):
            behind = follows if index + 1 == len(parts) else _opening(parts[index + 1])
            places = {end for place in places for end in self._ends(part, place, behind)}
        return places

    def _tagged(self, tags: TagsConstraint, at: int, follows: Follows) -> Iterator[int]:
        """Follows free text and segments; a place in `pending` is one where either begins."""
        pending, seen = [at], {at}
        while pending:
            begin = pending.pop()
            may_end = begin > at or not tags.at_least_one
            starts: Iterable[tuple[int, str]] = [(begin, "")]
            if tags.free_text:
                starts, last = self._free(tags.triggers, begin)
                if may_end:
                    yield from (end for end in self._places(begin, follows) if end <= last)
            elif begin == at and may_end:
                yield at
            for start, trigger in starts:
                for end in self._segments(tags, start, trigger, follows):
                    if tags.stop_after_first or not tags.free_text:
                        yield end
                    goes_on = not tags.stop_after_first and (
                        tags.free_text or self._text.startswith(tags.separator, end)
                    )
                    after = end if tags.free_text else end + len(tags.separator)
                    if goes_on and after not in seen:
                        self._spend(1)
                        seen.add(after)
                        pending.append(after)

    def _free(self, triggers: tuple[str, ...], begin: int) -> tuple[list[tuple[int, str]], int]:
        """The first whole trigger behind a place, those it stands in, and where free text ends at the latest."""
        self._spend(len(self._text) - begin)
        found = [(place, trigger) for trigger in triggers if (place := self._text.find(trigger, begin)) >= 0]
        if not found:
            return [], len(self._text)
        # Of those that are whole at one place, the longest counts as first; text before it holds none that is whole.
        place, trigger = min(found, key=lambda each: (each[0] + len(each[1]), each[0]))
        around = [each for each in found if each[0] <= place]
        return around, place + len(trigger) - 1

    def _segments(self, tags: TagsConstraint, start: int, trigger: str, follows: Follows) -> Iterator[int]:
        for segment in tags.segments:
            self._spend(1)
            if not segment.begin.startswith(trigger) or not self._text.startswith(segment.begin, start):
                continue
            behind = segment.end or (follows if tags.stop_after_first else "")
            for end in self._ends(segment.content, start + len(segment.begin), behind):
                yield end + len(segment.end)


def _opening(constraint: Constraint) -> str:
    """What each text of the constraint begins with, as far as that is plain."""
    match constraint:
        case ChoiceConstraint(options=(only,)):
            return only
        case TagsConstraint(segments=(only,), free_text=False, at_least_one=True):
            return only.begin
    return ""
