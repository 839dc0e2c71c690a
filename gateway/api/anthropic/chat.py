"""Bodies of `POST /v1/messages` as the gateway's requests: tools, thinking, constraints, sampling."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

from gateway.api import tools as declarations
from gateway.api.anthropic.documents import cites
from gateway.api.anthropic.messages import found_tools, template_messages
from gateway.api.anthropic.requests import FormatIn, MessagesBody, PromptFields, ThinkingIn, ToolChoiceIn, ToolIn
from gateway.api.final_message import continuing_last
from gateway.api.http.decode import read_json
from gateway.core.constraints import JsonConstraint
from gateway.core.ignored_fields import ignore_field, note_ignored
from gateway.core.request import ChatRequest, Options, ReasoningOptions, Sampling
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.choice import ToolChoice
from tools.tool import Tool
from tools.toolset import ToolSet

_WORDS = {"auto": "auto", "any": "required", "none": "none"}


def tools_of(body: PromptFields) -> tuple[ToolSet | None, ToolChoice | None]:
    """Return the declared tools and the tool choice; both None without tools.

    Raises:
        InvalidRequestError: A declaration or the choice does not hold; says where.
        UnsupportedParameterError: A tool whose shape only Anthropic's models know, or a call that no tool is left for.
    """
    parallel = not (body.tool_choice and body.tool_choice.disable_parallel_tool_use)
    read = partial(_read, loaded=_loaded_tools(body))
    return declarations.tools_of(body.tools, _choice(body.tool_choice), parallel, read)


def _loaded_tools(body: PromptFields) -> Collection[str | None] | None:
    """Return the names of the tools that the model is shown: of deferred ones those that the client's search has found.

    None for all: where Anthropic's servers would search, which is not served here, or nothing else could be called.
    """
    tools = body.tools or ()
    is_searched = not any((tool.type or "").startswith("tool_search_tool") for tool in tools)
    return (
        (found_tools(body.messages) | {tool.name for tool in tools if not tool.defer_loading}) if is_searched else None
    )


def _read(tool: ToolIn, place: str, loaded: Collection[str | None] | None) -> list[Tool]:
    """Return the tool; none if it is deferred. Examples of inputs go into the schema, where the model reads them."""
    if declarations.is_hosted(tool.type, place):
        return []
    if tool.type not in (None, "custom"):
        raise UnsupportedParameterError(f"{place}: tools of type '{tool.type[:100]}' are not served", param=place)
    if not loaded and tool.defer_loading:
        ignore_field(f"{place}.defer_loading")
    if loaded and tool.name not in loaded:
        return []
    if tool.allowed_callers not in (None, ["direct"]):
        raise UnsupportedParameterError(
            f"{place}.allowed_callers: only 'direct' is served", param=f"{place}.allowed_callers"
        )
    if tool.cache_control is not None:
        note_ignored("cache_control")
    if tool.input_schema is None:
        raise InvalidRequestError(f"the field {place}.input_schema is missing", param=f"{place}.input_schema")
    schema = {**tool.input_schema, "examples": tool.input_examples} if tool.input_examples else tool.input_schema
    function = {"name": tool.name, "description": tool.description, "parameters": schema, "strict": tool.strict}
    return [Tool.from_openai({"type": "function", "function": function}, place)]


def _choice(given: ToolChoiceIn | None) -> str | dict[str, Any] | None:
    """Return the choice in OpenAI's form."""
    if given is None:
        return None
    if given.type in _WORDS:
        return _WORDS[given.type]
    if given.type != "tool":
        raise InvalidRequestError(
            f"tool_choice.type must be auto, any, tool or none, not '{given.type[:100]}'", param="tool_choice.type"
        )
    return {"type": "function", "function": {"name": given.name}}


def reasoning_of(body: PromptFields, max_tokens: int | None) -> ReasoningOptions:
    """Return the reasoning options of a body.

    Raises:
        UnsupportedParameterError: A way to think that is not served.
        InvalidRequestError: The budget is missing, or not below `max_tokens`.
    """
    effort = body.output_config.effort if body.output_config is not None else None
    given = body.thinking
    origin = "thinking" if given is not None and given.type == "enabled" else "output_config.effort"
    if given is None:
        return ReasoningOptions(effort=effort, origin=origin)
    options = ReasoningOptions(
        effort=effort,
        origin=origin,
        budget_origin="thinking.budget_tokens",
        budget_message=given.budget_message or "",
        budget_message_origin="thinking.budget_message",
    )
    if given.type == "adaptive":
        return options
    if given.type == "disabled":
        return replace(options, enabled=False)
    if given.type == "between_tools":
        raise UnsupportedParameterError("thinking.type 'between_tools' is not served", param="thinking.type")
    if given.type != "enabled":
        raise InvalidRequestError(
            f"thinking.type must be enabled, adaptive or disabled, not '{given.type[:100]}'", param="thinking.type"
        )
    return replace(options, enabled=True, budget=_budget(given, max_tokens))


