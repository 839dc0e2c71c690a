"""What was checked of an answer, by what, and how that came out; never what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CheckResult = Literal["passed", "annotated", "redacted", "blocked", "retried", "skipped", "failed"]
VerifiedBy = Literal["earley", "pieces", "matcher"]
"""How an answer under a grammar or in tags was verified: by a parser that shares nothing with the compiler; piece by
piece, each by what verifies its kind; or, where neither can say, by matching the finished answer anew, byte by byte."""

_METHODS: dict[str, VerifiedBy] = {"earley": "earley", "pieces": "pieces", "matcher": "matcher"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One check.

    Attributes:
        what: `schema`, `tools`, `input` (of a custom tool), `pattern`, `choice`, `grammar` or `tags`; of a policy, the
            guard's name, and behind a slash that of the rule where a judge's has one.
        where: Of a guard: whether it looked at the `prompt` or at the answer.
        by: What decided: `jsonschema-rs`, `earley`, `automaton`, `equality`, `pieces`, `matcher`; or the policy.
        result: `retried`: earlier tries were given up, and nothing worse came of the last one. `skipped`: a policy
            ended the answer, so it was cut, and is not verified.
        constraint: SHA-256 of what the client asked for, see `service.verdicts.digest`; empty of a guard.
        probability: Of what a judge reads, whatever came of it: the highest that it gave to what counts as found; None
            where it says none.
    """

    what: str
    where: Literal["prompt", "answer"] = "answer"
    by: str
    result: CheckResult
    constraint: str = ""
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVerdict:
    """All checks of one answer, in their order.

    Attributes:
        seconds: What they took together.
    """

    checks: tuple[Checked, ...] = ()
    seconds: float = 0.0

    @property
    def verified_by(self) -> VerifiedBy | None:
        """How the text was verified, where it is under a grammar or in tags."""
        by = next((check.by for check in self.checks if check.what in ("grammar", "tags")), "")
        return _METHODS.get(by)


UNCHECKED = AnswerVerdict()
