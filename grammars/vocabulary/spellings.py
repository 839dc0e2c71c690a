"""The tokens in the order of their shapes, so that what a class of characters asks of each reads memory in a row."""

from __future__ import annotations

from typing import Any

import numpy as np

from grammars.jit.container import ContainerType, fields_of, new_container
from grammars.jit.options import entry, i64, kernel
from grammars.vocabulary.tables import VocabularyTables, byte_classes, last_bytes, letter_bits

SPELLINGS = ContainerType(
    "Spellings",
    fields_of(
        uint8="text low outside_byte",
        uint16="outside_depth",
        int32="start last letter outside_end outside_first outside_token",
        uint64="letters",
    ),
)
"""The K tokens that have a shape, in the order of `shape_token`, and the trie of the others.

- text[start[k]:start[k + 1]]: the bytes of the k-th
- letters[K]: which letters and digits it has, as bits; letter[256]: the bit of a byte, or -1
- low[256]: lowest byte of a byte's class; last[256]: highest byte of the class with this lowest one, or -1
- outside_*: the trie of the other tokens, see `trie_outside`
"""


class Spellings:
    """The spellings of a vocabulary's tokens, for its partitions.

    Attributes:
        tables: of the vocabulary.
        kernel: what kernels read.
        outside: the trie of tokens without a shape, see `trie_outside`.
    """

    def __init__(self, tables: VocabularyTables) -> None:
        self.tables = tables
        self.outside = trie_outside(tables.kernel, tables.arrays["shape_row"])
        start, text, letters = _in_order(tables.kernel, letter_bits())
        low, last = byte_classes(), np.full(256, -1, dtype=np.int32)
        last[low] = last_bytes(low)
        names = ("outside_byte", "outside_depth", "outside_end", "outside_first", "outside_token")
        self.kernel: Any = new_container(
            SPELLINGS,
            {
                "start": start, "text": text, "letters": letters, "letter": letter_bits(), "low": low, "last": last,
                **dict(zip(names, self.outside, strict=True)),
            },
        )  # fmt: skip


@entry
def _in_order(v, letter):
    """Return the starts of the bytes of each token with a shape, the bytes, and its letters."""
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
    """The trie of the tokens that are not in `member_row`, without its root, and a node more behind it.

    Returns:
        Bytes, depths and ends of the nodes in preorder, first token of each; tokens.
    """
    count = len(v.node_byte)
    wanted, place = np.zeros(count, np.uint8), np.zeros(count + 1, np.int32)
    num_tokens = i64(0)
    for i in range(count - 1, 0, -1):
        if _is_outside(v, member_row, i64(v.node_token[i])):
            wanted[i] = 1
        if wanted[i]:
            wanted[v.node_parent[i]] = 1
    for i in range(1, count):
        place[i + 1] = place[i] + wanted[i]
    used = place[count]
    bytes_, depths, ends = np.zeros(used + 1, np.uint8), np.zeros(used + 1, np.uint16), np.zeros(used + 1, np.int32)
    first, tokens = np.empty(used + 1, np.int32), np.empty(len(v.next_same), np.int32)
    for i in range(1, count):
        if wanted[i]:
            at = place[i]
            bytes_[at], depths[at], ends[at], first[at] = (
                v.node_byte[i],
                v.node_depth[i],
                place[v.node_end[i]],
                num_tokens,
            )
            token = i64(v.node_token[i])
            if _is_outside(v, member_row, token):
                while token >= 0:
                    tokens[num_tokens] = token
                    num_tokens += 1
                    token = i64(v.next_same[token])
    first[used] = num_tokens
    return bytes_, depths, ends, first, tokens[:num_tokens].copy()


@kernel
def _is_outside(v, member_row, token):
    return token >= 0 and (member_row[token >> 5] >> np.uint32(token & 31)) & np.uint32(1) == 0
