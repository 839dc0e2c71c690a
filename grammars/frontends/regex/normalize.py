"""Trees without anchors: what text matches as a whole, for full matches and for searches."""

from __future__ import annotations

from grammars.frontends.regex.syntax import (
    ANYTHING,
    EPSILON,
    NOTHING,
    OPTIONAL_NEWLINE,
    Alt,
    Begin,
    End,
    Node,
    Repeat,
    Seq,
    alternatives,
    has_anchor,
    is_nullable,
    length_range,
    sequence,
)

_MAX_EXPANSION = 64


def without_anchors(tree: Node, *, search: bool) -> Node | None:
    """A tree without anchors of the texts that match; None where an anchor stands inside.

    Args:
        tree: of a pattern.
        search: whether the pattern may match anywhere in the text, as JSON Schema's `pattern` does.
    """
    options = tree.options if isinstance(tree, Alt) else (tree,)
    cleaned = [_without_outer_anchors(option, search) for option in options]
    if any(option is None for option in cleaned):
        return None
    return alternatives(*(option for option in cleaned if option is not None))


def _without_outer_anchors(tree: Node, search: bool) -> Node | None:
    items = list(tree.items if isinstance(tree, Seq) else (tree,))
    head: Node = ANYTHING if search else EPSILON
    tail: Node = ANYTHING if search else EPSILON
    while items and isinstance(items[0], Begin):
        head = EPSILON
        items.pop(0)
    while items and isinstance(items[-1], End):
        end = items.pop()
        assert isinstance(end, End)
        tail = OPTIONAL_NEWLINE if search and end.before_newline and tail != EPSILON else EPSILON
    body: Node = sequence(*items)
    if has_anchor(body):
        return None
    if tail == ANYTHING:
        body = _trimmed(body, last=True)
    if head == ANYTHING:
        body = _trimmed(body, last=False)
    return ANYTHING if head == tail == ANYTHING and body == EPSILON else sequence(head, body, tail)


def _trimmed(tree: Node, *, last: bool) -> Node:
    """A smaller tree that is as good where anything may follow (`last`) or stand before."""
    match tree:
        case Repeat(_, 0, _):
            return EPSILON
        case Repeat(body, 1, _):
            return _trimmed(body, last=last)
        case Repeat(body, low, _):
            return Repeat(body, low, low)
        case Alt(options):
            trimmed = [_trimmed(option, last=last) for option in options]
            return EPSILON if EPSILON in trimmed else alternatives(*trimmed)
        case Seq(items) if items:
            edge = _trimmed(items[-1 if last else 0], last=last)
            rest = items[:-1] if last else items[1:]
            if edge == EPSILON:
                return _trimmed(sequence(*rest), last=last)
            return sequence(*rest, edge) if last else sequence(edge, *rest)
        case _:
            return tree


def not_empty(tree: Node) -> Node:
    """The same texts but the empty one.

    Cost: a sequence of n items that all match the empty text takes n log n nodes.
    """
    if not is_nullable(tree):
        return tree
    match tree:
        case Seq(items):
            return _not_empty_sequence(items)
        case Alt(options):
            return alternatives(*map(not_empty, options))
        case Repeat(body, _, high):
            once = not_empty(body)
            return NOTHING if high == 0 else once if high == 1 else Repeat(once, 1, high)
        case _:
            return NOTHING


def _not_empty_sequence(items: tuple[Node, ...]) -> Node:
    """Of items that all match the empty text, the texts but the empty one: either half may be the one that is not."""
    if len(items) < 2:
        return not_empty(items[0]) if items else NOTHING
    first, second = items[: len(items) // 2], items[len(items) // 2 :]
    return alternatives(sequence(_not_empty_sequence(first), *second), _not_empty_sequence(second))


def starred(tree: Node) -> Node:
    """A tree without the empty text, whose texts any number of times are those of the given tree.

    It is no larger than the given one (star normal form: Brueggemann-Klein, Theor. Comput. Sci. 120, 1993).
    """
    match tree:
        case Seq(items) if is_nullable(tree):
            return alternatives(*map(starred, items))
        case Alt(options):
            return alternatives(*map(starred, options))
        case Repeat(body, low, high) if high != 0 and (low <= 1 or is_nullable(body)):
            return starred(body)
        case _:
            return NOTHING if is_nullable(tree) else tree


def with_lengths(tree: Node, low: int, high: int | None, budget: int = _MAX_EXPANSION) -> Node | None:
    """The same texts of `low` to `high` characters; None where a tree cannot say it briefly."""
    least, most = length_range(tree)
    if least >= low and (high is None or (most is not None and most <= high)):
        return tree
    if (most is not None and most < low) or (high is not None and least > high):
        return NOTHING
    match tree:
        case Repeat(body, a, b):
            return _repeat_with_lengths(body, a, b, low, high)
        case Alt(options):
            shares = [with_lengths(option, low, high, budget // len(options)) for option in options]
            return None if None in shares else alternatives(*(share for share in shares if share is not None))
        case Seq(items):
            return _sequence_with_lengths(items, low, high, budget)
        case _:
            return None


def _repeat_with_lengths(body: Node, a: int, b: int | None, low: int, high: int | None) -> Node | None:
    size, most = length_range(body)
    if size != most or size == 0:
        return None
    a = max(a, -(-low // size))
    if high is not None:
        b = high // size if b is None else min(b, high // size)
    return NOTHING if b is not None and a > b else Repeat(body, a, b)


def _sequence_with_lengths(items: tuple[Node, ...], low: int, high: int | None, budget: int) -> Node | None:
    ranges = [length_range(item) for item in items]
    variable = [index for index, (a, b) in enumerate(ranges) if a != b]
    if len(variable) == 1:
        fixed = sum(a for a, b in ranges if a == b)
        index = variable[0]
        chosen = with_lengths(items[index], max(low - fixed, 0), None if high is None else high - fixed, budget)
        return None if chosen is None else sequence(*items[:index], chosen, *items[index + 1 :])
    # To split one of very many says nothing yet about the others.
    for index in variable if len(variable) <= budget else ():
        cases = _cases(items[index])
        if cases and len(cases) <= budget:
            split = [
                with_lengths(sequence(*items[:index], case, *items[index + 1 :]), low, high, budget // len(cases))
                for case in cases
            ]
            return None if None in split else alternatives(*(case for case in split if case is not None))
    return None


def _cases(item: Node) -> list[Node]:
    """The item as a choice between trees of fewer lengths; empty where there is no short list."""
    if isinstance(item, Alt):
        return list(item.options)
    if isinstance(item, Repeat) and item.high is not None and item.high - item.low <= 8 and item.high <= _MAX_EXPANSION:
        return [sequence(*(item.body,) * count) for count in range(item.low, item.high + 1)]
    return []
