"""Checks of an answer and their results, without the answer's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CheckResult = Literal["passed", "annotated", "redacted", "blocked", "retried", "skipped", "failed"]
VerifiedBy = Literal["earley", "pieces", "matcher"]
"""Verifier of text under a grammar or with tags: an independent parser, piece by piece, or the matcher over the
finished text."""

_METHODS: dict[str, VerifiedBy] = {"earley": "earley", "pieces": "pieces", "matcher": "matcher"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A check.

    Attributes:
        what: `schema`, `tools`, `input` (of a custom tool), `pattern`, `choice`, `grammar` or `tags`; of a policy, the
            guard's name, for a judge followed by a slash and the rule's.
        where: Side that a guard checked: `prompt` or `answer`.
        by: Deciding check: `jsonschema-rs`, `earley`, `automaton`, `equality`, `pieces`, `matcher`; or the policy.
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
    """Checks of one answer, in order.

    Attributes:
        seconds: Total time of the checks.
    """

    checks: tuple[Checked, ...] = ()
    seconds: float = 0.0

    @property
    def verified_by(self) -> VerifiedBy | None:
        """Return how text under a grammar or with tags was verified."""
        by = next((check.by for check in self.checks if check.what in ("grammar", "tags")), "")
        return _METHODS.get(by)


UNCHECKED = AnswerVerdict()