def _budget(given: ThinkingIn, max_tokens: int | None) -> int:
    budget, place = given.budget_tokens, "thinking.budget_tokens"
    if budget is None:
        raise InvalidRequestError(f"the field {place} is missing", param=place)
    if budget < 1 or (max_tokens is not None and budget >= max_tokens):
        raise InvalidRequestError(f"{place} must be at least 1 and less than max_tokens, not {budget}", param=place)
    return budget


def signature_of(text: str) -> str:
    """Return a digest in place of a signature. It proves nothing and is not checked when it comes back."""
    return b64encode(sha256(text.encode()).digest()).decode()


REFUSED_FIELDS = ("thread", "inference_geo")
"""Fields that are refused by name: one promises a location, the client works without the other once it is refused."""

LEFT_OUT_FIELDS: dict[str, tuple[Any, ...]] = {
    "speed": ("standard",),
    "mcp_servers": ([],),
    "context_management": ({}, {"edits": []}),
    "container": (),
    "diagnostics": ({}, {"previous_message_id": None}),
}
"""Fields for features of Anthropic's own servers, with the values that ask for nothing; left out or refused, as
`server.unserved` says."""

IGNORED_FIELDS = ("cache_control", "metadata")
"""Fields that are accepted without effect and reported in `x-portcullis-ignored`."""


def prompt_request(body: PromptFields) -> ChatRequest:
    """Return the conversation whose tokens are to be counted.

    Raises:
        GatewayError: The request cannot be served; names the field.
    """
    _check_unserved(body)
    tools, tool_choice = tools_of(body)
    # Templates may describe the constraint in the prompt.
    options = Options(model=body.model, constraint=_constraint(body), reasoning=reasoning_of(body, None))
    return _chat(body, tools, tool_choice, options)


def chat_request(body: MessagesBody) -> ChatRequest:
    """Return the conversation that a body asks to continue.

    Raises:
        GatewayError: The request cannot be served; names the field.
    """
    _check_unserved(body)
    tools, tool_choice = tools_of(body)
    options = Options(
        model=body.model,
        sampling=_sampling(body),
        max_tokens=body.max_tokens,
        stop=tuple(body.stop_sequences or ()),
        constraint=_constraint(body),
        reasoning=reasoning_of(body, body.max_tokens),
    )
    return _chat(body, tools, tool_choice, options)


def _chat(body: PromptFields, tools: ToolSet | None, tool_choice: ToolChoice | None, options: Options) -> ChatRequest:
    """Return the conversation; a last message of the assistant begins the answer."""
    messages, documents = template_messages(body)
    request = ChatRequest(
        messages=messages,
        tools=tools,
        tool_choice=tool_choice,
        documents=documents,
        cites=cites(body.messages),
        options=options,
    )
    is_begun = bool(body.messages) and body.messages[-1].role == "assistant"
    return continuing_last(request) if is_begun else request


def _check_unserved(body: PromptFields) -> None:
    for name in REFUSED_FIELDS:
        if getattr(body, name, None) is not None:
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    for name, harmless in LEFT_OUT_FIELDS.items():
        value = getattr(body, name, None)
        if value is not None and value not in harmless:
            ignore_field(name)
    for name in IGNORED_FIELDS:
        if getattr(body, name, None) is not None:
            note_ignored(name)


def _sampling(body: MessagesBody) -> Sampling:
    given = {"temperature": body.temperature, "top_p": body.top_p, "top_k": body.top_k, "seed": body.seed}
    return Sampling(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def _constraint(body: PromptFields) -> JsonConstraint | None:
    config, format = body.output_config, body.output_format
    older = None if format is None else _format(format, "output_format")
    if config is None or config.format is None:
        return older
    found = _format(config.format, "output_config.format")
    if older is not None and older.schema != found.schema:
        raise InvalidRequestError(
            "output_config.format and output_format ask for different things; send one of them", param="output_format"
        )
    return found


def _format(given: FormatIn, place: str) -> JsonConstraint:
    if given.type != "json_schema":
        raise InvalidRequestError(f"{place}.type must be json_schema, not '{given.type[:100]}'", param=f"{place}.type")
    place = f"{place}.schema"
    schema = read_json(given.schema, place) if isinstance(given.schema, str) else given.schema
    if schema is None:
        raise InvalidRequestError(f"the field {place} is missing", param=place)
    if not isinstance(schema, dict | bool):
        raise InvalidRequestError(f"{place} must be a JSON schema: an object or a boolean", param=place)
    return JsonConstraint(schema=schema, origin=place)
