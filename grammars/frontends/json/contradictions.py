"""Bundles that are plainly empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammars.frontends.json.bundle import ARRAY, NUMBER, OBJECT, STRING, Bundle, of_types
from grammars.frontends.json.members import member_goal

if TYPE_CHECKING:
    from grammars.frontends.json.algebra import Algebra


def is_contradictory(algebra: Algebra, bundle: Bundle) -> bool:
    """Whether the bundle is plainly empty; types of which nothing is left are taken out of it."""
    if bundle.max_length is not None and bundle.min_length > bundle.max_length:
        bundle.types &= ~STRING
    if bundle.max_items is not None and bundle.min_items > bundle.max_items:
        bundle.types &= ~ARRAY
    most = bundle.max_properties
    if most is not None and max(bundle.min_properties, len(bundle.required)) > most:
        bundle.types &= ~OBJECT
    if bundle.low is not None and bundle.high is not None and bundle.low > bundle.high:
        bundle.types &= ~NUMBER
    if bundle.enum is not None and algebra.may_look(len(bundle.enum)):
        bundle.enum = of_types(bundle.enum, bundle.types)
        if not bundle.enum:
            return True
    if bundle.types & OBJECT and not _may_be_object(algebra, bundle):
        bundle.types &= ~OBJECT
    return not bundle.types


def _may_be_object(algebra: Algebra, bundle: Bundle) -> bool:
    """Whether required members can have values, as far as one look at their schemas tells."""
    if not algebra.may_look(len(bundle.required) * len(bundle.objects)):
        return True
    nothing = algebra.document.nothing
    for name in bundle.doubtful_names():
        goal = member_goal(bundle, name, algebra.limits)
        if nothing in goal if len(goal) < 2 else algebra.seen_ahead(goal) == []:
            return False
    bundle.keep_possible()
    return True
