"""The bodies of rules: literals, regular leaves, calls, and how they are put together.

Nodes are compared by identity: an analysis keeps what it knows of a node by the node itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from grammars.frontends.base import Constraint
from grammars.frontends.regex import Language
from grammars.frontends.regex import syntax as regex
from grammars.frontends.regex.syntax import only_text


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """Exactly this text."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Regular:
    """A text of a regular language."""

    language: Language
    is_nullable: bool
    is_empty: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """A text of another constraint, which has no empty text."""

    constraint: Constraint


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A text of the named rule."""

    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """One after the other."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """Any one of them."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Repeated:
    """The body `low` to `high` times; None: no bound."""

    body: Node
    low: int
    high: int | None


Node = Literal | Regular | Embedded | Call | Sequence | Options | Repeated

EMPTY = Literal("")
OPERATORS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
MAX_COUNT_DIGITS = 9


def sequence(*items: Node) -> Node:
    """The items in a row, flattened, neighbouring literals joined."""
    flat: list[Node] = []
    for item in items:
        for part in item.items if isinstance(item, Sequence) else (item,):
            if part is EMPTY:
                continue
            if flat and isinstance(part, Literal) and isinstance(flat[-1], Literal):
                part = Literal(flat.pop().text + part.text)  # type: ignore[union-attr]
            flat.append(part)
    if not flat:
        return EMPTY
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def options(*choices: Node) -> Node:
    """One of the choices, flattened; single characters become one set."""
    flat: list[Node] = []
    for choice in choices:
        flat.extend(choice.options if isinstance(choice, Options) else (choice,))
    trees = [tree if isinstance(tree := tree_of(choice), regex.Chars) else None for choice in flat]
    sets = [tree for tree in trees if tree is not None]
    if len(sets) > 1:
        rest = [choice for choice, tree in zip(flat, trees, strict=True) if tree is None]
        flat = [_regular(regex.alternatives(*sets)), *rest]
    return flat[0] if len(flat) == 1 else Options(tuple(flat))


def repeated(body: Node, low: int, high: int | None) -> Node:
    """The body `low` to `high` times; regular bodies make a regular leaf."""
    if (low, high) == (1, 1):
        return body
    if high == 0:
        return EMPTY
    tree = tree_of(body)
    if tree is None or (tree.facts.is_nullable and not isinstance(tree, regex.Repeat)):
        # A body that may be empty costs a leaf's emission twice as much at each level.
        if isinstance(body, Repeated) and body.low <= 1 and body.high is None and low <= 1 and high is None:
            return Repeated(body.body, min(body.low, low), None)
        return Repeated(body, low, high)
    if isinstance(tree, regex.Repeat) and tree.low <= 1 and tree.high is None and low <= 1 and high is None:
        return _regular(regex.Repeat(tree.body, min(tree.low, low), None))
    if tree.facts.is_nullable:
        return Repeated(body, low, high)
    return _regular(regex.Repeat(tree, low, high))


def leaf(language: Language, max_states: int) -> Node:
    """The language as a node; lists of words become literals, which share their beginnings when emitted.

    Raises:
        TooComplexError: the language is an automaton of more than `max_states` states.
    """
    tree = language.tree
    if tree is not None:
        text = only_text(tree)
        if text is not None:
            return Literal(text) if text else EMPTY
        if isinstance(tree, regex.Alt):
            words = [text for option in tree.options if (text := only_text(option))]
            if len(words) > 1:
                rest = [option for option in tree.options if not only_text(option)]
                return options(*map(Literal, words), *([_regular(regex.alternatives(*rest))] if rest else []))
    is_nullable = tree.facts.is_nullable if tree is not None else language.accepts("", max_states)
    return Regular(language, is_nullable, language.is_empty(max_states))


def tree_of(node: Node) -> regex.Node | None:
    """The node as a regular expression; None where it calls a rule or is an automaton."""
    match node:
        case Literal(text):
            return regex.sequence(*(regex.Chars(((ord(c), ord(c)),)) for c in text))
        case Regular(language):
            return language.tree
        case Sequence(parts) | Options(parts):
            trees = []
            for part in parts:
                tree = tree_of(part)
                if tree is None:
                    return None
                trees.append(tree)
            return regex.sequence(*trees) if isinstance(node, Sequence) else regex.alternatives(*trees)
        case _:
            return None


def _regular(tree: regex.Node) -> Regular:
    return Regular(Language(tree), tree.facts.is_nullable, Language(tree).is_empty(0))


def regular_parts(node: Regular) -> Node:
    """The same texts with the outermost operator of the leaf's tree made a node; the leaf itself where it has none."""
    match node.language.tree:
        case regex.Seq(items) if items:
            return Sequence(tuple(map(_regular, items)))
        case regex.Seq():
            return EMPTY
        case regex.Alt(choices):
            return Options(tuple(map(_regular, choices)))
        case regex.Repeat(body, low, high) if high != 0:
            return Repeated(_regular(body), low, high)
        case _:
            return node


def size(node: Node) -> int:
    """About how many states the node costs when it is written out once."""
    match node:
        case Literal(text):
            return len(text)
        case Regular(language):
            return 4 if language.tree is None else language.tree.facts.weight
        case Sequence(parts) | Options(parts):
            return 1 + sum(map(size, parts))
        case Repeated(body, low, high):
            return size(body) * max(1, low, high or 0)
        case _:
            return 2
