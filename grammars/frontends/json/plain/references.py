"""What references and pointers lead to on the tape."""

from __future__ import annotations

from grammars.frontends.json.plain.tape import (
    AFTER,
    ARRAY,
    BEGIN,
    END,
    ESCAPED,
    ESCAPED_NAME,
    FALSE,
    KIND,
    OBJECT,
    STRING,
    TRUE,
)
from grammars.kernels.options import i64, kernel

_HASH, _SLASH, _TILDE, _PERCENT = 0x23, 0x2F, 0x7E, 0x25
_NO_ROW = -1
_MOST_DIGITS = 6


@kernel
def is_spelled(text, row, word):
    """Whether the word is spelled at the row."""
    if row[END] - row[BEGIN] != len(word):
        return False
    i = 0
    while i < len(word) and text[row[BEGIN] + i] == word[i]:
        i += 1
    return i == len(word)


@kernel
def _is_identifier(text, tape, name):
    """Whether the member makes the schema that it stands in a resource of its own, in some dialect."""
    return tape[name + 1, KIND] in (STRING, ESCAPED) and (
        is_spelled(text, tape[name], b"id") or is_spelled(text, tape[name], b"$id")
    )


@kernel
def _member_named(text, tape, table, pointer, begin, end, is_trusted):
    """The value of the last member with the name ``pointer[begin:end]`` and the rows looked at.

    It is -1 where none has, or others have to look.
    """
    found, name, looks = _NO_ROW, table + 1, 0
    while name < tape[table, AFTER]:
        row = tape[name]
        looks += 1
        if row[KIND] == ESCAPED_NAME:
            return _NO_ROW, looks
        if not is_trusted and _is_identifier(text, tape, name):
            return _NO_ROW, looks
        if row[END] - row[BEGIN] == end - begin:
            i = 0
            while i < end - begin and text[row[BEGIN] + i] == pointer[begin + i]:
                i += 1
            if i == end - begin:
                found = name + 1
        name = tape[name + 1, AFTER]
    return found, looks


@kernel
def _item_numbered(tape, table, pointer, begin, end):
    """The item that stands at this place, in decimal digits, and the rows looked at; -1: there is none."""
    if begin == end or end - begin > _MOST_DIGITS:
        return _NO_ROW, 0
    number = i64(0)
    for i in range(begin, end):
        if not 0x30 <= pointer[i] <= 0x39:
            return _NO_ROW, 0
        number = 10 * number + i64(pointer[i]) - 0x30
    each, looks = table + 1, 0
    while looks < number and each < tape[table, AFTER]:
        each, looks = tape[each, AFTER], looks + 1
    return (each if each < tape[table, AFTER] else _NO_ROW), looks


@kernel
def row_at(text, tape, pointer, begin, end, is_trusted):
    """The schema at the JSON pointer ``pointer[begin:end]`` and the rows looked at; -1 where others have to look.

    Args:
        is_trusted: nothing on the way begins another resource.
    """
    i, found, looks = begin, 0, 0
    while i < end:
        if pointer[i] != _SLASH or tape[found, KIND] not in (OBJECT, ARRAY):
            return _NO_ROW, looks
        begin = i + 1
        i = begin
        while i < end and pointer[i] != _SLASH:
            if pointer[i] in (_TILDE, _PERCENT):
                return _NO_ROW, looks
            i += 1
        if tape[found, KIND] == OBJECT:
            # References are read in the resource that the whole text is, whose identifier changes nothing for them.
            found, seen = _member_named(text, tape, found, pointer, begin, i, is_trusted or found == 0)
        else:
            found, seen = _item_numbered(tape, found, pointer, begin, i)
        looks += seen
        if found < 0:
            return _NO_ROW, looks
    return (found if tape[found, KIND] in (OBJECT, TRUE, FALSE) else _NO_ROW), looks


@kernel
def target_of(text, tape, reference):
    """What a reference into the same text leads to, see `row_at`."""
    begin, end = tape[reference, BEGIN], tape[reference, END]
    if begin == end or text[begin] != _HASH:
        return _NO_ROW, 0
    return row_at(text, tape, text, begin + 1, end, False)
