"""Arena of one compiled constraint: its network, and the stacks, configurations and rows met so far."""

from __future__ import annotations

from grammars.jit.container import ContainerType, fields_of
from grammars.kernels.columns import (
    BELOW_FIELDS,
    CONFIG_FIELDS,
    FRAME_FIELDS,
    PAIR_FIELDS,
    STACK_FIELDS,
    WORK_FIELDS,
    memories_like,
)
from grammars.kernels.memory import Memories
from grammars.limits import Limits
from grammars.network.network import INT_FIELDS
from grammars.vocabulary.partitions import PARTITION
from grammars.vocabulary.tables import TRIE
from grammars.vocabulary.vocabulary import Vocabulary

# Answers of kernels that could not finish; all work done so far is kept, so the call is simply made again.
FULL = -2  # an array is full: grow, then call again
WANTED = -3  # a partition or residual is missing: `counters[WANTED_*]` says which

(
    NUM_STACKS, NUM_CONFIGS, NUM_PAIRS, ROWS_END, STAMP, NUM_MASKS, MASK_ROOM, FULL_ARRAY, WANTED_CLASS, WANTED_KIND,
    NUM_SETS, ORIGIN, READS_TEXT, REACH, VISITED, IS_OPEN_STRING, NUM_QUESTIONS, NUM_ANSWERS, TEXT_SIZE, TEXT_EPOCH,
    TEXT_VERSION, NUM_DEFERRED, NUM_KEPT_DEFERRED, STEPS_LEFT, MOST_STEPS, NUM_CLASSES, ROW_SIZE, OPEN_EPOCH,
    NUM_TEXTS, TEXT_SERIAL, IS_SHORT, IS_SHARING, IS_AT_END, NUM_BELOW, RETURNING, OLD_END, NUM_TARGET_SETS,
    CHECK_KINDS, FREE_REACH, NUM_SHORT, NUM_COUNTERS,
) = range(41)  # fmt: skip
FULL_STACKS, FULL_CONFIGS, FULL_PAIRS, FULL_ROWS, FULL_WORK, FULL_SETS, FULL_MASKS, FULL_STEPS = range(8)
# A mask, or a byte of a token, adds this part of the most steps to those that are left.
MASK_PART, BYTE_PART = 75, 750
UNBOUNDED = 1 << 60  # steps
CLOSED = 0  # in `counters[OPEN_EPOCH]`: kernels that hold the GIL have to wait
NO_ROOM = -1  # in `counters[MASK_ROOM]`: no mask is kept
DEAD = 0
UNKNOWN = -1  # in a row: the successor was not asked for yet
ONE_MORE = -4  # in a row: the successor is like the configuration itself, with one more unit in its span
# Elsewhere 0 stands for "none", so that fresh zeroed memory is ready for use: in the hash tables, in `config_row` and
# `config_mask` (place 0 of either array stays empty), and in `config_reach`, which holds one more than the reach.

_BYTE_FIELDS = (
    "kind", "accepts", "edge_low", "edge_high", "config_accepts", "config_seen", "loop_bytes", "byte_class",
    "class_byte", "text", "answer",
)  # fmt: skip
_INT32_FIELDS = (
    "unit_start", "unit_fewest", "partition_of", *STACK_FIELDS, "stack_slots", *CONFIG_FIELDS, "config_slots",
    *PAIR_FIELDS, *WORK_FIELDS, *FRAME_FIELDS, *BELOW_FIELDS, "mask_blocks", "seen_slot", "path", "set_size",
    "set_slots", "checked_path", "deferred", "kept_deferred", "open_node", "open_config", "open_units", "rows",
    "shape_path", "shape_byte", "target_config", "target_start", "target_cost",
)  # fmt: skip


class ArenaFullError(Exception):
    """The arena is at its limit and has to be emptied (internal).

    Attributes:
        name: of the group of arrays that is full.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


ARENA = ContainerType(
    "Arena",
    {
        **fields_of(
            uint8=" ".join(_BYTE_FIELDS),
            uint8_rows="question_text",
            int16="target_slots",
            int16_rows="target_after",
            uint16_rows="unit_table",
            int32=" ".join((*INT_FIELDS[:-1], *_INT32_FIELDS)),
            uint32_rows="masks scratch",
            int64="config_hash seen_stamp stack_stamp frame_stamp answer_key counters",
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

A stack node is (return state, count, parent); node 0 is the bottom. ``stack_closed[s]`` is the configuration of the
triple (``stack_state[s] - 1``, s, 0), the last one of such that was asked for. A configuration is a sorted set of
(state, stack, count) triples, closed under moves that consume nothing; configuration 0 is the empty set.
``rows[config_row[c] + byte_class[b]]`` is the configuration after byte b, `UNKNOWN` until it is asked for.
"""


def memories_of(vocabulary: Vocabulary, limits: Limits) -> Memories:
    """Memory for constraints over a vocabulary, until its partitions are renewed."""
    return memories_like(ARENA, vocabulary, limits, NUM_COUNTERS)
