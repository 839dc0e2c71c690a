"""Reply bodies, field for field as TGI's clients read them. UNSET fields are omitted, None is `null`."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from gateway.api.verdict import VerdictField

FinishReason = Literal["length", "eos_token", "stop_sequence"]


class Token(Struct, kw_only=True):
    """A token of an answer. `logprob` is the model's own, before penalties, mask and temperature."""

    id: int
    text: str
    logprob: float
    special: bool


class PrefillToken(Struct, kw_only=True):
    """A token of the prompt; the first has no probability."""

    id: int
    text: str
    logprob: float | None


class BestOfSequence(Struct, kw_only=True):
    """An answer beside the likeliest."""

    generated_text: str
    finish_reason: FinishReason
    generated_tokens: int
    seed: int | None
    prefill: list[PrefillToken]
    tokens: list[Token]
    top_tokens: list[list[Token]] | UnsetType = UNSET
    budget_steered: Literal[True] | UnsetType = UNSET


class Details(Struct, kw_only=True):
    """`details` of a whole answer."""

    finish_reason: FinishReason
    generated_tokens: int
    seed: int | None
    prefill: list[PrefillToken]
    tokens: list[Token]
    top_tokens: list[list[Token]] | UnsetType = UNSET
    best_of_sequences: list[BestOfSequence] | UnsetType = UNSET
    budget_steered: Literal[True] | UnsetType = UNSET


class GenerateReply(Struct, kw_only=True):
    """The reply of `POST /generate`; `POST /` sends a list of one."""

    generated_text: str
    details: Details | UnsetType = UNSET
    verdict: VerdictField = UNSET


class StreamDetails(Struct, kw_only=True):
    """`details` of the last event."""

    finish_reason: FinishReason
    generated_tokens: int
    seed: int | None
    input_length: int
    budget_steered: Literal[True] | UnsetType = UNSET


class StreamEvent(Struct, kw_only=True):
    """One token; the last event also carries the whole text."""

    index: int
    token: Token
    generated_text: str | None = None
    details: StreamDetails | None = None
    top_tokens: list[Token] | UnsetType = UNSET
    verdict: VerdictField = UNSET


class SentEvent(Struct, kw_only=True):
    """A server-sent event, as OpenAPI describes one; its `data` is a `StreamEvent`, or a `TgiError`, as JSON."""

    data: str


class Info(Struct, kw_only=True):
    """The reply of `GET /info`."""

    model_id: str
    model_sha: str | None
    model_pipeline_tag: str
    max_concurrent_requests: int
    max_best_of: int
    max_stop_sequences: int
    max_input_tokens: int
    max_total_tokens: int
    validation_workers: int
    max_client_batch_size: int
    router: str
    version: str
    sha: str | None
    docker_label: str | None


class TgiError(Struct, kw_only=True):
    """The body of an error response, and the last event of a failed stream."""

    error: str
    error_type: str
