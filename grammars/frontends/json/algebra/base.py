"""Interface of the algebra: alternatives of single schemas, and the cost of conjunctions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.base import spelled_out
from grammars.frontends.json.document.document import Document, SchemaTerm, Subschema
from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.meaning.formats import PARTLY
from grammars.frontends.json.meaning.keywords import APPLIED, CHECKED, SAID, Narrow, narrowing, types_named
from grammars.frontends.json.meaning.type_bounds import ANY_TYPE, TYPES, Conjunction, TypeBounds, pointer_of
from grammars.frontends.json.validation.value_checks import ValueChecks
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

# Conjunctions made for one schema: the fuel that bounds the time of its compilation. Where it runs out, the conjunction
# at hand is approximated, and the rest gets this much, half as much the next time.
_MAX_STEPS = 100_000
_REFILL_STEPS = 16_000
# Pairs of alternatives that are compared in the time of one such step, schemas asked about a member.
PAIRS_A_STEP = 64
LOOKS_A_STEP = 64
# Required names to which one is added.
_NAMES_A_STEP = 128
# How often an alternative is asked about a value, for each value that an enum may have.
_LOOKS_A_VALUE = 1.5
# What these say, they say wherever they occur.
_PLAIN = {
    *("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems"),
}
_ANNOTATIONS = {"title", "description", "default", "example", "examples", "deprecated", "$comment"}


# Keywords that lead to other schemas of the same value.
CHOOSING = CHECKED | {"$ref"} | APPLIED
# Fields without which no alternative is demanding, see `required_members`.
DEMANDING = frozenset(("exists", "max_properties", "min_properties"))


def _how_held(keyword: str, value: Any) -> str:
    """Return how masks enforce the keyword: partly for a format whose mask leaves texts out."""
    return "partly" if keyword == "format" and isinstance(value, str) and value in PARTLY else "mask"


def _types(subschema: Subschema, value: Any) -> int:
    """Return the types that a schema's `type` allows."""
    return TYPES[value] if type(value) is str and value in TYPES else types_named(subschema, value)


class KnownValues:
    """Cache of rules of values by the text of schemas whose meaning depends on nothing else.

    Args:
        options: how the schemas are read.
    """

    def __init__(self, builder: NetworkBuilder, options: JsonOptions) -> None:
        self._builder = builder
        self._options = spelled_out(options)
        self._annotations = _ANNOTATIONS if options.formats == "assert" else _ANNOTATIONS | {"format"}

    def of(self, terms: Conjunction, use: Hashable, make: Callable[[Conjunction], int | None]) -> int | None:
        """Return the rule that `make` makes of the conjunction, or made of one with the same text for the same use."""
        builder, subschema = self._builder, terms[0] if len(terms) == 1 else None
        new = builder.new_values
        if (
            new is None
            or type(subschema) is not Subschema
            or subschema.is_noted
            or subschema.resource.vocabularies is not None
        ):
            return make(terms)
        if subschema.words is None:
            notes: list[str] = []
            subschema.words = self._words(subschema.schema, subschema.pointer, notes) or ""
            if subschema.words:
                builder.notes += notes
        if not subschema.words:
            return make(terms)
        key, known = (subschema.words, use, self._options, subschema.resource.dialect), builder.known_values
        if key in known:
            return known[key]
        new[key] = found = make(terms)
        return found

    def _words(self, schema: Any, pointer: str, notes: list[str]) -> str | None:
        """Return an equal key for schemas with equal text; None if a schema's place may matter.

        Args:
            notes: get what the report says of the keywords.
        """
        if type(schema) is not dict:
            return repr(schema) if type(schema) is bool else None
        found = []
        for keyword, value in schema.items():
            if keyword in self._annotations:
                continue
            said: str | None = None
            if keyword in _PLAIN:
                said = repr(value)
            elif keyword == "items":
                said = self._words(value, f"{pointer}/items", notes)
            elif keyword == "anyOf" and type(value) is list:
                each = [self._words(one, f"{pointer}/anyOf/{index}", notes) for index, one in enumerate(value)]
                said = None if None in each else repr(each)
            if said is None:
                return None
            notes += (pointer, keyword, _how_held(keyword, value))
            found.append(f"{keyword} {said}")
        return "|".join(found)


