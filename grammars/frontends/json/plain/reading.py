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
from grammars.kernels.options import i64, kernel

# Keywords that are read here, in the order of the table of words. Then come those that mean something but are left to
# others, those that name a schema, the names of types, and those of formats.
(
    TYPE, PROPERTIES, REQUIRED, ADDITIONAL, ITEMS, MIN_ITEMS, MAX_ITEMS, ADDITIONAL_ITEMS, ENUM, MIN_LENGTH, MAX_LENGTH,
    REF, ALL_OF, ANY_OF, ONE_OF, UNIQUE_ITEMS, FORMAT, NUM_READ,
) = range(18)  # fmt: skip
# What a schema is: types alone; types of which some say more; words; a reference, or a list of one schema; a choice; a
# conjunction.
TYPED, NARROWED, AN_ENUM, A_REFERENCE, A_LIST_OF_ONE, A_CHOICE, A_CONJUNCTION, NOT_PLAIN = range(8)
# Types.
NULL_TYPE, BOOLEAN_TYPE, STRING_TYPE, ARRAY_TYPE, OBJECT_TYPE, ANY_TYPE = 1, 2, 16, 32, 64, 127

_ABOUT_OBJECTS = 1 << PROPERTIES | 1 << REQUIRED | 1 << ADDITIONAL
_ABOUT_ARRAYS = 1 << ITEMS | 1 << MIN_ITEMS | 1 << MAX_ITEMS
_LENGTHS = 1 << MIN_LENGTH | 1 << MAX_LENGTH
_LISTS = 1 << ALL_OF | 1 << ANY_OF | 1 << ONE_OF
_BESIDE_ALL_OF = 1 << TYPE | 1 << PROPERTIES | 1 << REQUIRED
MAX_CHOICES = 64
_MAX_DIGITS, _ANY_LENGTH = 6, 1_000_000
# Where things stand among the numbers of a run: where the values of a schema's keywords stand; where identifiers,
# names of types and those of formats begin in the table of words; the end of the formats that are asserted, and of the
# words that others have to look at in a schema below the root; the bits of the types, and where each word begins.
FOUND = 0
IDENTIFIERS, TYPES, FORMATS, LAST_FORMAT, LAST_BELOW = range(NUM_READ, NUM_READ + 5)
BITS, STARTS = LAST_BELOW + 1, LAST_BELOW + 8
LAST_START = STARTS + 95


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
    count = i64(0)
    for i in range(row[BEGIN], row[END]):
        if not 0x30 <= text[i] <= 0x39:
            return -1
        count = 10 * count + i64(text[i]) - 0x30
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
        word = word_at(text, tape[each], words, at, at[TYPES], at[FORMATS])
        if word < 0:
            return 0
        types |= at[BITS + word - at[TYPES]]
    return types


@kernel
def types_of(text, tape, schema, words, at):
    """Types that every value has which meets the schema, whatever else it says; -1: not known."""
    types, name = -1, schema + 1
    while name < tape[schema, AFTER]:
        if tape[name, KIND] == ESCAPED_NAME:
            return -1
        word = word_at(text, tape[name], words, at, 0, NUM_READ)
        # Beside a reference a type may say nothing.
        if word == REF or (word == TYPE and types >= 0):
            return -1
        if word == TYPE:
            types = types_at(text, tape, name + 1, words, at)
            if types == 0:
                return -1
        name = tape[name + 1, AFTER]
    return types


@kernel
def _said(text, tape, schema, words, at):
    """Which keywords the schema has, as bits; `at` gets their values. -1: others, or one that is there twice."""
    said, name = 0, schema + 1
    last = at[IDENTIFIERS] if schema == 0 else at[LAST_BELOW]
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
def _are_of_objects(tape, at):
    """Whether the values of keywords about objects have the forms that they must have."""
    properties, required = at[FOUND + PROPERTIES], at[FOUND + REQUIRED]
    return (
        (properties < 0 or (tape[properties, KIND] == OBJECT and _are_all(tape, properties, NAME)))
        and (required < 0 or (tape[required, KIND] == ARRAY and _are_all(tape, required, STRING)))
        and _is_schema(tape, at[FOUND + ADDITIONAL])
    )


@kernel
def _are_of_arrays(text, tape, at):
    """The same of arrays."""
    low, high = count_at(text, tape, at[FOUND + MIN_ITEMS], 0), count_at(text, tape, at[FOUND + MAX_ITEMS], 0)
    unique = at[FOUND + UNIQUE_ITEMS]
    return (
        _is_schema(tape, at[FOUND + ITEMS])
        and _is_schema(tape, at[FOUND + ADDITIONAL_ITEMS])
        and min(low, high) >= 0
        and (unique < 0 or tape[unique, KIND] in (TRUE, FALSE))
    )


