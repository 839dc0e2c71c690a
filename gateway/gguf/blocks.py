"""Tensor types of GGUF: layouts of their blocks, as numbers or as codes that the engine computes with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gateway.errors import ModelLoadError


class Kind(NamedTuple):
    """Layout of a tensor type.

    Attributes:
        block: Numbers in a block.
        block_bytes: Bytes of a block.
    """

    name: str
    block: int
    block_bytes: int


KINDS = {
    0: Kind("F32", 1, 4),
    1: Kind("F16", 1, 2),
    2: Kind("Q4_0", 32, 18),
    3: Kind("Q4_1", 32, 20),
    6: Kind("Q5_0", 32, 22),
    7: Kind("Q5_1", 32, 24),
    8: Kind("Q8_0", 32, 34),
    10: Kind("Q2_K", 256, 84),
    11: Kind("Q3_K", 256, 110),
    12: Kind("Q4_K", 256, 144),
    13: Kind("Q5_K", 256, 176),
    14: Kind("Q6_K", 256, 210),
    16: Kind("IQ2_XXS", 256, 66),
    17: Kind("IQ2_XS", 256, 74),
    18: Kind("IQ3_XXS", 256, 98),
    19: Kind("IQ1_S", 256, 50),
    20: Kind("IQ4_NL", 32, 18),
    21: Kind("IQ3_S", 256, 110),
    22: Kind("IQ2_S", 256, 82),
    23: Kind("IQ4_XS", 256, 136),
    29: Kind("IQ1_M", 256, 56),
    30: Kind("BF16", 1, 2),
    34: Kind("TQ1_0", 256, 54),
    35: Kind("TQ2_0", 256, 66),
    39: Kind("MXFP4", 32, 17),
    40: Kind("NVFP4", 64, 36),
}
"""Types that are dequantized."""


PLAIN = frozenset({"F32", "F16", "BF16"})
"""Types that are read without the package."""


def check_installed(kinds: Iterable[str]) -> None:
    """Raise unless these types can be read.

    Raises:
        ModelLoadError: Names one that cannot, and the extra with which it can.
    """
    in_blocks = sorted(set(kinds) - PLAIN - KEPT)
    if in_blocks and find_spec("gguf") is None:
        raise ModelLoadError(
            f"to read weights of the type {in_blocks[0]} takes the package 'gguf': pip install 'portcullis[gguf]'"
        )


def numbers(kind: Kind, data: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the numbers of some rows. Shapes: data [rows, bytes of a row], returns [rows, numbers of a row].

    Raises:
        ModelLoadError: The library for this type is not installed.
    """
    if kind.name == "F32":
        return data.view(np.float32).copy()
    if kind.name == "F16":
        return data.view(np.float16).astype(np.float32)
    if kind.name == "BF16":
        return (data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    if kind.name in KEPT:
        return codes_of(kind, data).whole()
    check_installed([kind.name])
    from gguf import GGMLQuantizationType
    from gguf.quants import dequantize

    # As one row: the package makes numbers of sixteen rows at a time, which are few of a small model.
    found: NDArray[np.float32] = dequantize(data.reshape(1, -1), GGMLQuantizationType[kind.name])
    return found.reshape(len(data), -1)


Bytes = NDArray[np.uint8]
"""Blocks of some outputs. Shapes: [outputs, blocks, bytes of a block]."""

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

    def whole(self) -> NDArray[np.float32]:
        """Return the weight. Shapes: [outputs, inputs]."""
        outputs, groups = self.scales.shape
        grouped = self.codes.reshape(outputs, groups, -1) * self.scales[..., None] + self.leasts[..., None]
        return grouped.reshape(outputs, -1)


def codes_of(kind: Kind, data: NDArray[np.uint8]) -> Codes:
    """Return the codes of a weight of one of the types of `KEPT`. Shapes: data [outputs, bytes of an output]."""
    read, num_bits = _READ[kind.name]
    found = read(data.reshape(len(data), -1, kind.block_bytes))
    codes, scales, leasts = (each.reshape(len(data), -1) for each in found)
    return Codes(codes, scales, leasts, num_bits)


def _half(data: Bytes, at: int) -> NDArray[np.float32]:
    """Return a number of two bytes in each block. Shapes: returns [outputs, blocks, 1]."""
    found: NDArray[np.float32] = np.ascontiguousarray(data[..., at : at + 2]).view(np.float16).astype(np.float32)
    return found


def _nibbles(data: NDArray[Any]) -> NDArray[Any]:
    """Return the lower halves of all bytes, then the upper ones."""
    return np.concatenate((data & 15, data >> 4), axis=-1)


def _q4_0(data: Bytes) -> _Found:
    scale = _half(data, 0)
    return _nibbles(data[..., 2:]), scale, -8 * scale


def _q4_1(data: Bytes) -> _Found:
    return _nibbles(data[..., 4:]), _half(data, 0), _half(data, 2)


def _fifth_bits(data: Bytes) -> NDArray[Any]:
    return np.unpackbits(data, axis=-1, bitorder="little") << 4


def _q5_0(data: Bytes) -> _Found:
    scale = _half(data, 0)
    return _nibbles(data[..., 6:]) | _fifth_bits(data[..., 2:6]), scale, -16 * scale


def _q5_1(data: Bytes) -> _Found:
    return _nibbles(data[..., 8:]) | _fifth_bits(data[..., 4:8]), _half(data, 0), _half(data, 2)


def _q8_0(data: Bytes) -> _Found:
    scale = _half(data, 0)
    return data[..., 2:] ^ 128, scale, -128 * scale


def _of_eight(data: Bytes) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Scales and least numbers of the eight groups of a block of 256: six bits each, in twelve bytes."""
    scale, least, packed = _half(data, 0), _half(data, 2), data[..., 4:16]
    low, middle, high = packed[..., :4], packed[..., 4:8], packed[..., 8:]
    scales = np.concatenate((low & 63, (high & 15) | (low >> 6) << 4), axis=-1)
    leasts = np.concatenate((middle & 63, (high >> 4) | (middle >> 6) << 4), axis=-1)
    return scale * scales.astype(np.float32), -least * leasts.astype(np.float32)


def _pairs(data: NDArray[Any]) -> NDArray[Any]:
    """Return the lower halves of each 32 bytes, then the upper ones."""
    return _nibbles(data.reshape(*data.shape[:-1], -1, 32)).reshape(*data.shape[:-1], -1)


def _q4_k(data: Bytes) -> _Found:
    return _pairs(data[..., 16:]), *_of_eight(data)


def _q5_k(data: Bytes) -> _Found:
    fifth = (data[..., None, 16:48] >> np.arange(8, dtype=np.uint8)[:, None]) & 1
    return _pairs(data[..., 48:]) | (fifth << 4).reshape(*data.shape[:-1], 256), *_of_eight(data)


def _q6_k(data: Bytes) -> _Found:
    low = data[..., :128].reshape(*data.shape[:-1], 2, 64)
    high = data[..., 128:192].reshape(*data.shape[:-1], 2, 1, 32)
    upper = (high >> np.array([0, 2, 4, 6], dtype=np.uint8)[:, None]) & 3
    codes = _nibbles(low) | (upper << 4).reshape(*data.shape[:-1], 2, 128)
    scales = np.ascontiguousarray(data[..., 192:208]).view(np.int8).astype(np.float32) * _half(data, 208)
    return codes.reshape(*data.shape[:-1], 256), scales, -32 * scales


_READ: Mapping[str, tuple[Callable[[Bytes], _Found], int]] = {
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

KEPT = frozenset(_READ)
"""Types that the engine computes with directly."""
