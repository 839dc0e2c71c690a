"""Failures in OpenAI's envelope, with fields named as Responses spell them."""

from __future__ import annotations

from msgspec.structs import replace

from gateway.api.failures import responder
from gateway.api.openai.bodies import ErrorEnvelope
from gateway.api.openai.envelope import envelope
from gateway.api.openai.responses.tools import flat_place
from gateway.errors import GatewayError


def flat_envelope(error: GatewayError) -> ErrorEnvelope:
    """The error; the service names fields as chats do."""
    body = envelope(error).error
    if body.param is None:
        return ErrorEnvelope(error=body)
    param = "input" if body.param == "messages" else flat_place(body.param)
    return ErrorEnvelope(error=replace(body, message=body.message.replace(body.param, param, 1), param=param))


respond = responder(flat_envelope)
