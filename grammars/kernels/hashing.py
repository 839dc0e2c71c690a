"""Hashes of what an arena holds, and the tables that find it again."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry, i64, kernel
from grammars.kernels.arena import FULL_CONFIGS, FULL_SETS, FULL_STACKS, NUM_CONFIGS, NUM_SETS, NUM_STACKS


@kernel
def stack_hash(ret, count, parent):
    """Hash of a stack node."""
    h = np.uint64(ret) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(29))) + np.uint64(count)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(32))) + np.uint64(parent)
    h *= np.uint64(0x94D049BB133111EB)
    return np.int64((h ^ (h >> np.uint64(31))) & np.uint64(0x7FFFFFFFFFFFFFFF))


@kernel
def set_hash(members, size):
    """Hash of a set of members."""
    h = np.int64(size)
    for word in members:
        h = stack_hash(h & 0x7FFFFFFF, np.int64(word >> np.uint64(32)), np.int64(word & np.uint64(0xFFFFFFFF)))
    return h


@entry
def index_again(a, group):
    """Enters what a group holds, but for its first, into its hash table, which is empty."""
    if group == FULL_STACKS:
        for node in range(1, a.counters[NUM_STACKS]):
            key = stack_hash(i64(a.stack_return[node]), i64(a.stack_count[node]), i64(a.stack_parent[node]))
            _enter(a.stack_slots, key, node)
    elif group == FULL_SETS:
        for s in range(1, a.counters[NUM_SETS]):
            _enter(a.set_slots, set_hash(a.set_members[s], i64(a.set_size[s])), s)
    elif group == FULL_CONFIGS:
        for config in range(1, a.counters[NUM_CONFIGS]):
            _enter(a.config_slots, a.config_hash[config], config)


@kernel
def _enter(slots, key, number):
    mask = len(slots) - 1
    slot = key & mask
    while slots[slot] > 0:
        slot = (slot + 1) & mask
    slots[slot] = number
