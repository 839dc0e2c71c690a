"""The tokens in the order of their shapes, so that what a class of characters asks of each reads memory in a row."""

from __future__ import annotations

from typing import Any

import numpy as np

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.kernels.options import entry, i64
from grammars.vocabulary.shapes import byte_classes, last_bytes, letter_bits
from grammars.vocabulary.tables import VocabularyTables

SPELLINGS = ContainerType(
    "Spellings",
    fields_of(
        uint8="text low outside_byte",
        int32="start last letter outside_depth outside_end outside_token",
        uint64="letters",
    ),
)
"""The K tokens that have a shape, in the order of `shape_token`, and the trie of the others.

- text[start[k]:start[k + 1]]: the bytes of the k-th
- letters[K]: which letters and digits it has, as bits; letter[256]: the bit of a byte, or -1
- low[256]: lowest byte of a byte's class; last[256]: highest byte of the class with this lowest one, or -1
- outside_*: the other tokens, see `PARTITION`
"""


class Spellings:
    """The spellings of a vocabulary's tokens, for its partitions.

    Attributes:
        tables: of the vocabulary.
        kernel: what kernels read.
        outside: the trie of tokens without a shape: bytes, depths, ends and tokens.
    """

    def __init__(self, tables: VocabularyTables) -> None:
        self.tables = tables
        self.outside = trie_outside(tables.kernel, tables.arrays["shape_row"])
        start, text, letters = _in_order(tables.kernel, letter_bits())
        low, last = byte_classes(), np.full(256, -1, dtype=np.int32)
        last[low] = last_bytes(low)
        names = ("outside_byte", "outside_depth", "outside_end", "outside_token")
        self.kernel: Any = new_container(
            SPELLINGS,
            {
                "start": start, "text": text, "letters": letters, "letter": letter_bits(), "low": low, "last": last,
                **dict(zip(names, self.outside, strict=True)),
            },
        )  # fmt: skip


@entry
def _in_order(v, letter):
    """Where the bytes of each token with a shape start, the bytes, and its letters."""
    count = len(v.shape_token)
    start = np.zeros(count + 1, np.int32)
    for k in range(count):
        token = v.shape_token[k]
        start[k + 1] = start[k] + v.token_start[token + 1] - v.token_start[token]
    text, letters = np.empty(start[count], np.uint8), np.zeros(count, np.uint64)
    for k in range(count):
        first = v.token_start[v.shape_token[k]]
        for i in range(start[k + 1] - start[k]):
            byte = v.token_bytes[first + i]
            text[start[k] + i] = byte
            if letter[byte] >= 0:
                letters[k] |= np.uint64(1) << np.uint64(letter[byte])
    return start, text, letters


@entry
def trie_outside(v, member_row):
    """The trie restricted to tokens that are not in `member_row`, in preorder, the root left out."""
    count = len(v.node_byte)
    wanted = np.zeros(count, np.uint8)
    for i in range(count - 1, 0, -1):
        token = v.node_token[i]
        if token >= 0 and (member_row[token >> 5] >> np.uint32(token & 31)) & np.uint32(1) == 0:
            wanted[i] = 1
        if wanted[i]:
            wanted[v.node_parent[i]] = 1
    place = np.empty(count + 1, np.int32)
    used = i64(0)
    for i in range(1, count):
        place[i] = used
        used += 1 if wanted[i] else 0
    place[count] = used
    bytes_, depth = np.empty(used, np.uint8), np.empty(used, np.int32)
    end, tokens = np.empty(used, np.int32), np.empty(used, np.int32)
    for i in range(1, count):
        if wanted[i]:
            at = place[i]
            bytes_[at], depth[at], end[at] = v.node_byte[i], v.node_depth[i], place[v.node_end[i]]
            token = v.node_token[i]
            outside = token >= 0 and (member_row[token >> 5] >> np.uint32(token & 31)) & np.uint32(1) == 0
            tokens[at] = token if outside else -1
    return bytes_, depth, end, tokens
