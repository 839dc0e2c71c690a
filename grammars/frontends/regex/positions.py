"""The positions of a pattern and what can follow each: Glushkov's automaton, anchors and all (1961).

A tree is followed from its end. What may come after a part is known then, so each part is told it and tells what may
come where it begins; a loop, which comes after itself, stands for a while as a mark that is replaced once its body is
known. A set of positions is one integer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grammars.frontends.regex.charset import Ranges, contains
from grammars.frontends.regex.syntax import Alt, Begin, Chars, End, Node, Repeat, Seq

_NEWLINE = 10
# The bit that says that the text may end. Positions, and marks, are the bits above it.
_END = 1


class After(NamedTuple):
    """What may come: within a text, and where none of it was read, which is where `Begin` holds."""

    within: int
    at_begin: int


class Positions:
    """Positions, each with the characters that it reads and the set of those that may follow.

    Args:
        tree: without looks around.
        spend: is told how many steps are taken, and raises where they are too many.

    Attributes:
        start: the set with which texts begin; ranges, follow: of each position. In the sets position p is the bit p,
            and the bit behind the last says that the text may end.
    """

    def __init__(self, tree: Node, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self.ranges: list[Ranges] = [()]
        self.follow: list[int] = [0]
        # Of each mark of a final newline, what comes where it stands.
        self._newlines: dict[int, After] = {}
        start = self._add(tree, After(_END, _END)).at_begin
        if self._newlines:
            start = self._without_newlines(start)
        accept = 1 << (len(self.ranges) - 1)
        self.start = start >> 1 | (accept if start & _END else 0)
        self.ranges = self.ranges[1:]
        self.follow = [after >> 1 | (accept if after & _END else 0) for after in self.follow[1:]]

    def _add(self, node: Node, after: After) -> After:
        """Adds the positions of the node, which come before `after`; what may come where it begins."""
        match node:
            case Chars(ranges):
                bit = self._position(ranges, after.within)
                return After(bit, bit)
            case Seq(items):
                for item in reversed(items):
                    after = self._add(item, after)
                return after
            case Alt(options):
                within = at_begin = 0
                for option in options:
                    found = self._add(option, after)
                    within, at_begin = within | found.within, at_begin | found.at_begin
                return After(within, at_begin)
            case Repeat(body, low, high):
                return self._repeat(body, low, high, after)
            case Begin():
                return After(0, after.at_begin)
            case _:
                assert isinstance(node, End)
                mark = 0
                if node.before_newline:
                    mark = self._position((), 0)
                    self._newlines[mark] = after
                return After(after.within & _END | mark, after.at_begin & _END | mark)

    def _position(self, ranges: Ranges, follow: int) -> int:
        self._spend(1)
        self.ranges.append(ranges)
        self.follow.append(follow)
        return 1 << (len(self.ranges) - 1)

    def _repeat(self, body: Node, low: int, high: int | None, after: After) -> After:
        if high is None:
            within, at_begin = self._loop(body, after)
            # Once around is the first of those that have to be.
            after = After(within, at_begin) if low else After(within | after.within, at_begin | after.at_begin)
            low -= 1
        else:
            end = after
            for _ in range(high - low):
                within, at_begin = self._add(body, after)
                after = After(within | end.within, at_begin | end.at_begin)
        for _ in range(low):
            after = self._add(body, after)
        return after

    def _loop(self, body: Node, after: After) -> After:
        """The body any number of times, but at least once."""
        mark, first = self._position((), 0), len(self.ranges)
        within, at_begin = self._add(body, After(after.within | mark, after.at_begin | mark))
        # Whatever leads on to the mark leads on to what comes after the loop.
        again, again_at_begin = within & ~mark | after.within, at_begin & ~mark | after.at_begin
        self._spend(len(self.ranges) - first)
        follow = self.follow
        for position in range(first, len(follow)):
            if follow[position] & mark:
                follow[position] = follow[position] & ~mark | again
        for newline, (inside, begin) in self._newlines.items():
            if newline >> first:
                inside = inside & ~mark | again if inside & mark else inside
                begin = begin & ~mark | again_at_begin if begin & mark else begin
                self._newlines[newline] = After(inside, begin)
        return After(within & ~mark, at_begin & ~mark)

    def _without_newlines(self, start: int) -> int:
        """Puts positions in for the marks of final newlines; what `start` is then."""
        marks = sum(self._newlines)
        copies: dict[int, int] = {}
        self._spend(len(self.ranges) * len(self._newlines))
        within = {mark: self._copied(after.within, 0, copies) for mark, after in self._newlines.items()}
        at_begin = {mark: self._copied(after.at_begin, 1, copies) for mark, after in self._newlines.items()}
        for position, after in enumerate(self.follow):
            if after & marks:
                self.follow[position] = _replaced(after, within)
        return _replaced(start, at_begin)

    def _copied(self, after: int, which: int, copies: dict[int, int]) -> int:
        """Positions that read the newline of `after` where the text ends behind it, themselves or behind further marks.

        Args:
            which: the field of `After` that marks stand for.
        """
        seen, pending, found = 0, [after], 0
        while pending:
            for bit in bits_of(pending.pop() & ~seen):
                seen |= 1 << bit
                if 1 << bit in self._newlines:
                    pending.append(self._newlines[1 << bit][which])
                elif bit and self.follow[bit] & _END and contains(self.ranges[bit], _NEWLINE):
                    if bit not in copies:
                        copies[bit] = self._position(((_NEWLINE, _NEWLINE),), _END)
                    found |= copies[bit]
        return found


def _replaced(after: int, instead: dict[int, int]) -> int:
    for mark, found in instead.items():
        if after & mark:
            after = after & ~mark | found
    return after


def bits_of(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
