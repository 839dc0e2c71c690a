"""What OpenAPI says of the bodies. Handlers decode them themselves, so Litestar cannot see their types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Components, OpenAPIMediaType, Operation, Reference, RequestBody

from gateway.api.openai.requests import ChatCompletionRequest, CompletionBody
from gateway.api.openai.responses import ChatCompletion, Completion, ErrorEnvelope

_PREFIX = "#/components/schemas/"


def components() -> Components:
    """Schemas of the request bodies, for the document's `components`."""
    _, schemas = msgspec.json.schema_components(
        [ChatCompletionRequest, CompletionBody], ref_template=_PREFIX + "{name}"
    )
    return Components(schemas={name: _without_nulls(schema) for name, schema in schemas.items()})


def _without_nulls(schema: Any) -> Any:
    """The schema without `"default": null`: absent and null are the same here."""
    if isinstance(schema, dict):
        return {key: _without_nulls(value) for key, value in schema.items() if value is not None}
    return [_without_nulls(item) for item in schema] if isinstance(schema, list) else schema


def _body(name: str) -> RequestBody:
    content = {"application/json": OpenAPIMediaType(schema=Reference(ref=_PREFIX + name))}
    return RequestBody(content=content, required=True)


@dataclass
class ChatOperation(Operation):
    """`POST /v1/chat/completions` with its body."""

    def __post_init__(self) -> None:
        self.request_body = _body("ChatCompletionRequest")


@dataclass
class CompletionOperation(Operation):
    """`POST /v1/completions` with its body."""

    def __post_init__(self) -> None:
        self.request_body = _body("CompletionBody")


FAILURES = {
    status: ResponseSpec(ErrorEnvelope, generate_examples=False, description=description)
    for status, description in {
        400: "The request is malformed, or asks for what cannot be served; `param` names the field",
        401: "No valid API key",
        404: "No such model",
        413: "The body is too long",
        429: "Too many requests wait",
        500: "The request failed, or its answer did not pass verification",
    }.items()
}
CHAT_RESPONSES = {200: ResponseSpec(ChatCompletion, generate_examples=False), **FAILURES}
COMPLETION_RESPONSES = {200: ResponseSpec(Completion, generate_examples=False), **FAILURES}
