"""The last look at a finished answer. What does not pass never leaves as a result.

The mask does not keep a member that the schema leaves undeclared from being written twice. Such a text is JSON, and it
passes if it is valid whichever of the two a reader keeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from gateway.core.answer import Call, VerifiedBy
from gateway.core.constraints import GrammarConstraint, SequenceConstraint, TagsConstraint
from gateway.errors import VerificationError
from gateway.service.inputs import input_constraint
from gateway.service.jobs import DeclaredTool, Job, MadeCall, Verify, VerifyCalls
from gateway.service.plan import Plan, ToolPlan
from gateway.service.rematch import Rematch
from gateway.verify import Verdict
from tools.tool import Tool

T = TypeVar("T")


class Ask(Protocol):
    """Has a job done, wherever."""

    async def __call__(self, job: Job[T]) -> T:
        """What is found out."""


async def verify(
    ask: Ask, plan: Plan, text: str, calls: Sequence[Call], token_ids: Sequence[int] = ()
) -> VerifiedBy | None:
    """Return if the answer is what the plan says; for an answer under a grammar, how that was found out.

    Args:
        token_ids: All tokens of the answer; needed where a grammar is matched anew.

    Raises:
        VerificationError: It is not; the message names the check and the place, never the text.
    """
    if plan.tool_plan is not None:
        await _verify_calls(ask, plan.tool_plan, text, calls)
        for call in calls:
            await _verify_input(ask, plan.tool_plan.tools.get(call.name), plan.inputs.get(call.name), call.arguments)
    constraint, rematch = plan.constraint, plan.rematch
    if constraint is not None and calls and text.strip():
        raise VerificationError("the answer has text beside its tool calls, although its text is constrained")
    if constraint is None or calls:
        return None
    if isinstance(constraint, GrammarConstraint):
        return await _verify_derivation(ask, constraint, text, lambda: rematch is not None and rematch.holds(token_ids))
    if isinstance(constraint, SequenceConstraint | TagsConstraint):
        _demand_match(rematch is not None and await asyncio.to_thread(rematch.holds, token_ids))
        return "matcher"
    _demand(await ask(Verify(constraint, text)))
    return None


async def _verify_calls(ask: Ask, plan: ToolPlan, text: str, calls: Sequence[Call]) -> None:
    if plan.is_forced and not calls:
        raise VerificationError("the answer calls no tool, although one is required")
    if plan.is_forced and text.strip():
        raise VerificationError("the answer has text beside the required tool call")
    if not plan.choice.parallel and len(calls) > 1:
        raise VerificationError("the answer calls several tools, although one at a time was asked for")
    made = tuple(MadeCall(call.name, call.arguments) for call in calls if call.kind == "function")
    called = {call.name for call in made}
    declared = tuple(DeclaredTool(tool.name, tool.arguments_schema) for tool in plan.tools if tool.name in called)
    _demand(await ask(VerifyCalls(declared, made)))


async def _verify_input(ask: Ask, tool: Tool | None, rematch: Rematch | None, text: str) -> None:
    """Verify what a custom tool is given."""
    constraint = None if tool is None else input_constraint(tool)
    if isinstance(constraint, GrammarConstraint):
        await _verify_derivation(ask, constraint, text, lambda: rematch is not None and rematch.holds_text(text))
    elif constraint is not None:
        _demand(await ask(Verify(constraint, text)))


async def _verify_derivation(
    ask: Ask, constraint: GrammarConstraint, text: str, rematches: Callable[[], bool]
) -> VerifiedBy:
    """Verify a text under a grammar: by a parser of its own, or else by matching it anew."""
    verdict = await ask(Verify(constraint, text))
    if verdict is not None:
        _demand(verdict)
        return "earley"
    _demand_match(await asyncio.to_thread(rematches))
    return "matcher"


def _demand_match(holds: bool) -> None:
    if not holds:
        _demand(Verdict.failed("grammar", "the text is none of the grammar's"))


def _demand(verdict: Verdict | None) -> None:
    assert verdict is not None, "only grammars may be left undecided"
    if not verdict:
        place = f" at {verdict.path}" if verdict.path else ""
        keyword = f" ({verdict.keyword})" if verdict.keyword else ""
        raise VerificationError(f"the answer failed the check '{verdict.check}'{keyword}{place}")
