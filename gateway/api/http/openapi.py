"""OpenAPI descriptions of bodies that handlers decode themselves, and of streamed replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import msgspec
from litestar import post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import (
    OpenAPI,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Reference,
    RequestBody,
    Schema,
)

_PLACE = "#/components/schemas/"

Streams = Literal["events", "lines"] | None
_TEXT = Schema(type=OpenAPIType.STRING)
_STREAMS = {
    "events": ("text/event-stream", Schema(type=OpenAPIType.OBJECT, required=["data"], properties={"data": _TEXT})),
    "lines": ("application/x-ndjson", _TEXT),
}

FAILURES = {
    400: "The request is malformed or not supported; the message names the field",
    401: "No valid API key",
    403: "A server without API keys was asked by a page of another site or under a foreign host name",
    404: "No model of this name, or nothing stored under this id",
    413: "The body is too long",
    415: "The content type is not JSON",
    422: "The answer reached a state that its constraint allows no token in",
    429: "The queue, or the API key's share of it, is full; `Retry-After` estimates for how long",
    500: "The request failed, or its answer failed verification",
    503: "The engine is starting, or the server is shutting down; see `Retry-After`",
    504: "The time limit passed before the answer was complete",
}
"""Statuses of requests that are not answered."""


class JsonBody(RequestBody):
    """The description of a JSON body, which `complete` makes whole."""

    def __init__(self, kind: type[msgspec.Struct]) -> None:
        super().__init__(content={}, required=True)
        self.kind = kind


def complete(document: OpenAPI, others: Sequence[type[msgspec.Struct]]) -> None:
    """Add the schemas of all bodies, and others, to the components, each under its own name, which is its title."""
    bodies = [
        operation.request_body
        for path in (document.paths or {}).values()
        for operation in (path.post, path.put)
        if operation is not None and isinstance(operation.request_body, JsonBody)
    ]
    references, schemas = msgspec.json.schema_components(
        [*(body.kind for body in bodies), *others], ref_template=_PLACE + "{name}"
    )
    known = document.components.schemas
    for body, reference in zip(bodies, references, strict=False):
        body.content = {"application/json": OpenAPIMediaType(schema=Reference(_short(reference["$ref"])))}
    for name, own in known.items():
        if isinstance(own, Schema):  # and was not added here, for one who asked before
            own.title = name
    # Litestar's own class knows fewer keywords; the document is written from either.
    known.update(
        (_short(name), cast(Schema, _plain(schema) | {"title": _short(name)})) for name, schema in schemas.items()
    )


def failures(envelope: type[msgspec.Struct], statuses: dict[int, str] = FAILURES) -> dict[int, ResponseSpec]:
    """Return the descriptions of error responses, by status."""
    return {
        status: ResponseSpec(envelope, generate_examples=False, description=description)
        for status, description in statuses.items()
    }


def replies(body: Any, errors: dict[int, ResponseSpec], *statuses: int) -> dict[int, ResponseSpec]:
    """Return the descriptions of a reply and of errors: those with the given statuses, or all."""
    return {
        200: ResponseSpec(body, generate_examples=False),
        **{status: spec for status, spec in errors.items() if not statuses or status in statuses},
    }


def json_post(
    path: str,
    summary: str,
    tag: str,
    body: type[msgspec.Struct],
    responses: dict[int, ResponseSpec],
    streams: Streams = None,
) -> post:
    """Return the decorator of a `POST` handler that decodes its JSON body itself and replies with 200."""
    described = operation(body, streams)
    return post(path, status_code=200, summary=summary, tags=[tag], operation_class=described, responses=responses)


def operation(kind: type[msgspec.Struct], streams: Streams = None) -> type[Operation]:
    """Return the class of operations with this body.

    Args:
        streams: The reply may come as server-sent events with JSON data, or as lines of JSON.
    """

    @dataclass
    class WithBody(Operation):
        def __post_init__(self) -> None:
            self.request_body = JsonBody(kind)
            reply = (self.responses or {}).get("200")
            if streams and isinstance(reply, OpenAPIResponse) and reply.content is not None:
                media_type, schema = _STREAMS[streams]
                reply.content[media_type] = OpenAPIMediaType(schema=schema)

    return WithBody


def _short(name: str) -> str:
    """Return the name of a component: msgspec prefixes ambiguous names with the module."""
    return name.replace("gateway.api.", "").replace(".requests.", "_").replace(".", "_")


def _plain(schema: Any) -> Any:
    """Return the schema without `"default": null` (null means absent) and with `items` in every array, for code
    generators."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(value) for key, value in schema.items() if value is not None}
    if "$ref" in plain:
        plain["$ref"] = _short(plain["$ref"])
    return {"items": {}, **plain} if plain.get("type") == "array" else plain
