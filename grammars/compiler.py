"""`Compiler`: constraints to compiled grammars, each compiled once."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import Future
from typing import Any

from grammars.compiled import CompiledGrammar
from grammars.errors import TooComplexError
from grammars.frontends.base import Constraint
from grammars.frontends.choice import Choice
from grammars.frontends.json.rehearsal import rehearse
from grammars.frontends.regex.effort import shared_effort
from grammars.frontends.types import constraint_of
from grammars.kernels.recycling import Memories
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.network import Network
from grammars.trimming import Trimming
from grammars.vocabulary.vocabulary import Vocabulary
from grammars.weighted import WeightedCache


class Compiler:
    """Compiles constraints for one vocabulary.

    Thread-safe. The same constraint asked for by several threads is compiled once (the others wait), and kept in a
    cache bounded by `Limits.max_compiled` and `Limits.max_compiled_bytes`, the least recently used dropped first.

    Args:
        vocabulary: what the masks are over.
        limits: bounds for each constraint and for the cache.
    """

    def __init__(self, vocabulary: Vocabulary, limits: Limits | None = None) -> None:
        self.vocabulary = vocabulary
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._cache: WeightedCache[bytes, CompiledGrammar] = WeightedCache(
            self.limits.max_compiled_bytes, self.limits.max_compiled, _weight
        )
        self._under_way: dict[bytes, Future[CompiledGrammar]] = {}
        self._memories = Memories()
        self._trimming = Trimming()
        self._partitions = vocabulary.partitions
        self.compile(Choice([""])).rehearse()
        rehearse()

    def compile(self, spec: Any) -> CompiledGrammar:
        """The constraint compiled, from the cache when it is there.

        Args:
            spec: a constraint, a Python type or a term of `outlines.types`, see `constraint_of`.

        Raises:
            GrammarError: one of InvalidGrammarError, UnsupportedError, UnsatisfiableError, TooComplexError.
        """
        constraint = constraint_of(spec)
        key = hashlib.sha256(constraint.cache_key().encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            kept = self._cache.get(key)
            if kept is not None:
                return kept
            future = self._under_way.get(key)
            mine = future is None
            if future is None:
                future = self._under_way[key] = Future()
        try:
            return self._compile_now(key, constraint, future) if mine else future.result()
        finally:
            # A future that holds an error must not be held by a frame of that error's traceback.
            del future

    def load(self, data: bytes) -> CompiledGrammar:
        """The constraint whose `CompiledGrammar.to_bytes` is `data`."""
        self._follow_partitions()
        return CompiledGrammar(Network.from_bytes(data), self.vocabulary, self.limits, self._memories)

    @property
    def num_kept_bytes(self) -> int:
        """Memory of the constraints that are kept for those who ask again."""
        return self._cache.num_bytes

    def _compile_now(self, key: bytes, constraint: Constraint, future: Future[CompiledGrammar]) -> CompiledGrammar:
        try:
            builder = NetworkBuilder(self.limits)
            with self._trimming.after(), shared_effort():
                root = _emitted(constraint, builder)
                network = builder.finish(root, self.vocabulary.tables)
            self._follow_partitions()
            compiled = CompiledGrammar(network, self.vocabulary, self.limits, self._memories)
        except BaseException as error:
            with self._lock:
                del self._under_way[key]
            future.set_exception(error)
            # The exception is raised here; a waiting thread gets it through the future.
            future.exception()
            raise
        else:
            with self._lock:
                del self._under_way[key]
                self._cache.put(key, compiled)
            future.set_result(compiled)
            return compiled
        finally:
            # See `compile`: everything that a failed constraint was made of would wait for the garbage collector.
            del future

    def _follow_partitions(self) -> None:
        """Lets go of everything that uses partitions of an older generation."""
        with self._lock:
            partitions = self.vocabulary.renew_partitions()
            if partitions is self._partitions:
                return
            self._partitions, self._memories = partitions, Memories()
        self._cache.clear()


def _emitted(constraint: Constraint, builder: NetworkBuilder) -> int:
    try:
        return constraint.emit(builder)
    except RecursionError:
        limit = builder.limits.max_depth
        raise TooComplexError("max_depth", limit + 1, limit) from None


def _weight(compiled: CompiledGrammar) -> int:
    return compiled.network.num_bytes + compiled.num_bytes
