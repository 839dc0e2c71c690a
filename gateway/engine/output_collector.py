"""Outputs of requests: tokens that are appended, ends, and the events of a step."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gateway.engine.endings import goes_on, shortest_end
from gateway.engine.errors import (
    ConstraintFailedError,
    DeadlineExceededError,
    EngineFault,
    EngineMemoryError,
    StepFailedError,
    is_out_of_memory,
)
from gateway.engine.histograms import Histogram, observe
from gateway.engine.pooling import to_bytes
from gateway.engine.protocols import Sectioned
from gateway.engine.request import EngineStats, FinishReason, TokenEvent, TokenLogprobs
from gateway.engine.scheduling.scheduler import Scheduler
from gateway.engine.sequence import Sequence, Status

logger = logging.getLogger(__name__)


class OutputCollector:
    """Requests in the engine and their next events: one event for each request.

    Attributes:
        sequences: Those that have not ended, by id.
        brought: Their events that were not taken yet.
        clock: Seconds, as deadlines count them.
        next_deadline: The earliest of all requests, some of which may be over.
    """

    def __init__(
        self, scheduler: Scheduler, stats: EngineStats, eos_token_ids: frozenset[int], vocab_size: int
    ) -> None:
        self._scheduler = scheduler
        self._stats = stats
        self._eos_token_ids = eos_token_ids
        self._num_mask_words = -(-vocab_size // 32)
        self.sequences: dict[str, Sequence] = {}
        self.brought: dict[Sequence, TokenEvent] = {}
        self.clock = time.monotonic
        self.next_deadline = math.inf

    def __iter__(self) -> Iterator[Sequence]:
        """Iterate over requests that have not ended; they may be ended while iterating."""
        return iter(list(self.sequences.values()))

    def begin(self, sequence: Sequence) -> None:
        """Add a request."""
        self.sequences[sequence.request_id] = sequence
        sequence.arrived_at = self.clock()
        if sequence.request.deadline is not None:
            self.next_deadline = min(self.next_deadline, sequence.request.deadline)

    def append(self, sequence: Sequence, token: int, logprobs: TokenLogprobs | None = None) -> bool:
        """Append a token, or end the sequence with it. True if the text goes on, and no loop has changed how."""
        sampling, constraint = sequence.sampling, sequence.constraint
        if logprobs is not None and logprobs.details is not None:
            now, before = self.clock(), sequence.detailed_at or sequence.scheduled_at
            logprobs = replace(logprobs, details=replace(logprobs.details, time_ms=1e3 * (now - before)))
            sequence.detailed_at = now
        if token in self._eos_token_ids and (constraint is not None or not sampling.ignore_eos):
            self.finish(sequence, "stop", ending=logprobs)
            return False
        if token in sampling.stop_token_ids:
            self.finish(sequence, "stop", stop_reason=token, ending=logprobs)
            return False
        try:
            if constraint is not None and not constraint.accept(token):
                raise ConstraintFailedError(f"the constraint refused token {token}, which its mask allowed")
            sequence.token_ids.append(token)
            is_stopped = sequence.stop is not None and sequence.stop.accept(token)
            is_loop = sequence.loop is not None and sequence.loop.accept(token)
            if is_loop and not is_stopped and sequence.num_output >= sampling.min_tokens:
                self._leave_loop(sequence)
            is_spent, is_complete = sequence.tokens_left == 0, False
            if is_spent and constraint is not None:
                is_complete = constraint.is_complete
                if is_complete and sequence.budgeted is not None and not sequence.is_steered:
                    sequence.is_steered = goes_on(constraint, self._eos_token_ids, self._num_mask_words)
        except EngineFault as refusal:
            self.fail(sequence, refusal)
            return False
        except Exception as error:
            fault = ConstraintFailedError(f"the constraint or stop criterion failed on token {token}: {error!r}")
            fault.__cause__ = error
            self.fail(sequence, fault)
            return False
        self._stats.num_output_tokens += 1
        event = self._event(sequence)
        event.token_ids.append(token)
        if logprobs is not None:
            event.logprobs = [*(event.logprobs or ()), logprobs]
        if is_stopped or is_spent or sequence.request.is_step:
            self.finish(sequence, "stop" if is_stopped or is_complete else "length")
            return False
        return not is_loop

    def finish_pooled(self, sequences: Iterable[Sequence]) -> None:
        """End the requests whose prompts were pooled, of those whose prompts were read."""
        for sequence in sequences:
            if sequence.pool is not None and sequence.status is not Status.FINISHED:
                self._event(sequence).pooled = to_bytes(sequence.pool.vector())
                self.finish(sequence, "stop")

    def fail(self, sequence: Sequence, fault: EngineFault) -> None:
        """End a request with its fault."""
        self.finish(sequence, "error", error=fault)

    def fail_late(self) -> None:
        """End the requests whose time is over. Call once the earliest deadline has passed."""
        now = self.clock()
        self.next_deadline = math.inf
        for sequence in self:
            deadline = math.inf if sequence.request.deadline is None else sequence.request.deadline
            if deadline <= now:
                was_waiting = sequence.status is Status.WAITING and sequence.num_output == 0
                self.fail(sequence, DeadlineExceededError(sequence.num_output, was_waiting=was_waiting))
            else:
                self.next_deadline = min(self.next_deadline, deadline)

    def fail_step(self, sequences: Iterable[Sequence], error: Exception) -> None:
        """End every request of a step that could not be computed."""
        kind = EngineMemoryError if is_out_of_memory(error) else StepFailedError
        for sequence in sequences:
            fault = kind(f"the step failed: {error!r}")
            fault.__cause__ = error
            self.fail(sequence, fault)

    def finish(
        self,
        sequence: Sequence,
        reason: FinishReason,
        *,
        stop_reason: int | None = None,
        error: EngineFault | None = None,
        ending: TokenLogprobs | None = None,
    ) -> None:
        """End a request; it gives back what it holds."""
        if sequence.has_looped and error is None and reason != "cancelled":
            reason = "repetition"
        if sequence.request.is_step and reason in ("stop", "length"):
            for each in sequence.ensemble:
                self._scheduler.publish_tail(each)
        self._scheduler.finish(sequence)
        del self.sequences[sequence.request_id]
        self._stats.finished[reason] += 1
        if sequence.budgeted is not None and (short := sequence.budgeted.num_short_masks + sequence.num_short_drafted):
            self._stats.num_short_masks += short
            logger.warning("%s: %d masks took too long, and lacked tokens of several bytes", sequence.request_id, short)
        event = self._event(sequence)
        event.finish_reason, event.stop_reason, event.error = reason, stop_reason, error
        event.ending, event.is_full = ending, sequence.tokens_left <= 0
        event.is_steered = sequence.is_steered and not sequence.has_looped
        sequence.drop_references()

    def take_events(self) -> list[TokenEvent]:
        """Return the events since the last call."""
        brought, self.brought = self.brought, {}
        if brought:
            now, histograms = self.clock(), self._stats.histograms
            for sequence, event in brought.items():
                _observe_event(histograms, sequence, event, now)
        return list(brought.values())

    def _leave_loop(self, sequence: Sequence) -> None:
        """Have a text that has become a loop go on to its end: at once where it is free, else by the shortest way.

        In a section before the answer, such as reasoning, only the section ends.
        """
        constraint = sequence.constraint
        if isinstance(constraint, Sectioned) and constraint.end_section():
            return
        sequence.has_looped, sequence.loop = True, None
        left = sequence.tokens_left
        needed = 0 if constraint is None else shortest_end(constraint, left, self._num_mask_words)
        sequence.max_tokens = sequence.num_output + needed

    def _event(self, sequence: Sequence) -> TokenEvent:
        """Return the next event of this sequence, made if there is none."""
        event = self.brought.get(sequence)
        if event is None:
            event = self.brought[sequence] = TokenEvent(
                sequence.request_id,
                [],
                num_cached_tokens=sequence.num_cached_tokens,
                num_prompt_tokens=sequence.num_prompt_tokens,
                prompt_logprobs=None if sequence.prompt_logprobs is None else sequence.take_prompt_logprobs(),
            )
        return event


def _observe_event(histograms: dict[str, Histogram], sequence: Sequence, event: TokenEvent, now: float) -> None:
    """Count the times of an event, and write those of its request where it is the last.

    queue      arrival to the first step
    prefill    first step to first token, preemptions included
    decode     first token to last token
    inference  first step to last token
    """
    if event.token_ids:
        if sequence.first_token_at:
            observe(histograms, "inter_token_latency_seconds", now - sequence.last_token_at)
        else:
            sequence.first_token_at = now
            observe(histograms, "time_to_first_token_seconds", now - sequence.arrived_at)
        sequence.last_token_at = now
    if event.finish_reason is not None:
        if sequence.first_token_at:
            first, last = sequence.first_token_at, sequence.last_token_at
            event.times = sequence.arrived_at, sequence.scheduled_at, first, last
        _observe_end(histograms, sequence, now)


def _observe_end(histograms: dict[str, Histogram], sequence: Sequence, now: float) -> None:
    first, last, scheduled = sequence.first_token_at, sequence.last_token_at, sequence.scheduled_at
    observe(histograms, "e2e_request_latency_seconds", now - sequence.arrived_at)
    observe(histograms, "request_queue_time_seconds", (scheduled or now) - sequence.arrived_at)
    observe(histograms, "request_prompt_tokens", sequence.num_prompt_tokens)
    observe(histograms, "request_generation_tokens", sequence.num_output)
    observe(histograms, "request_params_max_tokens", sequence.sampling.max_tokens)
    if not first:
        return
    observe(histograms, "request_prefill_time_seconds", first - scheduled)
    observe(histograms, "request_decode_time_seconds", last - first)
    observe(histograms, "request_inference_time_seconds", last - scheduled)
    if sequence.num_output > 1:
        observe(histograms, "request_time_per_output_token_seconds", (last - first) / (sequence.num_output - 1))
