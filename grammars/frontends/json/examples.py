"""Short values that meet a goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grammars.errors import GrammarError
from grammars.frontends.json.bundle import ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING, Bundle, Goal
from grammars.frontends.json.evaluate import bundle_allows, item_goal
from grammars.frontends.json.members import member_goal
from grammars.frontends.json.strings import language

if TYPE_CHECKING:
    from grammars.frontends.json.algebra_base import AlgebraBase

_MAX_DEPTH = 6
_MAX_WORDS = 64


def example(algebra: AlgebraBase, goal: Goal, depth: int = 0) -> list[Any]:
    """A value that meets the goal, if one is found quickly; else none."""
    bundles = algebra.bundles(goal) if depth < _MAX_DEPTH else []
    if goal in algebra.widened:
        return []
    for bundle in bundles:
        for value in _candidates(algebra, bundle, depth):
            if bundle_allows(algebra, bundle, value):
                return [value]
    return []


def _candidates(algebra: AlgebraBase, bundle: Bundle, depth: int) -> Iterator[Any]:
    types = bundle.types
    if bundle.enum is not None:
        yield from bundle.enum
        return
    yield from (value for kind, value in ((NULL, None), (BOOLEAN, True), (BOOLEAN, False)) if types & kind)
    if types & NUMBER:
        for bound in (0, bundle.low, bundle.high, *bundle.multiples):
            if bound is not None:
                near = int(bound) if types & INTEGER else bound
                yield from (near, near + 1, near - 1, bound)
    if types & STRING:
        yield from ("", "a"[: bundle.min_length] * bundle.min_length)
        yield from _texts(algebra, bundle)
    if types & ARRAY:
        items = [example(algebra, item_goal(bundle.arrays, index), depth + 1) for index in range(bundle.min_items)]
        if all(items):
            yield [item for (item,) in items]
    if types & OBJECT:
        members = {
            name: example(algebra, member_goal(bundle, name, algebra.limits), depth + 1) for name in bundle.required
        }
        if all(members.values()):
            yield {name: value for name, (value,) in members.items()}


def _texts(algebra: AlgebraBase, bundle: Bundle) -> list[str]:
    try:
        found = language(bundle, algebra.limits)
        words = [found.example] if found.example is not None else found.words(_MAX_WORDS)
    except GrammarError:
        return []
    return words or []
