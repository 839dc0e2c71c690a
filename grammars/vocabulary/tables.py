"""The vocabulary as a trie in preorder, ready for the kernels, and kept on disk so that a process starts faster."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections import deque
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.jit.container import ContainerType, as_field, fields_of, new_container
from grammars.jit.machine_code import user_folder
from grammars.jit.options import entry, kernel

_HASH_STEP = 0x9E3779B1
_MAX_KNOWN = 4
# Of what is kept on disk: plain arrays, never code, by fingerprint; as many as there are models, not requests.
_VERSION = 10
_WORTH_KEEPING_TOKENS = 16_000
TRIE = ContainerType(
    "Trie",
    fields_of(
        uint8="node_byte is_token token_bytes has_bytes level_byte shape_low shape_high",
        int32="node_depth node_end node_token next_same root_child node_parent eos_tokens quote_token quotes_token "
        "level_start level_token level_node shape_depth shape_end shape_first shape_token",
        uint32="shape_row",
        int64="child_slot token_start",
    ),
)
"""The trie of a vocabulary of V tokens, its N nodes in preorder and once more by level; node 0 is the root.

- node_byte[N]: the byte that leads to the node; node_depth[N]: bytes from the root; node_parent[N]
- node_end[N]: first node after the subtree; node_token[N]: first token that ends here, or -1
- next_same[V]: another token with the same bytes, or -1
- root_child[256]: child of the root, or -1; is_token[256]: whether the byte alone is a token
- child_slot[2**k]: hash table of (parent, byte) and then (child, whether a token ends there), or -1
- eos_tokens[E]; quote_token[Q], quotes_token[R]: tokens with a double quote in them, with more than one
- token_start[V + 1]: bytes of token t are token_bytes[token_start[t]:token_start[t + 1]]
- has_bytes[V]: whether the token has bytes at all
- level_start[N + 1]: nodes by level, so that the children of one stand together: those of i are level_start[i] to
  level_start[i + 1], in the order of their bytes; level_byte[N]; level_node[N]: number in preorder
- level_token[N]: first token that ends here, or -1; SAME is added where it is not the only one
- shape_low[S], shape_high[S], shape_depth[S], shape_end[S]: the trie of the shapes of tokens in preorder, see `shapes`:
  lowest and highest byte that lead to the node; node 0 is the root
