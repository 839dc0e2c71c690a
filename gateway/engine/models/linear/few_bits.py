"""Weights in the few bits of their files: codes of four or eight bits, packed anew with the same values.

Where the CPU has an instruction for it, rows of bfloat16 are multiplied as whole numbers, by tiles of outputs.
Elsewhere few rows are multiplied by a kernel that unpacks one output at a time, in float32; of more rows the weights of
some outputs are unpacked for torch's product. So what is read for a token is what the file has, and there is no second
copy. torch's own products of four bits round the scale and the least number of a group to bfloat16: other values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import linear

from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.kernel_vectors import HAS_DOT_PRODUCTS, LANES
from gateway.engine.models.linear.base import Linear, LinearKind, Weights
from gateway.engine.models.linear.gpu_few_bits import GpuFewBitsLinear
from gateway.engine.models.linear.sizes import padded
from gateway.engine.product_kernels import multiply_few_bits, unpack_rows
from gateway.engine.staging import bits
from gateway.gguf.kinds import KEPT, Kind

MAX_ROWS = 4
"""Up to here the unpacking kernel is as fast as torch's product of weights that have to be unpacked first."""

STEP_BYTES = 4 << 20
"""Of weights that are unpacked at a time: few enough for a cache, and all of a product of a small model."""

MIN_PART = 1 << 20
"""Weights that are worth a thread of their own: some 60 us of work."""

Blocks = tuple[Kind, NDArray[np.uint8]]
"""The type of a tensor's blocks, and these. Shapes: [outputs, bytes of an output]."""

_Found = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Codes, scales and least numbers of groups. Shapes: [outputs, blocks, those of a block] each."""


class Codes(NamedTuple):
    """A weight as unsigned codes: each times the scale of its group of inputs, and the group's least number added.

    Shapes: codes [outputs, inputs]; scales and leasts [outputs, groups], float32.
    """

    codes: NDArray[np.uint8]
    scales: NDArray[np.float32]
    leasts: NDArray[np.float32]
    num_bits: int

    @property
    def is_kept(self) -> bool:
        """Whether the kernels take such groups."""
        return self.num_bits in (4, 8) and self.codes.shape[1] % (self.scales.shape[1] * 32) == 0

    def whole(self) -> NDArray[np.float32]:
        """Return the weight. Shapes: [outputs, inputs]."""
        outputs, groups = self.scales.shape
        grouped = self.codes.reshape(outputs, groups, -1) * self.scales[..., None] + self.leasts[..., None]
        return grouped.reshape(outputs, -1)


class FewBits(NamedTuple):
    """Weights as `product_kernels.unpack_row` reads them, or in tiles, as `multiply_tiles` does."""

    codes: NDArray[np.uint8]
    scales: NDArray[np.float32]
    leasts: NDArray[np.float32]
    num_bits: int

    @property
    def is_tiled(self) -> bool:
        """Whether they are in tiles."""
        return self.scales.ndim == 3

    @property
    def num_outputs(self) -> int:
        """How many outputs they have."""
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


def _half(data: NDArray[np.uint8], at: int) -> NDArray[np.float32]:
    """A number of two bytes in each block. Shapes: data [outputs, blocks, bytes], returns [outputs, blocks, 1]."""
    found: NDArray[np.float32] = np.ascontiguousarray(data[..., at : at + 2]).view(np.float16).astype(np.float32)
    return found


def _nibbles(data: NDArray[Any]) -> NDArray[Any]:
    """The lower halves of all bytes, then the upper ones."""
    return np.concatenate((data & 15, data >> 4), axis=-1)


def _q4_0(data: NDArray[np.uint8]) -> _Found:
    scale = _half(data, 0)
    return _nibbles(data[..., 2:]), scale, -8 * scale


def _q4_1(data: NDArray[np.uint8]) -> _Found:
    return _nibbles(data[..., 4:]), _half(data, 0), _half(data, 2)


def _fifth_bits(data: NDArray[np.uint8]) -> NDArray[Any]:
    return np.unpackbits(data, axis=-1, bitorder="little") << 4


def _q5_0(data: NDArray[np.uint8]) -> _Found:
    scale = _half(data, 0)
    return _nibbles(data[..., 6:]) | _fifth_bits(data[..., 2:6]), scale, -16 * scale


def _q5_1(data: NDArray[np.uint8]) -> _Found:
    return _nibbles(data[..., 8:]) | _fifth_bits(data[..., 4:8]), _half(data, 0), _half(data, 2)


def _q8_0(data: NDArray[np.uint8]) -> _Found:
    scale = _half(data, 0)
    return data[..., 2:] ^ 128, scale, -128 * scale


def _of_eight(data: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Scales and least numbers of the eight groups of a block of 256: six bits each, in twelve bytes."""
    scale, least, packed = _half(data, 0), _half(data, 2), data[..., 4:16]
    low, middle, high = packed[..., :4], packed[..., 4:8], packed[..., 8:]
    scales = np.concatenate((low & 63, (high & 15) | (low >> 6) << 4), axis=-1)
    leasts = np.concatenate((middle & 63, (high >> 4) | (middle >> 6) << 4), axis=-1)
    return scale * scales.astype(np.float32), -least * leasts.astype(np.float32)


