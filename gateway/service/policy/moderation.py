"""Moderation: findings of a policy in texts, without a generation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from gateway.audit.request_record import current_record
from gateway.core.answer import Finding
from gateway.core.request import Caller
from gateway.errors import DeadlineExceededError, InvalidRequestError, NotServedError
from gateway.guards import JsonScreen, Policies, Policy, Rules, Screen
from gateway.guards.escapes import resolved
from gateway.guards.policy import Choice
from gateway.guards.rule import ENDING
from gateway.service.policy.input_screening import SLICE, log_findings
from gateway.service.policy.judges import Judges, Tags, tag
from gateway.service.policy.recorded_texts import note_texts
from gateway.service.request.context import RequestContext
from gateway.service.request.tokenizing import TokenizerThreads


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """Result for one text.

    Attributes:
        findings: All rules that matched, with the policy's action for each.
        blocked: Rule that blocks the text; None if it may leave.
    """

    findings: tuple[Finding, ...]
    blocked: Finding | None = None


class Moderator:
    """Moderator of texts under the server's policies, in threads; long texts queue fairly by tenant.

    Args:
        policies: Returns the server's current policies.
        max_seconds: Time limit for the texts of one request.
    """

    def __init__(
        self,
        policies: Callable[[], Policies | None],
        tokenizer_threads: TokenizerThreads,
        judges: Judges,
        max_seconds: float,
    ) -> None:
        self._policies = policies
        self._tokenizer_threads = tokenizer_threads
        self._judges = judges
        self._max_seconds = max_seconds

    def choice(self, tenant: str) -> Choice | None:
        """Return the policies that a tenant may choose from; None if the server has none."""
        policies = self._policies()
        return None if policies is None else policies.keys.get(tenant, policies.everyone)

    def policy(self, caller: Caller, asked: str | None, origin: str) -> Policy:
        """Return the policy that the body or header asks for, else the caller's default.

        Raises:
            NotServedError: The server has no policies.
            InvalidRequestError: The policy may not be chosen; names the field.
        """
        policies = self._policies()
        if policies is None:
            raise NotServedError("this server has no policies, so there is nothing that it looks for", param=origin)
        if asked is not None and caller.policy not in (None, asked):
            raise InvalidRequestError(f"{origin} and the header ask for different policies", param=origin)
        if asked is None:
            asked, origin = caller.policy, "x-portcullis-policy"
        policy = policies.of(caller.tenant, asked, origin)
        current_record().policy = policy.name
        return policy

    async def moderate(self, policy: Policy, texts: Sequence[str], tenant: str) -> list[Screened]:
        """Return what both sides of the policy find in each text, without stopping at the first block.

        Raises:
            DeadlineExceededError: It takes too long.
        """
        sides = [("input", policy.input), ("content", policy.output)]
        found = await self._read(policy, texts, tenant, partial(_verified, sides), sides)
        return [Screened(findings=each) for each in found]

    async def screen(self, policy: Policy, text: str, tenant: str, *, is_json: bool) -> Screened:
        """Return what the policy finds in a text under a constraint, where a redaction becomes a block.

        Raises:
            DeadlineExceededError: It takes too long.
        """
        rules = policy.output.without_redaction()
        sides, look = [("content", rules)], partial(_screened, rules, is_json)
        (found,) = await self._read(policy, [text], tenant, look, sides, is_json=is_json)
        return Screened(findings=found, blocked=next((each for each in found if each.action in ENDING), None))

    async def _read(
        self,
        policy: Policy,
        texts: Sequence[str],
        tenant: str,
        look: Callable[[str, Callable[[], None], Sequence[Tags]], tuple[Finding, ...]],
        sides: Sequence[tuple[str, Rules]],
        *,
        is_json: bool = False,
    ) -> list[tuple[Finding, ...]]:
        end = time.monotonic() + self._max_seconds

        def check() -> None:
            if time.monotonic() > end:
                raise DeadlineExceededError("screening the request took too long")

        size, context = sum(map(len, texts)), RequestContext(tenant=tenant, cache_salt=f"{tenant}:" if tenant else "")
        meant = [resolved(text) for text in texts] if is_json else texts
        tags = [await self._judges.tags(rules, meant) for _, rules in sides]
        found = await self._tokenizer_threads.read(lambda: [look(text, check, tags) for text in texts], size, tenant)
        for where, rules in sides:
            judged, _ = await self._judges.findings(rules, meant, where, context)
            found = [(*each, *more) for each, more in zip(found, judged, strict=True)]
        note_texts(texts, policy)
        for each in found:
            current_record().decide(each)
            log_findings(policy.name, each)
        return found


def _verified(
    sides: Sequence[tuple[str, Rules]], text: str, check: Callable[[], None], tags: Sequence[Tags]
) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    for (where, rules), told in zip(sides, tags, strict=True):
        screen = Screen(rules.observe_only())
        _feed(screen, text, check)
        tag(screen, rules, told, text)
        screen.flush()
        findings += [
            Finding(guard=each.rule.guard, kind=each.rule.kind, action=each.action, where=where, count=count)
            for number, each in enumerate(rules.applied)
            if (count := screen.counts.get(number, 0))
        ]
    return tuple(findings)


def _screened(
    rules: Rules, is_json: bool, text: str, check: Callable[[], None], tags: Sequence[Tags]
) -> tuple[Finding, ...]:
    screen = JsonScreen(rules) if is_json else Screen(rules)
    _feed(screen, text, check)
    tag(screen, rules, tags[0], resolved(text) if is_json else text)
    screen.flush()
    return tuple(screen.findings("content"))


def _feed(screen: Screen, text: str, check: Callable[[], None]) -> None:
    for begin in range(0, len(text), SLICE):
        screen.feed(text[begin : begin + SLICE])
        check()
