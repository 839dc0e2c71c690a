"""Machine code on disk: what Numba would keep, read with less work and less trust.

A kernel is looked for where it was compiled on this machine, then where it was compiled ahead, with the package, for
every processor of a baseline. A file holds a digest and then the pickle of a compiled kernel. It is named after all
that the code depends on, so what was made of other sources is never opened. Unpickling may run anything, so only files
are read that are writable only for users who may write the sources.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numba
from llvmlite import binding
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

logger = logging.getLogger(__name__)

_FORMAT = 1
_DIGEST_BYTES = hashlib.sha256().digest_size


class NotCompiledError(Exception):
    """A kernel is not on disk, where it was asked for not to be compiled."""


_may_compile = True


@contextmanager
def only_loading() -> Iterator[None]:
    """No kernel is compiled in here: the first that would be raises `NotCompiledError`. For one thread at a time."""
    global _may_compile
    _may_compile = False
    try:
        yield
    finally:
        _may_compile = True


class Baseline(NamedTuple):
    """Processors that kernels are compiled ahead for.

    Attributes:
        name, features: As LLVM and Numba take them.
        needs: What LLVM must find in a processor; the code would end in an illegal instruction elsewhere.
    """

    name: str
    features: str
    needs: frozenset[str]


_V3 = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sse4.1 sse4.2 ssse3 xsave"
BASELINES = {
    "x86_64": Baseline("x86-64-v3", "+avx2,+fma", frozenset(_V3.split())),
    "aarch64": Baseline("generic", "+neon", frozenset()),
}
"""By machine, as `platform.machine` names it."""


@functools.cache
def baseline() -> Baseline | None:
    """The baseline that this processor has; None below all of them."""
    found = BASELINES.get(platform.machine())
    has = binding.get_host_cpu_features() if found is not None and found.needs else {}
    return found if found is not None and all(has.get(need) for need in found.needs) else None


def user_folder() -> Path:
    """Return this user's folder: `$PORTCULLIS_CACHE`, else `$XDG_CACHE_HOME/portcullis`, else under home."""
    configured = os.environ.get("PORTCULLIS_CACHE")
    if configured:
        return Path(configured)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "portcullis"


