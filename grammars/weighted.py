"""Memory between constraints: caches bounded by what their entries weigh, not by how many there are."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, cast

from grammars.limits import REMEMBERED_BYTES

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

# Of an entry: its places in the tables of a cache.
_ENTRY_BYTES = 200
_INTEGER_BYTES = 32
_RANGE_BYTES = sys.getsizeof((0, 0)) + 2 * _INTEGER_BYTES
_MAX_ANSWERS = 1 << 15
# Values put in between two times that others are weighed and dropped: at most this share of all, and of so many bytes.
_MAX_UNSETTLED, _UNSETTLED_SHARE, _UNSETTLED_BYTES = 32, 16, 1 << 20
# The part of the room that is made free when others are weighed.
_SPARE_SHARE = 8
# Of the others so many are weighed then as there are new ones, divided by this.
_WEIGHED_IN_TURN = 2
# What took longer to make may be so large that it does not wait: to write to fresh memory is a gigabyte a second.
_LONG_SECONDS = 0.001


class _Entry(Generic[Key, Value]):
    """A value with what it weighs, and whether it waits to be looked at again.

    Once it was dropped it holds no value, for it may stand in a queue for long.
    """

    __slots__ = ("can_grow", "is_touched", "key", "key_bytes", "value", "weight")

    def __init__(self, key: Key, value: Value, can_grow: bool) -> None:
        self.key = key
        self.key_bytes = 0
        self.value: Value | None = value
        self.weight = 0
        self.can_grow = can_grow
        self.is_touched = False


class WeightedCache(Generic[Key, Value]):
    """Values by key; the least recently used go once all together weigh more than they may.

    Thread-safe. A value may grow after it was put in: those asked for since the last `put` are weighed again at the
    next, and count as used then, in the order in which they were first asked for; a few others are weighed in turn. A
    value that alone weighs more than all may is not kept. Where there may be many, all this is done once for up to 32
    calls of `put`, and until then there may be that many light values more; an eighth of the room is made free with it,
    so that hardly anything has to go when a heavy value comes.

    Cost: a hit takes no lock; it is one look into a table.

    Args:
        max_bytes: what all entries together may weigh.
        max_entries: how many there may be.
        weigh: bytes of a value.
        can_grow: whether the value may weigh more later; None: each may.
    """

    def __init__(
        self,
        max_bytes: int,
        max_entries: int,
        weigh: Callable[[Value], int],
        can_grow: Callable[[Value], bool] | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._max_entries = max_entries
        self._weigh = weigh
        self._can_grow = can_grow
        self._lock = threading.Lock()
        # From the least to the most recently used.
        self._entries: OrderedDict[Key, _Entry[Key, Value]] = OrderedDict()
        # Filled by readers without the lock: appending to it, and taking from its other end, are atomic.
        self._touched: deque[_Entry[Key, Value]] = deque()
        self._growing: deque[_Entry[Key, Value]] = deque()
        self._num_bytes = 0
        self._spare_bytes = max_bytes // _SPARE_SHARE
        self._unweighed: list[_Entry[Key, Value]] = []
        self._num_unsettled = 0
        self._settled_every = max(
            1, min(_MAX_UNSETTLED, max_entries // _UNSETTLED_SHARE, max_bytes // _UNSETTLED_BYTES)
        )

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def num_bytes(self) -> int:
        """What the entries weighed when they were last looked at."""
        dropped: list[Value | None] = []
        with self._lock:
            self._weigh_new(dropped)
            self._drop_some(dropped)
            return self._num_bytes

    def get(self, key: Key) -> Value | None:
        """The value of the key, or None."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if not entry.is_touched:
            # Two readers at once may put it there twice, which costs a second look at it.
            entry.is_touched = True
            self._touched.append(entry)
        return entry.value

    def put(self, key: Key, value: Value, can_wait: bool = False) -> None:
        """Keeps the value, and drops others where there is no room for all.

        Args:
            can_wait: the value is so light that it can be weighed later; else it is weighed now, and so are those that
                wait.
        """
        entry = _Entry(key, value, self._can_grow is None or self._can_grow(value))
        # What goes is let go of outside the lock: a finalizer may want this cache.
        dropped: list[Value | None] = []
        with self._lock:
            entries = self._entries
            self._num_unsettled += 1
            is_due = self._num_unsettled >= self._settled_every
            if is_due:
                self._weigh_again(dropped)
            old = entries.get(key)
            if old is not None:
                dropped.append(self._drop(old))
            entries[key] = entry
            if entry.can_grow:
                self._growing.append(entry)
            self._unweighed.append(entry)
            if is_due or not can_wait:
                self._weigh_new(dropped)
                self._drop_some(dropped)
            if is_due:
                self._drop_early(dropped)

    def _drop_some(self, dropped: list[Value | None]) -> None:
        """Drops the least recently used until there is room for the others."""
        entries = self._entries
        while len(entries) > self._max_entries or self._num_bytes > self._max_bytes:
            dropped.append(self._drop(next(iter(entries.values()))))

    def _drop_early(self, dropped: list[Value | None]) -> None:
        """Drops some before they have to go, so that who puts a heavy value in next need not wait for that."""
        entries, most = self._entries, self._max_bytes - self._spare_bytes
        while self._num_bytes > most and (oldest := next(iter(entries.values()))).weight <= self._spare_bytes:
            dropped.append(self._drop(oldest))

    def _weigh_again(self, dropped: list[Value | None]) -> None:
        """Weighs values that are new, or were asked for since the last time and so used last, and some in turn."""
        self._weigh_new(dropped)
        for _ in range(len(self._touched)):
            touched = self._touched.popleft()
            touched.is_touched = False
            if touched.value is not None:
                self._entries.move_to_end(touched.key)
                if touched.can_grow:
                    self._look_at(touched, dropped)
        growing = self._growing
        for _ in range(min(-(-self._num_unsettled // _WEIGHED_IN_TURN), len(growing))):
            grown = growing.popleft()
            if grown.value is not None:
                growing.append(grown)
                self._look_at(grown, dropped)
        self._num_unsettled = 0

    def _weigh_new(self, dropped: list[Value | None]) -> None:
        for entry in self._unweighed:
            if entry.value is not None:
                self._look_at(entry, dropped)
        self._unweighed.clear()

    def _look_at(self, entry: _Entry[Key, Value], dropped: list[Value | None]) -> None:
        assert entry.value is not None
        if entry.key_bytes == 0:
            entry.key_bytes = num_bytes_of(entry.key)
        weight = _ENTRY_BYTES + entry.key_bytes + self._weigh(entry.value)
        self._num_bytes += weight - entry.weight
        entry.weight = weight
        if weight > self._max_bytes:
            dropped.append(self._drop(entry))

    def _drop(self, entry: _Entry[Key, Value]) -> Value | None:
        """The value of an entry that goes, for the caller to let go of once it has left the lock."""
        self._num_bytes -= entry.weight
        del self._entries[entry.key]
        value, entry.value = entry.value, None
        return value

    def clear(self) -> None:
        """Drops everything."""
        self.drop(lambda _: True)

    def drop(self, is_unwanted: Callable[[Key], bool]) -> None:
        """Drops the entries of some keys."""
        with self._lock:
            unwanted = [entry for key, entry in self._entries.items() if is_unwanted(key)]
            # See `put`.
            dropped = [self._drop(entry) for entry in unwanted]
            self._growing = deque(entry for entry in self._growing if entry.value is not None)
        dropped.clear()
        unwanted.clear()


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
            began = time.perf_counter()
            kept = _Answer(self._function(*args, **kwargs), self._weigh)
            ANSWERS.put(key, kept, can_wait=time.perf_counter() - began < _LONG_SECONDS)
        value: Value = kept.value
        return value

    def known(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value | None:
        """The answer if it is kept."""
        kept = ANSWERS.get((self._number, args, tuple(kwargs.items())) if kwargs else (self._number, args))
        return None if kept is None else kept.value

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
