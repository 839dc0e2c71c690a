"""`Compiler`: constraints to compiled grammars, each compiled once."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from traceback import clear_frames
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from grammars.byte_bounded_cache import ByteBoundedCache
from grammars.compiled import CompiledGrammar
from grammars.errors import TooComplexError, UnsatisfiableError
from grammars.frontends.base import Constraint, Kept, Once
from grammars.frontends.combined import Choice, Concat, Either
from grammars.frontends.fault import find_fault
from grammars.frontends.json import JsonSchema
from grammars.frontends.json.validation.value_checks import last_item
from grammars.frontends.regex.dfa import Effort
from grammars.frontends.structural_tag import StructuralTag
from grammars.frontends.types import constraint_of
from grammars.kernels.arena import memories_of
from grammars.limits import DEFAULT_LIMITS, Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.network import Network
from grammars.process_memory import freeze_gc, trim_heap
from grammars.vocabulary.vocabulary import Vocabulary

# Begins the keys of constraints that were loaded; those of constraints that were compiled begin otherwise.
_LOADED = "loaded "
# Constraints made between two looks at how much memory all of them take; they may grow meanwhile.
_UNWEIGHED = 32
# Reused networks have most of the parts, and at most this many other states, or as many as they need.
_LOOKED_AT, _FEW_STATES = 4, 1_000


class Compiler:
    """Compiler of constraints for one vocabulary.

    Thread-safe. The same constraint asked for by several threads is compiled once (the others wait), and kept in a
    cache bounded by `Limits.max_compiled` and `Limits.max_compiled_bytes`, the least recently used dropped first.

    Args:
        vocabulary: what the masks are over.
        limits: bounds for each constraint and for the cache.
    """

    def __init__(self, vocabulary: Vocabulary, limits: Limits | None = None) -> None:
        self.vocabulary = vocabulary
        self.limits = limits or DEFAULT_LIMITS
        self._lock = threading.Lock()
        self._cache: ByteBoundedCache[str, CompiledGrammar] = ByteBoundedCache(
            self.limits.max_compiled_bytes, self.limits.max_compiled, _weight
        )
        self._under_way: dict[str, _Compilation] = {}
        self._held: WeakSet[CompiledGrammar] = WeakSet()
        self._num_held_bytes = self._num_unweighed = 0
        self._memories = memories_of(vocabulary, self.limits)
        self._fragments = _FragmentCache()
        self._is_trim_due = False
        self._partitions = vocabulary.partitions
        self.compile(Choice([""])).warm_up()
        _load_kernels()
        freeze_gc()

    def compile(self, spec: Any) -> CompiledGrammar:
        """Return the compiled constraint, from the cache if it is there.

        Args:
            spec: a constraint, a Python type or a term of `outlines.types`, see `constraint_of`.

        Raises:
            GrammarError: one of InvalidGrammarError, UnsupportedError, UnsatisfiableError, TooComplexError.
        """
        constraint = constraint_of(spec)
        key = constraint.cache_key()
        if len(key) > self.limits.max_schema_bytes:
            # Too large for most constraints; whether for this one is for `emit` to say. It is not kept.
            return self._made(constraint)
        with self._lock:
            kept = self._cache.get(key)
            if kept is not None:
                return kept
            compilation = self._under_way.get(key)
            is_under_way = compilation is not None
            if compilation is None:
                compilation = self._under_way[key] = _Compilation()
        try:
            return compilation.result() if is_under_way else self._compile_now(key, constraint, compilation)
        finally:
            if self._is_trim_due:
                self._is_trim_due = False
                trim_heap()
            # A compilation that holds an error must not be held by a frame of that error's traceback.
            del compilation

    def load(self, data: bytes, key: str | None = None) -> CompiledGrammar:
        """Return the constraint whose `CompiledGrammar.to_bytes` is `data`.

        Args:
            key: names the data; with it the constraint is kept like one that was compiled, and found by the same key.
                None: it is made again.
        """
        key = None if key is None else f"{_LOADED}{key}"
        kept = None if key is None else self._cache.get(key)
        if kept is not None:
            return kept
        compiled = self._ready(Network.from_bytes(data))
        if key is not None:
            self._cache.put(key, compiled)
        return compiled

    def _compile_now(self, key: str, constraint: Constraint, compilation: _Compilation) -> CompiledGrammar:
        outer = sys.exc_info()[1]
        try:
            compiled = self._made(constraint)
            self._cache.put(key, compiled)
            compilation.compiled = compiled
            return compiled
        except BaseException as error:
            _let_go(error, outer)
            compilation.error = error
            raise
        finally:
            with self._lock:
                del self._under_way[key]
            compilation.is_under_way.release()
            # See `compile`: everything that a failed constraint was made of would wait for the garbage collector.
            del compilation

    def _made(self, constraint: Constraint) -> CompiledGrammar:
        began = time.thread_time()
        try:
            return self._assembled(constraint)
        except UnsatisfiableError as error:
            raise find_fault(constraint, self.limits) or error from None
        finally:
            self._is_trim_due |= time.thread_time() - began > HEAVY_SECONDS

    def _assembled(self, constraint: Constraint) -> CompiledGrammar:
        builder = NetworkBuilder(self.limits, self.vocabulary.special_tokens)
        with Effort():
            try:
                self._fragments.emit(constraint, builder)
                root = constraint.emit(builder)
            except RecursionError:
                limit = self.limits.max_depth
                raise TooComplexError("max_depth", limit + 1, limit) from None
            network = builder.finish(root, self.vocabulary.tables)
        compiled = self._ready(network)
        self._fragments.add(network)
        return compiled

    def _ready(self, network: Network) -> CompiledGrammar:
        """Return the compiled constraint of the network, if there is room for it.

        Raises:
            TooComplexError: there is none; what is only kept for those who ask again was dropped.
        """
        self._follow_partitions()
        most = self.limits.max_held_bytes
        if most is not None:
            with self._lock:
                self._num_held_bytes += network.num_bytes
                self._num_unweighed += 1
                if self._num_unweighed > _UNWEIGHED or self._num_held_bytes > most:
                    self._make_room(network, most)
        compiled = CompiledGrammar(network, self.vocabulary, self.limits, self._memories)
        if most is not None:
            with self._lock:
                self._held.add(compiled)
        return compiled

    def _make_room(self, network: Network, most: int) -> None:
        for is_last in (False, True):
            self._num_held_bytes = sum(map(_weight, self._held)) + network.num_bytes
            self._num_unweighed = 0
            if self._num_held_bytes <= most:
                return
            if not is_last:
                self._cache.clear()
        needed, self._num_held_bytes = self._num_held_bytes, self._num_held_bytes - network.num_bytes
        raise TooComplexError("max_held_bytes", needed, most)

    def _follow_partitions(self) -> None:
        """Release everything that uses partitions of an older generation."""
        if self._partitions is self.vocabulary.partitions and not self._partitions.is_full:
            return
        with self._lock:
            partitions = self.vocabulary.renew_partitions()
            if partitions is self._partitions:
                return
            self._partitions, self._memories = partitions, memories_of(self.vocabulary, self.limits)
        self._cache.clear()


class _FragmentCache:
    """Cache of networks by the parts in them, while they are referenced: a tool that stays is not compiled again."""

    def __init__(self) -> None:
        self._networks: WeakValueDictionary[str, Network] = WeakValueDictionary()

    def add(self, network: Network) -> None:
        """Register the network under the keys of its parts."""
        if network.parts is not None:
            self._networks.update(dict.fromkeys(network.parts.by_key, network))

    def emit(self, constraint: Constraint, builder: NetworkBuilder) -> None:
        """Put the kept parts of the constraint into an empty builder."""
        kept = {part.key: part for part in _kept(constraint, set())}
        for network, _ in Counter(filter(None, map(self._networks.get, kept))).most_common(_LOOKED_AT):
            assert network.parts is not None
            by_key, number = network.parts.by_key, network.parts.num_states
            needed = {key: by_key[key] for key in kept if key in by_key}
            num_unused = number - sum([part.num_states for part in needed.values()])
            if num_unused <= max(_FEW_STATES, number // 2):
                builder.begin_with(network, network.parts._replace(by_key=needed), num_unused)
                break
        for part in kept.values():
            part.emit(builder)


def _kept(constraint: Constraint | str, seen: set[int]) -> Iterator[Kept]:
    match constraint:
        case Kept():
            yield constraint
        case Once(content) if id(content) not in seen:
            seen.add(id(content))
            yield from _kept(content, seen)
        case Concat(parts) | Either(parts):
            for part in parts:
                yield from _kept(part, seen)
        case StructuralTag(tags, then=then):
            for part in (*(tag.content for tag in tags), then or ""):
                yield from _kept(part, seen)


class _Compilation:
    """Compilation in progress, for which callers with an equal constraint wait.

    Attributes:
        is_under_way: held by the thread that compiles.
        compiled, error: how it ended.
    """

    __slots__ = ("compiled", "error", "is_under_way")

    def __init__(self) -> None:
        self.is_under_way = threading.Lock()
        self.is_under_way.acquire()
        self.compiled: CompiledGrammar | None = None
        self.error: BaseException | None = None

    def result(self) -> CompiledGrammar:
        """Wait for the end; return the compiled grammar or raise the error."""
        with self.is_under_way:
            if self.error is not None:
                raise self.error
            assert self.compiled is not None
            return self.compiled


def _let_go(error: BaseException, outer: BaseException | None) -> None:
    """Release the locals of the frames in the error's traceback, so that keeping the error keeps nothing large.

    Args:
        outer: what the caller was handling, whose frames are not ours.
    """
    chain: BaseException | None = error
    seen = {id(outer)}
    while chain is not None and id(chain) not in seen:
        seen.add(id(chain))
        clear_frames(chain.__traceback__)
        chain = chain.__cause__ or chain.__context__


@cache
def _load_kernels() -> None:
    """Load the machine code for patterns, numbers, long words and checks before a constraint waits for it."""
    last_item(b'["a",[1]')
    choices = [
        {"allOf": [{"pattern": "a.*b"}, {"pattern": "[0-9]$"}, {"not": {"pattern": "c"}}]},
        {"pattern": "^(ab|c)*$", "maxLength": 9},
        {"minimum": 0, "multipleOf": 0.5, "not": {"const": 1}},
        {"const": 5_000 * "a"},
    ]
    JsonSchema({"type": ["string", "number"], "anyOf": choices}).emit(NetworkBuilder(DEFAULT_LIMITS))


def _weight(compiled: CompiledGrammar) -> int:
    return compiled.network.num_bytes + compiled.arena.num_bytes


# Work that takes more of a thread's own time leaves enough holes in the heap that trimming is worth some
# milliseconds.
HEAVY_SECONDS = 0.05
