"""Constraints of a request as specifications of the grammar compiler, and its errors as the client's."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from gateway.core.constraints import ChoiceConstraint, Constraint, GrammarConstraint, JsonConstraint, RegexConstraint
from gateway.errors import ConstraintError, InvalidRequestError
from gateway.service.plan import ToolPlan
from grammars import (
    Choice,
    Gbnf,
    GrammarError,
    JsonOptions,
    JsonSchema,
    Lark,
    Regex,
    StructuralTag,
    Tag,
)
from grammars.frontends.base import Constraint as Spec

_GBNF_RULE = re.compile(r"^\s*[A-Za-z][\w-]*\s*::=", re.MULTILINE)


def spec_of(constraint: Constraint) -> Spec:
    """The compiler's specification of a constraint."""
    match constraint:
        case JsonConstraint(schema=schema):
            return JsonSchema(schema, options=json_options(constraint))
        case RegexConstraint(pattern=pattern):
            return Regex(pattern)
        case ChoiceConstraint(options=options):
            if not options:
                raise InvalidRequestError(f"{constraint.origin} is empty", param=constraint.origin)
            return Choice(list(options))
        case GrammarConstraint(text=text):
            return Gbnf(text) if is_gbnf(constraint) else Lark(text)


def is_gbnf(constraint: GrammarConstraint) -> bool:
    """Whether the grammar is GBNF, not Lark's. Clients label one as the other, so without a syntax its text decides."""
    if constraint.syntax is not None:
        return constraint.syntax == "gbnf"
    return _GBNF_RULE.search(constraint.text) is not None


def json_options(constraint: JsonConstraint) -> JsonOptions:
    """How JSON is spelled under a constraint: members in the order of the schema, as the answer's author wants them."""
    chosen: dict[str, Any] = {"property_order": "schema"}
    if constraint.compact:
        chosen["whitespace"] = "compact"
    if constraint.closed:
        chosen["additional_properties_default"] = False
    if constraint.strict:
        chosen["strict_subset"] = "convert"
    return JsonOptions(**chosen)


def enforced(constraint: JsonConstraint) -> JsonConstraint:
    """The constraint with the schema that an answer has to satisfy: converted where it is meant strictly.

    Raises:
        GrammarError: it cannot be converted.
    """
    if not constraint.strict:
        return constraint
    text = JsonSchema(constraint.schema, options=json_options(constraint)).enforced_text()
    return replace(constraint, schema=json.loads(text), strict=False)


def tools_spec(plan: ToolPlan) -> Spec:
    """The specification of text and calls, or of calls alone, in the model's own format."""
    calls = plan.format.constraint(plan.tools, plan.choice)
    assert calls is not None, "a plan has at least one tool"
    return calls


def either_spec(plan: ToolPlan, constraint: Constraint) -> Spec:
    """The specification of calls alone, or else of an answer under a constraint."""
    calls = plan.format.constraint(plan.tools, replace(plan.choice, mode="required"))
    assert calls is not None, "a plan has at least one tool"
    whole = (Tag("", calls), Tag("", spec_of(constraint)))
    return StructuralTag(whole, at_least_one=True, stop_after_first=True, free_text=False)


def constraint_error(error: GrammarError, origin: str) -> ConstraintError:
    """The grammar error as the client's: which field, where in it, what is wrong."""
    failure = ConstraintError(f"{origin}: {error}", kind=error.code, where=error.where, param=origin)
    failure.hint = error.hint
    return failure
