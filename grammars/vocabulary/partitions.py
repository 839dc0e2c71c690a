"""Per character class, how tokens lie in it: what makes masks inside strings a copy instead of a walk.

For a class of characters every token falls in one of three groups:

- *members* consist of whole units of the class, perhaps with a begun one at the end: inside a span of the class they
  are allowed as long as the count of units is; they form one precomputed row for each count;
- tokens that leave the class after at least one whole unit: grouped by what *remains*, in a small trie, the residual,
  one for each first byte of the remainder, built when first asked for, unless it would be large;
- the rest, which a walk from the span's exit covers anyway.
"""

from __future__ import annotations

import itertools
import mmap
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.jit.container import ContainerType, fields_of, new_container
from grammars.vocabulary.leaving import find_leaving, merge_remains
from grammars.vocabulary.members import sort_tokens
from grammars.vocabulary.spellings import Spellings, trie_outside
from grammars.vocabulary.units import DEAD_UNIT, UnitClass, UnitTables

MAX_COUNTED_UNITS = 16
NOT_BUILT, EMPTY, TOO_LARGE = -1, -2, -3
SHAPELESS = 0  # the trie of the tokens without a shape
_MAX_CLASSES = 512
_MAX_MET_LOOPS = 10_000
_MAX_BYTES = 24 << 20
_MOST_LEAVING = 4_096  # tokens: to make their residual takes as long as to walk over the shapes of all tokens
_ANY_UNITS = 1 << 30
# A walk over the tokens outside a class is worth their trie where they are no more than this part.
_LEAST_INSIDE = 8
_GENERATIONS = itertools.count()

PARTITION = ContainerType(
    "Partition",
    fields_of(
        uint8="trie_byte",
        uint8_rows="first_byte",
        uint16="trie_depth trie_units",
        uint32_rows="member_rows",
        int32="""row_start row_last row_full long_start long_token long_units begun_start begun_token begun_rest
        most_rest outside_of trie_start trie_end trie_first trie_token""",
        int32_rows="residual_of",
    ),
)
"""The partitions of P classes, with T tries: residuals, and those of outsiders.

- member_rows[R, W]; row_start[P]: row of count 0, row_start + k holds the members of at most k units
- row_last[P]: largest k that has a row, -1 where row_full is the only one; more units: row_full[P] less the members of
  more units than row_last, which are slices long_start of long_token and long_units
- begun_token, begun_rest: members that end inside a unit, and bytes that finish it, slices begun_start; most_rest[P]:
  the largest of these, or 0
- first_byte[P, 256]: whether a unit begins with the byte
- residual_of[P, 256]: residual of a first byte, NOT_BUILT, EMPTY, or TOO_LARGE to be worth making
- outside_of[P]: trie of the tokens that are not members, NOT_BUILT or EMPTY; the trie `SHAPELESS` is of no class
- trie_byte, trie_depth, trie_end: preorder nodes, slices trie_start[T + 1], ends relative to the slice
- trie_token, trie_units: tokens that end at a node, and in residuals units before it, slices trie_first, each node with
  its next; behind each trie is a node more
"""


