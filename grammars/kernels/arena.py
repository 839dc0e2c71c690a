"""The memory of one compiled constraint: its network, and the stacks, configurations and rows met so far."""

from __future__ import annotations

import mmap
import threading
import weakref
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba.experimental import structref
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, PlainContainer
from grammars.kernels.hashing import index_configs, index_sets, index_stacks
from grammars.kernels.options import Entry, kernel
from grammars.kernels.recycling import Form, Memories, Memory, set_network
from grammars.limits import Limits
from grammars.network.network import Network
from grammars.vocabulary.pool import BLOCK_ROWS, MaskPool
from grammars.vocabulary.vocabulary import Vocabulary

# Answers of kernels that could not finish; all work done so far is kept, so the call is simply made again.
FULL = -2  # an array is full: grow, then call again
WANTED = -3  # a partition or residual is missing: `counters[WANTED_*]` says which

(
    NUM_STACKS, NUM_CONFIGS, NUM_PAIRS, NUM_ROWS, STAMP, NUM_MASKS, MASK_ROOM, FULL_ARRAY, WANTED_CLASS, WANTED_KIND,
    NUM_SETS, ORIGIN, IS_HUNG, IS_OPEN_STRING, NUM_QUESTIONS, NUM_ANSWERS, TEXT_SIZE, TEXT_EPOCH, TEXT_VERSION,
    NUM_HUNG, NUM_KEPT_HUNG, NUM_COUNTERS,
) = range(22)  # fmt: skip
FULL_STACKS, FULL_CONFIGS, FULL_PAIRS, FULL_ROWS, FULL_WORK, FULL_SETS, FULL_HUNG, FULL_MASKS = range(8)
NO_ROOM = -1  # in `counters[MASK_ROOM]`: no mask is kept
DEAD = 0
UNKNOWN = -1  # in a row: the successor was not asked for yet
# Elsewhere 0 stands for "none", so that fresh zeroed memory is ready for use: in the hash tables, in `config_row` and
# `config_mask` (place 0 of either array stays empty), and in `config_reach`, which holds one more than the reach.

_NETWORK_FIELDS = (
    "kind", "item", "accepts", "otherwise", "edge_start", "edge_low", "edge_high", "edge_to", "epsilon_start",
    "epsilon_to", "call_start", "call_rule", "call_return", "span_first", "span_class", "span_low", "span_high",
    "span_exit", "repeat_rule", "repeat_low", "repeat_high", "repeat_exit", "select_choose", "select_after",
    "select_low", "select_high", "select_ordered", "select_separator", "select_others", "select_exit", "member_start",
    "member_rule", "member_required", "check_exit", "check_guard", "check_slack", "guard_kind", "cost",
)  # fmt: skip
_OCTETS = dict.fromkeys(("kind", "accepts", "edge_low", "edge_high"), np.uint8)
_CLASS_FIELDS = ("unit_start", "unit_table", "unit_fewest", "partition_of")
_STACK_FIELDS = ("stack_return", "stack_count", "stack_parent", "stack_cost", "stack_slots")
_CONFIG_FIELDS = (
    "config_first", "config_size", "config_accepts", "config_cost", "config_row", "config_hash", "config_mask",
    "config_reach", "config_seen", "config_loop", "config_slots",
)  # fmt: skip
_SET_FIELDS = ("set_members", "set_size", "set_slots")
_PAIR_FIELDS = ("pair_state", "pair_stack", "pair_count")
_WORK_FIELDS = (
    "work_state", "work_stack", "work_count", "work_base", "work_other", "seen_slot", "seen_stamp", "path",
    "other_path", "loop_bytes",
)  # fmt: skip
_GUARD_FIELDS = (
    "config_without", "config_with", "config_hung", "text", "answer_key", "answer", "question", "question_text",
    "guarded_path", "hung", "kept_hung",
)  # fmt: skip
FIELDS = (
    *_NETWORK_FIELDS, *_CLASS_FIELDS, *_STACK_FIELDS, *_CONFIG_FIELDS, *_PAIR_FIELDS, "rows", "masks", "mask_blocks",
    *_WORK_FIELDS, "scratch", "set_scratch", *_SET_FIELDS, *_GUARD_FIELDS, "counters", "trie", "partition",
)  # fmt: skip

