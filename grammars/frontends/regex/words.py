"""The texts of a tree one by one, where they are few."""

from __future__ import annotations

from grammars.frontends.regex.syntax import Alt, Chars, Node, Repeat, Seq, character

_LONGEST = 1_000


def words_of(node: Node, most: int) -> list[str] | None:
    """All texts of a tree; None where they are more than `most` or long, or assertions decide."""
    longest = node.facts.most
    if longest is None or longest > _LONGEST:
        return None
    if most > 0 and (text := only_text(node)) is not None:
        return [text]
    found = _words(node, most)
    return None if found is None else list(found)


def _words(node: Node, most: int) -> dict[str, None] | None:
    match node:
        case Chars(ranges):
            if sum([high - low + 1 for low, high in ranges]) > most:
                return None
            return dict.fromkeys([chr(code) for low, high in ranges for code in range(low, high + 1)])
        case Seq(items):
            found: dict[str, None] | None = {"": None}
            for item in items:
                found = _product(found, _words(item, most), most)
            return found
        case Alt(options):
            found = {}
            for option in options:
                words = _words(option, most)
                if words is None:
                    return None
                found |= words
            return found if len(found) <= most else None
        case Repeat(body, low, high):
            return _repeated(_words(body, most), low, high, most)
    return None


def _product(first: dict[str, None] | None, second: dict[str, None] | None, most: int) -> dict[str, None] | None:
    if first is None or second is None:
        return None
    number = len(first) * len(second)
    # Where the words of one side are as long as each other, no two pairs make the same text.
    if number > most * most or (number > most and (_are_as_long(first) or _are_as_long(second))):
        return None
    found = dict.fromkeys([one + other for one in first for other in second])
    return found if len(found) <= most else None


def _are_as_long(words: dict[str, None]) -> bool:
    return len(set(map(len, words))) == 1


def _repeated(body: dict[str, None] | None, low: int, high: int | None, most: int) -> dict[str, None] | None:
    if body is None:
        return None
    if not any(body):
        # Nothing but the empty text, at most, however often.
        return {"": None} if body or low == 0 else {}
    assert high is not None, "longer than any bound"
    found: dict[str, None] | None = {"": None}
    for _ in range(low):
        found = _product(found, body, most)
    longer = found
    for _ in range(high - low):
        longer = _product(longer, body, most)
        if found is None or longer is None:
            return None
        found = found | longer
        if len(found) > most:
            return None
    return found


def tree_of(text: str) -> Node:
    """The tree of a text that is not empty."""
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
    """Whether there is a text of a tree without anchors."""
    if isinstance(tree, Seq):
        return all(map(has_text, tree.items))
    if isinstance(tree, Repeat):
        return tree.low == 0 or has_text(tree.body)
    options = getattr(tree, "options", None)
    return any(map(has_text, options)) if options is not None else bool(getattr(tree, "ranges", ()))
