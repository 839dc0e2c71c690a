"""Rules of plain schemas, and of members of objects: each made once, like those of `Emitter`."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.choices import MAX_CHAIN, are_apart, resolve
from grammars.frontends.json.plain.conjunctions import MAX_PARTS, parts_of
from grammars.frontends.json.plain.reading import (
    A_CHOICE,
    A_CONJUNCTION,
    AN_ENUM,
    ANY_TYPE,
    FOUND,
    NARROWED,
    NOT_PLAIN,
    NUM_READ,
    TYPED,
    list_at,
)
from grammars.frontends.json.plain.tape import BEGIN, END, FALSE, KIND, RULE, TRUE, UNMET, is_same
from grammars.frontends.json.plain.work import (
    END_OF_RULES,
    HOLE_ROW,
    HOLES,
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
def _is_one_object(work, schema):
    """Whether a conjunction may be emitted as one object; what it is of is counted."""
    number, met, noted = parts_of(work, schema, np.empty(MAX_PARTS, dtype=np.int64))
    if number >= 0:
        work.at[MET] += met
        work.at[NOTES] += noted
    return number >= 0


@kernel
def rule_of(work, schema):
    """The rule of the schema at this row, or `NOTHING`."""
    tape = work.tape
    rule = i64(tape[schema, RULE])
    if rule != UNMET:
        return rule if rule > FIRST_HOLE else FIRST_HOLE - rule
    chain = np.empty(MAX_CHAIN, dtype=np.int64)
    found, kind, types, length = resolve(work, schema, chain, True)
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
        elif (
            kind == NOT_PLAIN
            or (kind == A_CHOICE and not are_apart(work, list_at(work.at)))
            or (kind == A_CONJUNCTION and not _is_one_object(work, found))
        ):
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
