"""Memory between constraints: caches bounded by what their entries weigh, not by how many there are."""

from __future__ import annotations

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

# Of an entry: its places in the tables of a cache.
_ENTRY_BYTES = 200


class WeightedCache(Generic[Key, Value]):
    """Values by key; the least recently used go once all together weigh more than they may.

    Thread-safe. A value may grow after it was put in: those asked for since the last `put` are weighed again at the
    next. A value that alone weighs more than all may is not kept.

    Args:
        max_bytes: what all entries together may weigh.
        max_entries: how many there may be.
        weigh: bytes of a value.
    """

    def __init__(self, max_bytes: int, max_entries: int, weigh: Callable[[Value], int]) -> None:
        self._max_bytes = max_bytes
        self._max_entries = max_entries
        self._weigh = weigh
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._weights: dict[Key, int] = {}
        self._touched: set[Key] = set()
        self._num_bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    @property
    def num_bytes(self) -> int:
        """What the entries weighed when they were last looked at."""
        return self._num_bytes

    def get(self, key: Key) -> Value | None:
        """The value of the key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
                self._touched.add(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Keeps the value, and drops others where there is no room for all."""
        dropped = []
        # What goes is let go of outside the lock: a finalizer may want this cache.
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._touched.add(key)
            for touched in self._touched:
                weight = _ENTRY_BYTES + num_bytes_of(touched) + self._weigh(self._values[touched])
                self._num_bytes += weight - self._weights.get(touched, 0)
                self._weights[touched] = weight
                if weight > self._max_bytes:
                    dropped.append(self._drop(touched))
            self._touched.clear()
            while len(self._values) > self._max_entries or self._num_bytes > self._max_bytes:
                dropped.append(self._drop(next(iter(self._values))))

    def _drop(self, key: Key) -> Value:
        self._num_bytes -= self._weights.pop(key)
        return self._values.pop(key)

    def clear(self) -> None:
        """Drops everything."""
        with self._lock:
            values, self._values = self._values, OrderedDict()
            self._weights.clear()
            self._touched.clear()
            self._num_bytes = 0
        values.clear()


class Remembered(Generic[Arguments, Value]):
    """A function whose last answers are kept. See `remembered`."""

    def __init__(
        self, function: Callable[Arguments, Value], max_bytes: int, max_entries: int, weigh: Callable[[Value], int]
    ) -> None:
        self._function = function
        self._cache: WeightedCache[Hashable, tuple[Value]] = WeightedCache(
            max_bytes, max_entries, lambda kept: weigh(kept[0])
        )
        update_wrapper(self, function)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        key = (args, tuple(kwargs.items())) if kwargs else args
        kept = self._cache.get(key)
        if kept is None:
            kept = (self._function(*args, **kwargs),)
            self._cache.put(key, kept)
        return kept[0]

    @property
    def num_bytes(self) -> int:
        """What the answers kept weigh."""
        return self._cache.num_bytes

    def cache_clear(self) -> None:
        """Forgets all answers."""
        self._cache.clear()


def num_bytes_of(value: Any) -> int:
    """Bytes of plain data, tuples and all; of another object its `num_bytes`, if it has them.

    What two parts share is counted twice, so the sum is rather too large than too small.
    """
    kind = type(value)
    if kind is tuple or kind is frozenset:
        return sys.getsizeof(value) + sum(map(num_bytes_of, value))
    if kind is str or kind is bytes or kind is int:
        return sys.getsizeof(value)
    known = getattr(value, "num_bytes", None)
    return sys.getsizeof(value) if known is None else cast(int, known)


def remembered(
    max_bytes: int = REMEMBERED_BYTES, max_entries: int = 4096, weigh: Callable[[Any], int] = num_bytes_of
) -> Callable[[Callable[Arguments, Value]], Remembered[Arguments, Value]]:
    """Like `functools.lru_cache`, but bounded by what the answers weigh."""
    return lambda function: Remembered(function, max_bytes, max_entries, weigh)
