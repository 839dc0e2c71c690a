"""The one place where compilation options of the kernels are set."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from grammars.jit.aot import watched
from grammars.jit.machine_code import KernelCache

i64 = np.int64
"""Scalars go from kernel to kernel as int64 alone: every further type of an argument is compiled once more."""

Kernel = Callable[..., Any]
"""Numba infers the types of a kernel from its calls."""


_NO_SOURCES = frozenset({"grammars.jit.aot", "grammars.jit.machine_code", "grammars.byte_bounded_cache"})
"""They say how code is made and kept, not what it is."""
_IMPORT = re.compile(r"^from (grammars[\w.]*) import", re.MULTILINE)
_PACKAGES = Path(__file__).resolve().parents[2]


def _sources_digest(module: str) -> str:
    """Digest of the module's file and of all that it imports of this package: what its kernels are made of is there."""
    found, wanted, digest = {module}, [module], hashlib.sha256()
    while wanted:
        text = _source(wanted.pop())
        new = set(_IMPORT.findall(text)) - found - _NO_SOURCES
        found |= new
        wanted += new
    for name in sorted(found):
        digest.update(_source(name).encode())
    return digest.hexdigest()


@cache
def _source(module: str) -> str:
    """The text of a module; of a package, from which modules are imported, that of all of them."""
    path = _PACKAGES.joinpath(*module.split("."))
    files = sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return "".join(file.read_text(encoding="utf-8") for file in files)


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
    """Dispatcher of a kernel that only kernels call."""

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

    The machine code is kept on disk. A kernel also holds what it calls, and constants, of files that this one imports:
    code of other sources than theirs is not used.
    """
    return _compiled(function, nogil=True)


def entry_holding_gil(function: Kernel) -> Kernel:
    """The same for what mostly takes less time than letting go of the GIL and getting it back."""
    return _compiled(function, nogil=False)


def _compiled(function: Kernel, nogil: bool) -> Kernel:
    if numba.config.DISABLE_JIT:
        return watched(function)
    compiled: Any = numba.njit(nogil=nogil, error_model="numpy")(function)
    compiled._cache = KernelCache(function, _sources_digest(function.__module__))
    return compiled  # type: ignore[no-any-return]


class FastCall:
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
