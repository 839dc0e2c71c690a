"""Reply bodies and lines of streams, field for field as Ollama's clients read them."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.api.verdict import VerdictField


class FunctionOut(Struct, kw_only=True):
    """`tool_calls[].function`. `arguments` is JSON as the model wrote it, digit by digit, on one line."""

    index: int
    name: str
    arguments: Raw


class ToolCallOut(Struct, kw_only=True):
    """`message.tool_calls[]`."""

    id: str
    function: FunctionOut


class MessageOut(Struct, kw_only=True):
    """`message`: in a stream, its new part."""

    role: Literal["assistant"] = "assistant"
    content: str
    thinking: str | UnsetType = UNSET
    tool_calls: list[ToolCallOut] | UnsetType = UNSET


class TopLogprobOut(Struct, kw_only=True):
    """A candidate token."""

    token: str
    logprob: float
    bytes: list[int]


class LogprobOut(TopLogprobOut, kw_only=True):
    """The drawn token with its candidates."""

    top_logprobs: list[TopLogprobOut] | UnsetType = UNSET


class Figures(Struct, kw_only=True):
    """Final figures of an answer. Durations are in nanoseconds."""

    done_reason: Literal["stop", "length", "load", "unload", "content_filter", "repetition"] | UnsetType = UNSET
    budget_steered: Literal[True] | UnsetType = UNSET
    total_duration: int | UnsetType = UNSET
    load_duration: int | UnsetType = UNSET
    prompt_eval_count: int | UnsetType = UNSET
    prompt_eval_duration: int | UnsetType = UNSET
    eval_count: int | UnsetType = UNSET
    eval_duration: int | UnsetType = UNSET
    verdict: VerdictField = UNSET


class ChatReply(Figures, kw_only=True):
    """The reply of `POST /api/chat`, or one line of it."""

    model: str
    created_at: str
    message: MessageOut
    logprobs: list[LogprobOut] | UnsetType = UNSET
    done: bool


class GenerateReply(Figures, kw_only=True):
    """The reply of `POST /api/generate`, or one line of it."""

    model: str
    created_at: str
    response: str
    thinking: str | UnsetType = UNSET
    logprobs: list[LogprobOut] | UnsetType = UNSET
    done: bool


class Details(Struct, kw_only=True):
    """`details` of a model."""

    parent_model: str = ""
    format: str = "safetensors"
    family: str
    families: list[str]
    parameter_size: str
    quantization_level: str


class ListedModel(Struct, kw_only=True):
    """`models[]` of `GET /api/tags`."""

    name: str
    model: str
    modified_at: str
    size: int
    digest: str
    details: Details


class ModelTags(Struct, kw_only=True):
    """The reply of `GET /api/tags`."""

    models: list[ListedModel]


class RunningModel(Struct, kw_only=True):
    """`models[]` of `GET /api/ps`, without `size_vram`: where the weights are, the engine's process alone knows."""

    name: str
    model: str
    size: int
    digest: str
    details: Details
    expires_at: str
    context_length: int


class RunningModels(Struct, kw_only=True):
    """The reply of `GET /api/ps`."""

    models: list[RunningModel]


class ModelSheet(Struct, kw_only=True):
    """The reply of `POST /api/show`."""

    modelfile: str
    template: str
    details: Details
    model_info: dict[str, str | int]
    capabilities: list[str]
    modified_at: str


class PullStep(Struct, kw_only=True):
    """A line of the reply of `POST /api/pull`."""

    status: str
    digest: str | UnsetType = UNSET
    total: int | UnsetType = UNSET
    completed: int | UnsetType = UNSET


class Version(Struct, kw_only=True):
    """The reply of `GET /api/version`."""

    version: str
