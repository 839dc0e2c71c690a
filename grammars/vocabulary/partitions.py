"""Per character class, how tokens lie in it: what makes masks inside strings a copy instead of a walk.

For a class of characters every token falls in one of three groups:

- *members* consist of whole units of the class, perhaps with a begun one at the end: inside a span of the class they
  are allowed as long as the count of units is; they form one precomputed row for each count;
- tokens that leave the class after at least one whole unit: grouped by what *remains*, in a small trie, the residual,
  one for each first byte of the remainder, built when first asked for;
- the rest, which a walk from the span's exit covers anyway.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.kernels.options import kernel
from grammars.network.units import DEAD_UNIT, UnitClass
from grammars.vocabulary.growing import GrowingArray
from grammars.vocabulary.tables import VocabularyTables

MAX_COUNTED_UNITS = 32
NOT_BUILT, EMPTY = -1, -2
SHAPELESS = 0  # the trie of the tokens without a shape
_MAX_CLASSES = 512
_MAX_MET_LOOPS = 10_000
_MAX_BYTES = 128 << 20
_MAX_FIRST_ROWS = 16_384

PARTITION = ContainerType(
    "Partition",
    fields_of(
        uint8="residual_byte outside_byte",
        uint8_rows="first_byte",
        uint32_rows="member_rows",
        int32="""row_start row_last row_full long_start long_token long_units begun_start begun_token begun_rest
        most_rest leave_start leave_node leave_units residual_start residual_depth residual_end residual_token
        residual_units outside_of outside_start outside_depth outside_end outside_token""",
        int32_rows="residual_of",
        int64="residual_first",
    ),
)
"""The partitions of P classes, with S residuals and O tries of outsiders.

- member_rows[R, W]; row_start[P]: row of count 0, row_start + k holds the members of at most k units
- row_last[P]: largest k that has a row, -1 where row_full is the only one; more units: row_full[P] less the members of
  more units than row_last, which are slices long_start of long_token and long_units
- begun_token, begun_rest: members that end inside a unit, and bytes that finish it, slices begun_start; most_rest[P]:
  the largest of these, or 0
