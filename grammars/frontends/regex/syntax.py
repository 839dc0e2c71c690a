"""The syntax tree of a regular expression; groups are gone, character classes are sets of code points."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.frontends.regex.charset import ALL, Ranges, union


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of the set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Seq:
    """One after the other; the empty sequence matches the empty text."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """Any one of the options; no option matches nothing."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body `low` to `high` times; None: no bound."""

    body: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Begin:
    """Holds only before the first character."""


@dataclass(frozen=True, slots=True)
class End:
    """Holds only after the last character, or, where `before_newline`, also before a newline that is the last one."""

    before_newline: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Holds where the body matches, or (not `holds`) does not: from here on (`ahead`), or up to here."""

    body: Node
    ahead: bool
    holds: bool


Node = Chars | Seq | Alt | Repeat | Begin | End | Look

EPSILON = Seq(())
NOTHING = Alt(())
ANYTHING = Repeat(Chars(ALL), 0, None)
OPTIONAL_NEWLINE = Repeat(Chars(((10, 10),)), 0, 1)


def sequence(*items: Node) -> Node:
    """The items in a row, flattened."""
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Seq) else (item,))
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


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
    match node:
        case Chars():
            return 1, 1
        case Seq(items):
            low, high = 0, 0
            for item in items:
                a, b = length_range(item)
                low, high = low + a, None if high is None or b is None else high + b  # type: ignore[assignment]
            return low, high
        case Alt(options):
            pairs = [length_range(option) for option in options] or [(0, 0)]
            highs = [b for _, b in pairs]
            return min(a for a, _ in pairs), None if None in highs else max(b for b in highs if b is not None)
        case Repeat(body, least, most):
            a, b = length_range(body)
            return a * least, 0 if b == 0 else None if b is None or most is None else b * most
        case _:
            return 0, 0


def has_anchor(node: Node) -> bool:
    """Whether an assertion (``^``, ``$``, a look ahead or behind) stands anywhere in the tree."""
    match node:
        case Begin() | End() | Look():
            return True
        case Seq(items) | Alt(items):
            return any(map(has_anchor, items))
        case Repeat(body):
            return has_anchor(body)
        case _:
            return False


def has_look(node: Node) -> bool:
    """Whether a look ahead or behind stands anywhere in the tree."""
    match node:
        case Look():
            return True
        case Seq(items) | Alt(items):
            return any(map(has_look, items))
        case Repeat(body):
            return has_look(body)
        case _:
            return False


def is_nullable(node: Node) -> bool:
    """Whether the empty text matches; anchors are taken to hold."""
    return length_range(node)[0] == 0


def weight(node: Node) -> int:
    """How many characters the tree has once every bounded repeat is written out."""
    match node:
        case Chars():
            return 1
        case Seq(items) | Alt(items):
            return 1 + sum(map(weight, items))
        case Repeat(body, low, high):
            return weight(body) * max(1, low, high or 0)
        case Look(body):
            return 1 + weight(body)
        case _:
            return 1
