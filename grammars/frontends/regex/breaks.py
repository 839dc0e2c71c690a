"""How many breaks a pattern is sure to have, see `vocabulary.breaks`."""

from __future__ import annotations

from functools import reduce

from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq
from grammars.vocabulary.breaks import BLANK, LETTER, RARE, kinds_in

# Fewest breaks from (after a letter, after a blank) to (after a letter, after a blank).
_Ways = tuple[tuple[int, int], tuple[int, int]]
_NO_WAY = 1 << 20
_STAYING: _Ways = ((0, _NO_WAY), (_NO_WAY, 0))
_NOWHERE: _Ways = ((_NO_WAY, _NO_WAY), (_NO_WAY, _NO_WAY))
# Nodes of a tree that are looked at one by one, however often they are shared, and rounds of a repeat.
_MAX_SIZE, _MAX_ROUNDS = 64, 16


def fewest_breaks(node: Node) -> int:
    """Fewest breaks in a match, or less, whatever is before it."""
    return 0 if node.facts.size > _MAX_SIZE else min(map(min, _ways(node)))


def _ways(node: Node) -> _Ways:
    match node:
        case Chars(ranges):
            kinds = kinds_in(ranges)
            letter = 0 if kinds[LETTER] else 1 if kinds[RARE] else _NO_WAY
            return (letter, 1 if kinds[BLANK] else _NO_WAY), (letter, 0 if kinds[BLANK] else _NO_WAY)
        case Seq(items):
            return reduce(_then, map(_ways, items), _STAYING)
        case Alt(options):
            return reduce(_either, map(_ways, options), _NOWHERE)
        case Repeat(body, low, high):
            once = _ways(body)
            least = reduce(_then, [once] * min(low, _MAX_ROUNDS), _STAYING)
            # What comes beyond these rounds may turn one kind of end into the other.
            return least if high == low <= _MAX_ROUNDS else _then(least, _either(_STAYING, once))
        case _:
            return _STAYING


def _then(first: _Ways, second: _Ways) -> _Ways:
    (a, b), (c, d) = first
    (e, f), (g, h) = second
    return (min(a + e, b + g), min(a + f, b + h)), (min(c + e, d + g), min(c + f, d + h))


def _either(first: _Ways, second: _Ways) -> _Ways:
    (a, b), (c, d) = first
    (e, f), (g, h) = second
    return (min(a, e), min(b, f)), (min(c, g), min(d, h))