- first_byte[P, 256]: whether a unit begins with the byte
- leave_node, leave_units: trie nodes that leave after whole units, slices leave_start[P * 256 + 1]
- residual_of[P, 256]: residual of a first byte, NOT_BUILT or EMPTY
- residual_byte, residual_depth, residual_end: preorder nodes, slices residual_start[S + 1], ends relative to the slice
- residual_token, residual_units: slices residual_first, each node with its next
- outside_of[P]: trie of the tokens that are not members, NOT_BUILT or EMPTY
- outside_byte, outside_depth, outside_end, outside_token: slices outside_start[O + 1]; the first is `SHAPELESS`
"""


class Partitions:
    """The partitions of one vocabulary, shared by all its constraints and bounded in memory.

    One generation: nothing is ever dropped, for constraints hold indices. When it is full the vocabulary begins
    another, and this one goes with the last constraint that uses it.

    Thread-safe: `kernel` is replaced whole, never changed in place while a reader may hold it, save for slots that
    were empty and are filled before `kernel` is replaced.

    Attributes:
        kernel: what kernels read.
        is_full: whether there is no room for another class.
    """

    def __init__(self, tables: VocabularyTables) -> None:
        self._tables = tables
        self._lock = threading.RLock()
        # By class, and whether its members are told apart by the number of units.
        self._index: dict[tuple[UnitClass, bool], int] = {}
        self._met_loops: set[bytes] = set()
        width = {"first_byte": 256, "residual_of": 256}
        dtypes = {"first_byte": np.uint8, "residual_first": np.int64}
        byte_fields = {"residual_byte", "outside_byte"}
        self._pools = {
            name: GrowingArray(dtypes.get(name, np.uint8 if name in byte_fields else np.int32), width.get(name))
            for name in PARTITION.fields
            if name != "member_rows"
        }
        # Address space for as many rows as there may ever be, for a copy of them would be seen in a mask.
        capacity = min(_MAX_BYTES // (4 * tables.num_words) + 2 * MAX_COUNTED_UNITS, _MAX_FIRST_ROWS)
        self._pools["member_rows"] = GrowingArray(np.uint32, tables.num_words, capacity)
        # What every new class is sorted in: fresh memory would cost as much as the sorting.
        self._found = np.empty((3, tables.num_tokens), dtype=np.int32)
        self._left = np.empty((3, len(tables.arrays["node_byte"])), dtype=np.int32)
        zero = np.zeros(1, dtype=np.int32)
        for name in ("long_start", "begun_start", "leave_start", "residual_start", "outside_start"):
            self._pools[name].extend(zero)
        self._add_outside(*_trie_outside(tables.kernel, tables.arrays["shape_row"]))
        self._publish()

    @property
    def num_bytes(self) -> int:
        """Bytes held."""
        return sum(pool.num_bytes for pool in self._pools.values())

    def _publish(self) -> None:
        self.kernel: Any = new_container(PARTITION, {name: pool.array for name, pool in self._pools.items()})
        num_classes = self._pools["row_start"].used
        self.is_full = num_classes >= _MAX_CLASSES or (num_classes > 1 and self.num_bytes >= _MAX_BYTES)

    def known(self, units: UnitClass) -> int:
        """Index of the class's partition if it was built before, else NOT_BUILT."""
        return self._index.get((units, True), NOT_BUILT)

    def of_class(self, units: UnitClass, is_counted: bool = True) -> int:
        """Index of the class's partition, built now if it is new; EMPTY when the bounds on memory are reached.

        Args:
            units: the class.
            is_counted: whether there have to be rows for each number of units, or one for all members only.
        """
        with self._lock:
            key = (units, is_counted)
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
        pools, v = self._pools, self._tables.kernel
        found, left = _classify(v, units.table, self._found, self._left)
        (members, counts, ends), (nodes, bytes_, units_before) = self._found[:, :found], self._left[:, :left]
        last = int(min(counts.max(initial=0), MAX_COUNTED_UNITS)) if is_counted else -1
        pools["row_start"].extend(_one(pools["member_rows"].used))
        pools["row_full"].extend(_one(pools["member_rows"].used + last + 1))
        pools["row_last"].extend(_one(last))
        _fill_member_rows(pools["member_rows"].add(last + 2), members, counts)
        is_long = (counts > last) & is_counted
        order = np.argsort(counts[is_long], kind="stable")
        self._slice("long", token=members[is_long][order], units=counts[is_long][order])
        begun = ends > 0
        rest = units.fewest_bytes[ends[begun]]
        self._slice("begun", token=members[begun], rest=rest)
        pools["most_rest"].extend(_one(int(rest.max(initial=0))))
        pools["first_byte"].extend((units.table[0] != DEAD_UNIT).astype(np.uint8)[None])
        order = np.argsort(bytes_.astype(np.uint8), kind="stable")
        starts = pools["leave_node"].used + np.cumsum(np.bincount(bytes_, minlength=256))
        pools["leave_start"].extend(starts.astype(np.int32))
        pools["leave_node"].extend(nodes[order])
        pools["leave_units"].extend(units_before[order])
        residuals = np.where(np.bincount(bytes_, minlength=256) > 0, NOT_BUILT, EMPTY).astype(np.int32)
        pools["residual_of"].extend(residuals[None])
        pools["outside_of"].extend(_one(NOT_BUILT))
        self._publish()

    def _slice(self, name: str, **columns: NDArray[np.int32]) -> None:
        for column, values in columns.items():
            self._pools[f"{name}_{column}"].extend(values)
        used = self._pools[f"{name}_{next(iter(columns))}"].used
        self._pools[f"{name}_start"].extend(_one(used))

    def build_residuals(self, partition: int, first_bytes: NDArray[np.int64]) -> None:
        """Makes the residuals of the tokens that leave the class by these bytes."""
        with self._lock:
            known = self._pools["residual_of"].array[partition]
            missing = [int(byte) for byte in first_bytes if known[byte] == NOT_BUILT]
            places = [self._add_residual(partition, byte) for byte in missing]
            self._publish()
            known[missing] = places

    def _add_residual(self, partition: int, byte: int) -> int:
        """Adds one residual behind the others; its index."""
        pools = self._pools
        first, last = pools["leave_start"].array[partition * 256 + byte :][:2]
        nodes, counts = pools["leave_node"].array[first:last], pools["leave_units"].array[first:last]
        bytes_, depth, end, first_token, tokens, units = _merge_subtrees(self._tables.kernel, nodes, counts)
        pools["residual_first"].extend(first_token + pools["residual_token"].used)
        for name, values in (("byte", bytes_), ("depth", depth), ("end", end)):
            pools[f"residual_{name}"].extend(values)
            # One more node than there is, so that each node's tokens end where the next one's begin.
            pools[f"residual_{name}"].extend(np.zeros(1, dtype=values.dtype))
        pools["residual_token"].extend(tokens)
        pools["residual_units"].extend(units)
        pools["residual_start"].extend(_one(pools["residual_byte"].used))
        return pools["residual_start"].used - 2

    def build_outside(self, partition: int) -> None:
        """Makes the trie of the tokens that are not members, or marks it as not worth making."""
        with self._lock:
            pools = self._pools
            slot = pools["outside_of"].array
            if slot[partition] != NOT_BUILT:
                return
            row = pools["member_rows"].array[pools["row_full"].array[partition]]
            bytes_, depth, end, tokens = _trie_outside(self._tables.kernel, row)
            if 3 * len(bytes_) > len(self._tables.arrays["node_byte"]):
                slot[partition] = EMPTY
                return
            self._add_outside(bytes_, depth, end, tokens)
            self._publish()
            slot[partition] = pools["outside_start"].used - 2

    def _add_outside(self, *columns: NDArray[Any]) -> None:
        for name, values in zip(("byte", "depth", "end", "token"), columns, strict=True):
            self._pools[f"outside_{name}"].extend(values)
        self._pools["outside_start"].extend(_one(self._pools["outside_byte"].used))


