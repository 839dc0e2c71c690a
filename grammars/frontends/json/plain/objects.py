"""Objects: the same operations, one by one, as `SimpleEmitter` comes to."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.reading import ANY_TYPE
from grammars.frontends.json.plain.rules import NOTHING, member, rule_of, span_of
from grammars.frontends.json.plain.tape import AFTER, FALSE, KIND, RULE, UNMET, compared, is_same, sort
from grammars.frontends.json.plain.work import (
    CLOSE_OBJECT,
    IS_OPEN,
    IS_ORDERED,
    RULES,
    SEPARATOR,
    byte,
    close,
    frame,
    states,
    trie,
    write,
)
from grammars.kernels.options import i64, kernel
from grammars.network import operations as op

_QUOTE, _OPEN, _CLOSE = 0x22, 0x7B, 0x7D
_MAX_UNDECLARED = 64


@kernel
def _find(work, names, wanted):
    """Where the name stands among sorted ones; -1: nowhere."""
    low, high = 0, len(names)
    while low < high:
        middle = (low + high) // 2
        order = compared(work.text, work.tape[names[middle]], work.tape[wanted], 0)
        if order == 0:
            return middle
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return -1


@kernel
def _declared(work, tables):
    """The names of the properties, in the order of the tables and of the text."""
    most, number = 0, 0
    for properties in tables:
        most += (work.tape[properties, AFTER] - properties) // 2 if properties >= 0 else 0
    names = np.empty(most, dtype=np.int32)
    for properties in tables:
        name = properties + 1
        while properties >= 0 and name < work.tape[properties, AFTER]:
            names[number] = name
            number += 1
            name = i64(work.tape[name + 1, AFTER])
    return names[:number]


@kernel
def _undeclared(work, lists, ordered):
    """The required names that are not declared, each once; marks the others. More than are looked at: one too many."""
    extra, number = np.empty(_MAX_UNDECLARED + 1, dtype=np.int32), 0
    for required in lists:
        for each in range(required + 1, work.tape[required, AFTER] if required >= 0 else 0):
            place = _find(work, ordered, each)
            if place >= 0:
                work.tape[ordered[place], RULE] = 1
                continue
            is_new = True
            for i in range(number):
                is_new = is_new and not is_same(work.text, work.tape[extra[i]], work.tape[each])
            if is_new and number <= _MAX_UNDECLARED:
                extra[number] = each
                number += 1
    return extra[:number]


@kernel
def fill_object(work, start, tables, lists, additional):
    """Objects from `start`; False, with nothing written: this is for others.

    Args:
        tables, lists: where `properties` and `required` stand of each schema that the objects meet, or -1.
        additional: where `additionalProperties` stands; -1: nowhere.
    """
    tape, at = work.tape, work.at
    names = _declared(work, tables)
    ordered = names.copy()
    sort(work.text, tape, ordered, 0)
    for i in range(len(ordered) - 1):
        if is_same(work.text, tape[ordered[i]], tape[ordered[i + 1]]):
            return False
    extra = _undeclared(work, lists, ordered)
    if len(extra) > _MAX_UNDECLARED:
        return False
    members = np.empty((len(names) + len(extra), 2), dtype=np.int64)
    number, num_required = 0, 0
    for name in names:
        is_required = tape[name, RULE] == 1
        value = rule_of(work, name + 1)
        if value != NOTHING:
            members[number, 0], members[number, 1] = member(work, name, value), is_required
            number, num_required = number + 1, num_required + is_required
        elif is_required:
            return True
    rest, is_closed = i64(UNMET), additional >= 0 and tape[additional, KIND] == FALSE
    if len(extra) > 0 or (not is_closed and (additional >= 0 or work.at[IS_OPEN] != 0)):
        rest = at[RULES + ANY_TYPE] if additional < 0 else rule_of(work, additional)
    for name in extra:
        if rest == NOTHING:
            return True
        members[number, 0], members[number, 1] = member(work, name, rest), 1
        number, num_required = number + 1, num_required + 1
    others = i64(NOTHING)
    if not is_closed and (additional >= 0 or work.at[IS_OPEN] != 0) and rest != NOTHING:
        others = states(work, 1)
        span = span_of(work, rest)
        every = ordered
        if len(extra) > 0:
            every = np.concatenate((ordered, extra))
            sort(work.text, tape, every, 0)
        if len(every) > 0:
            trie(work, op.EXCLUDING, others, span, every, 0)
        else:
            write(work, (op.EPSILON, others, span))
    _emit_object(work, members[:number], others, num_required, start)
    return True


@kernel
def _emit_object(work, members, others, num_required, start):
    """See `emit_object`."""
    at, number = work.at, len(members)
    if number == 0 and others == NOTHING:
        opened = states(work, 1)
        byte(work, start, _OPEN, opened)
        close(work, opened, _CLOSE, at[CLOSE_OBJECT])
        return
    first = states(work, 2)
    frame(work, _OPEN, _CLOSE, at[CLOSE_OBJECT], start, first, first + 1, num_required == 0)
    choose = states(work, 2)
    num_ordered = number if work.at[IS_ORDERED] != 0 else 0
    write(work, (op.SELECT, choose, 0, -1, num_ordered, at[SEPARATOR], others, first + 1, number))
    for i in range(number):
        write(work, (members[i, 0], members[i, 1]))
    byte(work, first, _QUOTE, choose)
