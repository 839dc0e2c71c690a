"""GPTQ: integers packed along the inputs, a scale and a zero for each group of inputs."""

from __future__ import annotations

import torch
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.linear.few_bits import Codes
from gateway.engine.models.quantized.base import Settings, Tensors, codes_of, of_packed, unpacked


@of_packed
def read_gptq(module: str, packed: Tensor, tensors: Tensors, settings: Settings) -> Tensor | Codes:
    """See `of_packed`. Shapes: qweight [in / n, out], qzeros [groups, out / n], scales [groups, out], g_idx [in]."""
    bits = settings["bits"]
    if bits not in (2, 4, 8):
        raise UnsupportedModelError(f"GPTQ weights of {bits} bits are not read")
    weight = unpacked(packed, bits, 0)
    # The first form of these files stores one less than the zero.
    offset = 0 if settings.get("checkpoint_format") == "gptq_v2" else 1
    zeros = unpacked(tensors[f"{module}.qzeros"], bits, 1) + offset
    scales = tensors[f"{module}.scales"].float()
    size = settings["group_size"] if settings["group_size"] > 0 else len(weight)
    ordered = torch.arange(len(weight)) // size
    groups = tensors.get(f"{module}.g_idx", ordered).long()
    if len(weight) % size == 0 and torch.equal(groups, ordered):
        return codes_of(weight.t(), scales.t(), zeros.t(), max(bits, 4))
    return ((weight - zeros[groups]) * scales[groups]).t()
