"""Request bodies. Unknown fields are ignored; `null` means absent.

A field that is listed under *known and not served* is decoded only to be refused by name or reported as
ignored; so is `cache_control`: every prefix of a prompt is cached.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class TextIn(Struct):
    """A block of a system prompt or of a tool's result: text, or in a result an image, or the name of a tool that was
    searched for (`tool_reference`)."""

    type: str
    text: str | None = None
    tool_name: str | None = None
    source: Any = None
    cache_control: Any = None


class SourceIn(Struct):
    """`source` of a document: plain text, or content in blocks."""

    type: str
    media_type: str | None = None
    data: str | None = None
    content: str | list[TextIn] | None = None


class BlockIn(Struct):
    """A block of a message's content; its type decides which fields it has."""

    type: str
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    content: str | list[TextIn] | None = None
    is_error: bool | None = None
    thinking: str | None = None
    source: Any = None
    title: str | None = None
    context: str | None = None
    citations: Any = None
    cache_control: Any = None


class MessageIn(Struct):
    """A turn of the conversation, or part of one."""

    role: Literal["user", "assistant", "system"]
    content: str | list[BlockIn]


class ToolIn(Struct):
    """A tool. Those without `type`, or of type `custom`, are the client's own; all others are Anthropic's."""

    name: str | None = None
    type: str | None = None
    description: str | None = None
    input_schema: dict[str, Any] | None = None
    strict: bool | None = None
    input_examples: list[dict[str, Any]] | None = None
    cache_control: Any = None

    defer_loading: bool | None = None

    # Known and not served.
    allowed_callers: list[str] | None = None


class ToolChoiceIn(Struct):
    """`tool_choice`."""

    type: str
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class FormatIn(Struct):
    """`output_config.format`."""

    type: str
    schema: dict[str, Any] | bool | str | None = None


class OutputConfigIn(Struct):
    """`output_config`."""

    format: FormatIn | None = None
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None


class ThinkingIn(Struct):
    """`thinking`."""

    type: str
    budget_tokens: int | None = None
    budget_message: str | None = None
    display: Literal["summarized", "omitted"] | None = None


class MetadataIn(Struct):
    """`metadata`; nothing is done with it."""

    user_id: str | None = None


class PromptFields(Struct, kw_only=True):
    """Fields that make the prompt: `POST /v1/messages/count_tokens`, and most of `POST /v1/messages`."""

    model: str
    messages: list[MessageIn]
    system: str | list[TextIn] | None = None
    tools: list[ToolIn] | None = None
    tool_choice: ToolChoiceIn | None = None
    thinking: ThinkingIn | None = None
    output_config: OutputConfigIn | None = None
    output_format: FormatIn | None = None
    cache_control: Any = None

    # Known and not served.
    speed: str | None = None
    mcp_servers: list[Any] | None = None
    context_management: dict[str, Any] | None = None
    thread: Any = None


class MessagesBody(PromptFields, kw_only=True):
    """`POST /v1/messages`. `seed` is not Anthropic's: the same seed gives the same answer."""

    max_tokens: int
    stream: bool | None = None
    stop_sequences: list[str] | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    metadata: MetadataIn | None = None
    service_tier: Literal["auto", "standard_only"] | None = None

    # Known and not served.
    container: Any = None
    diagnostics: dict[str, Any] | None = None
    inference_geo: str | None = None
