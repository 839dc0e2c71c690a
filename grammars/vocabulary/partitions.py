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
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.network.unit_tables import UnitTables
from grammars.network.units import DEAD_UNIT, UnitClass
from grammars.vocabulary.growing import GrowingArray
from grammars.vocabulary.leaving import find_leaving, merge_remains
from grammars.vocabulary.members import sort_tokens
from grammars.vocabulary.spellings import Spellings, trie_outside

MAX_COUNTED_UNITS = 16
NOT_BUILT, EMPTY, TOO_LARGE = -1, -2, -3
SHAPELESS = 0  # the trie of the tokens without a shape
_MAX_CLASSES = 512
_MAX_MET_LOOPS = 10_000
_MAX_BYTES = 24 << 20
_MAX_FIRST_ROWS = 16_384
_MOST_LEAVING = 4_096  # tokens: to make their residual takes as long as to walk over the shapes of all tokens
_ANY_UNITS = 1 << 30
# A walk over the tokens outside a class is worth their trie where they are no more than this part.
_LEAST_INSIDE = 8
_GENERATIONS = itertools.count()

PARTITION = ContainerType(
    "Partition",
    fields_of(
        uint8="residual_byte outside_byte",
        uint8_rows="first_byte",
        uint16="residual_depth residual_units",
        uint32_rows="member_rows",
        int32="""row_start row_last row_full long_start long_token long_units begun_start begun_token begun_rest
        most_rest residual_start residual_end residual_first residual_token outside_of outside_start outside_depth
        outside_end outside_token""",
        int32_rows="residual_of",
    ),
)
"""The partitions of P classes, with S residuals and O tries of outsiders.

- member_rows[R, W]; row_start[P]: row of count 0, row_start + k holds the members of at most k units
- row_last[P]: largest k that has a row, -1 where row_full is the only one; more units: row_full[P] less the members of
  more units than row_last, which are slices long_start of long_token and long_units
- begun_token, begun_rest: members that end inside a unit, and bytes that finish it, slices begun_start; most_rest[P]:
  the largest of these, or 0
- first_byte[P, 256]: whether a unit begins with the byte
- residual_of[P, 256]: residual of a first byte, NOT_BUILT, EMPTY, or TOO_LARGE to be worth making
- residual_byte, residual_depth, residual_end: preorder nodes, slices residual_start[S + 1], ends relative to the slice
- residual_token, residual_units: slices residual_first, each node with its next; behind each trie is a node more
- outside_of[P]: trie of the tokens that are not members, NOT_BUILT or EMPTY
- outside_byte, outside_depth, outside_end, outside_token: slices outside_start[O + 1]; the first is `SHAPELESS`
"""


