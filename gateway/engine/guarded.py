"""The calls of the step loop, with every exception turned into a fault of requests: a loop that ends serves nobody."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from gateway.engine.errors import EngineFault, StepFailedError
from gateway.engine.request import GenerationRequest, TokenEvent

if TYPE_CHECKING:
    from gateway.engine.engine import Engine

logger = logging.getLogger(__name__)


def add(engine: Engine, request: GenerationRequest) -> EngineFault | None:
    """Queue a request; returns why it was refused."""
    try:
        engine.add(request)
    except EngineFault as fault:
        return fault
    except Exception as error:
        logger.exception("the engine could not take a request")
        failure = StepFailedError("the engine could not take the request")
        failure.__cause__ = error
        return failure
    return None


def step(engine: Engine) -> list[TokenEvent]:
    """One step. Where not a forward pass fails (`Engine.step` turns that into events) but the engine's own bookkeeping,
    every request ends."""
    try:
        return engine.step()
    except Exception as error:
        logger.exception("the engine's bookkeeping failed; every request ends")
        fault = StepFailedError("the engine's bookkeeping failed")
        fault.__cause__ = error
        return engine.fail_all(fault)
