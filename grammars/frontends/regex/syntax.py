"""The syntax tree of a regular expression; groups are gone, character classes are sets of code points.

What is asked of a tree again and again is worked out when its nodes are made: trees share parts, and looking at each
part as often as it is met would take exponential time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from grammars.errors import TooComplexError
from grammars.frontends.regex.charset import ALL, Ranges, contains, intersect, union

# Makes one number of several.
_Joins = Callable[[Any], Any]


class Facts(NamedTuple):
    """Properties of a tree.

    Attributes:
        least, most: fewest and most characters of a match; None: no bound. Assertions are taken to hold.
        weight: characters of the tree once every bounded repeat is written out.
        size: nodes, and ranges of character sets.
        has_anchor: whether an assertion (``^``, ``$``, a look ahead or behind) stands anywhere in it.
        hash: of the tree.
    """

    least: int
    most: int | None
    weight: int
    size: int
    has_anchor: bool
    hash: int

    @property
    def is_nullable(self) -> bool:
        """True if the empty text matches."""
        return self.least == 0


class _Node:
    """Compares and hashes a tree without looking at all of it where it differs."""

    __slots__ = ("facts",)
    __match_args__: tuple[str, ...] = ()
    facts: Facts

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", self._facts())

    def __hash__(self) -> int:
        return self.facts.hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or hash(self) != hash(other):
            return False
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    @property
    def num_bytes(self) -> int:
        """Memory of the tree, its shared parts counted as often as they are met."""
        return NODE_BYTES * self.facts.size

    def _facts(self) -> Facts:
        """Return the properties of an edge of the text."""
        return Facts(0, 0, 1, 1, True, hash(type(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Chars(_Node):
    """A character of the set."""

    ranges: Ranges

    def _facts(self) -> Facts:
        return Facts(1, 1, 1, 1 + len(self.ranges), False, hash(self.ranges))


@lru_cache(maxsize=512)
def character(code: int) -> Chars:
    """Return the set of one character; shared, since patterns hold little else."""
    return Chars(intersect(((code, code),), ALL))


@dataclass(frozen=True, slots=True, eq=False)
class Seq(_Node):
    """Sequence of items; the empty one matches the empty text."""

    items: tuple[Node, ...]

    def _facts(self) -> Facts:
        return _joined(self.items, sum, hash((Seq, self.items)))


@dataclass(frozen=True, slots=True, eq=False)
class Alt(_Node):
    """Any one of the options; no option matches nothing."""

    options: tuple[Node, ...]

    def _facts(self) -> Facts:
        if not self.options:
            # Not the empty text either.
            return Facts(1, 1, 1, 1, False, hash((Alt, ())))
        return _joined(self.options, max, hash((Alt, self.options)), least_of=min)


@dataclass(frozen=True, slots=True, eq=False)
class Repeat(_Node):
    """The body `low` to `high` times; None: no bound."""

    body: Node
    low: int
    high: int | None

    def _facts(self) -> Facts:
        least, most, weight, size, has_anchor, _ = self.body.facts
        low, high = self.low, self.high
        most = 0 if most == 0 else None if most is None or high is None else high * most
        known = hash((Repeat, self.body, low, high))
        return Facts(least * low, most, weight * max(1, low, high or 0), 1 + size, has_anchor, known)


@dataclass(frozen=True, slots=True, eq=False)
class Begin(_Node):
    """Holds only before the first character."""


@dataclass(frozen=True, slots=True, eq=False)
class End(_Node):
    """Holds only after the last character."""


@dataclass(frozen=True, slots=True, eq=False)
class Look(_Node):
    """Holds where the body matches, or (not `holds`) does not: from here on (`ahead`), or up to here."""

    body: Node
    ahead: bool
    holds: bool

    def _facts(self) -> Facts:
        known = self.body.facts
        return Facts(0, 0, 1 + known.weight, 1 + known.size, True, hash((Look, self.body, self.ahead, self.holds)))


@dataclass(frozen=True, slots=True, eq=False)
class Leaf(_Node):
    """A text, not empty, of what is no pattern; it equals itself alone."""

    def _facts(self) -> Facts:
        return Facts(1, None, 2, 1, False, id(self))


Node = Chars | Seq | Alt | Repeat | Begin | End | Look | Leaf


def _joined(parts: tuple[Node, ...], most_of: _Joins, known: int, least_of: _Joins | None = None) -> Facts:
    """Return the properties of a tree with these parts.

    Args:
        most_of: what the most characters of the parts make together; least_of: the same of the fewest, if it differs.
        known: hash of the tree.
    """
    if not parts:
        return Facts(0, 0, 1, 1, False, known)
    least, most, weights, sizes, anchors, _ = zip(*[part.facts for part in parts], strict=True)
    return Facts(
        (least_of or most_of)(least),
        None if None in most else most_of(most),
        1 + sum(weights),
        1 + sum(sizes),
        True in anchors,
        known,
    )


# A node with its facts, or a range.
NODE_BYTES = 200
# Of an example, and of the tree that has it: shared parts are looked at as often as they are met.
_MAX_EXAMPLE, _MAX_SIZE = 200, 2_000
# Characters that sets are most likely to have in common.
_LIKELY = tuple(map(ord, "a0A"))
EPSILON = Seq(())
NOTHING = Alt(())
ANYTHING = Repeat(Chars(ALL), 0, None)
OPTIONAL_NEWLINE = Repeat(Chars(((10, 10),)), 0, 1)
OPERATORS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
# What ``$`` is to Python: it also holds before a newline that is the last character.
LAST_LINE_END = Look(Seq((OPTIONAL_NEWLINE, End())), ahead=True, holds=True)


def sequence(*items: Node) -> Node:
    """Return the items in a row, flattened."""
    if Seq in map(type, items):
        flat: list[Node] = []
        for item in items:
            flat.extend(item.items if isinstance(item, Seq) else (item,))
        items = tuple(flat)
    return items[0] if len(items) == 1 else Seq(items)


def alternatives(*options: Node) -> Node:
    """Return the union of the options, flattened and without repetition; single characters become one set."""
    flat: list[Node] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Alt) else (option,))
    sets = [option.ranges for option in flat if isinstance(option, Chars)]
    if len(sets) > 1:
        flat = [Chars(union(*sets)), *(option for option in flat if not isinstance(option, Chars))]
    flat = list(dict.fromkeys(flat))
    return flat[0] if len(flat) == 1 else Alt(tuple(flat))


def repeated(body: Node, low: int, high: int | None) -> Node:
    """The body `low` to `high` times."""
    if (low, high) == (1, 1):
        return body
    if isinstance(body, Repeat) and body.low <= 1 and body.high is None and low <= 1 and high is None:
        return Repeat(body.body, body.low * low, None)
    return Repeat(body, low, high)


def count_of(digits: str, place: str, max_digits: int = 9) -> int:
    """Return the number of a count, read at the place.

    Raises:
        TooComplexError: it has more digits than `max_digits`.
    """
    if len(digits) > max_digits and len(digits.lstrip("0")) > max_digits:
        raise TooComplexError("max_count", 10**max_digits, 10**max_digits - 1, place)
    return int(digits[-max_digits:])


def tree_of(text: str) -> Node:
    """Return the tree of a text."""
    characters = tuple(map(character, map(ord, text)))
    return characters[0] if len(characters) == 1 else Seq(characters)


def only_text(tree: Node) -> str | None:
    """The one text of a tree of single characters; None where the tree is another."""
    items = tree.items if isinstance(tree, Seq) else (tree,)
    sets = [item.ranges for item in items if isinstance(item, Chars)]
    if len(sets) < len(items) or not all(len(ranges) == 1 and ranges[0][0] == ranges[0][1] for ranges in sets):
        return None
    return "".join(chr(ranges[0][0]) for ranges in sets)


def has_text(tree: Node) -> bool:
    """True if there is a text of a tree without anchors."""
    if isinstance(tree, Seq):
        return all(map(has_text, tree.items))
    if isinstance(tree, Repeat):
        return tree.low == 0 or has_text(tree.body)
    options = getattr(tree, "options", None)
    return any(map(has_text, options)) if options is not None else bool(getattr(tree, "ranges", ()))


def first_of(tree: Node) -> Ranges:
    """The characters that texts begin with; all where a text may be empty, or that is not seen quickly."""
    return ALL if tree.facts.is_nullable or tree.facts.size > _MAX_SIZE else _first_of(tree)


def _first_of(tree: Node) -> Ranges:
    match tree:
        case Chars(ranges):
            return ranges
        case Seq(items):
            found: Ranges = ()
            for item in items:
                found = union(found, _first_of(item))
                if not item.facts.is_nullable:
                    break
            return found
        case Alt(options):
            return union(*map(_first_of, options))
        case Repeat(body, _, _):
            return _first_of(body)
    return ALL


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
    """True if texts begin as they like, in one of the ways to match at least."""
    if isinstance(tree, Seq) and len(tree.items) > 1:
        return isinstance(tree.items[0], Repeat) and tree.items[0] == ANYTHING
    options = getattr(tree, "options", ())
    return any(starts_anywhere(option) for option in options)


def goes_on(tree: Node) -> bool:
    """True if every beginning of a text is one of longer and longer texts; may say no where it is hard to see."""
    match tree:
        case Seq(items):
            return bool(items) and goes_on(items[-1])
        case Alt(options):
            return all(map(goes_on, options))
        case Repeat(body, _, high):
            return goes_on(body) or (high is None and body.facts.most != 0)
    return False