@kernel
def is_unique(tape, at):
    """Whether `uniqueItems` is asked for."""
    return at[FOUND + UNIQUE_ITEMS] >= 0 and tape[at[FOUND + UNIQUE_ITEMS], KIND] == TRUE


@kernel
def list_at(at):
    """Where the list stands of a schema that is nothing else."""
    return max(at[FOUND + ALL_OF], at[FOUND + ANY_OF], at[FOUND + ONE_OF])


@kernel
def _kind_of_list(tape, at, said):
    """What a schema is that is a list of schemas, and perhaps more."""
    values = list_at(at)
    number, each, row = 0, values + 1, tape[values]
    if row[KIND] != ARRAY:
        return NOT_PLAIN
    while each < row[AFTER]:
        if not _is_schema(tape, each):
            return NOT_PLAIN
        number, each = number + 1, tape[each, AFTER]
    if not 0 < number <= MAX_CHOICES:
        return NOT_PLAIN
    is_conjunction = at[FOUND + ALL_OF] >= 0
    if number == 1 and said & ~_LISTS == 0:
        return A_LIST_OF_ONE
    if is_conjunction:
        return A_CONJUNCTION if said & ~(1 << ALL_OF | _BESIDE_ALL_OF) == 0 else NOT_PLAIN
    return A_CHOICE if number > 1 and said & ~(_LISTS | 1 << TYPE) == 0 else NOT_PLAIN


@kernel
def _is_told_by_format(text, tape, words, at, types):
    """Whether `format` leaves out some of the types' values, or others have to see; where none is asserted, it is gone.

    Unknown formats, and those of anything but strings, say nothing.
    """
    value = at[FOUND + FORMAT]
    if at[LAST_FORMAT] == at[FORMATS]:
        at[FOUND + FORMAT] = -1
        return False
    if tape[value, KIND] != STRING:
        return True
    return types & STRING_TYPE != 0 and word_at(text, tape[value], words, at, at[FORMATS], at[LAST_FORMAT]) >= 0


@kernel
def read_schema(text, tape, schema, words, at, max_words):
    """What the schema at this row is, and its types; `at` gets where the values of its keywords stand, or -1.

    Types are those beside the list of one that has a list. Of one that is `NARROWED`, the types above `ANY_TYPE` are
    those that have keywords of their own, shifted by 7.
    """
    at[FOUND : FOUND + NUM_READ] = -1
    said = _said(text, tape, schema, words, at)
    if said < 0:
        return NOT_PLAIN, 0
    if said >> REF & 1 == 1:
        return (A_REFERENCE if said == 1 << REF and tape[at[FOUND + REF], KIND] == STRING else NOT_PLAIN), 0
    types = ANY_TYPE
    if at[FOUND + TYPE] >= 0:
        types = types_at(text, tape, at[FOUND + TYPE], words, at)
        if types == 0:
            return NOT_PLAIN, 0
    if said >> FORMAT & 1 == 1:
        if said & _LISTS or _is_told_by_format(text, tape, words, at, types):
            return NOT_PLAIN, 0
        said &= ~(1 << FORMAT)
    if said & _LISTS:
        is_one = said & _LISTS in (1 << ALL_OF, 1 << ANY_OF, 1 << ONE_OF)
        return (_kind_of_list(tape, at, said) if is_one and _are_of_objects(tape, at) else NOT_PLAIN), types
    if said & ~(1 << TYPE) == 0:
        return TYPED, types
    if (said & _ABOUT_OBJECTS and not _are_of_objects(tape, at)) or not _are_of_arrays(text, tape, at):
        return NOT_PLAIN, 0
    values = at[FOUND + ENUM]
    if values >= 0:
        number = tape[values, AFTER] - values - 1
        if (
            types & STRING_TYPE
            and said & _LENGTHS == 0
            and tape[values, KIND] == ARRAY
            and 0 < number <= max_words
            and _are_all(tape, values, STRING)
        ):
            return AN_ENUM, STRING_TYPE
        return NOT_PLAIN, 0
    low = count_at(text, tape, at[FOUND + MIN_LENGTH], 0)
    if not 0 <= low <= count_at(text, tape, at[FOUND + MAX_LENGTH], _ANY_LENGTH):
        return NOT_PLAIN, 0
    narrowed = 0
    if said & _LENGTHS and (low > 0 or at[FOUND + MAX_LENGTH] >= 0):
        narrowed |= STRING_TYPE
    if said & _ABOUT_ARRAYS or is_unique(tape, at):
        narrowed |= ARRAY_TYPE
    if said & _ABOUT_OBJECTS:
        narrowed |= OBJECT_TYPE
    narrowed &= types
    return (TYPED, types) if narrowed == 0 else (NARROWED, types | narrowed << 7)
