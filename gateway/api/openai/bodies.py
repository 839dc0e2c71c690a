"""Reply bodies, field for field as OpenAI's SDK reads them. UNSET fields are omitted, None is `null`."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from gateway.api.verdict import VerdictField

FINGERPRINT = f"portcullis-{version('portcullis')}"
"""The server's version; TGI's clients do not accept null."""


class PromptTokensDetails(Struct, kw_only=True):
    """Prompt tokens that came from the prefix cache."""

    cached_tokens: int = 0


class CompletionTokensDetails(Struct, kw_only=True):
    """Tokens of the answers that belong to their reasoning."""

    reasoning_tokens: int = 0


class UsageOut(Struct, kw_only=True):
    """`usage`."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptTokensDetails
    completion_tokens_details: CompletionTokensDetails


class TopLogprobOut(Struct, kw_only=True):
    """A candidate token. `removed`, with `logprobs_details`: the constraint forbids it."""

    token: str
    logprob: float
    bytes: list[int]
    removed: bool | UnsetType = UNSET


class TokenLogprobOut(Struct, kw_only=True):
    """The drawn token with its candidates. The fields after them come with `logprobs_details`."""

    token: str
    logprob: float
    bytes: list[int]
    top_logprobs: list[TopLogprobOut]
    forced: bool | UnsetType = UNSET
    drafted: bool | UnsetType = UNSET
    time_ms: float | UnsetType = UNSET
    removed_mass: float | UnsetType = UNSET


class PromptLogprobOut(Struct, kw_only=True):
    """A candidate for a position of the prompt. `rank` is null for a token outside the best."""

    logprob: float
    rank: int | None
    decoded_token: str


PromptLogprobs = list[dict[str, PromptLogprobOut] | None]
"""vLLM's shape: candidates by token id for each token of the prompt; null for the first, which nothing foretold."""


class ChatLogprobs(Struct, kw_only=True):
    """`choices[].logprobs` of a chat."""

    content: list[TokenLogprobOut]
    refusal: None = None


class FunctionOut(Struct, kw_only=True):
    """`tool_calls[].function`."""

    name: str
    arguments: str


class ToolCallOut(Struct, kw_only=True, tag_field="type", tag="function"):
    """`tool_calls[]`."""

    id: str
    function: FunctionOut


class CustomOut(Struct, kw_only=True):
    """`tool_calls[].custom`."""

    name: str
    input: str


class CustomToolCallOut(Struct, kw_only=True, tag_field="type", tag="custom"):
    """`tool_calls[]` of a custom tool."""

    id: str
    custom: CustomOut


class FileCitation(Struct, kw_only=True):
    """The place in a document: `index` counts the request's documents; offsets are characters of its text."""

    file_id: str
    filename: str
    index: int
    quote: str
    start_index: int
    end_index: int


class Annotation(Struct, kw_only=True, tag_field="type", tag="file_citation"):
    """A citation for a part of the content, the text between two offsets, in the form of OpenAI's assistants."""

    text: str
    start_index: int
    end_index: int
    file_citation: FileCitation


class MessageOut(Struct, kw_only=True):
    """`choices[].message`. Reasoning has two names: vLLM's clients read one, DeepSeek's the other."""

    role: Literal["assistant"] = "assistant"
    content: str | None
    refusal: None = None
    tool_calls: list[ToolCallOut | CustomToolCallOut] | UnsetType = UNSET
    reasoning: str | UnsetType = UNSET
    reasoning_content: str | UnsetType = UNSET
    annotations: list[Annotation] | UnsetType = UNSET


class FindingOut(Struct, kw_only=True, omit_defaults=True):
    """Matches of a policy's rule in the prompt (`input`) or in a text of the answer, with the highest probability that
    a judge gave."""

    guard: str
    kind: str
    action: Literal["annotate", "redact", "block", "retry", "forbid"]
    where: Literal["input", "content", "reasoning", "arguments"]
    count: int
    probability: float | None = None


TokenIds = tuple[int, ...] | UnsetType
Guards = list[FindingOut] | UnsetType


class AlternativeOut(Struct, kw_only=True):
    """Other values in the place of this one: one, or several that their tokens do not distinguish."""

    values: list[Any]
    probability: float


class ConfidenceOut(Struct, kw_only=True):
    """Confidence in one value of the text, or of the arguments of the call with index `tool_call`."""

    path: str
    tool_call: int | UnsetType = UNSET
    logprob: float
    mean_logprob: float
    num_tokens: int
    num_forced: int
    alternative: AlternativeOut | UnsetType = UNSET


Confidence = list[ConfidenceOut] | UnsetType


class FieldOut(Struct, kw_only=True):
    """A complete value inside JSON: of the text, or of the arguments of the call with index `tool_call`."""

    path: str
    tool_call: int | UnsetType = UNSET
    value: Any


Fields = list[FieldOut] | UnsetType


class ChatChoice(Struct, kw_only=True):
    """`choices[]` of a chat.

    Four fields are not OpenAI's: `budget_steered`, with the reason `length`: the answer is whole and valid, and shorter
    than the model would have made it; `verified_by`, how an answer under a grammar or in tags was verified (`earley`,
    `pieces` or `matcher`), `guards`, what a policy found, and `confidence`, where it is asked for.
    """

    index: int
    message: MessageOut
    logprobs: ChatLogprobs | None
    finish_reason: str
    stop_reason: int | str | UnsetType = UNSET
    budget_steered: Literal[True] | UnsetType = UNSET
    verified_by: str | UnsetType = UNSET
    guards: Guards = UNSET
    confidence: Confidence = UNSET
    token_ids: TokenIds = UNSET
    prompt_token_ids: TokenIds = UNSET


