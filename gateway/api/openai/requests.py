"""Request bodies. Unknown fields are ignored; `null` means absent.

A field that is listed under *known and not served* is decoded only to be refused by name or reported as
ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from gateway.api.repetition import RepetitionDetection

Schema = dict[str, Any] | str | bool
MAX_ENTRIES = 10_000
"""Most messages, and most parts of one. No setting raises it, so it is checked while decoding."""


class ContentPart(Struct):
    """A part of a message's content."""

    type: str
    text: str | None = None
    refusal: str | None = None
    image_url: Any = None
    cache_control: Any = None


class FunctionCallIn(Struct):
    """The function of an earlier call."""

    name: str
    arguments: str | dict[str, Any] | None = None


class CustomCallIn(Struct):
    """The custom tool of an earlier call."""

    name: str
    input: str = ""


class ToolCallIn(Struct):
    """A call that the assistant made earlier in the conversation."""

    function: FunctionCallIn | None = None
    custom: CustomCallIn | None = None
    id: str | None = None
    type: str | None = None


class MessageIn(Struct):
    """A turn of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | Annotated[list[ContentPart], Meta(max_length=MAX_ENTRIES)] | None = None
    name: str | None = None
    refusal: str | None = None
    function_call: FunctionCallIn | None = None
    tool_calls: list[ToolCallIn] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None

    # Known and not served.
    audio: Any = None
    prefix: bool | None = None


class JsonSchemaFormat(Struct):
    """`response_format.json_schema`."""

    schema: Schema | None = None
    name: str | None = None
    description: str | None = None
    strict: bool | None = None


class GrammarFormat(Struct):
    """A grammar that says what it is."""

    definition: str | None = None
    syntax: str | None = None


class ResponseFormat(Struct):
    """`response_format`; `schema` and `value` beside `json_object` are llama.cpp's and TGI's spelling of a schema.

    `grammar` is a grammar's text, or an object with `definition` and `syntax`, as in OpenAI's custom tools. Beside
    `structural_tag` come `structures` and `triggers`, or `format`.
    """

    type: str
    grammar: str | GrammarFormat | None = None
    json_schema: JsonSchemaFormat | None = None
    schema: Schema | None = None
    value: Schema | None = None
    structures: list[Any] | None = None
    triggers: list[Any] | None = None
    format: Any = None
    id: str | None = None
    strict: bool | None = None


class StructuredOutputs(Struct, forbid_unknown_fields=True):
    """vLLM's `structured_outputs`. There is only one backend, so `disable_fallback` has no effect."""

    json: Schema | None = None
    regex: str | None = None
    choice: list[str] | None = None
    grammar: str | None = None
    json_object: bool | None = None
    structural_tag: Any = None
    id: str | None = None
    whitespace_pattern: str | None = None
    disable_any_whitespace: bool | None = None
    disable_additional_properties: bool | None = None
    disable_fallback: bool | None = None


class TypedGrammar(Struct):
    """TGI's `grammar`."""

    type: str
    value: Schema | None = None


class StreamOptions(Struct):
    """`stream_options`."""

    include_usage: bool | None = None
    continuous_usage_stats: bool | None = None
    include_obfuscation: bool | None = None
    include_fields: bool | None = None


class ConstraintFields(Struct, kw_only=True):
    """A constraint, in the spellings of OpenAI, vLLM, SGLang, llama.cpp and TGI."""

    response_format: ResponseFormat | None = None
    structured_outputs: StructuredOutputs | None = None
    guided_json: Schema | None = None
    guided_regex: str | None = None
    guided_choice: list[str] | None = None
    guided_grammar: str | None = None
    guided_json_object: bool | None = None
    regex: str | None = None
    ebnf: str | None = None
    json_schema: Schema | None = None
    grammar: str | TypedGrammar | None = None


class Guardrails(Struct):
    """`guardrails`: the policy of the request, named as in NeMo Guardrails."""

    config_id: str | None = None


class TermIn(Struct, forbid_unknown_fields=True):
    """`logit_arithmetic.terms.NAME`: a prompt in place of the request's (`system` or `messages` of chats, `prompt` of
    completions), an adapter or another model, or both."""

    system: str | None = None
    messages: Annotated[list[MessageIn], Meta(max_length=MAX_ENTRIES)] | None = None
    prompt: str | list[int] | None = None
    adapter: str | None = None
    model: str | None = None


