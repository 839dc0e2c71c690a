"""What compiled kernels are made with: how they are compiled and kept, and how they read and write numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from grammars.machine_code import KernelCache

# Sums may be taken in any order and products fused into sums; nan and infinity stay what they are.
FAST = {"reassoc", "contract", "arcp", "nsz"}
Kernel = Callable[..., Any]


@cache
def _sources() -> str:
    """Of all kernels, since they call each other."""
    files = sorted(Path(__file__).parent.glob("*kernel*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def kernel(function: Kernel) -> Kernel:
    """Compiled on first use, kept on disk, run without the GIL."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy", fastmath=FAST)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(function, _sources())
    return compiled  # type: ignore[no-any-return]


@numba.njit(error_model="numpy")
def widened(number):
    """The float32 that these bits of a bfloat16 mean."""
    return np.uint32(np.uint32(number) << np.uint32(16)).view(np.float32)


@numba.njit(error_model="numpy")
def narrowed(number):
    """The bits of the nearest bfloat16, even in a tie; nan stays nan."""
    whole = np.float32(number).view(np.uint32)
    if number != number:
        return np.uint16(0x7FC0)
    return np.uint16((whole + np.uint32(0x7FFF) + ((whole >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16))


def load(number: Any) -> Any:
    """An element of an array as float32."""


def store(number: Any, like: Any) -> Any:
    """A float32 as an element of the array that `like` is of."""


def rounded(number: Any, like: Any) -> Any:
    """A float32 as it would be after being stored there."""


def singles(rows: Any) -> Any:
    """Rows as float32; they are their own, or a copy."""


@overload(load, inline="always")
def _load(number):
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
