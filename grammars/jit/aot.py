"""Kernels compiled before anything waits for them, by as many processes as there are cores.

Numba learns the types of a kernel from its first call, whose arguments other kernels have made: compiled in this order,
one waits for the other. So a process that compiles nothing first runs them as Python and notes what each is called
with; then all can be compiled at once. What calls them afterwards finds machine code on disk.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from subprocess import PIPE, Popen
from types import CodeType, FunctionType
from typing import Any

from numba import config
from numba.core.typing.typeof import Purpose, typeof

from grammars.jit.machine_code import NotCompiledError, only_loading

Types = tuple[Any, ...]
Noted = dict[tuple[str, str], dict[Types, None]]
"""Types of arguments by module and name of a kernel."""

_noted: Noted | None = None


def watched(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel as Python, for runs with compilation switched off; what it is called with can be noted."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        global _noted
        noted = _noted
        if noted is None:
            return function(*arguments)
        types = tuple(typeof(argument, Purpose.argument) for argument in arguments)
        noted.setdefault((function.__module__, function.__name__), {})[types] = None
        # What a kernel calls becomes part of it.
        _noted = None
        try:
            return function(*arguments)
        finally:
            _noted = noted

    return call


def make_ready(uses: Sequence[str], progress: Callable[[str], None]) -> None:
    """Have all kernels on disk, and those that the first of the uses calls loaded. What is missing is compiled in other
    processes: the memory that compiling takes is never given back.

    Args:
        uses, progress: See `compile_kernels`.
    """
    first, *others = (_function(use) for use in uses)
    try:
        with only_loading():
            first()
        if config.DISABLE_JIT or all(_is_kept(key, types) for other in others for key, types in other().items()):
            return
    except NotCompiledError:
        pass
    command = [sys.executable, "-P", "-m", "grammars.warmup", *uses]
    with Popen(command, stderr=PIPE, text=True) as process:  # noqa: S603  the command is the program's own
        for line in process.stderr or ():
            progress(line.rstrip())
    if process.returncode:
        progress("the kernels could not be compiled ahead; each is compiled on its first use")
    first()


def _function(use: str) -> Callable[[], Any]:
    module, _, name = use.partition(":")
    found: Callable[[], Any] = getattr(import_module(module), name)
    return found


def _is_kept(key: tuple[str, str], signatures: Iterable[Types]) -> bool:
    kernel = getattr(import_module(key[0]), key[1])
    return all(kernel._cache.has_overload(types, kernel.targetctx) for types in signatures)


def compile_kernels(
    uses: Sequence[str], progress: Callable[[str], None] = lambda told: None, num_processes: int | None = None
) -> None:
    """Have the machine code of kernels on disk.

    Args:
        uses: Functions, as "module:name", that call all kernels as they will be called, or return the types of the
            arguments that they will have.
        progress: Called with a short message about the current work.
        num_processes: At a time; None: one for each core.
    """
    cores = num_processes or len(os.sched_getaffinity(0))
    progress("compiling the kernels: finding out which (once on a machine)")
    with _not_compiling(), _pool(1) as one:
        tasks: list[tuple[int, str, Noted]] = one.submit(_tasks, uses).result()
    total = sum(len(noted) for _, _, noted in tasks)
    done = 0
    with _pool(min(cores, len(tasks))) as pool:
        for future in as_completed([pool.submit(_compile, noted) for _, _, noted in tasks]):
            done += future.result()
            progress(f"compiling the kernels: {done} of {total}")


def _pool(size: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(size, mp_context=get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Make this process end with the one that started it, however that ends: it would wait for work for ever."""

    def watch(parent: BaseProcess) -> None:
        parent.join()
        os._exit(1)

    parent = parent_process()
    assert parent is not None
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


@contextmanager
def _not_compiling() -> Iterator[None]:
    """Processes that are started here run kernels as Python."""
    before = os.environ.get("NUMBA_DISABLE_JIT")
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        yield
    finally:
        del os.environ["NUMBA_DISABLE_JIT"]
        if before is not None:
            os.environ["NUMBA_DISABLE_JIT"] = before


def _tasks(uses: Iterable[str]) -> list[tuple[int, str, Noted]]:
    """Return the kernels to compile by module, largest first: kernels of one module share most of their parts."""
    global _noted
    warnings.simplefilter("ignore")  # the hashes of kernels overflow on purpose
    noted = _noted = {}
    for use in uses:
        noted.update(_function(use)() or {})
    _noted = None
    modules = sorted({module for module, _ in noted})
    groups = [{key: types for key, types in noted.items() if key[0] == module} for module in modules]
    return sorted(((_size(group), module, group) for module, group in zip(modules, groups, strict=True)), reverse=True)


def _size(group: Noted) -> int:
    """Bytes of Python's own code of the kernels and all that they call."""
    found: dict[CodeType, int] = {}
    wanted = [getattr(import_module(module), name) for module, name in group]
    while wanted:
        function = wanted.pop()
        function = getattr(function, "__wrapped__", function)
        if isinstance(function, FunctionType) and function.__code__ not in found:
            found[function.__code__] = len(function.__code__.co_code)
            wanted += [function.__globals__.get(name) for name in function.__code__.co_names]
    return sum(found.values())


def _compile(noted: Noted) -> int:
    """Have these kernels compiled; how many they are."""
    for (module, name), signatures in noted.items():
        for types in signatures:
            getattr(import_module(module), name).compile(types)
    return len(noted)
