"""Rendering of conversations to prompts, by the model's chat template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gateway.core.constraints import ChoiceConstraint, Constraint, JsonConstraint
from gateway.core.json_text import json_text
from gateway.core.request import ChatRequest
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.documents import template_documents, with_documents
from gateway.service.request.images import encode_with_images
from gateway.service.request.plan import Rendered, ToolPlan
from gateway.service.request.reasoning_plan import template_variables
from gateway.service.request.schema_in_words import fields_in_words
from gateway.service.request.tokenizing import LONG, TokenizerThreads
from gateway.service.request.tools_in_prompt import ask_for_record, with_calls_as_text, with_tools_as_text
from gateway.text import ChatTemplate
from tools.errors import UnwritableCallError
from tools.formats import Format
from tools.formats.ids import with_known_ids
from tools.toolset import ToolSet

SHORT = 2_000
"""Most characters of a conversation that is rendered on the event loop, in some 0.1 ms."""

SHORT_MESSAGES = 16
_COUNTED_PARTS = 1_000

MAX_CONSTRAINT_CHARACTERS = 4_000
"""Longest JSON of a constraint that is passed to a template: the prompt must leave room for the answer."""
_CONSTRAINT_VARIABLES = frozenset(("response_schema", "response_choices"))
"""Variables of chat templates for the answer's constraint."""


async def render_async(
    tokenizer_threads: TokenizerThreads,
    loaded: LoadedModel,
    request: ChatRequest,
    tool_plan: ToolPlan | None,
    tenant: str,
    must_fit: bool,
    images: Sequence[ImagePixels] = (),
) -> Rendered:
    """Return the prompt. A short conversation is rendered on the event loop: a thread would take longer to start.

    Args:
        must_fit: Raise if the prompt is too long for the context.
        images: Images of the request.

    Raises:
        OverloadedError: The queue of long conversations is full.
        GatewayError: The conversation cannot be rendered; names the field.
    """
    is_plain = not request.tools and len(request.messages) <= SHORT_MESSAGES and not _shows_constraint(loaded, request)
    is_plain = is_plain and not images and not any("tool_calls" in message for message in request.messages)
    size = sum(map(_num_characters, request.messages)) + sum(len(document.text) for document in request.documents)
    if is_plain and size < SHORT:
        return rendered(loaded, request, tool_plan, must_fit, images)
    return await tokenizer_threads.read(partial(rendered, loaded, request, tool_plan, must_fit, images), size, tenant)


def _shows_constraint(loaded: LoadedModel, request: ChatRequest) -> bool:
    """Return whether the template shows the answer's constraint, which may be long."""
    template = loaded.template_for(bool(request.tools))
    return (
        request.options.constraint is not None
        and template is not None
        and bool(_CONSTRAINT_VARIABLES & template.variables)
    )


def _num_characters(message: Mapping[str, Any]) -> int:
    """Return the number of characters of a message's content; a list of parts is not short."""
    content = message.get("content")
    if isinstance(content, str):
        return len(content)
    if isinstance(content, list) and len(content) <= _COUNTED_PARTS:
        return SHORT + sum(len(part["text"]) for part in content if isinstance(part.get("text"), str))
    return LONG


def rendered(
    loaded: LoadedModel,
    request: ChatRequest,
    tool_plan: ToolPlan | None,
    must_fit: bool,
    images: Sequence[ImagePixels] = (),
) -> Rendered:
    """Return the prompt. Tools that the template does not support are described in it.

    Raises:
        GatewayError: The conversation cannot be rendered; names the field.
    """
    template = loaded.template_for(bool(request.tools and tool_plan is not None))
    if template is None:
        raise UnsupportedParameterError("this model has no chat template; use /v1/completions", param="messages")
    request = with_documents(request, template)
    if _CONSTRAINT_VARIABLES & template.variables and (tool_plan is None or not tool_plan.is_forced):
        variables = constraint_variables(request.options.constraint)
        request = replace(request, template_kwargs=variables | dict(request.template_kwargs))
    elif fields := described_fields(loaded, request, tool_plan):
        request = replace(request, messages=tuple(ask_for_record(request.messages, fields)))
    if loaded.tool_format is not None:
        request = replace(request, messages=tuple(with_known_ids(request.messages, loaded.tool_format.known_id)))

    def write(request: ChatRequest) -> str:
        tools, wishes, given = request.tools, request.options.reasoning, request.template_kwargs
        variables = template_variables(wishes, template.variables, given, loaded.reasoning, template.known_words)
        return text_of(loaded.tool_format, template, request, tools if tool_plan is not None else None, variables)

    try:
        text, breaks = (write(request), ()) if loaded.markers is None else loaded.markers.written(request, write)
    except RecursionError:
        raise InvalidRequestError("what is sent is nested too deeply", param="messages") from None
    if must_fit:
        loaded.check_fits(text, "messages")
    ids = encode_with_images(loaded, text, breaks, images) if images else loaded.encode(text, False, breaks)
    return Rendered(text=text, ids=ids, breaks=breaks)


