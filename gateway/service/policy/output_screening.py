"""Screening of answers under a policy: deltas in, deltas that may leave out."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gateway.audit.request_record import current_record
from gateway.core.answer import (
    Alternative,
    Answer,
    ArgumentsDelta,
    CallDelta,
    Delta,
    FieldConfidence,
    Finding,
    Finish,
    PromptDelta,
    ReasoningDelta,
    TextDelta,
    TokenLogprob,
    TopLogprob,
)
from gateway.core.constraints import JsonConstraint
from gateway.core.request import Options
from gateway.errors import UnsupportedParameterError
from gateway.guards import Applied, JsonScreen, Policy, Screen
from gateway.service.policy.collected import collected
from gateway.service.policy.input_screening import log_findings
from gateway.service.policy.judges import AnswerJudges, Judges
from gateway.service.request.context import RequestContext
from gateway.service.request.plan import Plan
from gateway.text import TokenBytes
from gateway.text.fields import leaf_paths

_TEXTS: dict[type, str] = {TextDelta: "content", ReasoningDelta: "reasoning", ArgumentsDelta: "arguments"}


class OutputScreening:
    """Screening of one answer: its content, its reasoning and the arguments of each call, each as a text of its own.

    Deltas leave in order: what one text holds back is judged and leaves before a delta of another text does. In a text
    under a schema (the content, or a function's arguments) only strings are redacted, and the result is verified again;
    under other constraints nothing is redacted. A finding that cannot be redacted is blocked.

    With log-probabilities, content leaves together with its tokens, once neither is held back. The tokens of a redacted
    text become one token that carries the new text alone.

    Attributes:
        is_blocked: The policy ended the answer; its `Finish` has left.
        found: All findings, once it has ended.
        seconds: Time spent in guards.
    """

    def __init__(
        self,
        policy: Policy,
        plan: Plan,
        choice: int,
        token_bytes: TokenBytes,
        reports_logprobs: bool = False,
        findings: Sequence[Finding] = (),
        num_tries: int = 0,
        judges: Judges | None = None,
        context: RequestContext = RequestContext(),  # noqa: B008  frozen
    ) -> None:
        """Args:
        findings: Findings in the prompt and those that ended earlier attempts.
        num_tries: Attempts that were abandoned before.
        judges: Judges of the policy.
        """
        self._name = policy.name
        self._rules = rules = policy.output.for_attempt(num_tries)
        self._plan = plan
        self._choice = choice
        self._token_bytes = token_bytes
        self._findings = list(findings)
        if isinstance(plan.constraint, JsonConstraint):
            content: Screen = JsonScreen(rules)
        else:
            content = Screen(rules if plan.constraint is None else rules.without_redaction())
        self._content = _Content(content, reports_logprobs, token_bytes)
        self._reasoning = Screen(rules)
        self._arguments = self._reasoning  # until a call begins
        self._index = 0
        self._current = ""
        self._texts = [("content", content), ("reasoning", self._reasoning)]
        self._asking = judges
        self._judges: AnswerJudges | None = None
        if judges is not None and rules.judged:
            self._judges = AnswerJudges(judges, rules, context, is_json=isinstance(content, JsonScreen))
        # What left of a text under a schema, or one whose fields are reported.
        self._left: list[Delta] | None = None
        if plan.tool_plan is not None or isinstance(plan.constraint, JsonConstraint) or plan.confidence:
            self._left = []
        self.is_blocked = False
        self.found: list[Finding] = []
        self.seconds = 0.0

    async def pass_on(self, deltas: Sequence[Delta]) -> list[Delta]:
        """Return the deltas that may leave now, once the judges have read them."""
        begun = time.perf_counter()
        out = await self._screened(deltas)
        # An abandoned answer needs no judge.
        if self._judges is not None and self.retry is None:
            out = await self._judges.take(out)
            if self._judges.blocked is not None:
                out.append(self._cut())
        if out and isinstance(finish := out[-1], Finish):
            out[-1] = replace(finish, findings=self._told())
            current_record().add_stage("guards", begun)
        if self._left is not None:
            self._left += out
        self.seconds += time.perf_counter() - begun
        return out

    async def _screened(self, deltas: Sequence[Delta]) -> list[Delta]:
        """Return the deltas that the screen releases: to the judges, or to the client if there are none."""
        out: list[Delta] = []
        for delta in deltas:
            if not self._rules.taggings:
                self._take(delta, out)
            else:
                if not isinstance(delta, PromptDelta) and _TEXTS.get(type(delta)) != self._current:
                    await self._tag(out, is_over=True)
                if not self._is_ended:
                    self._take(delta, out)
                if not self._is_ended:
                    await self._tag(out, is_over=False)
            if self._is_ended:
                out += [*self._content.withdraw(self._choice), self._cut()]
                break
        return out

    async def _tag(self, out: list[Delta], *, is_over: bool) -> None:
        """Run the taggers whose step is reached on the current text; return what they release."""
        screen = self._screen
        due = [] if screen is None else screen.untagged(is_over=is_over)
        if screen is None or not due or self._asking is None:
            return
        asked = (self._asking.spans(self._rules, tagging, [text]) for tagging, _, text in due)
        found = await asyncio.gather(*asked)
        for (tagging, begin, _), spans in zip(due, found, strict=True):
            left = screen.tag(tagging, begin, None if spans is None else spans[0], is_over=is_over)
            if self._current == "content":
                out += self._content.take(TextDelta(self._choice, ""), left)
            elif left and self._current == "reasoning":
                out.append(ReasoningDelta(self._choice, left))
            elif left:
                out.append(ArgumentsDelta(self._choice, self._index, left))

    @property
    def _screen(self) -> Screen | None:
        """Return the screen of the current text."""
        screens = {"content": self._content.screen, "reasoning": self._reasoning, "arguments": self._arguments}
        return screens.get(self._current)

    def _cut(self) -> Finish:
        """Return the end of an answer that the policy blocks."""
        self.is_blocked = True
        rest = (_token("", self._token_bytes),) if self._content.reports_logprobs else ()
        return Finish(self._choice, "content_filter", rest=rest)

    def rewritten(self) -> Answer | None:
        """Return the answer as it left, if something under a schema was redacted; else None."""
        is_changed = any(isinstance(screen, JsonScreen) and screen.num_redacted for _, screen in self._texts)
        if self._left is None or self.is_blocked or not is_changed:
            return None
        return collected(self._choice, self._left)

    def confidence(self, finish: Finish) -> tuple[FieldConfidence, ...] | None:
        """Return the confidence without values that were redacted and alternatives with findings; None if the policy
        ended the answer."""
        if finish.confidence is None or finish.reason == "content_filter":
            return None
        left = collected(self._choice, self._left or ())
        told: set[tuple[int | None, str]] = {(None, path) for path in leaf_paths(left.text)}
        told |= {(index, path) for index, call in enumerate(left.calls) for path in leaf_paths(call.arguments)}
        return tuple(
            each if each.alternative is None or self._may_tell(each.alternative) else replace(each, alternative=None)
            for each in finish.confidence
            if (each.call, each.path) in told
        )

    def _may_tell(self, alternative: Alternative) -> bool:
        """True if no rule matches a value that the model did not write. Judges are not asked."""
        screen = JsonScreen(self._rules)
        for value in alternative.values:
            screen.feed(json.dumps(value, ensure_ascii=False))
        screen.flush()
        rules = self._rules.applied
        is_asked = [number for number, _ in self._rules.judged]
        is_asked += [number for numbers in self._rules.taggings.values() for number in numbers.values()]
        return not any(rules[number].holds for number in (*is_asked, *screen.counts))

    def _take(self, delta: Delta, out: list[Delta]) -> None:
        match delta:
            case TextDelta() if self._switch("content", out):
                out += self._content.feed(delta)
            case ReasoningDelta(_, text) if self._switch("reasoning", out):
                if left := self._reasoning.feed(text):
                    out.append(ReasoningDelta(self._choice, left))
            case CallDelta() if self._switch("", out):
                self._begin(delta)
                # Tokens of calls would reveal more than the screened text: under a policy none are sent.
                out.append(replace(delta, logprobs=()))
            case ArgumentsDelta(_, index, text) if self._switch("arguments", out):
                if left := self._arguments.feed(text):
                    out.append(ArgumentsDelta(self._choice, index, left))
            case Finish() if self._switch("", out):
                out.append(delta)
            case PromptDelta():
                out.append(delta)

    def _switch(self, text: str, out: list[Delta]) -> bool:
        """Switch to another text and release the current one. False if that ends the answer."""
        if text == self._current:
            return True
        if self._current == "content":
            out += self._content.flush(self._choice)
        elif self._current == "reasoning" and (left := self._reasoning.flush()):
            out.append(ReasoningDelta(self._choice, left))
        elif self._current == "arguments" and (left := self._arguments.flush()):
            out.append(ArgumentsDelta(self._choice, self._index, left))
        self._current = text
        return not self._is_ended

    @property
    def weights(self) -> Mapping[int, float]:
        """Return the probabilities of findings, by the number of their rule, where a judge gives them."""
        return {} if self._judges is None else self._judges.weights

    @property
    def retry(self) -> Applied | None:
        """Return the rule because of which the answer is abandoned and generated again; else None."""
        blocked = [screen.blocked for _, screen in self._texts]
        if self._judges is not None:
            blocked.append(self._judges.blocked)
        return next((rule for rule in blocked if rule is not None and rule.action == "retry"), None)

    @property
    def _is_ended(self) -> bool:
        return any(screen.blocked for _, screen in self._texts)

    def _begin(self, call: CallDelta) -> None:
        self._current, self._index = "arguments", call.index
        if call.kind == "function":
            self._arguments = JsonScreen(self._rules)
        else:
            self._arguments = Screen(self._rules.without_redaction() if call.name in self._plan.inputs else self._rules)
        self._texts.append(("arguments", self._arguments))

    def _told(self) -> tuple[Finding, ...]:
        """Return the findings that the client sees; the log has all of them."""
        counts: Counter[Finding] = Counter()
        for where, screen in self._texts:
            for found in screen.findings(where):
                counts[replace(found, count=0)] += found.count
        judged = [] if self._judges is None else self._judges.found
        self.found = [*(replace(each, count=count) for each, count in counts.items()), *judged]
        log_findings(self._name, self.found)
        return (*self._findings, *(each for each in self.found if each.action != "pass"))


class _Content:
    """Content of an answer, with its tokens if the request asks for log-probabilities."""

    def __init__(self, screen: Screen, reports_logprobs: bool, token_bytes: TokenBytes) -> None:
        self.screen = screen
        self.reports_logprobs = reports_logprobs
        self._token_bytes = token_bytes
        # Text received and text released since text and tokens last left together.
        self._came = ""
        self._left = ""
        self._entries: list[TokenLogprob] = []
        self._num_redacted = 0

    def feed(self, delta: TextDelta) -> list[Delta]:
        return self.take(delta, self.screen.feed(delta.text))

    def take(self, delta: TextDelta, left: str) -> list[Delta]:
        """Return the delta for the text that the screen released from it and from earlier ones."""
        if not self.reports_logprobs:
            return [TextDelta(delta.choice, left)] if left else []
        self._came += delta.text
        self._left += left
        self._entries += delta.logprobs
        is_free = self.screen.blocked is None and not self.screen.num_held and self._is_whole()
        return self._together(delta.choice) if is_free else []

    def _is_whole(self) -> bool:
        """True if the text of all tokens has arrived; a token's end may be held back as a stop string or call."""
        last = next((entry.drawn.data for entry in reversed(self._entries) if entry.drawn.data), b"")
        return self._came.encode("utf-8", "replace").endswith(last)

    def flush(self, choice: int) -> list[Delta]:
        """Return what was held back, once the content ends or is interrupted."""
        left = self.screen.flush()
        if not self.reports_logprobs:
            return [TextDelta(choice, left)] if left else []
        self._left += left
        return [] if self.screen.blocked else self._together(choice)

    def withdraw(self, choice: int) -> list[Delta]:
        """Return what may leave of an answer that ends before the text of its last tokens does."""
        left, self._left = self._left, ""
        return [TextDelta(choice, left, (_token(left, self._token_bytes),))] if left else []

    def _together(self, choice: int) -> list[Delta]:
        left, entries = self._left, tuple(self._entries)
        if self.screen.num_redacted != self._num_redacted or not self._is_whole():
            entries = (_token(left, self._token_bytes),)
        self._num_redacted = self.screen.num_redacted
        self._came, self._left, self._entries = "", "", []
        return [TextDelta(choice, left, entries)] if left or entries else []


def _token(text: str, token_bytes: TokenBytes) -> TokenLogprob:
    """Return the token that replaces redacted tokens, with the id of the first text token."""
    token_id = next(id for id, data in enumerate(token_bytes) if data)
    return TokenLogprob(TopLogprob(token_id, text, text.encode("utf-8", "replace"), 0.0), ())


def may_report_token_ids(options: Options, policy: Policy | None) -> bool:
    """Return if the tokens of answers are asked for.

    Raises:
        UnsupportedParameterError: They are, and the policy may remove parts of answers, which the tokens would reveal.
    """
    if options.token_ids and policy is not None and policy.output.applied:
        raise UnsupportedParameterError(
            "return_token_ids is not served under a policy that screens answers: tokens would reveal what it removes",
            param="return_token_ids",
        )
    return options.token_ids
