"""Conjunctions of schemas as a choice of bundles: applicators are followed, choices multiplied out."""

from __future__ import annotations

from typing import Any

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.json.algebra import complement, disjoint
from grammars.frontends.json.algebra.applicators import (
    APPLICATORS,
    Applied,
    Choice,
    Choices,
    More,
    Origin,
    check_cycle,
    is_among,
)
from grammars.frontends.json.algebra.base import LOOKS_A_STEP, PAIRS_A_STEP, AlgebraBase
from grammars.frontends.json.algebra.disjoint import is_contradictory, minimal
from grammars.frontends.json.algebra.required_members import is_demanding, witnessed
from grammars.frontends.json.document.document import Document, Literal, Not, Site
from grammars.frontends.json.document.options import JsonOptions, is_known
from grammars.frontends.json.meaning.keywords import APPLIED, GUARDED
from grammars.frontends.json.meaning.type_bounds import OBJECT, Bundle, Goal, goal_pointer
from grammars.frontends.json.validation.value_guards import ValueGuards, note_choice
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.guards import Guard

# Choices that multiply out to more bundles than this are left to a guard.
_MAX_BUNDLES = 512
# Choices below so many others are remembered with what they were made for.
_REMEMBERED_DEPTH = 3
# A `oneOf` of so many alternatives, of which some may hold together, is not left to a guard.
_MANY_OPTIONS = 10
# How many goals deep required members are looked at before their schemas are emitted, and for how many steps each.
_MAX_LOOK_AHEAD = 12
_MAX_LOOK_AHEAD_STEPS = 400