def text_of(
    spec: Format | None, template: ChatTemplate, request: ChatRequest, tools: ToolSet | None, variables: dict[str, Any]
) -> str:
    """Return the prompt. If the template fails on its tools, they are described in words instead."""

    def prompt(messages: Sequence[Mapping[str, Any]], declared: list[dict[str, Any]] | None) -> str:
        return template.prompt(
            messages,
            declared,
            add_generation_prompt=request.opens_answer,
            variables=variables,
            documents=template_documents(request),
        )

    if spec is None:
        return prompt(request.messages, tools.to_openai() if tools else None)
    try:
        given = template_input(request.messages, tools, spec, template)
        try:
            return prompt(*given)
        except InvalidRequestError as refused:
            in_words = with_tools_as_text(request.messages, tools, spec)
            if in_words == given[0]:
                raise
            try:
                return prompt(in_words, None)
            except InvalidRequestError:
                raise refused from None
    except UnwritableCallError as error:
        raise InvalidRequestError(error.message, param="messages") from None


def template_input(
    messages: Sequence[Mapping[str, Any]], tools: ToolSet | None, spec: Format, template: ChatTemplate
) -> tuple[Sequence[Mapping[str, Any]], list[dict[str, Any]] | None]:
    """Return the messages and tools for a template. Tools, calls and results that it does not show become text.

    Raises:
        UnwritableCallError: A call cannot be written in the format.
    """
    if not spec.is_known_to(template.variables) or (tools and not shows_tools(spec, template)):
        return with_tools_as_text(messages, tools, spec), None
    wants = template.requirements
    if not (wants.shows_calls and wants.shows_results):
        shown = {"shows_calls": wants.shows_calls, "shows_results": wants.shows_results}
        messages = with_calls_as_text(messages, tools, spec, **shown)
    return messages, tools.to_openai() if tools else None


def described_fields(loaded: LoadedModel, request: ChatRequest, tool_plan: ToolPlan | None) -> str:
    """Return the description of the schema's members for the prompt; empty without a schema, or unless the user's
    message is the last."""
    if tool_plan is not None or not loaded.describes_schemas:
        return ""
    constraint, messages, template = request.options.constraint, request.messages, loaded.template_for(False)
    if not isinstance(constraint, JsonConstraint) or (
        template is not None and _CONSTRAINT_VARIABLES & template.variables
    ):
        return ""
    if not messages or messages[-1]["role"] != "user":
        return ""
    return fields_in_words(constraint.schema)


def shows_tools(spec: Format, template: ChatTemplate) -> bool:
    """Return whether the template shows tools in this format, so that the prompt need not describe them."""
    return spec.is_known_to(template.variables) and template.requirements.tools != "none"


def constraint_variables(constraint: Constraint | None) -> dict[str, Any]:
    """Return the template's variables for the answer's schema or choices; none if these are long."""
    variables: dict[str, Any] = {}
    if (
        isinstance(constraint, JsonConstraint)
        and isinstance(constraint.schema, dict)
        and constraint.schema.keys() - {"type"}
    ):
        variables = {"response_schema": constraint.schema}
    elif isinstance(constraint, ChoiceConstraint):
        variables = {"response_choices": list(constraint.options)}
    return variables if len(json_text(variables)) <= MAX_CONSTRAINT_CHARACTERS else {}
