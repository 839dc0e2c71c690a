"""Blocks of a tensor as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from gateway.errors import ModelLoadError
from gateway.gguf.blocks import KEPT, codes_of
from gateway.gguf.kinds import Kind

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
    """The numbers in some rows of a tensor. Shapes: data [rows, bytes of a row], returns [rows, numbers of a row].

    Raises:
        ModelLoadError: What reads blocks is not installed.
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
