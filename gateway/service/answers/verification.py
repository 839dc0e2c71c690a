"""Verification of finished answers. An answer that fails is never sent as a result.

Masks allow a member that the schema does not declare to be written twice. Such a text is JSON; it passes if it is valid
with either of the two values.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol, TypeVar

from gateway.audit.request_record import current_record
from gateway.core.answer import Answer, Call, Finding, Finish
from gateway.core.constraints import (
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    RegexConstraint,
    SequenceConstraint,
    TagsConstraint,
)
from gateway.core.verdict import AnswerVerdict, Checked, CheckResult
from gateway.errors import VerificationError
from gateway.guards import Judged, Policy, Rule, Rules
from gateway.service.constraints.jobs import DeclaredTool, Job, Verify, VerifyCalls
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.constraints.specs import digest, input_constraint
from gateway.service.request.plan import Plan, ToolPlan
from gateway.verify import Verdict
from tools.tool import Tool

logger = logging.getLogger(__name__)

T = TypeVar("T")

PASSED: CheckResult = "passed"

_RESULTS: dict[str, CheckResult] = {
    "block": "blocked",
    "forbid": "blocked",
    "redact": "redacted",
    "annotate": "annotated",
    "retry": "retried",
}
"""Results of guards' actions, strongest first."""


class GuardOutcome(NamedTuple):
    """Findings of guards.

    Attributes:
        weights: Probabilities of findings, by the number of their rule, where a judge gives them.
    """

    findings: Sequence[Finding]
    weights: Mapping[int, float]


class JobRunner(Protocol):
    """Runner of jobs, in this process or in another."""

    async def __call__(self, job: Job[T]) -> T:
        """Return the job's result."""


async def verify(
    ask: JobRunner, plan: Plan, text: str, calls: Sequence[Call], token_ids: Sequence[int] = ()
) -> AnswerVerdict:
    """Return the verdict on an answer that is what the plan asks for: each check and what made it.

    Args:
        token_ids: All tokens of the answer, for grammars with special tokens; else the text is matched.

    Raises:
        VerificationError: The answer fails; the message names the check and nothing of the text.
    """
    verdict, error = await _verified(ask, plan, text, calls, token_ids)
    if error is not None:
        _log("withheld", verdict, error.message)
        raise error
    return verdict


async def verified_again(ask: JobRunner, plan: Plan, finish: Finish, rewritten: Answer) -> Finish:
    """Return the end of an answer in which a policy replaced text: `content_filter` if it no longer verifies."""
    verdict, error = await _verified(ask, plan, rewritten.text, rewritten.calls, ())
    verdict = replace(verdict, seconds=verdict.seconds + finish.verdict.seconds)
    finish = replace(finish, verdict=verdict)
    return finish if error is None else replace(finish, reason="content_filter", stop_reason=None)


async def _verified(
    ask: JobRunner, plan: Plan, text: str, calls: Sequence[Call], token_ids: Sequence[int]
) -> tuple[AnswerVerdict, VerificationError | None]:
    begun, look, failure = time.perf_counter(), _Verification(ask, plan), None
    try:
        await look.at(text, calls, token_ids)
    except VerificationError as error:
        failure = error
    return AnswerVerdict(checks=tuple(look.checks), seconds=time.perf_counter() - begun), failure


def completed(
    finish: Finish, plan: Plan, policy: Policy | None, prompt: GuardOutcome, answer: GuardOutcome, took: float
) -> Finish:
    """Return the end of an answer with its complete verdict, the guards' results included, and log it.

    Args:
        prompt: Findings in the prompt.
        answer: Findings in the answer.
        took: Seconds spent in guards.
    """
    verdict, is_cut = finish.verdict, finish.reason == "content_filter"
    checks = verdict.checks or (_unverified(plan) if is_cut else ())
    if policy is not None:
        checks += (*_guards(policy, policy.input, "prompt", prompt), *_guards(policy, policy.output, "answer", answer))
    verdict = AnswerVerdict(checks=checks, seconds=verdict.seconds + took)
    _log("ended by its policy" if is_cut else "leaves", verdict)
    return replace(finish, verdict=verdict)


def _matches(recheck: MatcherRecheck | None, text: str, token_ids: Sequence[int]) -> bool:
    """True if the grammar accepts the text, matched again without a mask."""
    return recheck is not None and (recheck.holds(token_ids) if token_ids else recheck.holds_text(text))