_FIRST_CAPACITY = {
    "stacks": 1024, "configs": 2048, "pairs": 8192, "rows": 1 << 30, "work": 512, "sets": 256, "hung": 512,
}  # fmt: skip
_MAX_QUESTIONS = 4096
_MAX_KEPT_HUNG = 1 << 16
_NUM_ANSWERS = 1 << 14
_ALIGNMENT = 64


class ArenaFullError(Exception):
    """The arena was emptied because it reached its limit: configurations from before mean nothing (internal)."""


@structref.register
class ArenaType(ContainerType):
    """Numba type of `Arena`."""


class Arena(structref.StructRefProxy):  # type: ignore[misc]
    """The arrays named in `FIELDS`.

    A stack node is (return state, count, parent); node 0 is the bottom. A configuration is a sorted set of
    (state, stack, count) triples, closed under moves that consume nothing; configuration 0 is the empty set.
    ``rows[config_row[c], b]`` is the configuration after byte b, `UNKNOWN` until it is asked for.
    """


structref.define_proxy(Arena, ArenaType, FIELDS)


@kernel
def _new_arena(
    kind, item, accepts, otherwise, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start,
    call_rule, call_return, span_first, span_class, span_low, span_high, span_exit, repeat_rule, repeat_low,
    repeat_high, repeat_exit, select_choose, select_after, select_low, select_high, select_ordered, select_separator,
    select_others, select_exit, member_start, member_rule, member_required, check_exit, check_guard, check_slack,
    guard_kind, cost, unit_start, unit_table, unit_fewest, partition_of, stack_return, stack_count, stack_parent,
    stack_cost, stack_slots, config_first, config_size, config_accepts, config_cost, config_row, config_hash,
    config_mask, config_reach, config_seen, config_loop, config_slots, pair_state, pair_stack, pair_count, rows,
    masks, mask_blocks, work_state, work_stack, work_count, work_base, work_other, seen_slot, seen_stamp, path,
    other_path, loop_bytes, scratch, set_scratch, set_members, set_size, set_slots, config_without, config_with,
    config_hung, text, answer_key, answer, question, question_text, guarded_path, hung, kept_hung, counters, trie,
    partition,
):  # fmt: skip
    return Arena(
        kind, item, accepts, otherwise, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to,
        call_start, call_rule, call_return, span_first, span_class, span_low, span_high, span_exit, repeat_rule,
        repeat_low, repeat_high, repeat_exit, select_choose, select_after, select_low, select_high, select_ordered,
        select_separator, select_others, select_exit, member_start, member_rule, member_required, check_exit,
        check_guard, check_slack, guard_kind, cost, unit_start, unit_table, unit_fewest, partition_of, stack_return,
        stack_count, stack_parent, stack_cost, stack_slots, config_first, config_size, config_accepts, config_cost,
        config_row, config_hash, config_mask, config_reach, config_seen, config_loop, config_slots, pair_state,
        pair_stack, pair_count, rows, masks, mask_blocks, work_state, work_stack, work_count, work_base, work_other,
        seen_slot, seen_stamp, path, other_path, loop_bytes, scratch, set_scratch, set_members, set_size, set_slots,
        config_without, config_with, config_hung, text, answer_key, answer, question, question_text, guarded_path,
        hung, kept_hung, counters, trie, partition,
    )  # fmt: skip


_NEW = Entry(_new_arena)
# Stand in for the arrays of a network until it is set.
_NO_NETWORK = [
    np.zeros((1, 256), dtype=np.uint16) if name == "unit_table" else np.zeros(1, dtype=_OCTETS.get(name, np.int32))
    for name in (*_NETWORK_FIELDS, *_CLASS_FIELDS[:-1])
]


