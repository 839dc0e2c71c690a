"""The constraint of a body, from any of the fields that different servers define for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from gateway.api.openai.requests import (
    GenerationFields,
    GrammarFormat,
    JsonSchemaFormat,
    ResponseFormat,
    StructuredOutputs,
    TypedGrammar,
)
from gateway.api.openai.schemas import ANY_OBJECT, schema_constraint
from gateway.api.openai.structural_tags import structural_tag
from gateway.core.constraints import ChoiceConstraint, Constraint, GrammarConstraint, RegexConstraint, StoredConstraint
from gateway.errors import InvalidRequestError, UnsupportedParameterError

_SCHEMAS = ("json_schema", "schema", "value")
_READ = {
    "text": (),
    "json_object": _SCHEMAS,
    "json": _SCHEMAS,
    "json_schema": _SCHEMAS,
    "regex": ("value",),
    "grammar": ("grammar", "value"),
    "structural_tag": ("structures", "triggers", "format"),
    "grammar_id": ("id",),
}
_STRUCTURED = ("json", "regex", "choice", "grammar", "json_object", "structural_tag", "id")
_ABOUT = ("type", "name", "description", "strict")
"""Fields of any format: they say nothing of the answer, or nothing alone."""


def constraint_of(body: GenerationFields, *others: Constraint) -> Constraint | None:
    """Return the constraint on the answer, from whichever field; None without one.

    Args:
        others: Constraints from fields of the dialect itself.

    Raises:
        InvalidRequestError: A spelling is incomplete, or two fields ask for different things.
        UnsupportedParameterError: A known field that is not served.
    """
    found = [
        *others,
        *_response_format(body.response_format),
        *_structured_outputs(body.structured_outputs),
        *_flat(body),
    ]
    if not found:
        return None
    first = found[0]
    for other in found[1:]:
        # Some clients send one constraint in a new and an old spelling at once.
        if dataclasses.replace(other, origin=first.origin) != first:
            raise InvalidRequestError(
                f"{first.origin} and {other.origin} ask for different things; send one of them", param=other.origin
            )
    return first


def stored_constraint_of(body: GenerationFields) -> StoredConstraint | None:
    """Return the reference to a stored constraint; None without one.

    Raises:
        InvalidRequestError: The id is missing.
    """
    given = body.response_format
    if given is not None and given.type == "grammar_id":
        if given.id is None:
            raise InvalidRequestError("the field response_format.id is missing", param="response_format.id")
        return StoredConstraint(id=given.id, origin="response_format.id")
    if body.structured_outputs is not None and body.structured_outputs.id is not None:
        return StoredConstraint(id=body.structured_outputs.id, origin="structured_outputs.id")
    return None


def refuse_unread(given: Struct, kind: str, read: Mapping[str, tuple[str, ...]], place: str) -> None:
    """Refuse, by name, what says nothing in a format of its kind.

    Args:
        read: The fields that count, by the kind.

    Raises:
        InvalidRequestError: `param` is the field, or `type` if it is unknown.
    """
    if kind not in read:
        raise InvalidRequestError(
            f"{place}.type must be one of {', '.join(read)}, not '{kind[:64]}'", param=f"{place}.type"
        )
    for name in given.__struct_fields__:
        if name not in (*_ABOUT, *read[kind]) and getattr(given, name) is not None:
            name = f"{place}.{name}"
            raise InvalidRequestError(f"{name} says nothing where the type is {kind}", param=name)


def _response_format(given: ResponseFormat | None) -> Iterator[Constraint]:
    if given is None:
        return
    refuse_unread(given, given.type, _READ, "response_format")
    if given.type in ("json_schema", "json_object", "json"):
        schemas = list(_response_schemas(given))
        if not schemas and given.type == "json_schema":
            place = "response_format.json_schema.schema"
            raise InvalidRequestError(f"the field {place} is missing", param=place)
        yield from schemas or [schema_constraint(ANY_OBJECT, "response_format")]
    elif given.type == "regex":
        if not isinstance(given.value, str):
            raise InvalidRequestError("response_format.value must be the pattern", param="response_format.value")
        yield RegexConstraint(pattern=given.value, origin="response_format.value")
    elif given.type == "grammar":
        yield from _response_grammars(given)
    elif given.type == "structural_tag":
        yield structural_tag(msgspec.to_builtins(given), "response_format")


def _response_schemas(given: ResponseFormat) -> Iterator[Constraint]:
    """Yield the schema from each field that has one; they must be equal."""
    nested = given.json_schema or JsonSchemaFormat()
    strict = bool(given.strict or nested.strict)
    for schema, name in ((nested.schema, "json_schema.schema"), (given.value, "value"), (given.schema, "schema")):
        if schema is not None:
            yield schema_constraint(schema, f"response_format.{name}", strict=strict)


def _response_grammars(given: ResponseFormat) -> Iterator[Constraint]:
    """Yield the grammars in `response_format`. Without `syntax` the content decides which language it is."""
    if isinstance(given.value, str):
        yield GrammarConstraint(text=given.value, origin="response_format.value")
    if isinstance(given.grammar, str):
        yield GrammarConstraint(text=given.grammar, origin="response_format.grammar")
    elif given.grammar is not None or not isinstance(given.value, str):
        yield grammar_constraint(given.grammar or GrammarFormat(), "response_format.grammar")


def grammar_constraint(given: GrammarFormat, place: str) -> Constraint:
    """Return a grammar or pattern with an explicit syntax.

    Raises:
        InvalidRequestError: The grammar is missing, or its syntax is unknown.
    """
    origin = f"{place}.definition"
    if given.definition is None:
        raise InvalidRequestError(f"the field {origin} is missing", param=origin)
    if given.syntax == "regex":
        return RegexConstraint(pattern=given.definition, origin=origin)
    if given.syntax not in (None, "lark", "gbnf"):
        raise InvalidRequestError(
            f"{place}.syntax must be lark, gbnf or regex, not '{given.syntax}'", param=f"{place}.syntax"
        )
    return GrammarConstraint(text=given.definition, origin=origin, syntax=given.syntax)


def _structured_outputs(given: StructuredOutputs | None) -> Iterator[Constraint]:
    if given is None:
        return
    if given.whitespace_pattern is not None:
        name = "structured_outputs.whitespace_pattern"
        raise UnsupportedParameterError(f"{name} is not served", param=name)
    if all(getattr(given, name) is None for name in _STRUCTURED):
        name = "structured_outputs"
        raise InvalidRequestError(f"{name} must have one of {', '.join(_STRUCTURED)}", param=name)
    if given.structural_tag is not None:
        yield structural_tag(given.structural_tag, "structured_outputs.structural_tag")
    if given.json is not None:
        yield schema_constraint(given.json, "structured_outputs.json", given)
    if given.json_object:
        yield schema_constraint(ANY_OBJECT, "structured_outputs.json_object", given)
    if given.regex is not None:
        yield RegexConstraint(pattern=given.regex, origin="structured_outputs.regex")
    if given.choice is not None:
        yield ChoiceConstraint(options=tuple(given.choice), origin="structured_outputs.choice")
    if given.grammar is not None:
        yield GrammarConstraint(text=given.grammar, origin="structured_outputs.grammar")


def _flat(body: GenerationFields) -> Iterator[Constraint]:
    if body.guided_whitespace_pattern is not None:
        raise UnsupportedParameterError("guided_whitespace_pattern is not served", param="guided_whitespace_pattern")
    if body.structural_tag is not None:
        yield structural_tag(body.structural_tag, "structural_tag")
    if body.guided_json is not None:
        yield schema_constraint(body.guided_json, "guided_json")
    if body.guided_json_object:
        yield schema_constraint(ANY_OBJECT, "guided_json_object")
    if body.json_schema is not None:
        yield schema_constraint(body.json_schema, "json_schema")
    if body.guided_choice is not None:
        yield ChoiceConstraint(options=tuple(body.guided_choice), origin="guided_choice")
    for name in ("guided_regex", "regex"):
        if getattr(body, name) is not None:
            yield RegexConstraint(pattern=getattr(body, name), origin=name)
    for name in ("guided_grammar", "ebnf"):
        if getattr(body, name) is not None:
            yield GrammarConstraint(text=getattr(body, name), origin=name)
    if isinstance(body.grammar, str):
        yield GrammarConstraint(text=body.grammar, origin="grammar")
    elif body.grammar is not None:
        yield _typed_grammar(body.grammar)


def _typed_grammar(given: TypedGrammar) -> Constraint:
    if given.value is None:
        raise InvalidRequestError("the field grammar.value is missing", param="grammar.value")
    if given.type == "regex" and isinstance(given.value, str):
        return RegexConstraint(pattern=given.value, origin="grammar.value")
    if given.type in ("json", "json_schema"):
        return schema_constraint(given.value, "grammar.value")
    if given.type in ("lark", "gbnf") and isinstance(given.value, str):
        return GrammarConstraint(text=given.value, origin="grammar.value", syntax=given.type)
    raise InvalidRequestError("grammar.type must be json, json_schema, regex, lark or gbnf", param="grammar.type")
