"""`verdict`, beside the usage of replies in every dialect, if the header asks for it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from gateway.core.answer import Usage
from gateway.core.verdict import Checked, CheckResult


class CheckOut(Struct, kw_only=True):
    """A check of answer `index`.

    Attributes:
        what: `schema`, `tools`, `input`, `pattern`, `choice`, `grammar`, `tags`, or a guard's name.
        where: Side that a guard checked.
        by: Name of the check, or of the policy.
        result: `retried`: an earlier try was given up. `skipped`: a policy ended the answer, so it is not verified.
        constraint: SHA-256 of what was asked for.
        probability: Probability that a judge gave to the labels that count, if it reports one.
    """

    index: int
    what: str
    where: Literal["prompt", "answer"]
    by: str
    result: CheckResult
    constraint: str | UnsetType = UNSET
    probability: float | UnsetType = UNSET


class VerdictOut(Struct, kw_only=True):
    """The checks of all answers, and their duration."""

    seconds: float
    checks: list[CheckOut]


VerdictField = VerdictOut | UnsetType


def verdict_out(usage: Usage) -> VerdictField:
    """Return the verdicts; unset if they were not asked for."""
    if not usage.verdicts:
        return UNSET
    return VerdictOut(
        seconds=round(sum(verdict.seconds for verdict in usage.verdicts), 6),
        checks=[_check(index, check) for index, verdict in enumerate(usage.verdicts) for check in verdict.checks],
    )


def _check(index: int, check: Checked) -> CheckOut:
    return CheckOut(
        index=index,
        what=check.what,
        where=check.where,
        by=check.by,
        result=check.result,
        constraint=check.constraint or UNSET,
        probability=UNSET if check.probability is None else check.probability,
    )
