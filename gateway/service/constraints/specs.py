"""Conversion of a request's constraints to specifications of the compiler, and of its errors to the client's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from gateway.core import constraints
from gateway.core.constraints import Constraint, Piece
from gateway.core.json_text import json_text
from gateway.errors import ConstraintError, InvalidRequestError
from grammars import (
    AnyTokens,
    Choice,
    Concat,
    Gbnf,
    GrammarError,
    JsonOptions,
    JsonSchema,
    Lark,
    OneToken,
    Quotation,
    Regex,
    StructuralTag,
    Tag,
    Token,
)
from grammars.frontends.base import Constraint as Spec
from tools.openai_strict import converted_text
from tools.styled import arguments_constraint
from tools.tool import Tool
from tools.toolset import ToolSet


def spec_of(constraint: Constraint | Piece) -> Spec:
    """Return the compiler's specification of a constraint, or of a part of one."""
    match constraint:
        case constraints.JsonConstraint():
            return JsonSchema(_converted(constraint).schema, options=json_options(constraint))
        case constraints.RegexConstraint(pattern=pattern):
            return Regex(pattern)
        case constraints.ChoiceConstraint(options=options):
            if not options:
                raise InvalidRequestError(f"{constraint.origin} is empty", param=constraint.origin)
            return Choice(list(options))
        case constraints.GrammarConstraint(text=text):
            return Gbnf(text) if constraint.language == "gbnf" else Lark(text)
        case constraints.SequenceConstraint(parts=parts):
            return Concat(map(spec_of, parts))
        case constraints.TagsConstraint():
            return _tags_spec(constraint)
        case constraints.TokenConstraint(token=token):
            return Token(token)
        case constraints.TokensConstraint(excluded=excluded, without=without):
            return OneToken(excluded) if constraint.is_one else AnyTokens(excluded, without)
        case constraints.ArgumentsConstraint(schema=schema, format=name):
            return arguments_constraint(name, schema)
        case constraints.ShortTextConstraint(max_chars=most, without=without):
            return Regex(f"[\\s\\S]{{0,{most}}}", without=without)
        case constraints.QuotationConstraint(document=document, without=without):
            return Quotation(document.text, without)


def _tags_spec(constraint: constraints.TagsConstraint) -> Spec:
    tags = tuple(Tag(each.begin, spec_of(each.content), each.end) for each in constraint.segments)
    return StructuralTag(
        tags,
        triggers=constraint.triggers,
        at_least_one=constraint.at_least_one,
        stop_after_first=constraint.stop_after_first,
        separator=constraint.separator,
        free_text=constraint.free_text,
    )


def json_options(constraint: constraints.JsonConstraint) -> JsonOptions:
    """Return the options of JSON under a constraint: members in the order of the schema."""
    chosen: dict[str, Any] = {"property_order": "schema"}
    if constraint.compact:
        chosen["whitespace"] = "compact"
    if constraint.closed:
        chosen["additional_properties_default"] = False
    return JsonOptions(**chosen)


def enforced(constraint: Constraint) -> Constraint:
    """Return the constraint with the schemas that are enforced: strict ones are converted.

    Raises:
        GrammarError: A schema cannot be converted.
    """
    match constraint:
        case constraints.TagsConstraint():
            segments = tuple(replace(each, content=_enforced(each.content)) for each in constraint.segments)
            return replace(constraint, segments=segments)
        case constraints.SequenceConstraint():
            return replace(constraint, parts=tuple(map(_enforced, constraint.parts)))
        case constraints.JsonConstraint():
            return _converted(constraint)
    return constraint


def _enforced(part: Constraint | Piece) -> Constraint | Piece:
    return part if isinstance(part, Piece) else enforced(part)


def _converted(constraint: constraints.JsonConstraint) -> constraints.JsonConstraint:
    if not constraint.strict:
        return constraint
    text = converted_text(JsonSchema(constraint.schema).text)
    return replace(constraint, schema=json.loads(text), strict=False)


def constraint_error(error: GrammarError, origin: str) -> ConstraintError:
    """Return the grammar error as the client's, with the field and the place in it."""
    failure = ConstraintError(f"{origin}: {error}", kind=error.code, where=error.where, param=origin)
    failure.hint = error.hint
    return failure


def digest(asked: Constraint | ToolSet) -> str:
    """Return the SHA-256 of a constraint or of tools: of the text of a pattern or grammar, else of compact JSON of the
    enforced schema, the choices, the names and schemas (or grammars) of the tools, or the parts."""
    if isinstance(asked, constraints.RegexConstraint):
        text = asked.pattern
    elif isinstance(asked, constraints.GrammarConstraint):
        text = asked.text
    else:
        text = json_text(_plain(asked))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(asked: Constraint | ToolSet) -> object:
    match asked:
        case constraints.JsonConstraint(schema=schema):
            return schema
        case constraints.ChoiceConstraint(options=options):
            return options
        case ToolSet():
            return [
                [tool.name, tool.arguments_schema if tool.grammar is None else tool.grammar.definition]
                for tool in asked
            ]
    return asdict(asked, dict_factory=lambda members: {name: value for name, value in members if name != "origin"})


def input_constraint(
    tool: Tool, origin: str = "tools"
) -> constraints.GrammarConstraint | constraints.RegexConstraint | None:
    """Return the constraint on a custom tool's input; None where any text is allowed, and for a function."""
    grammar = tool.grammar
    if grammar is None:
        return None
    if grammar.syntax == "regex":
        return constraints.RegexConstraint(pattern=grammar.definition, origin=origin)
    return constraints.GrammarConstraint(text=grammar.definition, origin=origin, syntax="lark")


def inputs_of(tools: ToolSet) -> Iterator[tuple[str, constraints.GrammarConstraint | constraints.RegexConstraint]]:
    """Yield the name and constraint of each tool whose input is constrained."""
    for tool in tools:
        constraint = input_constraint(tool, f"{tool.place}.custom.format")
        if constraint is not None:
            yield tool.name, constraint
