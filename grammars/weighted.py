"""Memory between constraints: caches bounded by what their entries weigh, not by how many there are."""

from __future__ import annotations

import itertools
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, cast

from grammars.limits import REMEMBERED_BYTES

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

# Of an entry: its places in the tables of a cache.
_ENTRY_BYTES = 200
_MAX_ANSWERS = 1 << 15
_WEIGHED_IN_TURN = 4


class WeightedCache(Generic[Key, Value]):
    """Values by key; the least recently used go once all together weigh more than they may.

    Thread-safe. A value may grow after it was put in: those put in or asked for since the last `put` are weighed again
    at the next, and a few others in turn. A value that alone weighs more than all may is not kept.

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
                if self._can_grow(value):
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
            # Weights stand in the order in which they were taken.
            in_turn = [known for known in itertools.islice(self._weights, _WEIGHED_IN_TURN) if known != key]
            for known in (*self._touched.union(in_turn),):
                last = self._weights.pop(known, 0)
                may_differ = known in self._touched or self._can_grow(self._values[known])
                weight = _ENTRY_BYTES + num_bytes_of(known) + self._weigh(self._values[known]) if may_differ else last
                self._num_bytes += weight - last
                self._weights[known] = weight
                if weight > self._max_bytes:
                    dropped.append(self._drop(known))
            self._touched = {key} if key in self._values and self._can_grow(value) else set()
            while len(self._values) > self._max_entries or self._num_bytes > self._max_bytes:
                dropped.append(self._drop(next(iter(self._values))))

    def _drop(self, key: Key) -> Value:
        self._touched.discard(key)
        self._num_bytes -= self._weights.pop(key)
        return self._values.pop(key)

    def clear(self) -> None:
        """Drops everything."""
        self.drop(lambda _: True)

    def drop(self, is_unwanted: Callable[[Key], bool]) -> None:
        """Drops the entries of some keys."""
        with self._lock:
            unwanted = [key for key in self._values if is_unwanted(key)]
            # See `put`.
            dropped = [self._drop(key) for key in unwanted]
        dropped.clear()


class Remembered(Generic[Arguments, Value]):
    """A function whose last answers are kept. See `remembered`."""

    def __init__(self, function: Callable[Arguments, Value], weigh: Callable[[Value], int]) -> None:
        self._function = function
        self._weigh = weigh
        self._number = next(_NUMBERS)
        update_wrapper(self, function)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        key = (self._number, args, tuple(kwargs.items())) if kwargs else (self._number, args)
        kept = ANSWERS.get(key)
        if kept is None:
            kept = _Answer(self._function(*args, **kwargs), self._weigh)
            ANSWERS.put(key, kept)
        return cast(Value, kept.value)

    def cache_clear(self) -> None:
        """Forgets all answers."""
        ANSWERS.drop(lambda key: key[0] == self._number)


class _Answer(NamedTuple):
    value: Any
    weigh: Callable[[Any], int]

    @property
    def num_bytes(self) -> int:
        return self.weigh(self.value)

    @property
    def can_grow(self) -> bool:
        return getattr(self.value, "can_grow", False)


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
    weigh: Callable[[Any], int] = num_bytes_of,
) -> Callable[[Callable[Arguments, Value]], Remembered[Arguments, Value]]:
    """Like `functools.lru_cache`, but all functions' answers together are bounded by what they weigh."""
    return lambda function: Remembered(function, weigh)


ANSWERS: WeightedCache[tuple[Any, ...], _Answer] = WeightedCache(
    REMEMBERED_BYTES, _MAX_ANSWERS, lambda answer: answer.num_bytes, lambda answer: answer.can_grow
)
"""What functions remember; the class of a value says with `can_grow` that it may weigh more later."""
_NUMBERS = itertools.count()
