"""Weights in eight-bit floats: a scale for each block of them, each output, or all."""

from __future__ import annotations

from torch import Tensor

from gateway.engine.models.quantized.base import Named, Settings, Tensors, scaled

SCALES = ("_scale_inv", "_scale")
"""What stands behind the name of a weight; both are multiplied with it."""


def read_fp8(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """See `Format`. Shapes: weight [out, in], scale [blocks of outputs, blocks of inputs], [out] or []."""
    if name.endswith((*SCALES, "activation_scale", "input_scale")):
        return None
    scale = next((tensors[name + suffix] for suffix in SCALES if name + suffix in tensors), None)
    if scale is None:
        return name, tensor
    block = settings.get("weight_block_size")
    return name, scaled(tensor, scale, (block[0], block[1]) if block else None)
