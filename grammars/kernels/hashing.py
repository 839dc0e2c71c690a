"""Hashes of what an arena holds, and the tables that find it again."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import entry, i64, kernel


@kernel
def stack_hash(ret, count, parent):
    """Hash of a stack node."""
    h = np.uint64(ret) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(29))) + np.uint64(count)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(32))) + np.uint64(parent)
    h *= np.uint64(0x94D049BB133111EB)
    return np.int64((h ^ (h >> np.uint64(31))) & np.uint64(0x7FFFFFFFFFFFFFFF))


@entry
def index_stacks(stack_return, stack_count, stack_parent, slots, used):
    """Enters the stack nodes but for the bottom into the hash table."""
    mask = len(slots) - 1
    for node in range(1, used):
        slot = stack_hash(i64(stack_return[node]), i64(stack_count[node]), i64(stack_parent[node])) & mask
        while slots[slot] > 0:
            slot = (slot + 1) & mask
        slots[slot] = node


@kernel
def set_hash(members, size):
    """Hash of a set of members."""
    h = np.int64(size)
    for word in members:
        h = stack_hash(h & 0x7FFFFFFF, np.int64(word >> np.uint64(32)), np.int64(word & np.uint64(0xFFFFFFFF)))
    return h


@entry
def index_sets(set_members, set_size, slots, used):
    """Enters the sets but for the empty one into the hash table."""
    mask = len(slots) - 1
    for s in range(1, used):
        slot = set_hash(set_members[s], i64(set_size[s])) & mask
        while slots[slot] > 0:
            slot = (slot + 1) & mask
        slots[slot] = s


@entry
def index_configs(hashes, slots, used):
    """Enters the configurations but for the dead one into the hash table."""
    mask = len(slots) - 1
    for config in range(1, used):
        slot = hashes[config] & mask
        while slots[slot] > 0:
            slot = (slot + 1) & mask
        slots[slot] = config
