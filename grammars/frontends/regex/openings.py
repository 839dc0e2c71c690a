"""How the texts of a tree begin: a quick look that often tells two languages apart."""

from __future__ import annotations

from grammars.frontends.regex.charset import Ranges, intersect, union
from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq

_MAX_PLACES = 32
# Shared parts are looked at as often as they are met.
_MAX_SIZE = 2_000


def opening(tree: Node) -> list[Ranges]:
    """Of each of the first characters a set that it is in; every text has at least so many."""
    return _opening(tree)[0] if tree.facts.size <= _MAX_SIZE else []


def _opening(tree: Node) -> tuple[list[Ranges], bool]:
    """The opening, and whether every text ends with it."""
    match tree:
        case Chars(ranges):
            return [ranges], True
        case Seq(items):
            found: list[Ranges] = []
            for item in items:
                sets, is_whole = _opening(item)
                found += sets
                if not is_whole or len(found) > _MAX_PLACES:
                    return found[:_MAX_PLACES], False
            return found, True
        case Alt(options) if options:
            parts = [_opening(option) for option in options]
            size = min([len(sets) for sets, _ in parts])
            united = [union(*[sets[place] for sets, _ in parts]) for place in range(size)]
            return united, all(is_whole and len(sets) == size for sets, is_whole in parts)
        case Repeat(body, low, high) if low > 0:
            sets, is_whole = _opening(body)
            if not is_whole or len(sets) * low > _MAX_PLACES:
                return (sets * min(low, _MAX_PLACES) if is_whole else sets)[:_MAX_PLACES], False
            return sets * low, low == high
        case _:
            return [], False


def differ(first: list[Ranges], second: list[Ranges]) -> bool:
    """Whether no text can begin in both ways."""
    return any(not intersect(ours, theirs) for ours, theirs in zip(first, second, strict=False))
