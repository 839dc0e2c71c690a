"""Token ids in, token ids out: continuous batching over a paged key/value cache, with token masks."""

from gateway.engine.config import EngineConfig
from gateway.engine.embedded import EmbeddedEngine
from gateway.engine.engine import Engine
from gateway.engine.protocols import FillMasks, StopCriterion, TokenConstraint
from gateway.engine.request import (
    GenerationRequest,
    MaskedLogprobs,
    SamplingParams,
    TokenEvent,
    TokenLogprobs,
)
from gateway.engine.stats import EngineStats

__all__ = [
    "EmbeddedEngine",
    "Engine",
    "EngineConfig",
    "EngineStats",
    "FillMasks",
    "GenerationRequest",
    "MaskedLogprobs",
    "SamplingParams",
    "StopCriterion",
    "TokenConstraint",
    "TokenEvent",
    "TokenLogprobs",
]
