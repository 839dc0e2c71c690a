"""What OpenAPI says of the dialect's bodies."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Operation

from gateway.api.documents import FAILURES, JsonBody, failures
from gateway.api.ollama.envelope import ErrorEnvelope
from gateway.api.ollama.requests import ChatBody, GenerateBody, ShowBody
from gateway.api.ollama.responses import ChatReply, GenerateReply, ModelSheet, ModelTags, RunningModels, Version
from gateway.api.operations import add_lines


@dataclass
class ChatOperation(Operation):
    """`POST /api/chat` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(ChatBody)
        add_lines(self)


@dataclass
class GenerateOperation(Operation):
    """`POST /api/generate` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(GenerateBody)
        add_lines(self)


@dataclass
class ShowOperation(Operation):
    """`POST /api/show` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(ShowBody)


_FAILURES = failures(ErrorEnvelope)
CHAT_RESPONSES = {200: ResponseSpec(ChatReply, generate_examples=False), **_FAILURES}
GENERATE_RESPONSES = {200: ResponseSpec(GenerateReply, generate_examples=False), **_FAILURES}
SHOW_RESPONSES = {
    200: ResponseSpec(ModelSheet, generate_examples=False),
    **{status: spec for status, spec in _FAILURES.items() if status in (400, 401, 403, 404, 413, 415)},
}
TAGS_RESPONSES = {200: ResponseSpec(ModelTags, generate_examples=False), 401: _FAILURES[401]}
PS_RESPONSES = {200: ResponseSpec(RunningModels, generate_examples=False), 401: _FAILURES[401]}
VERSION_RESPONSES = {200: ResponseSpec(Version, generate_examples=False)}
NOT_SERVED_RESPONSES = failures(
    ErrorEnvelope, {401: FAILURES[401], 400: "The server serves one model, and changes nothing about it"}
)
