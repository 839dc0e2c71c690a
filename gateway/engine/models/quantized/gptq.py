"""GPTQ: integers packed along the inputs, a scale and a zero for each group of inputs."""

from __future__ import annotations

import torch
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.quantized.base import Named, Settings, Tensors, unpacked


def read_gptq(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """See `Format`. Shapes: qweight [in / n, out], qzeros [groups, out / n], scales [groups, out], g_idx [in]."""
    module, _, part = name.rpartition(".")
    if f"{module}.qweight" not in tensors:
        return name, tensor
    if part != "qweight":
        return (name, tensor) if part == "bias" else None
    bits = settings["bits"]
    if bits not in (2, 4, 8):
        raise UnsupportedModelError(f"GPTQ weights of {bits} bits are not read")
    weight = unpacked(tensor, bits, 0)
    # The first form of these files stores one less than the zero.
    offset = 0 if settings.get("checkpoint_format") == "gptq_v2" else 1
    zeros = unpacked(tensors[f"{module}.qzeros"], bits, 1) + offset
    groups = tensors.get(f"{module}.g_idx")
    if groups is None:
        size = settings["group_size"] if settings["group_size"] > 0 else len(weight)
        groups = torch.arange(len(weight)) // size
    groups = groups.long()
    scales = tensors[f"{module}.scales"].float()
    return f"{module}.weight", ((weight - zeros[groups]) * scales[groups]).t()
