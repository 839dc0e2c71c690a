"""Rules of plain schemas, and of members of objects: each made once, like those of `Emitter`."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.reading import (
    A_CHOICE,
    A_LIST_OF_ONE,
    A_REFERENCE,
    ADDITIONAL,
    AN_ENUM,
    ANY_OF,
    ANY_TYPE,
    FOUND,
    MAX_CHOICES,
    NARROWED,
    NOT_PLAIN,
    NUM_READ,
    OBJECT_TYPE,
    PROPERTIES,
    REF,
    TYPED,
    list_at,
    read_schema,
    types_of,
)
from grammars.frontends.json.plain.references import target_of
from grammars.frontends.json.plain.tape import AFTER, BEGIN, END, FALSE, KIND, OBJECT, RULE, TRUE, UNMET, is_same
from grammars.frontends.json.plain.work import (
    END_OF_RULES,
    HOLE_ROW,
    HOLES,
    LOOKS,
    MAX_WORDS,
    MEMBER,
    MEMBER_NAME,
    MEMBER_RULE,
    MEMBERS,
    MET,
    NOTES,
    OTHERS_OF_ANY,
    PLACE,
    QUEUE,
    QUEUED,
    RULES,
    SPAN,
    SPAN_RULE,
    SPANS,
    STRING_CLASS,
    STRING_STATES,
    TEXT_BASE,
    TEXTS,
    UNIQUE,
    byte,
    colon,
    spell,
    spell_byte,
    states,
    write,
)
from grammars.kernels.options import i64, kernel
from grammars.network import operations as op

# Instead of a rule: there is none, and it is for others to find. On the tape the rule of a schema left to others
# is `FIRST_HOLE` less the state that they fill.
NOTHING, HOLE, FIRST_HOLE = -1, -2, -1000
_QUOTE, _COLON = 0x22, 0x3A
_MAX_CHAIN = 16
# Rows that all references and pointers together may have to be compared with, a tenth of a second or two.
MAX_LOOKS = 50_000_000


@kernel
def _word(work, start, word):
    """A literal from `start` to where rules end."""
    inner = states(work, len(word) - 1)
    write(work, (op.LITERAL, start, inner, work.at[END_OF_RULES], work.at[TEXTS] + work.at[TEXT_BASE], len(word)))
    for i in range(len(word)):
        spell_byte(work, word[i])


@kernel
def values_rule(work, types):
    """The rule of every value of these types, see `Library.values`."""
    rule = work.at[RULES + types]
    if rule >= 0:
        return rule
    rule = states(work, 1)
    work.at[RULES + types] = rule
    if types & 1:
        _word(work, rule, b"null")
    if types & 2:
        _word(work, rule, b"true")
        _word(work, rule, b"false")
    for kind in (16, 32, 64, 12):
        if types & kind:
            write(work, (op.CALL, rule, work.at[RULES + (types & kind)], work.at[END_OF_RULES]))
    return rule


@kernel
def hole(work, schema):
    """Leaves a schema to others: the state that will be its rule, as it stands on the tape."""
    work.lists[HOLE_ROW, work.at[HOLES]] = schema
    work.at[HOLES] += 1
    return i64(FIRST_HOLE - states(work, 1))


@kernel
def _resolve(work, schema, chain, is_new):
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
        if following < 0 or length == _MAX_CHAIN or at[LOOKS] > MAX_LOOKS:
            return i64(schema), i64(NOT_PLAIN), i64(0), i64(0)
        chain[length] = found
        length, found = length + 1, i64(following)


@kernel
def _says_own(work, kind, types):
    """Whether the schema just read says of objects what no other one says, so that none has all its values."""
    says = work.at[FOUND + PROPERTIES] >= 0 or work.at[FOUND + ADDITIONAL] >= 0
    return kind == NARROWED and types >> 7 & OBJECT_TYPE != 0 and says


@kernel
def _are_apart(work, values):
    """Whether a choice between the schemas of the list is no more than each of them.

    So it is where no value can meet two of them, by their types alone. Where one may meet several, objects of two may
    be alike.
    """
    tape, met, own, each = work.tape, i64(0), i64(0), i64(values + 1)
    may_overlap = work.at[FOUND + ANY_OF] >= 0
    chain, objects = np.empty(_MAX_CHAIN, dtype=np.int64), np.empty(MAX_CHOICES, dtype=np.int64)
    while each < tape[values, AFTER]:
        found, kind, types, _ = _resolve(work, each, chain, False)
        is_own = may_overlap and _says_own(work, kind, types)
        if kind == NOT_PLAIN and tape[found, KIND] == OBJECT:
            types = i64(types_of(work.text, tape, found, work.words, work.at))
        elif kind not in (TYPED, NARROWED, AN_ENUM):
            return False
        types = types & ANY_TYPE if types >= 0 else i64(ANY_TYPE)
        if is_own:
            for i in range(own):
                if objects[i] == found:
                    return False
            objects[own] = found
            own += 1
            types &= ~OBJECT_TYPE if own > 1 else ANY_TYPE
        if met & types or work.at[LOOKS] > MAX_LOOKS:
            return False
        met |= types
        each = i64(tape[each, AFTER])
    return True


@kernel
def rule_of(work, schema):
    """The rule of the schema at this row, or `NOTHING`."""
    tape = work.tape
    rule = i64(tape[schema, RULE])
    if rule != UNMET:
        return rule if rule > FIRST_HOLE else FIRST_HOLE - rule
    chain = np.empty(_MAX_CHAIN, dtype=np.int64)
    found, kind, types, length = _resolve(work, schema, chain, True)
    rule = i64(tape[found, RULE])
    work.at[NOTES] += length
    if rule == UNMET:
        if kind in (TYPED, NARROWED, AN_ENUM, A_CHOICE):
            for i in range(NUM_READ):
                work.at[NOTES] += work.at[FOUND + i] >= 0
        if tape[found, KIND] == TRUE:
            rule = work.at[RULES + ANY_TYPE]
        elif tape[found, KIND] == FALSE:
            rule = i64(NOTHING)
        elif kind == TYPED:
            rule = values_rule(work, types)
        elif kind == NOT_PLAIN or (kind == A_CHOICE and not _are_apart(work, list_at(work.at))):
            rule = hole(work, found)
        else:
            rule = states(work, 1)
            work.lists[QUEUE, work.at[QUEUED]] = found
            work.at[QUEUED] += 1
        tape[found, RULE] = rule
    for i in range(length):
        tape[chain[i], RULE] = rule
    return rule if rule > FIRST_HOLE else FIRST_HOLE - rule


@kernel
def member(work, name, rule):
    """The rule of a member, from behind the quote that opens its name, see `declared_member`."""
    tape, row = work.tape, work.tape[name]
    place = i64(rule)
    for i in range(row[BEGIN], row[END]):
        place = place * 31 + work.text[i]
    lists, mask = work.lists, work.lists.shape[1] - 1
    place = (place ^ place >> 16) & mask
    while lists[PLACE, place] >= 0:
        known = lists[PLACE, place]
        if lists[MEMBER_RULE, known] == rule and is_same(work.text, tape[lists[MEMBER_NAME, known]], row):
            return lists[MEMBER, known]
        place = (place + 1) & mask
    length = i64(row[END] - row[BEGIN]) + 2
    start = states(work, length + 2)
    write(
        work, (op.MEMBER, start, start + 1, work.at[TEXTS] + work.at[TEXT_BASE], length, rule, work.at[END_OF_RULES], 1)
    )
    spell(work, row)
    spell_byte(work, _QUOTE)
    spell_byte(work, _COLON)
    known = work.at[MEMBERS]
    lists[MEMBER_NAME, known], lists[MEMBER_RULE, known], lists[MEMBER, known] = name, rule, start
    lists[PLACE, place] = known
    work.at[MEMBERS] = known + 1
    return start


@kernel
def span_of(work, rule):
    """The span of any name, which a value of the rule follows, see `OtherMembers.span`."""
    at = work.at
    if rule == at[RULES + ANY_TYPE]:
        return at[OTHERS_OF_ANY]
    for i in range(at[SPANS]):
        if work.lists[SPAN_RULE, i] == rule:
            return work.lists[SPAN, i]
    behind = states(work, 4)
    checked, value = behind + 1, behind + 2
    write(work, (op.CHECKS, behind + 3, checked, at[UNIQUE], 1))
    byte(work, behind, _QUOTE, behind + 3)
    colon(work, checked, value)
    write(work, (op.CALL, value, rule, at[END_OF_RULES]))
    span = states(work, at[STRING_STATES])
    write(work, (op.SPANS, span, at[STRING_STATES], at[STRING_CLASS], 0, -1, behind))
    work.lists[SPAN_RULE, at[SPANS]], work.lists[SPAN, at[SPANS]] = rule, span
    at[SPANS] += 1
    return span
