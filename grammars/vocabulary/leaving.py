"""Tokens that leave a class of characters after whole units: tries of what remains of them."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import entry, i64, kernel
from grammars.vocabulary.members import (
    ALL_HERE,
    AT_LETTERS,
    ELSEWHERE,
    OUTSIDE,
    SOME_HERE,
    goals_of,
    missing_letters,
    read_token,
)

_HASH_STEP = 0x9E3779B1
_FIRST_SLOT_BITS = 12


@entry
def find_leaving(s, v, table, leaves, wanted, most, left, text):
    """Finds the tokens of which something remains that begins with a wanted byte; stops once they are more than `most`.

    Args:
        leaves: see `sort_tokens`.
        wanted: uint8[256].
        left: columns of tokens, units before what remains, and where that ends in `text`.
        text: what remains of each token, one after another.

    Returns:
        How many it found.
    """
    goals = goals_of(s, table)
    letters = np.uint64(0)
    for byte in range(256):
        if wanted[byte] and s.letter[byte] >= 0:
            letters |= np.uint64(1) << np.uint64(s.letter[byte])
    letters &= missing_letters(s, table, goals)
    found = i64(0)
    for i in range(leaves.shape[1]):
        if found > most:
            break
        node, units, kind = i64(leaves[0, i]), i64(leaves[1, i]), leaves[2, i]
        if kind == OUTSIDE:
            if wanted[s.outside_byte[node]]:
                found = _add_outside(s, v, node, units, left, text, found)
            continue
        first, last = i64(v.shape_first[node]), i64(v.shape_first[v.shape_end[node]])
        place = i64(v.shape_depth[node]) - 1
        if kind in (ALL_HERE, SOME_HERE):
            low = i64(v.shape_low[node])
            if not wanted[low : s.last[low] + 1].any():
                continue
            for k in range(first, last):
                if not wanted[s.text[s.start[k] + place]]:
                    continue
                if kind == ALL_HERE or read_token(s, table, k)[2] == place:
                    found = _add(left, text, found, v.shape_token[k], units, s.text, s.start[k] + place, s.start[k + 1])
            continue
        for k in range(first, last):
            if found > most:
                break
            if kind == AT_LETTERS and s.letters[k] & letters == 0:
                continue
            state, count, length = read_token(s, table, k)
            if state != 0 or length == 0 or length == s.start[k + 1] - s.start[k]:
                continue
            byte = s.text[s.start[k] + length]
            is_letter = s.letter[byte] >= 0 and _is_among(letters, s.letter[byte])
            if wanted[byte] and (is_letter if kind == AT_LETTERS else kind != ELSEWHERE or not is_letter):
                found = _add(left, text, found, v.shape_token[k], count, s.text, s.start[k] + length, s.start[k + 1])
    return found


@kernel
def _is_among(letters, bit):
    return letters >> np.uint64(bit) & np.uint64(1) != 0


@kernel
def _add(left, text, found, token, units, source, first, last):
    begin = i64(left[2, found - 1]) if found > 0 else i64(0)
    left[0, found], left[1, found], left[2, found] = token, units, begin + last - first
    for i in range(last - first):
        text[begin + i] = source[first + i]
    return found + 1


@kernel
def _add_outside(s, v, node, units, left, text, found):
    """Adds the tokens at and below a node of the trie of those without a shape."""
    for i in range(node, i64(s.outside_end[node])):
        for k in range(s.outside_first[i], s.outside_first[i + 1]):
            token = i64(s.outside_token[k])
            first = v.token_start[token] + s.outside_depth[node] - 1
            found = _add(left, text, found, token, units, v.token_bytes, first, v.token_start[token + 1])
    return found


@entry
def merge_remains(tokens, units, ends, text):
    """One trie for each first byte of what remains of tokens, see `find_leaving`; behind each a node more.

    Returns:
        Bytes, depths and ends of the nodes in preorder, first token of each; tokens and units; where each trie begins,
        and where the last one ends.
    """
    byte, depth, parent, owner = _insert_all(len(tokens), ends, text)
    used = len(byte)
    size = np.ones(used, np.int32)
    tries = i64(0)
    for node in range(used - 1, 0, -1):
        if parent[node] > 0:
            size[parent[node]] += size[node]
        else:
            tries += 1
    count = used - 1 + tries
    bytes_, depths, ends_ = np.zeros(count, np.uint8), np.zeros(count, np.uint16), np.zeros(count, np.int32)
    first = np.zeros(count + 1, np.int32)
    begins = np.zeros(tries + 1, np.int32)
    # Parents come before their children: each takes the next places of its parent's.
    place, following, begin = np.empty(used, np.int32), np.empty(used, np.int32), np.empty(used, np.int32)
    top, number = i64(0), i64(0)
    for node in range(1, used):
        above = parent[node]
        if above == 0:
            place[node] = begin[node] = begins[number] = top
            top += size[node] + 1
            number += 1
        else:
            place[node], begin[node] = following[above], begin[above]
            following[above] += size[node]
        at = place[node]
        following[node] = at + 1
        bytes_[at], depths[at], ends_[at] = byte[node], depth[node], at + size[node] - begin[node]
    begins[tries] = top
    for k in range(len(tokens)):
        first[place[owner[k]] + 1] += 1
    for at in range(count):
        first[at + 1] += first[at]
    sorted_tokens, sorted_units = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.uint16)
    fill = first.copy()
    for k in range(len(tokens)):
        at = place[owner[k]]
        sorted_tokens[fill[at]], sorted_units[fill[at]] = tokens[k], units[k]
        fill[at] += 1
    return bytes_, depths, ends_, first[:count].copy(), sorted_tokens, sorted_units, begins


@kernel
def _insert_all(count, ends, text):
    """The trie of `count` texts: byte, depth and parent of its nodes, a parent before its children; node of each."""
    room = i64(ends[count - 1]) + 1 if count > 0 else i64(1)
    byte, depth, parent = np.empty(room, np.uint8), np.empty(room, np.uint16), np.empty(room, np.int32)
    owner, path = np.empty(count, np.int32), np.zeros(room + 1, np.int32)
    bits = i64(_FIRST_SLOT_BITS)
    slots = np.full(1 << bits, -1, np.int64)
    byte[0] = depth[0] = parent[0] = 0
    used, before, begin = i64(1), i64(0), i64(0)
    for k in range(count):
        length, shared = i64(ends[k]) - begin, i64(0)
        # Texts in a row often begin alike.
        while shared < length and shared < begin - before and text[begin + shared] == text[before + shared]:
            shared += 1
        node = i64(path[shared])
        for i in range(shared, length):
            key = node << 8 | i64(text[begin + i])
            slot = _find(slots, bits, key)
            if slots[slot] < 0:
                slots[slot] = key << 32 | used
                byte[used], depth[used], parent[used] = text[begin + i], i + 1, node
                node = used
                used += 1
                if 2 * used > len(slots):
                    bits += 2
                    slots = _index(byte, parent, used, bits)
            else:
                node = i64(slots[slot] & 0xFFFFFFFF)
            path[i + 1] = node
        owner[k] = node
        before, begin = begin, i64(ends[k])
    return byte[:used], depth[:used], parent[:used], owner


@kernel
def _find(slots, bits, key):
    """The slot of the key, or the free one where it has to be put."""
    mask = len(slots) - 1
    slot = (key * _HASH_STEP & 0xFFFFFFFF) >> (32 - bits)
    while slots[slot] >= 0 and slots[slot] >> 32 != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def _index(byte, parent, used, bits):
    slots = np.full(1 << bits, -1, np.int64)
    for node in range(1, used):
        key = i64(parent[node]) << 8 | i64(byte[node])
        slots[_find(slots, bits, key)] = key << 32 | node
    return slots
