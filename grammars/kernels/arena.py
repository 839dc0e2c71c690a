"""The memory of one compiled constraint: its network, and the stacks, configurations and rows met so far."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.alphabet import set_byte_classes
from grammars.kernels.columns import (
    CONFIG_FIELDS,
    GROUPS,
    GUARDED_FIELDS,
    PAIR_FIELDS,
    STACK_FIELDS,
    WORK_FIELDS,
    first_room,
    layout_of,
    most_of,
    sets_of,
    tables_for,
)
from grammars.kernels.container import ContainerType, as_field, fields_of
from grammars.kernels.hashing import index_configs, index_sets, index_stacks
from grammars.kernels.layout import Views
from grammars.kernels.options import Entry, kernel
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
    NUM_STACKS, NUM_CONFIGS, NUM_PAIRS, ROWS_END, STAMP, NUM_MASKS, MASK_ROOM, FULL_ARRAY, WANTED_CLASS, WANTED_KIND,
    NUM_SETS, ORIGIN, IS_HUNG, IS_OPEN_STRING, NUM_QUESTIONS, NUM_ANSWERS, TEXT_SIZE, TEXT_EPOCH, TEXT_VERSION,
    NUM_HUNG, NUM_KEPT_HUNG, BASE, STEPS_LEFT, MOST_STEPS, NUM_CLASSES, ROW_SIZE, NUM_LEAVING, NUM_LISTED, NUM_PARTED,
    MOST_PARTED, NUM_COUNTERS,
) = range(31)  # fmt: skip
FULL_STACKS, FULL_CONFIGS, FULL_PAIRS, FULL_ROWS, FULL_WORK, FULL_SETS, FULL_HUNG, FULL_MASKS, FULL_STEPS = range(9)
# A mask, or a byte of a token, adds this part of the most steps to those that are left.
MASK_PART, BYTE_PART = 75, 750
NO_ROOM = -1  # in `counters[MASK_ROOM]`: no mask is kept
DEAD = 0
UNKNOWN = -1  # in a row: the successor was not asked for yet
ONE_MORE = -4  # in a row: the successor is like the configuration itself, with one more unit in its span
LEAVES = -9  # in a row, and as an answer: what follows depends on more of the stack than a relative configuration has
_UNNAMED = 0x7FFFFFFE
BELOW = 1  # the stack node that stands for any stack below what a relative configuration has of one
# Elsewhere 0 stands for "none", so that fresh zeroed memory is ready for use: in the hash tables, in `config_row` and
# `config_mask` (place 0 of either array stays empty), and in `config_reach`, which holds one more than the reach.

_BYTE_FIELDS = (
    "kind", "accepts", "edge_low", "edge_high", "config_accepts", "config_seen", "loop_bytes", "byte_class",
    "class_byte", "text", "answer",
)  # fmt: skip
_INT32_FIELDS = (
    "unit_start", "unit_fewest", "partition_of", *STACK_FIELDS, "stack_slots", *CONFIG_FIELDS, "config_slots",
    *PAIR_FIELDS, *WORK_FIELDS, *GUARDED_FIELDS, "mask_blocks", "seen_slot", "path", "set_size", "set_slots",
    "guarded_path", "hung", "kept_hung", "listed", "open_node", "open_config", "open_units", "rows", "parted_node",
    "parted_config",
)  # fmt: skip
_ROW_ALIGNMENT = 16  # entries of a row in a cache line
# Bytes of columns for each of what these count.
_BYTES_OF = {
    NUM_CONFIGS: 4 * len(CONFIG_FIELDS + GUARDED_FIELDS) + 10,
    NUM_PAIRS: 4 * len(PAIR_FIELDS),
    NUM_STACKS: 4 * len(STACK_FIELDS),
    NUM_SETS: 12,
    ROWS_END: 4,
    NUM_KEPT_HUNG: 4,
    NUM_LISTED: 4,
}


class ArenaFullError(Exception):
    """The arena was emptied because it reached its limit: configurations from before mean nothing (internal)."""


ARENA = ContainerType(
    "Arena",
    {
        **fields_of(
            uint8=" ".join(_BYTE_FIELDS),
            uint8_rows="question_text",
            uint16_rows="unit_table",
            int32=" ".join((*INT_FIELDS[:-1], *_INT32_FIELDS)),
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
count) triples, closed under moves that consume nothing; configuration 0 is the empty set. ``rows[config_row[c] +
byte_class[b]]`` is the configuration after byte b, `UNKNOWN` until it is asked for.
"""


def memories_of(vocabulary: Vocabulary, limits: Limits) -> Memories:
    """Memories for constraints over a vocabulary, until its partitions are renewed."""
    return Memories(lambda form: layout_of(form, ARENA, vocabulary, limits, NUM_COUNTERS))


