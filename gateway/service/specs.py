"""Constraints of a request as specifications of the grammar compiler, and its errors as the client's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from gateway.core.constraints import (
    ArgumentsConstraint,
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    Piece,
    RegexConstraint,
    SequenceConstraint,
    ShortTextConstraint,
    TagsConstraint,
    TokenConstraint,
    TokensConstraint,
)
from gateway.errors import ConstraintError, InvalidRequestError
from gateway.guards import Policy
from gateway.service.forbidding import Forbidding
from gateway.service.plan import ToolPlan
from gateway.service.thinking import ReasoningPlan
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
    Regex,
    StructuralTag,
    Tag,
    Token,
    UnsupportedError,
)
from grammars.frontends.base import Constraint as Spec
from grammars.frontends.combined import Either
from tools.reasoning import EMPTY, any_text
from tools.strict import converted_text
from tools.styled import arguments_constraint


def spec_of(constraint: Constraint | Piece) -> Spec:
    """The compiler's specification of a constraint, or of what is asked of a part of an answer."""
    match constraint:
        case JsonConstraint():
            return JsonSchema(_converted(constraint).schema, options=json_options(constraint))
        case RegexConstraint(pattern=pattern):
            return Regex(pattern)
        case ChoiceConstraint(options=options):
            if not options:
                raise InvalidRequestError(f"{constraint.origin} is empty", param=constraint.origin)
            return Choice(list(options))
        case GrammarConstraint(text=text):
            return Gbnf(text) if constraint.language == "gbnf" else Lark(text)
        case SequenceConstraint(parts=parts):
            return Concat(map(spec_of, parts))
        case TagsConstraint():
            return _tags_spec(constraint)
        case TokenConstraint(token=token):
            return Token(token)
        case TokensConstraint(excluded=excluded, without=without):
            return OneToken(excluded) if constraint.is_one else AnyTokens(excluded, without)
        case ArgumentsConstraint(schema=schema, format=name):
            return arguments_constraint(name, schema)
        case ShortTextConstraint(max_chars=most, without=without):
            return Regex(f"[\\s\\S]{{0,{most}}}", without=without)


def _tags_spec(constraint: TagsConstraint) -> Spec:
    tags = tuple(Tag(each.begin, spec_of(each.content), each.end) for each in constraint.segments)
    return StructuralTag(
        tags,
        triggers=constraint.triggers,
        at_least_one=constraint.at_least_one,
        stop_after_first=constraint.stop_after_first,
        separator=constraint.separator,
        free_text=constraint.free_text,
    )


def json_options(constraint: JsonConstraint) -> JsonOptions:
    """How JSON is spelled under a constraint: members in the order of the schema, as the answer's author wants them."""
    chosen: dict[str, Any] = {"property_order": "schema"}
    if constraint.compact:
        chosen["whitespace"] = "compact"
    if constraint.closed:
        chosen["additional_properties_default"] = False
    return JsonOptions(**chosen)


def enforced(constraint: Constraint) -> Constraint:
    """The constraint with the schemas that an answer has to satisfy: converted where they are meant strictly.

    Raises:
        GrammarError: one cannot be converted.
    """
    match constraint:
        case TagsConstraint():
            segments = tuple(replace(each, content=_enforced(each.content)) for each in constraint.segments)
            return replace(constraint, segments=segments)
        case SequenceConstraint():
            return replace(constraint, parts=tuple(map(_enforced, constraint.parts)))
        case JsonConstraint():
            return _converted(constraint)
    return constraint


def _enforced(part: Constraint | Piece) -> Constraint | Piece:
    return part if isinstance(part, Piece) else enforced(part)


def _converted(constraint: JsonConstraint) -> JsonConstraint:
    if not constraint.strict:
        return constraint
    text = converted_text(JsonSchema(constraint.schema).text)
    return replace(constraint, schema=json.loads(text), strict=False)


def is_free(tool_plan: ToolPlan | None, constraint: Constraint | None, reasoning: ReasoningPlan | None) -> bool:
    """Whether nothing is specified of an answer."""
    return tool_plan is None and constraint is None and (reasoning is None or reasoning.budget is None)


def whole_spec(
    tool_plan: ToolPlan | None,
    constraint: Constraint | None,
    reasoning: ReasoningPlan | None,
    policy: Policy | None = None,
    *,
    markers: tuple[str, ...] = (),
) -> Spec:
    """The specification of a whole answer: reasoning, then calls or text, maybe under a constraint.

    Args:
        policy: What it forbids does not stand in the answer.
        markers: What calls begin with, where a text under the constraint could begin so too.

    Raises:
        GrammarError: It is malformed, or its texts cannot be told from calls.
    """
    answer = None if constraint is None else spec_of(constraint)
    if answer is not None and markers:
        answer = _told_from_calls(answer, markers)
    forbidding = None
    if policy is not None:
        forbidding = Forbidding(policy, may_end=is_free(tool_plan, constraint, reasoning))
        answer = answer and forbidding.taken_out(answer, is_text=True)
    rest = _rest_spec(tool_plan, constraint, answer, reasoning)
    whole = rest if reasoning is None else reasoning.constraint(rest)
    return whole if forbidding is None else forbidding.taken_out(whole)


def _told_from_calls(answer: Spec, markers: tuple[str, ...]) -> Spec:
    """The texts of the answer that begin with none of the markers; of patterns and free text, those that hold none."""
    match answer:
        case Regex():
            return replace(answer, without=(*answer.without, *markers))
        case Choice(options) if left := [option for option in options if not option.startswith(markers)]:
            return Choice(left)
        case StructuralTag(free_text=True, triggers=triggers) if not any(
            marker.startswith(trigger) or trigger.startswith(marker) for marker in markers for trigger in triggers
        ):
            return replace(answer, triggers=(*triggers, *markers))
    raise UnsupportedError(f"a text beside tools that begins with {markers[0]!r}, as calls do,")


def _rest_spec(
    tool_plan: ToolPlan | None, constraint: Constraint | None, answer: Spec | None, reasoning: ReasoningPlan | None
) -> Spec:
    if tool_plan is None and answer is None:
        return any_text() if reasoning is None else reasoning.free_text()
    if answer is not None and reasoning is not None:
        answer = reasoning.wrapped(answer)
    if tool_plan is None:
        assert answer is not None
        return answer
    spec, choice = tool_plan.format, tool_plan.choice
    if answer is None and choice.mode == "auto" and reasoning is not None and reasoning.spec.is_framed:
        # The format may say itself between what its answers stand.
        is_told = spec.answer is not None or spec.tells_answers
        marks = [mark for block in (spec.native, *spec.variants) for mark in block.marks(tool_plan.tools)]
        answer = None if is_told else reasoning.free_text(marks)
    choice = choice if answer is None else replace(choice, mode="required")
    without = reasoning.without if reasoning is not None and reasoning.opening == "undecided" else ()
    calls = spec.constraint(tool_plan.tools, choice, without=without)
    assert calls is not None, "a plan has at least one tool"
    if reasoning is None:
        return calls if answer is None else Either((calls, answer))
    if answer is None:
        return reasoning.before_calls(calls)
    if constraint is None and reasoning.spec.calls_follow:
        return Concat((answer, Either((EMPTY, calls))))
    return Either((reasoning.before_calls(calls), answer))


def constraint_error(error: GrammarError, origin: str) -> ConstraintError:
    """The grammar error as the client's: which field, where in it, what is wrong."""
    failure = ConstraintError(f"{origin}: {error}", kind=error.code, where=error.where, param=origin)
    failure.hint = error.hint
    return failure
