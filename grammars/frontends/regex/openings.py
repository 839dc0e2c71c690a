"""How the texts of a tree begin and end, and one of them: quick looks that often tell whether two languages meet."""

from __future__ import annotations

from grammars.frontends.regex.charset import Ranges, contains, intersect, union
from grammars.frontends.regex.syntax import ANYTHING, Alt, Chars, Node, Repeat, Seq

_MAX_PLACES = 32
# Shared parts are looked at as often as they are met.
_MAX_SIZE = 2_000
# What may be left out makes what follows be looked at once more.
_MAX_OPTIONAL = 4
_MAX_EXAMPLE = 200
# Characters that sets are most likely to have in common.
_LIKELY = tuple(map(ord, "a0A"))


def opening(tree: Node) -> list[Ranges]:
    """Of each of the first characters a set that it is in; every text has at least so many."""
    return _opening(tree)[0]


def _opening(tree: Node) -> tuple[list[Ranges], bool]:
    """The opening, and whether every text ends with it."""
    if isinstance(tree, Seq):
        return _opening_of_sequence(tree.items, _MAX_OPTIONAL)
    if tree.facts.size > _MAX_SIZE:
        return [], False
    match tree:
        case Chars(ranges):
            return [ranges], True
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


def _opening_of_sequence(items: tuple[Node, ...], num_optional: int) -> tuple[list[Ranges], bool]:
    found: list[Ranges] = []
    for index, item in enumerate(items):
        sets, is_whole = _opening(item)
        found += sets
        if len(found) > _MAX_PLACES:
            return found[:_MAX_PLACES], False
        if not is_whole:
            if num_optional and isinstance(item, Repeat) and isinstance(item.body, Chars):
                rest, _ = _opening_of_sequence(items[index + 1 :], num_optional - 1)
                found += _after_more(item.body.ranges, item.high == item.low + 1, rest)
            return found[:_MAX_PLACES], False
    return found, True


def _after_more(more: Ranges, is_one: bool, rest: list[Ranges]) -> list[Ranges]:
    """The opening of any number of characters (or one at most) before what has the opening `rest`."""
    found: list[Ranges] = []
    before = more
    for ranges in rest:
        found.append(union(before, ranges))
        before = ranges if is_one else found[-1]
    return found


def differ(first: list[Ranges], second: list[Ranges]) -> bool:
    """Whether no text can begin in both ways."""
    return any(not intersect(ours, theirs) for ours, theirs in zip(first, second, strict=False))


def example(tree: Node) -> str | None:
    """A short text of a tree without anchors; None where there is none, or none is seen quickly."""
    return _example(tree) if tree.facts.size <= _MAX_SIZE and tree.facts.least <= _MAX_EXAMPLE else None


def _example(tree: Node) -> str | None:
    # What has no text may hide that the rest is long, so each part is measured.
    match tree:
        case Chars(ranges):
            if not ranges:
                return None
            return chr(next((code for code in _LIKELY if contains(ranges, code)), ranges[0][0]))
        case Seq(items):
            parts: list[str] = []
            for item in items:
                part = _example(item)
                if part is None:
                    return None
                parts.append(part)
            return "".join(parts) if sum(map(len, parts)) <= _MAX_EXAMPLE else None
        case Alt(options):
            for option in sorted(options, key=lambda option: option.facts.least):
                part = _example(option)
                if part is not None:
                    return part
            return None
        case Repeat(body, low, _):
            part = _example(body) if low else ""
            return None if part is None or len(part) * low > _MAX_EXAMPLE else part * low
    return None


def starts_anywhere(tree: Node) -> bool:
    """Whether texts begin as they like, in one of the ways to match at least."""
    if isinstance(tree, Seq) and len(tree.items) > 1:
        return isinstance(tree.items[0], Repeat) and tree.items[0] == ANYTHING
    options = getattr(tree, "options", ())
    return any(starts_anywhere(option) for option in options)


def goes_on(tree: Node) -> bool:
    """Whether every beginning of a text is one of longer and longer texts; may say no where it is hard to see."""
    match tree:
        case Seq(items):
            return bool(items) and goes_on(items[-1])
        case Alt(options):
            return all(map(goes_on, options))
        case Repeat(body, _, high):
            return goes_on(body) or (high is None and body.facts.most != 0)
    return False
