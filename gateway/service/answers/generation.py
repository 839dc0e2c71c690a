"""Generation of the answers to one request: events of the engine in, verified and screened deltas out."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from gateway.audit.request_record import current_record, stage
from gateway.core.answer import Delta, Finding, Finish, Usage
from gateway.core.request import ChatRequest
from gateway.core.verdict import AnswerVerdict
from gateway.engine import GenerationRequest, RunningEngine, TokenEvent
from gateway.engine.errors import EngineFault
from gateway.errors import BudgetError, ContextLengthError, InvalidRequestError
from gateway.guards import Applied, Policy
from gateway.service.answers.answer_writer import AnswerWriter
from gateway.service.answers.beam_search import BeamSearch
from gateway.service.answers.citations import CitationReader
from gateway.service.answers.hidden_prefix import HiddenPrefix
from gateway.service.answers.ranking import Likelihood
from gateway.service.answers.verification import GuardOutcome, JobRunner, completed, verified_again
from gateway.service.model.loaded import LoadedModel
from gateway.service.policy.judges import Judges
from gateway.service.policy.output_screening import OutputScreening
from gateway.service.request.context import RequestContext
from gateway.service.request.engine_requests import as_gateway_error
from gateway.service.request.plan import Prepared, Prompt, derive_seed
from gateway.text import StopSequences

logger = logging.getLogger(__name__)

Again = Callable[[ChatRequest, RequestContext, Policy | None], Awaitable[Prepared]]
ENGINE_STAGES = ("queue", "prefill", "decode")
_SEEDS_OF_A_TRY = 1 << 32
"""Further than candidates reach, whose seeds are derived likewise."""


@dataclass(slots=True)
class Attempt:
    """One attempt at an answer.

    Attributes:
        number: Attempts at the same answer that were abandoned before.
        abandoned: Findings because of which they were abandoned.
        hidden: The answer's prefix, unless it is returned.
        citations: Reader of its citations; None if it cites nothing.
    """

    index: int
    number: int
    prepared: Prepared
    writer: AnswerWriter
    screen: OutputScreening | None
    abandoned: Sequence[Finding]
    hidden: HiddenPrefix | None = None
    citations: CitationReader | None = None
    likelihood: Likelihood = field(default_factory=Likelihood)

    @property
    def may_be_abandoned(self) -> bool:
        """True if a retry may follow, so that nothing is sent before the attempt is complete."""
        policy = self.prepared.policy
        return policy is not None and self.number < policy.output.max_retries


class Generation:
    """Generation of the answers to one request; call `streams` once.

    Attributes:
        verdicts: Verdict of each finished answer, in order of `choice`.
    """

    def __init__(self, loaded: LoadedModel, ask: JobRunner, judges: Judges, again: Again, prepared: Prepared) -> None:
        """Args:
        ask: Runs verification jobs.
        judges: Judge whole answers under a policy.
        again: Prepares a chat to which feedback was added.
        """
        self._loaded = loaded
        self._ask = ask
        self._judges = judges
        self._again = again
        self._candidates = prepared.candidates
        self._record = current_record()
        self._name = secrets.token_hex(8)
        self._abandoned: list[Attempt] = []
        self._searches: dict[tuple[int, int], BeamSearch] = {}
        self._attempts = [self._try(index, 0, prepared, ()) for index in range(prepared.num_candidates)]
        self.verdicts = [AnswerVerdict() for _ in self._attempts]

    @property
    def likelihoods(self) -> list[Likelihood]:
        """Return the likelihood of each answer."""
        return [each.likelihood for each in self._attempts]

    def streams(self, tick_s: float | None) -> list[AsyncGenerator[list[Delta], None]]:
        """Return one stream of deltas per answer; see `Service.stream`."""
        return [
            self._last(each, tick_s) if each.may_be_abandoned else self._written(each, tick_s)
            for each in self._attempts
        ]

    def usage(self) -> Usage:
        """Return the tokens used so far, abandoned attempts included."""
        written = [*self._attempts, *self._abandoned]
        # The first answer computes the prompt and the others share it. A retry computes it again.
        readers = [each for each in written if each.number or each.index % self._candidates == 0]
        return Usage(
            prompt_tokens=sum(len(self._prompt(each).ids) for each in readers),
            completion_tokens=sum(each.writer.num_tokens for each in written),
            reasoning_tokens=sum(each.writer.num_reasoning_tokens for each in written),
            cached_tokens=sum(each.writer.num_cached_tokens for each in readers),
            companion_tokens=sum(self._prompt(each).num_companion_tokens for each in readers)
            + sum(each.writer.num_tokens * len(self._prompt(each).companions) for each in written),
        )

    def found(self, finish: Finish) -> list[Finding]:
        """Return what a policy found in a finished answer, in all attempts."""
        index = finish.choice
        screens = [each.screen for each in (*self._abandoned, self._attempts[index]) if each.index == index]
        return [finding for screen in screens if screen is not None for finding in screen.found]

    async def _last(self, one: Attempt, tick_s: float | None) -> AsyncGenerator[list[Delta], None]:
        """Yield the deltas of the attempt that is not abandoned, in one batch while a retry may follow."""
        while True:
            held: list[Delta] = []
            async with aclosing(self._written(one, tick_s)) as batches:
                async for deltas in batches:
                    if deltas and one.may_be_abandoned:
                        held += deltas
                    else:
                        yield deltas
            if one.screen is None or one.screen.retry is None:
                break
            one = await self._retry(one, one.screen.retry)
        if held:
            yield held

    async def _retry(self, one: Attempt, rule: Applied) -> Attempt:
        """Return the attempt that replaces an abandoned one."""
        assert one.screen is not None, "it found the rule"
        self._record.num_retries += 1
        self._abandoned.append(one)
        prepared = one.prepared
        if rule.feedback and prepared.asked is not None:
            prepared = await self._with_feedback(prepared, prepared.asked, rule.feedback)
        found = [*one.abandoned, *(each for each in one.screen.found if each.action == "retry")]
        self._attempts[one.index] = self._try(one.index, one.number + 1, prepared, found)
        return self._attempts[one.index]

    async def _with_feedback(self, prepared: Prepared, asked: ChatRequest, feedback: str) -> Prepared:
        messages = (*asked.messages, {"role": "user", "content": feedback})
        try:
            with stage("prepare"):
                again = await self._again(replace(asked, messages=messages), prepared.context, prepared.policy)
        except (BudgetError, ContextLengthError, InvalidRequestError) as error:
            logger.info("the policy's feedback does not fit, the retry goes without it: %s", error.message)
            return prepared
        return replace(
            again,
            policy=prepared.policy,
            findings=prepared.findings,
            weights=prepared.weights,
            tells_verdict=prepared.tells_verdict,
            reports_token_ids=prepared.reports_token_ids,
            asked=asked,
        )

    async def _written(self, one: Attempt, tick_s: float | None) -> AsyncGenerator[list[Delta], None]:
        """Yield the deltas of one attempt that its policy lets pass."""
        writer, screen, reports_logprobs = one.writer, one.screen, one.prepared.reports_logprobs
        try:
            async with aclosing(self._events(one, tick_s)) as batches:
                async for batch in batches:
                    deltas: list[Delta] = []
                    is_ended = False
                    for event in batch:
                        if event.finish_reason in ("error", "cancelled"):
                            raise as_gateway_error(event.error)
                        if event.times is not None:
                            for name, begin, end in zip(ENGINE_STAGES, event.times, event.times[1:], strict=False):
                                self._record.add_stage(name, begin, end)
                        if event.logprobs:
                            one.likelihood.add(event.logprobs)
                        if writer.weights is not None:
                            writer.weights.feed(event)
                        if not reports_logprobs:
                            event.logprobs = event.ending = None
                        if event.prompt_logprobs is not None:
                            written = await asyncio.to_thread(writer.feed, event)
                        else:
                            written = writer.feed(event)
                        if writer.is_over:
                            with stage("verify"):
                                written.append(await writer.finish(self._ask))
                        if screen is not None:
                            written = await screen.pass_on(written)
                        if written and isinstance(written[-1], Finish):
                            written[-1] = await self._completed(one, written[-1])
                        if writer.fields is not None:
                            written = writer.fields.feed(written)
                        written = written if one.hidden is None else one.hidden.remove(written)
                        deltas += written if one.citations is None else one.citations.feed(written)
                        is_ended = (writer.is_over and writer.is_stopped) or (screen is not None and screen.is_blocked)
                        if is_ended:
                            break
                    if deltas or not batch:
                        yield deltas
                    if is_ended:
                        return
        except EngineFault as fault:
            raise as_gateway_error(fault) from fault

    def _events(self, one: Attempt, tick_s: float | None) -> AsyncGenerator[list[TokenEvent], None]:
        """Return the events of the engine, or of the beam search that all answers to a prompt share."""
        engine, options = self._loaded.engine, one.prepared.beams
        if options is None:
            return _events_of(engine, self._request(one), one.writer, tick_s)
        prompt, candidate = divmod(one.index, self._candidates)
        search = self._searches.get((prompt, one.number))
        if search is None:
            token_bytes = self._loaded.vocabulary.tokens
            search = BeamSearch(engine, self._request(one), options, engine.eos_token_ids, token_bytes)
            self._searches[prompt, one.number] = search
        return search.events(candidate, tick_s)

    async def _completed(self, one: Attempt, finish: Finish) -> Finish:
        """Return the end of an answer with its complete verdict."""
        prepared, screen = one.prepared, one.screen
        if screen is not None and screen.retry is not None:
            return finish
        if screen is not None and (rewritten := screen.rewritten()) is not None:
            finish = await verified_again(self._ask, prepared.plan, finish, rewritten)
        if screen is not None and finish.confidence is not None:
            finish = replace(finish, confidence=screen.confidence(finish))
        screens = [each.screen for each in (*self._abandoned, one) if each.index == one.index]
        took = sum(each.seconds for each in screens if each is not None)
        found = [*one.abandoned, *(screen.found if screen is not None else ())]
        prompt = GuardOutcome(prepared.findings, prepared.weights)
        answer = GuardOutcome(found, screen.weights if screen is not None else {})
        finish = completed(finish, prepared.plan, prepared.policy, prompt, answer, took)
        if prepared.reports_token_ids:
            finish = replace(finish, token_ids=one.writer.token_ids, prompt_token_ids=self._prompt(one).ids)
        self.verdicts[one.index] = finish.verdict
        return finish

    def _try(self, index: int, number: int, prepared: Prepared, abandoned: Sequence[Finding]) -> Attempt:
        tokens, policy = self._loaded.vocabulary.tokens, prepared.policy
        screen = None
        if policy is not None and (policy.output.applied or prepared.findings):
            findings = (*prepared.findings, *abandoned)
            screen = OutputScreening(
                policy,
                prepared.plan,
                index,
                tokens,
                prepared.reports_logprobs,
                findings,
                number,
                self._judges,
                prepared.context,
            )
        prefix = prepared.plan.prefix
        hidden = None if prefix is None or prefix.is_returned else HiddenPrefix(prefix.text)
        writer = AnswerWriter(prepared.plan, index, tokens)
        citations = CitationReader.of(index, prepared.plan.constraint)
        return Attempt(index, number, prepared, writer, screen, abandoned, hidden, citations)

    def _prompt(self, one: Attempt) -> Prompt:
        return one.prepared.prompts[one.index // self._candidates]

    def _request(self, one: Attempt) -> GenerationRequest:
        plan, context, prompt = one.prepared.plan, one.prepared.context, self._prompt(one)
        number, candidate = divmod(one.index, self._candidates)
        sampling = prompt.sampling
        if plan.seed is not None:
            sampling = replace(sampling, seed=derive_seed(plan.seed, candidate + one.number * _SEEDS_OF_A_TRY))
        if candidate:
            sampling = replace(sampling, prompt_logprobs=None)
        # The writer looks for stop strings itself where not all text is content, or not all is the engine's.
        is_read_here = plan.is_read or plan.constraint is not None or plan.prefix is not None
        in_engine = None if is_read_here else plan.stops
        shares_prompt = self._candidates > 1 and not one.number
        return GenerationRequest(
            request_id=f"{self._name}.{one.number}-{one.index}",
            prompt_ids=list(prompt.ids),
            sampling=sampling,
            constraint=plan.new_constraint(),
            num_begun=len(plan.prefix_ids),
            stop=StopSequences(in_engine, self._loaded.vocabulary.tokens) if in_engine is not None else None,
            priority=context.priority,
            tenant=context.tenant,
            deadline=context.deadline,
            cache_salt=context.cache_salt,
            adapter=context.adapter,
            group=f"{self._name}-{number}" if shares_prompt else None,
            companions=prompt.companions,
            formula=prompt.formula,
            images=context.images,
        )


async def _events_of(
    engine: RunningEngine, request: GenerationRequest, writer: AnswerWriter, tick_s: float | None
) -> AsyncGenerator[list[TokenEvent], None]:
    """Yield the engine's events of an answer. A free answer whose reasoning became a loop continues after it.

    Under a constraint the engine itself ends the reasoning.

    Args:
        writer: Must be fed each batch before the next is requested.
    """
    reasoning_end_ids, written = writer.reasoning_end_ids, list[int]()
    loop: TokenEvent | None = None
    # What a policy forbids stays forbidden after the reasoning.
    constraint = request.constraint.fork() if reasoning_end_ids and request.constraint is not None else None
    async with aclosing(engine.batches(request, tick_s)) as batches:
        async for batch in batches:
            written += [token for event in batch for token in event.token_ids]
            if not reasoning_end_ids or not batch or batch[-1].finish_reason != "repetition":
                yield batch
                continue
            *before, loop = batch
            yield [*before, replace(loop, finish_reason=None)]
            num_left = request.sampling.max_tokens - len(written) - len(reasoning_end_ids)
            if not writer.is_thinking or num_left < 1:
                yield [replace(loop, token_ids=[], logprobs=None)]
                loop = None
    if loop is not None:
        yield [replace(loop, token_ids=list(reasoning_end_ids), logprobs=None, finish_reason=None)]
        written += reasoning_end_ids
        begun = [*request.prompt_ids[len(request.prompt_ids) - request.num_begun :], *written]
        if constraint is not None and not all(map(constraint.fork().accept, begun)):
            yield [replace(loop, token_ids=[], logprobs=None)]
            return
        least = max(request.sampling.min_tokens - len(written), 0)
        onward = replace(
            request,
            request_id=f"on-{request.request_id}",
            prompt_ids=[*request.prompt_ids, *written],
            sampling=replace(request.sampling, max_tokens=num_left, min_tokens=least, prompt_logprobs=None),
            group=None,
            since=None if loop.times is None else loop.times[0],
            constraint=constraint,
            num_begun=len(begun),
            companions=[each.after(written) for each in request.companions],
        )
        async with aclosing(engine.batches(onward, tick_s)) as batches:
            async for batch in batches:
                yield [replace(event, num_cached_tokens=loop.num_cached_tokens) for event in batch]
