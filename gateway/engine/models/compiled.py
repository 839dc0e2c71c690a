"""The lean decoder for small models on a CPU: a step of few rows runs a layer a compiled call.

Of a model of a million parameters the products of one row take 0.1 ms, and starting them one by one 0.5 ms. A draft
model is that small, and drafts are computed row by row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.compiled import NO_WINDOW, CompiledAttention
from gateway.engine.batch import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.lean import LeanDecoder
from gateway.engine.models.linear import LinearKind
from gateway.engine.product_kernels import multiply_rows
from gateway.engine.staging import bits
from gateway.engine.step_kernels import embed_rows, layer_rows

MAX_PARAMETERS = 4 << 20
MAX_ROWS = 8


class _Layer(NamedTuple):
    """What `layer_rows` takes of a layer, in its order."""

    qkv: NDArray[Any]
    qkv_bias: NDArray[Any]
    head_norm: NDArray[Any]
    out: NDArray[Any]
    out_bias: NDArray[Any]
    post_norm: NDArray[Any]
    gate_up: NDArray[Any]
    down: NDArray[Any]
    next_norm: NDArray[Any]


def why_not_compiled(model: Any) -> str | None:
    """Why steps of this model, which the lean decoder computes, are not compiled as a whole; None if they are."""
    if model.device.type != "cpu":
        return f"it is on {model.device.type}"
    size = sum(weight.numel() for weight in model.parameters())
    if size > MAX_PARAMETERS:
        return f"its {size} parameters are more than {MAX_PARAMETERS}: products take longer than their calls"
    if not all(torch.equal(weight.float(), weight.to(torch.bfloat16).float()) for weight in model.parameters()):
        return "its weights are finer than bfloat16"
    return None
