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
# Fields of the numbers of the table: where keywords, identifiers and types begin, and all end.
OTHERS, IDENTIFIERS, TYPES, NUM_WORDS = range(4)


@kernel
def word_at(text, row, words, starts, first, last):
    """Which of the words from `first` to `last` is spelled at the row; -1: none."""
    begin, length = row[BEGIN], row[END] - row[BEGIN]
    for w in range(first, last):
        start = starts[w]
        if starts[w + 1] - start != length:
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
def types_at(text, tape, value, words, starts, sections, bits):
    """The types named at `value`, 0 where anything else is."""
    types, row = 0, tape[value]
    if row[KIND] not in (STRING, ARRAY):
        return 0
    first, last = (value, value + 1) if row[KIND] == STRING else (value + 1, row[AFTER])
    for each in range(first, last):
        if tape[each, KIND] != STRING:
            return 0
        word = word_at(text, tape[each], words, starts, sections[TYPES], sections[NUM_WORDS])
        if word < 0:
            return 0
        types |= bits[word - sections[TYPES]]
    return types


@kernel
def _said(text, tape, schema, words, starts, sections, found):
    """Which keywords the schema has, as bits; `found` gets their values. -1: others, or one that is there twice."""
    said, name = 0, schema + 1
    last = sections[IDENTIFIERS] if schema == 0 else sections[TYPES]
    while name < tape[schema, AFTER]:
        if tape[name, KIND] == ESCAPED_NAME:
            return -1
        word = word_at(text, tape[name], words, starts, 0, last)
        if word >= NUM_READ or (word >= 0 and said >> word & 1 == 1):
            return -1
        if word >= 0:
            found[word] = name + 1
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
def read_schema(text, tape, schema, words, starts, sections, bits, max_words, found):
    """What the schema at this row is, and its types; `found` gets where the values of its keywords stand, or -1."""
    found[:] = -1
    said = _said(text, tape, schema, words, starts, sections, found)
    if said < 0:
        return NOT_PLAIN, 0
    if said == 1 << REF:
        return (A_REFERENCE if tape[found[REF], KIND] == STRING else NOT_PLAIN), 0
    types = 0
    if found[TYPE] >= 0:
        types = types_at(text, tape, found[TYPE], words, starts, sections, bits)
        if types == 0:
            return NOT_PLAIN, 0
    more = said & ~(1 << TYPE)
    if more == 0:
        return TYPED, types if found[TYPE] >= 0 else ANY_TYPE
    is_one_type = types != 0 and tape[found[TYPE], KIND] == STRING
    values = found[ENUM]
    if more == 1 << ENUM and (types == 0 or (is_one_type and types == bits[0])):
        row = tape[values]
        number = row[AFTER] - values - 1
        if row[KIND] == ARRAY and 0 < number <= max_words and _are_all(tape, values, STRING):
            return AN_ENUM, types
        return NOT_PLAIN, 0
    if not is_one_type:
        return NOT_PLAIN, 0
    if types == bits[0] and more & ~_LENGTHS == 0:
        low, high = count_at(text, tape, found[MIN_LENGTH], 0), count_at(text, tape, found[MAX_LENGTH], _ANY_LENGTH)
        return (A_STRING if 0 <= low <= high else NOT_PLAIN), types
    if types == bits[1] and more & ~_ABOUT_OBJECTS == 0:
        properties, required = found[PROPERTIES], found[REQUIRED]
        if (
            (properties < 0 or (tape[properties, KIND] == OBJECT and _are_all(tape, properties, NAME)))
            and (required < 0 or (tape[required, KIND] == ARRAY and _are_all(tape, required, STRING)))
            and _is_schema(tape, found[ADDITIONAL])
        ):
            return AN_OBJECT, types
        return NOT_PLAIN, 0
    if types == bits[2] and more & ~_ABOUT_ARRAYS == 0 and found[ITEMS] >= 0 and _is_schema(tape, found[ITEMS]):
        low, high = count_at(text, tape, found[MIN_ITEMS], 0), count_at(text, tape, found[MAX_ITEMS], 0)
        return (AN_ARRAY if min(low, high) >= 0 else NOT_PLAIN), types
    return NOT_PLAIN, 0
