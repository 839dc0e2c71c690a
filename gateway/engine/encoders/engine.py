"""Step loop of an encoder: texts of about one length are computed together."""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.device import choose_device
from gateway.engine.encoders.encoder import Encoder
from gateway.engine.encoders.layout import EncoderLayout
from gateway.engine.errors import (
    ContextLengthExceededError,
    DeadlineExceededError,
    DuplicateRequestError,
    EngineFault,
    EngineMemoryError,
    InvalidEngineConfigError,
    InvalidSamplingError,
    NonFiniteLogitsError,
    StepFailedError,
    is_out_of_memory,
)
from gateway.engine.histograms import BOUNDS, observe
from gateway.engine.pooling import to_bytes
from gateway.engine.request import EngineStats, FinishReason, GenerationRequest, Pooling, TokenEvent
from gateway.engine.scheduling.waiting_queue import PROMPT_WEIGHT, ThroughputEstimate, TokenCounters, WaitingQueue
from gateway.engine.sequence import Sequence

logger = logging.getLogger(__name__)

MAX_FAILED_STEPS = 3
"""In a row: then no request will be served any more."""


class EncoderEngine:
    """Engine of an encoder; used as `Engine` is. Each request with `pooling` gets one event, with its vector.

    A step takes the text that is next (by priority, then by tokens computed for its tenant, then by arrival) and those
    of its priority nearest to its length, up to `max_batch_tokens` with padding. A longer text is computed alone.

    Attributes:
        is_broken: Step after step has failed: only a new process helps.
    """

    def __init__(self, folder: str, config: EngineConfig | None = None, pooling: Pooling | None = None) -> None:
        """Load the encoder of a folder.

        Raises:
            UnsupportedModelError: The model is not computed here.
            InvalidEngineConfigError: A setting does not fit encoders.
        """
        config = config or EngineConfig()
        if config.quantization != "none":
            raise InvalidEngineConfigError("quantization is not supported for encoders")
        if config.sparse_attention_tokens:
            raise InvalidEngineConfigError("sparse_attention_tokens is not supported for encoders: they decode nothing")
        if config.kv_offload_bytes:
            raise InvalidEngineConfigError(
                "kv_offload_bytes is not supported for encoders: they keep no keys and values"
            )
        torch.set_num_threads(config.num_threads or max(torch.get_num_threads() - config.spare_threads, 1))
        device = choose_device(config.device)
        dtype = None if device.type == "cuda" else torch.float32
        if config.dtype != "auto":
            dtype = getattr(torch, config.dtype)
        self._encoder = Encoder(EncoderLayout.read(Path(folder), pooling), device, dtype)
        self.config = config.on(device.type)
        self.max_model_len = min(config.max_model_len or self._encoder.max_tokens, self._encoder.max_tokens)
        self.vocab_size = self._encoder.vocab_size
        self.eos_token_ids: tuple[int, ...] = ()
        self.is_broken = False
        self._num_failed_steps = 0
        self._arrivals = 0
        self._counters = TokenCounters()
        self._queue = WaitingQueue(self._counters)
        self._rate = ThroughputEstimate()
        self._sequences: dict[str, Sequence] = {}
        self._events: list[TokenEvent] = []
        self._stats = EngineStats()

    def add(self, request: GenerationRequest) -> None:
        """Queue a request.

        Raises:
            EngineFault: The leaf says why it was not queued; nothing was changed then.
        """
        if request.request_id in self._sequences:
            raise DuplicateRequestError(f"request {request.request_id!r} is in the engine already")
        if request.pooling is None:
            raise InvalidSamplingError("pooling", "is needed: an encoder writes no tokens")
        if not request.prompt_ids or not all(0 <= token < self.vocab_size for token in request.prompt_ids):
            raise InvalidSamplingError("prompt_ids", "must be at least one token that the model knows")
        if len(request.prompt_ids) > self.max_model_len:
            raise ContextLengthExceededError(len(request.prompt_ids), self.max_model_len)
        if request.deadline is not None and request.deadline <= time.monotonic():
            raise DeadlineExceededError(0, was_waiting=True)
        self._queue.check_room(request.tenant, self.config, 1, self.config.max_num_seqs, self._rate)
        if not self._sequences:
            self._rate.begin()
        sequence = Sequence(request, self._arrivals)
        sequence.arrived_at = time.monotonic()
        self._arrivals += 1
        self._sequences[request.request_id] = sequence
        self._counters.enter(sequence.lane)
        self._queue.add(sequence)

    def cancel(self, request_id: str) -> bool:
        """End a request; its event comes with the next step. False if it is not in the engine."""
        sequence = self._sequences.get(request_id)
        if sequence is not None:
            self._queue.remove(sequence)
            self._finish(sequence, "cancelled")
        return sequence is not None

    @property
    def has_work(self) -> bool:
        """True if a step would bring anything."""
        return bool(self._sequences or self._events)

    def step(self) -> list[TokenEvent]:
        """Compute one batch and return its events."""
        self._fail_late()
        batch = self._next_batch()
        if batch:
            self._compute(batch)
        events, self._events = self._events, []
        return events

    def stats(self, histograms: Iterable[str] = BOUNDS) -> EngineStats:
        """Return counters, gauges and the histograms of these names, as a copy."""
        stats = copy.copy(self._stats)
        stats.finished = stats.finished.copy()
        stats.histograms = {name: self._stats.histograms[name].copy() for name in histograms}
        stats.num_waiting = self._queue.num_waiting
        return stats

    def fail_all(self, fault: EngineFault) -> list[TokenEvent]:
        """End every request with the same fault."""
        for sequence in list(self._queue):
            self._queue.remove(sequence)
        for sequence in list(self._sequences.values()):
            self._finish(sequence, "error", error=fault)
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Do nothing: there is no thread to end."""

    def _fail_late(self) -> None:
        now = time.monotonic()
        late = [each for each in self._queue if each.request.deadline is not None and each.request.deadline <= now]
        for sequence in late:
            self._queue.remove(sequence)
            self._finish(sequence, "error", error=DeadlineExceededError(0, was_waiting=True))

    def _next_batch(self) -> list[Sequence]:
        """Take the next texts out of the queue."""
        first = self._queue.first()
        if first is None:
            return []
        length = len(first.token_ids)
        same = [each for each in self._queue if each.lane[0] == first.lane[0] and each is not first]
        same.sort(key=lambda each: (abs(len(each.token_ids) - length), self._queue.rank(each)))
        batch, longest = [first], length
        for sequence in same[: (self._encoder.max_texts or self.config.max_num_seqs) - 1]:
            longest = max(longest, len(sequence.token_ids))
            if longest * (len(batch) + 1) > self.config.max_batch_tokens:
                break
            batch.append(sequence)
        for sequence in batch:
            self._queue.remove(sequence)
            self._counters.charge(sequence.lane, PROMPT_WEIGHT * len(sequence.token_ids))
            sequence.scheduled_at = time.monotonic()
        return batch

    def _compute(self, batch: list[Sequence]) -> None:
        num_tokens = sum(len(sequence.token_ids) for sequence in batch)
        try:
            vectors = self._encoder.compute(batch)
        except Exception as error:
            self._num_failed_steps += 1
            self.is_broken = self._num_failed_steps >= MAX_FAILED_STEPS
            fault = (EngineMemoryError if is_out_of_memory(error) else StepFailedError)(f"the step failed: {error!r}")
            fault.__cause__ = error
            for sequence in batch:
                self._finish(sequence, "error", error=fault)
            return
        self._num_failed_steps = 0
        self._stats.num_steps += 1
        self._stats.num_prompt_tokens += num_tokens
        observe(self._stats.histograms, "iteration_tokens_total", num_tokens)
        for sequence, vector in zip(batch, vectors, strict=True):
            if bool(torch.isfinite(vector).all()):
                self._finish(sequence, "stop", vector=vector)
            else:
                self._finish(sequence, "error", error=NonFiniteLogitsError("the text's vector is not finite"))

    def _finish(
        self,
        sequence: Sequence,
        reason: FinishReason,
        *,
        vector: Tensor | None = None,
        error: EngineFault | None = None,
    ) -> None:
        """End a request that is not in the queue any more."""
        del self._sequences[sequence.request_id]
        self._counters.leave(sequence.lane)
        self._rate.note()
        self._stats.finished[reason] += 1
        now, histograms = time.monotonic(), self._stats.histograms
        observe(histograms, "e2e_request_latency_seconds", now - sequence.arrived_at)
        observe(histograms, "request_queue_time_seconds", (sequence.scheduled_at or now) - sequence.arrived_at)
        observe(histograms, "request_prompt_tokens", sequence.num_prompt_tokens)
        self._events.append(
            TokenEvent(
                sequence.request_id,
                [],
                finish_reason=reason,
                error=error,
                num_prompt_tokens=sequence.num_prompt_tokens,
                pooled=b"" if vector is None else to_bytes(vector),
            )
        )
