"""Temporary adapters that answers train while they are written."""

from __future__ import annotations

from gateway.core.request import Options
from gateway.engine.adaptation.rule import AdaptationRule
from gateway.engine.config import EngineConfig
from gateway.errors import InvalidRequestError, UnsupportedParameterError


def adaptation_rule(options: Options, engine: EngineConfig) -> AdaptationRule | None:
    """Return the rule for each answer to a prompt; None: they adapt nothing.

    Raises:
        UnsupportedParameterError: The server takes no such requests.
        InvalidRequestError: The answers are more than may adapt the model at a time, or the rank is too large.
    """
    asked = options.sampling.adaptation
    if asked is None:
        return None
    most = engine.max_adaptations
    if most == 0:
        raise UnsupportedParameterError(
            "adapt_every_tokens is not served: engine.max_adaptations is 0", param="adapt_every_tokens"
        )
    if options.num_candidates > most:
        raise InvalidRequestError(
            f"{options.num_candidates} answers are asked for; at most {most} may adapt the model at a time",
            param="n" if options.best_of is None else "best_of",
        )
    if asked.rank > engine.max_adapter_rank:
        raise InvalidRequestError(f"adapt_rank must be at most {engine.max_adapter_rank}", param="adapt_rank")
    return AdaptationRule(every_tokens=asked.every_tokens, rank=asked.rank, learning_rate=asked.learning_rate)
