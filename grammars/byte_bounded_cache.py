"""Memory between constraints: caches bounded by what their entries weigh, not by how many there are."""

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

# Of an entry: its places in the tables of a cache.
_ENTRY_BYTES = 200
_INTEGER_BYTES = 32
_RANGE_BYTES = sys.getsizeof((0, 0)) + 2 * _INTEGER_BYTES
_MAX_ANSWERS = 1 << 15
_LOOKED_AT = 2


class ByteBoundedCache(Generic[Key, Value]):
    """Values by key; the least recently used go once all together weigh more than they may.

    Thread-safe. A value may grow after it was put in: those that may are weighed again in turn, some whenever another
    comes. A value that alone weighs more than all may is not kept.

    Args:
        max_bytes: what all entries together may weigh.
        max_entries: how many there may be.
        weigh: bytes of a value.
        can_grow: whether the value may weigh more later.
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
        # Each with what it weighed when it was last looked at, and what of that is its key's, from the least to the
        # most recently used.
        self._entries: OrderedDict[Key, tuple[Value, int, int]] = OrderedDict()
        # Those that may grow, from the one that was looked at first.
        self._growing: OrderedDict[Key, None] = OrderedDict()
        self._num_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def num_bytes(self) -> int:
        """Bytes of the entries when they were last weighed."""
        return self._num_bytes

    def get(self, key: Key) -> Value | None:
        """The value of the key, or None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Key, value: Value) -> None:
        """Keeps the value, and drops others where there is no room for all."""
        # What goes is released outside the lock: a finalizer may want this cache.
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
        """The value of an entry that goes, for the caller to release once it has left the lock."""
        value, weight, _ = self._entries.pop(key)
        self._growing.pop(key, None)
        self._num_bytes -= weight
        return value

    def clear(self) -> None:
        """Drops everything."""
        self.drop(lambda _: True)

    def drop(self, is_unwanted: Callable[[Key], bool]) -> None:
        """Drops the entries of some keys."""
        with self._lock:
            # See `put`.
            dropped = [self._drop(key) for key in list(self._entries) if is_unwanted(key)]
        dropped.clear()


class Remembered(Generic[Arguments, Value]):
    """A function whose last answers are kept. See `remembered`."""

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
        """The answer if it is kept."""
        kept = ANSWERS.get((self._number, args, tuple(kwargs.items())) if kwargs else (self._number, args))
        return None if kept is None else cast(Value, kept[0])

    def cache_clear(self) -> None:
        """Forgets all answers."""
        ANSWERS.drop(lambda key: key[0] == self._number)


def num_bytes_of(value: Any) -> int:
    """Bytes of plain data, tuples and all; of another object its `num_bytes`, if it has them.

    What two parts share is counted twice, so the sum is rather too large than too small.
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
    """Like `functools.lru_cache`, but all functions' answers together are bounded by what they weigh."""
    return Remembered


ANSWERS: ByteBoundedCache[tuple[Any, ...], tuple[Any]] = ByteBoundedCache(
    REMEMBERED_BYTES, _MAX_ANSWERS, num_bytes_of, lambda answer: getattr(answer[0], "can_grow", False)
)
"""Answers that functions remember; a value says with `can_grow` that it may weigh more later."""
_NUMBERS = itertools.count()
