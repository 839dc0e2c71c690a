"""Beam search: the likeliest answers as wholes, by following the likeliest beginnings token by token.

Each step asks the engine for one token after each beam, as requests that share the blocks of their prompt and of the
beams they go on from. Scores are those of `transformers`: the sum of the model's own log-probabilities, divided by the
number of tokens, the end included, to the power of the length penalty. Under a constraint, only tokens that it allows
are followed, and of several ways to write the same text the likeliest alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from gateway.core.request import BeamOptions
from gateway.engine import GenerationRequest, RunningEngine, SamplingParams, StopCriterion, TokenEvent, TokenLogprobs
from gateway.engine.endings import goes_on
from gateway.engine.errors import EngineClosedError


@dataclass(frozen=True, slots=True)
class _Beam:
    """A beginning of an answer.

    Attributes:
        score: Sum of the log-probabilities of its tokens.
        text: Text of the tokens; None without a constraint.
        stop: Has seen its tokens.
        is_steered: See `TokenEvent`.
    """

    entries: tuple[TokenLogprobs, ...] = ()
    score: float = 0.0
    text: bytes | None = None
    stop: StopCriterion | None = None
    is_steered: bool = False


class _Answer(NamedTuple):
    """A beam that has ended.

    Attributes:
        score: With the length penalty.
        event: Its one event, without the beam's tokens.
    """

    score: float
    beam: _Beam
    event: TokenEvent


class _Continuation(NamedTuple):
    """A beam and a token that may follow it, with the score of both."""

    score: float
    beam: _Beam
    token: int
    entry: TokenLogprobs


class _Group:
    """Beams that compete with one another; `answers` are the best that have ended, best first."""

    def __init__(self, beam: _Beam, options: BeamOptions, max_tokens: int) -> None:
        self.beams = [beam]
        self.answers: list[_Answer] = []
        self._width = options.width // options.groups
        self._options = options
        self._max_tokens = max_tokens

    def keep(self, beams: list[_Beam], answers: Iterable[_Answer]) -> None:
        """Go on with these beams, after these answers; with none where no answer could get better."""
        best = sorted([*self.answers, *answers], key=lambda each: -each.score)
        texts = [each.beam.text for each in best]
        best = [
            each for place, each in enumerate(best) if each.beam.text is None or each.beam.text not in texts[:place]
        ]
        self.answers, self.beams = best[: self._width], beams
        if beams and len(self.answers) == self._width:
            penalty = self._options.length_penalty
            is_late = self._options.early_stopping == "never" and penalty > 0
            length = self._max_tokens if is_late else len(beams[0].entries)
            possible = beams[0].score / length**penalty
            if self._options.early_stopping is True or possible <= self.answers[-1].score:
                self.beams = []


class BeamSearch:
    """Search for the best answers to one prompt, begun when the first of them is asked for."""

    def __init__(
        self,
        engine: RunningEngine,
        request: GenerationRequest,
        options: BeamOptions,
        eos_token_ids: Sequence[int],
        token_bytes: Sequence[bytes | None],
    ) -> None:
        """Args:
        request: The prompt, and what every answer must be; of its sampling, the bounds, ends and log-probabilities.
        """
        self._engine, self._request, self._options = engine, request, options
        self._sampling = request.sampling
        self._eos_token_ids = tuple(eos_token_ids)
        self._token_bytes = token_bytes
        ends = () if request.constraint is None and self._sampling.ignore_eos else self._eos_token_ids
        self._ends = frozenset((*ends, *self._sampling.stop_token_ids))
        # As many as can end here, can be disfavoured by other groups, and must go on.
        most = max(2 * options.width + len(self._ends), self._sampling.logprobs or 0)
        self._num_candidates = min(most, len(token_bytes))
        self._num_requests = 0
        self._first: TokenEvent | None = None
        self._search: asyncio.Task[list[_Answer]] | None = None

    async def events(self, number: int, tick_s: float | None) -> AsyncGenerator[list[TokenEvent], None]:
        """Yield the events of answer `number`, the best one first: empty batches while it is searched for, then all.

        Where fewer answers exist than are asked for, the last one stands for the others.

        Raises:
            EngineFault: A step was refused or failed.
        """
        if self._search is None:
            self._search = asyncio.create_task(self._found())
        try:
            while not (await asyncio.wait([self._search], timeout=tick_s))[0]:
                yield []
            answers = self._search.result()
        finally:
            if not self._search.done():
                self._search.cancel()
        yield [self._whole(answers[min(number, len(answers) - 1)], number)]

    async def _found(self) -> list[_Answer]:
        """Return the answers, best first."""
        options, penalty = self._options, self._options.diversity_penalty
        empty = _Beam(text=None if self._request.constraint is None else b"", stop=self._request.stop)
        groups = [_Group(empty, options, self._sampling.max_tokens) for _ in range(options.groups)]
        known = [await self._continuations(empty)] * options.groups
        while True:
            taken: Counter[int] = Counter()
            remaining = iter(known)
            for group in groups:
                found = [each for _ in group.beams for each in next(remaining)]
                disfavoured = [each._replace(score=each.score - penalty * taken[each.token]) for each in found]
                self._advance(group, sorted(disfavoured, key=lambda each: -each.score))
                taken.update(beam.entries[-1].token_id for beam in group.beams)
            beams = [beam for group in groups for beam in group.beams]
            if not beams:
                return sorted((each for group in groups for each in group.answers), key=lambda each: -each.score)
            known = await asyncio.gather(*map(self._continuations, beams))

    def _advance(self, group: _Group, ranked: Sequence[_Continuation]) -> None:
        """Follow the best of these continuations; those among them that end are answers."""
        width = self._options.width // self._options.groups
        beams: list[_Beam] = []
        answers: list[_Answer] = []
        for rank, each in enumerate(ranked):
            if len(beams) == width:
                break
            is_end, beam = each.token in self._ends, each.beam
            length, is_stopped = len(beam.entries) + 1, False
            if not is_end:
                text = None if beam.text is None else beam.text + self._spelled(each.token)
                beam = _Beam((*beam.entries, each.entry), each.score, text, copy(beam.stop), beam.is_steered)
                is_stopped = beam.stop is not None and beam.stop.accept(each.token)
            if not (is_end or is_stopped or length == self._sampling.max_tokens):
                if beam.text is None or beam.text not in [other.text for other in beams]:
                    beams.append(beam)
            elif rank < width:
                end = self._end_of(beam, each.entry if is_end else None, is_stopped)
                answers.append(_Answer(each.score / length**self._options.length_penalty, beam, end))
        group.keep(beams, answers)

    def _end_of(self, beam: _Beam, ending: TokenLogprobs | None, is_stopped: bool) -> TokenEvent:
        """Return the event with which a beam ends: with a token that is no part of it, a stop string, or its budget."""
        is_full = len(beam.entries) == self._sampling.max_tokens
        end = TokenEvent(self._request.request_id, [], finish_reason="stop", is_steered=beam.is_steered)
        if ending is not None:
            end.stop_reason = None if ending.token_id in self._eos_token_ids else ending.token_id
            end.ending = self._reported(ending)
        elif is_full and not is_stopped:
            is_complete, goes_on = self._state_after(beam)
            end.finish_reason = "stop" if is_complete else "length"
            end.is_steered = end.is_steered or (is_complete and goes_on)
        return replace(end, is_full=is_full)

    def _spelled(self, token: int) -> bytes:
        """Return the text of a token; of a special one, what no text holds."""
        return self._token_bytes[token] or b"\xff%d\xff" % token

    def _state_after(self, beam: _Beam) -> tuple[bool, bool]:
        """Return whether the constrained text is complete, and whether it could go on; neither without a constraint."""
        if self._request.constraint is None:
            return False, False
        constraint = self._request.constraint.fork()
        assert all(map(constraint.accept, self._begun(beam))), "the engine has accepted these tokens"
        num_words = -(-len(self._token_bytes) // 32)
        return constraint.is_complete, goes_on(constraint, self._eos_token_ids, num_words)

    def _begun(self, beam: _Beam) -> list[int]:
        """Return the tokens that the constraint has seen."""
        prompt = self._request.prompt_ids
        return [*prompt[len(prompt) - self._request.num_begun :], *(entry.token_id for entry in beam.entries)]

    async def _continuations(self, beam: _Beam) -> list[_Continuation]:
        """Return the likeliest tokens that may follow the beam."""
        self._num_requests += 1
        request, tokens = self._request, [entry.token_id for entry in beam.entries]
        times = None if self._first is None else self._first.times
        step = replace(
            request,
            request_id=f"{request.request_id}-{self._num_requests}",
            prompt_ids=[*request.prompt_ids, *tokens],
            sampling=SamplingParams(
                max_tokens=self._sampling.max_tokens - len(tokens),
                temperature=0.0,
                ignore_eos=self._sampling.ignore_eos,
                logprobs=self._num_candidates,
                prompt_logprobs=None if tokens else self._sampling.prompt_logprobs,
            ),
            constraint=None if request.constraint is None else request.constraint.fork(),
            num_begun=request.num_begun + len(tokens),
            stop=None,
            since=None if times is None else times[0],
            group=None,
            is_step=True,
            companions=[each.after(tokens) for each in request.companions],
        )
        entry = None
        async for event in self._engine.stream(step):
            if event.finish_reason in ("error", "cancelled"):
                raise event.error or EngineClosedError("a step of a beam search was cancelled")
            entry = event.ending or (event.logprobs[0] if event.logprobs else entry)
            if self._first is None:
                self._first = event
            elif event.times is not None and self._first.times is not None:
                self._first.times = (*self._first.times[:3], event.times[3])
            beam = replace(beam, is_steered=beam.is_steered or event.is_steered)
        assert entry is not None, "a step brings one token"
        found = [_Continuation(beam.score + each.logprob, beam, each.token_id, each) for each in _candidates(entry)]
        going = [each for each in found if each.token not in self._ends]
        return going if going and len(tokens) < self._sampling.min_tokens else found

    def _reported(self, entry: TokenLogprobs) -> TokenLogprobs | None:
        """Return what the client asked to know of a token."""
        number = self._sampling.logprobs
        if number is None:
            return None
        masked = entry.masked and replace(entry.masked, top=entry.masked.top[:number])
        return replace(entry, top=entry.top[:number], masked=masked)

    def _whole(self, answer: _Answer, number: int) -> TokenEvent:
        """Return the event of a whole answer."""
        first, entries = self._first, answer.beam.entries
        assert first is not None, "there was a step"
        logprobs = [each for each in map(self._reported, entries) if each is not None]
        return replace(
            answer.event,
            token_ids=[entry.token_id for entry in entries],
            logprobs=logprobs or None,
            num_prompt_tokens=len(self._request.prompt_ids),
            num_cached_tokens=first.num_cached_tokens,
            prompt_logprobs=None if number else first.prompt_logprobs,
            times=first.times,
        )


def _candidates(entry: TokenLogprobs) -> list[TokenLogprobs]:
    """Return what is known of each token that may follow, likeliest first."""
    masked = entry.masked
    if masked is None:
        return [replace(entry, token_id=token, logprob=logprob) for token, logprob in entry.top]
    # What the mask leaves was scaled to sum to one; a token's share in the model's own probabilities undoes it.
    scale = entry.logprob - masked.logprob
    return [
        replace(entry, token_id=token, logprob=logprob + scale, masked=replace(masked, logprob=logprob))
        for token, logprob in masked.top
    ]
