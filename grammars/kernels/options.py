"""The one place where compilation options of the kernels are set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

i64 = np.int64
"""Scalars go from kernel to kernel as int64 alone: every further type of an argument is compiled once more."""

Kernel = Callable[..., Any]
"""Numba infers the types of a kernel from its calls."""


_FOLDERS = ("kernels", "network", "vocabulary", "frontends/json/plain")


def _sources_digest() -> str:
    """Digest of every file that a kernel or a constant of one stands in."""
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for file in sorted((package / folder).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


_DIGEST = _sources_digest()


def kernel(function: Kernel) -> Kernel:
    """Compiles `function` on first use, keeps the machine code on disk, and runs it without the GIL.

    Numba drops kept code when the file of the function changes, but a kernel also holds what it calls, and constants,
    of other files: the digest of all of them is made part of what numba compares.
    """
    return _compiled(function, nogil=True)


def kernel_holding_gil(function: Kernel) -> Kernel:
    """The same for what mostly takes less time than letting go of the GIL and getting it back."""
    return _compiled(function, nogil=False)


def _compiled(function: Kernel, nogil: bool) -> Kernel:
    compiled: Any = numba.njit(cache=True, nogil=nogil, error_model="numpy")(function)
    if not numba.config.DISABLE_JIT:
        file = compiled._cache._cache_file
        # Compared before anything else is read, for types of other sources may not exist any more.
        file._version = (file._version, _DIGEST)
    return compiled  # type: ignore[no-any-return]


class Entry:
    """A kernel that is called from Python once a token: without the search for the version that fits the arguments.

    The types of the arguments are those of the first call, for ever.
    """

    __slots__ = ("_kernel", "call")

    def __init__(self, function: Kernel) -> None:
        self._kernel = function
        self.call: Kernel = self._first

    def _first(self, *arguments: Any) -> Any:
        answer = self._kernel(*arguments)
        versions = list(getattr(self._kernel, "overloads", {}).values())
        if len(versions) == 1:
            self.call = versions[0].entry_point
        return answer
