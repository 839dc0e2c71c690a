"""Members of objects that are not declared: of which names they are, and what their values must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.bundle import Bundle, Goal
from grammars.frontends.json.library import Library
from grammars.frontends.json.members import goal_of_matches, says_nothing
from grammars.frontends.json.names import Names, Signs, few_names, matched_together, other_names
from grammars.frontends.json.objects import any_of, declared_member
from grammars.frontends.json.strings import pattern_language
from grammars.network.builder import NetworkBuilder

# The rule of a goal, None where it is plainly unsatisfiable. It is given each time: who keeps it would be kept by it.
RuleOf = Callable[[Goal], int | None]


class Undeclared:
    """Emits members that are not declared, the same for all objects of which the same is said.

    Args:
        library: the rules that every schema shares.
    """

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, library: Library) -> None:
        self._builder = builder
        self._algebra = algebra
        self._layout, self._others, self._end = library.layout, library.others, library.end
        self._known: dict[tuple[Any, ...], tuple[dict[str, int], int | None]] = {}

    def members(
        self, bundle: Bundle, names: list[str], rule_of: RuleOf, values: Goal | None = None
    ) -> tuple[dict[str, int], int | None]:
        """Rules of those whose names can be listed, and the rule of all others; None where there can be none.

        Which of the listed ones were there is known at every place, so a name is never begun that cannot be ended.

        Args:
            values: what their values must be besides, where they are ones that must exist: then none is listed.
        """
        key = (bundle.objects, bundle.names, *names, values)
        if key not in self._known:
            listed: dict[str, int] = {}
            rules = self._rules(bundle, names, values or (), rule_of, listed if values is None else None)
            self._known[key] = listed, any_of(self._builder, rules)
        return self._known[key]

    def _rules(
        self, bundle: Bundle, names: list[str], values: Goal, rule_of: RuleOf, listed: dict[str, int] | None
    ) -> list[int | None]:
        """The rules, one for each set of patterns that a name may match.

        Args:
            listed: gets the rules of members by name where the names are few; None: there is a rule for those too.
        """
        parts, is_open = bundle.objects, self._algebra.options.additional_properties_default
        nothing = self._algebra.document.nothing
        if len(parts) == 1 and not parts[0].patterns and not bundle.names:
            # What most are; the same as below in fewer steps.
            additional = parts[0].additional
            if additional is nothing or (additional is None and not is_open):
                return []
            value = rule_of(values if additional is None else (additional, *values))
            return [] if value is None else [self._others.rule(None, names, value)]
        if not is_open and all(part.additional is None and not part.patterns for part in parts):
            return []
        patterns = {pattern: where for part in parts for pattern, _, where in part.patterns}
        if not patterns and nothing in [part.additional for part in parts]:
            return []
        for pattern, where in patterns.items():
            pattern_language(pattern, where, self._algebra.limits)
        said = [literal for part in parts for _, literal, _ in part.patterns] + [part.additional for part in parts]
        if not bundle.names and (not patterns or all(map(says_nothing, said))):
            value = rule_of((*goal_of_matches(bundle, frozenset()), *values))
            return [] if value is None else [self._others.rule(None, names, value)]
        rules: list[int | None] = []
        for matched, signs in matched_together(patterns, self._algebra.limits):
            # What names are asked for seldom leaves one here, and what their values must be may be much work.
            choices = self._names_ahead(bundle, signs, names) if bundle.names else None
            if choices == []:
                continue
            value = rule_of((*goal_of_matches(bundle, matched), *values))
            if value is None:
                continue
            choices = choices or other_names(self._algebra, bundle, signs, names)
            few = None if listed is None else few_names(choices, self._algebra.limits)
            if listed is not None and few is not None:
                for name in few:
                    listed[name] = declared_member(self._builder, self._layout, name, value, self._end)
                continue
            rules += [self._others.rule(allowed, excluded, value) for allowed, excluded in choices]
        return rules

    def _names_ahead(self, bundle: Bundle, signs: Signs, names: list[str]) -> list[Names] | None:
        """As `other_names`; None where they cannot be combined, which matters only if there is a value for them."""
        try:
            return other_names(self._algebra, bundle, signs, names)
        except UnsupportedError:
            return None
