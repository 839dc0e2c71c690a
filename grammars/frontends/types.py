"""Python types and terms of `outlines.types` as constraints."""

from __future__ import annotations

import datetime
import enum
import json
import sys
import types
import typing
import uuid
from dataclasses import dataclass
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.base import Constraint, is_constraint
from grammars.frontends.choice import Choice
from grammars.frontends.combined import Either
from grammars.frontends.json import JsonSchema
from grammars.frontends.lark import Lark
from grammars.frontends.regex import Regex, language_of
from grammars.frontends.regex.syntax import Node, alternatives, repeated, sequence, tree_of
from grammars.frontends.rules.emit import emit_rules
from grammars.frontends.rules.grammar import Embedded, RuleGrammar, node_of
from grammars.frontends.schemas import plain_value, schema_of, unsupported
from grammars.library import load
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

_ANY_TEXT = Regex("(?s:.*)")
_TEXTS: dict[Any, str] = {
    datetime.date: "iso-8601-date",
    datetime.time: "iso-8601-time",
    datetime.datetime: "iso-8601-datetime",
    datetime.timedelta: "iso-8601-duration",
    uuid.UUID: "uuid",
}
_TERMS = "outlines.types.dsl"


def constraint_of(spec: Any) -> Constraint:
    """The constraint that `spec` is or stands for.

    A type stands for the texts of its values. Strings (`str`, string members of `Literal` and of enums, dates, UUIDs)
    are written as they are when they are the whole text; everything else, and every string inside something, is JSON.
    So ``Literal["a", "b"]`` is a choice between two words, ``list[str]`` a JSON array.

    Args:
        spec: a constraint; a Python type (scalars, `Literal`, enums, unions, containers, typed dictionaries,
            dataclasses, named tuples, structs of msgspec, models of pydantic); a term of `outlines.types`.

    Raises:
        UnsupportedError: anything else, by name.
    """
    if is_constraint(spec):
        return spec
    terms = sys.modules.get(_TERMS)
    if terms is not None and isinstance(spec, terms.Term):
        return _of_term(spec, terms)
    return _of_type(spec)


def _of_type(spec: Any) -> Constraint:
    origin, arguments = typing.get_origin(spec), typing.get_args(spec)
    if origin is typing.Literal:
        return _choice(arguments)
    if isinstance(spec, type) and issubclass(spec, enum.Enum):
        return _choice(tuple(spec))
    if origin in (typing.Union, types.UnionType):
        return Either(map(constraint_of, arguments))
    if isinstance(spec, typing.NewType):
        return constraint_of(spec.__supertype__)
    if spec is str:
        return _ANY_TEXT
    try:
        name = _TEXTS.get(spec)
    except TypeError:
        raise unsupported(spec) from None
    if name is not None:
        return load(name)
    schema = schema_of(spec)
    if schema.get("type") == "string":
        return _of_string_schema(schema)
    return JsonSchema(schema)


def _choice(members: tuple[Any, ...]) -> Choice:
    values = [plain_value(member) for member in members]
    return Choice([value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values])


def _of_string_schema(schema: dict[str, Any]) -> Constraint:
    """A string with bounds on its length, written as it is."""
    if set(schema) - {"type", "minLength", "maxLength"}:
        raise UnsupportedError("a string with more than bounds on its length, outside of JSON")
    return Regex(f"(?s:.{{{schema.get('minLength', 0)},{schema.get('maxLength', '')}}})")


@dataclass(frozen=True, slots=True)
class _Composed:
    """A term made of other terms; its `repr` says all of it."""

    term: Any

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"outlines:{self.term!r}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        node = _node(self.term, sys.modules[_TERMS], builder.limits)
        start = emit_rules(builder, RuleGrammar({"term": node}, "term"))
        builder.note("", "term")
        return start


def _of_term(term: Any, terms: Any) -> Constraint:
    if isinstance(term, terms.CFG):
        return Lark(term.definition)
    if isinstance(term, terms.Alternatives):
        return Either(_of_term(option, terms) for option in term.terms)
    if not isinstance(term, terms.JsonSchema):
        return _Composed(term)
    if term.whitespace_pattern is not None:
        raise UnsupportedError("a pattern of whitespace in JSON")
    return JsonSchema(term.schema)


def _node(term: Any, terms: Any, limits: Limits) -> Node:
    counts: tuple[int, int | None]
    match term:
        case terms.String():
            return tree_of(term.value)
        case terms.Choice():
            return alternatives(*(tree_of(str(item)) for item in term.items))
        case terms.Regex():
            language = language_of(term.pattern, "python", False, limits.max_depth, limits.max_pattern_states)
            return node_of(language, limits.max_pattern_states)
        case terms.JsonSchema():
            return Embedded(_of_term(term, terms))
        case terms.Sequence():
            return sequence(*(_node(part, terms, limits) for part in term.terms))
        case terms.Alternatives():
            return alternatives(*(_node(part, terms, limits) for part in term.terms))
        case terms.KleeneStar():
            counts = (0, None)
        case terms.KleenePlus():
            counts = (1, None)
        case terms.Optional():
            counts = (0, 1)
        case terms.QuantifyExact():
            counts = (term.count, term.count)
        case terms.QuantifyMinimum():
            counts = (term.min_count, None)
        case terms.QuantifyMaximum():
            counts = (0, term.max_count)
        case terms.QuantifyBetween():
            counts = (term.min_count, term.max_count)
        case _:
            raise UnsupportedError(f"a term of type {type(term).__name__} within another")
    return repeated(_node(term.term, terms, limits), *counts)
