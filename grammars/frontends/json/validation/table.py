"""The keywords: what they look at, which dialects and vocabularies have them, who makes their check."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from operator import ge, gt, le, lt

from grammars.frontends.json.document import Resource
from grammars.frontends.json.validation import applicators, arrays, objects, scalars
from grammars.frontends.json.validation.compilation import Maker

NUMBERS: tuple[type, ...] = (int, Decimal)
STRINGS: tuple[type, ...] = (str,)
ARRAYS: tuple[type, ...] = (list,)
OBJECTS: tuple[type, ...] = (dict,)
ANY: tuple[type, ...] = (type(None), bool, *NUMBERS, *STRINGS, *ARRAYS, *OBJECTS)

_FOREVER = 9999
_CORE, _APPLICATOR, _VALIDATION = ("core",), ("applicator",), ("validation",)
_UNEVALUATED = ("unevaluated",)
_FORMAT = ("format", "format-annotation", "format-assertion")


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword, or several that are read together.

    Attributes:
        names: any of them brings the check about; the maker is given the value of the first.
        types: of values that it looks at.
        vocabularies: any of them has it (from 2019-09 on).
        since: first dialect with it.
        until: last dialect with it.
    """

    names: tuple[str, ...]
    maker: Maker
    types: tuple[type, ...]
    vocabularies: tuple[str, ...]
    since: int = 4
    until: int = _FOREVER

    def is_in(self, resource: Resource) -> bool:
        """Whether the resource's dialect and vocabularies have it."""
        if not self.since <= resource.dialect <= self.until:
            return False
        listed = resource.vocabularies
        # 2019-09 has unevaluated* among the applicators.
        own = _APPLICATOR if self.vocabularies == _UNEVALUATED and resource.dialect == 2019 else self.vocabularies
        return listed is None or any(name in listed for name in own)


def _keyword(
    names: str,
    maker: Maker,
    types: tuple[type, ...],
    vocabularies: tuple[str, ...],
    since: int = 4,
    until: int = _FOREVER,
) -> Keyword:
    return Keyword(tuple(names.split()), maker, types, vocabularies, since, until)


TYPE = _keyword("type", scalars.type_, ANY, _VALIDATION)
REF = _keyword("$ref", applicators.ref, ANY, _CORE)

# In the order in which they are asked: cheap ones first, those that go deeper last.
KEYWORDS = (
    _keyword("enum", scalars.enum, ANY, _VALIDATION),
    _keyword("const", scalars.const, ANY, _VALIDATION, 6),
    _keyword("minimum", scalars.bound("minimum", ge), NUMBERS, _VALIDATION),
    _keyword("maximum", scalars.bound("maximum", le), NUMBERS, _VALIDATION),
    _keyword("exclusiveMinimum", scalars.bound("exclusiveMinimum", gt), NUMBERS, _VALIDATION),
    _keyword("exclusiveMaximum", scalars.bound("exclusiveMaximum", lt), NUMBERS, _VALIDATION),
    _keyword("multipleOf", scalars.multiple_of, NUMBERS, _VALIDATION),
    _keyword("minLength", scalars.size("minLength", ge), STRINGS, _VALIDATION),
    _keyword("maxLength", scalars.size("maxLength", le), STRINGS, _VALIDATION),
    _keyword("pattern", scalars.pattern_, STRINGS, _VALIDATION),
    _keyword("format", scalars.format_, STRINGS, _FORMAT),
    _keyword("minItems", scalars.size("minItems", ge), ARRAYS, _VALIDATION),
    _keyword("maxItems", scalars.size("maxItems", le), ARRAYS, _VALIDATION),
    _keyword("minProperties", scalars.size("minProperties", ge), OBJECTS, _VALIDATION),
    _keyword("maxProperties", scalars.size("maxProperties", le), OBJECTS, _VALIDATION),
    _keyword("required", objects.required, OBJECTS, _VALIDATION),
    _keyword("dependentRequired", objects.dependent("dependentRequired"), OBJECTS, _VALIDATION, 2019),
    REF,
    _keyword("$dynamicRef", applicators.dynamic_ref, ANY, _CORE, 2020),
    _keyword("$recursiveRef", applicators.recursive_ref, ANY, _CORE, 2019, 2019),
    _keyword("properties patternProperties additionalProperties", objects.members, OBJECTS, _APPLICATOR),
    _keyword("propertyNames", objects.property_names, OBJECTS, _APPLICATOR, 6),
    _keyword("items prefixItems", arrays.items, ARRAYS, _APPLICATOR),
    _keyword("contains", arrays.contains, ARRAYS, _APPLICATOR, 6),
    _keyword("uniqueItems", arrays.unique_items, ARRAYS, _VALIDATION),
    _keyword("allOf", applicators.all_of, ANY, _APPLICATOR),
    _keyword("anyOf", applicators.any_of, ANY, _APPLICATOR),
    _keyword("oneOf", applicators.one_of, ANY, _APPLICATOR),
    _keyword("not", applicators.not_, ANY, _APPLICATOR),
    _keyword("if", applicators.if_, ANY, _APPLICATOR, 7),
    _keyword("dependentSchemas", objects.dependent("dependentSchemas"), OBJECTS, _APPLICATOR, 2019),
    # Later drafts split it in two; most validators still read it.
    _keyword("dependencies", objects.dependent("dependencies"), OBJECTS, _APPLICATOR),
)

# What looks at what all others have evaluated.
LAST = (
    _keyword("unevaluatedItems", applicators.unevaluated("unevaluatedItems"), ARRAYS, _UNEVALUATED, 2019),
    _keyword("unevaluatedProperties", applicators.unevaluated("unevaluatedProperties"), OBJECTS, _UNEVALUATED, 2019),
)

# What complements are written with; no document can say these.
COMPLEMENTS = (
    _keyword("\0notEnum", scalars.not_enum, ANY, _CORE),
    _keyword("\0notPattern", scalars.not_pattern, STRINGS, _CORE),
    _keyword("\0notMultipleOf", scalars.not_multiple_of, NUMBERS, _CORE),
    _keyword("\0repeats", arrays.repeats, ARRAYS, _CORE),
    _keyword("\0exists", objects.exists, OBJECTS, _CORE),
)
