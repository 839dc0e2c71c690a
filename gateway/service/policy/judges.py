"""Judges of texts: programs in threads, or the served model. Prompts are judged whole, answers as they grow."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from gateway.core.answer import ArgumentsDelta, CallDelta, Delta, Finding, ReasoningDelta, TextDelta
from gateway.errors import OverloadedError
from gateway.guards import Applied, Judged, JudgeError, Opinion, Question, Rules, Said, Screen, Span, Tagging
from gateway.guards.escapes import resolved
from gateway.service.request.context import RequestContext

logger = logging.getLogger(__name__)

MAX_THREADS = 16
"""Judges that are waited for together: no other work has these threads."""


class Questioner(Protocol):
    """A model that answers the questions of policies; see `JudgeModel`."""

    async def probabilities(
        self, question: Question, texts: Sequence[str], said: Said | None, where: str, context: RequestContext
    ) -> list[float]:
        """Return the probability of a finding in each text, or raise a `JudgeError`."""


class Judges:
    """Caller of judges. For one event loop.

    Args:
        max_waiting: Most prompts that wait for judges; further ones are refused.
    """

    def __init__(self, max_waiting: int, questioner: Questioner) -> None:
        self._judge_model = questioner
        self._pool = ThreadPoolExecutor(MAX_THREADS, "judge")
        self._max_waiting = max_waiting
        self._num_waiting = 0

    def close(self) -> None:
        """Stop the judges' threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def findings(
        self, rules: Rules, texts: Sequence[str], where: str, context: RequestContext
    ) -> tuple[list[list[Finding]], dict[int, float]]:
        """Return what the judges of a side find in each text, and the probabilities by rule.

        Raises:
            OverloadedError: Too many prompts wait already.
            GatewayError: The request has ended.
        """
        if not rules.judged or not texts:
            return [[] for _ in texts], {}
        with self._waiting():
            asked = [self.ask(rules, number, what, texts, where, context) for number, what in rules.judged]
            found = await asyncio.gather(*asked)
        weights: dict[int, float] = {}
        findings: list[list[Finding]] = [[] for _ in texts]
        for (number, _), opinions in zip(rules.judged, found, strict=True):
            for place, opinion in enumerate(opinions):
                weigh_into(weights, number, opinion)
                if opinion.is_found:
                    findings[place].append(finding(rules.applied[number], where, 1, opinion.probability))
        return findings, weights

    async def ask(
        self, rules: Rules, number: int, what: Judged, texts: Sequence[str], where: str, context: RequestContext
    ) -> list[Opinion]:
        """Return the texts in which a judge finds something. If it fails: all of them, unless its rule passes failures.

        Raises:
            GatewayError: The request is over.
        """
        judge = what.judge
        try:
            if isinstance(judge, Question):
                likely = await self._judge_model.probabilities(judge, texts, rules.said, where, context)
                return [Opinion(each >= judge.threshold, each) for each in likely]
            loop = asyncio.get_running_loop()
            told = await loop.run_in_executor(self._pool, partial(judge.judge, texts, rules.said))
            return [each if isinstance(each, Opinion) else Opinion(each) for each in told]
        except JudgeError as error:
            rule = rules.applied[number].rule
            counts = "passes" if what.is_lenient else "counts as found"
            logger.warning(
                "%s/%s could not be asked, and what it was to judge %s: %s", rule.guard, rule.kind, counts, error
            )
            return [Opinion(not what.is_lenient) for _ in texts]

    async def tags(self, rules: Rules, texts: Iterable[str]) -> Tags:
        """Return what the taggers of a side find in each text.

        Raises:
            OverloadedError: Too many prompts wait already.
        """
        some = list(dict.fromkeys(text for text in texts if text.strip()))
        if not rules.taggings or not some:
            return {tagging: {} for tagging in rules.taggings}
        with self._waiting():
            found = await asyncio.gather(*(self.spans(rules, tagging, some) for tagging in rules.taggings))
        return {
            tagging: dict(zip(some, told, strict=True))
            for tagging, told in zip(rules.taggings, found, strict=True)
            if told is not None
        }

    async def spans(self, rules: Rules, tagging: Tagging, texts: Sequence[str]) -> list[list[Span]] | None:
        """Return what a tagger finds in each text; None if it fails."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, tagging.tagger.spans, texts)
        except JudgeError as error:
            rule = rules.applied[next(iter(rules.taggings[tagging].values()))].rule
            counts = "passes" if tagging.is_lenient else "counts as found"
            logger.warning("%s could not be asked, and what it was to read %s: %s", rule.guard, counts, error)
            return None

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        if self._num_waiting >= self._max_waiting:
            raise OverloadedError("too many prompts wait to be judged")
        self._num_waiting += 1
        try:
            yield
        finally:
            self._num_waiting -= 1


Tags = Mapping[Tagging, Mapping[str, Sequence[Span]]]
"""What taggers found in texts; those that could not be asked are not there."""


def tag(screen: Screen, rules: Rules, tags: Tags, text: str) -> str:
    """Give a screen the taggers' findings in its whole text; return what may leave before `flush`."""
    nothing = None if text.strip() else ()
    found = [(tagging, tags.get(tagging, {}).get(text, nothing)) for tagging in rules.taggings]
    return "".join(screen.tag(tagging, 0, spans, is_over=True) for tagging, spans in found)


