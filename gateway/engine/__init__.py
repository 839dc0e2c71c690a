"""Token ids in, token ids out: continuous batching over a paged key/value cache, with token masks.

Importing this is cheap. What computes, `Engine`, is imported when it is first named, and torch with it: a process that
only talks to an engine never pays for it.
"""

from typing import TYPE_CHECKING, Any

from gateway.engine.config import EngineConfig
from gateway.engine.in_process import InProcessEngine
from gateway.engine.loops import LoopRule
from gateway.engine.protocols import FillMasks, StopCriterion, TokenConstraint
from gateway.engine.request import (
    EngineStats,
    GenerationRequest,
    MaskedLogprobs,
    SamplingParams,
    TokenEvent,
    TokenLogprobs,
)
from gateway.engine.running import RunningEngine

if TYPE_CHECKING:
    from gateway.engine.engine import Engine

__all__ = [
    "Engine",
    "EngineConfig",
    "EngineStats",
    "FillMasks",
    "GenerationRequest",
    "InProcessEngine",
    "LoopRule",
    "MaskedLogprobs",
    "RunningEngine",
    "SamplingParams",
    "StopCriterion",
    "TokenConstraint",
    "TokenEvent",
    "TokenLogprobs",
]


def __getattr__(name: str) -> Any:
    if name == "Engine":
        from gateway.engine.engine import Engine

        return Engine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
