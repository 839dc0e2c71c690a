"""The operations of a builder for a plain schema on the tape: the same, one by one, as `Emitter` comes to."""

from __future__ import annotations

import numpy as np

from grammars.frontends.json.plain.reading import (
    ADDITIONAL,
    ANY_TYPE,
    AN_ARRAY,
    AN_ENUM,
    AN_OBJECT,
    A_REFERENCE,
    A_STRING,
    ENUM,
    FOUND,
    ITEMS,
    MAX_ITEMS,
    MAX_LENGTH,
    MIN_ITEMS,
    MIN_LENGTH,
    NOT_PLAIN,
    NUM_READ,
    PROPERTIES,
    REF,
    REQUIRED,
    TYPED,
    count_at,
    read_schema,
)
from grammars.frontends.json.plain.references import (
    is_spelled,
    leads_elsewhere,
    target_of,
)
from grammars.frontends.json.plain.tape import (
    AFTER,
    BEGIN,
    END,
    FALSE,
    KIND,
    NOT_READ,
    NUM_COLUMNS,
    OBJECT,
    PARENT,
    RULE,
    STRING,
    TRUE,
    UNMET,
    compared,
    is_same,
    read,
    sort,
)
from grammars.frontends.json.plain.work import (
    CLOSE_ARRAY,
    CLOSE_OBJECT,
    END_OF_RULES,
    HOLES,
    HOLE_ROW,
    IS_OPEN,
    IS_ORDERED,
    LIST,
    LISTS,
    LIST_ROW,
    MAX_SCHEMAS,
    MAX_WORDS,
    MEMBER,
    MEMBERS,
    MEMBER_NAME,
    MEMBER_RULE,
    MET,
    NOTES,
    NUM_LISTS,
    NUM_NUMBERS,
    OPS,
    OTHERS_OF_ANY,
    PLACE,
    QUEUE,
    QUEUED,
    RULES,
    SEPARATOR,
    SPAN,
    SPANS,
    SPAN_RULE,
    STATES,
    STRING_CLASS,
    STRING_STATES,
    TEXTS,
    TEXT_BASE,
    UNIQUE,
    Work,
    byte,
    close,
    colon,
    comma,
    frame,
    gap,
    spell,
    spell_byte,
    states,
    trie,
    write,
)
from grammars.kernels.options import i64, kernel
from grammars.network import expansion as op

# Instead of a rule: there is none, and one that others have yet to find.
NOTHING, HOLE = -1, -2
# The whole text is left to others.
GIVEN_UP = -3

_STRING = 16
_QUOTE, _OPEN, _CLOSE, _OPEN_LIST, _CLOSE_LIST = 0x22, 0x7B, 0x7D, 0x5B, 0x5D
_MAX_CHAIN = 16
_MANY = 32
_MAX_UNDECLARED = 64
# A schema of n rows needs no more integers and bytes of operations than these times n, and as many as its text twice.
_OPS_A_ROW, _TEXTS_A_ROW, _SOME = 32, 6, 512


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
def _rule_of(work, schema):
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
        kind, types = read_schema(
            work.text, tape, found, work.words, work.at, work.at[MAX_WORDS]
        )  # fmt: skip
        if kind != A_REFERENCE:
            break
        work.at[NOTES] += 1
        following = target_of(work.text, tape, work.at[FOUND + REF])
        if following < 0 or length == _MAX_CHAIN:
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
        elif kind == A_STRING and count_at(work.text, tape, work.at[FOUND + MIN_LENGTH], 0) == 0 and work.at[FOUND + MAX_LENGTH] < 0:
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
def _member(work, name, rule):
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
    write(work, (op.MEMBER, start, start + 1, work.at[TEXTS] + work.at[TEXT_BASE], length, rule, work.at[END_OF_RULES], 1))
    spell(work, row)
    spell_byte(work, _QUOTE)
    spell_byte(work, 0x3A)
    known = work.at[MEMBERS]
    lists[MEMBER_NAME, known], lists[MEMBER_RULE, known], lists[MEMBER, known] = name, rule, start
    lists[PLACE, place] = known
    work.at[MEMBERS] = known + 1
    return start


