"""The one place where compilation options of the kernels are set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

i64 = np.int64
"""Scalars go from kernel to kernel as int64 alone: every further type of an argument is compiled once more."""

Kernel = Callable[..., Any]
"""Numba infers the types of a kernel from its calls."""


def kernel(function: Kernel) -> Kernel:
    """Compiles `function` on first use, keeps the machine code on disk, and runs it without the GIL."""
    compiled: Kernel = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled
