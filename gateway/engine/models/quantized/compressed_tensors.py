"""compressed-tensors: integers packed along the inputs, or eight bits as they are, with scales of several forms."""

from __future__ import annotations

import torch
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.quantized.base import Named, Settings, Tensors, codes_of, scaled, unpacked

PARTS = ("weight_scale", "weight_zero_point", "weight_shape", "weight_g_idx", "input_scale", "input_zero_point")
FORMATS = ("pack-quantized", "int-quantized", "float-quantized", "naive-quantized")


def read_compressed(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """See `Format`. Shapes: weight [out, in] or weight_packed [out, in / n], weight_scale [out, groups] or less."""
    module, _, part = name.rpartition(".")
    if part in PARTS:
        return None
    if f"{module}.weight_scale" not in tensors or part not in ("weight", "weight_packed"):
        return name, tensor
    groups = list(settings["config_groups"].values())
    form = groups[0].get("format") or settings["format"]
    if form not in FORMATS or len({group["weights"]["num_bits"] for group in groups}) > 1:
        raise UnsupportedModelError(f"weights of compressed-tensors in the form {form!r}, or of several, are not read")
    if f"{module}.weight_g_idx" in tensors:
        raise UnsupportedModelError("weights of compressed-tensors whose groups are not in order are not read")
    scale, zero = tensors[f"{module}.weight_scale"], tensors.get(f"{module}.weight_zero_point")
    weights = groups[0]["weights"]
    block = weights.get("block_structure")
    if part == "weight" and tensor.is_floating_point():
        whole = tensor.float() if zero is None else tensor.float() - scaled(torch.ones(tensor.shape), zero)
        return name, scaled(whole, scale, (block[0], block[1]) if block else None)
    bits = weights["num_bits"]
    middle = 1 << (bits - 1)
    if part == "weight":
        numbers, zeros = tensor.int() + middle, zero if zero is None else zero.int() + middle
    else:
        outputs, inputs = tensors[f"{module}.weight_shape"].tolist()
        numbers = unpacked(tensor, bits, 1)[:, :inputs]
        zeros = None if zero is None else unpacked(zero, bits, 0)[:outputs]
    zeros = torch.full_like(scale, middle) if zeros is None else zeros
    if not block and scale.ndim == 2 and len(scale) == len(numbers) and numbers.shape[1] % scale.shape[1] == 0:
        return f"{module}.weight", codes_of(numbers, scale, zeros, max(bits, 4))
    whole = numbers - scaled(torch.ones(numbers.shape), zeros)
    return f"{module}.weight", scaled(whole, scale, (block[0], block[1]) if block else None)
