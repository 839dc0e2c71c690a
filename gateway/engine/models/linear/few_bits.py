"""Weights in the few bits of their files: codes of four or eight bits, repacked with the same values.

Where the CPU has an instruction for it, rows of bfloat16 are multiplied as whole numbers, by tiles of outputs.
Elsewhere few rows are multiplied by a kernel that unpacks one output at a time, in float32; of more rows the weights of
some outputs are unpacked for torch's product, and so on a GPU. So a token reads as many bytes as the file has, and
there is no second copy. torch's own products of four bits round the scale and the minimum of a group to bfloat16, which
changes the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import linear

from gateway.engine.cpu_kernels.products import multiply_few_bits, unpack_rows
from gateway.engine.cpu_kernels.vectors import HAS_DOT_PRODUCTS, LANES
from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.inputs import bits
from gateway.engine.models.linear.base import Linear, LinearKind, Weights, float_bits, padded
from gateway.gguf.blocks import KEPT, Codes, Kind, codes_of

MAX_ROWS = 4
"""Up to here the unpacking kernel is as fast as torch's product of weights that have to be unpacked first."""

STEP_BYTES = 4 << 20
"""Of weights that are unpacked at a time: few enough for a cache, and all of a product of a small model."""

GPU_STEP_BYTES = 64 << 20

MIN_PART = 1 << 20
"""Weights that are worth a thread of their own: some 60 us of work."""

FEW_BITS = "few bits"

Blocks = tuple[Kind, NDArray[np.uint8]]
"""The type of a tensor's blocks in a GGUF file, and these. Shapes: [outputs, bytes of an output]."""


