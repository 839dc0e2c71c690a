"""The memory of one compiled constraint: how it is made, grown, used again and dropped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba

from grammars.kernels.alphabet import set_byte_classes
from grammars.kernels.arena import (
    BELOW,
    CLOSED,
    FULL_ARRAY,
    MASK_PART,
    MASK_ROOM,
    MOST_STEPS,
    NO_ROOM,
    NUM_ANSWERS,
    NUM_CLASSES,
    NUM_CONFIGS,
    NUM_KEPT_HUNG,
    NUM_LISTED,
    NUM_MASKS,
    NUM_PAIRS,
    NUM_SETS,
    NUM_STACKS,
    OPEN_EPOCH,
    ROW_SIZE,
    ROWS_END,
    STAMP,
    STEPS_LEFT,
    TWIN_COST,
    UNNAMED,
)
from grammars.kernels.closure import close_one
from grammars.kernels.columns import (
    CONFIG_FIELDS,
    FIRST_CLASSES,
    GROUPS,
    GUARDED_FIELDS,
    PAIR_FIELDS,
    STACK_FIELDS,
    classes_of,
    first_room,
    most_of,
    sets_of,
    tables_for,
)
from grammars.kernels.container import reread
from grammars.kernels.hashing import index_configs, index_sets, index_stacks
from grammars.kernels.layout import Views
from grammars.kernels.options import Entry, entry, i64, kernel
from grammars.kernels.recycling import Form, Memories, Memory, set_network
from grammars.limits import Limits
from grammars.network.guards import Guard
from grammars.network.network import Network
from grammars.vocabulary.pool import BLOCK_ROWS
from grammars.vocabulary.vocabulary import Vocabulary

_ROW_ALIGNMENT = 16  # entries of a row in a cache line
# Bytes of columns for each of what these count.
_CONFIG_BYTES, _PAIR_BYTES = 4 * len(CONFIG_FIELDS + GUARDED_FIELDS) + 10, 4 * len(PAIR_FIELDS)
_STACK_BYTES, _SET_BYTES, _ROW_ENTRY_BYTES, _HUNG_BYTES = 4 * len(STACK_FIELDS), 12, 4, 4


class ArenaArrays:
    """The arrays of one arena. The memory goes back to where it came from when nobody has them any more.

    Attributes:
        arrays: by name; kernel: what kernels take.
        begin: what closing the network's root answered when the arena was last emptied: a configuration, or what a
            kernel says that could not finish.
        epoch: how often it was set up; configurations of another epoch mean nothing.

    Args:
        network: what is matched.
        vocabulary: what the masks are over.
        limits: bounds of the arrays.
        memories: where memory comes from and goes to, of the same vocabulary and limits.
    """

    def __init__(self, network: Network, vocabulary: Vocabulary, limits: Limits, memories: Memories) -> None:
        self._memory: Memory | None = None
        self._blocks: list[int] = []
        self._lock = threading.Lock()
        self.epoch = 0
        self._limits = limits
        self._memories = memories
        self._pool = vocabulary.mask_pool
        self._partitions = vocabulary.partitions
        # Kernels read its arrays by address: the arena keeps them alive.
        self._network = network
        self._form = _form_for(network.guards)
        used = memories.take(self._form)
        if used is None:
            self.reset()
        else:
            self._set_up(used, is_used=True, steps_left=limits.max_match_steps)

    def __del__(self) -> None:
        blocks, memory = self._blocks, self._memory
        if blocks:
            self._pool.give_back(blocks)
        if memory is not None:
            self._memories.give_back(memory, self._form, _used_bytes(memory))

    def open(self) -> None:
        """Lets kernels run that hold the GIL, at once and without the lock; those that are not compiled do not."""
        self.counters[OPEN_EPOCH] = CLOSED if numba.config.DISABLE_JIT else self.epoch

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else uses the arrays meanwhile."""
        with self._lock:
            self.counters[OPEN_EPOCH] = CLOSED
            try:
                yield
            finally:
                self.open()

    def reset(self) -> None:
        """Drops every stack, configuration and row; configuration ids from before mean nothing afterwards."""
        steps_left = most = self._limits.max_match_steps
        if self._memory is not None:
            # Whoever fills an arena by what it matches gets no new steps for it.
            steps_left = max(self._memory.counters[STEPS_LEFT], most // MASK_PART)
        self._set_up(self._memories.new(self._form), is_used=False, steps_left=steps_left)
        if self._blocks:
            self.arrays["mask_blocks"][: len(self._blocks)] = self._blocks
            self.arrays["counters"][MASK_ROOM] = BLOCK_ROWS * len(self._blocks)

    def renew(self) -> None:
        """Makes used memory as good as fresh."""
        assert self._memory is not None
        self._set_up(self._memory, is_used=True, steps_left=self._limits.max_match_steps)

    def _set_up(self, memory: Memory, is_used: bool, steps_left: int) -> None:
        network = self._network
        self._room: dict[str, int] = {}
        self._memory = memory
        self.arrays: Views = memory.arrays
        self.counters: memoryview = memory.counters
        self.kernel: Any = memory.kernel
        self.epoch += 1
        self._partition = self._partitions.kernel
        known = self._partitions.known_of(network.units)
        if len(known) > FIRST_CLASSES:
            for field, shape in classes_of(len(known)).items():
                memory.replace(field, shape)
        words = network.num_set_words
        if words > 1:
            for field, shape in sets_of(words, self._limits).items():
                memory.replace(field, shape)
        self.begin: int = _SET_UP.call(
            self.kernel, network.ints, network.octets, network.starts, network.units.kernel, known,
            self._partition, network.root, self._limits.max_match_steps, steps_left, is_used,
        )  # fmt: skip

    def refresh_partition(self) -> None:
        """Lets the kernels see what was added to the vocabulary's partitions."""
        self._partition = self._partitions.kernel
        self.kernel.put("partition", self._partition)

    @property
    def full_array(self) -> str:
        """Name of what the last kernel call exhausted."""
        return (*GROUPS, "masks", "steps")[int(self.arrays["counters"][FULL_ARRAY])]

    @property
    def num_bytes(self) -> int:
        """Bytes in use, without the network."""
        memory = self._memory
        assert memory is not None
        columns = max(_used_bytes(memory), memory.touched)
        masks = len(self._blocks) * self._pool.num_block_bytes
        return self._memories.fixed_bytes[self._form] + memory.num_replaced_bytes + columns + masks

    def grow(self, name: str) -> bool:
        """Makes the hash tables of a group four times as large, within its maximum; False when they are at it."""
        assert self._memory is not None
        room = self._room.get(name) or first_room(self._limits).get(name, 0)
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
        counters, epoch = self.counters, self.counters[OPEN_EPOCH]
        try:
            counters[OPEN_EPOCH] = CLOSED
            had_blocks = bool(self._blocks)
            self.arrays["config_mask"][: counters[NUM_CONFIGS]] = 0
            counters[NUM_MASKS] = counters[MASK_ROOM] = counters[NUM_KEPT_HUNG] = 0
            self._pool.give_back(self._blocks)
            return had_blocks
        finally:
            counters[OPEN_EPOCH] = epoch
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


def _form_for(guards: tuple[Guard, ...]) -> Form:
    """The form of memory that a network with these guards needs."""
    form = Form.PLAIN
    for guard in guards:
        if guard.predicate is not None:
            return Form.ASKING
        form = Form.GUARDED
    return form


def _used_bytes(memory: Memory) -> int:
    """Bytes of the columns that were written to."""
    counters = memory.counters
    used: int = (
        counters[NUM_CONFIGS] * _CONFIG_BYTES
        + counters[NUM_PAIRS] * _PAIR_BYTES
        + counters[NUM_STACKS] * _STACK_BYTES
        + counters[NUM_SETS] * _SET_BYTES
        + counters[ROWS_END] * _ROW_ENTRY_BYTES
        + counters[NUM_KEPT_HUNG] * _HUNG_BYTES
        + counters[NUM_LISTED] * _HUNG_BYTES
    )
    return used


@entry
def _set_up(a, ints, octets, starts, units, known, partition, root, most_steps, steps_left, is_used):
    """Gives the arena a network, empties it, and closes the root; the configuration, or FULL.

    Args:
        ints, octets, starts: of the network; units: the tables of its unit classes; root: its root.
        known: the partitions of these classes; partition: those of the vocabulary.
        most_steps, steps_left: see `Limits.max_match_steps`.
        is_used: whether something is to be emptied.
    """
    counters = a.counters
    if is_used:
        _clear(a)
    set_network(a, ints, octets, starts, units)
    a.partition = partition
    a = reread(a)
    for i in range(len(known)):
        a.partition_of[i] = known[i]
    counters[MOST_STEPS], counters[STEPS_LEFT] = most_steps, steps_left
    counters[NUM_CONFIGS] = counters[NUM_SETS] = counters[NUM_LISTED] = 1
    counters[NUM_STACKS] = BELOW + 1
    a.stack_return[BELOW] = UNNAMED
    a.stack_count[BELOW] = a.stack_parent[BELOW] = a.stack_cost[BELOW] = 0
    counters[NUM_CLASSES] = set_byte_classes(a, units)
    for state in range(len(a.twin_state)):
        if a.twin_state[state] >= 0:
            counters[TWIN_COST] = max(counters[TWIN_COST], i64(a.cost[state]))
    counters[ROWS_END] = counters[ROW_SIZE] = -(-counters[NUM_CLASSES] // _ROW_ALIGNMENT) * _ROW_ALIGNMENT
    return close_one(a, root, i64(0), i64(0))


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
    stamp = counters[STAMP]
    counters[:] = 0
    counters[STAMP] = stamp


_SET_UP = Entry(_set_up)