- shape_token: tokens in the order of their shapes; those of node i are slice shape_first[S + 1]; shape_row: all of them
"""
SAME = 1 << 30


class VocabularyTables:
    """The trie of a vocabulary.

    Attributes:
        arrays: the arrays by name, see `TRIE`.
        kernel: the same as one argument for kernels.
        num_tokens: V.
        num_words: words of a mask row, ceil(V / 32).
        longest_token: bytes of the longest token.
        widest_path: children of the nodes on a way from the root, at most.
        known_names: what networks' costs remember of names in its tokens; each array is for one user at a time.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays
        self.num_tokens = len(arrays["next_same"])
        self.num_words = (self.num_tokens + 31) // 32
        self.longest_token = int(arrays["node_depth"].max(initial=0))
        self.widest_path = int(_widest_path(arrays["level_start"]))
        self.kernel = new_container(TRIE, {name: as_field(array) for name, array in arrays.items()})
        self.known_names: deque[NDArray[np.uint8]] = deque(maxlen=_MAX_KNOWN)

    @classmethod
    def build(cls, tokens: Sequence[bytes | None], eos_token_ids: Sequence[int]) -> VocabularyTables:
        """The trie of `tokens`; a token without bytes (None, empty, or an end token) is in no node.

        Cost: about 0.2 s for 128k tokens.
        """
        ends = set(eos_token_ids)
        spelled = [b"" if token is None or i in ends else token for i, token in enumerate(tokens)]
        order = sorted((i for i, token in enumerate(spelled) if token), key=spelled.__getitem__)
        start = np.zeros(len(tokens) + 1, dtype=np.int64)
        np.cumsum([len(token) for token in spelled], out=start[1:])
        data = np.frombuffer(b"".join(spelled), dtype=np.uint8)
        ordered = np.array(order, dtype=np.int32)
        node_byte, depth, end, token_of, parent, next_same = _preorder(ordered, start, data, len(tokens))
        root_child = np.full(256, -1, dtype=np.int32)
        slots = np.full(1 << max(4, (3 * len(node_byte) // 2).bit_length()), -1, dtype=np.int64)
        _index_children(node_byte, parent, token_of, root_child, slots)
        shared = (token_of >= 0) & (next_same[token_of] >= 0)
        by_level = np.argsort(depth, kind="stable").astype(np.int32)
        num_children = np.bincount(parent[1:], minlength=len(parent))[by_level]
        return cls(
            {
                "node_byte": node_byte,
                "node_depth": depth,
                "node_end": end,
                "node_token": token_of,
                "next_same": next_same,
                "root_child": root_child,
                "is_token": ((root_child >= 0) & (token_of[root_child] >= 0)).astype(np.uint8),
                "child_slot": slots,
                "node_parent": parent,
                "quote_token": np.array([i for i, token in enumerate(spelled) if b'"' in token], dtype=np.int32),
                "quotes_token": np.flatnonzero([token.count(b'"') > 1 for token in spelled]).astype(np.int32),
                "eos_tokens": np.array(sorted(ends), dtype=np.int32),
                "token_start": start,
                "token_bytes": data,
                "has_bytes": (np.diff(start) > 0).astype(np.uint8),
                "level_start": np.concatenate(([1], 1 + np.cumsum(num_children))).astype(np.int32),
                "level_byte": node_byte[by_level],
                "level_token": np.where(shared, token_of + SAME, token_of)[by_level].astype(np.int32),
                "level_node": by_level,
                **_shapes(ordered, start, data, len(tokens)),
            }
        )

    def longest_prefix(self, data: bytes) -> tuple[int, int]:
        """The longest token that begins `data`, as (token id, its length); (-1, 0) when there is none."""
        if not data:
            return -1, 0
        token, length = _longest_prefix(self.kernel, np.frombuffer(data, dtype=np.uint8))
        return int(token), int(length)

    def has_longer(self, data: bytes) -> bool:
        """True if some token begins with `data` and is longer."""
        return bool(_has_longer(self.kernel, np.frombuffer(data, dtype=np.uint8))) if data else True


def _shapes(
    ordered: NDArray[np.int32], start: NDArray[np.int64], data: NDArray[np.uint8], num_tokens: int
) -> dict[str, NDArray[Any]]:
    shaped = byte_classes()[data]
    plain, is_first = plain_tokens(ordered, start, shaped)
    low, depth, end, token_of, _, _ = _preorder(plain, start, shaped, num_tokens)
    counts = np.zeros(len(low), dtype=np.int64)
    counts[token_of >= 0] = np.diff(np.flatnonzero(is_first), append=len(plain))
    row = np.zeros((num_tokens + 31) // 32, dtype=np.uint32)
    np.bitwise_or.at(row, plain >> 5, np.uint32(1) << (plain & 31).astype(np.uint32))
    return {
        "shape_low": low,
        "shape_high": last_bytes(low),
        "shape_depth": depth,
        "shape_end": end,
        "shape_first": np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        "shape_token": plain,
        "shape_row": row,
    }


@entry
def _preorder(ordered, start, data, num_tokens):
    """Nodes of the trie in preorder from tokens in byte order: each adds the nodes past its common prefix."""
    room = 1
    for t in ordered:
        room += start[t + 1] - start[t]
    node_byte = np.zeros(room, dtype=np.uint8)
    depth = np.zeros(room, dtype=np.int32)
    end = np.zeros(room, dtype=np.int32)
    token_of = np.full(room, -1, dtype=np.int32)
    parent = np.full(room, -1, dtype=np.int32)
    next_same = np.full(num_tokens, -1, dtype=np.int32)
    longest = 1
    for t in ordered:
        longest = max(longest, start[t + 1] - start[t])
    path = np.zeros(longest + 1, dtype=np.int32)
    used, height = 1, 0
    previous_start, previous_length = np.int64(0), np.int64(0)
    for t in ordered:
        first, length = start[t], start[t + 1] - start[t]
        common = 0
        while common < length and common < previous_length and data[first + common] == data[previous_start + common]:
            common += 1
        while height > common:
            end[path[height]] = used
            height -= 1
        for i in range(common, length):
            node_byte[used] = data[first + i]
            depth[used] = i + 1
            parent[used] = path[height]
            height += 1
            path[height] = used
            used += 1
        node = path[height]
        next_same[t] = token_of[node]
        token_of[node] = t
        previous_start, previous_length = first, length
    while height >= 0:
        end[path[height]] = used
        height -= 1
    return (
        node_byte[:used].copy(),
        depth[:used].copy(),
        end[:used].copy(),
        token_of[:used].copy(),
        parent[:used].copy(),
        next_same,
    )


@entry
def _widest_path(level_start):
    widths = np.zeros(len(level_start) - 1, dtype=np.int32)
    widest = 1
    for node in range(len(widths)):
        width = widths[node] + level_start[node + 1] - level_start[node]
        widths[level_start[node] : level_start[node + 1]] = width
        widest = max(widest, width)
    return widest


@kernel
def _slot(parent, byte, mask):
    mixed = (np.uint64(parent) * np.uint64(256) + np.uint64(byte)) * np.uint64(_HASH_STEP)
    return np.int64((mixed ^ (mixed >> np.uint64(15))) & np.uint64(mask))


@kernel
def _key(parent, byte):
    return (np.int64(parent) << np.int64(8) | np.int64(byte)) << np.int64(32)


@entry
def _index_children(node_byte, node_parent, node_token, root_child, slots):
    mask = len(slots) - 1
    for node in range(1, len(node_byte)):
        if node_parent[node] == 0:
            root_child[node_byte[node]] = node
        slot = _slot(node_parent[node], node_byte[node], mask)
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = _key(node_parent[node], node_byte[node]) | node << 1 | (node_token[node] >= 0)


@kernel
def find_child(slots, node, byte):
    """Twice the child of `node` by `byte`, and 1 more where a token ends there; -1 where there is none."""
    mask = len(slots) - 1
    slot = _slot(node, byte, mask)
    key = _key(node, byte)
    while slots[slot] >= 0:
        entry = slots[slot] - key
        if 0 <= entry <= 0xFFFFFFFF:
            return entry
        slot = (slot + 1) & mask
    return np.int64(-1)


@kernel
def child_of(v, node, byte):
    """The child of `node` by `byte`, or -1."""
    return np.int32(find_child(v.child_slot, node, byte) >> 1)


@entry
def _longest_prefix(v, data):
    node, best, length = v.root_child[data[0]], np.int32(-1), 0
    position = 1
    while node >= 0:
        if v.node_token[node] >= 0:
            best, length = v.node_token[node], position
        if position == len(data):
            break
        node = child_of(v, node, data[position])
        position += 1
    return best, length


@entry
def _has_longer(v, data):
    node = v.root_child[data[0]]
    for i in range(1, len(data)):
        if node < 0:
            return False
        node = child_of(v, node, data[i])
    return node >= 0 and v.node_end[node] > node + 1


@cache
def no_tables() -> VocabularyTables:
    """Stands in for a vocabulary where there is none."""
    return VocabularyTables.build([b"\0"], [])


def _file(fingerprint: str) -> Path:
    return user_folder() / f"trie-{_VERSION}-{fingerprint}.npz"


def stored_tables(fingerprint: str) -> VocabularyTables | None:
    """The stored trie, or None when there is none or it cannot be read (it is then built again)."""
    try:
        with _file(fingerprint).open("rb") as file, np.load(file, allow_pickle=False) as block:
            return VocabularyTables({name: block[name] for name in TRIE.fields})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def store_tables(fingerprint: str, tables: VocabularyTables) -> None:
    """Keeps the trie of a large vocabulary; a folder that cannot be written to is no error, only slower."""
    if tables.num_tokens < _WORTH_KEEPING_TOKENS:
        return
    target = _file(fingerprint)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".npz", delete=False) as file:
            np.savez(file, allow_pickle=False, **tables.arrays)
        os.replace(file.name, target)
    except OSError:
        return


NO_CLASS = 0xFF
_QUOTE, _BACKSLASH, _DELETE = 0x22, 0x5C, 0x7F
# Letters and digits; then bytes above ASCII by their part in UTF-8, but for those that blanks begin with.
_RANGES = (
    (0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A), (0x80, 0x8F), (0x90, 0x9F), (0xA0, 0xBF), (0xC3, 0xDF), (0xE4, 0xEC),
    (0xF1, 0xF3),
)  # fmt: skip
_SINGLE = (0xC2, 0xE0, 0xE1, 0xE2, 0xE3, 0xED, 0xEE, 0xEF, 0xF0, 0xF4)


def byte_classes() -> NDArray[np.uint8]:
    """The lowest byte of each byte's class; `NO_CLASS` for what is written otherwise inside JSON strings, or never."""
    classes = np.full(256, NO_CLASS, dtype=np.uint8)
    alone = [byte for byte in range(0x20, _DELETE + 1) if byte not in (_QUOTE, _BACKSLASH)]
    for low, high in (*((byte, byte) for byte in (*alone, *_SINGLE)), *_RANGES):
        classes[low : high + 1] = low
    return classes


def letter_bits() -> NDArray[np.int32]:
    """A number from 0 to 61 for each letter and digit of ASCII, -1 for other bytes."""
    bits = np.full(256, -1, dtype=np.int32)
    letters = [byte for low, high in _RANGES if high <= _DELETE for byte in range(low, high + 1)]
    bits[letters] = np.arange(len(letters))
    return bits


def plain_tokens(
    order: NDArray[np.int32], start: NDArray[np.int64], shaped: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The tokens all of whose bytes have a class, sorted by shape, and whether each is the first one of its shape.

    Those of one shape stay in their order.

    Args:
        order: tokens with bytes.
        start: where the bytes of each token begin in `shaped`.
        shaped: the class of each byte.
    """
    places = np.flatnonzero(shaped == NO_CLASS)
    others = np.searchsorted(start, places, side="right") - 1
    is_plain = np.ones(len(start) - 1, dtype=np.bool_)
    is_plain[others] = False
    data, bounds = shaped.tobytes(), start.tolist()
    pairs = [(data[bounds[t] : bounds[t + 1]], t) for t in order[is_plain[order]].tolist()]
    pairs.sort(key=itemgetter(0))
    shapes = [shape for shape, _ in pairs]
    is_first = [i == 0 or shapes[i] != shapes[i - 1] for i in range(len(shapes))]
    return np.array([token for _, token in pairs], dtype=np.int32), np.array(is_first, dtype=np.bool_)


def last_bytes(lowest: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The highest byte of the class of each lowest one."""
    highest = np.arange(256, dtype=np.uint8)
    for low, high in _RANGES:
        highest[low] = high
    return highest[lowest]
