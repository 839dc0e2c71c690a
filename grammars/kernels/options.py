"""The one place where compilation options of the kernels are set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

i64 = np.int64
"""Scalars go from kernel to kernel as int64 alone: every further type of an argument is compiled once more."""

Kernel = Callable[..., Any]
"""Numba infers the types of a kernel from its calls."""


_FOLDERS = ("kernels", "network", "vocabulary", "frontends/json/plain", "frontends/regex")


def _sources_digest() -> str:
    """Digest of every file that a kernel or a constant of one stands in."""
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for file in sorted((package / folder).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


_DIGEST = _sources_digest()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that only kernels call, as it was written: it is optimized where it is called from.

    Numba optimizes and emits whatever it compiles together with all that this calls, so code was optimized as often as
    calls are nested. Should the hooks be named otherwise in another Numba, that is what happens again.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles for those kernels that call it: nothing is emitted, and nothing that Python could call."""

    def compile_extra(self, func: Any) -> Any:
        self.state.library = _PartLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.flags.no_compile = True
        compiled = super().compile_extra(func)
        # What stands for the machine code where callers look it up.
        compiled = compiled._replace(entry_point=object())
        compiled.target_context.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
        return compiled


class _Part(CPUDispatcher):  # type: ignore[misc]
    """What stands for a kernel that only kernels call."""

    def __call__(self, *arguments: Any) -> NoReturn:
        raise TypeError(f"{self.__qualname__} is called by kernels alone; mark it as an entry to call it from Python")

    def add_overload(self, compiled: Any) -> None:
        self.overloads[tuple(compiled.signature.args)] = compiled


def kernel(function: Kernel) -> Kernel:
    """A kernel that kernels call: it becomes part of each of them."""
    if numba.config.DISABLE_JIT:
        return function
    options = {"nopython": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _Part(py_func=function, targetoptions=options, pipeline_class=_PartCompiler)


def entry(function: Kernel) -> Kernel:
    """A kernel that Python calls, or kernels: it is compiled on first use and runs without the GIL.

    The machine code is kept on disk. Numba drops kept code when the file of the function changes, but a kernel also
    holds what it calls, and constants, of other files: the digest of all of them is made part of what Numba compares.
    """
    return _compiled(function, nogil=True)


def entry_holding_gil(function: Kernel) -> Kernel:
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