class Partitions:
    """The partitions of one vocabulary, shared by all its constraints and bounded in memory.

    One generation: nothing is ever dropped, for constraints hold indices. When it is full the vocabulary begins
    another, and this one goes with the last constraint that uses it.

    Thread-safe: what a reader may look at is never changed, save for slots that were empty and are filled once all that
    they lead to is there. Where arrays have to grow, `kernel` is replaced whole.

    Attributes:
        kernel: what kernels read.
        is_full: whether there is no room for another class.
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
        # Address space for as many rows as there may ever be, for a copy of them would be seen in a mask.
        num_words = self._tables.num_words
        rooms = {"member_rows": min(_MAX_BYTES // (4 * num_words) + 2 * MAX_COUNTED_UNITS, _MAX_FIRST_ROWS)}
        widths = {"first_byte": 256, "residual_of": 256, "member_rows": num_words}
        self._pools = {
            name: GrowingArray(PARTITION.dtypes[name], widths.get(name), rooms.get(name, _room(name)))
            for name in PARTITION.fields
        }
        # What every new class is sorted in: fresh memory would cost as much as the sorting.
        count, num_nodes = self._tables.num_tokens, len(self._tables.arrays["shape_end"]) + len(spellings.outside[0])
        self._long, self._begun = np.empty((2, 2, count), dtype=np.int32)
        self._leaves = np.empty((3, num_nodes), dtype=np.int32)
        self._left = np.empty((3, count), dtype=np.int32)
        self._text = np.empty(len(self._tables.arrays["token_bytes"]), dtype=np.uint8)
        zero = np.zeros(1, dtype=np.int32)
        for name in ("long_start", "begun_start", "residual_start", "outside_start"):
            self._pools[name].extend(zero)
        self._published: dict[str, NDArray[Any]] = {}
        self._add_outside(*spellings.outside)
        self._publish()

    @property
    def num_bytes(self) -> int:
        """Bytes held."""
        return self._num_leave_bytes + sum(pool.num_bytes for pool in self._pools.values())

    def _publish(self) -> None:
        """Lets kernels see what was added."""
        arrays = {name: pool.array for name, pool in self._pools.items()}
        if any(array is not self._published.get(name) for name, array in arrays.items()):
            self.kernel: Any = new_container(PARTITION, arrays)
            self._published = arrays
        num_classes = len(self._classes)
        self.is_full = num_classes >= _MAX_CLASSES or (num_classes > 1 and self.num_bytes >= _MAX_BYTES)

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
        pools["row_start"].extend(_one(start))
        pools["row_full"].extend(_one(start + full))
        pools["row_last"].extend(_one(last))
        tokens, counts = self._long[:, :num_long]
        order = np.argsort(counts, kind="stable")
        self._slice("long", token=tokens[order], units=counts[order])
        tokens, states = self._begun[:, :num_begun]
        rest = units.fewest_bytes[states]
        self._slice("begun", token=tokens, rest=rest)
        pools["most_rest"].extend(_one(int(rest.max(initial=0))))
        pools["first_byte"].extend((units.table[0] != DEAD_UNIT).astype(np.uint8)[None])
        pools["residual_of"].extend(np.where(leaving, NOT_BUILT, EMPTY).astype(np.int32)[None])
        pools["outside_of"].extend(_one(NOT_BUILT))
        leaves = self._leaves[:, :num_leaves].copy()
        self._num_leave_bytes += leaves.nbytes
        self._classes.append((units.table, leaves))
        self._publish()

    def _slice(self, name: str, **columns: NDArray[np.int32]) -> None:
        for column, values in columns.items():
            self._pools[f"{name}_{column}"].extend(values)
        used = self._pools[f"{name}_{next(iter(columns))}"].used
        self._pools[f"{name}_start"].extend(_one(used))

    def build_residuals(self, partition: int, first_bytes: NDArray[np.int64]) -> None:
        """Makes the residuals of the tokens that leave the class by these bytes.

        Where there are too many such tokens, none is made, and the bytes that most of them leave by are marked.
        """
        with self._lock:
            known = self._pools["residual_of"].array[partition]
            wanted = np.zeros(256, dtype=np.uint8)
            wanted[first_bytes] = known[first_bytes] == NOT_BUILT
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
            places = self._add_residuals(*merge_remains(tokens, units, ends, text))
            self._publish()
            known[wanted != 0] = EMPTY
            for byte, place in places.items():
                known[byte] = place

    def _add_residuals(
        self,
        bytes_: NDArray[np.uint8],
        depths: NDArray[np.uint16],
        ends: NDArray[np.int32],
        first: NDArray[np.int32],
        tokens: NDArray[np.int32],
        units: NDArray[np.uint16],
        begins: NDArray[np.int32],
    ) -> dict[int, int]:
        """Adds tries behind the others; their indices by their first bytes."""
        pools = self._pools
        number, used = pools["residual_start"].used - 1, pools["residual_byte"].used
        columns: dict[str, NDArray[Any]] = {
            "byte": bytes_, "depth": depths, "end": ends, "first": first + np.int32(pools["residual_token"].used),
            "token": tokens, "units": units, "start": begins[1:] + np.int32(used),
        }  # fmt: skip
        for name, values in columns.items():
            pools[f"residual_{name}"].extend(values)
        return {int(bytes_[begin]): number + i for i, begin in enumerate(begins[:-1].tolist())}

    def build_outside(self, partition: int) -> None:
        """Makes the trie of the tokens that are not members, or marks it as not worth making."""
        with self._lock:
            pools = self._pools
            slot = pools["outside_of"].array
            if slot[partition] != NOT_BUILT:
                return
            row = pools["member_rows"].array[pools["row_full"].array[partition]]
            num_outside = self._tables.num_tokens - int(np.unpackbits(row.view(np.uint8)).sum(dtype=np.int64))
            if num_outside * _LEAST_INSIDE > self._tables.num_tokens:
                slot[partition] = EMPTY
                return
            self._add_outside(*trie_outside(self._tables.kernel, row))
            self._publish()
            slot[partition] = pools["outside_start"].used - 2

    def _add_outside(self, *columns: NDArray[Any]) -> None:
        for name, values in zip(("byte", "depth", "end", "token"), columns, strict=True):
            self._pools[f"outside_{name}"].extend(values)
        self._pools["outside_start"].extend(_one(self._pools["outside_byte"].used))


def _one(value: int) -> NDArray[np.int32]:
    return np.array([value], dtype=np.int32)


def _room(name: str) -> int:
    """Elements for which there is address space from the start: a copy of them would be seen in a mask."""
    if PARTITION.fields[name].ndim == 2 or name.startswith(("row_", "most_")) or name.endswith(("_of", "_start")):
        return 2 * _MAX_CLASSES
    return max(_MAX_BYTES >> 4, 1)