def _one(value: int) -> NDArray[np.int32]:
    return np.array([value], dtype=np.int32)


@kernel
def _classify(v, table, found_in, left_in):
    """Writes members with begun units and last unit state; and nodes that leave with their byte and whole units before.

    Returns how many there are of either.
    """
    members, counts, ends = found_in[0], found_in[1], found_in[2]
    nodes, bytes_, units_before = left_in[0], left_in[1], left_in[2]
    deepest = 0
    for d in v.node_depth:
        deepest = max(deepest, d)
    state, begun = np.zeros(deepest + 1, np.int32), np.zeros(deepest + 1, np.int32)
    found, left = 0, 0
    i, count = 1, len(v.node_byte)
    while i < count:
        d, b = v.node_depth[i], v.node_byte[i]
        before = state[d - 1]
        goal = table[before, b]
        if goal == DEAD_UNIT:
            if before == 0 and d > 1:
                nodes[left], bytes_[left], units_before[left] = i, b, begun[d - 1]
                left += 1
            i = v.node_end[i]
            continue
        state[d] = goal
        begun[d] = begun[d - 1] + (1 if before == 0 else 0)
        token = v.node_token[i]
        while token >= 0:
            members[found], counts[found], ends[found] = token, begun[d], goal
            found += 1
            token = v.next_same[token]
        i += 1
    return found, left


@kernel
def _fill_member_rows(rows, members, counts):
    """Row k: members of at most k units; the last row: all members."""
    last = len(rows) - 1
    for i in range(len(members)):
        bit = np.uint32(1) << np.uint32(members[i] & 31)
        rows[min(counts[i], last), members[i] >> 5] |= bit
    for k in range(1, len(rows)):
        for w in range(rows.shape[1]):
            rows[k, w] |= rows[k - 1, w]


