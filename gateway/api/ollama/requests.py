"""Request bodies. Unknown fields are ignored; `null` means absent.

A field that is listed under *known and not served* is decoded only to be refused by name.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gateway.api.repetition import RepetitionDetection

Think = bool | Literal["low", "medium", "high", "max"]


class FunctionCallIn(Struct):
    """The function of an earlier call."""

    name: str
    arguments: dict[str, Any] | None = None


class ToolCallIn(Struct):
    """A call that the assistant made earlier in the conversation."""

    function: FunctionCallIn
    id: str | None = None


class MessageIn(Struct):
    """A turn of the conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[ToolCallIn] | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None

    # Known and not served.
    images: list[Any] | None = None


class OptionsIn(Struct, kw_only=True):
    """`options`. Those about loading a model are ignored: the server's settings decide."""

    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    typical_p: float | None = None
    seed: int | None = None
    num_predict: int | None = None
    num_ctx: int | None = None
    stop: str | list[str] | None = None
    repeat_penalty: float | None = None
    repeat_last_n: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_detection: RepetitionDetection | None = None

    # Known and not served.
    tfs_z: float | None = None
    mirostat: int | None = None
    penalize_newline: bool | None = None
    vocab_only: bool | None = None
    embedding_only: bool | None = None


class AnswerFields(Struct, kw_only=True):
    """Fields that chats and completions share."""

    model: str
    stream: bool | None = None
    format: str | dict[str, Any] | None = None
    options: OptionsIn | None = None
    think: Think | None = None
    keep_alive: float | str | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None


class ChatBody(AnswerFields, kw_only=True):
    """`POST /api/chat`."""

    messages: list[MessageIn] | None = None
    tools: list[dict[str, Any]] | None = None


class GenerateBody(AnswerFields, kw_only=True):
    """`POST /api/generate`."""

    prompt: str | None = None
    system: str | None = None
    raw: bool | None = None

    # Known and not served.
    suffix: str | None = None
    template: str | None = None
    context: list[int] | None = None
    images: list[Any] | None = None
    width: int | None = None
    height: int | None = None
    steps: int | None = None


class ShowBody(Struct, kw_only=True):
    """`POST /api/show`; `name` is what older clients call the model."""

    model: str | None = None
    name: str | None = None


class PullBody(Struct, kw_only=True):
    """`POST /api/pull`; `name` is what older clients call the model."""

    model: str | None = None
    name: str | None = None
    stream: bool | None = None
    insecure: bool | None = None
