"""JSON text as rows of integers: one for each name and value, in the order of the text."""

from __future__ import annotations

from grammars.kernels.options import i64, kernel

# What a row is; names and strings that hold an escape or a byte that is not printable ASCII are told apart.
STRING, ESCAPED, NAME, ESCAPED_NAME, NUMBER, TRUE, FALSE, NULL, OBJECT, ARRAY = range(10)
# Columns. Where it begins and ends (strings without their quotes), the row after everything in it, the one it is in
# (-1: none), and the rule of a schema that stands there, which is `UNMET` at first; of a name whether it is required.
BEGIN, END, AFTER, PARENT, KIND, RULE, NUM_COLUMNS = range(7)
UNMET = -9
# The text is not JSON, or JSON that is left to others: nested too deeply, or with numbers that may be out of range.
NOT_READ = -1

_VALUE, _FIRST_ITEM, _FIRST_NAME, _NAME, _COLON, _COMMA, _DONE = range(7)
_QUOTE, _ESCAPE, _OPEN, _CLOSE, _OPEN_LIST, _CLOSE_LIST = 0x22, 0x5C, 0x7B, 0x7D, 0x5B, 0x5D
_FIRST_PRINTABLE, _LAST_PRINTABLE = 0x20, 0x7E
_MAX_NUMBER, _MAX_EXPONENT = 300, 2


@kernel
def _string_end(text, i):
    """Where the string's closing quote stands and whether anything in it is not plain; (-1, True): nowhere."""
    is_plain = True
    while i < len(text):
        byte = text[i]
        if byte == _QUOTE:
            return i, is_plain
        if byte < _FIRST_PRINTABLE:
            return -1, False
        if byte == _ESCAPE:
            is_plain = False
            i += 1
            if i == len(text):
                return -1, False
            if text[i] == ord("u"):
                if i + 4 >= len(text):
                    return -1, False
                for j in range(i + 1, i + 5):
                    digit = text[j] | 0x20
                    if not (0x30 <= text[j] <= 0x39 or 0x61 <= digit <= 0x66):
                        return -1, False
                i += 4
            elif text[i] not in (_QUOTE, _ESCAPE, ord("/"), ord("b"), ord("f"), ord("n"), ord("r"), ord("t")):
                return -1, False
        elif byte > _LAST_PRINTABLE:
            is_plain = False
        i += 1
    return -1, False


@kernel
def _digits_end(text, i):
    while i < len(text) and 0x30 <= text[i] <= 0x39:
        i += 1
    return i


@kernel
def _number_end(text, begin):
    """Behind the number; -1: it is none, or may be out of range."""
    i = begin + 1 if text[begin] == ord("-") else begin
    first, i = i, _digits_end(text, i)
    if i == first or (i > first + 1 and text[first] == ord("0")):
        return -1
    if i < len(text) and text[i] == ord("."):
        first, i = i + 1, _digits_end(text, i + 1)
        if i == first:
            return -1
    if i < len(text) and text[i] | 0x20 == ord("e"):
        i += 1
        if i < len(text) and text[i] in (ord("+"), ord("-")):
            i += 1
        first, i = i, _digits_end(text, i)
        if i == first or i > first + _MAX_EXPONENT:
            return -1
    return i if i - begin <= _MAX_NUMBER else -1


@kernel
def _word_end(text, begin, word):
    if begin + len(word) > len(text):
        return -1
    for i in range(len(word)):
        if text[begin + i] != word[i]:
            return -1
    return begin + len(word)


@kernel
def read(text, tape, max_depth):
    """Fills the tape with the rows of a text of one value; their number, or `NOT_READ`."""
    i, used, parent, depth, expected = 0, 0, -1, 0, _VALUE
    while True:
        while i < len(text) and text[i] in (0x20, 0x0A, 0x0D, 0x09):
            i += 1
        if i == len(text):
            return used if expected == _DONE else NOT_READ
        byte = text[i]
        if expected == _DONE:
            return NOT_READ
        if expected == _COLON:
            if byte != ord(":"):
                return NOT_READ
            i, expected = i + 1, _VALUE
            continue
        if byte in (_CLOSE, _CLOSE_LIST):
            is_list = byte == _CLOSE_LIST
            if parent < 0 or (tape[parent, KIND] == ARRAY) != is_list:
                return NOT_READ
            if expected not in (_COMMA, _FIRST_ITEM, _FIRST_NAME):
                return NOT_READ
            i, depth = i + 1, depth - 1
            tape[parent, END], tape[parent, AFTER] = i, used
            parent = tape[parent, PARENT]
            expected = _DONE if parent < 0 else _COMMA
            continue
        if expected == _COMMA:
            if byte != ord(","):
                return NOT_READ
            i, expected = i + 1, _NAME if tape[parent, KIND] == OBJECT else _VALUE
            continue
        row = tape[used]
        used += 1
        row[BEGIN], row[AFTER], row[PARENT], row[RULE] = i, used, parent, UNMET
        is_name = expected in (_FIRST_NAME, _NAME)
        if is_name and byte != _QUOTE:
            return NOT_READ
        expected = _COLON if is_name else _DONE if parent < 0 else _COMMA
        if byte == _QUOTE:
            end, is_plain = _string_end(text, i + 1)
            row[BEGIN], row[END] = i + 1, end
            row[KIND] = (NAME if is_plain else ESCAPED_NAME) if is_name else STRING if is_plain else ESCAPED
            i = end if end < 0 else end + 1
        elif byte in (_OPEN, _OPEN_LIST):
            depth += 1
            if depth > max_depth:
                return NOT_READ
            row[KIND], expected = (OBJECT, _FIRST_NAME) if byte == _OPEN else (ARRAY, _FIRST_ITEM)
            parent, i = used - 1, i + 1
        elif byte == ord("t"):
            row[KIND], i = TRUE, _word_end(text, i, b"true")
        elif byte == ord("f"):
            row[KIND], i = FALSE, _word_end(text, i, b"false")
        elif byte == ord("n"):
            row[KIND], i = NULL, _word_end(text, i, b"null")
        else:
            row[KIND], i = NUMBER, _number_end(text, i)
        if i < 0:
            return NOT_READ
        if byte not in (_QUOTE, _OPEN, _OPEN_LIST):
            row[END] = i


@kernel
def is_same(text, one, other):
    """Whether two rows are spelled alike."""
    begin, length = one[BEGIN], one[END] - one[BEGIN]
    if other[END] - other[BEGIN] != length:
        return False
    i = 0
    while i < length and text[begin + i] == text[other[BEGIN] + i]:
        i += 1
    return i == length


@kernel
def compared(text, one, other, quotes):
    """Less than, equal to or greater than 0 as the bytes of one row come before, are or come after another's.

    Args:
        quotes: 1: with the quotes behind them.
    """
    size, other_size = one[END] - one[BEGIN] + quotes, other[END] - other[BEGIN] + quotes
    for i in range(min(size, other_size)):
        difference = i64(text[one[BEGIN] + i]) - i64(text[other[BEGIN] + i])
        if difference != 0:
            return difference
    return i64(size) - i64(other_size)


@kernel
def sort(text, tape, rows, quotes):
    """Sorts the rows by what is spelled there, see `compared`."""
    gap = 1
    while gap < len(rows) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(rows)):
            row, j = rows[i], i
            while j >= gap and compared(text, tape[rows[j - gap]], tape[row], quotes) > 0:
                rows[j] = rows[j - gap]
                j -= gap
            rows[j] = row
        gap //= 3
