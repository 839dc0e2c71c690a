"""Reply bodies, field for field as Anthropic's SDK reads them. UNSET fields are omitted."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.api.verdict import VerdictField

StopReason = Literal["end_turn", "max_tokens", "stop_sequence", "tool_use", "model_context_window_exceeded", "refusal"]


class Location(Struct, kw_only=True, tag_field="type"):
    """A citation of a document; the last index is the one after what is cited."""

    cited_text: str
    document_index: int
    document_title: str | None
    file_id: None = None


class CharLocation(Location, kw_only=True, tag="char_location"):
    """A citation of characters of a document's text."""

    start_char_index: int
    end_char_index: int


class ContentBlockLocation(Location, kw_only=True, tag="content_block_location"):
    """A citation of blocks of a document."""

    start_block_index: int
    end_block_index: int


class TextBlock(Struct, kw_only=True, tag_field="type", tag="text"):
    """Text of the answer, up to the citations for it."""

    text: str
    citations: list[CharLocation | ContentBlockLocation] | None = None


class ThinkingBlock(Struct, kw_only=True, tag_field="type", tag="thinking"):
    """Reasoning of the model."""

    thinking: str
    signature: str


class ToolUseBlock(Struct, kw_only=True, tag_field="type", tag="tool_use"):
    """A call. `input` is JSON as the model wrote it, digit by digit."""

    id: str
    name: str
    input: Raw


Block = TextBlock | ThinkingBlock | ToolUseBlock


class OutputDetails(Struct, kw_only=True):
    """Output tokens spent on reasoning."""

    thinking_tokens: int = 0


class UsageOut(Struct, kw_only=True):
    """`usage`. Input tokens exclude those from the cache; both together are the prompt."""

    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens_details: OutputDetails
    service_tier: Literal["standard"] = "standard"


class DeltaUsageOut(Struct, kw_only=True):
    """`usage` at the end of a stream: totals, replacing those at its beginning."""

    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens_details: OutputDetails


class Message(Struct, kw_only=True):
    """The reply of `POST /v1/messages`."""

    id: str
    type: Literal["message"] = "message"
    role: Literal["assistant"] = "assistant"
    model: str
    content: list[Block]
    stop_reason: StopReason | None
    stop_sequence: str | None = None
    budget_steered: Literal[True] | UnsetType = UNSET
    usage: UsageOut
    verdict: VerdictField = UNSET


class MessageStart(Struct, kw_only=True):
    """The first event: a message without content."""

    type: Literal["message_start"] = "message_start"
    message: Message


class BlockStart(Struct, kw_only=True):
    """A block begins, empty."""

    type: Literal["content_block_start"] = "content_block_start"
    index: int
    content_block: Block


class TextDeltaOut(Struct, kw_only=True):
    """More text."""

    type: Literal["text_delta"] = "text_delta"
    text: str


class ThinkingDeltaOut(Struct, kw_only=True):
    """More reasoning."""

    type: Literal["thinking_delta"] = "thinking_delta"
    thinking: str


class SignatureDeltaOut(Struct, kw_only=True):
    """The signature of the block that ends."""

    type: Literal["signature_delta"] = "signature_delta"
    signature: str


class InputDeltaOut(Struct, kw_only=True):
    """More of the text of a call's input."""

    type: Literal["input_json_delta"] = "input_json_delta"
    partial_json: str


class CitationDeltaOut(Struct, kw_only=True):
    """A citation for the block."""

    type: Literal["citations_delta"] = "citations_delta"
    citation: CharLocation | ContentBlockLocation


class BlockDelta(Struct, kw_only=True):
    """More of the block that is open."""

    type: Literal["content_block_delta"] = "content_block_delta"
    index: int
    delta: TextDeltaOut | ThinkingDeltaOut | SignatureDeltaOut | InputDeltaOut | CitationDeltaOut


class BlockStop(Struct, kw_only=True):
    """The block is complete."""

    type: Literal["content_block_stop"] = "content_block_stop"
    index: int


BlockEvent = BlockStart | BlockDelta | BlockStop


class StopOut(Struct, kw_only=True):
    """Reason why the message ends.

    `budget_steered` is not Anthropic's: the answer is whole and valid, and shorter than the model would have made it.
    """

    stop_reason: StopReason
    stop_sequence: str | None = None
    budget_steered: Literal[True] | UnsetType = UNSET


class MessageDelta(Struct, kw_only=True):
    """Stop reason and usage at the end of a message."""

    type: Literal["message_delta"] = "message_delta"
    delta: StopOut
    usage: DeltaUsageOut
    verdict: VerdictField = UNSET


class MessageStop(Struct, kw_only=True):
    """The last event."""

    type: Literal["message_stop"] = "message_stop"


class Ping(Struct, kw_only=True):
    """Nothing happened; the connection is alive."""

    type: Literal["ping"] = "ping"


class TokenCount(Struct, kw_only=True):
    """The reply of `POST /v1/messages/count_tokens`."""

    input_tokens: int


class ErrorDetails(Struct, kw_only=True):
    """A code that clients act on."""

    error_code: str


class ErrorBody(Struct, kw_only=True):
    """An error."""

    type: str
    message: str
    details: ErrorDetails | UnsetType = UNSET


class ErrorEnvelope(Struct, kw_only=True):
    """The body of an error response, and the last event of a failed stream."""

    type: Literal["error"] = "error"
    error: ErrorBody
    request_id: str | UnsetType = UNSET


class Support(Struct, kw_only=True):
    """A capability: supported or not."""

    supported: bool


class EffortSupport(Support, kw_only=True):
    """Levels of effort."""

    low: Support
    medium: Support
    high: Support
    xhigh: Support
    max: Support


class ThinkingTypes(Struct, kw_only=True):
    """Values of `thinking.type` that are served."""

    adaptive: Support
    between_tools: Support
    disabled: Support
    enabled: Support


class ThinkingSupport(Support, kw_only=True):
    """Thinking, and how it can be asked for."""

    types: ThinkingTypes


class ContextSupport(Support, kw_only=True):
    """Ways to edit the context on the server."""

    clear_thinking_20251015: Support | None = None
    clear_tool_uses_20250919: Support | None = None
    compact_20260112: Support | None = None


class ServerToolsSupport(Support, kw_only=True):
    """Tools that run on the server."""

    code_execution: Support
    web_search: Support


class Capabilities(Struct, kw_only=True):
    """Capabilities of the model."""

    batch: Support
    citations: Support
    code_execution: Support
    context_management: ContextSupport
    effort: EffortSupport
    image_input: Support
    pdf_input: Support
    server_tools: ServerToolsSupport
    structured_outputs: Support
    thinking: ThinkingSupport


class ModelInfo(Struct, kw_only=True):
    """`data[]` of `GET /v1/models`."""

    id: str
    type: Literal["model"] = "model"
    display_name: str
    created_at: str
    lifecycle: Literal["active"] = "active"
    deprecated_at: None = None
    retires_at: None = None
    line: None = None
    max_input_tokens: int
    max_tokens: int
    capabilities: Capabilities


class ModelPage(Struct, kw_only=True):
    """The reply of `GET /v1/models`."""

    data: list[ModelInfo]
    has_more: bool
    first_id: str | None
    last_id: str | None
