"""What OpenAPI says of the dialect's replies."""

from __future__ import annotations

from litestar.openapi.datastructures import ResponseSpec

from gateway.api.documents import failures
from gateway.api.tgi.bodies import GenerateReply, SentEvent, TgiError

STATUSES = {
    401: "No valid API key",
    403: "A page of another site, or a name of another machine, on a server that asks for no key",
    413: "The body is too long",
    415: "The body says that it is not JSON",
    422: "The request is malformed, or asks for what cannot be served; the message names the parameter",
    424: "The model failed on this request",
    429: "Too many requests wait, or too many of this API key; `Retry-After` says for how long",
    500: "The request failed, or its answer did not pass verification",
    503: "The engine is starting, or the server is shutting down; `Retry-After` says for how long",
    504: "The request's time was over before its answer was done",
}
FAILURES = failures(TgiError, STATUSES)
GENERATE_RESPONSES = {200: ResponseSpec(GenerateReply, generate_examples=False), **FAILURES}
STREAM_RESPONSES = {200: ResponseSpec(SentEvent, generate_examples=False, media_type="text/event-stream"), **FAILURES}
COMPAT_RESPONSES = {200: ResponseSpec(list[GenerateReply], generate_examples=False), **FAILURES}
INFO_RESPONSES = {401: FAILURES[401]}
