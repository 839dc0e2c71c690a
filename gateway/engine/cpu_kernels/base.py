"""The `kernel` decorator, which compiles a function and keeps it on disk, and conversions between number types."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from grammars.jit.machine_code import KernelCache

# Sums may be taken in any order and products fused into sums; nan and infinity stay what they are.
FAST = {"reassoc", "contract", "arcp", "nsz"}
Kernel = Callable[..., Any]


@cache
def _sources() -> str:
    """Return a digest of all kernels' sources, since they call each other."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def kernel(function: Kernel) -> Kernel:
    """Compiled on first use, kept on disk, run without the GIL."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy", fastmath=FAST)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(function, _sources())
    return compiled  # type: ignore[no-any-return]


@numba.njit(error_model="numpy")
def widened(number):
    """Return a bfloat16, given as its bits, as float32."""
    return np.uint32(np.uint32(number) << np.uint32(16)).view(np.float32)


@numba.njit(error_model="numpy")
def narrowed(number):
    """Return the bits of the nearest bfloat16, ties to even; nan stays nan."""
    whole = np.float32(number).view(np.uint32)
    if number != number:
        return np.uint16(0x7FC0)
    return np.uint16((whole + np.uint32(0x7FFF) + ((whole >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16))


@numba.njit(error_model="numpy")
def widened_fp8(number):
    """Return a float of eight bits (e4m3), given as its bits, as float32; nan stays nan."""
    whole = np.int32(number)
    rest = np.int32(whole & np.int32(0x7F))
    normal = np.int32((rest << np.int32(20)) + np.int32(120 << 23)).view(np.float32)
    value = np.float32(rest) * np.float32(2.0**-9) if rest < np.int32(8) else normal
    value = np.float32(np.nan) if rest == np.int32(0x7F) else value
    return -value if whole & np.int32(0x80) else value


def load(number: Any) -> Any:
    """Return an element of an array as float32."""


def store(number: Any, like: Any) -> Any:
    """Return a float32 in the type of the array element `like`."""


def rounded(number: Any, like: Any) -> Any:
    """Return a float32 rounded to the type of `like`."""


def singles(rows: Any) -> Any:
    """Return rows as float32: the same array, or a copy."""


@overload(load, inline="always")
def _load(number):
    if number == numba.uint8:
        return lambda number: widened_fp8(number)
    return (lambda number: widened(number)) if number == numba.uint16 else (lambda number: number)


@overload(store, inline="always")
def _store(number, like):
    return (
        (lambda number, like: narrowed(number)) if like == numba.uint16 else (lambda number, like: np.float32(number))
    )


@overload(rounded, inline="always")
def _rounded(number, like):
    if like == numba.uint16:
        return lambda number, like: widened(narrowed(number))
    return lambda number, like: np.float32(number)


@overload(singles)
def _singles(rows):
    if rows.dtype == numba.float32:
        return lambda rows: rows

    def copied(rows):
        out = np.empty(rows.shape, np.float32)
        for row in range(rows.shape[0]):
            for i in range(rows.shape[1]):
                out[row, i] = load(rows[row, i])
        return out

    return copied
