"""The memory of one compiled constraint: its network, and the stacks, configurations and rows met so far."""

from __future__ import annotations

import mmap
import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, as_field, fields_of, new_container
from grammars.kernels.hashing import index_configs, index_sets, index_stacks
from grammars.kernels.options import kernel
from grammars.kernels.recycling import Form, Memories, Memory, set_network
from grammars.limits import Limits
from grammars.network.network import INT_FIELDS, Network
from grammars.vocabulary.partitions import PARTITION
from grammars.vocabulary.pool import BLOCK_ROWS, MaskPool
from grammars.vocabulary.tables import TRIE
from grammars.vocabulary.vocabulary import Vocabulary

# Answers of kernels that could not finish; all work done so far is kept, so the call is simply made again.
FULL = -2  # an array is full: grow, then call again
WANTED = -3  # a partition or residual is missing: `counters[WANTED_*]` says which

(
    NUM_STACKS, NUM_CONFIGS, NUM_PAIRS, NUM_ROWS, STAMP, NUM_MASKS, MASK_ROOM, FULL_ARRAY, WANTED_CLASS, WANTED_KIND,
    NUM_SETS, ORIGIN, IS_HUNG, IS_OPEN_STRING, NUM_QUESTIONS, NUM_ANSWERS, TEXT_SIZE, TEXT_EPOCH, TEXT_VERSION,
    NUM_HUNG, NUM_KEPT_HUNG, BASE, STEPS_LEFT, MOST_STEPS, NUM_COUNTERS,
) = range(25)  # fmt: skip
FULL_STACKS, FULL_CONFIGS, FULL_PAIRS, FULL_ROWS, FULL_WORK, FULL_SETS, FULL_HUNG, FULL_MASKS, FULL_STEPS = range(9)
# A mask, or a byte of a token, adds this part of the most steps to those that are left.
MASK_PART, BYTE_PART = 75, 750
NO_ROOM = -1  # in `counters[MASK_ROOM]`: no mask is kept
DEAD = 0
UNKNOWN = -1  # in a row: the successor was not asked for yet
ONE_MORE = -4  # in a row: the successor is like the configuration itself, with one more unit in its span
# Elsewhere 0 stands for "none", so that fresh zeroed memory is ready for use: in the hash tables, in `config_row` and
# `config_mask` (place 0 of either array stays empty), and in `config_reach`, which holds one more than the reach.

_STACK_FIELDS = ("stack_return", "stack_count", "stack_parent", "stack_cost", "stack_slots")
_CONFIG_FIELDS = (
    "config_first", "config_size", "config_cost", "config_row", "config_mask", "config_reach", "config_loop",
    "config_more", "config_base", "config_slots",
)  # fmt: skip
_PAIR_FIELDS = ("pair_state", "pair_stack", "pair_count")
_WORK_FIELDS = ("work_state", "work_stack", "work_count", "work_base", "work_other")
_INT32_FIELDS = (
    "unit_start", "unit_fewest", "partition_of", *_STACK_FIELDS, *_CONFIG_FIELDS, *_PAIR_FIELDS, *_WORK_FIELDS,
    "mask_blocks", "seen_slot", "path", "other_path", "set_size", "set_slots", "config_without", "config_with",
    "config_hung", "guarded_path", "hung", "kept_hung", "open_node", "open_config", "open_units",
)  # fmt: skip

_FIRST_CAPACITY = {
    "stacks": 1024, "configs": 2048, "pairs": 8192, "rows": 1 << 30, "work": 512, "sets": 256, "hung": 512,
}  # fmt: skip
_MAX_QUESTIONS = 4096
_MAX_KEPT_HUNG = 1 << 16
_NUM_ANSWERS = 1 << 14


class ArenaFullError(Exception):
    """The arena was emptied because it reached its limit: configurations from before mean nothing (internal)."""


