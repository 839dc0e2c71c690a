"""Patterns compiled to automata for the scanner, and written as text for masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from gateway.guards.rule import CompiledPattern
from grammars.errors import GrammarError
from grammars.frontends.regex.charset import ALL, Ranges, negate, of, property_of, python_class, union
from grammars.frontends.regex.language import language_of
from grammars.frontends.regex.parser import parse
from grammars.frontends.regex.syntax import Alt, Begin, Chars, End, Look, Node, Repeat, Seq
from grammars.limits import Limits

_LIMITS = Limits()


class PatternError(ValueError):
    """A pattern that guards do not support; the message says why."""


def _as_it_is(ranges: Ranges) -> Ranges:
    return ranges


def word_characters() -> Ranges:
    """Return letters, digits and the underscore of all scripts."""
    return python_class("w")


def chars(members: str) -> Ranges:
    """Return the characters of a class, given as between the brackets of a pattern."""
    dfa = language_of(f"[{members}]", "python", False, _LIMITS).dfa(_LIMITS.max_pattern_states)
    return next(ranges for atom, ranges in enumerate(dfa.atoms) if dfa.table[0, atom] >= 0)


def compile_pattern(
    pattern: str,
    *,
    before: Ranges = (),
    after: Ranges = (),
    check: Callable[[str], bool] | None = None,
    widened: Callable[[Ranges], Ranges] = _as_it_is,
) -> CompiledPattern:
    r"""Return the compiled form of a Python pattern.

    Args:
        widened: Returns the characters that count as members of a set.

    Raises:
        PatternError: It is malformed, too large, matches the empty text, or looks at what stands around it (`^`, `\b`,
            `(?=`): what may stand there is said by `before` and `after`.
    """
    try:
        if len(pattern) > _LIMITS.max_pattern_length:
            raise PatternError(f"it is longer than {_LIMITS.max_pattern_length} characters")
        tree = parse(pattern, "python")
        if tree.facts.has_anchor:
            raise PatternError(
                r"^, $, \b and looking around are not served; whole_words = true asks for the edges of words"
            )
        if tree.facts.is_nullable:
            raise PatternError("it matches the empty text, which stands everywhere")
        options = tree.options if isinstance(tree, Alt) else (tree,)
        alternatives = tuple(_written(option, widened) for option in options)
        dfa = language_of("|".join(alternatives), "python", False, _LIMITS).dfa(_LIMITS.max_pattern_states).trimmed()
    except GrammarError as error:
        raise PatternError(str(error)) from error
    if dfa.is_empty:
        raise PatternError("it matches nothing")
    return CompiledPattern(alternatives=alternatives, dfa=dfa, before=before, after=after, check=check)


def forbidden(shapes: Iterable[CompiledPattern]) -> tuple[str, ...]:
    """Return patterns, valid in both dialects, of which one matches wherever one of the compiled patterns does.

    Raises:
        PatternError: No mask can keep all of them out together.
    """
    by_edges: dict[tuple[Ranges, Ranges], list[str]] = {}
    for shape in shapes:
        by_edges.setdefault((shape.before, shape.after), []).extend(shape.alternatives)
    found = []
    for (before, after), alternatives in by_edges.items():
        begin = f"(?:^|{class_of(negate(before))})" if before else ""
        end = f"(?:{class_of(negate(after))}|$)" if after else ""
        room = _LIMITS.max_pattern_length - len(begin) - len(end) - len("(?:)")
        for together in _packed(alternatives, room):
            found.append(f"{begin}(?:{together}){end}")
    try:
        rest = language_of(r"[\s\S]*", "ecma", False, _LIMITS)
        for pattern in found:
            others = language_of(pattern, "ecma", True, _LIMITS).complement(_LIMITS.max_pattern_states)
            rest = rest.intersect(others, _LIMITS.max_pattern_states)
        rest.dfa(_LIMITS.max_pattern_states)
    except GrammarError as error:
        raise PatternError(str(error)) from error
    return tuple(found)


def _packed(alternatives: list[str], room: int) -> list[str]:
    """Return the alternatives, packed into few patterns."""
    packed = [""]
    for each in alternatives:
        if len(each) > room:
            raise PatternError(f"with all its spellings one of them has more than {room} characters")
        joined = f"{packed[-1]}|{each}" if packed[-1] else each
        packed[-1:] = [joined] if len(joined) <= room else [packed[-1], each]
    return packed


def written(pattern: str) -> str:
    """Return a Python pattern, matched as a whole, as both dialects read it.

    Raises:
        GrammarError: The pattern is malformed.
    """
    return _written(parse(pattern, "python"), _as_it_is)


def class_of(ranges: Ranges) -> str:
    """Return the set as a character class."""
    for known, members in _short_classes():
        if ranges in (known, negate(known)):
            return f"[{'' if ranges == known else '^'}{members}]"
    spans = (_escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}" for low, high in ranges)
    return f"[{''.join(spans)}]"


@cache
def _short_classes() -> list[tuple[Ranges, str]]:
    """Return large sets that have a short class."""
    letters, numbers, digits = (property_of(name) or () for name in ("L", "N", "Nd"))
    return [(union(letters, numbers, of("_")), r"\p{L}\p{N}_"), (digits, r"\p{Nd}"), (ALL, r"\s\S")]


def _escaped(code: int) -> str:
    character = chr(code)
    if character.isascii():
        return character if character.isalnum() else f"\\x{code:02x}"
    return character


def _written(tree: Node, widened: Callable[[Ranges], Ranges]) -> str:
    match tree:
        case Chars(ranges):
            return class_of(widened(ranges)) if ranges else "(?!)"
        case Seq(items):
            return "".join(_written(item, widened) for item in items)
        case Alt(options):
            return f"(?:{'|'.join(_written(option, widened) for option in options)})" if options else "(?!)"
        case Repeat(body, low, high):
            return f"(?:{_written(body, widened)}){{{low},{'' if high is None else high}}}"
        case Look(body, ahead, holds):
            return f"(?{'' if ahead else '<'}{'=' if holds else '!'}{_written(body, widened)})"
        case Begin():
            return "^"
        case End():
            return "$"
    raise AssertionError("patterns hold nothing else")
