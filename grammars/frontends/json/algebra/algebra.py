"""Conjunctions of schemas as a choice of alternatives: applicators are followed, choices multiplied out."""

from __future__ import annotations

from typing import Any

from grammars.errors import TooComplexError, UnsupportedError
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
from grammars.frontends.json.algebra.base import CHOOSING, DEMANDING, LOOKS_A_STEP, PAIRS_A_STEP, AlgebraBase
from grammars.frontends.json.algebra.disjoint import is_contradictory, minimal
from grammars.frontends.json.algebra.required_members import with_required_members
from grammars.frontends.json.document.document import Document, Not, SchemaTerm, Subschema
from grammars.frontends.json.document.options import JsonOptions, is_known
from grammars.frontends.json.meaning.type_bounds import OBJECT, Conjunction, TypeBounds, pointer_of
from grammars.frontends.json.validation.value_checks import ValueChecks, note_choice
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.checks import Check

# Choices that multiply out to more alternatives than this are left to a check.
_MAX_BUNDLES = 512
# From this depth on, choices are remembered with the conjunction they were made for.
_REMEMBERED_DEPTH = 3
# A `oneOf` of this many alternatives, some of which overlap, is not left to a check.
_MANY_OPTIONS = 10
# How many conjunctions deep required members are looked at before their schemas are emitted, and for how many steps
# each.
_MAX_LOOK_AHEAD = 12
_MAX_LOOK_AHEAD_STEPS = 400


