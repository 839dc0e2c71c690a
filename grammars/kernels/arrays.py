"""The memory of one compiled constraint: how it is made, grown, used again and dropped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np

from grammars.jit.container import reread, table_of
from grammars.jit.options import FastCall, entry, i64, kernel
from grammars.kernels import arena
from grammars.kernels.closure import close_one
from grammars.kernels.columns import (
    CONFIG_FIELDS,
    FIRST_CLASSES,
    GROUPS,
    PAIR_FIELDS,
    STACK_FIELDS,
    classes_of,
    first_room,
    most_of,
    sets_of,
    tables_for,
)
from grammars.kernels.hashing import index_again
from grammars.kernels.memory import Memories, Memory, Views
from grammars.limits import Limits, more_room
from grammars.network.network import BYTE_FIELDS, INT_FIELDS, Network
from grammars.vocabulary.pool import BLOCK_ROWS
from grammars.vocabulary.vocabulary import Vocabulary

# What kernels see of a network. Fewest bytes are for costs alone, which are known.
_INT_FIELDS = INT_FIELDS[:-1]
_INT_PLACES, _BYTE_PLACES = (np.array([arena.ARENA.places[n] for n in names]) for names in (_INT_FIELDS, BYTE_FIELDS))
_ROW_ALIGNMENT = 16  # entries of a row in a cache line
# Bytes of columns for each of what these count.
_CONFIG_BYTES, _PAIR_BYTES = 4 * len(CONFIG_FIELDS) + 10, 4 * len(PAIR_FIELDS)
_STACK_BYTES, _SET_BYTES, _ROW_ENTRY_BYTES, _DEFERRED_BYTES = 4 * len(STACK_FIELDS), 12, 4, 4
_TARGET_SET_BYTES = 600  # of a walk over shapes


class ArenaArrays:
    """Arrays of one arena. Their memory returns to the pool when the last reference goes.

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
        self._limits, self._times = limits, 1
        self._memories = memories
        self._vocabulary = vocabulary
        self._pool = vocabulary.mask_pool
        self._partitions = vocabulary.partitions
        # Kernels read its arrays by address: the arena keeps them alive.
        self._network = network
        used = memories.take()
        if used is None:
            self.reset()
        else:
            self._set_up(used, is_used=True, steps_left=limits.max_match_steps)

    def __del__(self) -> None:
        blocks, memory = self._blocks, self._memory
        if blocks:
            self._pool.give_back(blocks)
        if memory is not None:
            self._memories.give_back(memory, _used_bytes(memory))

    def open(self) -> None:
        """Lets kernels run that hold the GIL, at once and without the lock; those that are not compiled do not."""
        self.counters[arena.OPEN_EPOCH] = arena.CLOSED if numba.config.DISABLE_JIT else self.epoch

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the arrays exclusively for the duration of the context."""
        with self._lock:
            self.counters[arena.OPEN_EPOCH] = arena.CLOSED
            try:
                yield
            finally:
                self.open()

    def reset(self, times: int = 1) -> Memory | None:
        """Drops every stack, configuration and row; configuration ids from before mean nothing afterwards.

        Args:
            times: the limits, for which there is room at least from now on.

        Returns:
            What holds them still.
        """
        if times > self._times:
            self._limits, self._times = more_room(self._limits, times // self._times), times
            self._memories = arena.memories_of(self._vocabulary, self._limits)
        before, steps_left, most = self._memory, self._limits.max_match_steps, self._limits.max_match_steps
        if self._memory is not None:
            # Whoever fills an arena by what it matches gets no new steps for it.
            steps_left = max(self._memory.counters[arena.STEPS_LEFT], most // arena.MASK_PART)
        self._set_up(self._memories.new(), is_used=False, steps_left=steps_left)
        # Texts keep their numbers, so no other one may get them.
        self.counters[arena.NUM_TEXTS] = 0 if before is None else before.counters[arena.NUM_TEXTS]
        if self._blocks:
            self.arrays["mask_blocks"][: len(self._blocks)] = self._blocks
            self.arrays["counters"][arena.MASK_ROOM] = BLOCK_ROWS * len(self._blocks)
        return before

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
            self._partitions.kernel, network.root, self._limits.max_match_steps, steps_left, is_used,
        )  # fmt: skip

    @property
    def full_array(self) -> str:
        """Name of what the last kernel call exhausted."""
        return (*GROUPS, "masks", "steps")[int(self.arrays["counters"][arena.FULL_ARRAY])]

    @property
    def num_bytes(self) -> int:
        """Bytes in use, without the network."""
        memory = self._memory
        assert memory is not None
        columns = max(_used_bytes(memory), memory.touched)
        masks = len(self._blocks) * self._pool.num_block_bytes
        return self._memories.fixed_bytes + memory.num_replaced_bytes + columns + masks

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
        index_again(self.kernel, GROUPS.index(name))
        return True

    def forgive_steps(self) -> None:
        """Lets the next mask begin with what a mask may take."""
        self.arrays["counters"][arena.STEPS_LEFT] = 0

    def give_up_masks(self) -> bool:
        """See `MaskOwner`."""
        if not self._lock.acquire(blocking=False):
            return False
        counters, epoch = self.counters, self.counters[arena.OPEN_EPOCH]
        try:
            counters[arena.OPEN_EPOCH] = arena.CLOSED
            had_blocks = bool(self._blocks)
            self.arrays["config_mask"][: counters[arena.NUM_CONFIGS]] = 0
            counters[arena.NUM_MASKS] = counters[arena.MASK_ROOM] = counters[arena.NUM_KEPT_DEFERRED] = 0
            self._pool.give_back(self._blocks)
            return had_blocks
        finally:
            counters[arena.OPEN_EPOCH] = epoch
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
            self.arrays["config_mask"][: counters[arena.NUM_CONFIGS]] = 0
            counters[arena.NUM_MASKS] = counters[arena.NUM_KEPT_DEFERRED] = 0
        counters[arena.MASK_ROOM] = BLOCK_ROWS * len(self._blocks) or arena.NO_ROOM


def _used_bytes(memory: Memory) -> int:
    """Bytes of the columns that were written to."""
    counters = memory.counters
    used: int = (
        counters[arena.NUM_CONFIGS] * _CONFIG_BYTES
        + counters[arena.NUM_PAIRS] * _PAIR_BYTES
        + counters[arena.NUM_STACKS] * _STACK_BYTES
        + counters[arena.NUM_SETS] * _SET_BYTES
        + counters[arena.ROWS_END] * _ROW_ENTRY_BYTES
        + counters[arena.NUM_KEPT_DEFERRED] * _DEFERRED_BYTES
        + counters[arena.NUM_TARGET_SETS] * _TARGET_SET_BYTES
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
    _set_network(a, ints, octets, starts)
    a.unit_start, a.unit_fewest, a.unit_table = units.start, units.fewest, units.table
    a.partition = partition
    a = reread(a)
    for i in range(len(known)):
        a.partition_of[i] = known[i]
    counters[arena.MOST_STEPS], counters[arena.STEPS_LEFT] = most_steps, steps_left
    counters[arena.NUM_CONFIGS] = counters[arena.NUM_SETS] = counters[arena.NUM_STACKS] = 1
    counters[arena.NUM_CLASSES], counters[arena.CHECK_KINDS] = _set_byte_classes(a, units), 0
    for kind in a.check_kind:
        counters[arena.CHECK_KINDS] |= i64(1) << i64(kind)
    row_size = -(-counters[arena.NUM_CLASSES] // _ROW_ALIGNMENT) * _ROW_ALIGNMENT
    counters[arena.ROWS_END] = counters[arena.ROW_SIZE] = row_size
    return close_one(a, root, i64(0), i64(0))


@kernel
def _set_network_by_table(a, ints, octets, starts):
    """Gives the arena another network."""
    _set_fields(table_of(a), _INT_PLACES, i64(ints.ctypes.data), i64(4), starts[0])
    _set_fields(table_of(a), _BYTE_PLACES, i64(octets.ctypes.data), i64(1), starts[1])


@kernel
def _set_fields(table, places, address, size, first):
    for i in range(len(places)):
        table[places[i]], table[places[i] + 1] = address + size * first[i], first[i + 1] - first[i]


def _set_network_by_name(a: Any, ints: Any, octets: Any, starts: Any) -> None:
    for names, values, first in ((_INT_FIELDS, ints, starts[0]), (BYTE_FIELDS, octets, starts[1])):
        for i, name in enumerate(names):
            setattr(a, name, values[first[i] : first[i + 1]])


_set_network = _set_network_by_name if numba.config.DISABLE_JIT else _set_network_by_table


@kernel
def _set_byte_classes(a, units):
    """Merge neighbouring bytes that no edge or unit class distinguishes; return the number of classes.

    Args:
        units: the tables of the unit classes, see `UnitTables`.
    """
    begins, number = a.loop_bytes, -1
    begins[:] = units.begins
    for e in range(len(a.edge_low)):
        begins[a.edge_low[e]] = 1
        if a.edge_high[e] < 255:
            begins[a.edge_high[e] + 1] = 1
    for byte in range(256):
        if byte == 0 or begins[byte] != 0:
            number += 1
            a.class_byte[number] = byte
        a.byte_class[byte] = number
    return number + 1


@kernel
def _clear(a):
    counters = a.counters
    used = counters[arena.NUM_CONFIGS]
    for columns in (
        a.config_row, a.config_mask, a.config_reach, a.config_loop, a.config_more, a.config_deferred,
        a.config_without, a.config_with,
    ):  # fmt: skip
        columns[:used] = 0
    a.config_seen[:used] = 0
    for slots in (a.config_slots, a.stack_slots, a.set_slots):
        slots[:] = 0
    if counters[arena.NUM_ANSWERS] > 0:
        a.answer_key[:] = 0
    a.stack_state[0] = 0  # the bottom, which is never made
    stamp = counters[arena.STAMP]
    counters[:] = 0
    counters[arena.STAMP] = stamp


_SET_UP = FastCall(_set_up)
