"""What a schema on the tape says: whether it is plain, and of what kind."""

from __future__ import annotations

from grammars.frontends.json.plain.tape import (
    AFTER,
    ARRAY,
    BEGIN,
    END,
    ESCAPED_NAME,
    FALSE,
    KIND,
    NAME,
    NUMBER,
    OBJECT,
    STRING,
    TRUE,
)
from grammars.kernels.options import kernel

# Keywords that are read here, in the order of the table of words. Then come those that mean something but are left to
# others, those that name a schema, and the names of types.
(
    TYPE, PROPERTIES, REQUIRED, ADDITIONAL, ITEMS, MIN_ITEMS, MAX_ITEMS, ENUM, MIN_LENGTH, MAX_LENGTH, REF, NUM_READ,
) = range(12)  # fmt: skip
# What a schema is.
TYPED, AN_OBJECT, AN_ARRAY, AN_ENUM, A_STRING, A_REFERENCE, NOT_PLAIN = range(7)

_ABOUT_OBJECTS = 1 << PROPERTIES | 1 << REQUIRED | 1 << ADDITIONAL
_ABOUT_ARRAYS = 1 << ITEMS | 1 << MIN_ITEMS | 1 << MAX_ITEMS
_LENGTHS = 1 << MIN_LENGTH | 1 << MAX_LENGTH
ANY_TYPE = 127
_MAX_DIGITS, _ANY_LENGTH = 6, 1_000_000
# Where things stand among the numbers of a run: where the values of keywords stand that a schema has, where identifiers
# and names of types begin in the table of words, its end, the bits of the types, and where each word begins.
FOUND = 0
IDENTIFIERS, TYPES, NUM_WORDS = range(NUM_READ, NUM_READ + 3)
BITS, STARTS = NUM_WORDS + 1, NUM_WORDS + 8
LAST_START = STARTS + 63


@kernel
def word_at(text, row, words, at, first, last):
    """Which of the words from `first` to `last` is spelled at the row; -1: none."""
    begin, length = row[BEGIN], row[END] - row[BEGIN]
    for w in range(first, last):
        start = at[STARTS + w]
        if at[STARTS + w + 1] - start != length:
            continue
        i = 0
        while i < length and words[start + i] == text[begin + i]:
            i += 1
        if i == length:
            return w
    return -1


@kernel
def count_at(text, tape, value, default):
    """A small whole number that stands at `value` (-1: the default); -1 for anything else."""
    if value < 0:
        return default
    row = tape[value]
    if row[KIND] != NUMBER or row[END] - row[BEGIN] > _MAX_DIGITS:
        return -1
    count = 0
    for i in range(row[BEGIN], row[END]):
        if not 0x30 <= text[i] <= 0x39:
            return -1
        count = 10 * count + text[i] - 0x30
    return count


@kernel
def types_at(text, tape, value, words, at):
    """The types named at `value`, 0 where anything else is."""
    types, row = 0, tape[value]
    if row[KIND] not in (STRING, ARRAY):
        return 0
    first, last = (value, value + 1) if row[KIND] == STRING else (value + 1, row[AFTER])
    for each in range(first, last):
        if tape[each, KIND] != STRING:
            return 0
        word = word_at(text, tape[each], words, at, at[TYPES], at[NUM_WORDS])
        if word < 0:
            return 0
        types |= at[BITS + word - at[TYPES]]
    return types


@kernel
def _said(text, tape, schema, words, at):
    """Which keywords the schema has, as bits; `at` gets their values. -1: others, or one that is there twice."""
    said, name = 0, schema + 1
    last = at[IDENTIFIERS] if schema == 0 else at[TYPES]
    while name < tape[schema, AFTER]:
        if tape[name, KIND] == ESCAPED_NAME:
            return -1
        word = word_at(text, tape[name], words, at, 0, last)
        if word >= NUM_READ or (word >= 0 and said >> word & 1 == 1):
            return -1
        if word >= 0:
            at[FOUND + word] = name + 1
            said |= 1 << word
        name = tape[name + 1, AFTER]
    return said


@kernel
def _are_all(tape, value, kind):
    """Whether everything in the array or object that stands at `value` is of this kind, of objects the names."""
    step, row = value + 1, tape[value]
    while step < row[AFTER]:
        if tape[step, KIND] != kind:
            return False
        step = tape[step + 1, AFTER] if kind == NAME else tape[step, AFTER]
    return True


@kernel
def _is_schema(tape, value):
    return value < 0 or tape[value, KIND] in (OBJECT, TRUE, FALSE)


@kernel
def read_schema(text, tape, schema, words, at, max_words):
    """What the schema at this row is, and its types; `at` gets where the values of its keywords stand, or -1."""
    at[FOUND : FOUND + NUM_READ] = -1
    said = _said(text, tape, schema, words, at)
    if said < 0:
        return NOT_PLAIN, 0
    if said == 1 << REF:
        return (A_REFERENCE if tape[at[FOUND + REF], KIND] == STRING else NOT_PLAIN), 0
    types = 0
    if at[FOUND + TYPE] >= 0:
        types = types_at(text, tape, at[FOUND + TYPE], words, at)
        if types == 0:
            return NOT_PLAIN, 0
    more = said & ~(1 << TYPE)
    if more == 0:
        return TYPED, types if at[FOUND + TYPE] >= 0 else ANY_TYPE
    is_one_type = types != 0 and tape[at[FOUND + TYPE], KIND] == STRING
    values = at[FOUND + ENUM]
    if more == 1 << ENUM and (types == 0 or (is_one_type and types == at[BITS])):
        row = tape[values]
        number = row[AFTER] - values - 1
        if row[KIND] == ARRAY and 0 < number <= max_words and _are_all(tape, values, STRING):
            return AN_ENUM, types
        return NOT_PLAIN, 0
    if not is_one_type:
        return NOT_PLAIN, 0
    if types == at[BITS] and more & ~_LENGTHS == 0:
        low, high = (
            count_at(text, tape, at[FOUND + MIN_LENGTH], 0),
            count_at(text, tape, at[FOUND + MAX_LENGTH], _ANY_LENGTH),
        )
        return (A_STRING if 0 <= low <= high else NOT_PLAIN), types
    if types == at[BITS + 1] and more & ~_ABOUT_OBJECTS == 0:
        properties, required = at[FOUND + PROPERTIES], at[FOUND + REQUIRED]
        if (
            (properties < 0 or (tape[properties, KIND] == OBJECT and _are_all(tape, properties, NAME)))
            and (required < 0 or (tape[required, KIND] == ARRAY and _are_all(tape, required, STRING)))
            and _is_schema(tape, at[FOUND + ADDITIONAL])
        ):
            return AN_OBJECT, types
        return NOT_PLAIN, 0
    if (
        types == at[BITS + 2]
        and more & ~_ABOUT_ARRAYS == 0
        and at[FOUND + ITEMS] >= 0
        and _is_schema(tape, at[FOUND + ITEMS])
    ):
        low, high = count_at(text, tape, at[FOUND + MIN_ITEMS], 0), count_at(text, tape, at[FOUND + MAX_ITEMS], 0)
        return (AN_ARRAY if min(low, high) >= 0 else NOT_PLAIN), types
    return NOT_PLAIN, 0
