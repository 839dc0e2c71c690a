"""The body of a message as the gateway's own request."""

from __future__ import annotations

from typing import Any

from gateway.api.anthropic.messages import template_messages
from gateway.api.anthropic.requests import FormatIn, MessagesBody, PromptFields
from gateway.api.anthropic.thinking import reasoning_of
from gateway.api.anthropic.tools import tools_of
from gateway.api.decode import read_json
from gateway.core.constraints import JsonConstraint
from gateway.core.left_out import leave_out, tell_left_out
from gateway.core.request import ChatRequest, Options, Sampling
from gateway.errors import InvalidRequestError, UnsupportedParameterError

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
    """The conversation whose tokens are to be counted.

    Raises:
        GatewayError: It cannot be served; says which field is at fault.
    """
    _check_unserved(body)
    tools, tool_choice = tools_of(body)
    # Templates tell the model what its answer is held to.
    options = Options(model=body.model, constraint=_constraint(body), reasoning=reasoning_of(body, None))
    return ChatRequest(messages=template_messages(body), tools=tools, tool_choice=tool_choice, options=options)


def chat_request(body: MessagesBody) -> ChatRequest:
    """The conversation that a body asks to continue.

    Raises:
        GatewayError: It cannot be served; says which field is at fault.
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
    return ChatRequest(messages=template_messages(body), tools=tools, tool_choice=tool_choice, options=options)


def _check_unserved(body: PromptFields) -> None:
    for name in REFUSED_FIELDS:
        if getattr(body, name, None) is not None:
            raise UnsupportedParameterError(f"{name} is not served", param=name)
    for name, harmless in LEFT_OUT_FIELDS.items():
        value = getattr(body, name, None)
        if value is not None and value not in harmless:
            leave_out(name)
    for name in IGNORED_FIELDS:
        if getattr(body, name, None) is not None:
            tell_left_out(name)


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
