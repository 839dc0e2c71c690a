"""Token ids in, token ids out: continuous batching over a paged key/value cache, with token masks.

Names are imported at their first use: settings need no numpy, and a process that only talks to an engine no torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.engine.config import EngineConfig
    from gateway.engine.engine import Engine
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


_MODULES = {
    "config": ("EngineConfig",),
    "engine": ("Engine",),
    "loops": ("LoopRule",),
    "protocols": ("FillMasks", "StopCriterion", "TokenConstraint"),
    "request": ("EngineStats", "GenerationRequest", "MaskedLogprobs", "SamplingParams", "TokenEvent", "TokenLogprobs"),
    "in_process": ("InProcessEngine",),
    "running": ("RunningEngine",),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
