"""The bodies that go back, field for field as OpenAI's SDK reads them. UNSET fields are left out, None is `null`."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field


class Unset(Struct, kw_only=True):
    """Base of all: fields in the order of their definition, by keyword."""


class PromptTokensDetails(Unset):
    """Prompt tokens that came from the prefix cache."""

    cached_tokens: int = 0


class UsageOut(Unset):
    """`usage`."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptTokensDetails


class TopLogprobOut(Unset):
    """One candidate."""

    token: str
    logprob: float
    bytes: list[int]


class TokenLogprobOut(TopLogprobOut):
    """The drawn token with its candidates."""

    top_logprobs: list[TopLogprobOut]


class ChatLogprobs(Unset):
    """`choices[].logprobs` of a chat."""

    content: list[TokenLogprobOut]
    refusal: None = None


class FunctionOut(Unset):
    """`tool_calls[].function`."""

    name: str
    arguments: str


class ToolCallOut(Unset):
    """`tool_calls[]`."""

    id: str
    type: Literal["function"] = "function"
    function: FunctionOut


class MessageOut(Unset):
    """`choices[].message`."""

    role: Literal["assistant"] = "assistant"
    content: str | None
    refusal: None = None
    tool_calls: list[ToolCallOut] | UnsetType = UNSET


class ChatChoice(Unset):
    """`choices[]` of a chat."""

    index: int
    message: MessageOut
    logprobs: ChatLogprobs | None
    finish_reason: str
    stop_reason: int | str | UnsetType = UNSET


class ChatCompletion(Unset):
    """The reply of `POST /v1/chat/completions`."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ChatChoice]
    usage: UsageOut
    system_fingerprint: None = None


class FunctionDelta(Unset):
    """Part of a call's function."""

    name: str | UnsetType = UNSET
    arguments: str


class ToolCallDelta(Unset):
    """Part of a call; only the first one of an index carries id, type and name."""

    index: int
    id: str | UnsetType = UNSET
    type: Literal["function"] | UnsetType = UNSET
    function: FunctionDelta


class DeltaOut(Unset):
    """`choices[].delta`."""

    role: Literal["assistant"] | UnsetType = UNSET
    content: str | None | UnsetType = UNSET
    tool_calls: list[ToolCallDelta] | UnsetType = UNSET


class ChatChunkChoice(Unset):
    """`choices[]` of a chunk."""

    index: int
    delta: DeltaOut
    logprobs: ChatLogprobs | None = None
    finish_reason: str | None = None
    stop_reason: int | str | UnsetType = UNSET


class ChatChunk(Unset):
    """One event of a streamed chat."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[ChatChunkChoice]
    usage: UsageOut | None | UnsetType = UNSET
    system_fingerprint: None = None


class CompletionLogprobs(Unset):
    """`choices[].logprobs` of a completion."""

    text_offset: list[int]
    token_logprobs: list[float | None]
    tokens: list[str]
    top_logprobs: list[dict[str, float] | None]


class CompletionChoice(Unset):
    """`choices[]` of a completion, streamed or not."""

    index: int
    text: str
    logprobs: CompletionLogprobs | None = None
    finish_reason: str | None = None
    stop_reason: int | str | UnsetType = UNSET


class Completion(Unset):
    """The reply of `POST /v1/completions`, and one event of its stream."""

    id: str
    object: Literal["text_completion"] = "text_completion"
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: UsageOut | None | UnsetType = UNSET
    system_fingerprint: None = None


class ModelOut(Unset):
    """`data[]` of `GET /v1/models`."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str
    root: str | None = None
    max_model_len: int | None = None


class ModelList(Unset):
    """The reply of `GET /v1/models`."""

    object: Literal["list"] = "list"
    data: list[ModelOut]


class ErrorBody(Unset):
    """What went wrong."""

    message: str
    type: str
    param: str | None
    code: str | None
    hint: str | UnsetType = UNSET


class ErrorEnvelope(Unset):
    """The body of every failure, and the last event of a stream that failed."""

    error: ErrorBody = field()