@functools.cache
def _digest_of(file: str, modified: int) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _short(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


class LoadedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code that was kept. Its intermediate code, many times as large, is read where another kernel needs it."""

    reread: Callable[[], bytes]
    _shared_module: Any

    @classmethod
    def of(cls, codegen: Any, data: Any, symbols: tuple[str, ...], reread: Callable[[], bytes]) -> LoadedLibrary:
        """Linked, and ready to be called."""
        name, _, (machine_code, _) = data
        self = cls(codegen, name)
        self.reread = reread
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return self

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self.reread())
        return self._shared_module


class KernelCache(NullCache):  # type: ignore[misc]
    """The machine code of one kernel.

    Args:
        function: The kernel.
        sources: Says of what its code, and that of all it calls, is made.
    """

    def __init__(self, function: Callable[..., Any], sources: str) -> None:
        code = function.__code__
        self._source = Path(code.co_filename)
        self._sources = sources
        self._line = code.co_firstlineno
        self._name = f"{self._source.stem}.{function.__qualname__}".replace("<locals>.", "")
        self.is_kept = self._source.is_file()

    @property
    def cache_path(self) -> str:
        """The folder beside the sources; if not writable, another is used."""
        return str(self._source.parent / "__pycache__")

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The kept code; None where there is none that can be used."""
        for path in self._paths(signature, target.codegen().magic_tuple()) if self.is_kept else ():
            try:
                payload = self._read(path)
                if payload is not None:
                    return self._rebuilt(payload, target, path)
            except FileNotFoundError:
                continue
            except Exception as error:  # whatever a damaged file brings about
                logger.warning("compiling %s anew: what was kept of it is damaged (%s)", self._name, error)
                with suppress(OSError):
                    path.unlink()
        if not _may_compile:
            raise NotCompiledError(self._name)
        return None

    def has_overload(self, signature: Any, target: Any) -> bool:
        """True if there is code of it on disk."""
        return any(path.is_file() for path in self._paths(signature, target.codegen().magic_tuple()))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep it, where there is a folder that can be written to; older code of the same kernel goes."""
        if not self.is_kept or compiled.library.has_dynamic_globals:
            return
        described = compiled.fndesc
        symbols = tuple(
            getattr(described, f"llvm_{name}") for name in ("func_name", "cpython_wrapper_name", "cfunc_wrapper_name")
        )
        libdata, fndesc, env, of, objectmode, lifted, _, reload_init, envs = compiled._reduce()
        data = dumps((symbols, (libdata, fndesc, env, of, objectmode, lifted, "", reload_init, envs)))
        for folder in self._folders():
            path = folder / self._file(signature, compiled.codegen.magic_tuple())
            try:
                folder.mkdir(mode=0o755, parents=True, exist_ok=True)
                with tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False) as file:
                    file.write(hashlib.sha256(data).digest() + data)
                os.chmod(file.name, 0o644)
                os.replace(file.name, path)
            except OSError:
                continue
            for old in folder.glob(f"{path.name.rpartition('-')[0]}-*.nbc"):
                if old != path:
                    old.unlink(missing_ok=True)
            return
        logger.warning("no folder can be written to: kernels are compiled at every start")

    def _folders(self) -> Iterator[Path]:
        """Yield the folders for code of this machine, best first."""
        place = self._source.parent
        configured = numba.config.CACHE_DIR
        if configured:
            yield Path(configured) / f"{place.name}_{_short(place.resolve())}"
        else:
            yield place / "__pycache__"
            yield user_folder() / "kernels" / f"{place.name}_{_short(place.resolve())}"

    def _paths(self, signature: Any, magic: tuple[str, str, str]) -> Iterator[Path]:
        name = self._file(signature, magic)
        yield from (folder / name for folder in self._folders())
        ahead = baseline()
        if ahead is not None:
            yield Path(self.cache_path) / self._file(signature, (magic[0], ahead.name, ahead.features))

    def _file(self, signature: Any, magic: tuple[str, str, str]) -> str:
        source = _digest_of(str(self._source), self._source.stat().st_mtime_ns)
        made_of = _FORMAT, self._line, source, self._sources, numba.__version__
        return f"{self._name}.{sys.implementation.cache_tag}-{_short(signature, *magic)}-{_short(*made_of)}.nbc"

    def _read(self, path: Path) -> Any:
        """Return the content of the file; None if others may write it."""
        with path.open("rb") as file:
            if not _is_safe(os.fstat(file.fileno()), self._source) or not _is_safe(
                path.parent.stat(), self._source.parent
            ):
                logger.warning("compiling %s: others may write to %s", self._name, path)
                return None
            digest, data = file.read(_DIGEST_BYTES), file.read()
        if hashlib.sha256(data).digest() != digest:
            raise ValueError("the digest is another one")
        return pickle.loads(data)  # noqa: S301  see above

    def _rebuilt(self, payload: Any, target: Any, path: Path) -> CompileResult:
        symbols, (libdata, fndesc, env, signature, objectmode, lifted, typeann, reload_init, envs) = payload
        # Of what numba does before it compiles, all that code needs to run.
        rtsys.initialize(target)
        for initialize in reload_init:
            initialize()
        codegen = target.codegen()
        library = LoadedLibrary.of(codegen, libdata, symbols, lambda: self._read(path)[1][0][2][1])
        compiled = CompileResult(
            target_context=target,
            typing_context=target.typing_context,
            library=library,
            environment=env,
            entry_point=target.get_executable(library, fndesc, env),
            fndesc=fndesc,
            type_annotation=typeann,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=envs,
        )
        for referenced in envs:
            codegen.set_env(referenced.env_name, referenced)
        return compiled


def _is_safe(found: os.stat_result, source: Path) -> bool:
    """True if everyone who may write it may write the source too."""
    trusted = source.stat()
    return found.st_uid in (os.geteuid(), trusted.st_uid, 0) and not found.st_mode & 0o022 & ~trusted.st_mode