class ArenaArrays:
    """The arrays of one arena, and how they are made, grown and dropped.

    Args:
        network: what is matched.
        vocabulary: what the masks are over.
        limits: bounds of the arrays.
        lock: held by whoever runs kernels on the arrays.
        memories: where memory comes from and goes to, of the same vocabulary and limits.
    """

    def __init__(
        self, network: Network, vocabulary: Vocabulary, limits: Limits, lock: threading.Lock, memories: Memories
    ) -> None:
        self._lock = lock
        self._limits = limits
        self._memories = memories
        self._pool = pool = vocabulary.mask_pool
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
        self._partition_of = np.array(known, dtype=np.int32)
        asks = any(guard.predicate is not None for guard in network.guards)
        self._form = Form(int(len(network.guards) > 0) + int(asks))
        self._words = network.num_set_words
        self._held: list[Memory] = []
        used = memories.take(self._form)
        if used is None:
            self.reset()
        else:
            self._begin(used)
            self.renew()
        weakref.finalize(self, _give_back, pool, self._blocks, memories, self._held, self._form)

    def reset(self) -> None:
        """Drops every stack, configuration and row; configuration ids from before mean nothing afterwards."""
        steps_left = int(self.arrays["counters"][STEPS_LEFT]) if hasattr(self, "arrays") else None
        self._begin(self._memories.new(self._form))
        self._set_up(is_used=False)
        counters = self.arrays["counters"]
        most = counters[MOST_STEPS] = self._limits.max_match_steps
        # Whoever fills an arena by what it matches gets no new steps for it.
        counters[STEPS_LEFT] = most if steps_left is None else max(steps_left, most // MASK_PART)
        if self._blocks:
            self.arrays["mask_blocks"][: len(self._blocks)] = self._blocks
            counters[MASK_ROOM] = BLOCK_ROWS * len(self._blocks)

    def renew(self) -> None:
        """Makes used memory as good as fresh."""
        self._set_up(is_used=True)

    def _begin(self, memory: Memory) -> None:
        self._room = first_room(self._limits)
        self._memory = memory
        self.arrays: Views = memory.arrays
        self.kernel: Any = memory.kernel
        self.arrays["partition_of"] = self._partition_of
        self._held[:] = [memory]
        if self._words > 1:
            for field, shape in sets_of(self._words, self._limits).items():
                memory.replace(field, shape)

    def _set_up(self, is_used: bool) -> None:
        _SET_UP.call(self.kernel, *self._tables, self._partition_of, is_used)
        self.refresh_partition()

    def refresh_partition(self) -> None:
        """Lets the kernels see what was added to the vocabulary's partitions."""
        self.kernel.put("partition", self._partitions.kernel)

    @property
    def full_array(self) -> str:
        """Name of what the last kernel call exhausted."""
        return (*GROUPS, "masks", "steps")[int(self.arrays["counters"][FULL_ARRAY])]

    @property
    def num_bytes(self) -> int:
        """Bytes in use, without the network."""
        masks = BLOCK_ROWS * len(self._blocks) * 4 * self._pool.rows.shape[1]
        return self._memories.num_bytes(self._memory, self._form, _used_bytes(self.arrays["counters"])) + int(masks)

    def grow(self, name: str) -> bool:
        """Makes the hash tables of a group four times as large, within its maximum; False when they are at it."""
        room = self._room.get(name, 0)
        larger = min(4 * room, most_of(name, self._limits)) if room else 0
        if larger <= room:
            return False
        for field, shape in tables_for(name, larger).items():
            self._memory.replace(field, shape)
        self._room[name] = larger
        self._index_again(name)
        return True

    def _index_again(self, name: str) -> None:
        arrays, counters = self.arrays, self.arrays["counters"]
        if name == "stacks":
            names = ("stack_return", "stack_count", "stack_parent", "stack_slots")
            index_stacks(*(arrays[n] for n in names), int(counters[NUM_STACKS]))
        elif name == "sets":
            index_sets(arrays["set_members"], arrays["set_size"], arrays["set_slots"], int(counters[NUM_SETS]))
        elif name == "configs":
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
            counters = self.arrays["counters"]
            self.arrays["config_mask"][: counters[NUM_CONFIGS]] = 0
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
            self.arrays["config_mask"][: counters[NUM_CONFIGS]] = 0
            counters[NUM_MASKS] = counters[NUM_KEPT_HUNG] = 0
        counters[MASK_ROOM] = BLOCK_ROWS * len(self._blocks) or NO_ROOM


def _give_back(pool: MaskPool, blocks: list[int], memories: Memories, held: list[Memory], form: Form) -> None:
    pool.give_back(blocks)
    for memory in held:
        memories.give_back(memory, form, _used_bytes(memory.arrays["counters"]))


def _used_bytes(counters: NDArray[np.int64]) -> int:
    """Bytes of the columns that were written to."""
    return sum(int(counters[number]) * size for number, size in _BYTES_OF.items())


@kernel
def _set_up(a, ints, octets, starts, unit_start, unit_fewest, unit_table, partition_of, is_used):
    """Gives the arena a network, and empties it."""
    set_network(a, ints, octets, starts, unit_start, unit_fewest, unit_table, partition_of)
    counters = a.counters
    if is_used:
        _clear(a)
    counters[NUM_CONFIGS] = counters[NUM_SETS] = counters[NUM_LISTED] = 1
    counters[NUM_STACKS] = BELOW + 1
    a.stack_return[BELOW] = _UNNAMED
    a.stack_count[BELOW] = a.stack_parent[BELOW] = a.stack_cost[BELOW] = 0
    counters[NUM_CLASSES] = set_byte_classes(a)
    counters[ROWS_END] = counters[ROW_SIZE] = -(-counters[NUM_CLASSES] // _ROW_ALIGNMENT) * _ROW_ALIGNMENT
    return 0


@kernel
def _clear(a):
    counters = a.counters
    used = counters[NUM_CONFIGS]
    for columns in (
        a.config_row, a.config_mask, a.config_reach, a.config_loop, a.config_more, a.config_base, a.config_hung,
        a.config_listed, a.config_place, a.config_listed_there,
    ):  # fmt: skip
        columns[:used] = 0
    a.config_seen[:used] = 0
    if len(a.config_without) > 1:
        a.config_without[:used] = 0
        a.config_with[:used] = 0
    for slots in (a.config_slots, a.stack_slots, a.set_slots):
        slots[:] = 0
    if counters[NUM_ANSWERS] > 0:
        a.answer_key[:] = 0
    stamp, steps = counters[STAMP], counters[MOST_STEPS]
    counters[:] = 0
    counters[STAMP] = stamp
    counters[STEPS_LEFT] = counters[MOST_STEPS] = steps


_SET_UP = Entry(_set_up)
