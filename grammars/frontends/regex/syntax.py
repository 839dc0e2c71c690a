"""The syntax tree of a regular expression; groups are gone, character classes are sets of code points.

What is asked of a tree again and again is worked out when its nodes are made: trees share parts, and looking at each
part as often as it is met would take exponential time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from grammars.frontends.regex.charset import ALL, Ranges, intersect, union

# Makes one number of several.
_Joins = Callable[[Any], Any]


class Facts(NamedTuple):
    """What is known of a tree.

    Attributes:
        least, most: fewest and most characters of a match; None: no bound. Assertions are taken to hold.
        weight: characters of the tree once every bounded repeat is written out.
        size: nodes, and ranges of character sets.
        has_anchor: whether an assertion (``^``, ``$``, a look ahead or behind) stands anywhere in it.
        has_look: whether a look ahead or behind does.
        hash: of the tree.
    """

    least: int
    most: int | None
    weight: int
    size: int
    has_anchor: bool
    has_look: bool
    hash: int


class _Node:
    """Hashes a tree without looking at all of it."""

    __slots__ = ()
    facts: Facts

    def __hash__(self) -> int:
        return self.facts.hash

    @property
    def num_bytes(self) -> int:
        """Memory of the tree, its shared parts counted as often as they are met."""
        return _NODE_BYTES * self.facts.size

    def _learn(self, facts: Facts) -> None:
        object.__setattr__(self, "facts", facts)


@dataclass(frozen=True, slots=True)
class Chars(_Node):
    """One character of the set."""

    ranges: Ranges
    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        self._learn(Facts(1, 1, 1, 1 + len(self.ranges), False, False, hash(self.ranges)))


@lru_cache(maxsize=512)
def character(code: int) -> Chars:
    """The set of one character; shared, since patterns hold little else."""
    return Chars(intersect(((code, code),), ALL))


@dataclass(frozen=True, slots=True)
class Seq(_Node):
    """One after the other; the empty sequence matches the empty text."""

    items: tuple[Node, ...]
    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        self._learn(_joined(self.items, sum, hash((Seq, self.items))))


@dataclass(frozen=True, slots=True)
class Alt(_Node):
    """Any one of the options; no option matches nothing."""

    options: tuple[Node, ...]
    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        self._learn(_joined(self.options, max, hash((Alt, self.options)), least_of=min))


@dataclass(frozen=True, slots=True)
class Repeat(_Node):
    """The body `low` to `high` times; None: no bound."""

    body: Node
    low: int
    high: int | None
    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        least, most, weight, size, has_anchor, has_look, _ = self.body.facts
        low, high = self.low, self.high
        most = 0 if most == 0 else None if most is None or high is None else high * most
        known = hash((Repeat, self.body, low, high))
        weight *= max(1, low, high or 0)
        self._learn(Facts(least * low, most, weight, 1 + size, has_anchor, has_look, known))


@dataclass(frozen=True, slots=True)
class Begin(_Node):
    """Holds only before the first character."""

    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        self._learn(Facts(0, 0, 1, 1, True, False, hash(Begin)))


@dataclass(frozen=True, slots=True)
class End(_Node):
    """Holds only after the last character, or, where `before_newline`, also before a newline that is the last one."""

    before_newline: bool = False
    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        self._learn(Facts(0, 0, 1, 1, True, False, hash((End, self.before_newline))))


@dataclass(frozen=True, slots=True)
class Look(_Node):
    """Holds where the body matches, or (not `holds`) does not: from here on (`ahead`), or up to here."""

    body: Node
    ahead: bool
    holds: bool
    facts: Facts = field(init=False, repr=False, compare=False)
    __hash__ = _Node.__hash__

    def __post_init__(self) -> None:
        known = self.body.facts
        own = hash((Look, self.body, self.ahead, self.holds))
        self._learn(Facts(0, 0, 1 + known.weight, 1 + known.size, True, True, own))


Node = Chars | Seq | Alt | Repeat | Begin | End | Look


def _joined(parts: tuple[Node, ...], most_of: _Joins, known: int, least_of: _Joins | None = None) -> Facts:
    """Those of a tree with these parts.

    Args:
        most_of: what the most characters of the parts make together; least_of: the same of the fewest, if it differs.
        known: hash of the tree.
    """
    if not parts:
        return Facts(0, 0, 1, 1, False, False, known)
    least, most, weights, sizes, anchors, looks, _ = zip(*[part.facts for part in parts], strict=True)
    return Facts(
        (least_of or most_of)(least),
        None if None in most else most_of(most),
        1 + sum(weights),
        1 + sum(sizes),
        True in anchors,
        True in looks,
        known,
    )


# A node with its facts, or a range.
_NODE_BYTES = 200
EPSILON = Seq(())
NOTHING = Alt(())
ANYTHING = Repeat(Chars(ALL), 0, None)
OPTIONAL_NEWLINE = Repeat(Chars(((10, 10),)), 0, 1)


def sequence(*items: Node) -> Node:
    """The items in a row, flattened."""
    if Seq in map(type, items):
        flat: list[Node] = []
        for item in items:
            flat.extend(item.items if isinstance(item, Seq) else (item,))
        items = tuple(flat)
    return items[0] if len(items) == 1 else Seq(items)


def alternatives(*options: Node) -> Node:
    """One of the options, flattened and without repetition; single characters become one set."""
    flat: list[Node] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Alt) else (option,))
    sets = [option.ranges for option in flat if isinstance(option, Chars)]
    if len(sets) > 1:
        flat = [Chars(union(*sets)), *(option for option in flat if not isinstance(option, Chars))]
    flat = list(dict.fromkeys(flat))
    return flat[0] if len(flat) == 1 else Alt(tuple(flat))


def length_range(node: Node) -> tuple[int, int | None]:
    """Fewest and most characters of a match; None: no bound. Anchors are taken to hold."""
    return node.facts.least, node.facts.most


def has_anchor(node: Node) -> bool:
    """Whether an assertion (``^``, ``$``, a look ahead or behind) stands anywhere in the tree."""
    return node.facts.has_anchor


def has_look(node: Node) -> bool:
    """Whether a look ahead or behind stands anywhere in the tree."""
    return node.facts.has_look


def is_nullable(node: Node) -> bool:
    """Whether the empty text matches; anchors are taken to hold."""
    return node.facts.least == 0


def weight(node: Node) -> int:
    """How many characters the tree has once every bounded repeat is written out."""
    return node.facts.weight