class ArenaArrays:
    """The arrays of one arena, and how they are made, grown and dropped.

    Args:
        network: what is matched.
        vocabulary: what the masks are over.
        longest_token: bytes of the longest token.
        limits: bounds of the arrays.
        lock: held by whoever runs kernels on the arrays.
        memories: where memory comes from and goes to; always used with the same vocabulary and limits.
    """

    def __init__(
        self, network: Network, vocabulary: Vocabulary, limits: Limits, lock: threading.Lock, memories: Memories
    ) -> None:
        self._lock = lock
        self._limits = limits
        self._pool = pool = vocabulary.mask_pool
        self._trie = vocabulary.tables.kernel
        self._partitions = vocabulary.partitions
        self._blocks: list[int] = []
        self._network = network
        known = [self._partitions.known(units) for units in network.classes] or [-1]
        self._static = {"masks": pool.rows, "partition_of": np.array(known, dtype=np.int32)}
        self._num_tokens = len(vocabulary)
        self._path = vocabulary.tables.longest_token + 2
        self.is_guarded = len(network.guards) > 0
        self._asks = any(guard.predicate is not None for guard in network.guards)
        form = Form(int(self.is_guarded) + int(self._asks))
        self._words = network.num_set_words
        self._held: list[Memory] = []
        self.kernel: Any = None
        used = memories.take(form) if self._words == 1 else None
        if used is None:
            self.reset()
        else:
            self._use_again(used)
        weakref.finalize(self, _give_back, pool, self._blocks, memories, self._held, form)

    def reset(self) -> None:
        """Drops every stack, configuration and row; configuration ids from before mean nothing afterwards."""
        self._capacity = {name: min(first, self.maximum(name)) for name, first in _FIRST_CAPACITY.items()}
        shapes = self._fixed_shapes()
        for name, capacity in self._capacity.items():
            if name != "rows":
                shapes |= _shapes(name, capacity, self._words, self.is_guarded)
        self.arrays: dict[str, NDArray[Any]] = (
            self._static | _zeros(shapes) | {"rows": _reserve(self._capacity["rows"])}
        )
        self.arrays["mask_blocks"][: len(self._blocks)] = self._blocks
        counters = self.arrays["counters"]
        counters[NUM_STACKS] = counters[NUM_CONFIGS] = counters[NUM_ROWS] = counters[NUM_SETS] = 1
        counters[MASK_ROOM] = BLOCK_ROWS * len(self._blocks)
        self._wrap()

    def _use_again(self, memory: Memory) -> None:
        self._capacity = {name: min(first, self.maximum(name)) for name, first in _FIRST_CAPACITY.items()}
        self.arrays, self.kernel = memory
        self._held.append(memory)
        self.arrays.update(self._static)
        self.renew()

    def renew(self) -> None:
        """Makes used memory as good as fresh."""
        self._set_network()
        _clear(self.kernel)

    def _set_network(self) -> None:
        network = self._network
        set_network(
            self.kernel, network.ints, network.octets, network.starts, network.unit_start, network.unit_fewest,
            network.unit_table, self._static["partition_of"], self._partitions.kernel,
        )  # fmt: skip

    def _fixed_shapes(self) -> Shapes:
        """Of the arrays that never grow."""
        answers, questions = (_NUM_ANSWERS, _MAX_QUESTIONS) if self._asks else (1, 1)
        return {
            "path": (np.int32, self._path),
            "other_path": (np.int32, self._path),
            "guarded_path": (np.int32, self._path),
            "loop_bytes": (np.uint8, 256),
            "scratch": (np.uint32, (2, self._pool.rows.shape[1])),
            "set_scratch": (np.uint64, self._words),
            "mask_blocks": (np.int32, self._limits.max_mask_rows // BLOCK_ROWS + 1),
            "counters": (np.int64, NUM_COUNTERS),
            "text": (np.uint8, 1),
            "answer_key": (np.int64, answers),
            "answer": (np.uint8, answers),
            "question": (np.int64, (questions, 3)),
            "question_text": (np.uint8, (questions, self._path)),
            "kept_hung": (np.int32, _MAX_KEPT_HUNG if self.is_guarded else 1),
        }

    def refresh_partition(self) -> None:
        """Lets the kernels see what was added to the vocabulary's partitions."""
        _set_partition(self.kernel, self._partitions.kernel)

    def _wrap(self) -> None:
        rest = [self.arrays[name] for name in FIELDS[len(_NO_NETWORK) : -2]]
        values = [*_NO_NETWORK, *rest, self._trie, self._partitions.kernel]
        self.kernel = PlainContainer(FIELDS, values) if numba.config.DISABLE_JIT else _NEW.call(*values)
        self._set_network()
        self._held.clear()
        if self._words == 1 and all(value <= _FIRST_CAPACITY[name] for name, value in self._capacity.items()):
            self._held.append(Memory(self.arrays, self.kernel))

    @property
    def full_array(self) -> str:
        """Name of the capacity that the last kernel call exhausted."""
        return (*_FIRST_CAPACITY, "masks")[int(self.arrays["counters"][FULL_ARRAY])]

    @property
    def num_bytes(self) -> int:
        """Bytes in use, without the network."""
        counters = self.arrays["counters"]
        held = sum(array.nbytes for name, array in self.arrays.items() if name not in self._static and name != "rows")
        masks = BLOCK_ROWS * len(self._blocks) * self._pool.rows[0].nbytes
        rows = int(counters[NUM_ROWS]) * self.arrays["rows"][0].nbytes
        return int(held + rows + masks)

    def maximum(self, name: str) -> int:
        """Largest capacity of the array group `name`."""
        limits = self._limits
        return {
            "stacks": limits.max_stack_nodes,
            "configs": limits.max_configurations,
            "pairs": 4 * limits.max_configurations,
            "rows": limits.max_configurations,
            "work": limits.max_configuration_pairs,
            "sets": limits.max_stack_nodes,
            # A token is noted by each of the walks that a mask is put together from.
            "hung": 4 * self._num_tokens,
        }[name]

    def grow(self, name: str) -> bool:
        """Makes the array group `name` four times as large, within its maximum; False when it is at it."""
        capacity = self._capacity[name]
        larger = min(4 * capacity, self.maximum(name))
        if larger <= capacity:
            return False
        fresh = _zeros(_shapes(name, larger, self._words, self.is_guarded))
        for field, array in fresh.items():
            if not field.endswith(("_slots", "_slot", "_stamp")):
                array[: len(self.arrays[field])] = self.arrays[field]
        self.arrays.update(fresh)
        self._capacity[name] = larger
        if name in ("stacks", "configs", "sets"):
            self._index_again(name)
        self._wrap()
        return True

    def _index_again(self, name: str) -> None:
        arrays, counters = self.arrays, self.arrays["counters"]
        if name == "stacks":
            names = ("stack_return", "stack_count", "stack_parent", "stack_slots")
            index_stacks(*(arrays[n] for n in names), int(counters[NUM_STACKS]))
        elif name == "sets":
            index_sets(arrays["set_members"], arrays["set_size"], arrays["set_slots"], int(counters[NUM_SETS]))
        else:
            index_configs(arrays["config_hash"], arrays["config_slots"], int(counters[NUM_CONFIGS]))

    def give_up_masks(self) -> bool:
        """See `MaskOwner`."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            had_blocks = bool(self._blocks)
            self.arrays["config_mask"][:] = 0
            counters = self.arrays["counters"]
            counters[NUM_MASKS] = counters[MASK_ROOM] = counters[NUM_KEPT_HUNG] = 0
            self._pool.give_back(self._blocks)
            return had_blocks
        finally:
            self._lock.release()

    def make_room_for_masks(self) -> None:
        """Takes another block of mask rows; without one to have, drops the masks kept so far and uses theirs."""
        counters = self.arrays["counters"]
        allowed = BLOCK_ROWS * (len(self._blocks) + 1) <= self._limits.max_mask_rows
        block = self._pool.take(self) if allowed else None
        if block is not None:
            self.arrays["mask_blocks"][len(self._blocks)] = block
            self._blocks.append(block)
            counters[MASK_ROOM] = BLOCK_ROWS * len(self._blocks)
        elif self._blocks:
            self.arrays["config_mask"][:] = 0
            counters[NUM_MASKS] = counters[NUM_KEPT_HUNG] = 0
        else:
            counters[MASK_ROOM] = NO_ROOM


# Type and shape of each array.
Shapes = dict[str, tuple[Any, Any]]


@lru_cache(maxsize=256)
def _shapes(name: str, capacity: int, num_words: int, is_guarded: bool) -> Shapes:
    """Of the arrays of one group."""
    slots = 1 << (2 * capacity - 1).bit_length()
    if name == "stacks":
        return dict.fromkeys(_STACK_FIELDS[:-1], (np.int32, capacity)) | {"stack_slots": (np.int32, slots)}
    if name == "configs":
        columns = dict.fromkeys(_CONFIG_FIELDS[:-1], (np.int32, capacity)) | {"config_slots": (np.int32, slots)}
        for field in ("config_without", "config_with", "config_hung"):
            columns[field] = (np.int32, capacity if is_guarded else 1)
        bits = dict.fromkeys(("config_accepts", "config_seen"), (np.uint8, capacity))
        return columns | bits | {"config_hash": (np.int64, capacity)}
    if name == "pairs":
        return dict.fromkeys(_PAIR_FIELDS, (np.int32, capacity))
    if name == "sets":
        sizes = {"set_size": (np.int32, capacity), "set_slots": (np.int32, slots)}
        return sizes | {"set_members": (np.uint64, (capacity, num_words))}
    if name == "hung":
        return {"hung": (np.int32, capacity if is_guarded else 1)}
    columns = dict.fromkeys(_WORK_FIELDS[:5], (np.int32, capacity))
    return columns | {"seen_slot": (np.int32, 2 * slots), "seen_stamp": (np.int64, 2 * slots)}


def _zeros(shapes: Shapes) -> dict[str, NDArray[Any]]:
    """The arrays, zeroed, in one piece of memory."""
    places, size = {}, 0
    for field, (kind, shape) in shapes.items():
        places[field] = size
        count = shape if isinstance(shape, int) else shape[0] * shape[1]
        size += -(-count * np.dtype(kind).itemsize // _ALIGNMENT) * _ALIGNMENT
    memory = np.zeros(size, dtype=np.uint8)
    return {field: np.ndarray(shape, kind, memory, places[field]) for field, (kind, shape) in shapes.items()}


def _reserve(num_rows: int) -> NDArray[np.int32]:
    """Rows that cost address space until they are written to, so that they never have to be copied to grow.

    Not from numpy's allocator: it asks for huge pages from 4 MB on, whose first touch is slow.
    """
    memory = mmap.mmap(-1, 1024 * num_rows, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(memory, dtype=np.int32).reshape(num_rows, 256)


def _give_back(pool: MaskPool, blocks: list[int], memories: Memories, held: list[Memory], form: Form) -> None:
    pool.give_back(blocks)
    for memory in held:
        memories.give_back(memory, form, int(memory.arrays["counters"][NUM_ROWS]))


@kernel
def _clear(a):
    counters = a.counters
    used = counters[NUM_CONFIGS]
    for columns in (a.config_row, a.config_mask, a.config_reach, a.config_loop):
        columns[:used] = 0
    a.config_seen[:used] = 0
    if len(a.config_without) > 1:
        a.config_without[:used] = 0
        a.config_with[:used] = 0
        a.config_hung[:used] = 0
    for slots in (a.config_slots, a.stack_slots, a.set_slots):
        slots[:] = 0
    if counters[NUM_ANSWERS] > 0:
        a.answer_key[:] = 0
    stamp = counters[STAMP]
    counters[:] = 0
    counters[STAMP] = stamp
    counters[NUM_STACKS] = counters[NUM_CONFIGS] = counters[NUM_ROWS] = counters[NUM_SETS] = 1


@kernel
def _set_partition(a, partition):
    a.partition = partition
