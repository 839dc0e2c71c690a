"""Bodies of Responses to chat requests, and the fields that replies echo."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from gateway.api.openai.constraints import grammar_constraint, refuse_unread
from gateway.api.openai.requests import GrammarFormat
from gateway.api.openai.responses.bodies import ReasoningEcho, ResponseOut, TextEcho
from gateway.api.openai.responses.conversation import messages_of
from gateway.api.openai.responses.items import Item, new_id
from gateway.api.openai.responses.requests import InputFields, ReasoningConfig, ResponseBody, TextFormat
from gateway.api.openai.responses.tool_search import shown_tools
from gateway.api.openai.responses.tools import response_tools_of, tool_echoes
from gateway.api.openai.sampling import options_of
from gateway.api.openai.schemas import ANY_OBJECT, schema_constraint
from gateway.core.constraints import Constraint, GrammarConstraint, RegexConstraint
from gateway.core.ignored_fields import ignore_field, note_ignored
from gateway.core.request import ChatRequest, ReasoningOptions
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.reasoning import EFFORTS

LOGPROBS = "message.output_text.logprobs"
INCLUDABLE = frozenset(
    {
        "code_interpreter_call.outputs",
        "computer_call_output.output.image_url",
        "file_search_call.results",
        "message.input_image.image_url",
        LOGPROBS,
        "reasoning.encrypted_content",
        "web_search_call.action.sources",
        "web_search_call.results",
    }
)
"""Known values of `include`. Only log-probabilities change a reply here."""

TRUNCATIONS = ("disabled", "auto")
VERBOSITIES = ("low", "medium", "high")

_READ = {
    "text": (),
    "json_object": ("schema",),
    "json_schema": ("schema",),
    "regex": ("pattern", "value"),
    "grammar": ("grammar", "definition", "syntax"),
}
REFUSED_FIELDS = ("conversation", "prompt", "background")


def reports_logprobs(body: ResponseBody) -> bool:
    """True if the reply carries log-probabilities."""
    return LOGPROBS in (body.include or ())


def check(body: InputFields) -> None:
    """Refuse fields that are not served, and values that are not known.

    Raises:
        GatewayError: `param` is the field.
    """
    for name in REFUSED_FIELDS:
        if getattr(body, name, None):
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    if getattr(body, "context_management", None):
        ignore_field("context_management")
    for name in ("n", "best_of"):
        if getattr(body, name) not in (None, 1):
            raise UnsupportedParameterError(f"{name} above 1 is not served here", param=name)
    if body.messages is not None:
        raise UnsupportedParameterError("messages is not served here: send the conversation as input", param="input")
    _one_of(body.truncation, TRUNCATIONS, "truncation")
    if body.text is not None and body.text.verbosity is not None:
        _one_of(body.text.verbosity, VERBOSITIES, "text.verbosity")
        note_ignored("text.verbosity")
    _one_of(body.reasoning.effort if body.reasoning else None, EFFORTS, "reasoning.effort")
    if isinstance(body, ResponseBody):
        _check_include(body)
        if body.client_metadata is not None:
            note_ignored("client_metadata")
        if body.max_tool_calls is not None and body.max_tool_calls < 0:
            raise InvalidRequestError("max_tool_calls must not be negative", param="max_tool_calls")


def _check_include(body: ResponseBody) -> None:
    for index, name in enumerate(body.include or ()):
        if name not in INCLUDABLE:
            raise InvalidRequestError(f"include: {name[:64]!r} is not known", param=f"include[{index}]")
        if name != LOGPROBS:
            note_ignored(f"include[{index}]")
    if body.top_logprobs and not reports_logprobs(body):
        raise InvalidRequestError(f"top_logprobs needs '{LOGPROBS}' in include", param="top_logprobs")


def _one_of(value: str | None, known: Sequence[str], param: str) -> None:
    if value is not None and value not in known:
        raise InvalidRequestError(f"{param} must be one of {', '.join(known)}, not {value[:64]!r}", param=param)


def chat_of(body: InputFields, items: Sequence[Item]) -> ChatRequest:
    """Return the conversation to continue. `items` include those of earlier responses.

    Raises:
        GatewayError: The body asks for nothing that can be served; says which field.
    """
    check(body)
    num_given = len(body.input) if isinstance(body.input, list) else body.input is not None
    if not items:
        raise InvalidRequestError("send input, or a previous_response_id to continue", param="input")
    tools, tool_choice = response_tools_of(shown_tools(body.tools, items), body.tool_choice, body.parallel_tool_calls)
    max_tokens, origin, logprobs, max_calls = body.max_tokens, "max_tokens", None, None
    if isinstance(body, ResponseBody):
        max_calls = body.max_tool_calls
        if body.max_output_tokens is not None:
            max_tokens, origin = body.max_output_tokens, "max_output_tokens"
        if reports_logprobs(body):
            logprobs = body.top_logprobs or 0
    reasoning = _reasoning(body.reasoning)
    options = options_of(body, logprobs, max_tokens, origin, *_text_constraints(body), reasoning=reasoning)
    return ChatRequest(
        messages=tuple(messages_of(body.instructions, items, len(items) - num_given)),
        tools=tools,
        tool_choice=tool_choice,
        max_calls=max_calls,
        template_kwargs=body.chat_template_kwargs or {},
        options=options,
    )


def _reasoning(given: ReasoningConfig | None) -> ReasoningOptions:
    if given is None:
        return ReasoningOptions()
    return ReasoningOptions(
        enabled=False if given.effort == "none" else None,
        effort=given.effort,
        origin="reasoning.effort",
        budget=given.max_tokens,
        budget_origin="reasoning.max_tokens",
        budget_message=given.budget_message or "",
        budget_message_origin="reasoning.budget_message",
    )


def _text_constraints(body: InputFields) -> Iterator[Constraint]:
    given, place = body.text.format if body.text else None, "text.format"
    if given is None:
        return
    refuse_unread(given, given.type, _READ, place)
    if given.type == "json_object" and given.schema is None:
        yield schema_constraint(ANY_OBJECT, place)
    elif given.type in ("json_object", "json_schema"):
        yield _schema(given)
    elif given.type == "regex":
        if given.value is not None:
            yield _pattern(given.value, f"{place}.value")
        if given.pattern is not None or given.value is None:
            yield _pattern(given.pattern, f"{place}.pattern")
    elif given.type == "grammar":
        if isinstance(given.grammar, str):
            yield GrammarConstraint(text=given.grammar, origin=f"{place}.grammar")
        elif given.grammar is not None:
            yield grammar_constraint(given.grammar, f"{place}.grammar")
        if given.grammar is None or given.definition is not None:
            yield grammar_constraint(GrammarFormat(given.definition, given.syntax), place)


def _pattern(pattern: object, place: str) -> Constraint:
    if not isinstance(pattern, str):
        raise InvalidRequestError(f"{place} must be the pattern", param=place)
    return RegexConstraint(pattern=pattern, origin=place)


def _schema(given: TextFormat) -> Constraint:
    if given.schema is None:
        raise InvalidRequestError("the field text.format.schema is missing", param="text.format.schema")
    return schema_constraint(given.schema, "text.format.schema", strict=bool(given.strict))


def new_response(
    body: ResponseBody, model: str, is_kept: bool, temperature: float = 1.0, top_p: float = 1.0
) -> ResponseOut:
    """Return the reply before its first item, with the fields that it echoes."""
    text, reasoning = body.text, body.reasoning
    return ResponseOut(
        id=new_id("resp"),
        created_at=int(time.time()),
        status="in_progress",
        instructions=body.instructions,
        max_output_tokens=body.max_output_tokens,
        max_tool_calls=body.max_tool_calls,
        model=model,
        parallel_tool_calls=body.parallel_tool_calls is not False,
        previous_response_id=body.previous_response_id,
        prompt_cache_key=body.prompt_cache_key,
        reasoning=ReasoningEcho(
            effort=reasoning.effort if reasoning else None, summary=reasoning.summary if reasoning else None
        ),
        safety_identifier=body.safety_identifier,
        service_tier="default",
        store=is_kept,
        temperature=temperature,
        text=TextEcho(
            format=_format_echo(text.format if text else None), verbosity=(text.verbosity if text else None) or "medium"
        ),
        tool_choice=body.tool_choice or "auto",
        tools=list(tool_echoes(body.tools)),
        top_logprobs=body.top_logprobs or 0,
        top_p=top_p,
        truncation=body.truncation or "disabled",
        user=body.user,
        metadata=body.metadata or {},
    )


def _format_echo(given: TextFormat | None) -> dict[str, Any]:
    if given is None:
        return {"type": "text"}
    fields = {name: getattr(given, name) for name in given.__struct_fields__}
    told = {name: value for name, value in fields.items() if value is not None}
    if given.type == "json_schema":
        return {"name": "", "strict": False, **told}
    return told
