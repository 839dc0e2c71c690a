"""Times of a request, counted in the engine's histograms."""

from __future__ import annotations

from gateway.engine.histograms import Histogram, observe
from gateway.engine.request import TokenEvent
from gateway.engine.sequence import Sequence


def observe_event(histograms: dict[str, Histogram], sequence: Sequence, event: TokenEvent, now: float) -> None:
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
