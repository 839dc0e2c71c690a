"""What references on the tape lead to."""

from __future__ import annotations

from grammars.frontends.json.plain.tape import (
    AFTER,
    BEGIN,
    END,
    ESCAPED_NAME,
    FALSE,
    KIND,
    NAME,
    OBJECT,
    TRUE,
)
from grammars.kernels.options import kernel

_HASH, _SLASH, _TILDE, _PERCENT = 0x23, 0x2F, 0x7E, 0x25
_NO_ROW = -1


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
def _member_named(text, tape, table, begin, end):
    """The value of the last member with the name ``text[begin:end]``; -1 where none has, or others have to look."""
    found, name = _NO_ROW, table + 1
    while name < tape[table, AFTER]:
        row = tape[name]
        if row[KIND] == ESCAPED_NAME or is_spelled(text, row, b"id") or is_spelled(text, row, b"$id"):
            return _NO_ROW
        if row[END] - row[BEGIN] == end - begin:
            i = 0
            while i < end - begin and text[row[BEGIN] + i] == text[begin + i]:
                i += 1
            if i == end - begin:
                found = name + 1
        name = tape[name + 1, AFTER]
    return found


@kernel
def target_of(text, tape, reference):
    """The schema that a reference into the same text leads to; -1 for any other, and where others have to look."""
    i, end, found = tape[reference, BEGIN], tape[reference, END], 0
    if i == end or text[i] != _HASH:
        return _NO_ROW
    i += 1
    while i < end:
        if text[i] != _SLASH or tape[found, KIND] != OBJECT:
            return _NO_ROW
        begin = i + 1
        i = begin
        while i < end and text[i] != _SLASH:
            if text[i] in (_TILDE, _PERCENT):
                return _NO_ROW
            i += 1
        found = _member_named(text, tape, found, begin, i)
        if found < 0:
            return _NO_ROW
    return found if tape[found, KIND] in (OBJECT, TRUE, FALSE) else _NO_ROW


@kernel
def leads_elsewhere(text, tape, schema):
    """Whether anything in the schema may refer to something outside of it."""
    for each in range(schema + 1, tape[schema, AFTER]):
        row = tape[each]
        if row[KIND] == ESCAPED_NAME:
            return True
        if row[KIND] == NAME and (
            is_spelled(text, row, b"$ref")
            or is_spelled(text, row, b"$dynamicRef")
            or is_spelled(text, row, b"$recursiveRef")
        ):
            return True
    return False