class FewBits(NamedTuple):
    """Weights as `product_kernels.unpack_row` reads them, or in tiles, as `multiply_tiles` does."""

    codes: NDArray[np.uint8]
    scales: NDArray[np.float32]
    leasts: NDArray[np.float32]
    num_bits: int

    @property
    def is_tiled(self) -> bool:
        """True if the weights are in tiles."""
        return self.scales.ndim == 3

    @property
    def num_outputs(self) -> int:
        """Number of outputs."""
        return len(self.scales) * (LANES if self.is_tiled else 1)

    def tiled(self) -> FewBits | None:
        """Return these weights in tiles; None where their outputs do not fill tiles."""
        outputs, groups = self.scales.shape
        if outputs % LANES:
            return None
        inputs = len(self.codes) * 8 // self.num_bits // outputs
        unit = min(32, inputs // groups)
        words = self.codes.view(np.uint32).reshape(-1, LANES, inputs // unit, unit * self.num_bits // 32)
        scales, leasts = (
            np.ascontiguousarray(each.reshape(-1, LANES, groups).transpose(0, 2, 1))
            for each in (self.scales, self.leasts)
        )
        codes = np.ascontiguousarray(words.transpose(0, 2, 3, 1)).reshape(-1).view(np.uint8)
        return FewBits(codes, scales, leasts, self.num_bits)

    def part(self, some: slice) -> FewBits:
        """Return the weights of some outputs, or of some tiles; no copy."""
        size = len(self.codes) // len(self.scales)
        return FewBits(
            self.codes[some.start * size : some.stop * size], self.scales[some], self.leasts[some], self.num_bits
        )


def few_bits(parts: Sequence[Blocks | Codes]) -> FewBits:
    """Return the weights of projections that share their input."""
    read = [part if isinstance(part, Codes) else codes_of(*part) for part in parts]
    most = max(part.num_bits for part in read)
    groups = max(part.scales.shape[1] for part in read)
    codes = [_packed(part.codes) if most == 4 else part.codes for part in read]
    scales, leasts = (
        np.concatenate([np.repeat(each, groups // each.shape[1], axis=1) for each in some])
        for some in ([part.scales for part in read], [part.leasts for part in read])
    )
    return FewBits(np.concatenate(codes).reshape(-1), scales, leasts, most)


def _packed(codes: NDArray[Any]) -> NDArray[Any]:
    """Codes of four bits, two a byte: of 32 the first 16 in the lower halves of 16 bytes."""
    halves = codes.reshape(len(codes), -1, 2, 16)
    packed: NDArray[Any] = halves[:, :, 0] | halves[:, :, 1] << 4
    return packed.reshape(len(codes), -1)


class FewBitsLinear:
    """A product with such weights on a CPU.

    Attributes:
        weight: The weights.
        bias: In float32; empty where there is none.
    """

    def __init__(self, weight: FewBits, bias: Tensor | None = None) -> None:
        self.weight = weight
        self._bias = None if bias is None else bias.detach()
        size, units = len(weight.codes) * 8 // weight.num_bits, len(weight.scales)
        count, lanes = max(1, min(torch.get_num_threads(), size // MIN_PART)), weight.num_outputs // units
        bounds = [units * place // count for place in range(count + 1)]
        self.bias = float_bits(bias)
        self._parts = [
            (tuple(weight.part(slice(first, end))), self.bias[first * lanes : end * lanes])
            for first, end in pairwise(bounds)
        ]

    def __call__(self, rows: Tensor, dtype: torch.dtype | None = None) -> Tensor:
        """See `Linear`; in this type, if one is given."""
        dtype, (num_rows, inputs) = dtype or rows.dtype, rows.shape
        if num_rows <= MAX_ROWS or self.weight.is_tiled:
            others = [_threads().submit(_product, rows, dtype, *part) for part in self._parts[1:]]
            first = _product(rows, dtype, *self._parts[0])
            return torch.cat([first, *(other.result() for other in others)], dim=1) if others else first

        def unpack(some: slice) -> Tensor:
            weight = torch.empty((some.stop - some.start, inputs), dtype=rows.dtype)
            unpack_rows(*self.weight, some.start, bits(weight))
            return weight

        return _in_steps(padded(rows), self.weight.num_outputs, STEP_BYTES, unpack, self._bias)[:num_rows].to(dtype)


class GpuFewBitsLinear:
    """A product with such weights, none in tiles, on a GPU."""

    def __init__(self, weight: FewBits, bias: Tensor | None, device: torch.device) -> None:
        codes, scales, leasts = (torch.from_numpy(each).to(device) for each in weight[:3])
        self._weight, self._outputs = (codes, scales, leasts, weight.num_bits), weight.num_outputs
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        from gateway.engine.gpu_kernels.products import MAX_ROWS, multiply, unpack

        codes, scales, leasts, num_bits = self._weight
        if len(rows) <= MAX_ROWS:
            product = multiply(rows, *self._weight)
            return product if self._bias is None else product.add_(self._bias)
        size = len(codes) // self._outputs

        def unpacked(some: slice) -> Tensor:
            own = codes[some.start * size : some.stop * size]
            return unpack(own, scales[some], leasts[some], num_bits, rows.shape[1], rows.dtype)

        return _in_steps(rows, self._outputs, GPU_STEP_BYTES, unpacked, self._bias)


def _in_steps(
    rows: Tensor, outputs: int, most_bytes: int, unpack: Callable[[slice], Tensor], bias: Tensor | None
) -> Tensor:
    """torch's product, with weights of some outputs at a time, which `unpack` makes whole."""
    step = max(1, most_bytes // (rows.shape[1] * rows.element_size()))
    places = [slice(first, min(first + step, outputs)) for first in range(0, outputs, step)]
    parts = [linear(rows, unpack(some), None if bias is None else bias[some]) for some in places]
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)


def _product(rows: Tensor, dtype: torch.dtype, weight: tuple[Any, ...], bias: NDArray[np.float32]) -> Tensor:
    out = torch.empty((rows.shape[0], FewBits(*weight).num_outputs), dtype=dtype)
    multiply_few_bits(bits(rows), weight, bias, bits(out))
    return out


@cache
def _threads() -> ThreadPoolExecutor:
    """As many as torch has beside the one that asks; the kernels run without the GIL."""
    return ThreadPoolExecutor(max_workers=max(1, torch.get_num_threads() - 1), thread_name_prefix="few-bits")


def keep_codes(weights: Mapping[str, Tensor], found: Mapping[str, Blocks | Codes]) -> bool:
    """Note at weights the blocks or codes that they were made of, where kernels take these; true if there are any.

    Args:
        weights: Of a model, by name; a packed one has them no longer.
    """
    kept = [name for name, each in found.items() if name in weights and _is_kept(each)]
    for name in kept:
        vars(weights[name])["codes"] = found[name]
    return bool(kept)


def has_codes(weight: Tensor) -> bool:
    """Return whether the weight is kept in few bits."""
    return "codes" in vars(weight)


def drop_codes(model: torch.nn.Module) -> None:
    """Forget what `keep_codes` noted of weights that were not packed, such as the embedding's."""
    for weight in model.parameters():
        vars(weight).pop("codes", None)


def _is_kept(found: Blocks | Codes) -> bool:
    if not isinstance(found, Codes):
        return found[0].name in KEPT
    return found.num_bits in (4, 8) and found.codes.shape[1] % (found.scales.shape[1] * 32) == 0


def few_bits_kind(others: LinearKind) -> LinearKind:
    """Products with weights of which `keep_codes` noted the codes; on a GPU where there is Triton.

    Args:
        others: The kind of all other weights.
    """

    def pack(weights: Weights, bias: Tensor | None) -> Linear:
        if not all(map(has_codes, weights)):
            return others(weights, bias)
        packed = few_bits([vars(weight).pop("codes") for weight in weights])
        if weights[0].device.type == "cuda":
            return GpuFewBitsLinear(packed, bias, weights[0].device)
        if HAS_DOT_PRODUCTS and weights[0].dtype == torch.bfloat16:
            packed = packed.tiled() or packed
        return FewBitsLinear(packed, bias)

    def applies(device: torch.device, dtype: torch.dtype) -> bool:
        if device.type != "cpu":
            return why_no_triton(device) is None
        return dtype in (torch.float32, torch.bfloat16)

    return LinearKind(FEW_BITS, 0.05, pack, applies)
