"""MXFP4: floats of four bits, a power of two for each 32 of them; of experts, which the model keeps transposed."""

from __future__ import annotations

import torch
from torch import Tensor

from gateway.engine.models.quantized.base import Named, Settings, Tensors, unpacked

VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0)
BLOCKS, SCALES, BIAS = "_blocks", "_scales", 127


def read_mxfp4(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """See `Format`. Shapes: blocks [experts, out, n, 16], scales [experts, out, n], bytes -> [experts, in, out]."""
    if name.endswith(SCALES) and name.removesuffix(SCALES) + BLOCKS in tensors:
        return None
    if not name.endswith(BLOCKS):
        return name, tensor
    weight = name.removesuffix(BLOCKS)
    exponents = tensors[weight + SCALES].int() - BIAS
    numbers = torch.tensor(VALUES)[unpacked(tensor, 4, 3)]
    return weight, torch.ldexp(numbers, exponents[..., None]).flatten(2).transpose(1, 2)
