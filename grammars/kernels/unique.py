"""True if the JSON string that ends here was there before: names of an object, items of an array.

The text is read backwards from the string. That is well defined: within a string every quote is escaped, so the first
quote without a backslash before it is the one that opens the string.
"""

from __future__ import annotations

from grammars.jit.options import entry, i64, kernel

_QUOTE, _BACKSLASH, _COMMA, _COLON = 0x22, 0x5C, 0x2C, 0x3A
_OPEN_ARRAY, _CLOSE_ARRAY, _OPEN_OBJECT, _CLOSE_OBJECT = 0x5B, 0x5D, 0x7B, 0x7D


@entry
def string_start(text, end):
    """Return the start of the string whose content ends before `end`; -1 if there is none."""
    i = end - 1
    while i >= 0:
        if text[i] == _QUOTE:
            first = i
            while first > 0 and text[first - 1] == _BACKSLASH:
                first -= 1
            if (i - first) % 2 == 0:
                return i64(i)
        i -= 1
    return i64(-1)


@entry
def container_start(text, start):
    """Return the start of the array or object around `start`; -1 if there is none."""
    depth, i = 0, start - 1
    while i >= 0:
        byte = text[i]
        if byte == _QUOTE:
            i = string_start(text, i)
        elif byte == _CLOSE_ARRAY or byte == _CLOSE_OBJECT:
            depth += 1
        elif byte == _OPEN_ARRAY or byte == _OPEN_OBJECT:
            if depth == 0:
                return i64(i)
            depth -= 1
        i -= 1
    return i64(-1)


@kernel
def next_item(text, begin, end):
    """The first item of an array, or member of an object, in ``text[begin:end]``.

    Returns:
        Where it begins and ends; begins at -1 where there is no more.
    """
    while begin < end and (text[begin] == _COMMA or is_blank(text[begin])):
        begin += 1
    depth, i = 0, begin
    while i < end:
        byte = text[i]
        if byte == _QUOTE:
            i += 1
            while i < end and text[i] != _QUOTE:
                i += 2 if text[i] == _BACKSLASH else 1
        elif byte == _COMMA:
            if depth == 0:
                break
        elif byte | 0x20 == _OPEN_OBJECT:
            depth += 1
        elif byte | 0x20 == _CLOSE_OBJECT:
            depth -= 1
        i += 1
    while i > begin and i <= end and is_blank(text[i - 1]):
        i -= 1
    return (i64(begin), i64(i)) if begin < end else (i64(-1), i64(end))


@kernel
def next_string(text, begin, end, container):
    """The first string in ``text[begin:end]`` that is a name of the object or an item of the array `container`.

    Args:
        begin: a place in the container, not within anything inside it.

    Returns:
        Where its content begins and ends; begins at -1 where there is no more.
    """
    first, last = next_item(text, begin, end)
    while first >= 0 and text[first] != _QUOTE:
        first, last = next_item(text, last, end)
    last = first + 1
    while first >= 0 and last < end and text[last] != _QUOTE:
        last += 2 if text[last] == _BACKSLASH else 1
    return (first + 1, last) if first >= 0 and last < end else (i64(-1), last)


@kernel
def is_blank(byte):
    """True if JSON passes over it between its tokens."""
    return byte == 0x20 or byte == 0x0A or byte == 0x0D or byte == 0x09


@kernel
def is_unique_string(text, size):
    """True if the string whose closing quote is ``text[size - 1]`` differs from the earlier ones beside it."""
    start = string_start(text, size - 1)
    container = container_start(text, start) if start >= 0 else i64(-1)
    if container < 0:
        return True
    length, place = size - 2 - start, container + 1
    while True:
        first, last = next_string(text, place, start, container)
        if first < 0:
            return True
        if last - first == length and are_same(text, first, text, start + 1, length):
            return False
        place = last + 1


@kernel
def are_same(text, first, other, begin, length):
    """True if this many bytes are equal from both offsets on."""
    k = 0
    while k < length and text[first + k] == other[begin + k]:
        k += 1
    return k == length
