"""What is asked about goals, and what asking costs: the part of the algebra that others know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.algebra.known_values import KnownValues
from grammars.frontends.json.document.document import Document, Literal, Site
from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.meaning.keywords import SAID, Narrow, how_held, narrowing, types_named
from grammars.frontends.json.meaning.type_bounds import ANY_TYPE, Bundle, Goal, goal_pointer
from grammars.frontends.json.validation.value_guards import ValueGuards
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

# Conjunctions made for one schema: the fuel that bounds the time of its compilation. Where it runs out, the goal at
# hand is widened, and so much is there for the rest, half as much the next time.
_MAX_STEPS = 100_000
_REFILL_STEPS = 16_000
# Pairs of bundles that are compared in the time of one such step, schemas asked about a member.
PAIRS_A_STEP = 64
LOOKS_A_STEP = 64
# Required names to which one is added.
_NAMES_A_STEP = 128
# How often a bundle is asked about a value, for each value that an enum may have.
_LOOKS_A_VALUE = 1.5


class Plan(NamedTuple):
    """What a schema says of a value on the spot.

    Attributes:
        narrows: for each keyword but `type` what narrows a bundle by it, and its value.
        types: that the value can have.
    """

    narrows: list[tuple[Narrow, Any]]
    types: int


class AlgebraBase(ABC):
    """What schemas say on the spot, noted in the report; what their conjunctions say is for `Algebra` to find out.

    Args:
        document: whose sites the goals are made of.
        options: whether formats are asserted.
        limits: `max_depth` bounds choices within choices, `max_enum_values` the values that are looked at.
        builder: where enforced keywords are noted.
        guards: told when a guard has to say what the bundles do not.

    Attributes:
        widened: goals whose bundles allow more than the goals do, since the choices in them are too many.
        disjoint: what was found to be disjoint or not, by goals and depth, and by what two strings may be.
    """

    def __init__(
        self, document: Document, options: JsonOptions, limits: Limits, builder: NetworkBuilder, guards: ValueGuards
    ) -> None:
        self.document = document
        self.options = options
        self.limits = limits
        self.widened: set[Goal] = set()
        self.disjoint: dict[tuple[Any, ...], bool] = {}
        self._builder = builder
        self._guards = guards
        self._asserts_formats = options.formats == "assert"
        self._plans: dict[Literal, Plan] = {}
        self.known_values = KnownValues(builder, options)
        self._fuel: float = _MAX_STEPS
        self._refill = _REFILL_STEPS
        self._num_values = 0
        self._is_wide = self._has_given_up = False

    @abstractmethod
    def bundles(self, goal: Goal) -> list[Bundle]:
        """The choices that the goal leaves; none where it is plainly unsatisfiable."""

    @abstractmethod
    def seen_ahead(self, goal: Goal) -> list[Bundle] | None:
        """The goal's bundles for a look ahead; None where they are being made just now, or cannot be made."""

    @abstractmethod
    def minimal(self, bundles: list[Bundle], goal: Goal) -> list[Bundle]:
        """The bundles without those whose values are all among another's."""

    def meets(self, goal: Goal, value: Any) -> bool:
        """Whether the value meets the goal, by evaluation."""
        return self._guards.meets(goal, value)

    def said(self, schema: dict[str, Any]) -> frozenset[str]:
        """The keywords of the schema that are not annotations."""
        return SAID.intersection(schema)

    def leave(self, site: Site, keyword: str) -> None:
        """Leaves the keyword to the guard of the whole text."""
        self._guards.is_needed = True
        self._builder.note(site.pointer, keyword, "guard")

    def _narrow_by(self, site: Site, bundle: Bundle) -> None:
        """Narrows the bundle by the keywords that leave no choice."""
        if bundle.required and "required" in site.schema:
            self._spend(len(bundle.required) / _NAMES_A_STEP, (site,))
        plan = self._plans.get(site)
        if plan is None:
            plan = self._new_plan(site)
        elif not bundle.types & plan.types:
            bundle.types = 0
            return
        bundle.types &= plan.types
        document = self.document
        for narrow, value in plan.narrows:
            narrow(document, site, value, bundle)

    def _new_plan(self, site: Site) -> Plan:
        """What the schema says of a value on the spot, which is noted."""
        narrows, pointer = narrowing(site.resource.dialect, self._asserts_formats), site.pointer
        found: list[tuple[Narrow, Any]] = []
        notes: list[str] = []
        types = ANY_TYPE
        for keyword, value in site.schema.items():
            narrow = narrows.get(keyword)
            if narrow is not None:
                notes += (pointer, keyword, how_held(keyword, value))
                found.append((narrow, value))
            elif keyword == "type":
                notes += (pointer, keyword, "mask")
                types = types_named(site, value)
        plan = self._plans[site] = Plan(found, types)
        if not site.is_noted:
            self._builder.note_all(notes)
        return plan

    def types_of(self, site: Site) -> int:
        """The types that a schema allows which says nothing else."""
        schema = site.schema
        if "type" not in schema:
            return ANY_TYPE
        if not site.is_noted:
            self._builder.note_all((site.pointer, "type", "mask"))
        return types_named(site, schema["type"])

    def note(self, site: Site, keyword: str) -> None:
        """Says in the report that the keyword is enforced, once for each schema."""
        if not site.is_noted:
            self._builder.note(site.pointer, keyword)

    def made(self, site: Site, schema: dict[str, Any]) -> Site:
        """A site for something a keyword of `site` implies."""
        return self.document.made(site, schema)

    def _spend(self, steps: float, goal: Goal) -> None:
        self._fuel -= steps
        if self._fuel < 0:
            self._give_up(f"a schema whose choices take more than {_MAX_STEPS} steps", goal)
        if self._fuel < -_MAX_STEPS / 2:
            raise UnsupportedError(
                f"a schema that even without its choices takes {_MAX_STEPS // 2} steps", goal_pointer(goal)
            )

    def may_look(self, num_looks: float, goal: Goal = ()) -> bool:
        """Pays for looks at what schemas say about members; False where the goal is widened and can pay no more."""
        self._spend(num_looks / LOOKS_A_STEP, goal)
        return self._fuel >= 0

    def look_at_value(self) -> None:
        """Counts the given values, and the values inside of them, that a bundle was asked about; refuses too many."""
        self._num_values += 1
        most = int(_LOOKS_A_VALUE * self.limits.max_enum_values)
        if self._num_values > most:
            raise TooComplexError("max_enum_values", self._num_values, most)

    def _give_up(self, what: str, goal: Goal) -> None:
        """Stops unless the goal is being widened."""
        if not self._is_wide:
            self._has_given_up = True
            raise UnsupportedError(what, goal_pointer(goal))
