"""`Compiler`: constraints to compiled grammars, each compiled once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any

from grammars.compiled import CompiledGrammar
from grammars.frontends.base import Constraint
from grammars.frontends.choice import Choice
from grammars.frontends.json.rehearsal import rehearse
from grammars.frontends.types import constraint_of
from grammars.kernels.recycling import Memories
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.network import Network
from grammars.vocabulary.vocabulary import Vocabulary


class Compiler:
    """Compiles constraints for one vocabulary.

    Thread-safe. The same constraint asked for by several threads is compiled once (the others wait), and kept in a
    cache bounded by `Limits.max_compiled` and `Limits.max_compiled_states`, the least recently used dropped first.

    Args:
        vocabulary: what the masks are over.
        limits: bounds for each constraint and for the cache.
    """

    def __init__(self, vocabulary: Vocabulary, limits: Limits | None = None) -> None:
        self.vocabulary = vocabulary
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._cache: OrderedDict[bytes, CompiledGrammar] = OrderedDict()
        self._under_way: dict[bytes, Future[CompiledGrammar]] = {}
        self._num_states = 0
        self._memories = Memories()
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
                self._cache.move_to_end(key)
                return kept
            future = self._under_way.get(key)
            mine = future is None
            if future is None:
                future = self._under_way[key] = Future()
        if not mine:
            return future.result()
        return self._compile_now(key, constraint, future)

    def load(self, data: bytes) -> CompiledGrammar:
        """The constraint whose `CompiledGrammar.to_bytes` is `data`."""
        return CompiledGrammar(Network.from_bytes(data), self.vocabulary, self.limits, self._memories)

    def _compile_now(self, key: bytes, constraint: Constraint, future: Future[CompiledGrammar]) -> CompiledGrammar:
        try:
            builder = NetworkBuilder(self.limits)
            root = constraint.emit(builder)
            network = builder.finish(root, self.vocabulary.tables)
            compiled = CompiledGrammar(network, self.vocabulary, self.limits, self._memories)
        except BaseException as error:
            with self._lock:
                del self._under_way[key]
            future.set_exception(error)
            # The exception is raised here; a waiting thread gets it through the future.
            future.exception()
            raise
        with self._lock:
            del self._under_way[key]
            self._keep(key, compiled)
        future.set_result(compiled)
        return compiled

    def _keep(self, key: bytes, compiled: CompiledGrammar) -> None:
        self._cache[key] = compiled
        self._num_states += compiled.network.num_states
        limits = self.limits
        while len(self._cache) > 1 and (
            len(self._cache) > limits.max_compiled or self._num_states > limits.max_compiled_states
        ):
            _, dropped = self._cache.popitem(last=False)
            self._num_states -= dropped.network.num_states
