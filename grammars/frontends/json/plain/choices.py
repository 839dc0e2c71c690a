"""Choices between schemas: what each leads to, and whether a value can meet two of them."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.reading import (
    A_CHOICE,
    A_CONJUNCTION,
    A_LIST_OF_ONE,
    A_REFERENCE,
    ADDITIONAL,
    AN_ENUM,
    ANY_OF,
    ANY_TYPE,
    ENUM,
    FOUND,
    MAX_CHOICES,
    NARROWED,
    NOT_PLAIN,
    OBJECT_TYPE,
    PROPERTIES,
    REF,
    STRING_TYPE,
    TYPE,
    TYPED,
    list_at,
    read_schema,
    types_at,
    types_of,
)
from grammars.frontends.json.plain.references import is_spelled, target_of
from grammars.frontends.json.plain.tape import (
    AFTER,
    ARRAY,
    ESCAPED_NAME,
    FALSE,
    KIND,
    OBJECT,
    RULE,
    STRING,
    UNMET,
    is_same,
)
from grammars.frontends.json.plain.work import HAS_CONST, LOOKS, MAX_WORDS, MET
from grammars.kernels.options import i64, kernel

MAX_CHAIN = 16  # references that may lead to each other
# Rows that all references, pointers and choices together may have to be compared with, a tenth of a second or two.
MAX_LOOKS = 50_000_000


@kernel
def resolve(work, schema, chain, is_new):
    """Where references from a row lead to: the schema, what it is, its types, and how many were followed.

    Args:
        chain: gets the rows on the way.
        is_new: what has a rule is not read again.
    """
    tape, at, found, length = work.tape, work.at, i64(schema), i64(0)
    while True:
        if tape[found, KIND] != OBJECT or (is_new and tape[found, RULE] != UNMET):
            return found, i64(NOT_PLAIN), i64(0), length
        at[MET] += is_new
        at[LOOKS] += 1
        kind, types = read_schema(work.text, tape, found, work.words, at, at[MAX_WORDS])
        if kind == A_REFERENCE:
            following, looks = target_of(work.text, tape, at[FOUND + REF])
            at[LOOKS] += looks
        elif kind == A_LIST_OF_ONE:
            following = list_at(at) + 1
        else:
            return found, i64(kind), i64(types), length
        if following < 0 or length == MAX_CHAIN or at[LOOKS] > MAX_LOOKS:
            return i64(schema), i64(NOT_PLAIN), i64(0), i64(0)
        chain[length] = found
        length, found = length + 1, i64(following)


@kernel
def _keyword(work, schema, word):
    """Where the value of a keyword stands; -1: nowhere, or others have to look."""
    tape, found, name = work.tape, i64(-1), i64(schema + 1)
    while name < tape[schema, AFTER]:
        if tape[name, KIND] == ESCAPED_NAME:
            return i64(-1)
        work.at[LOOKS] += 1
        if is_spelled(work.text, tape[name], word):
            found = name + 1
        name = i64(tape[name + 1, AFTER])
    return found


@kernel
def _member_like(work, properties, wanted):
    """The schema of the property that is spelled like the row `wanted`; -1: there is none, or others have to look."""
    tape, found, name = work.tape, i64(-1), i64(properties + 1)
    while name < tape[properties, AFTER]:
        if tape[name, KIND] == ESCAPED_NAME:
            return i64(-1)
        work.at[LOOKS] += 1
        if is_same(work.text, tape[name], tape[wanted]):
            found = name + 1
        name = i64(tape[name + 1, AFTER])
    return found


@kernel
def _are_strings(tape, values):
    """Whether an array holds strings without escapes alone, and one at least."""
    each, last = i64(values + 1), tape[values, AFTER]
    while each < last and tape[each, KIND] == STRING:
        each += 1
    return each == last > values + 1


@kernel
def _words_of(work, schema, wanted):
    """Where the words begin and end of which the member named at `wanted` is one in each object that meets the schema.

    Where it may be missing, or something else, there are none.
    """
    tape, none = work.tape, i64(0)
    required, properties = _keyword(work, schema, b"required"), _keyword(work, schema, b"properties")
    if required < 0 or properties < 0 or tape[required, KIND] != ARRAY or tape[properties, KIND] != OBJECT:
        return none, none
    # Beside a reference nothing else may count.
    if _keyword(work, schema, b"$ref") >= 0 or not _are_strings(tape, required):
        return none, none
    is_required = False
    for each in range(required + 1, tape[required, AFTER]):
        work.at[LOOKS] += 1
        is_required |= is_same(work.text, tape[each], tape[wanted])
    member = _member_like(work, properties, wanted)
    if not is_required or member < 0 or tape[member, KIND] != OBJECT or _keyword(work, member, b"$ref") >= 0:
        return none, none
    constant = _keyword(work, member, b"const") if work.at[HAS_CONST] else i64(-1)
    if constant >= 0:
        return (constant, constant + 1) if tape[constant, KIND] == STRING else (none, none)
    values = _keyword(work, member, b"enum")
    if values < 0 or tape[values, KIND] != ARRAY or not _are_strings(tape, values):
        return none, none
    return values + 1, i64(tape[values, AFTER])


@kernel
def _have_common_word(work, first, last, other, other_last):
    """Whether a string stands in both ranges of rows, or there are too many to tell."""
    for i in range(first, last):
        if work.at[LOOKS] > MAX_LOOKS:
            return True
        for j in range(other, other_last):
            work.at[LOOKS] += 1
            if is_same(work.text, work.tape[i], work.tape[j]):
                return True
    return False


@kernel
def _are_told_apart(work, objects):
    """Whether one member of all these objects is a word that tells which schema is met."""
    tape, required = work.tape, _keyword(work, objects[0], b"required")
    if required < 0 or tape[required, KIND] != ARRAY or not _are_strings(tape, required):
        return False
    begins, ends = np.empty(len(objects), dtype=np.int64), np.empty(len(objects), dtype=np.int64)
    for name in range(required + 1, tape[required, AFTER]):
        number = 0
        while number < len(objects) and work.at[LOOKS] <= MAX_LOOKS:
            begin, end = _words_of(work, objects[number], name)
            is_known = begin == end
            for i in range(number):
                is_known = is_known or _have_common_word(work, begin, end, begins[i], ends[i])
            if is_known:
                break
            begins[number], ends[number] = begin, end
            number += 1
        if number == len(objects):
            return True
    return False


@kernel
def _lacks(work, schema, wanted):
    """Whether no object that meets the schema has a member named at `wanted`."""
    tape, additional = work.tape, _keyword(work, schema, b"additionalProperties")
    if additional < 0 or tape[additional, KIND] != FALSE or _keyword(work, schema, b"patternProperties") >= 0:
        return False
    properties = _keyword(work, schema, b"properties")
    if _keyword(work, schema, b"$ref") >= 0 or (properties >= 0 and tape[properties, KIND] != OBJECT):
        return False
    name = i64(properties + 1)
    while properties >= 0 and name < tape[properties, AFTER]:
        work.at[LOOKS] += 1
        if tape[name, KIND] == ESCAPED_NAME or is_same(work.text, tape[name], tape[wanted]):
            return False
        name = i64(tape[name + 1, AFTER])
    return True


@kernel
def _are_objects_apart(work, one, other):
    """Whether no object meets both schemas: the first requires what the second lacks, or has other words for it."""
    tape, required = work.tape, _keyword(work, one, b"required")
    if required < 0 or tape[required, KIND] != ARRAY or not _are_strings(tape, required):
        return False
    # Beside a reference nothing else may count.
    if _keyword(work, one, b"$ref") >= 0:
        return False
    for name in range(required + 1, tape[required, AFTER]):
        if work.at[LOOKS] > MAX_LOOKS:
            return False
        if _lacks(work, other, name):
            return True
        begin, end = _words_of(work, one, name)
        if begin < end:
            first, last = _words_of(work, other, name)
            if first < last and not _have_common_word(work, begin, end, first, last):
                return True
    return False


@kernel
def _are_all_apart(work, objects):
    """Whether no object meets two of the schemas."""
    for i in range(len(objects)):
        for j in range(i):
            one, other = objects[i], objects[j]
            if not _are_objects_apart(work, one, other) and not _are_objects_apart(work, other, one):
                return False
    return True


@kernel
def _are_lists_apart(work, lists):
    """Whether no word stands in two of these lists."""
    tape = work.tape
    for i in range(len(lists)):
        for j in range(i):
            words, others = lists[i], lists[j]
            if _have_common_word(work, words + 1, tape[words, AFTER], others + 1, tape[others, AFTER]):
                return False
    return True


@kernel
def is_list(work, schema):
    """Whether the schema is a list of words, or leads to one."""
    _, kind, _, _ = resolve(work, schema, np.empty(MAX_CHAIN, dtype=np.int64), False)
    return kind == AN_ENUM


@kernel
def has_any_string(work, values):
    """Whether a schema of the list plainly allows any string."""
    tape, each, chain = work.tape, i64(values + 1), np.empty(MAX_CHAIN, dtype=np.int64)
    while each < tape[values, AFTER]:
        _, kind, types, _ = resolve(work, each, chain, False)
        if kind == TYPED and types & STRING_TYPE:
            return True
        each = i64(tape[each, AFTER])
    return False


@kernel
def _types_of_list(work, values):
    """Types that every value has which meets a schema of the list; -1: not known."""
    tape, each, chain, met = work.tape, i64(values + 1), np.empty(MAX_CHAIN, dtype=np.int64), i64(0)
    while each < tape[values, AFTER]:
        found, kind, types, _ = resolve(work, each, chain, False)
        if tape[found, KIND] != OBJECT:
            return i64(-1)
        if kind not in (TYPED, NARROWED, AN_ENUM):
            types = i64(types_of(work.text, tape, found, work.words, work.at))
            if types < 0:
                return i64(-1)
        met |= types & ANY_TYPE
        each = i64(tape[each, AFTER])
    return met


@kernel
def are_apart(work, values):
    """Whether a choice between the schemas of the list, which was just read, is no more than each of them.

    So it is where no value can meet two of them: by their types, by the words that they list, or, of objects, by a
    member. Where a value may meet several, objects may be alike of which each schema says something of its own, so that
    none has all of another's. Types beside the list have to be all that there are.
    """
    tape, at, met, each = work.tape, work.at, i64(0), i64(values + 1)
    is_any, are_own, allowed = at[FOUND + ANY_OF] >= 0, True, i64(ANY_TYPE)
    if at[FOUND + TYPE] >= 0:
        allowed = i64(types_at(work.text, tape, at[FOUND + TYPE], work.words, at))
    chain, objects, number = np.empty(MAX_CHAIN, dtype=np.int64), np.empty(MAX_CHOICES, dtype=np.int64), 0
    lists, num_lists, has_any = np.empty(MAX_CHOICES, dtype=np.int64), 0, False
    while each < tape[values, AFTER]:
        found, kind, types, _ = resolve(work, each, chain, False)
        says = at[FOUND + PROPERTIES] >= 0 or at[FOUND + ADDITIONAL] >= 0
        is_own = kind == NARROWED and types >> 7 & OBJECT_TYPE != 0 and says
        has_any |= kind == TYPED and types & STRING_TYPE != 0
        if kind == A_CHOICE and at[FOUND + TYPE] < 0:
            types = i64(_types_of_list(work, list_at(at)))
        elif kind in (NOT_PLAIN, A_CHOICE, A_CONJUNCTION) and tape[found, KIND] == OBJECT:
            types = i64(types_of(work.text, tape, found, work.words, at))
        elif kind not in (TYPED, NARROWED, AN_ENUM):
            return False
        types = types & ANY_TYPE if types >= 0 else i64(ANY_TYPE)
        if types & ~allowed:
            return False
        if types & OBJECT_TYPE:
            for i in range(number):
                is_own = is_own and objects[i] != found
            objects[number] = found
            number += 1
            are_own = are_own and is_own
            types ^= OBJECT_TYPE
        if kind == AN_ENUM:
            lists[num_lists] = at[FOUND + ENUM]
            num_lists += 1
            types ^= STRING_TYPE
        if met & types or at[LOOKS] > MAX_LOOKS:
            return False
        met |= types
        each = i64(tape[each, AFTER])
    # Where any string is allowed, lists of words say nothing more.
    if num_lists > 0 and met & STRING_TYPE and not (is_any and has_any):
        return False
    if not has_any and not _are_lists_apart(work, lists[:num_lists]):
        return False
    if number < 2 or (is_any and are_own):
        return True
    return _are_told_apart(work, objects[:number]) or _are_all_apart(work, objects[:number])
