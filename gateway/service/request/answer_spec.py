"""Specifications of whole answers: reasoning, then calls or text, constrained or free."""

from __future__ import annotations

from dataclasses import replace

from gateway.core.constraints import Constraint
from gateway.guards import Policy
from gateway.service.constraints.forbidding import Forbidding
from gateway.service.constraints.specs import spec_of
from gateway.service.request.plan import ToolPlan
from gateway.service.request.reasoning_plan import ReasoningPlan
from grammars import Choice, Concat, Regex, StructuralTag, UnsupportedError
from grammars.frontends.base import Constraint as Spec
from grammars.frontends.combined import Either
from tools.reasoning import EMPTY, any_text


def is_free(tool_plan: ToolPlan | None, constraint: Constraint | None, reasoning: ReasoningPlan | None) -> bool:
    """Return True if an answer is not constrained in any part."""
    return tool_plan is None and constraint is None and (reasoning is None or reasoning.budget is None)


def whole_spec(
    tool_plan: ToolPlan | None,
    constraint: Constraint | None,
    reasoning: ReasoningPlan | None,
    policy: Policy | None = None,
    *,
    markers: tuple[str, ...] = (),
) -> Spec:
    """Return the specification of a whole answer: reasoning, then calls or text, maybe under a constraint.

    Args:
        policy: Policy whose forbidden patterns are excluded.
        markers: Beginnings of calls that a text under the constraint could also begin with.

    Raises:
        GrammarError: The constraint is malformed, or its texts cannot be distinguished from calls.
    """
    answer = None if constraint is None else spec_of(constraint)
    if answer is not None and markers:
        answer = _distinct_from_calls(answer, markers)
    forbidding = None
    if policy is not None:
        forbidding = Forbidding(policy, may_end=is_free(tool_plan, constraint, reasoning))
        answer = answer and forbidding.without_forbidden(answer, is_text=True)
    rest = _rest_spec(tool_plan, constraint, answer, reasoning)
    whole = rest if reasoning is None else reasoning.constraint(rest)
    return whole if forbidding is None else forbidding.without_forbidden(whole)


def _distinct_from_calls(answer: Spec, markers: tuple[str, ...]) -> Spec:
    """Return the answer without texts that begin with a marker; of patterns and free text, that contain one."""
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
        # The format may frame its answers itself.
        is_framed = spec.answer is not None or spec.separates_answers
        marks = [mark for block in (spec.native, *spec.variants) for mark in block.marks(tool_plan.tools)]
        answer = None if is_framed else reasoning.free_text(marks)
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
