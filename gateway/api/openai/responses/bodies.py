"""Reply bodies, field for field as OpenAI's SDK reads them. UNSET fields are omitted, None is `null`."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from gateway.api.openai.bodies import Confidence, Guards, TokenLogprobOut
from gateway.api.verdict import VerdictField

ItemStatus = Literal["in_progress", "completed", "incomplete"]
ResponseStatus = Literal["in_progress", "completed", "incomplete", "failed"]


class OutputText(Struct, kw_only=True, tag_field="type", tag="output_text"):
    """Text of the answer."""

    text: str
    annotations: list[dict[str, Any]] = []
    logprobs: list[TokenLogprobOut] = []


class ReasoningText(Struct, kw_only=True, tag_field="type", tag="reasoning_text"):
    """Text of the reasoning."""

    text: str


class MessageItem(Struct, kw_only=True, tag_field="type", tag="message"):
    """Text of the answer."""

    id: str
    status: ItemStatus
    role: Literal["assistant"] = "assistant"
    content: list[OutputText]


class ReasoningItem(Struct, kw_only=True, tag_field="type", tag="reasoning"):
    """Reasoning before the answer. It is returned in full, so it has no summary."""

    id: str
    status: ItemStatus
    summary: list[dict[str, Any]] = []
    content: list[ReasoningText]


class _Call(Struct, kw_only=True):
    id: str
    call_id: str
    name: str
    namespace: str | UnsetType = UNSET


class FunctionCallItem(_Call, kw_only=True, tag_field="type", tag="function_call"):
    """A call of a function."""

    arguments: str
    status: ItemStatus


class CustomCallItem(_Call, kw_only=True, tag_field="type", tag="custom_tool_call"):
    """A call of a custom tool. OpenAI's has a status where it is listed alone."""

    input: str


class SearchCallItem(Struct, kw_only=True, tag_field="type", tag="tool_search_call"):
    """A search for tools, for the client to execute."""

    id: str
    call_id: str
    execution: Literal["client"] = "client"
    arguments: dict[str, Any]
    status: ItemStatus


OutputItem = MessageItem | ReasoningItem | FunctionCallItem | CustomCallItem | SearchCallItem


class InputTokensDetails(Struct, kw_only=True):
    """Prompt tokens from the prefix cache. Writes are free and not counted."""

    cached_tokens: int
    cache_write_tokens: int = 0


class OutputTokensDetails(Struct, kw_only=True):
    """Tokens of the answer that were thought, not said."""

    reasoning_tokens: int


class ResponseUsage(Struct, kw_only=True):
    """`usage`."""

    input_tokens: int
    input_tokens_details: InputTokensDetails
    output_tokens: int
    output_tokens_details: OutputTokensDetails
    total_tokens: int


class IncompleteDetails(Struct, kw_only=True):
    """Reason why a response is incomplete.

    `budget_steered` is not OpenAI's: the answer is whole and valid, and shorter than the model would have made it.
    """

    reason: Literal["max_output_tokens", "content_filter"]
    budget_steered: Literal[True] | UnsetType = UNSET


class ResponseFailure(Struct, kw_only=True):
    """`error` of a failed response. OpenAI has few codes; the message begins with ours."""

    code: Literal["server_error", "rate_limit_exceeded", "invalid_prompt"]
    message: str


class ReasoningEcho(Struct, kw_only=True):
    """`reasoning` as it was asked for."""

    effort: str | None = None
    summary: str | None = None


class TextEcho(Struct, kw_only=True):
    """`text` as it was asked for."""

    format: dict[str, Any]
    verbosity: str = "medium"


class ResponseOut(Struct, kw_only=True):
    """The reply of `POST /v1/responses`, also in its first and last events.

    Four fields are not OpenAI's: `verified_by`, how an answer under a grammar or in tags was verified (`earley`,
    `pieces` or `matcher`), `guards`, what a policy found, and `confidence` and `verdict`, where they are asked for.
    """

    id: str
    object: Literal["response"] = "response"
    created_at: int
    status: ResponseStatus
    background: bool = False
    completed_at: int | None = None
    error: ResponseFailure | None = None
    incomplete_details: IncompleteDetails | None = None
    instructions: str | list[dict[str, Any]] | None
    max_output_tokens: int | None
    max_tool_calls: int | None
    model: str
    output: list[OutputItem] = []
    parallel_tool_calls: bool
    previous_response_id: str | None
    prompt_cache_key: str | None
    reasoning: ReasoningEcho
    safety_identifier: str | None
    service_tier: str | None
    store: bool
    temperature: float
    text: TextEcho
    tool_choice: str | dict[str, Any]
    tools: list[dict[str, Any]]
    top_logprobs: int
    top_p: float
    truncation: str
    usage: ResponseUsage | None = None
    verdict: VerdictField = UNSET
    user: str | None
    metadata: dict[str, str]
    verified_by: str | UnsetType = UNSET
    guards: Guards = UNSET
    confidence: Confidence = UNSET


class DeletedResponse(Struct, kw_only=True):
    """The reply of `DELETE /v1/responses/{id}`."""

    id: str
    object: Literal["response"] = "response"
    deleted: Literal[True] = True


class ItemList(Struct, kw_only=True):
    """The reply of `GET /v1/responses/{id}/input_items`: items in the form of `input`, with ids."""

    object: Literal["list"] = "list"
    data: list[dict[str, Any]]
    first_id: str
    last_id: str
    has_more: bool


class InputTokens(Struct, kw_only=True):
    """The reply of `POST /v1/responses/input_tokens`."""

    object: Literal["response.input_tokens"] = "response.input_tokens"
    input_tokens: int