class ArithmeticIn(Struct, forbid_unknown_fields=True):
    """`logit_arithmetic`: a formula of `base` and named terms."""

    formula: str
    terms: dict[str, TermIn] = {}


class GenerationFields(ConstraintFields, kw_only=True):
    """Fields that chats and completions share."""

    model: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: int | None = None
    n: int | None = None
    best_of: int | None = None
    use_beam_search: bool | None = None
    num_beams: int | None = None
    length_penalty: float | None = None
    early_stopping: bool | Literal["never"] | None = None
    num_beam_groups: int | None = None
    diversity_penalty: float | None = None
    guidance_scale: float | None = None
    negative_prompt: str | None = None
    logit_arithmetic: ArithmeticIn | None = None
    adapt_every_tokens: int | None = None
    adapt_rank: int | None = None
    adapt_learning_rate: float | None = None
    priority: int | None = None
    timeout: float | None = None
    guardrails: Guardrails | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    no_repeat_ngram_size: int | None = None
    repetition_detection: RepetitionDetection | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    stop_token_ids: list[int] | None = None
    include_stop_str_in_output: bool | None = None
    min_tokens: int | None = None
    ignore_eos: bool | None = None
    logit_bias: dict[str, float] | None = None
    allowed_token_ids: list[int] | None = None
    bad_words: list[str] | None = None
    prompt_logprobs: int | None = None
    logprobs_details: bool | None = None
    confidence: bool | None = None
    answer_prefix: str | None = None
    structural_tag: Any = None
    no_stop_trim: bool | None = None
    return_token_ids: bool | None = None

    # Known and not served.
    guided_whitespace_pattern: Any = None
    logits_processors: Any = None
    stop_regex: Any = None
    moderation: Any = None
    logprob_token_ids: list[int] | None = None
    truncate_prompt_tokens: int | None = None
    skip_special_tokens: bool | None = None
    return_tokens_as_token_ids: bool | None = None
    cache_salt: str | None = None
    kv_transfer_params: Any = None
    vllm_xargs: Any = None
    custom_logit_processor: Any = None
    custom_params: Any = None
    logprob_start_len: int | None = None
    top_logprobs_num: int | None = None
    lora_path: Any = None
    session_params: Any = None
    return_hidden_states: bool | None = None


class RetrievalIn(Struct, forbid_unknown_fields=True):
    """`retrieval`: documents that a retriever of the server finds."""

    source: str
    query: str | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 5


class ChatDocumentIn(Struct, forbid_unknown_fields=True):
    """`documents[]`."""

    text: str
    title: str | None = None
    id: str | None = None


class CitationsIn(Struct, forbid_unknown_fields=True):
    """`citations`: whether the answer cites the documents."""

    enabled: bool


Documents = Annotated[list[str | ChatDocumentIn], Meta(max_length=MAX_ENTRIES)]


class ChatCompletionRequest(GenerationFields, kw_only=True):
    """`POST /v1/chat/completions`."""

    messages: Annotated[list[MessageIn], Meta(max_length=MAX_ENTRIES)]
    max_completion_tokens: int | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    documents: Documents | None = None
    citations: CitationsIn | None = None
    retrieval: RetrievalIn | None = None
    reasoning_effort: str | None = None
    thinking_token_budget: int | None = None
    reasoning_budget_message: str | None = None
    include_reasoning: bool | None = None
    continue_final_message: bool | None = None
    add_generation_prompt: bool | None = None
    metadata: dict[str, str] | None = None
    service_tier: str | None = None

    separate_reasoning: bool | None = None

    # Known and not served.
    prediction: Any = None
    prompt_cache_key: str | None = None
    prompt_cache_retention: str | None = None
    store: bool | None = None
    verbosity: str | None = None
    functions: Any = None
    function_call: Any = None
    modalities: list[str] | None = None
    web_search_options: Any = None
    chat_template: Any = None
    echo: bool | None = None
    stream_reasoning: bool | None = None


class WithoutDocuments(GenerationFields, kw_only=True):
    """Fields of requests that are no chats: those that only chats serve are refused by name."""

    documents: Any = None
    citations: Any = None
    retrieval: Any = None


class CompletionBody(WithoutDocuments, kw_only=True):
    """`POST /v1/completions`."""

    prompt: str | list[str | int | list[int]]
    echo: bool | None = None
    logprobs: int | bool | None = None
    suffix: str | None = None

    # Known and not served.
    prompt_embeds: Any = None
