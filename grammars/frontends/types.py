"""Python types and terms of `outlines.types` as constraints."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.arguments.emitter import RawString
from grammars.frontends.base import Constraint, is_constraint
from grammars.frontends.combined import Choice, Either
from grammars.frontends.json import JsonSchema
from grammars.frontends.lark import Lark
from grammars.frontends.regex import language_of
from grammars.frontends.regex.syntax import Node, alternatives, repeated, sequence, tree_of
from grammars.frontends.rules.emit import emit_rules
from grammars.frontends.rules.grammar import Embedded, RuleGrammar, node_of
from grammars.frontends.schemas import schema_of
from grammars.library import load
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

# How texts of a format are written when they are the whole text.
_TEXTS = {"uuid": "uuid"} | {
    name: f"iso-8601-{name.replace('-', '')}" for name in ("date", "time", "date-time", "duration")
}
_TERMS = "outlines.types.dsl"
_COUNTS = {"KleeneStar": (0, None), "KleenePlus": (1, None), "Optional": (0, 1)}


def constraint_of(spec: Any) -> Constraint:
    """Return the constraint that `spec` is or denotes.

    A type denotes the texts of its values. Strings (`str`, string members of `Literal` and of enums, dates, UUIDs)
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
    schema = schema_of(spec)
    return _of_schema(schema, {"$defs": schema.pop("$defs")} if "$defs" in schema else {})


def _of_schema(schema: dict[str, Any], definitions: dict[str, Any]) -> Constraint:
    match schema:
        case {"enum": values, **more} if not more:
            return Choice([each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in values])
        case {"anyOf": branches, **more} if not more:
            return Either([_of_schema(branch, definitions) for branch in branches])
        case {"type": "string", "format": name, **more} if name in _TEXTS and not more:
            return load(_TEXTS[name])
        case {"type": "string"}:
            return RawString(JsonSchema(schema))
    return JsonSchema({**schema, **definitions})


@dataclass(frozen=True, slots=True)
class _Composed:
    """A term made of other terms."""

    term: Any

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"outlines:{_key(self.term, sys.modules[_TERMS])!r}"

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


def _key(part: Any, terms: Any) -> Any:
    """Return a unique key of a term. Its own `repr` is not unique: it escapes no quote."""
    if isinstance(part, terms.Term):
        return type(part).__name__, [_key(each, terms) for each in vars(part).values()]
    return [_key(each, terms) for each in part] if isinstance(part, list) else part


def _node(term: Any, terms: Any, limits: Limits) -> Node:
    match term:
        case str() | int() | float():
            return tree_of(str(term))
        case terms.String():
            return tree_of(term.value)
        case terms.Regex():
            return node_of(language_of(term.pattern, "python", False, limits), limits.max_pattern_states)
        case terms.JsonSchema():
            return Embedded(_of_term(term, terms))
        case terms.Sequence():
            return sequence(*(_node(part, terms, limits) for part in term.terms))
        case terms.Alternatives(terms=parts) | terms.Choice(items=parts):
            return alternatives(*(_node(part, terms, limits) for part in parts))
        case terms.KleeneStar() | terms.KleenePlus() | terms.Optional():
            low, high = _COUNTS[type(term).__name__]
        case terms.QuantifyExact():
            low = high = term.count
        case terms.QuantifyMinimum() | terms.QuantifyMaximum() | terms.QuantifyBetween():
            low, high = getattr(term, "min_count", 0), getattr(term, "max_count", None)
        case _:
            raise UnsupportedError(f"a term of type {type(term).__name__} within another")
    return repeated(_node(term.term, terms, limits), low, high)