def _pairs(data: NDArray[Any]) -> NDArray[Any]:
    """Of each 32 bytes the lower halves, then the upper ones."""
    return _nibbles(data.reshape(*data.shape[:-1], -1, 32)).reshape(*data.shape[:-1], -1)


def _q4_k(data: NDArray[np.uint8]) -> _Found:
    return _pairs(data[..., 16:]), *_of_eight(data)


def _q5_k(data: NDArray[np.uint8]) -> _Found:
    fifth = (data[..., None, 16:48] >> np.arange(8, dtype=np.uint8)[:, None]) & 1
    return _pairs(data[..., 48:]) | (fifth << 4).reshape(*data.shape[:-1], 256), *_of_eight(data)


def _q6_k(data: NDArray[np.uint8]) -> _Found:
    low = data[..., :128].reshape(*data.shape[:-1], 2, 64)
    high = data[..., 128:192].reshape(*data.shape[:-1], 2, 1, 32)
    upper = (high >> np.array([0, 2, 4, 6], dtype=np.uint8)[:, None]) & 3
    codes = _nibbles(low) | (upper << 4).reshape(*data.shape[:-1], 2, 128)
    scales = np.ascontiguousarray(data[..., 192:208]).view(np.int8).astype(np.float32) * _half(data, 208)
    return codes.reshape(*data.shape[:-1], 256), scales, -32 * scales


_UNPACKED: Mapping[str, tuple[Callable[[NDArray[np.uint8]], _Found], int]] = {
    "Q4_0": (_q4_0, 4),
    "Q4_1": (_q4_1, 4),
    "Q5_0": (_q5_0, 8),
    "Q5_1": (_q5_1, 8),
    "Q8_0": (_q8_0, 8),
    "Q4_K": (_q4_k, 4),
    "Q5_K": (_q5_k, 8),
    "Q6_K": (_q6_k, 8),
}
"""By type of GGML: what reads its blocks, and the bits in which a code is kept."""