@kernel
def _span(work, rule):
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
def _declared(work, properties):
    """The names of the properties, in the order of the text."""
    names, number = np.empty(0, dtype=np.int32), 0
    if properties >= 0:
        after = work.tape[properties, AFTER]
        names = np.empty((after - properties) // 2, dtype=np.int32)
        name = properties + 1
        while name < after:
            names[number] = name
            number += 1
            name = work.tape[name + 1, AFTER]
    return names[:number]


@kernel
def _undeclared(work, required, ordered):
    """The required names that are not declared, each once; marks the others. More than are looked at: one too many."""
    extra, number = np.empty(_MAX_UNDECLARED + 1, dtype=np.int32), 0
    if required >= 0:
        for each in range(required + 1, work.tape[required, AFTER]):
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
def _fill_object(work, start):
    """Objects from `start`; False: the text is left to others."""
    tape, at = work.tape, work.at
    properties, required, additional = work.at[FOUND + PROPERTIES], work.at[FOUND + REQUIRED], work.at[FOUND + ADDITIONAL]
    names = _declared(work, properties)
    ordered = names.copy()
    sort(work.text, tape, ordered, 0)
    for i in range(len(ordered) - 1):
        if is_same(work.text, tape[ordered[i]], tape[ordered[i + 1]]):
            return False
    extra = _undeclared(work, required, ordered)
    if len(extra) > _MAX_UNDECLARED:
        return False
    members = np.empty((len(names) + len(extra), 2), dtype=np.int64)
    number, num_required = 0, 0
    for name in names:
        is_required = tape[name, RULE] == 1
        value = _rule_of(work, name + 1)
        if value == GIVEN_UP:
            return False
        if value != NOTHING:
            members[number, 0], members[number, 1] = _member(work, name, value), is_required
            number, num_required = number + 1, num_required + is_required
        elif is_required:
            return True
    rest, is_closed = i64(UNMET), additional >= 0 and tape[additional, KIND] == FALSE
    if len(extra) > 0 or (not is_closed and (additional >= 0 or work.at[IS_OPEN] != 0)):
        rest = at[RULES + ANY_TYPE] if additional < 0 else _rule_of(work, additional)
        if rest == GIVEN_UP:
            return False
    for name in extra:
        if rest == NOTHING:
            return True
        members[number, 0], members[number, 1] = _member(work, name, rest), 1
        number, num_required = number + 1, num_required + 1
    others = i64(NOTHING)
    if not is_closed and (additional >= 0 or work.at[IS_OPEN] != 0) and rest != NOTHING:
        others = states(work, 1)
        span = _span(work, rest)
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


@kernel
def _fill_array(work, start):
    """Arrays from `start`, see `emit_array`; False: the text is left to others."""
    at, before = work.at, work.at[CLOSE_ARRAY]
    low = count_at(work.text, work.tape, work.at[FOUND + MIN_ITEMS], 0)
    most = count_at(work.text, work.tape, work.at[FOUND + MAX_ITEMS], -1) if work.at[FOUND + MAX_ITEMS] >= 0 else -1
    item = i64(NOTHING)
    if most != 0:
        item = _rule_of(work, work.at[FOUND + ITEMS])
        if item == GIVEN_UP:
            return False
    if item == NOTHING:
        most = 0
    if 0 <= most < low:
        return True
    if most < 0 and low < 2:
        first = states(work, 2)
        frame(work, _OPEN_LIST, _CLOSE_LIST, before, start, first, first + 1, low == 0)
        write(work, (op.CALL, first, item, first + 1))
        comma(work, first + 1, first)
        return True
    opened = states(work, 1)
    byte(work, start, _OPEN_LIST, opened)
    if low == 0:
        close(work, opened, _CLOSE_LIST, before)
    if most == 0:
        return True
    source = states(work, 1)
    gap(work, opened, source)
    after = states(work, 1)
    write(work, (op.CALL, source, item, after))
    if most == 1:
        close(work, after, _CLOSE_LIST, before)
        return True
    rule = states(work, 4)
    following, last, closing = rule + 1, rule + 2, rule + 3
    comma(work, rule, following)
    write(work, (op.CALL, following, item, last))
    write(work, (op.ACCEPT, last))
    repeat = states(work, 1)
    write(work, (op.REPEATS, repeat, rule, max(low - 1, 0), -1 if most < 0 else most - 1, closing))
    write(work, (op.EPSILON, after, repeat))
    close(work, closing, _CLOSE_LIST, before)
    return True


@kernel
def _fill_words(work, start):
    """The words of an enum from `start`, see `emit_values`."""
    values = work.at[FOUND + ENUM]
    rows = np.arange(values + 1, work.tape[values, AFTER]).astype(np.int32)
    sort(work.text, work.tape, rows, 1)
    number = 1
    for i in range(1, len(rows)):
        if not is_same(work.text, work.tape[rows[i]], work.tape[rows[number - 1]]):
            rows[number] = rows[i]
            number += 1
    if len(rows) < _MANY:
        trie(work, op.WORDS, start, work.at[END_OF_RULES], rows[:number], 1)
        return
    for i in range(work.at[LISTS]):
        if is_same(work.text, work.tape[work.lists[LIST_ROW, i]], work.tape[values]):
            write(work, (op.EPSILON, start, work.lists[LIST, i]))
            return
    first = states(work, 1)
    trie(work, op.WORDS, first, work.at[END_OF_RULES], rows[:number], 1)
    work.lists[LIST_ROW, work.at[LISTS]], work.lists[LIST, work.at[LISTS]] = values, first
    work.at[LISTS] += 1
    write(work, (op.EPSILON, start, first))


@kernel
def _fill_string(work, start):
    """Strings of bounded lengths from `start`, see `emit_strings`."""
    at = work.at
    low = count_at(work.text, work.tape, work.at[FOUND + MIN_LENGTH], 0)
    high = count_at(work.text, work.tape, work.at[FOUND + MAX_LENGTH], -1)
    body = states(work, 2)
    byte(work, start, _QUOTE, body)
    byte(work, body + 1, _QUOTE, at[END_OF_RULES])
    span = states(work, at[STRING_STATES])
    write(work, (op.SPANS, span, at[STRING_STATES], at[STRING_CLASS], low, high, body + 1))
    write(work, (op.EPSILON, body, span))


@kernel
def _fill(work, schema):
    """Emits what the schema allows; False: the text is left to others."""
    kind, _ = read_schema(
        work.text, work.tape, schema, work.words, work.at, work.at[MAX_WORDS]
    )  # fmt: skip
    start = i64(work.tape[schema, RULE])
    if kind == AN_OBJECT:
        return _fill_object(work, start)
    if kind == AN_ARRAY:
        return _fill_array(work, start)
    if kind == AN_ENUM:
        _fill_words(work, start)
    else:
        _fill_string(work, start)
    return True


@kernel
def _ways(work):
    """For each hole its row and the number of names that lead to it, then where each begins and ends in the text."""
    total = 0
    for i in range(work.at[HOLES]):
        row = work.lists[HOLE_ROW, i]
        while row >= 0:
            total, row = total + 2, work.tape[row, PARENT]
    ways, used = np.empty(total, dtype=np.int32), 0
    for i in range(work.at[HOLES]):
        row, depth = work.lists[HOLE_ROW, i], 0
        while work.tape[row, PARENT] >= 0:
            depth, row = depth + 1, work.tape[row, PARENT]
        ways[used], ways[used + 1] = work.lists[HOLE_ROW, i], depth
        row = work.lists[HOLE_ROW, i]
        used += 2 + 2 * depth
        for j in range(depth):
            ways[used - 2 - 2 * j], ways[used - 1 - 2 * j] = work.tape[row - 1, BEGIN], work.tape[row - 1, END]
            row = work.tape[row, PARENT]
    return ways


@kernel
def _dialect(text, tape):
    """Where the text of `$schema` begins and ends: -1 where there is none, 0 where it is not plain text."""
    begin, end, name = -1, -1, 1
    while name < tape[0, AFTER]:
        if is_spelled(text, tape[name], b"$schema"):
            is_text = tape[name + 1, KIND] == STRING
            begin, end = (tape[name + 1, BEGIN], tape[name + 1, END]) if is_text else (0, 0)
        name = tape[name + 1, AFTER]
    return begin, end


@kernel
def emit_plain(
    text, words, numbers, hole_rules, num_states, num_texts, base, string_class, unique, is_ordered, is_open, max_depth,
    max_schemas, max_words,
):  # fmt: skip
    """The operations for the schema that `text` is, as far as it is plain.

    Args:
        text: JSON; words: see `Work`; numbers: those of every run, with the states of the library from `base` on.
        hole_rules: int32[n, 2]; schemas left to others whose rules are known, row and rule.
        num_states, num_texts: how many states, and bytes of texts, there are.
        string_class, unique: number of the class of characters of strings, and of the guard `UNIQUE`.
        is_ordered: members come in the order of the text; is_open: there may be undeclared ones where nothing is said.
        max_depth, max_schemas, max_words: most levels, schemas, values of an enum; the rest is left to others.

    Returns:
        The rule, or `GIVEN_UP`; how many states there are then, and entries of the report; where the name of the
        dialect begins and ends, see `_dialect`; operations, texts, and how one comes to the holes, see `_ways`.
    """
    # A row takes two bytes of text at least.
    tape = np.empty((len(text) // 2 + 2, NUM_COLUMNS), dtype=np.int32)
    num_rows = read(text, tape, max_depth)
    nothing, no_bytes = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8)
    if num_rows == NOT_READ or tape[0, KIND] != OBJECT:
        return i64(GIVEN_UP), num_states, i64(0), i64(-1), i64(-1), nothing, no_bytes, nothing
    at = numbers.copy()
    at[OPS:IS_OPEN] = 0
    at[STATES], at[TEXT_BASE], at[MAX_SCHEMAS], at[MAX_WORDS] = num_states, num_texts, max_schemas, max_words
    at[IS_ORDERED], at[IS_OPEN] = is_ordered, is_open
    if base != 0:
        for i in range(END_OF_RULES, NUM_NUMBERS):
            at[i] += base if at[i] >= 0 else 0
    at[STRING_CLASS], at[UNIQUE], at[STRING_STATES] = string_class, unique, numbers[STRING_STATES]
    num_places = 16
    while num_places < num_rows:
        num_places *= 2
    lists = np.empty((NUM_LISTS, num_places), dtype=np.int64)
    lists[PLACE, :] = -1
    ops = np.empty(_OPS_A_ROW * num_rows + _SOME, dtype=np.int32)
    texts = np.empty(2 * len(text) + _TEXTS_A_ROW * num_rows + _SOME, dtype=np.uint8)
    work = Work(text, tape, words, ops, texts, at, lists)
    for i in range(len(hole_rules)):
        tape[hole_rules[i, 0], RULE] = hole_rules[i, 1]
    root = _rule_of(work, 0)
    done = 0
    while root != GIVEN_UP and done < at[QUEUED]:
        if at[MET] > max_schemas or not _fill(work, lists[QUEUE, done]):
            root = i64(GIVEN_UP)
        done += 1
    begin, end = _dialect(text, tape)
    return (
        root, at[STATES], at[NOTES], i64(begin), i64(end), ops[: at[OPS]], texts[: at[TEXTS]], _ways(work),
    )  # fmt: skip
