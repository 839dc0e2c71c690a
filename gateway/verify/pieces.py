"""Texts of several pieces, such as tags in free text, each verified by the check of its kind.

The end of a piece may be ambiguous: all of its ends are followed, within bounds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Protocol

from gateway.core import constraints
from gateway.core.constraints import Constraint, Piece
from gateway.verify.earley import GrammarCache
from gateway.verify.pattern import CostError, PatternCache, PatternError
from gateway.verify.productions import UnreadableError
from gateway.verify.quotes import place_of_quote
from gateway.verify.schema import Schema

MAX_STEPS = 2_000_000
"""For a text: steps of automata and parsers, places looked at, characters of JSON."""

_SPACE = " \t\n\r"
_READER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
"""Finds where a value ends. What it is, is looked at strictly then."""

_Plain = (
    constraints.ChoiceConstraint
    | constraints.JsonConstraint
    | constraints.RegexConstraint
    | constraints.GrammarConstraint
    | constraints.ShortTextConstraint
    | constraints.QuotationConstraint
)
Follows = str | None
"""Text after a piece; empty if unknown; None if the text ends there."""


_SPECIAL = re.compile("[\ud800-\udbff]")


class Tokens(Protocol):
    """The model's tokens, and readers of its tool formats.

    A special token differs from text of the same name: it is two characters, see `special`.
    """

    def spelled(self, text: str) -> str:
        """Return a text of a constraint with special tokens for their names."""

    def named(self, text: str) -> str:
        """Return the text with names for special tokens again."""

    def text_of(self, token: int | str) -> str:
        """Return a token, given by its number, name or text, in the same form."""

    def lengths_at(self, text: str, at: int) -> Iterable[int]:
        """Return how many characters the tokens have with which a text goes on at a place; none for special ones."""

    def arguments(self, format_name: str, schema: Schema, text: str) -> str | None:
        """Return the JSON of arguments in a tool format; None if the text is malformed."""


def special(token_id: int) -> str:
    """Return the placeholder of a special token: two surrogates, which no text contains."""
    return chr(0xD800 + (token_id >> 10)) + chr(0xDC00 + (token_id & 0x3FF))


class PlainTokens:
    """No tokens but those that texts are written in."""

    def spelled(self, text: str) -> str:
        """See `Tokens.spelled`."""
        return text

    def named(self, text: str) -> str:
        """See `Tokens.named`."""
        return text

    def text_of(self, token: int | str) -> str:
        """See `Tokens.text_of`."""
        raise UnreadableError(f"the token {token} without a vocabulary")

    def lengths_at(self, text: str, at: int) -> Iterable[int]:
        """See `Tokens.lengths_at`."""
        raise UnreadableError("a token without a vocabulary")

    def arguments(self, format_name: str, schema: Schema, text: str) -> str | None:
        """See `Tokens.arguments`."""
        raise UnreadableError(f"arguments in the format {format_name}")


PLAIN = PlainTokens()


class Pieces:
    """Verifies one text.

    Args:
        text: Special tokens in it are as `special` writes them.
        is_valid: Returns whether a text is JSON valid in a schema.
    """

    def __init__(
        self,
        text: str,
        patterns: PatternCache,
        grammars: GrammarCache,
        is_valid: Callable[[Schema, str], bool],
        tokens: Tokens,
    ) -> None:
        self._text = text
        self._tokens = tokens
        self._spelled = cache(tokens.spelled)
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

    def _ends(self, constraint: Constraint | Piece, at: int, follows: Follows) -> frozenset[int]:
        """Return the places where texts of the constraint may end, with the required continuation."""
        key = id(constraint), at, follows
        if key not in self._known:
            self._spend(1)
            found = {end for end in self._found(constraint, at, follows) if self._may_end(end, follows)}
            self._known[key] = frozenset(found)
        return self._known[key]

    def _found(self, constraint: Constraint | Piece, at: int, follows: Follows) -> Iterable[int]:
        match constraint:
            case constraints.SequenceConstraint(parts=parts):
                return self._in_order(parts, at, follows)
            case constraints.TagsConstraint():
                return self._tagged(constraint, at, follows)
            case constraints.TokenConstraint(token=token):
                text = self._tokens.text_of(token)
                return [at + len(text)] if self._text.startswith(text, at) else []
            case constraints.TokensConstraint():
                return self._one_of_tokens(constraint, at) if constraint.is_one else self._any_of_tokens(constraint, at)
            case constraints.ArgumentsConstraint():
                return self._arguments(constraint, at, follows)
        stop = self._special(at)
        return (end for end in self._plain(constraint, at, follows) if end <= stop)

    def _plain(self, constraint: _Plain, at: int, follows: Follows) -> Iterable[int]:
        """Return the places where texts without special tokens may end."""
        match constraint:
            case constraints.ChoiceConstraint(options=options):
                self._spend(len(options))
                return [at + len(each) for each in options if self._text.startswith(each, at)]
            case constraints.JsonConstraint(schema=schema):
                return self._json(schema, at)
            case constraints.RegexConstraint(pattern=pattern):
                return self._matches(pattern, at, follows)
            case constraints.GrammarConstraint():
                return self._derived(constraint, at, follows)
            case constraints.ShortTextConstraint(max_chars=most, without=without):
                last = min(at + most, self._without(without, at))
                return [end for end in self._places(at, follows) if end <= last]
            case constraints.QuotationConstraint(document=document, without=without):
                end, source = self._text.find(without, at), document.text
                self._spend(len(source) // 256)
                return [end] if end >= 0 and place_of_quote(source, self._text[at:end]) is not None else []

    def _special(self, at: int) -> int:
        """Return the place of the next special token, or the text's end."""
        found = _SPECIAL.search(self._text, at)
        return len(self._text) if found is None else found.start()

    def _without(self, texts: Iterable[str], at: int) -> int:
        """Return the last place before which no text of these occurs."""
        self._spend(len(self._text) - at)
        found = ((self._text.find(text, at), text) for text in texts)
        return min((place + len(text) - 1 for place, text in found if place >= 0), default=len(self._text))

    def _one_of_tokens(self, constraint: constraints.TokensConstraint, at: int) -> Iterator[int]:
        excluded = {self._tokens.text_of(token) for token in constraint.excluded}
        if self._special(at) == at < len(self._text):
            ends = [at + 2]
        else:
            ends = [at + size for size in self._tokens.lengths_at(self._text, at)]
        self._spend(len(ends))
        return (end for end in ends if self._text[at:end] not in excluded)

    def _any_of_tokens(self, constraint: constraints.TokensConstraint, at: int) -> Iterator[int]:
        """Yield all places between tokens, up to an excluded one."""
        texts = [*map(self._tokens.text_of, constraint.excluded), *map(self._spelled, constraint.without)]
        held = [_SPECIAL.search(text) for text in texts]
        last = self._without((text for text, first in zip(texts, held, strict=True) if first is None), at)
        for first in filter(None, held):
            token = first.string[first.start() : first.start() + 2]
            last = min(last, self._without((token,), at) - (token in self._text[at:]))
        inside = {found.start() + 1 for found in _SPECIAL.finditer(self._text, at)}
        self._spend(last - at)
        return (place for place in range(at, last + 1) if place not in inside)

    def _arguments(self, constraint: constraints.ArgumentsConstraint, at: int, follows: Follows) -> Iterator[int]:
        for end in self._places(at, follows):
            self._spend(end - at)
            text = self._tokens.named(self._text[at:end])
            found = self._tokens.arguments(constraint.format, constraint.schema, text)
            if found is not None and self._is_valid(constraint.schema, found):
                yield end

    def _may_end(self, end: int, follows: Follows) -> bool:
        return end == len(self._text) if follows is None else self._text.startswith(follows, end)

    def _places(self, at: int, follows: Follows) -> list[int]:
        """Return the places where a text may end, narrowed by the continuation."""
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

    def _derived(self, constraint: constraints.GrammarConstraint, at: int, follows: Follows) -> Iterable[int]:
        read = self._grammars.get(constraint.text, constraint.language)
        places = self._places(at, follows) if read.looks_around else [len(self._text)]
        found: set[int] = set()
        for last in places:
            ends, steps = read.ends(self._text[at:last], MAX_STEPS - self._steps)
            self._spend(steps)
            found |= {at + end for end in ends if not read.looks_around or at + end == last}
        return found

    def _in_order(self, parts: tuple[Constraint | Piece, ...], at: int, follows: Follows) -> set[int]:
        places = {at}
        for index, part in enumerate(parts):
            behind = follows if index + 1 == len(parts) else self._opening(parts[index + 1])
            places = {end for place in places for end in self._ends(part, place, behind)}
        return places

    def _tagged(self, tags: constraints.TagsConstraint, at: int, follows: Follows) -> Iterator[int]:
        """Follows free text and segments; a place in `pending` is one where either begins."""
        pending, seen, separator = [at], {at}, self._spelled(tags.separator)
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
                    goes_on = not tags.stop_after_first and (tags.free_text or self._text.startswith(separator, end))
                    after = end if tags.free_text else end + len(separator)
                    if goes_on and after not in seen:
                        self._spend(1)
                        seen.add(after)
                        pending.append(after)

    def _free(self, triggers: tuple[str, ...], begin: int) -> tuple[list[tuple[int, str]], int]:
        """Return the first complete trigger after a place, those that contain it, and the latest end of free text."""
        self._spend(len(self._text) - begin)
        spelled, stop = map(self._spelled, triggers), self._special(begin)
        found = [(place, trigger) for trigger in spelled if (place := self._text.find(trigger, begin)) >= 0]
        if not found:
            return [], stop
        # Of those that are whole at one place, the longest counts as first; text before it holds none that is whole.
        place, trigger = min(found, key=lambda each: (each[0] + len(each[1]), each[0]))
        around = [each for each in found if each[0] <= min(place, stop)]
        return around, min(place + len(trigger) - 1, stop)

    def _segments(self, tags: constraints.TagsConstraint, start: int, trigger: str, follows: Follows) -> Iterator[int]:
        for segment in tags.segments:
            self._spend(1)
            first, last = self._spelled(segment.begin), self._spelled(segment.end)
            if not first.startswith(trigger) or not self._text.startswith(first, start):
                continue
            behind = last or (follows if tags.stop_after_first else "")
            for end in self._ends(segment.content, start + len(first), behind):
                yield end + len(last)

    def _opening(self, constraint: Constraint | Piece) -> str:
        """Return the common beginning of the constraint's texts, if known."""
        match constraint:
            case constraints.ChoiceConstraint(options=(only,)):
                return only
            case constraints.TokenConstraint(token=token):
                return self._tokens.text_of(token)
            case constraints.TagsConstraint(segments=(only,), free_text=False, at_least_one=True):
                return self._spelled(only.begin)
        return ""
