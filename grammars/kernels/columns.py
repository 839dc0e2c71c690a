"""The arrays of an arena, and how many entries each has room for.

Columns get address space for as many entries as there may ever be: what is never written to costs no memory, and
nothing has to be copied to grow. Only hash tables, whose entries lie anywhere, begin small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grammars.jit.options import kernel
from grammars.kernels.memory import Memories, Shape
from grammars.limits import Limits
from grammars.vocabulary.pool import BLOCK_ROWS
from grammars.vocabulary.vocabulary import Vocabulary

STACK_FIELDS = (
    "stack_return", "stack_count", "stack_parent", "stack_cost", "stack_state", "stack_closed", "stack_union",
)  # fmt: skip
CONFIG_FIELDS = (
    "config_first", "config_size", "config_cost", "config_row", "config_mask", "config_reach", "config_loop",
    "config_more", "config_deferred", "config_without", "config_with",
)  # fmt: skip
PAIR_FIELDS = ("pair_state", "pair_stack", "pair_count")
WORK_FIELDS = ("work_state", "work_stack", "work_count", "work_base", "work_other")
# Of frames while a set is closed, by stack node, and of what lies below them.
FRAME_FIELDS = (
    "frame_below", "frame_place", "frame_passed", "frame_returned", "frame_node", "frame_back", "frame_low",
    "frame_index",
)  # fmt: skip
BELOW_FIELDS = ("below_return", "below_count", "below_stack", "below_next")

# Groups that can be full, in the order of the numbers that kernels tell them by.
GROUPS = ("stacks", "configs", "pairs", "rows", "work", "sets")
# Entries that the hash tables of a group have room for at first.
_FIRST_ROOM = {"stacks": 1024, "configs": 2048, "work": 512, "sets": 256}
FIRST_CLASSES = 64  # room for so many unit classes, which nearly all networks have
_PAIRS_A_CONFIG = 16  # at most, in the mean: an object with hundreds of members has as many pairs at each of its names
_MAX_QUESTIONS = 4096
_MAX_KEPT_DEFERRED = 1 << 16
_FEWEST_OPEN = 8
_NUM_ANSWERS = 1 << 14
# Sets of configurations of one walk over shapes, and members of all together.
MOST_TARGET_SETS, MOST_TARGETS = 2_048, 1 << 16
_BYTE, _SHORT, _INT, _LONG, _WORD = (np.dtype(kind) for kind in (np.uint8, np.int16, np.int32, np.int64, np.uint64))


@kernel
def room_in(column, slots):
    """Entries that a column with a hash table has room for."""
    return min(len(column), len(slots) >> 1)


def most_of(name: str, limits: Limits) -> int:
    """Entries that a group may ever have."""
    return {
        "stacks": limits.max_stack_nodes,
        "configs": limits.max_configurations,
        "work": limits.max_configuration_pairs,
        "sets": limits.max_stack_nodes,
    }[name]


def tables_for(name: str, room: int) -> dict[str, Shape]:
    """Return the hash tables of a group with room for this many entries."""
    slots = 1 << (2 * room - 1).bit_length()
    if name == "stacks":
        return _columns(("stack_slots",), slots)
    if name == "configs":
        return _columns(("config_slots",), slots)
    if name == "sets":
        return _columns(("set_slots",), slots)
    return _columns(("seen_slot",), 2 * slots) | _columns(("seen_stamp",), 2 * slots, _LONG)


def sets_of(words: int, limits: Limits) -> dict[str, Shape]:
    """Return sets of members of this many words each."""
    return {"set_members": Shape((most_of("sets", limits), words), _WORD), "set_scratch": Shape((words,), _WORD)}


def classes_of(number: int) -> dict[str, Shape]:
    """Return an arena's data for each of its network's unit classes."""
    return _columns(("partition_of",), number)


def first_room(limits: Limits) -> dict[str, int]:
    """Entries that the hash tables of each group have room for at first."""
    return {name: min(room, most_of(name, limits)) for name, room in _FIRST_ROOM.items()}


def memories_like(kind: Any, vocabulary: Vocabulary, limits: Limits, num_counters: int) -> Memories:
    """Memory for arenas over a vocabulary, whose sets of members take a word."""
    tables = vocabulary.tables
    path, widest = tables.longest_token + 2, max(tables.widest_path + 1, _FEWEST_OPEN)
    configs = limits.max_configurations
    # A token is noted in one of four ways, see `repeats`.
    deferred = 4 * len(vocabulary) + 1
    shapes = {
        **_columns(("counters",), num_counters, _LONG),
        **_columns(("path", "checked_path", "shape_path", "shape_byte"), path),
        **_columns(("open_node", "open_config", "open_units"), widest),
        **_columns(("loop_bytes", "byte_class", "class_byte"), 256, _BYTE),
        **_columns(("text",), 1, _BYTE),
        **_columns(("mask_blocks",), limits.max_mask_rows // BLOCK_ROWS + 1),
        **classes_of(FIRST_CLASSES),
    }
    for name, room in first_room(limits).items():
        shapes |= tables_for(name, room)
    shapes |= {
        "scratch": Shape((3, vocabulary.mask_pool.rows.shape[1]), np.dtype(np.uint32)),
        **_columns(("target_slots",), 2 * MOST_TARGET_SETS, _SHORT),
    }
    columns = {
        **_columns(WORK_FIELDS, most_of("work", limits)),
        **_columns(STACK_FIELDS, most_of("stacks", limits)),
        **sets_of(1, limits),
        **_columns(("set_size",), most_of("sets", limits)),
        **_columns(CONFIG_FIELDS, configs),
        **_columns(("config_accepts", "config_seen"), configs, _BYTE),
        **_columns(("config_hash",), configs, _LONG),
        **_columns(PAIR_FIELDS, _PAIRS_A_CONFIG * configs),
        **_columns(("deferred",), deferred),
        **_columns(("kept_deferred",), _MAX_KEPT_DEFERRED),
        **_columns(("rows",), 256 * configs),
        **_columns(FRAME_FIELDS, most_of("stacks", limits)),
        **_columns(("stack_stamp", "frame_stamp"), most_of("stacks", limits), _LONG),
        **_columns(BELOW_FIELDS, 4 * most_of("work", limits)),
        **_columns(("target_config",), MOST_TARGETS),
        **_columns(("target_start", "target_cost"), MOST_TARGET_SETS + 1),
        "target_after": Shape((MOST_TARGET_SETS, 256), _SHORT),
        **_columns(("answer_key",), _NUM_ANSWERS, _LONG),
        **_columns(("answer",), _NUM_ANSWERS, _BYTE),
        "question": Shape((_MAX_QUESTIONS, 3), _LONG),
        "question_text": Shape((_MAX_QUESTIONS, path), _BYTE),
    }
    others = {"masks": vocabulary.mask_pool.rows, "trie": tables.kernel, "partition": vocabulary.partitions.kernel}
    return Memories(kind, shapes, columns, others)


def _columns(fields: tuple[str, ...], length: int, dtype: np.dtype[Any] = _INT) -> dict[str, Shape]:
    return dict.fromkeys(fields, Shape((length,), dtype))
