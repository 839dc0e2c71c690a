"""Operations of the OpenAPI document: bodies that handlers decode themselves, and replies that may be events."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema

from gateway.api.documents import JsonBody


def operation(kind: type[msgspec.Struct], *, streams: bool = False) -> type[Operation]:
    """The kind of operation that has such a body.

    Args:
        streams: The reply may come as events instead.
    """

    @dataclass
    class WithBody(Operation):
        def __post_init__(self) -> None:
            self.request_body = JsonBody(kind)
            if streams:
                add_events(self)

    return WithBody


def add_events(operation: Operation) -> None:
    """Say that the reply may come as server-sent events, too, each with JSON as its data."""
    reply = (operation.responses or {}).get("200")
    if isinstance(reply, OpenAPIResponse) and reply.content is not None:
        event = Schema(type=OpenAPIType.OBJECT, required=["data"], properties={"data": Schema(type=OpenAPIType.STRING)})
        reply.content["text/event-stream"] = OpenAPIMediaType(schema=event)


def add_lines(operation: Operation) -> None:
    """Say that the reply may come as lines, too, each of them JSON."""
    reply = (operation.responses or {}).get("200")
    if isinstance(reply, OpenAPIResponse) and reply.content is not None:
        reply.content["application/x-ndjson"] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
