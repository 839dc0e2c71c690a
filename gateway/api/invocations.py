"""SageMaker's one address: the body says which request it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from litestar import Request, Response, Router, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Guard
from msgspec import Struct

from gateway.api.decode import decode
from gateway.api.documents import FAILURES, failures
from gateway.api.openai.bodies import ChatCompletion, Completion, ErrorEnvelope
from gateway.api.openai.envelope import respond as as_openai
from gateway.api.openai.routes import create_chat_completion, create_completion
from gateway.api.operations import operation
from gateway.api.tgi.bodies import GenerateReply, TgiError
from gateway.api.tgi.documents import STATUSES as TGI_STATUSES
from gateway.api.tgi.envelope import respond as as_tgi
from gateway.api.tgi.routes import generate_either
from gateway.errors import InvalidRequestError
from gateway.service import Service

_EITHER: Any = ChatCompletion | Completion | list[GenerateReply]
# In the envelope of the dialect that the body is in.
_FAILURES = failures(cast(Any, ErrorEnvelope | TgiError), TGI_STATUSES | FAILURES)
_IS_TGI = "invocation_is_tgi"


class Invocation(Struct, kw_only=True):
    """A chat (`messages`), a completion (`prompt`), or a TGI request (`inputs`), each with the other fields it has."""

    messages: Any = None
    prompt: Any = None
    inputs: Any = None


@post(
    "/invocations",
    status_code=200,
    summary="A chat, a completion, or a TGI request",
    tags=["OpenAI", "TGI"],
    operation_class=operation(Invocation, streams=True),
    responses={200: ResponseSpec(_EITHER, generate_examples=False), **_FAILURES},
)
async def invoke(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """What `/v1/chat/completions`, `/v1/completions` or `/` answers to the same body."""
    body = decode(Invocation, await request.body())
    request.state[_IS_TGI] = body.inputs is not None
    if body.inputs is not None:
        handler = generate_either
    elif body.messages is not None:
        handler = create_chat_completion
    elif body.prompt is not None:
        handler = create_completion
    else:
        raise InvalidRequestError("send messages, prompt or inputs", param="messages")
    response: Response[Any] = await handler.fn(request, service)
    return response


def _respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return (as_tgi if request.state.get(_IS_TGI) else as_openai)(request, error)


def routers(guards: Sequence[Guard]) -> list[Router]:
    """The route, for those whom the guards let in."""
    return [Router(path="/", route_handlers=[invoke], guards=guards, exception_handlers={Exception: _respond})]