class Algebra(AlgebraBase):
    """Algebra of conjunctions of subschemas: turns them into alternatives."""

    def __init__(
        self, document: Document, options: JsonOptions, limits: Limits, builder: NetworkBuilder, checks: ValueChecks
    ) -> None:
        super().__init__(document, options, limits, builder, checks)
        self._applied: dict[Subschema, Applied] = {}
        self._origins: dict[Conjunction, Origin] = {}
        # For choices at depth: the result, and the objects whose identity the key uses.
        self._choices: dict[Any, tuple[list[TypeBounds], Any]] = {}
        # Choices that come after those which are being made, the next one last.
        self._pending: list[Choice] = []
        self._unseen: set[Conjunction] = set()
        self._is_ahead = False
        # What demands the `oneOf` that is being made, where many of its alternatives overlap.
        self._overlapping: SchemaTerm | None = None

    def _with_required_members(self, alternatives: list[TypeBounds]) -> list[TypeBounds]:
        return with_required_members(self, alternatives)

    def _extended(self, terms: Conjunction) -> list[TypeBounds] | None:
        """The alternatives of the conjunction made from those of all its schemas but the last, where it is plain how;
        else None.

        Choices about a member come one after the other, so what is asked about it grows by a schema each time.
        """
        if len(terms) < 2:
            return None
        before, last = terms[:-1], terms[-1:]
        alternatives = self._alternatives.get(before)
        if (
            not alternatives
            or before in self.checked_conjunctions
            or not all(DEMANDING.isdisjoint(base.__dict__) for base in alternatives)
        ):
            return None
        origin = dict(self._origins.get(before) or dict.fromkeys(before))
        is_one = len(alternatives) == 1 and not alternatives[0].types & OBJECT
        bounds = alternatives[0].copy() if is_one else TypeBounds()
        self._spend(1 + len(origin) / LOOKS_A_STEP, terms)
        choices = self._gathered(bounds, last, None, origin)
        if not is_one and bounds.__dict__:
            return None
        self._origins[terms] = origin
        if choices is None or not bounds.types:
            return []
        return self._multiplied(
            [bounds] if is_one else [base.copy() for base in alternatives], choices, terms, origin, 0
        )

    def check(self, terms: Conjunction) -> Check | None:
        """Return the check that a value meets a widened conjunction; None if the check of the whole text covers it."""
        check = self._checks.terms(terms)
        self._checks.is_needed |= check is None
        return check

    def _combined(self, terms: Conjunction) -> list[TypeBounds]:
        """Return the combinations of the conjunction's choices; if they are too many, some choices are ignored."""
        outer, self._pending, self._overlapping = (self._pending, self._overlapping), [], None
        try:
            found = self._extended(terms)
            if found is None:
                origin = self._origins[terms] = {}
                found = self._conjoin(TypeBounds(), terms, None, origin, 0)
            return found
        except UnsupportedError:
            if self._is_ahead or not self._has_given_up:
                raise
            if self._overlapping is not None:
                what = "oneOf of so many alternatives of which several may hold at once"
                raise UnsupportedError(what, pointer_of((self._overlapping,))) from None
            if self._fuel < 0:
                self._fuel, self._refill = self._refill, self._refill // 2
            self._has_given_up, self._approximate, self._pending = False, True, []
            self.checked_conjunctions.add(terms)
            return self._conjoin(TypeBounds(), terms, None, {}, 0)
        finally:
            self._pending, self._overlapping = outer

    def try_alternatives(self, terms: Conjunction) -> list[TypeBounds] | None:
        """Return the conjunction's alternatives; None while they are being made, or if they cannot be."""
        found = self._alternatives.get(terms)
        if found is None and terms not in self._active and terms not in self._unseen:
            if len(self._active) > _MAX_LOOK_AHEAD:
                return None
            fuel, self._fuel = self._fuel, min(self._fuel, _MAX_LOOK_AHEAD_STEPS)
            granted = self._fuel
            outer, self._is_ahead = self._is_ahead, True
            try:
                found = self.alternatives(terms)
            except UnsupportedError:
                self._unseen.add(terms)
                self._has_given_up = False
            finally:
                self._fuel += fuel - granted
                self._is_ahead = outer
        return found

    def _conjoin(
        self, bounds: TypeBounds, terms: Conjunction, owner: SchemaTerm | None, origin: Origin, depth: int
    ) -> list[TypeBounds]:
        """Return `bounds`, which is changed, narrowed by every term of the conjunction.

        Args:
            owner: the term that the conjunction is a choice of.
            origin: which terms are in the alternative already, each with the one that brought it there; gets those of
                the conjunction where there is no depth.
        """
        if depth > self.limits.max_depth // 4:
            raise TooComplexError("max_depth", depth, self.limits.max_depth // 4)
        if terms and terms[0] not in origin:
            narrowed = self._narrowed(bounds, terms)
            if narrowed is not None:
                return narrowed
        self._spend(1 + len(origin) / LOOKS_A_STEP, terms)
        if depth:
            origin = dict(origin)
        choices = self._gathered(bounds, terms, owner, origin)
        return [] if choices is None or not bounds.types else self._multiplied([bounds], choices, terms, origin, depth)

    def _gathered(
        self, bounds: TypeBounds, terms: Conjunction, owner: SchemaTerm | None, origin: Origin
    ) -> Choices | None:
        """The choices of the conjunction, after whose other keywords the alternative is narrowed; None where nothing
        meets it.

        Args:
            origin: gets the terms that are met.
        """
        pending: list[tuple[SchemaTerm, SchemaTerm | None]] = [(term, owner) for term in reversed(terms)]
        choices: Choices = []
        while pending:
            term, parent = pending.pop()
            if term in origin:
                check_cycle(term, parent, origin)
                continue
            origin[term] = parent
            if isinstance(term, Subschema):
                subschema = term
            elif is_among(term.subschema, origin):
                return None
            else:
                subschema = complement.of(self.document, term.subschema)
            if subschema.schema is False:
                return None
            if subschema.schema is not True:
                before = len(choices)
                for other in reversed(self._apply(subschema, bounds, choices)):
                    pending.append((other, term))
                if subschema is not term:
                    choices[before:] = [Choice(term, choice.branches) for choice in choices[before:]]
        return choices

    def _multiplied(
        self, results: list[TypeBounds], choices: Choices, terms: Conjunction, origin: Origin, depth: int
    ) -> list[TypeBounds]:
        """Return the product of alternatives and choices, without plainly empty ones."""
        self._pending += reversed(choices)
        for choice in choices:
            self._pending.pop()
            if self._approximate and self._fuel < 0:
                note_choice(self._builder, choice.asking, choice.is_exclusive)
                continue
            following: list[TypeBounds] = []
            for base in results:
                following += self._choose(base, choice, origin, depth)
                if len(following) > _MAX_BUNDLES:
                    self._give_up(f"a choice of more than {_MAX_BUNDLES} combinations", terms)
                    note_choice(self._builder, choice.asking, choice.is_exclusive)
                    following = results
                    break
            if following == results:
                continue
            results = following
            if len(results) > 1:
                results = self.minimal([found for found in results if not is_contradictory(self, found)], terms)
        return results

    def minimal(self, alternatives: list[TypeBounds], terms: Conjunction) -> list[TypeBounds]:
        """Return the alternatives without those whose values are all among another's."""
        self._spend(len(alternatives) ** 2 // PAIRS_A_STEP, terms)
        return minimal(alternatives)

    def _choose(self, base: TypeBounds, choice: Choice, origin: Origin, depth: int) -> list[TypeBounds]:
        """Return the base narrowed by each branch of the choice; the base alone if a branch narrows nothing."""
        if depth < _REMEMBERED_DEPTH:
            return self._chosen(base, choice, origin, depth)
        # References may lead to the same choice in many ways. Branches leave out what later choices will say, so these
        # belong to what was asked.
        pending = frozenset([(later.asking, id(later.branches)) for later in self._pending])
        key = (base.content(), choice.asking, id(choice.branches), pending, self._approximate)
        if key not in self._choices:
            told = (tuple(base.__dict__.values()), choice, tuple(self._pending))
            self._choices[key] = self._chosen(base, choice, origin, depth), told
        return [found.copy() for found in self._choices[key][0]]

    def _chosen(self, base: TypeBounds, choice: Choice, origin: Origin, depth: int) -> list[TypeBounds]:
        asking, branches, is_exclusive, condition = choice
        if isinstance(asking, Not) and disjoint.excludes(self, base, asking.subschema):
            return [base]
        is_exclusive = is_exclusive and len(branches) > 1
        if not self._approximate and condition is not None and disjoint.excludes(self, base, condition):
            branches = [branches[1][1:]]
        if self._approximate:
            if is_exclusive or isinstance(asking, Not):
                note_choice(self._builder, choice.asking, choice.is_exclusive)
            if isinstance(asking, Not):
                return [base]
        elif is_exclusive:
            return self._exactly_one(base, choice, origin, depth)
        results = []
        for branch in branches:
            if self._approximate and self._fuel < 0:
                note_choice(self._builder, choice.asking, choice.is_exclusive)
                return [base]
            if self._is_of_others(base, branch):
                continue
            for found in self._conjoin(base.copy(), branch, asking, origin, depth + 1):
                if found.says_no_more_than(base):
                    return [base]
                results.append(found)
        return results

    def _is_of_others(self, base: TypeBounds, branch: Conjunction) -> bool:
        """True if the branch is known to have no type in common with the base."""
        plan = self._plans.get(branch[0]) if len(branch) == 1 else None
        return plan is not None and not plan.types & base.types

    def _exactly_one(self, base: TypeBounds, choice: Choice, origin: Origin, depth: int) -> list[TypeBounds]:
        """Return the base with each branch, and with the complements of branches that overlap it."""
        asking, branches = choice.asking, choice.branches
        options: list[tuple[Subschema, list[TypeBounds]]] = []
        for branch in branches:
            (subschema,) = branch
            assert isinstance(subschema, Subschema)
            if self._is_of_others(base, branch):
                continue
            found = self._conjoin(base.copy(), branch, asking, origin, depth + 1)
            found = [bounds for bounds in found if not is_contradictory(self, bounds)]
            if found:
                options.append((subschema, found))
        results = []
        clashes = disjoint.overlapping(self, [found for _, found in options])
        subschemas = [subschema for subschema, _ in options]
        first = [
            min((j for j in others if subschemas[j].says_the_same_as(subschema)), default=-1)
            for subschema, others in zip(subschemas, clashes, strict=True)
        ]
        for (_, found), others, twin in zip(options, clashes, first, strict=True):
            if twin >= 0:
                continue  # none of these can hold alone
            if others and len(options) >= _MANY_OPTIONS:
                # With a check alone a model would come to where nothing that is left is valid.
                self._overlapping = asking
            excluded = tuple(complement.term(self.document, subschemas[j]) for j in others if not 0 <= first[j] < j)
            for bounds in found:
                kept = self._conjoin(bounds, excluded, asking, origin, depth + 1) if excluded else [bounds]
                results += [each for each in kept if not is_contradictory(self, each)]
        return results

    def _apply(self, subschema: Subschema, bounds: TypeBounds, choices: Choices) -> More:
        """Narrow the alternative by the subschema's own keywords; return the terms that must hold as well."""
        # Up to draft 7 siblings of a reference are ignored.
        if subschema.resource.dialect > 7 or "$ref" not in subschema.schema:
            self._narrow_by(subschema, bounds)
        applied = self._applied.get(subschema)
        if applied is None:
            applied = self._applied[subschema] = self._apply_first(subschema)
        choices += applied.choices
        return applied.more

    def _apply_first(self, subschema: Subschema) -> Applied:
        """Apply keywords that lead to other schemas, each noted in the report."""
        schema, dialect, applied = subschema.schema, subschema.resource.dialect, Applied([], [])
        if "$ref" in schema:
            self.note(subschema, "$ref")
            applied.more.append(self.document.resolve(subschema, schema["$ref"]))
            if dialect <= 7:
                return applied
        if CHOOSING.isdisjoint(schema):
            return applied
        for keyword, value in schema.items():
            if keyword in APPLICATORS and is_known(keyword, dialect):
                APPLICATORS[keyword](self, subschema, value, applied.more, applied.choices)
                self.note(subschema, keyword)
        return applied