class Algebra(AlgebraBase):
    """Turns goals (conjunctions of sites) into bundles."""

    def __init__(
        self, document: Document, options: JsonOptions, limits: Limits, builder: NetworkBuilder, guards: ValueGuards
    ) -> None:
        super().__init__(document, options, limits, builder, guards)
        self._bundles: dict[Goal, list[Bundle]] = {}
        self._applied: dict[Site, Applied] = {}
        self._origins: dict[Goal, Origin] = {}
        # Of choices far below others: what was found, and what the key tells by its identity.
        self._choices: dict[Any, tuple[list[Bundle], Any]] = {}
        # Choices that come after those which are being made, the next one last.
        self._pending: list[Choice] = []
        self._active: set[Goal] = set()
        self._unseen: set[Goal] = set()
        self._is_ahead = False
        # What demands the `oneOf` that is being made, where many of its alternatives overlap.
        self._overlapping: Literal | None = None

    def bundles(self, goal: Goal) -> list[Bundle]:
        """The choices that the goal leaves; none where it is plainly unsatisfiable."""
        found = self._bundles.get(goal)
        if found is None:
            if len(goal) > 1 and self.document.nothing in goal:
                self._bundles[goal] = []
                return []
            if goal in self._active:
                raise InvalidGrammarError("a reference leads back to itself", goal_pointer(goal))
            self._active.add(goal)
            outer, self._is_wide = self._is_wide, False
            try:
                found = self._narrowed(Bundle(), goal)
                if found is None:
                    found = self._combined(goal)
                for bundle in found:
                    if not _DEMANDING.isdisjoint(bundle.__dict__) and is_demanding(bundle):
                        found = witnessed(self, found)
                        break
                self._bundles[goal] = found
            finally:
                self._active.remove(goal)
                self._is_wide = outer
        return found

    def _narrowed(self, bundle: Bundle, goal: Goal) -> list[Bundle] | None:
        """What `_conjoin` finds for one schema without keywords that lead to others; None for any other goal."""
        if len(goal) != 1:
            return None
        site = goal[0]
        if type(site) is not Site or type(site.schema) is not dict or not _CHOOSING.isdisjoint(site.schema):
            return None
        self._spend(1, goal)
        self._narrow_by(site, bundle)
        return [bundle] if bundle.types else []

    def _extended(self, goal: Goal) -> list[Bundle] | None:
        """The bundles of the goal made from those of all its schemas but the last, where it is plain how; else None.

        Choices about a member come one after the other, so what is asked about it grows by a schema each time.
        """
        if len(goal) < 2:
            return None
        before, last = goal[:-1], goal[-1:]
        bundles = self._bundles.get(before)
        if not bundles or before in self.widened or not all(_DEMANDING.isdisjoint(base.__dict__) for base in bundles):
            return None
        origin = dict(self._origins.get(before) or dict.fromkeys(before))
        is_one = len(bundles) == 1 and not bundles[0].types & OBJECT
        bundle = bundles[0].copy() if is_one else Bundle()
        self._spend(1 + len(origin) / LOOKS_A_STEP, goal)
        choices = self._gathered(bundle, last, None, origin)
        if not is_one and bundle.__dict__:
            return None
        self._origins[goal] = origin
        if choices is None or not bundle.types:
            return []
        return self._multiplied([bundle] if is_one else [base.copy() for base in bundles], choices, goal, origin, 0)

    def guard(self, goal: Goal) -> Guard | None:
        """The guard that a value meets a widened goal; None where the guard of the whole text will say it."""
        guard = self._guards.goal(goal)
        self._guards.is_needed |= guard is None
        return guard

    def _combined(self, goal: Goal) -> list[Bundle]:
        """The combinations of the goal's choices; where they are too many, the choices are taken for less."""
        outer, self._pending, self._overlapping = (self._pending, self._overlapping), [], None
        try:
            found = self._extended(goal)
            if found is None:
                origin = self._origins[goal] = {}
                found = self._conjoin(Bundle(), goal, None, origin, 0)
            return found
        except UnsupportedError:
            if self._is_ahead or not self._has_given_up:
                raise
            if self._overlapping is not None:
                what = "oneOf of so many alternatives of which several may hold at once"
                raise UnsupportedError(what, goal_pointer((self._overlapping,))) from None
            if self._fuel < 0:
                self._fuel, self._refill = self._refill, self._refill // 2
            self._has_given_up, self._is_wide, self._pending = False, True, []
            self.widened.add(goal)
            return self._conjoin(Bundle(), goal, None, {}, 0)
        finally:
            self._pending, self._overlapping = outer

    def seen_ahead(self, goal: Goal) -> list[Bundle] | None:
        """The goal's bundles for a look ahead; None where they are being made just now, or cannot be made."""
        found = self._bundles.get(goal)
        if found is None and goal not in self._active and goal not in self._unseen:
            if len(self._active) > _MAX_LOOK_AHEAD:
                return None
            fuel, self._fuel = self._fuel, min(self._fuel, _MAX_LOOK_AHEAD_STEPS)
            granted = self._fuel
            outer, self._is_ahead = self._is_ahead, True
            try:
                found = self.bundles(goal)
            except UnsupportedError:
                self._unseen.add(goal)
                self._has_given_up = False
            finally:
                self._fuel += fuel - granted
                self._is_ahead = outer
        return found

    def _conjoin(self, bundle: Bundle, goal: Goal, owner: Literal | None, origin: Origin, depth: int) -> list[Bundle]:
        """`bundle`, which is changed, together with every literal of the goal.

        Args:
            owner: the literal that the goal is a choice of.
            origin: which literals are in the bundle already, each with the one that brought it there; gets those of the
                goal where there is no depth.
        """
        if depth > self.limits.max_depth // 4:
            raise TooComplexError("max_depth", depth, self.limits.max_depth // 4)
        if goal and goal[0] not in origin:
            narrowed = self._narrowed(bundle, goal)
            if narrowed is not None:
                return narrowed
        self._spend(1 + len(origin) / LOOKS_A_STEP, goal)
        if depth:
            origin = dict(origin)
        choices = self._gathered(bundle, goal, owner, origin)
        return [] if choices is None or not bundle.types else self._multiplied([bundle], choices, goal, origin, depth)

    def _gathered(self, bundle: Bundle, goal: Goal, owner: Literal | None, origin: Origin) -> Choices | None:
        """The choices of the goal, after whose other keywords the bundle is narrowed; None where nothing meets it.

        Args:
            origin: gets the literals that are met.
        """
        pending: list[tuple[Literal, Literal | None]] = [(literal, owner) for literal in reversed(goal)]
        choices: Choices = []
        while pending:
            literal, parent = pending.pop()
            if literal in origin:
                check_cycle(literal, parent, origin)
                continue
            origin[literal] = parent
            if isinstance(literal, Site):
                site = literal
            elif is_among(literal.site, origin):
                return None
            else:
                site = complement.of(self.document, literal.site)
            if site.schema is False:
                return None
            if site.schema is not True:
                before = len(choices)
                for other in reversed(self._apply(site, bundle, choices)):
                    pending.append((other, literal))
                if site is not literal:
                    choices[before:] = [Choice(literal, choice.branches) for choice in choices[before:]]
        return choices

    def _multiplied(
        self, results: list[Bundle], choices: Choices, goal: Goal, origin: Origin, depth: int
    ) -> list[Bundle]:
        """Each of the bundles together with each combination of the choices, but for what is plainly empty."""
        self._pending += reversed(choices)
        for choice in choices:
            self._pending.pop()
            if self._is_wide and self._fuel < 0:
                note_choice(self._builder, choice.asking, choice.is_exclusive)
                continue
            following: list[Bundle] = []
            for base in results:
                following += self._choose(base, choice, origin, depth)
                if len(following) > _MAX_BUNDLES:
                    self._give_up(f"a choice of more than {_MAX_BUNDLES} combinations", goal)
                    note_choice(self._builder, choice.asking, choice.is_exclusive)
                    following = results
                    break
            if following == results:
                continue
            results = following
            if len(results) > 1:
                results = self.minimal([found for found in results if not is_contradictory(self, found)], goal)
        return results

    def minimal(self, bundles: list[Bundle], goal: Goal) -> list[Bundle]:
        """The bundles without those whose values are all among another's."""
        self._spend(len(bundles) ** 2 // PAIRS_A_STEP, goal)
        return minimal(bundles)

    def _choose(self, base: Bundle, choice: Choice, origin: Origin, depth: int) -> list[Bundle]:
        """The base together with each branch of the choice; the base alone where that says no more."""
        if depth < _REMEMBERED_DEPTH:
            return self._chosen(base, choice, origin, depth)
        # References may lead to the same choice in many ways. Branches leave out what later choices will say, so these
        # belong to what was asked.
        pending = frozenset([(later.asking, id(later.branches)) for later in self._pending])
        key = (base.content(), choice.asking, id(choice.branches), pending, self._is_wide)
        if key not in self._choices:
            told = (tuple(base.__dict__.values()), choice, tuple(self._pending))
            self._choices[key] = self._chosen(base, choice, origin, depth), told
        return [found.copy() for found in self._choices[key][0]]

    def _chosen(self, base: Bundle, choice: Choice, origin: Origin, depth: int) -> list[Bundle]:
        asking, branches, is_exclusive, condition = choice
        if isinstance(asking, Not) and disjoint.excludes(self, base, asking.site):
            return [base]
        is_exclusive = is_exclusive and len(branches) > 1
        if not self._is_wide and condition is not None and disjoint.excludes(self, base, condition):
            branches = [branches[1][1:]]
        if self._is_wide:
            if is_exclusive or isinstance(asking, Not):
                note_choice(self._builder, choice.asking, choice.is_exclusive)
            if isinstance(asking, Not):
                return [base]
        elif is_exclusive:
            return self._exactly_one(base, choice, origin, depth)
        results = []
        for branch in branches:
            if self._is_wide and self._fuel < 0:
                note_choice(self._builder, choice.asking, choice.is_exclusive)
                return [base]
            if self._is_of_others(base, branch):
                continue
            for found in self._conjoin(base.copy(), branch, asking, origin, depth + 1):
                if found.says_no_more_than(base):
                    return [base]
                results.append(found)
        return results

    def _is_of_others(self, base: Bundle, branch: Goal) -> bool:
        """Whether it was seen before that the branch is of types which the base has not."""
        plan = self._plans.get(branch[0]) if len(branch) == 1 else None
        return plan is not None and not plan.types & base.types

    def _exactly_one(self, base: Bundle, choice: Choice, origin: Origin, depth: int) -> list[Bundle]:
        """The base together with each branch, and with the complements of those that could hold beside it."""
        asking, branches = choice.asking, choice.branches
        options: list[tuple[Site, list[Bundle]]] = []
        for branch in branches:
            (site,) = branch
            assert isinstance(site, Site)
            if self._is_of_others(base, branch):
                continue
            found = self._conjoin(base.copy(), branch, asking, origin, depth + 1)
            found = [bundle for bundle in found if not is_contradictory(self, bundle)]
            if found:
                options.append((site, found))
        results = []
        clashes = disjoint.overlapping(self, [found for _, found in options])
        sites = [site for site, _ in options]
        first = [
            min((j for j in others if sites[j].says_the_same_as(site)), default=-1)
            for site, others in zip(sites, clashes, strict=True)
        ]
        for (_, found), others, twin in zip(options, clashes, first, strict=True):
            if twin >= 0:
                continue  # none of these can hold alone
            if others and len(options) >= _MANY_OPTIONS:
                # With a guard alone a model would come to where nothing that is left is valid.
                self._overlapping = asking
            excluded = tuple(complement.literal(self.document, sites[j]) for j in others if not 0 <= first[j] < j)
            for bundle in found:
                kept = self._conjoin(bundle, excluded, asking, origin, depth + 1) if excluded else [bundle]
                results += [each for each in kept if not is_contradictory(self, each)]
        return results

    def _apply(self, site: Site, bundle: Bundle, choices: Choices) -> More:
        """Narrows the bundle by the site's own keywords; the literals that must hold as well."""
        # Up to draft 7 nothing else is said beside a reference.
        if site.resource.dialect > 7 or "$ref" not in site.schema:
            self._narrow_by(site, bundle)
        applied = self._applied.get(site)
        if applied is None:
            applied = self._applied[site] = self._apply_first(site)
        choices += applied.choices
        return applied.more

    def _apply_first(self, site: Site) -> Applied:
        """What the keywords ask for that lead to other schemas, each of them noted."""
        schema, dialect, applied = site.schema, site.resource.dialect, Applied([], [])
        if "$ref" in schema:
            self.note(site, "$ref")
            applied.more.append(self.document.resolve(site, schema["$ref"]))
            if dialect <= 7:
                return applied
        if _CHOOSING.isdisjoint(schema):
            return applied
        for keyword, value in schema.items():
            if keyword in APPLICATORS and is_known(keyword, dialect):
                APPLICATORS[keyword](self, site, value, applied.more, applied.choices)
                self.note(site, keyword)
        return applied


# Fields without which no bundle is demanding.
_DEMANDING = frozenset(("exists", "max_properties", "min_properties"))
# Keywords that lead to other schemas of the same value.
_CHOOSING = GUARDED | {"$ref"} | APPLIED
