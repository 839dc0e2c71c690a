"""The answers to one request, while they are written: events of the engine in, deltas that may leave out."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from gateway.core.answer import Delta, Finish, Usage
from gateway.core.verdict import AnswerVerdict
from gateway.engine import GenerationRequest, TokenEvent
from gateway.engine.errors import EngineFault
from gateway.service.faults import as_gateway_error
from gateway.service.loaded import LoadedModel
from gateway.service.plan import Prepared, derive_seed
from gateway.service.ranking import Likelihood
from gateway.service.screening import AnswerScreen
from gateway.service.verdicts import Ask, completed
from gateway.service.writer import AnswerWriter
from gateway.text import StopSequences


class Answering:
    """Writes the answers to one request; use `streams`, once.

    Attributes:
        likelihoods: Of each answer.
        verdicts: Of each answer that is done, in order of `choice`.
    """

    def __init__(self, loaded: LoadedModel, ask: Ask, prepared: Prepared) -> None:
        """Args: ask: Has answers verified."""
        self._loaded = loaded
        self._ask = ask
        self._prepared = prepared
        self._name = secrets.token_hex(8)
        tokens = loaded.vocabulary.tokens
        indices = range(prepared.num_candidates)
        self._writers = [AnswerWriter(prepared.plan, index, tokens) for index in indices]
        self.likelihoods = [Likelihood() for _ in indices]
        self.verdicts = [AnswerVerdict() for _ in indices]

    def streams(self, tick_s: float | None) -> list[AsyncGenerator[list[Delta], None]]:
        """What each answer's events say; see `Service.stream`."""
        return [self._stream(index, tick_s) for index in range(len(self._writers))]

    def usage(self) -> Usage:
        """What was used so far."""
        prepared = self._prepared
        return Usage(
            prompt_tokens=sum(len(prompt.ids) for prompt in prepared.prompts),
            completion_tokens=sum(writer.num_tokens for writer in self._writers),
            reasoning_tokens=sum(writer.num_reasoning_tokens for writer in self._writers),
            # The first answer reads the prompt; the others take over what it has read.
            cached_tokens=sum(writer.num_cached_tokens for writer in self._writers[:: prepared.candidates]),
        )

    async def _stream(self, index: int, tick_s: float | None) -> AsyncGenerator[list[Delta], None]:
        writer, screen = self._writers[index], self._screen(index)
        try:
            async with aclosing(self._loaded.engine.batches(self._request(index), tick_s)) as batches:
                async for batch in batches:
                    deltas: list[Delta] = []
                    is_ended = False
                    for event in batch:
                        deltas += await self._told(index, event, writer, screen)
                        is_ended = writer.is_stopped or (screen is not None and screen.is_blocked)
                        if is_ended:
                            break
                    if deltas or not batch:
                        yield deltas
                    if is_ended:
                        return
        except EngineFault as fault:
            raise as_gateway_error(fault) from fault

    async def _told(
        self, index: int, event: TokenEvent, writer: AnswerWriter, screen: AnswerScreen | None
    ) -> list[Delta]:
        """What an event brings that may leave."""
        if event.finish_reason in ("error", "cancelled"):
            raise as_gateway_error(event.error)
        self.likelihoods[index].add(event)
        if not self._prepared.tells_logprobs:
            event.logprobs = event.ending = None
        if event.prompt_logprobs is not None:
            deltas = await asyncio.to_thread(writer.feed, event)
        else:
            deltas = writer.feed(event)
        if writer.is_over:
            deltas.append(await writer.finish(self._ask))
        if screen is not None:
            deltas = screen.feed(deltas)
        if deltas and isinstance(deltas[-1], Finish):
            deltas[-1] = self._completed(index, deltas[-1], screen)
        return deltas

    def _completed(self, index: int, finish: Finish, screen: AnswerScreen | None) -> Finish:
        prepared = self._prepared
        found, took = (screen.found, screen.seconds) if screen is not None else ((), 0.0)
        finish = completed(finish, prepared.plan, prepared.policy, prepared.findings, found, took)
        self.verdicts[index] = finish.verdict
        return finish

    def _screen(self, index: int) -> AnswerScreen | None:
        """None where no policy looks at the answers."""
        prepared = self._prepared
        policy = prepared.policy
        if policy is None or not (policy.output.applied or prepared.findings):
            return None
        tokens = self._loaded.vocabulary.tokens
        return AnswerScreen(policy, prepared.plan, index, tokens, prepared.tells_logprobs, prepared.findings)

    def _request(self, index: int) -> GenerationRequest:
        prepared = self._prepared
        number, candidate = divmod(index, prepared.candidates)
        prompt, plan, terms = prepared.prompts[number], prepared.plan, prepared.terms
        sampling = prompt.sampling
        if plan.seed is not None:
            sampling = replace(sampling, seed=derive_seed(plan.seed, candidate))
        if candidate:
            sampling = replace(sampling, prompt_logprobs=None)
        # With tools or reasoning the writer looks for stop strings itself, in the content alone.
        in_engine = None if plan.is_read else plan.stops
        return GenerationRequest(
            request_id=f"{self._name}-{index}",
            prompt_ids=list(prompt.ids),
            sampling=sampling,
            constraint=plan.new_constraint(),
            stop=StopSequences(in_engine, self._loaded.vocabulary.tokens) if in_engine is not None else None,
            priority=terms.priority,
            tenant=terms.tenant,
            deadline=terms.deadline,
            cache_salt=terms.cache_salt,
            group=f"{self._name}-{number}" if prepared.candidates > 1 else None,
        )
