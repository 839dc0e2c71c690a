"""compressed-tensors: integers packed along the inputs, or eight bits as they are, with scales of several forms."""

from __future__ import annotations

from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.quantized.base import Named, Settings, Tensors, scaled, unpacked

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
    if part == "weight":
        weight = tensor.float()
    else:
        bits = weights["num_bits"]
        outputs, inputs = tensors[f"{module}.weight_shape"].tolist()
        middle = 1 << (bits - 1)
        weight = (unpacked(tensor, bits, 1)[:, :inputs] - middle).float()
        if zero is not None:
            zero = unpacked(zero, bits, 0)[:outputs] - middle
    if zero is not None:
        ones = weight.new_ones(weight.shape)
        weight = weight - scaled(ones, zero)
    return f"{module}.weight", scaled(weight, scale, (block[0], block[1]) if block else None)
