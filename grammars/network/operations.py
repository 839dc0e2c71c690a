"""What a builder writes down: one row of integers an operation."""

from __future__ import annotations

from collections.abc import Sequence

from grammars.kernels.options import i64, kernel

# Operations, with what follows in their row. Texts stand in one block of bytes: offset, length.
BYTE = 0  # source, low | high << 8, target
EPSILON = 1  # source, target
CALL = 2  # source, rule, target
ACCEPT = 3  # state
SPANS = 4  # first state, number of states, class, low, high, exit
REPEATS = 5  # state, rule, low, high, exit
OTHERWISE = 6  # state, span
LITERAL = 7  # source, first new state, target, offset, length
GAP = 8  # source, target, indented, indent
MEMBER = 9  # source, first new state, offset, length, rule, target, whether a space may stand before the rule
BRANCH = 10  # source, number of bytes, then byte and target of each
WORDS = 11  # source, target, first new state, offset, number of words, then the length of each
EXCLUDING = 12  # source, span, first new state, offset, number of words, then the length of each
SELECT = 13  # first state, low, high, ordered, separator, others, exit, number of members, then rule, required of each
CHECKS = 14  # state, exit, guard, slack
GRAFT = 15  # integers that follow, first state, offset of texts, number of classes and of guards, index of each
TWINS = 16  # first state, number of states, then twin and slack of each, see `network.twins`
NOTHING = 17  # the end


@kernel
def count_rows(ops):
    """How many edges, epsilons, calls, names, spans, repeats, selections, members and checks `expand` makes at most."""
    edges, epsilons, calls, names, spans = i64(0), i64(0), i64(0), i64(0), i64(0)
    repeats, selections, members, checks = i64(0), i64(0), i64(0), i64(0)
    i = 0
    while ops[i] != NOTHING:
        op = ops[i]
        if op == BYTE:
            edges += 1
            i += 4
        elif op == EPSILON:
            epsilons += 1
            i += 3
        elif op == CALL:
            calls += 1
            i += 4
        elif op == ACCEPT:
            i += 2
        elif op == SPANS:
            spans += 1
            i += 7
        elif op == REPEATS:
            repeats += 1
            i += 6
        elif op == OTHERWISE:
            i += 3
        elif op == LITERAL:
            edges += ops[i + 5]
            i += 6
        elif op == GAP:
            edges, epsilons, calls = edges + 2, epsilons + 1, calls + 1
            i += 5
        elif op == MEMBER:
            edges, epsilons, calls, names = edges + ops[i + 4] + 1, epsilons + 1, calls + 1, names + 1
            i += 8
        elif op == BRANCH:
            edges += ops[i + 2]
            i += 3 + 2 * ops[i + 2]
        elif op in (WORDS, EXCLUDING):
            number = ops[i + 5]
            edges += number
            for j in range(i + 6, i + 6 + number):
                edges += ops[j]
            i += 6 + number
        elif op == SELECT:
            selections, members = selections + 1, members + ops[i + 8]
            i += 9 + 2 * ops[i + 8]
        elif op == CHECKS:
            checks += 1
            i += 5
        elif op == TWINS:
            i += 3 + 2 * ops[i + 2]
        else:
            i += 6 + ops[i + 4] + ops[i + 5]
    return edges, epsilons, calls, names, spans, repeats, selections, members, checks


def trie_size(words: Sequence[bytes], without: int) -> int:
    """States of the trie of sorted words; of each word the last `without` bytes need none."""
    total, before, made = 0, b"", 0
    for word in words:
        # The highest bit in which two words of one length differ says how many bytes they share.
        size = min(made, len(word))
        differ = int.from_bytes(word[:size], "big") ^ int.from_bytes(before[:size], "big")
        made = len(word) - without
        total += made - size + (differ.bit_length() + 7) // 8
        before = word
    return total