def few_bits(parts: Sequence[Blocks | Codes]) -> FewBits:
    """Return the weights of projections that share their input, of types that are kept so."""
    read = [part if isinstance(part, Codes) else _codes_of(*part) for part in parts]
    most = max(part.num_bits for part in read)
    groups = max(part.scales.shape[1] for part in read)
    codes = [_packed(part.codes) if most == 4 else part.codes for part in read]
    scales, leasts = (
        np.concatenate([np.repeat(each, groups // each.shape[1], axis=1) for each in some])
        for some in ([part.scales for part in read], [part.leasts for part in read])
    )
    return FewBits(np.concatenate(codes).reshape(-1), scales, leasts, most)


def _codes_of(kind: Kind, data: NDArray[np.uint8]) -> Codes:
    read, num_bits = _UNPACKED[kind.name]
    found = read(data.reshape(len(data), -1, kind.block_bytes))
    codes, scales, leasts = (each.reshape(len(data), -1) for each in found)
    return Codes(codes, scales, leasts, num_bits)


def _packed(codes: NDArray[Any]) -> NDArray[Any]:
    """Codes of four bits, two a byte: of 32 the first 16 in the lower halves of 16 bytes."""
    halves = codes.reshape(len(codes), -1, 2, 16)
    packed: NDArray[Any] = halves[:, :, 0] | halves[:, :, 1] << 4
    return packed.reshape(len(codes), -1)


class FewBitsLinear:
    """A product with such weights.

    Attributes:
        weight: The weights.
    """

    __slots__ = ("_bias", "_outputs", "_parts", "weight")

    def __init__(self, weight: FewBits, bias: Tensor | None = None) -> None:
        self.weight = weight
        self._outputs = weight.num_outputs
        self._bias = None if bias is None else bias.detach()
        size, units = len(weight.codes) * 8 // weight.num_bits, len(weight.scales)
        count, lanes = max(1, min(torch.get_num_threads(), size // MIN_PART)), self._outputs // units
        bounds = [units * place // count for place in range(count + 1)]
        self._parts = [
            (
                tuple(weight.part(slice(first, end))),
                bits(torch.empty(0) if bias is None else bias.detach().float()[first * lanes : end * lanes]),
            )
            for first, end in pairwise(bounds)
        ]

    def __call__(self, rows: Tensor, dtype: torch.dtype | None = None) -> Tensor:
        """See `Linear`; in this type, if one is given."""
        dtype, (num_rows, inputs) = dtype or rows.dtype, rows.shape
        if num_rows <= MAX_ROWS or self.weight.is_tiled:
            if len(self._parts) == 1:
                return _product(rows, dtype, *self._parts[0])
            others = [_threads().submit(_product, rows, dtype, *part) for part in self._parts[1:]]
            first = _product(rows, dtype, *self._parts[0])
            return torch.cat([first, *(other.result() for other in others)], dim=1)
        computed = padded(rows)
        step = max(1, STEP_BYTES // (inputs * rows.element_size()))
        parts = [
            self._part(computed, first, min(step, self._outputs - first)) for first in range(0, self._outputs, step)
        ]
        return (parts[0] if len(parts) == 1 else torch.cat(parts, dim=1))[:num_rows].to(dtype)

    def _part(self, rows: Tensor, first: int, count: int) -> Tensor:
        """Some of the outputs."""
        weight = torch.empty((count, rows.shape[1]), dtype=rows.dtype)
        unpack_rows(*self.weight, first, bits(weight))
        return linear(rows, weight, None if self._bias is None else self._bias[first : first + count])


def _product(rows: Tensor, dtype: torch.dtype, weight: tuple[Any, ...], bias: NDArray[np.float32]) -> Tensor:
    out = torch.empty((rows.shape[0], FewBits(*weight).num_outputs), dtype=dtype)
    multiply_few_bits(bits(rows), weight, bias, bits(out))
    return out


@cache
def _threads() -> ThreadPoolExecutor:
    """As many as torch has beside the one that asks; the kernels run without the GIL."""
    return ThreadPoolExecutor(max_workers=max(1, torch.get_num_threads() - 1), thread_name_prefix="few-bits")


def _is_kept(found: Blocks | Codes) -> bool:
    return found.is_kept if isinstance(found, Codes) else found[0].name in KEPT


class FewBitsKind:
    """`FewBitsLinear`s of weights whose blocks or codes are known; all others are of another kind.

    Args:
        found: Blocks or codes of weights that are kept in few bits, by where their numbers lie.
        others: Of those that are not kept in few bits.
    """

    name: ClassVar[str] = "few bits"
    tolerance: ClassVar[float] = 0.05

    def __init__(self, found: Mapping[int, Blocks | Codes], others: LinearKind) -> None:
        self._found = {place: each for place, each in found.items() if _is_kept(each)}
        self._others = others

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """See `LinearKind`."""
        if not all(map(self.has, weights)):
            return self._others(weights, bias)
        # A weight may be let go as soon as it is packed, and another be where it was.
        packed = few_bits([self._found.pop(weight.data_ptr()) for weight in weights])
        if weights[0].device.type == "cuda":
            return GpuFewBitsLinear(*packed, bias, weights[0].device)
        if HAS_DOT_PRODUCTS and weights[0].dtype == torch.bfloat16:
            packed = packed.tiled() or packed
        return FewBitsLinear(packed, bias)

    @property
    def has_any(self) -> bool:
        """Whether any weight is kept in few bits."""
        return bool(self._found)

    def has(self, weight: Tensor) -> bool:
        """Return whether the weight is kept in few bits."""
        return weight.data_ptr() in self._found

    def applies(self, device: torch.device, dtype: torch.dtype) -> bool:
        """Return true on a CPU, in the types that its kernels compute, and where there is Triton."""
        if device.type != "cpu":
            return why_no_triton(device) is None
        return dtype in (torch.float32, torch.bfloat16)
