"""Request bodies of Responses. Unknown fields are ignored; `null` means absent."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from gateway.api.openai.requests import GrammarFormat, Schema, WithoutDocuments


class PartIn(Struct):
    """A part of a message, of a tool's output, or of reasoning."""

    type: str
    text: str | None = None
    refusal: str | None = None
    image_url: Any = None
    detail: str | None = None
    file_id: str | None = None


class ItemIn(Struct):
    """An item of `input`. `type` decides which fields count; without it the item is a message."""

    type: str | None = None
    id: str | None = None
    status: str | None = None
    role: str | None = None
    content: str | list[PartIn] | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | dict[str, Any] | None = None
    execution: str | None = None
    tools: list[dict[str, Any]] | None = None
    input: str | None = None
    output: str | list[PartIn] | None = None
    summary: list[PartIn] | None = None


class TextFormat(Struct):
    """`text.format`: OpenAI's flat form, and the spellings of a pattern or a grammar that chats take."""

    type: str
    name: str | None = None
    description: str | None = None
    schema: Schema | None = None
    strict: bool | None = None
    value: Schema | None = None
    pattern: str | None = None
    grammar: str | GrammarFormat | None = None
    definition: str | None = None
    syntax: str | None = None

    # Known and not served.
    json_schema: Any = None


class TextConfig(Struct):
    """`text`."""

    format: TextFormat | None = None
    verbosity: str | None = None


class ReasoningConfig(Struct):
    """`reasoning`."""

    effort: str | None = None
    summary: str | None = None
    generate_summary: str | None = None
    max_tokens: int | None = None
    budget_message: str | None = None


class InputFields(WithoutDocuments, kw_only=True):
    """Fields that `POST /v1/responses` and its token count share."""

    input: str | list[ItemIn] | None = None
    instructions: str | None = None
    text: TextConfig | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    previous_response_id: str | None = None
    reasoning: ReasoningConfig | None = None
    truncation: str | None = None
    chat_template_kwargs: dict[str, Any] | None = None

    # Known and not served.
    messages: Any = None
    conversation: Any = None
    prompt: Any = None


class ResponseBody(InputFields, kw_only=True):
    """`POST /v1/responses`."""

    max_output_tokens: int | None = None
    max_tool_calls: int | None = None
    top_logprobs: int | None = None
    include: list[str] | None = None
    metadata: dict[str, str] | None = None
    store: bool | None = None
    user: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None
    service_tier: str | None = None

    # Known and not served.
    background: bool | None = None
    client_metadata: Any = None
    context_management: Any = None


class InputTokensBody(InputFields, kw_only=True):
    """`POST /v1/responses/input_tokens`."""
