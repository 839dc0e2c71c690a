"""The memory of one compiled constraint: its network, and the stacks, configurations and rows met so far."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, as_field, fields_of
from grammars.kernels.hashing import index_configs, index_sets, index_stacks
from grammars.kernels.layout import Layout, Shape, Views
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
    "mask_blocks", "seen_slot", "path", "set_size", "set_slots", "config_without", "config_with",
    "config_hung", "guarded_path", "hung", "kept_hung", "open_node", "open_config", "open_units",
)  # fmt: skip

_FIRST_CAPACITY = {
    "stacks": 1024, "configs": 2048, "pairs": 8192, "rows": 1 << 30, "work": 512, "sets": 256, "hung": 512,
}  # fmt: skip
_MAX_QUESTIONS = 4096
_MAX_KEPT_HUNG = 1 << 16
_NUM_ANSWERS = 1 << 14
_ROW_BYTES = 1024
_BYTE, _INT, _LONG, _WORD = (np.dtype(kind) for kind in (np.uint8, np.int32, np.int64, np.uint64))


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


def _maximum(name: str, limits: Limits, num_tokens: int) -> int:
    """Largest capacity of the array group `name`."""
    return {
        "stacks": limits.max_stack_nodes,
        "configs": limits.max_configurations,
        "pairs": 4 * limits.max_configurations,
        "rows": limits.max_configurations,
        "work": limits.max_configuration_pairs,
        "sets": limits.max_stack_nodes,
        # A token is noted by each of the walks that a mask is put together from.
        "hung": 4 * num_tokens,
    }[name]


def _columns(fields: tuple[str, ...], length: int, dtype: np.dtype[Any] = _INT) -> dict[str, Shape]:
    return dict.fromkeys(fields, Shape((length,), dtype))


def _sets(capacity: int, words: int) -> dict[str, Shape]:
    return {"set_members": Shape((capacity, words), _WORD), "set_scratch": Shape((words,), _WORD)}


def _group(name: str, capacity: int, form: Form, words: int) -> dict[str, Shape]:
    """The arrays that share a capacity."""
    slots = 1 << (2 * capacity - 1).bit_length()
    guarded = capacity if form > Form.PLAIN else 1
    if name == "stacks":
        return _columns(_STACK_FIELDS[:-1], capacity) | _columns(("stack_slots",), slots)
    if name == "configs":
        return {
            **_columns(_CONFIG_FIELDS[:-1], capacity),
            **_columns(("config_accepts", "config_seen"), capacity, _BYTE),
            **_columns(("config_hash",), capacity, _LONG),
            **_columns(("config_without", "config_with", "config_hung"), guarded),
            **_columns(("config_slots",), slots),
        }
    if name == "pairs":
        return _columns(_PAIR_FIELDS, capacity)
    if name == "sets":
        return _sets(capacity, words) | _columns(("set_size",), capacity) | _columns(("set_slots",), slots)
    if name == "hung":
        return _columns(("hung",), guarded)
    if name == "rows":
        return {"rows": Shape((capacity, 256), _INT)}
    work = _columns(_WORK_FIELDS, capacity)
    return work | _columns(("seen_slot",), 2 * slots) | _columns(("seen_stamp",), 2 * slots, _LONG)


def _shapes(vocabulary: Vocabulary, limits: Limits, capacities: dict[str, int], form: Form) -> dict[str, Shape]:
    """All arrays of an arena whose sets of members take a word: the small ones first, the rows last."""
    path, widest = vocabulary.tables.longest_token + 2, vocabulary.tables.widest_path + 1
    answers, questions = (_NUM_ANSWERS, _MAX_QUESTIONS) if form is Form.ASKING else (1, 1)
    shapes = {
        **_columns(("counters",), NUM_COUNTERS, _LONG),
        **_columns(("path", "guarded_path"), path),
        **_columns(("open_node", "open_config", "open_units"), widest),
        **_columns(("loop_bytes",), 256, _BYTE),
        **_columns(("text",), 1, _BYTE),
        **_columns(("mask_blocks",), limits.max_mask_rows // BLOCK_ROWS + 1),
    }
    for name, capacity in capacities.items():
        if name != "rows":
            shapes |= _group(name, capacity, form, 1)
    shapes |= {
        "scratch": Shape((2, vocabulary.mask_pool.rows.shape[1]), np.dtype(np.uint32)),
        **_columns(("answer_key",), answers, _LONG),
        **_columns(("answer",), answers, _BYTE),
        "question": Shape((questions, 3), _LONG),
        "question_text": Shape((questions, path), _BYTE),
        **_columns(("kept_hung",), _MAX_KEPT_HUNG if form > Form.PLAIN else 1),
    }
    # Rows cost address space until they are written to, so that they never have to be copied to grow.
    return shapes | _group("rows", _maximum("rows", limits, 0), form, 1)


def memories_of(vocabulary: Vocabulary, limits: Limits) -> Memories:
    """Memories for constraints over a vocabulary, until its partitions are renewed."""
    others = {
        "masks": vocabulary.mask_pool.rows,
        "trie": vocabulary.tables.kernel,
        "partition": vocabulary.partitions.kernel,
    }
    capacities = {name: min(first, _maximum(name, limits, first)) for name, first in _FIRST_CAPACITY.items()}
    return Memories(lambda form: Layout(ARENA, _shapes(vocabulary, limits, capacities, form), others), capacities)


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
        self._num_tokens = len(vocabulary)
        asks = any(guard.predicate is not None for guard in network.guards)
        self._form = Form(int(len(network.guards) > 0) + int(asks))
        self._words = network.num_set_words
        self._held: list[Memory] = []
        used = memories.take(self._form) if self._words == 1 else None
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
        if self._words > 1:
            for field, shape in _sets(self._capacity["sets"], self._words).items():
                self._put(field, np.zeros(shape.lengths, shape.dtype))
            self._held.clear()
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
        self._capacity = self._memories.capacities.copy()
        self._num_grown_bytes = dict.fromkeys(self._capacity, 0)
        self.arrays: Views = memory.arrays
        self.kernel: Any = memory.kernel
        self.arrays["partition_of"] = self._partition_of
        self._held[:] = [memory]

    def _set_up(self, is_used: bool) -> None:
        _SET_UP.call(self.kernel, *self._tables, self._partition_of, is_used)
        self.refresh_partition()

    def _put(self, field: str, array: NDArray[Any]) -> None:
        self.arrays[field] = array
        self.kernel.put(field, array)

    def refresh_partition(self) -> None:
        """Lets the kernels see what was added to the vocabulary's partitions."""
        self.kernel.put("partition", self._partitions.kernel)

    @property
    def full_array(self) -> str:
        """Name of the capacity that the last kernel call exhausted."""
        return (*_FIRST_CAPACITY, "masks", "steps")[int(self.arrays["counters"][FULL_ARRAY])]

    @property
    def num_bytes(self) -> int:
        """Bytes in use, without the network."""
        rows = int(self.arrays["counters"][NUM_ROWS]) * _ROW_BYTES
        masks = BLOCK_ROWS * len(self._blocks) * 4 * self._pool.rows.shape[1]
        return int(self._memories.num_bytes(self._form) + sum(self._num_grown_bytes.values()) + rows + masks)

    def grow(self, name: str) -> bool:
        """Makes the array group `name` four times as large, within its maximum; False when it is at it."""
        capacity = self._capacity[name]
        larger = min(4 * capacity, _maximum(name, self._limits, self._num_tokens))
        if larger <= capacity:
            return False
        self._num_grown_bytes[name] = 0
        for field, shape in _group(name, larger, self._form, self._words).items():
            array = np.zeros(shape.lengths, shape.dtype)
            if not field.endswith(("_slots", "_slot", "_stamp")):
                array[: len(self.arrays[field])] = self.arrays[field]
            self._put(field, array)
            self._num_grown_bytes[name] += array.nbytes
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


def _give_back(pool: MaskPool, blocks: list[int], memories: Memories, held: list[Memory], form: Form) -> None:
    pool.give_back(blocks)
    for memory in held:
        memories.give_back(memory, form, int(memory.arrays["counters"][NUM_ROWS]))


@kernel
def _set_up(a, ints, octets, starts, unit_start, unit_fewest, unit_table, partition_of, is_used):
    """Gives the arena a network, and empties it."""
    set_network(a, ints, octets, starts, unit_start, unit_fewest, unit_table, partition_of)
    counters = a.counters
    if is_used:
        _clear(a)
    counters[NUM_STACKS] = counters[NUM_CONFIGS] = counters[NUM_ROWS] = counters[NUM_SETS] = 1
    return 0


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


_SET_UP = Entry(_set_up)
