"""What OpenAPI says of Responses."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Operation

from gateway.api.documents import JsonBody
from gateway.api.openai.documents import FAILURES
from gateway.api.openai.responses.bodies import InputTokens, ResponseOut
from gateway.api.openai.responses.requests import InputTokensBody, ResponseBody
from gateway.api.operations import add_events


@dataclass
class ResponseOperation(Operation):
    """`POST /v1/responses` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(ResponseBody)
        add_events(self)


@dataclass
class InputTokensOperation(Operation):
    """`POST /v1/responses/input_tokens` with its body."""

    def __post_init__(self) -> None:
        self.request_body = JsonBody(InputTokensBody)


RESPONSE_RESPONSES = {200: ResponseSpec(ResponseOut, generate_examples=False), **FAILURES}
INPUT_TOKENS_RESPONSES = {200: ResponseSpec(InputTokens, generate_examples=False), **FAILURES}
KEPT_RESPONSES = {status: FAILURES[status] for status in (400, 401, 403, 404)}
