"""What a format of quantized weights is, and how small numbers lie in larger ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import torch
from torch import Tensor

from gateway.engine.models.linear.few_bits import Codes

Tensors = Mapping[str, Tensor]
Settings = Mapping[str, Any]
"""`quantization_config` of the files."""

Named = tuple[str, Tensor | Codes]


class Format(Protocol):
    """Reads one method's weights."""

    def __call__(self, name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
        """A tensor of the files as the model knows it, in float32 or as codes where it was quantized; None: part of
        another.

        Args:
            tensors: All of the files, for what belongs to it.

        Raises:
            UnsupportedModelError: This variant is not read.
        """


def of_packed(read: Callable[[str, Tensor, Tensors, Settings], Tensor | Codes]) -> Format:
    """Return a format whose modules have a packed weight, `qweight`, with parts that belong to it.

    Args:
        read: The weight of a module; takes its name and what is packed.
    """

    def read_part(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
        module, _, part = name.rpartition(".")
        if part == "bias" or f"{module}.qweight" not in tensors:
            return name, tensor
        return (f"{module}.weight", read(module, tensor, tensors, settings)) if part == "qweight" else None

    return read_part


def codes_of(numbers: Tensor, scales: Tensor, zeros: Tensor, num_bits: int) -> Codes:
    """Return (numbers - zeros) * scales as codes.

    Shapes: numbers [outputs, inputs], not negative; scales and zeros [outputs, groups].
    """
    scales = scales.float().contiguous()
    leasts = -zeros.float() * scales
    return Codes(numbers.to(torch.uint8).contiguous().numpy(), scales.numpy(), leasts.contiguous().numpy(), num_bits)


def unpacked(packed: Tensor, bits: int, dim: int) -> Tensor:
    """Unsigned numbers of so many bits, the lowest first, side by side along `dim`; none lies in two elements.

    Shapes: that one grows.
    """
    shifts = torch.arange(8 * packed.element_size() // bits) * bits
    numbers = (packed.long().unsqueeze(dim + 1) >> shifts.view(-1, *(1,) * (packed.ndim - 1 - dim))) & ((1 << bits) - 1)
    return numbers.flatten(dim, dim + 1)


def scaled(weight: Tensor, scale: Tensor, block: tuple[int, int] | None = None) -> Tensor:
    """weight * scale, each scale for a block of it. Shapes: weight [out, in], scale [] to [out, in].

    Args:
        block: Of how many outputs and inputs; None: as many as there are for each scale.
    """
    weight, scale = weight.float(), scale.float()
    if scale.ndim < 2:
        return weight * (scale if scale.numel() == 1 else scale.view(-1, 1))
    for dim in (0, 1):
        size = weight.shape[dim]
        scale = scale.repeat_interleave(block[dim] if block else -(-size // scale.shape[dim]), dim=dim)
        scale = scale.narrow(dim, 0, size)
    return weight * scale
