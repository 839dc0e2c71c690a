"""What OpenAPI says of bodies. Handlers decode them themselves, so Litestar cannot see their types."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIMediaType, RequestBody, Schema

FAILURES = {
    400: "The request is malformed, or asks for what cannot be served; the message names the field",
    401: "No valid API key",
    403: "A page of another site, or a name of another machine, on a server that asks for no key",
    404: "No such model, or nothing is kept under this id",
    413: "The body is too long",
    415: "The body says that it is not JSON",
    422: "The answer came to where its constraint lets nothing follow",
    429: "Too many requests wait, or too many of this API key; `Retry-After` says for how long",
    500: "The request failed, or its answer did not pass verification",
    503: "The engine is starting, or the server is shutting down; `Retry-After` says for how long",
    504: "The request's time was over before its answer was done",
}
"""Statuses of requests that are not answered."""


def body_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The schema of a request body, whole: Litestar's document takes no components but its own."""
    (schema,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    inlined: dict[str, Any] = _inlined(schema, definitions)
    return inlined


def request_body(kind: type[msgspec.Struct]) -> RequestBody:
    """The description of a JSON body."""
    # Litestar's own class knows fewer keywords; the document is written from either.
    schema = cast(Schema, body_schema(kind))
    return RequestBody(content={"application/json": OpenAPIMediaType(schema=schema)}, required=True)


def failures(envelope: type[msgspec.Struct], statuses: dict[int, str] = FAILURES) -> dict[int, ResponseSpec]:
    """The description of what comes instead of an answer, by status."""
    return {
        status: ResponseSpec(envelope, generate_examples=False, description=description)
        for status, description in statuses.items()
    }


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """The schema with definitions in place of references, and without `"default": null`: null is absent here."""
    if isinstance(schema, list):
        return [_inlined(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"]], definitions)
    return {key: _inlined(value, definitions) for key, value in schema.items() if value is not None}