class ChatCompletion(Struct, kw_only=True):
    """The reply of `POST /v1/chat/completions`."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ChatChoice]
    usage: UsageOut
    verdict: VerdictField = UNSET
    prompt_logprobs: PromptLogprobs | UnsetType = UNSET
    prompt_token_ids: TokenIds = UNSET
    metadata: dict[str, str] | UnsetType = UNSET
    service_tier: Literal["default"] | UnsetType = UNSET
    system_fingerprint: str = FINGERPRINT


class FunctionDelta(Struct, kw_only=True):
    """Part of a call's function."""

    name: str | UnsetType = UNSET
    arguments: str


class CustomDelta(Struct, kw_only=True):
    """Part of a custom tool's call."""

    name: str | UnsetType = UNSET
    input: str


class ToolCallDelta(Struct, kw_only=True):
    """Part of a call; only the first one of an index carries id, type and name."""

    index: int
    id: str | UnsetType = UNSET
    type: Literal["function", "custom"] | UnsetType = UNSET
    function: FunctionDelta | UnsetType = UNSET
    custom: CustomDelta | UnsetType = UNSET


class DeltaOut(Struct, kw_only=True):
    """`choices[].delta`."""

    role: Literal["assistant"] | UnsetType = UNSET
    content: str | UnsetType | None = UNSET
    annotations: list[Annotation] | UnsetType = UNSET
    tool_calls: list[ToolCallDelta] | UnsetType = UNSET
    reasoning: str | UnsetType = UNSET
    reasoning_content: str | UnsetType = UNSET


class ChatChunkChoice(Struct, kw_only=True):
    """`choices[]` of a chunk."""

    index: int
    delta: DeltaOut
    logprobs: ChatLogprobs | None = None
    finish_reason: str | None = None
    stop_reason: int | str | UnsetType = UNSET
    budget_steered: Literal[True] | UnsetType = UNSET
    verified_by: str | UnsetType = UNSET
    guards: Guards = UNSET
    fields: Fields = UNSET
    confidence: Confidence = UNSET
    token_ids: TokenIds = UNSET
    prompt_token_ids: TokenIds = UNSET


class ChatChunk(Struct, kw_only=True):
    """An event of a streamed chat."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[ChatChunkChoice] = []
    usage: UsageOut | UnsetType | None = UNSET
    verdict: VerdictField = UNSET
    service_tier: Literal["default"] | UnsetType = UNSET
    system_fingerprint: str = FINGERPRINT
    obfuscation: str | UnsetType = UNSET


class TokenDetailsOut(Struct, kw_only=True):
    """`logprobs.details[]` of a completion.

    Attributes:
        removed: The tokens of `top_logprobs` that the constraint forbids.
    """

    forced: bool
    drafted: bool
    time_ms: float
    removed_mass: float
    removed: list[str]


class CompletionLogprobs(Struct, kw_only=True):
    """`choices[].logprobs` of a completion.

    Attributes:
        details: With `logprobs_details`, one per token; null for tokens of the prompt.
    """

    text_offset: list[int]
    token_logprobs: list[float | None]
    tokens: list[str]
    top_logprobs: list[dict[str, float] | None]
    details: list[TokenDetailsOut | None] | UnsetType = UNSET


class CompletionChoice(Struct, kw_only=True):
    """`choices[]` of a completion, streamed or not."""

    index: int
    text: str
    logprobs: CompletionLogprobs | None = None
    finish_reason: str | None = None
    stop_reason: int | str | UnsetType = UNSET
    budget_steered: Literal[True] | UnsetType = UNSET
    verified_by: str | UnsetType = UNSET
    guards: Guards = UNSET
    fields: Fields = UNSET
    confidence: Confidence = UNSET
    token_ids: TokenIds = UNSET
    prompt_token_ids: TokenIds = UNSET
    prompt_logprobs: PromptLogprobs | UnsetType = UNSET


class Completion(Struct, kw_only=True):
    """The reply of `POST /v1/completions`, and one event of its stream."""

    id: str
    object: Literal["text_completion"] = "text_completion"
    created: int
    model: str
    choices: list[CompletionChoice] = []
    usage: UsageOut | UnsetType | None = UNSET
    verdict: VerdictField = UNSET
    system_fingerprint: str = FINGERPRINT
    obfuscation: str | UnsetType = UNSET


class ModelOut(Struct, kw_only=True):
    """`data[]` of `GET /v1/models`."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str
    root: str | None = None
    parent: str | None = None
    max_model_len: int | None = None


class ModelList(Struct, kw_only=True):
    """The reply of `GET /v1/models`."""

    object: Literal["list"] = "list"
    data: list[ModelOut]


class ErrorBody(Struct, kw_only=True):
    """An error."""

    message: str
    type: str
    param: str | None
    code: str | None
    hint: str | UnsetType = UNSET


class ErrorEnvelope(Struct, kw_only=True):
    """The body of an error response, and the last event of a failed stream."""

    error: ErrorBody
