"""What OpenAPI says of the dialect's bodies."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Operation

from gateway.api.documents import JsonBody, failures
from gateway.api.openai.bodies import ChatCompletion, Completion, ErrorEnvelope
from gateway.api.openai.requests import ChatCompletionRequest, CompletionBody
from gateway.api.operations import add_events


@dataclass
class ChatOperation(Operation):
    """`POST /v1/chat/completions` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(ChatCompletionRequest)
        add_events(self)


@dataclass
class CompletionOperation(Operation):
    """`POST /v1/completions` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(CompletionBody)
        add_events(self)


FAILURES = failures(ErrorEnvelope)
CHAT_RESPONSES = {200: ResponseSpec(ChatCompletion, generate_examples=False), **FAILURES}
COMPLETION_RESPONSES = {200: ResponseSpec(Completion, generate_examples=False), **FAILURES}