class _Column:
    """A column that is written to from its beginning on, with address space for all that it may ever hold.

    A copy of it, as to make room would be, would be seen in a mask.
    """

    def __init__(self, dtype: np.dtype[Any], room: int, width: int | None = None) -> None:
        # Not from numpy's allocator, which asks for huge pages, each of which may take milliseconds.
        memory = mmap.mmap(-1, room * (width or 1) * dtype.itemsize, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.array: NDArray[Any] = np.frombuffer(memory, dtype=dtype)
        if width is not None:
            self.array = self.array.reshape(room, width)
        self.used = 0

    def extend(self, values: Any) -> None:
        """Adds values at the end."""
        self.add(len(values))[:] = values

    def add(self, count: int) -> NDArray[Any]:
        """Append this many zeros, or rows of zeros, and return them, to be written before others read them."""
        self.used += count
        return self.array[self.used - count : self.used]

    @property
    def num_bytes(self) -> int:
        """Bytes in use."""
        return int(self.used * self.array[0].nbytes)


class Partitions:
    """The partitions of one vocabulary, shared by all its constraints and bounded in memory.

    One generation: nothing is ever dropped, for constraints hold indices. When it is full the vocabulary begins
    another, and this one goes with the last constraint that uses it.

    Thread-safe: what a reader may look at is never changed, save for slots that were empty and are filled once all that
    they lead to is there.

    Attributes:
        kernel: what kernels read.
        is_full: whether there is no room for anything more.
    """

    def __init__(self, spellings: Spellings) -> None:
        self._spellings, self._tables = spellings, spellings.tables
        self._lock = threading.RLock()
        self._generation = next(_GENERATIONS)
        # By class, and whether its members are told apart by the number of units.
        self._index: dict[tuple[UnitClass, bool], int] = {}
        # Unit tables of the classes, and where tokens leave them.
        self._classes: list[tuple[NDArray[np.uint16], NDArray[np.int32]]] = []
        self._num_leave_bytes = 0
        self._met_loops: set[bytes] = set()
        num_words, num_text = self._tables.num_words, len(self._tables.arrays["token_bytes"])
        rooms = {"member_rows": _MAX_BYTES // (4 * num_words) + 2 * MAX_COUNTED_UNITS}
        widths = {"first_byte": 256, "residual_of": 256, "member_rows": num_words}
        self._pools = {
            name: _Column(dtype, rooms.get(name) or _room(name, dtype, num_text), widths.get(name))
            for name, dtype in PARTITION.dtypes.items()
        }
        self.kernel: Any = new_container(PARTITION, {name: pool.array for name, pool in self._pools.items()})
        # What every new class is sorted in: fresh memory would cost as much as the sorting.
        count, num_nodes = self._tables.num_tokens, len(self._tables.arrays["shape_end"]) + len(spellings.outside[0])
        self._long, self._begun = np.empty((2, 2, count), dtype=np.int32)
        self._leaves = np.empty((3, num_nodes), dtype=np.int32)
        self._left = np.empty((3, count), dtype=np.int32)
        self._text = np.empty(num_text, dtype=np.uint8)
        for name in ("long_start", "begun_start", "trie_start"):
            self._pools[name].extend([0])
        self._add_outside(*spellings.outside)

    @property
    def num_bytes(self) -> int:
        """Bytes held."""
        return self._num_leave_bytes + sum(pool.num_bytes for pool in self._pools.values())

    def known(self, units: UnitClass) -> int:
        """Index of the class's partition if it was built before, else NOT_BUILT."""
        return self._index.get((units, True), NOT_BUILT)

    def known_of(self, tables: UnitTables) -> NDArray[np.int32]:
        """The same of all classes of a network, not to be written to."""
        now = self._generation, len(self._index)
        kept = tables.known
        if kept is None or kept[0] != now:
            known = [self.known(units) for units in tables.classes]
            kept = tables.known = now, np.array(known, dtype=np.int32)
        return kept[1]

    def of_class(self, units: UnitClass, is_counted: bool = True) -> int:
        """Index of the class's partition, built now if it is new; EMPTY when the bounds on memory are reached.

        Args:
            units: the class.
            is_counted: whether there have to be rows for each number of units, or one for all members only.
        """
        with self._lock:
            key = (units, is_counted or (units, True) in self._index)
            if key not in self._index:
                if self.is_full:
                    return EMPTY
                self._build(units, is_counted)
                self._index[key] = len(self._index)
            return self._index[key]

    def of_loop(self, loop_bytes: NDArray[np.uint8]) -> int:
        """Index of the partition of the one-byte characters in `loop_bytes`, or EMPTY where a walk is cheaper.

        A set of bytes that is met for the first time is not worth a partition yet.
        """
        table = np.where(loop_bytes[None] != 0, 0, DEAD_UNIT).astype(np.uint16)
        with self._lock:
            key = table.tobytes()
            if key not in self._met_loops:
                if len(self._met_loops) >= _MAX_MET_LOOPS:
                    self._met_loops.clear()
                self._met_loops.add(key)
                return EMPTY
        return self.of_class(UnitClass(table), is_counted=False)

    def _build(self, units: UnitClass, is_counted: bool) -> None:
        pools, spellings = self._pools, self._spellings
        start, most = pools["member_rows"].used, MAX_COUNTED_UNITS if is_counted else _ANY_UNITS
        rows = pools["member_rows"].add(MAX_COUNTED_UNITS + 2 if is_counted else 1)
        leaving = np.zeros(256, dtype=np.uint8)
        sizes = sort_tokens(
            spellings.kernel, self._tables.kernel, units.table, rows, most, self._long, self._begun, self._leaves,
            leaving,
        )  # fmt: skip
        num_long, num_begun, num_leaves, largest = sizes.tolist()
        last = min(largest, MAX_COUNTED_UNITS) if is_counted else -1
        # Where no token has more units, the last row holds all.
        full = last + 1 if largest > last else last
        pools["member_rows"].used = start + full + 1
        pools["row_start"].extend([start])
        pools["row_full"].extend([start + full])
        pools["row_last"].extend([last])
        tokens, counts = self._long[:, :num_long]
        order = np.argsort(counts, kind="stable")
        self._slice("long", token=tokens[order], units=counts[order])
        tokens, states = self._begun[:, :num_begun]
        rest = units.fewest_bytes[states]
        self._slice("begun", token=tokens, rest=rest)
        pools["most_rest"].extend([int(rest.max(initial=0))])
        pools["first_byte"].extend((units.table[0] != DEAD_UNIT).astype(np.uint8)[None])
        pools["residual_of"].extend(np.where(leaving, NOT_BUILT, EMPTY).astype(np.int32)[None])
        pools["outside_of"].extend([NOT_BUILT])
        leaves = self._leaves[:, :num_leaves].copy()
        self._num_leave_bytes += leaves.nbytes
        self._classes.append((units.table, leaves))
        self._weigh()

    def _slice(self, name: str, **columns: NDArray[np.int32]) -> None:
        for column, values in columns.items():
            self._pools[f"{name}_{column}"].extend(values)
        used = self._pools[f"{name}_{next(iter(columns))}"].used
        self._pools[f"{name}_start"].extend([used])

    def build_residuals(self, partition: int, first_bytes: NDArray[np.int64]) -> None:
        """Makes the residuals of the tokens that leave the class by these bytes.

        Where there are too many such tokens, or no room, none is made, and the bytes that most of them leave by are
        marked.
        """
        with self._lock:
            known = self._pools["residual_of"].array[partition]
            wanted = np.zeros(256, dtype=np.uint8)
            wanted[first_bytes] = known[first_bytes] == NOT_BUILT
            if self.is_full:
                known[wanted != 0] = TOO_LARGE
                return
            table, leaves = self._classes[partition]
            left, text = self._left, self._text
            found = find_leaving(
                self._spellings.kernel, self._tables.kernel, table, leaves, wanted, _MOST_LEAVING, left, text
            )
            tokens, units, ends = left[:, :found]
            if found > _MOST_LEAVING:
                begins = np.zeros(found, dtype=np.int64)
                begins[1:] = ends[:-1]
                counts = np.bincount(text[begins], minlength=256)
                known[4 * counts >= counts.max()] = TOO_LARGE
                return
            *columns, begins = merge_remains(tokens, units, ends, text)
            number, firsts = self._pools["trie_start"].used - 1, columns[0][begins[:-1]]
            self._add_tries(begins[1:], *columns)
            places = np.where(wanted != 0, EMPTY, known)
            places[firsts] = np.arange(number, number + len(firsts))
            known[:] = places

    def _add_tries(self, ends_of_tries: NDArray[np.int32], *columns: NDArray[Any]) -> None:
        """Adds tries behind the others; their columns are those that `merge_remains` returns."""
        pools = self._pools
        used = pools["trie_token"].used
        pools["trie_start"].extend(ends_of_tries + pools["trie_byte"].used)
        for name, values in zip(("byte", "depth", "end", "first", "token", "units"), columns, strict=True):
            pools[f"trie_{name}"].extend(values + used if name == "first" else values)
        self._weigh()

    def _weigh(self) -> None:
        num_classes = len(self._classes)
        self.is_full = num_classes >= _MAX_CLASSES or (num_classes > 1 and self.num_bytes >= _MAX_BYTES)

    def build_outside(self, partition: int) -> None:
        """Makes the trie of the tokens that are not members, or marks it as not worth making."""
        with self._lock:
            pools = self._pools
            slot = pools["outside_of"].array
            if slot[partition] != NOT_BUILT:
                return
            row = pools["member_rows"].array[pools["row_full"].array[partition]]
            num_outside = self._tables.num_tokens - int(np.unpackbits(row.view(np.uint8)).sum(dtype=np.int64))
            if self.is_full or num_outside * _LEAST_INSIDE > self._tables.num_tokens:
                slot[partition] = EMPTY
                return
            self._add_outside(*trie_outside(self._tables.kernel, row))
            slot[partition] = pools["trie_start"].used - 2

    def _add_outside(self, *trie: NDArray[Any]) -> None:
        self._add_tries(np.array([len(trie[0])]), *trie, np.zeros(len(trie[-1]), dtype=np.uint16))


def _room(name: str, dtype: np.dtype[Any], num_text: int) -> int:
    """Elements of a column: those of all classes, or for what is not counted by class, of what all may weigh.

    The last class that finds room adds no more than all tokens have bytes.
    """
    if PARTITION.fields[name].ndim == 2 or name.startswith(("row_", "most_", "outside_")):
        return _MAX_CLASSES + 1
    if name in ("long_start", "begun_start"):
        return _MAX_CLASSES + 2
    return int(_MAX_BYTES // dtype.itemsize) + 2 * num_text + 256