class Plan(NamedTuple):
    """Keywords of a schema that narrow a value without applying other schemas.

    Attributes:
        narrows: for each keyword but `type` what narrows an alternative by it, and its value.
        types: that the value can have.
    """

    narrows: list[tuple[Narrow, Any]]
    types: int


class AlgebraBase(ABC):
    """Alternatives of schemas by their direct keywords, noted in the report; `Algebra` adds choices and conjunctions.

    Args:
        document: whose subschemas the conjunctions are made of.
        options: whether formats are asserted.
        limits: `max_depth` bounds choices within choices, `max_enum_values` the values that are looked at.
        builder: where enforced keywords are noted.
        checks: where checks are requested that the alternatives cannot replace.

    Attributes:
        checked_conjunctions: those with too many choices, whose alternatives allow more values.
        disjoint: known answers to whether two are disjoint, by conjunctions and depth, and by string content.
    """

    def __init__(
        self, document: Document, options: JsonOptions, limits: Limits, builder: NetworkBuilder, checks: ValueChecks
    ) -> None:
        self.document = document
        self.options = options
        self.limits = limits
        self.checked_conjunctions: set[Conjunction] = set()
        self.disjoint: dict[tuple[Any, ...], bool] = {}
        self._builder = builder
        self._checks = checks
        self._asserts_formats = options.formats == "assert"
        self._alternatives: dict[Conjunction, list[TypeBounds]] = {}
        self._active: set[Conjunction] = set()
        self._plans: dict[SchemaTerm, Plan] = {}
        self.known_values = KnownValues(builder, options)
        self._fuel: float = _MAX_STEPS
        self._refill = _REFILL_STEPS
        self._num_values = 0
        self._approximate = self._has_given_up = False

    def alternatives(self, terms: Conjunction) -> list[TypeBounds]:
        """Return the choices that the conjunction leaves; none if it is plainly unsatisfiable."""
        found = self._alternatives.get(terms)
        if found is None:
            if len(terms) > 1 and self.document.nothing in terms:
                self._alternatives[terms] = []
                return []
            if terms in self._active:
                raise InvalidGrammarError("a reference leads back to itself", pointer_of(terms))
            self._active.add(terms)
            outer, self._approximate = self._approximate, False
            try:
                found = self._narrowed(TypeBounds(), terms)
                if found is None:
                    found = self._combined(terms)
                if not all(DEMANDING.isdisjoint(bounds.__dict__) for bounds in found):
                    found = self._with_required_members(found)
                self._alternatives[terms] = found
            finally:
                self._active.remove(terms)
                self._approximate = outer
        return found

    @abstractmethod
    def _combined(self, terms: Conjunction) -> list[TypeBounds]:
        """Return the combinations of the conjunction's choices; if they are too many, some choices are ignored."""

    @abstractmethod
    def _with_required_members(self, alternatives: list[TypeBounds]) -> list[TypeBounds]:
        """Return the alternatives with members that must exist found among the declared ones."""

    @abstractmethod
    def try_alternatives(self, terms: Conjunction) -> list[TypeBounds] | None:
        """Return the conjunction's alternatives; None while they are being made, or if they cannot be."""

    @abstractmethod
    def minimal(self, alternatives: list[TypeBounds], terms: Conjunction) -> list[TypeBounds]:
        """Return the alternatives without those whose values are all among another's."""

    def meets(self, terms: Conjunction, value: Any) -> bool:
        """True if the value meets the conjunction, by evaluation."""
        return self._checks.meets(terms, value)

    def said(self, schema: dict[str, Any]) -> frozenset[str]:
        """Return the keywords of the schema that are not annotations."""
        return SAID.intersection(schema)

    def leave(self, subschema: Subschema, keyword: str) -> None:
        """Leave the keyword to the check of the whole text."""
        self._checks.is_needed = True
        self._builder.note(subschema.pointer, keyword, "check")

    def _narrowed(self, bounds: TypeBounds, terms: Conjunction) -> list[TypeBounds] | None:
        """Narrow the alternative by a conjunction of one schema without keywords that lead to others, and return it.

        Returns:
            None for other conjunctions, by which nothing is narrowed; no alternative if no value is left.
        """
        if len(terms) != 1:
            return None
        subschema = terms[0]
        if (
            type(subschema) is not Subschema
            or type(subschema.schema) is not dict
            or not CHOOSING.isdisjoint(subschema.schema)
        ):
            return None
        self._spend(1, terms)
        self._narrow_by(subschema, bounds)
        return [bounds] if bounds.types else []

    def _narrow_by(self, subschema: Subschema, bounds: TypeBounds) -> None:
        """Narrow the alternative by the keywords that leave no choice."""
        if bounds.required and "required" in subschema.schema:
            self._spend(len(bounds.required) / _NAMES_A_STEP, (subschema,))
        plan = self._plans.get(subschema)
        if plan is None:
            plan = self._new_plan(subschema)
        elif not bounds.types & plan.types:
            bounds.types = 0
            return
        bounds.types &= plan.types
        document = self.document
        for narrow, value in plan.narrows:
            narrow(document, subschema, value, bounds)

    def _new_plan(self, subschema: Subschema) -> Plan:
        """Return the schema's direct keywords, noted in the report."""
        narrows, pointer = narrowing(subschema.resource.dialect, self._asserts_formats), subschema.pointer
        found: list[tuple[Narrow, Any]] = []
        notes: list[str] = []
        types = ANY_TYPE
        for keyword, value in subschema.schema.items():
            narrow = narrows.get(keyword)
            if narrow is not None:
                notes += (pointer, keyword, _how_held(keyword, value))
                found.append((narrow, value))
            elif keyword == "type":
                notes += (pointer, keyword, "mask")
                types = _types(subschema, value)
        plan = self._plans[subschema] = Plan(found, types)
        if not subschema.is_noted:
            self._builder.notes += notes
        return plan

    def types_of(self, subschema: Subschema) -> int:
        """Return the types that a schema with no other keyword allows."""
        schema = subschema.schema
        if "type" not in schema:
            return ANY_TYPE
        if not subschema.is_noted:
            self._builder.notes += (subschema.pointer, "type", "mask")
        return _types(subschema, schema["type"])

    def note(self, subschema: Subschema, keyword: str) -> None:
        """Record in the report that the keyword is enforced, once for each schema."""
        if not subschema.is_noted:
            self._builder.note(subschema.pointer, keyword)

    def made(self, subschema: Subschema, schema: dict[str, Any]) -> Subschema:
        """Return a subschema that a keyword of `subschema` implies."""
        return self.document.made(subschema, schema)

    def _spend(self, steps: float, terms: Conjunction) -> None:
        self._fuel -= steps
        if self._fuel < 0:
            self._give_up(f"a schema whose choices take more than {_MAX_STEPS} steps", terms)
        if self._fuel < -_MAX_STEPS / 2:
            raise UnsupportedError(
                f"a schema that even without its choices takes {_MAX_STEPS // 2} steps", pointer_of(terms)
            )

    def may_look(self, num_looks: float, terms: Conjunction = ()) -> bool:
        """Spend steps on looks at what schemas say about members; False if the conjunction may spend no more."""
        self._spend(num_looks / LOOKS_A_STEP, terms)
        return self._fuel >= 0

    def look_at_value(self) -> None:
        """Count a given value, or one inside it, that an alternative is tested with; refuse too many."""
        self._num_values += 1
        most = int(_LOOKS_A_VALUE * self.limits.max_enum_values)
        if self._num_values > most:
            raise TooComplexError("max_enum_values", self._num_values, most)

    def _give_up(self, what: str, terms: Conjunction) -> None:
        """Stop unless the conjunction is being widened."""
        if not self._approximate:
            self._has_given_up = True
            raise UnsupportedError(what, pointer_of(terms))