@dataclass(slots=True)
class _Verification:
    """Verification of one answer; `checks` grows with each check."""

    ask: JobRunner
    plan: Plan
    checks: list[Checked] = field(default_factory=list)

    async def at(self, text: str, calls: Sequence[Call], token_ids: Sequence[int]) -> None:
        plan = self.plan
        if plan.tool_plan is not None:
            await self._calls(plan.tool_plan, text, calls)
            for call in calls:
                await self._input(plan.tool_plan.tools.get(call.name), plan.inputs.get(call.name), call.arguments)
        constraint, recheck = plan.constraint, plan.recheck
        if constraint is not None and calls and text.strip():
            raise VerificationError("the answer has text beside its tool calls, although its text is constrained")
        if constraint is not None and not calls:
            # With reasoning the tokens cover more than the constrained text.
            written = () if plan.reasoning is not None else tuple(token_ids)
            matches = lambda: _matches(recheck, text, token_ids)  # noqa: E731
            await self._text(Verify(constraint, text, written), plan.constraint_digest, matches)

    async def _calls(self, plan: ToolPlan, text: str, calls: Sequence[Call]) -> None:
        if plan.is_forced and not calls:
            raise VerificationError("the answer calls no tool, although one is required")
        if plan.is_forced and text.strip():
            raise VerificationError("the answer has text beside the required tool call")
        if not plan.choice.parallel and len(calls) > 1:
            raise VerificationError("the answer calls several tools, although one at a time was asked for")
        made = tuple(call for call in calls if call.kind == "function")
        called = {call.name for call in made}
        declared = tuple(DeclaredTool(tool.name, tool.arguments_schema) for tool in plan.tools if tool.name in called)
        self._note("tools", "jsonschema-rs", self.plan.tools_digest, await self.ask(VerifyCalls(declared, made)))

    async def _input(self, tool: Tool | None, recheck: MatcherRecheck | None, text: str) -> None:
        """Verify the input of a custom tool."""
        constraint = None if tool is None else input_constraint(tool)
        if constraint is not None:
            matches = lambda: recheck is not None and recheck.holds_text(text)  # noqa: E731
            await self._text(Verify(constraint, text), digest(constraint), matches, "input")

    async def _text(self, job: Verify, digest: str, matches: Callable[[], bool], what: str = "") -> None:
        """Verify a text by the verifier of its constraint, else by matching it again."""
        verdict = await self.ask(job)
        kind, by = _METHODS[type(job.constraint)]
        if verdict is None:
            by, holds = "matcher", await asyncio.to_thread(matches)
            verdict = Verdict.ok(kind) if holds else Verdict.failed(kind, "the grammar does not accept the text")
        self._note(what or kind, by, digest, verdict)

    def _note(self, what: str, by: str, digest: str, verdict: Verdict) -> None:
        self.checks.append(Checked(what=what, by=by, result="passed" if verdict else "failed", constraint=digest))
        if not verdict:
            # The path would name members, and these are the answer's text.
            keyword = f" ({verdict.keyword})" if verdict.keyword else ""
            raise VerificationError(f"the answer failed the check '{verdict.check}'{keyword}")


_METHODS: dict[type[Constraint], tuple[str, str]] = {
    JsonConstraint: ("schema", "jsonschema-rs"),
    RegexConstraint: ("pattern", "automaton"),
    ChoiceConstraint: ("choice", "equality"),
    GrammarConstraint: ("grammar", "earley"),
    TagsConstraint: ("tags", "pieces"),
    SequenceConstraint: ("tags", "pieces"),
}
"""Name of each check and the verifier that makes it."""


def _unverified(plan: Plan) -> tuple[Checked, ...]:
    """Return the checks, all skipped, of an answer that was cut."""
    checks: tuple[Checked, ...] = ()
    if plan.tool_plan is not None:
        checks += (Checked(what="tools", by="jsonschema-rs", result="skipped", constraint=plan.tools_digest),)
    if plan.constraint is not None:
        what, by = _METHODS[type(plan.constraint)]
        checks += (Checked(what=what, by=by, result="skipped", constraint=plan.constraint_digest),)
    return checks


def _guards(
    policy: Policy, rules: Rules, where: Literal["prompt", "answer"], looked: GuardOutcome
) -> Iterable[Checked]:
    numbers: dict[str, list[int]] = {}
    for number, each in enumerate(rules.applied):
        numbers.setdefault(_called(each.rule), []).append(number)
    for name, those in numbers.items():
        met = {(rules.applied[number].rule.guard, rules.applied[number].rule.kind) for number in those}
        actions = {finding.action for finding in looked.findings if (finding.guard, finding.kind) in met}
        result = next((_RESULTS[action] for action in _RESULTS if action in actions), PASSED)
        probability = max((looked.weights[number] for number in those if number in looked.weights), default=None)
        yield Checked(what=name, where=where, by=policy.name, result=result, probability=probability)


def _called(rule: Rule) -> str:
    """Return a check's name: the rule's own for a named judge, else the guard's."""
    return f"{rule.guard}/{rule.kind}" if isinstance(rule.what, Judged) and rule.kind != rule.guard else rule.guard


def _log(outcome: str, verdict: AnswerVerdict, reason: str = "") -> None:
    """Log and record the verdict on one answer, without any of its text."""
    current_record().verdicts.append(verdict)
    if not logger.isEnabledFor(logging.INFO):
        return
    told = ", ".join(
        f"{check.where if check.where == 'prompt' else ''} {check.what} {check.result} ({check.by})".strip()
        + (f" {check.constraint[:12]}" if check.constraint else "")
        + ("" if check.probability is None else f" at {check.probability:.3f}")
        for check in verdict.checks
    )
    logger.info(
        "answer %s%s; checked in %.1f ms: %s",
        *(outcome, f": {reason}" if reason else "", verdict.seconds * 1000, told or "nothing is asked of it"),
    )
