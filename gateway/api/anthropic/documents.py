"""What OpenAPI says of the dialect's bodies."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Operation

from gateway.api import documents
from gateway.api.anthropic.envelope import OVERLOADED
from gateway.api.anthropic.requests import MessagesBody, PromptFields
from gateway.api.anthropic.responses import ErrorEnvelope, Message, TokenCount
from gateway.api.operations import add_events


@dataclass
class MessagesOperation(Operation):
    """`POST /v1/messages` with its body."""

    def __post_init__(self) -> None:
        self.request_body = documents.JsonBody(MessagesBody)
        add_events(self)


@dataclass
class CountOperation(Operation):
    """`POST /v1/messages/count_tokens` with its body."""

    def __post_init__(self) -> None:
        self.request_body = documents.JsonBody(PromptFields)


_STATUSES = {OVERLOADED if status == 429 else status: text for status, text in documents.FAILURES.items()}
FAILURES = documents.failures(ErrorEnvelope, _STATUSES)
MESSAGES_RESPONSES = {200: ResponseSpec(Message, generate_examples=False), **FAILURES}
COUNT_RESPONSES = {200: ResponseSpec(TokenCount, generate_examples=False), **FAILURES}
