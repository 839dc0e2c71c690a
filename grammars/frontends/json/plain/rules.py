"""Rules of plain schemas, and of members of objects: each made once, like those of `Emitter`."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.reading import (
    A_REFERENCE,
    A_STRING,
    ANY_TYPE,
    FOUND,
    MAX_LENGTH,
    MIN_LENGTH,
    NOT_PLAIN,
    NUM_READ,
    REF,
    TYPED,
    count_at,
    read_schema,
)
from grammars.frontends.json.plain.references import leads_elsewhere, target_of
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
from grammars.network import expansion as op

# Instead of a rule: there is none, and one that others have yet to find.
NOTHING, HOLE = -1, -2
# The whole text is left to others.
GIVEN_UP = -3

_STRING = 16
_QUOTE, _COLON = 0x22, 0x3A
_MAX_CHAIN = 16
# Rows that all references together may have to be compared with, a tenth of a second or two.
_MAX_LOOKS = 50_000_000


@kernel
def _word(work, start, word):
    """A literal from `start` to where rules end."""
    inner = states(work, len(word) - 1)
    write(work, (op.LITERAL, start, inner, work.at[END_OF_RULES], work.at[TEXTS] + work.at[TEXT_BASE], len(word)))
    for i in range(len(word)):
        spell_byte(work, word[i])


@kernel
def _values(work, types):
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
def _hole(work, schema):
    """Leaves a schema to others, and everything where it may need the rest of the text."""
    if schema == 0 or leads_elsewhere(work.text, work.tape, schema):
        return GIVEN_UP
    work.lists[HOLE_ROW, work.at[HOLES]] = schema
    work.at[HOLES] += 1
    return HOLE


@kernel
def rule_of(work, schema):
    """The rule of the schema at this row, `NOTHING`, `HOLE` or `GIVEN_UP`."""
    tape = work.tape
    rule = i64(tape[schema, RULE])
    if rule != UNMET:
        return rule
    chain, length, found = np.empty(_MAX_CHAIN, dtype=np.int32), 0, schema
    kind, types = NOT_PLAIN, 0
    while True:
        rule = i64(tape[found, RULE])
        if rule != UNMET or tape[found, KIND] != OBJECT:
            break
        work.at[MET] += 1
        kind, types = read_schema(work.text, tape, found, work.words, work.at, work.at[MAX_WORDS])
        if kind != A_REFERENCE:
            break
        work.at[NOTES] += 1
        following = target_of(work.text, tape, work.at[FOUND + REF])
        work.at[LOOKS] += tape[0, AFTER]
        if following < 0 or length == _MAX_CHAIN or work.at[LOOKS] > _MAX_LOOKS:
            found, kind = schema, NOT_PLAIN
            break
        chain[length] = found
        length += 1
        found = following
    if rule == UNMET:
        if tape[found, KIND] == TRUE:
            rule = work.at[RULES + ANY_TYPE]
        elif tape[found, KIND] == FALSE:
            rule = i64(NOTHING)
        elif kind == NOT_PLAIN or tape[found, KIND] != OBJECT:
            rule = i64(_hole(work, found))
        elif kind == TYPED:
            rule = _values(work, types)
            work.at[NOTES] += work.at[FOUND] >= 0
        elif (
            kind == A_STRING
            and count_at(work.text, tape, work.at[FOUND + MIN_LENGTH], 0) == 0
            and work.at[FOUND + MAX_LENGTH] < 0
        ):
            rule = _values(work, _STRING)
            work.at[NOTES] += 2
        else:
            rule = states(work, 1)
            work.lists[QUEUE, work.at[QUEUED]] = found
            work.at[QUEUED] += 1
            for i in range(NUM_READ):
                work.at[NOTES] += work.at[FOUND + i] >= 0
        tape[found, RULE] = rule
    for i in range(length):
        tape[chain[i], RULE] = rule
    return rule


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
