"""What kernels see of one compiled constraint: its network, and the stacks, configurations and rows met so far."""

from __future__ import annotations

from grammars.kernels.columns import (
    CONFIG_FIELDS,
    GUARDED_FIELDS,
    PAIR_FIELDS,
    STACK_FIELDS,
    WORK_FIELDS,
    layout_of,
)
from grammars.kernels.container import ContainerType, fields_of
from grammars.kernels.recycling import Memories
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
    NUM_SETS, ORIGIN, IS_HUNG, IS_OPEN_STRING, NUM_QUESTIONS, NUM_ANSWERS, TEXT_SIZE, TEXT_EPOCH, TEXT_VERSION,
    NUM_HUNG, NUM_KEPT_HUNG, BASE, STEPS_LEFT, MOST_STEPS, NUM_CLASSES, ROW_SIZE, TWIN_COST, NUM_LEAVING, NUM_LISTED,
    NUM_PARTED, MOST_PARTED, OPEN_EPOCH, NUM_TEXTS, TEXT_SERIAL, NUM_COUNTERS,
) = range(35)  # fmt: skip
FULL_STACKS, FULL_CONFIGS, FULL_PAIRS, FULL_ROWS, FULL_WORK, FULL_SETS, FULL_HUNG, FULL_MASKS, FULL_STEPS = range(9)
# A mask, or a byte of a token, adds this part of the most steps to those that are left.
MASK_PART, BYTE_PART = 75, 750
CLOSED = 0  # in `counters[OPEN_EPOCH]`: kernels that hold the GIL have to wait
NO_ROOM = -1  # in `counters[MASK_ROOM]`: no mask is kept
DEAD = 0
UNKNOWN = -1  # in a row: the successor was not asked for yet
ONE_MORE = -4  # in a row: the successor is like the configuration itself, with one more unit in its span
LEAVES = -9  # in a row, and as an answer: what follows depends on more of the stack than a relative configuration has
UNNAMED = 0x7FFFFFFE
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
