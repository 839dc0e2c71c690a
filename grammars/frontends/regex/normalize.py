"""Trees without anchors: what text matches as a whole, for full matches and for searches; and places in them.

Places are partial derivatives (Antimirov, Theor. Comput. Sci. 155, 1996): counts are counted down as far as text goes.
"""

from __future__ import annotations

from grammars.frontends.regex.charset import Ranges
from grammars.frontends.regex.syntax import (
    ANYTHING,
    EPSILON,
    LAST_LINE_END,
    NOTHING,
    OPTIONAL_NEWLINE,
    Alt,
    Begin,
    Chars,
    End,
    Look,
    Node,
    Repeat,
    Seq,
    alternatives,
    sequence,
)

_MAX_EXPANSION = 64


def without_anchors(tree: Node, *, search: bool) -> Node | None:
    """A tree without anchors of the texts that match; None where an anchor is inside.

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
    while items and (isinstance(items[-1], End) or items[-1] == LAST_LINE_END):
        is_end = isinstance(items.pop(), End)
        tail = EPSILON if is_end or not search or tail is EPSILON else OPTIONAL_NEWLINE
    if any(item.facts.has_anchor for item in items):
        return None
    if tail is ANYTHING:
        items = _without_edge(items, last=True)
    if head is ANYTHING:
        items = _without_edge(items, last=False)
    return ANYTHING if head is tail is ANYTHING and not items else sequence(head, *items, tail)


def _without_edge(items: list[Node], *, last: bool) -> list[Node]:
    """Fewer items that are as good where anything may follow (`last`) or precede."""
    place = -1 if last else 0
    while items and (edge := _trimmed(items[place], last=last)) == EPSILON:
        items.pop(place)
    if items:
        items[place] = edge
    return items


def _trimmed(tree: Node, *, last: bool) -> Node:
    """The same for a tree."""
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
        case Seq(items):
            return sequence(*_without_edge(list(items), last=last))
        case _:
            return tree


def not_empty(tree: Node) -> Node:
    """Return the same texts without the empty one.

    Cost: a sequence of n items that all match the empty text takes n log n nodes.
    """
    if not tree.facts.is_nullable:
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
    """Return a sequence of nullable items without the empty text: either half may be the non-empty one."""
    if len(items) < 2:
        return not_empty(items[0]) if items else NOTHING
    first, second = items[: len(items) // 2], items[len(items) // 2 :]
    return alternatives(sequence(_not_empty_sequence(first), *second), _not_empty_sequence(second))


def starred(tree: Node) -> Node:
    """A tree without the empty text, whose texts any number of times are those of the given tree.

    It is no larger than the given one (star normal form: Brueggemann-Klein, Theor. Comput. Sci. 120, 1993).
    """
    match tree:
        case Seq(items) if tree.facts.is_nullable:
            return alternatives(*map(starred, items))
        case Alt(options):
            return alternatives(*map(starred, options))
        case Repeat(body, low, high) if high != 0 and (low <= 1 or body.facts.is_nullable):
            return starred(body)
        case _:
            return NOTHING if tree.facts.is_nullable else tree


def bounded_ahead(tree: Node, *, search: bool) -> tuple[Node, list[Repeat]]:
    """The tree without what looks ahead at the beginning say of all characters, and that: ``(?=.{1,255}$)``."""
    items = tree.items if isinstance(tree, Seq) else (tree,)
    kept: list[Node] = []
    said: list[Repeat] = []
    is_at_begin = not search or (bool(items) and isinstance(items[0], Begin))
    for item in items:
        is_at_begin &= isinstance(item, Begin | Look)
        match item:
            case Look(body, True, True) if is_at_begin:
                whole = without_anchors(sequence(Begin(), body), search=True)
                if isinstance(whole, Repeat) and isinstance(whole.body, Chars):
                    said.append(whole)
                    continue
        kept.append(item)
    return sequence(*kept), said


def within(tree: Node, most: int) -> Node:
    """A tree that has the same texts of bounded length: counts that they cannot reach have no bound."""
    match tree:
        case Repeat(body, low, high):
            body, least = within(body, most), body.facts.least
            return Repeat(body, low, None if high is not None and (high + 1) * least > most else high)
        case Alt(options):
            return alternatives(*(within(option, most) for option in options))
        case Seq(items):
            left = most - tree.facts.least
            return sequence(*(within(item, left + item.facts.least) for item in items))
        case _:
            return tree


def with_lengths(tree: Node, low: int, high: int | None, budget: int = _MAX_EXPANSION) -> Node | None:
    """Return the texts of `low` to `high` characters; None if a tree cannot express them briefly."""
    least, most = tree.facts[:2]
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
    size, most = body.facts[:2]
    if size != most or size == 0:
        return None
    a = max(a, -(-low // size))
    if high is not None:
        b = high // size if b is None else min(b, high // size)
    return NOTHING if b is not None and a > b else Repeat(body, a, b)


def _sequence_with_lengths(items: tuple[Node, ...], low: int, high: int | None, budget: int) -> Node | None:
    variable = [index for index, item in enumerate(items) if item.facts.least != item.facts.most]
    if len(variable) == 1:
        index = variable[0]
        fixed = sum(item.facts.least for item in items) - items[index].facts.least
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


class Places:
    """The places of one pattern; 0 is its end.

    Attributes:
        places: a node and the place after it, for each place.
        sets: the sets of characters.
        leaves: a set and the place after a character of it, for each leaf; 0 is no such leaf.
        ahead: from where a look ahead is to match, by the identity of its body.
        behind: which machine decides a look behind, likewise.
        machines: where the machines of the looks behind start, inner ones first.
        counted: of each leaf after which a body may come up to a number of times: what such leaves have in common that
            differ in the number alone, and the number.
        anything: matches every text; anywhere: the place where it is all that is to match.
    """

    def __init__(self) -> None:
        self.places: list[tuple[Node, int]] = [(EPSILON, 0)]
        self.sets: list[Ranges] = [()]
        self.leaves: list[tuple[int, int]] = [(0, 0)]
        self.ahead: dict[int, int] = {}
        self.behind: dict[int, int] = {}
        self.machines: list[int] = []
        self.counted: dict[int, tuple[tuple[int, int, int], int]] = {}
        self._nodes: dict[Node, Node] = {}
        self._place_of: dict[tuple[int, int], int] = {}
        self._leaf_of: dict[tuple[int, int], int] = {}
        self._set_of: dict[Ranges, int] = {}
        self._plain = {0: True}
        self.anything = self.shared(ANYTHING)
        self.anywhere = self.place(self.anything, 0)

    def shared(self, node: Node) -> Node:
        """The tree with equal parts made the same object, its sets and looks behind registered, inner ones first."""
        match node:
            case Chars(ranges):
                self._set(ranges)
            case Seq(items) | Alt(items):
                node = type(node)(tuple(map(self.shared, items)))
            case Repeat(body, low, high):
                if body.facts.is_nullable and not body.facts.has_anchor:
                    body, low = not_empty(body), 0
                node = Repeat(self.shared(body), low, high)
            case Look(body, ahead, holds):
                body = self.shared(body)
                node = Look(body, ahead, holds)
                if ahead:
                    self.ahead[id(body)] = self._ahead(body)
                elif id(body) not in self.behind:
                    self.behind[id(body)] = len(self.machines)
                    self.machines.append(self.place(self.anything, self.place(body, 0)))
        return self._nodes.setdefault(node, node)

    def _ahead(self, body: Node) -> int:
        match body:
            case Seq((*items, End())):
                return self.place(self.shared(sequence(*items)), 0)
        return self.place(body, self.anywhere)

    def _set(self, ranges: Ranges) -> int:
        if ranges not in self._set_of:
            self._set_of[ranges] = len(self.sets)
            self.sets.append(ranges)
        return self._set_of[ranges]

    def place(self, node: Node, following: int) -> int:
        """The place from which the node and then another place are to match."""
        key = (id(node), following)
        if key not in self._place_of:
            self._place_of[key] = len(self.places)
            self.places.append((node, following))
        return self._place_of[key]

    def leaf(self, node: Node, following: int) -> int:
        """A character and the place after it."""
        assert isinstance(node, Chars)
        key = (self._set_of[node.ranges], following)
        if key not in self._leaf_of:
            number = self._leaf_of[key] = len(self.leaves)
            self.leaves.append(key)
            repeat, behind = self.places[following]
            if isinstance(repeat, Repeat) and repeat.low == 0 and repeat.high is not None:
                self.counted[number] = (key[0], id(repeat.body), behind), repeat.high
        return self._leaf_of[key]

    def unfolded(self, node: Node, following: int) -> list[int]:
        """Return the places from which a sequence, a choice or a repeat goes on."""
        match node:
            case Seq(items):
                for item in reversed(items):
                    following = self.place(item, following)
                return [following]
            case Alt(options):
                return [self.place(option, following) for option in options]
            case Repeat(body, low, high):
                found = [following] if low == 0 else []
                if high != 0:
                    rest = Repeat(body, max(low - 1, 0), None if high is None else high - 1)
                    found.append(self.place(body, self.place(self._nodes.setdefault(rest, rest), following)))
                return found
            case _:
                raise AssertionError("assertions are read elsewhere")

    def is_plain(self, place: int) -> bool:
        """True if no assertion is still to match at the place."""
        passed = []
        while place not in self._plain:
            node, following = self.places[place]
            if node.facts.has_anchor:
                self._plain[place] = False
            else:
                passed.append(place)
                place = following
        self._plain.update(dict.fromkeys(passed, self._plain[place]))
        return self._plain[place]

    def tail(self, place: int) -> Node:
        """Return the items still to match at a place."""
        nodes = []
        while place != 0:
            node, place = self.places[place]
            nodes.append(node)
        return sequence(*nodes)