def finding(applied: Applied, where: str, count: int, probability: float | None = None) -> Finding:
    """Return the finding for a rule that matched."""
    rule = applied.rule
    return Finding(
        guard=rule.guard, kind=rule.kind, action=applied.action, where=where, count=count, probability=probability
    )


def highest(one: float | None, other: float | None) -> float | None:
    """Return the higher of two probabilities; None if there is none."""
    return max(filter(None, (one, other)), default=None)


def weigh_into(weights: dict[int, float], number: int, opinion: Opinion) -> None:
    """Keep the highest probability of each rule."""
    if opinion.probability is not None:
        weights[number] = max(opinion.probability, weights.get(number, 0.0))


@dataclass(slots=True, kw_only=True)
class _Text:
    """One of an answer's texts: its place, its content so far, and how far each judge has read."""

    where: str
    is_json: bool = False
    came: str = ""
    read: dict[int, int] = field(default_factory=dict)


class AnswerJudges:
    """Judging of one answer after its screen: deltas wait until every judge whose rule can end the answer read them.
    Deltas leave whole and in order: before a delta of another text leaves, the current text is judged as if it ended
    there.

    Attributes:
        blocked: Rule that ended the answer.
        weights: Probabilities of findings, by the number of their rule, where a judge gives them.
    """

    def __init__(self, judges: Judges, rules: Rules, context: RequestContext, *, is_json: bool) -> None:
        self.blocked: Applied | None = None
        self.weights: dict[int, float] = {}
        self._judges = judges
        self._context = context
        self._rules = rules
        self._content = _Text(where="content", is_json=is_json)
        self._reasoning = _Text(where="reasoning")
        self._current: _Text | None = None
        # Deltas of the current text that are held back, with their end offsets.
        self._held: list[tuple[int, Delta]] = []
        self._counts: Counter[tuple[str, int]] = Counter()
        self._likely: dict[tuple[str, int], float | None] = {}

    @property
    def found(self) -> list[Finding]:
        """Return all findings so far."""
        return [
            finding(self._rules.applied[number], where, count, self._likely[where, number])
            for (where, number), count in self._counts.items()
        ]

    async def take(self, deltas: Sequence[Delta]) -> list[Delta]:
        """Return the deltas that may leave now; nothing once a rule has blocked."""
        out: list[Delta] = []
        for delta in deltas:
            if self.blocked is not None:
                break
            text, written = self._text_of(delta)
            if text is not self._current:
                await self._read(is_over=True, out=out)
                self._current = text
            if self.blocked is None:
                if text is None:
                    out.append(delta)
                else:
                    text.came += written
                    self._held.append((len(text.came), delta))
                    await self._read(is_over=False, out=out)
        return out

    def _text_of(self, delta: Delta) -> tuple[_Text | None, str]:
        match delta:
            case TextDelta():
                return self._content, delta.text
            case ReasoningDelta():
                return self._reasoning, delta.text
            case CallDelta():
                return _Text(where="arguments", is_json=delta.kind == "function"), ""
            case ArgumentsDelta():
                return self._current, delta.text
            case _:
                return None, ""

    async def _read(self, *, is_over: bool, out: list[Delta]) -> None:
        """Judge the current text with each judge whose step is reached; release what all of them have read."""
        text = self._current
        if text is None:
            return
        due = [(number, what) for number, what in self._rules.judged if self._is_due(text, number, what, is_over)]
        found = await asyncio.gather(*(self._ask(text, number, what) for number, what in due)) if due else []
        for (number, _), opinion in zip(due, found, strict=True):
            text.read[number] = len(text.came)
            weigh_into(self.weights, number, opinion)
            if opinion.is_found:
                self._counts[text.where, number] += 1
                before = self._likely.get((text.where, number))
                self._likely[text.where, number] = highest(before, opinion.probability)
                if self._rules.applied[number].ends and self.blocked is None:
                    self.blocked = self._rules.applied[number]
        if self.blocked is None:
            end = min((self._read_to(text, number) for number, _ in self._rules.judged), default=len(text.came))
            while self._held and self._held[0][0] <= end:
                out.append(self._held.pop(0)[1])

    def _is_due(self, text: _Text, number: int, what: Judged, is_over: bool) -> bool:
        num_new = len(text.came) - text.read.get(number, 0)
        return num_new > 0 and (is_over or (what.hold_characters is not None and num_new >= what.hold_characters))

    async def _ask(self, text: _Text, number: int, what: Judged) -> Opinion:
        begin = 0 if what.hold_characters is None else max(0, text.read.get(number, 0) - what.hold_characters)
        came = text.came[begin:]
        read = [resolved(came) if text.is_json else came]
        (opinion,) = await self._judges.ask(self._rules, number, what, read, text.where, self._context)
        return opinion

    def _read_to(self, text: _Text, number: int) -> int:
        """Return the offset up to which this rule lets the text leave."""
        return text.read.get(number, 0) if self._rules.applied[number].holds else len(text.came)
