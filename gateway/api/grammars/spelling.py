"""Constraints from request bodies, and as reply bodies."""

from __future__ import annotations

import dataclasses
from typing import Any

from gateway.api.grammars.bodies import GrammarOut, Kind
from gateway.api.grammars.requests import GrammarBody
from gateway.api.openai.constraints import constraint_of, stored_constraint_of
from gateway.api.openai.requests import ConstraintFields, GenerationFields
from gateway.api.openai.schemas import schema_constraint
from gateway.core.constraints import (
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    RegexConstraint,
    SequenceConstraint,
    StoredConstraint,
    TagsConstraint,
)
from gateway.errors import InvalidRequestError
from gateway.service.constraints.store import GrammarStore, StoredGrammar


def constraint_in(body: GrammarBody, kept: GrammarStore, tenant: str) -> Constraint:
    """Return the single constraint of a body, from any of its fields.

    Raises:
        GatewayError: No constraint, several, or an unknown id; names the field.
    """
    fields = GenerationFields(**{name: getattr(body, name) for name in ConstraintFields.__struct_fields__})
    reference = stored_constraint_of(fields)
    if body.id is not None:
        reference = StoredConstraint(id=body.id, origin="id")
    constraint = constraint_of(fields, *_own(body))
    if reference is None and constraint is None:
        raise InvalidRequestError("send a constraint: schema, regex, choice, lark, gbnf or id", param="schema")
    if reference is None:
        assert constraint is not None, "there is one of them"
        return constraint
    if constraint is not None:
        raise InvalidRequestError(
            f"{reference.origin} and {constraint.origin} ask for different things; send one of them",
            param=reference.origin,
        )
    return kept.resolve(tenant, reference)


def _own(body: GrammarBody) -> list[Constraint]:
    found: list[Constraint] = []
    if body.schema is not None:
        found.append(schema_constraint(body.schema, "schema", strict=bool(body.strict)))
    if body.choice is not None:
        found.append(ChoiceConstraint(options=tuple(body.choice), origin="choice"))
    for syntax in ("lark", "gbnf"):
        text = getattr(body, syntax)
        if text is not None:
            found.append(GrammarConstraint(text=text, origin=syntax, syntax=syntax))
    return found


def kind_of(constraint: Constraint) -> Kind:
    """Return the language of a constraint."""
    match constraint:
        case JsonConstraint():
            return "json_schema"
        case RegexConstraint():
            return "regex"
        case ChoiceConstraint():
            return "choice"
        case GrammarConstraint():
            return constraint.language
        case TagsConstraint() | SequenceConstraint():
            return "structural_tag"


def stored_out(kept: StoredGrammar) -> GrammarOut:
    """Return a stored constraint as a body."""
    constraint = kept.constraint
    return GrammarOut(
        id=kept.id,
        kind=kind_of(constraint),
        definition=_definition(constraint),
        named=kept.is_named,
        created=kept.created,
    )


def _definition(constraint: Constraint) -> Any:
    match constraint:
        case JsonConstraint(schema=schema):
            return schema
        case RegexConstraint(pattern=pattern):
            return pattern
        case ChoiceConstraint(options=options):
            return list(options)
        case GrammarConstraint(text=text):
            return text
        case TagsConstraint() | SequenceConstraint():
            return dataclasses.asdict(constraint)
