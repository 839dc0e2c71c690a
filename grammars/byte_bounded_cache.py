"""Caches bounded by the memory of their entries, for all that is kept between constraints."""

from __future__ import annotations

import itertools
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast

from grammars.limits import REMEMBERED_BYTES

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

# Of an entry's places in the tables of a cache.
_ENTRY_BYTES = 200
_INTEGER_BYTES = 32
_RANGE_BYTES = sys.getsizeof((0, 0)) + 2 * _INTEGER_BYTES
_MAX_ANSWERS = 1 << 15
_LOOKED_AT = 2


class ByteBoundedCache(Generic[Key, Value]):
    """Cache of values by key, bounded in bytes; the least recently used are dropped first.

    Thread-safe. Values that may grow are weighed again in turn, a few at each `put`. A value larger than `max_bytes` is
    not kept.

    Args:
        max_bytes: bound on all entries together.
        max_entries: bound on their number.
        weigh: return the bytes of a value.
        can_grow: return whether the value may weigh more later.
    """

    def __init__(
        self,
        max_bytes: int,
        max_entries: int,
        weigh: Callable[[Value], int],
        can_grow: Callable[[Value], bool] = lambda _: True,
    ) -> None:
        self._max_bytes = max_bytes
        self._max_entries = max_entries
        self._weigh = weigh
        self._can_grow = can_grow
        self._lock = threading.Lock()
        # Value, bytes when last weighed, and bytes of the key alone; the least recently used first.
        self._entries: OrderedDict[Key, tuple[Value, int, int]] = OrderedDict()
        # Keys of values that may grow, the one weighed longest ago first.
        self._growing: OrderedDict[Key, None] = OrderedDict()
        self._num_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def num_bytes(self) -> int:
        """Bytes of the entries when they were last weighed."""
        return self._num_bytes

    def get(self, key: Key) -> Value | None:
        """Return the value of the key; None if it is not kept."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Key, value: Value) -> None:
        """Keep the value, and drop others if there is no room for all."""
        # Dropped values are released outside the lock: a finalizer may use this cache.
        dropped: list[Value] = []
        with self._lock:
            entries, growing = self._entries, self._growing
            if key in entries:
                dropped.append(self._drop(key))
            fixed = _ENTRY_BYTES + num_bytes_of(key)
            weight = fixed + self._weigh(value)
            entries[key] = value, weight, fixed
            self._num_bytes += weight
            for oldest in list(itertools.islice(growing, _LOOKED_AT)):
                growing.move_to_end(oldest)
                kept, before, its_key = entries[oldest]
                now = its_key + self._weigh(kept)
                entries[oldest] = kept, now, its_key
                self._num_bytes += now - before
                if not self._can_grow(kept):
                    del growing[oldest]
            if self._can_grow(value):
                growing[key] = None
            if weight > self._max_bytes:
                dropped.append(self._drop(key))
            while len(entries) > self._max_entries or self._num_bytes > self._max_bytes:
                dropped.append(self._drop(next(iter(entries))))

    def _drop(self, key: Key) -> Value:
        """Remove an entry; return its value, which the caller releases outside the lock."""
        value, weight, _ = self._entries.pop(key)
        self._growing.pop(key, None)
        self._num_bytes -= weight
        return value

    def clear(self) -> None:
        """Drop every entry."""
        self.drop(lambda _: True)

    def drop(self, is_unwanted: Callable[[Key], bool]) -> None:
        """Drop the entries of these keys."""
        with self._lock:
            # See `put`.
            dropped = [self._drop(key) for key in list(self._entries) if is_unwanted(key)]
        dropped.clear()


class Remembered(Generic[Arguments, Value]):
    """Function whose last answers are kept; see `remembered`."""

    def __init__(self, function: Callable[Arguments, Value]) -> None:
        self._function = function
        self._number = next(_NUMBERS)
        update_wrapper(self, function)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        key = (self._number, args, tuple(kwargs.items())) if kwargs else (self._number, args)
        kept = ANSWERS.get(key)
        if kept is None:
            kept = (self._function(*args, **kwargs),)
            ANSWERS.put(key, kept)
        return cast(Value, kept[0])

    def known(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value | None:
        """Return the answer if it is kept, else None."""
        kept = ANSWERS.get((self._number, args, tuple(kwargs.items())) if kwargs else (self._number, args))
        return None if kept is None else cast(Value, kept[0])

    def cache_clear(self) -> None:
        """Drop all answers."""
        ANSWERS.drop(lambda key: key[0] == self._number)


def num_bytes_of(value: Any) -> int:
    """Return the bytes of plain data, tuples included; of another object its `num_bytes`, if it has them.

    Shared parts are counted as often as they occur, so the sum is an upper bound.
    """
    kind = type(value)
    if kind is tuple or kind is frozenset:
        total = sys.getsizeof(value)
        # Most of what is remembered is ranges of characters, and where one pair is of integers all are.
        if kind is tuple and value and _is_pair(value[0]) and _is_pair(value[-1]):
            return total + len(value) * _RANGE_BYTES
        for part in value:
            of = type(part)
            if of is int:
                total += _INTEGER_BYTES
            else:
                total += sys.getsizeof(part) if of is str else num_bytes_of(part)
        return total
    if kind is str or kind is bytes or kind is int:
        return sys.getsizeof(value)
    known = getattr(value, "num_bytes", None)
    return sys.getsizeof(value) if known is None else cast(int, known)


def _is_pair(value: Any) -> bool:
    return type(value) is tuple and len(value) == 2 and type(value[0]) is type(value[1]) is int


def remembered() -> Callable[[Callable[Arguments, Value]], Remembered[Arguments, Value]]:
    """Return a decorator like `functools.lru_cache`, with one bound in bytes for the answers of all functions."""
    return Remembered


ANSWERS: ByteBoundedCache[tuple[Any, ...], tuple[Any]] = ByteBoundedCache(
    REMEMBERED_BYTES, _MAX_ANSWERS, num_bytes_of, lambda answer: getattr(answer[0], "can_grow", False)
)
"""Answers that functions remember; a value says with `can_grow` that it may weigh more later."""
_NUMBERS = itertools.count()