ARENA = ContainerType(
    "Arena",
    {
        **fields_of(
            uint8="kind accepts edge_low edge_high config_accepts config_seen loop_bytes text answer",
            uint8_rows="question_text",
            uint16_rows="unit_table",
            int32=" ".join((*INT_FIELDS[:-1], *_INT32_FIELDS)),
            int32_rows="rows",
            uint32_rows="masks scratch",
            int64="config_hash seen_stamp answer_key counters",
            int64_rows="question",
            uint64="set_scratch",
            uint64_rows="set_members",
        ),
        "trie": TRIE,
        "partition": PARTITION,
    },
    changing=frozenset(("text",)),
)
"""The arrays of an arena.

A stack node is (return state, count, parent); node 0 is the bottom. A configuration is a sorted set of (state, stack,
count) triples, closed under moves that consume nothing; configuration 0 is the empty set. ``rows[config_row[c], b]`` is
the configuration after byte b, `UNKNOWN` until it is asked for.
"""


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
        # Kernels read these by address: the arena keeps them alive.
        self._tables = tuple(
            as_field(array)
            for array in (
                network.ints, network.octets, network.starts, network.unit_start, network.unit_fewest,
                network.unit_table,
            )
        )  # fmt: skip
        known = [self._partitions.known(units) for units in network.classes] or [-1]
        self._static = {"masks": pool.rows, "partition_of": np.array(known, dtype=np.int32)}
        self._num_tokens = len(vocabulary)
        self._path = vocabulary.tables.longest_token + 2
        self._widest_path = vocabulary.tables.widest_path
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
        is_first = self.kernel is None
        steps_left = self._limits.max_match_steps if is_first else int(self.arrays["counters"][STEPS_LEFT])
        self.arrays: dict[str, NDArray[Any]] = dict(self._static)
        for name in _FIRST_CAPACITY:
            self.arrays.update(self._fresh(name, self._capacity[name]))
        self.arrays["path"] = np.zeros(self._path, dtype=np.int32)
        self.arrays["other_path"] = np.zeros(self._path, dtype=np.int32)
        for name in ("open_node", "open_config", "open_units"):
            self.arrays[name] = np.zeros(self._widest_path + 1, dtype=np.int32)
        self.arrays["loop_bytes"] = np.zeros(256, dtype=np.uint8)
        self.arrays["scratch"] = np.zeros((2, self._pool.rows.shape[1]), dtype=np.uint32)
        self.arrays["set_scratch"] = np.zeros(self._words, dtype=np.uint64)
        self.arrays.update(self._guard_arrays())
        self.arrays["mask_blocks"] = np.zeros(self._limits.max_mask_rows // BLOCK_ROWS + 1, dtype=np.int32)
        self.arrays["mask_blocks"][: len(self._blocks)] = self._blocks
        self.arrays["counters"] = np.zeros(NUM_COUNTERS, dtype=np.int64)
        counters = self.arrays["counters"]
        counters[NUM_STACKS] = counters[NUM_CONFIGS] = counters[NUM_ROWS] = counters[NUM_SETS] = 1
        counters[MOST_STEPS] = self._limits.max_match_steps
        # Whoever empties an arena by what it matches gets no new steps for it.
        counters[STEPS_LEFT] = max(steps_left, self._limits.max_match_steps // MASK_PART)
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
        set_network(self.kernel, *self._tables, self._static["partition_of"])
        self.refresh_partition()

    def _guard_arrays(self) -> dict[str, NDArray[Any]]:
        answers, questions = (_NUM_ANSWERS, _MAX_QUESTIONS) if self._asks else (1, 1)
        return {
            "text": np.zeros(1, dtype=np.uint8),
            "answer_key": np.zeros(answers, dtype=np.int64),
            "answer": np.zeros(answers, dtype=np.uint8),
            "question": np.zeros((questions, 3), dtype=np.int64),
            "question_text": np.zeros((questions, self._path), dtype=np.uint8),
            "guarded_path": np.zeros(self._path, dtype=np.int32),
            "kept_hung": np.zeros(_MAX_KEPT_HUNG if self.is_guarded else 1, dtype=np.int32),
        }

    def refresh_partition(self) -> None:
        """Lets the kernels see what was added to the vocabulary's partitions."""
        self.kernel.put("partition", self._partitions.kernel)

    def _wrap(self) -> None:
        self.kernel = new_container(ARENA, self.arrays | {"trie": self._trie})
        self._set_network()
        self._held.clear()
        if self._words == 1 and all(value <= _FIRST_CAPACITY[name] for name, value in self._capacity.items()):
            self._held.append(Memory(self.arrays, self.kernel))

    @property
    def full_array(self) -> str:
        """Name of the capacity that the last kernel call exhausted."""
        return (*_FIRST_CAPACITY, "masks", "steps")[int(self.arrays["counters"][FULL_ARRAY])]

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
        for field, array in self._fresh(name, larger).items():
            if not field.endswith(("_slots", "_slot", "_stamp")):
                array[: len(self.arrays[field])] = self.arrays[field]
            self.arrays[field] = array
            self.kernel.put(field, array)
        self._capacity[name] = larger
        self._held.clear()
        if name in ("stacks", "configs", "sets"):
            self._index_again(name)
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

    def forgive_steps(self) -> None:
        """Lets the next mask begin with what a mask may take."""
        self.arrays["counters"][STEPS_LEFT] = 0

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
        elif self._blocks:
            self.arrays["config_mask"][:] = 0
            counters[NUM_MASKS] = counters[NUM_KEPT_HUNG] = 0
        counters[MASK_ROOM] = BLOCK_ROWS * len(self._blocks) or NO_ROOM

    def _fresh(self, name: str, capacity: int) -> dict[str, NDArray[Any]]:
        slots = 1 << (2 * capacity - 1).bit_length()
        if name == "stacks":
            columns = {field: np.zeros(capacity, dtype=np.int32) for field in _STACK_FIELDS[:-1]}
            return columns | {"stack_slots": np.zeros(slots, dtype=np.int32)}
        if name == "configs":
            columns = {field: np.zeros(capacity, dtype=np.int32) for field in _CONFIG_FIELDS[:-1]}
            columns["config_accepts"] = np.zeros(capacity, dtype=np.uint8)
            columns["config_seen"] = np.zeros(capacity, dtype=np.uint8)
            columns["config_hash"] = np.zeros(capacity, dtype=np.int64)
            for field in ("config_without", "config_with", "config_hung"):
                columns[field] = np.zeros(capacity if self.is_guarded else 1, dtype=np.int32)
            return columns | {"config_slots": np.zeros(slots, dtype=np.int32)}
        if name == "pairs":
            return {field: np.zeros(capacity, dtype=np.int32) for field in _PAIR_FIELDS}
        if name == "sets":
            return {
                "set_members": np.zeros((capacity, self._words), dtype=np.uint64),
                "set_size": np.zeros(capacity, dtype=np.int32),
                "set_slots": np.zeros(slots, dtype=np.int32),
            }
        if name == "hung":
            return {"hung": np.zeros(capacity if self.is_guarded else 1, dtype=np.int32)}
        if name == "rows":
            return {"rows": _reserve(capacity)}
        columns = {field: np.zeros(capacity, dtype=np.int32) for field in _WORK_FIELDS}
        return columns | {
            "seen_slot": np.zeros(2 * slots, dtype=np.int32),
            "seen_stamp": np.zeros(2 * slots, dtype=np.int64),
        }


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
    for columns in (a.config_row, a.config_mask, a.config_reach, a.config_loop, a.config_more, a.config_base):
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
    stamp, steps = counters[STAMP], counters[MOST_STEPS]
    counters[:] = 0
    counters[STAMP] = stamp
    counters[STEPS_LEFT] = counters[MOST_STEPS] = steps
    counters[NUM_STACKS] = counters[NUM_CONFIGS] = counters[NUM_ROWS] = counters[NUM_SETS] = 1
