"""Failures in OpenAI's envelope, with the place inside a constraint."""

from __future__ import annotations

from msgspec import UNSET

from gateway.api.failures import responder
from gateway.api.grammars.bodies import GrammarErrorBody, GrammarErrorEnvelope
from gateway.api.openai.envelope import envelope as openai_envelope
from gateway.errors import ConstraintError, GatewayError


def envelope(error: GatewayError) -> GrammarErrorEnvelope:
    """The error as OpenAI's clients read it."""
    plain = openai_envelope(error).error
    kind, where = (error.kind, error.where) if isinstance(error, ConstraintError) else (None, None)
    return GrammarErrorEnvelope(
        error=GrammarErrorBody(
            message=plain.message,
            type=plain.type,
            param=plain.param,
            code=plain.code,
            hint=plain.hint,
            kind=UNSET if kind is None else kind,
            where=UNSET if where is None else where,
        )
    )


respond = responder(envelope)