@kernel
def _merge_subtrees(v, tops, units):
    """One trie of all subtrees below `tops`, their roots merged by byte; tokens with the units before them."""
    total = 0
    tokens_in = 0
    for top in tops:
        total += v.node_end[top] - top
        for i in range(top, v.node_end[top]):
            token = v.node_token[i]
            while token >= 0:
                tokens_in += 1
                token = v.next_same[token]
    bytes_ = np.zeros(total + 1, np.uint8)
    first_child, sibling = np.full(total + 1, -1, np.int32), np.full(total + 1, -1, np.int32)
    owner, token_of = np.empty(tokens_in, np.int32), np.empty(tokens_in, np.int32)
    units_of = np.empty(tokens_in, np.int32)
    path = np.zeros(total + 2, np.int32)
    used, entries = 1, 0
    for k in range(len(tops)):
        top = tops[k]
        offset = v.node_depth[top] - 1
        for i in range(top, v.node_end[top]):
            d = v.node_depth[i] - offset
            parent = path[d - 1]
            child = first_child[parent]
            while child >= 0 and bytes_[child] != v.node_byte[i]:
                child = sibling[child]
            if child < 0:
                child = used
                used += 1
                bytes_[child] = v.node_byte[i]
                sibling[child] = first_child[parent]
                first_child[parent] = child
            path[d] = child
            token = v.node_token[i]
            while token >= 0:
                owner[entries], token_of[entries], units_of[entries] = child, token, units[k]
                entries += 1
                token = v.next_same[token]
    order, depth, end = np.empty(used, np.int32), np.zeros(used, np.int32), np.zeros(used, np.int32)
    place = np.empty(used, np.int32)
    height, placed = 0, 0
    path[0] = first_child[0]
    while height >= 0:
        node = path[height]
        if node < 0:
            height -= 1
            if height >= 0:
                end[place[path[height]]] = placed
                path[height] = sibling[path[height]]
            continue
        order[placed], depth[placed], place[node] = node, height + 1, placed
        placed += 1
        height += 1
        path[height] = first_child[node]
    first = np.zeros(placed + 1, np.int64)
    for e in range(entries):
        first[place[owner[e]] + 1] += 1
    for i in range(placed):
        first[i + 1] += first[i]
    fill = first.copy()
    tokens, counts = np.empty(entries, np.int32), np.empty(entries, np.int32)
    for e in range(entries):
        at = fill[place[owner[e]]]
        fill[place[owner[e]]] += 1
        tokens[at], counts[at] = token_of[e], units_of[e]
    sorted_bytes = np.empty(placed, np.uint8)
    for i in range(placed):
        sorted_bytes[i] = bytes_[order[i]]
    return sorted_bytes, depth[:placed].copy(), end[:placed].copy(), first, tokens, counts


@kernel
def _trie_outside(v, member_row):
    """The trie restricted to tokens that are not in `member_row`, in preorder, the root left out."""
    count = len(v.node_byte)
    wanted = np.zeros(count, np.uint8)
    for i in range(count - 1, 0, -1):
        token = v.node_token[i]
        if token >= 0 and (member_row[token >> 5] >> np.uint32(token & 31)) & np.uint32(1) == 0:
            wanted[i] = 1
        if wanted[i]:
            wanted[v.node_parent[i]] = 1
    place = np.empty(count + 1, np.int32)
    used = 0
    for i in range(1, count):
        place[i] = used
        used += 1 if wanted[i] else 0
    place[count] = used
    bytes_, depth = np.empty(used, np.uint8), np.empty(used, np.int32)
    end, tokens = np.empty(used, np.int32), np.empty(used, np.int32)
    for i in range(1, count):
        if wanted[i]:
            at = place[i]
            bytes_[at], depth[at], end[at] = v.node_byte[i], v.node_depth[i], place[v.node_end[i]]
            token = v.node_token[i]
            outside = token >= 0 and (member_row[token >> 5] >> np.uint32(token & 31)) & np.uint32(1) == 0
            tokens[at] = token if outside else -1
    return bytes_, depth, end, tokens
