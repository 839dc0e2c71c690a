"""The columns of a network under construction: what stands in each at first, and where in the scratch."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from grammars.jit.container import table_of
from grammars.jit.options import entry, kernel
from grammars.network import operations as op
from grammars.network.network import BYTE_FIELDS, CHECK, CHOOSE, INT_FIELDS, REPEAT, UNREACHABLE, Network
from grammars.network.scratch import SCRATCH, cut, cut_bytes

_FIELDS = (*INT_FIELDS, *BYTE_FIELDS)
_NUM_INTS, _NUM_COLUMNS = len(INT_FIELDS), len(_FIELDS)
_COUNTED = {
    op.NUM_STATES: "item otherwise edge_start epsilon_start call_start cost fewest_bytes kind accepts",
    op.NUM_EDGES: "edge_to edge_low edge_high",
    op.NUM_EPSILONS: "epsilon_to",
    op.NUM_CALLS: "call_rule call_return",
    op.NUM_SPANS: "span_first span_class span_low span_high span_exit",
    op.NUM_REPEATS: "repeat_rule repeat_low repeat_high repeat_exit",
    op.NUM_SELECTIONS: "select_choose select_after select_low select_high select_ordered select_separator "
    "select_others select_exit member_start",
    op.NUM_MEMBERS: "member_rule member_required",
    op.NUM_CHECK_STATES: "check_exit check_index check_slack",
    op.NUM_CHECKS: "check_kind",
}
# What rows behind the stem's hold at first; in other columns each gets its value once.
_AT_FIRST = {
    "kind": 0, "accepts": 0, "item": -1, "otherwise": -1, "cost": UNREACHABLE,
    "fewest_bytes": UNREACHABLE,
}  # fmt: skip
# By column: what counts its rows, and whether there is one more; what they hold at first, and whether all do; where it
# stands in the container.
_ROWS_OF = np.array([next(count for count, names in _COUNTED.items() if name in names.split()) for name in _FIELDS])
IS_BOUND = np.array([name.endswith("_start") for name in _FIELDS])
_REST = np.array([_AT_FIRST.get(name, 0) for name in _FIELDS], dtype=np.int32)
_HAS_REST = np.array([name in _AT_FIRST for name in _FIELDS])
_PLACES = np.array([SCRATCH.places[name] for name in _FIELDS])
_INTEGERS, _OCTETS = SCRATCH.places["integers"], SCRATCH.places["octets"]
_KIND, _CHECK_KIND = (_FIELDS.index(name) for name in ("kind", "check_kind"))


def lengths_of(network: Network, count: int) -> NDArray[np.int64]:
    """Return the rows that the first `count` states own in each column, ordered by state; checks excluded."""
    rows, kinds = np.zeros(op.NUM_COUNTS, dtype=np.int64), np.bincount(network.kind[:count], minlength=CHECK + 1)
    rows[op.NUM_STATES], rows[op.NUM_EDGES] = count, network.edge_start[count]
    rows[op.NUM_EPSILONS], rows[op.NUM_CALLS] = network.epsilon_start[count], network.call_start[count]
    rows[op.NUM_SPANS] = np.count_nonzero(network.span_first < count)
    rows[op.NUM_REPEATS], rows[op.NUM_SELECTIONS], rows[op.NUM_CHECK_STATES] = kinds[[REPEAT, CHOOSE, CHECK]]
    rows[op.NUM_MEMBERS] = network.member_start[kinds[CHOOSE]]
    lengths: NDArray[np.int64] = rows[_ROWS_OF] + IS_BOUND
    return lengths


@entry
def _point_by_table(a):
    table, begins, lengths = table_of(a), a.begins, a.lengths
    for i in range(_NUM_COLUMNS):
        address = table[_INTEGERS] + 4 * begins[i] if i < _NUM_INTS else table[_OCTETS] + begins[i]
        table[_PLACES[i]], table[_PLACES[i] + 1] = address, lengths[i]


def _point_by_name(a: Any) -> None:
    for i, name in enumerate(_FIELDS):
        memory = a.integers if i < _NUM_INTS else a.octets
        setattr(a, name, memory[a.begins[i] : a.begins[i] + a.lengths[i]])


# Sets the fields of all columns to where `begins` and `lengths` say.
_point = _point_by_name if numba.config.DISABLE_JIT else _point_by_table


@kernel
def put_first(values, column):
    """Copies `values` to the beginning of the column."""
    for i in range(len(values)):
        column[i] = values[i]


@kernel
def _begin(column, values, rest):
    put_first(values, column)
    for i in range(len(values), len(column)):
        column[i] = rest


@kernel
def lay_out(a, stem, count, check_kind):
    """Gives the operations' network of `count` states its columns, which begin with those of the stem.

    There is also room for what is not in order yet, see `expansion.expand`, and for marks, see `analysis.MET`.
    """
    begins, lengths, rows = a.begins, a.lengths, a.rows
    rows[:] = 0
    op.count_rows(a.ops, rows)
    rows[op.NUM_STATES], rows[op.NUM_CHECKS] = count - stem.lengths[_KIND], len(check_kind)
    for i in range(_NUM_COLUMNS):
        lengths[i] = stem.lengths[i] + rows[_ROWS_OF[i]]
        begins[i] = a.free[0] if i < _NUM_INTS else 4 * a.free[0]
        a.free[0] += lengths[i] if i < _NUM_INTS else (lengths[i] + 3) >> 2
    a.edges, a.epsilons = cut(a, 3 * rows[op.NUM_EDGES]), cut(a, 2 * rows[op.NUM_EPSILONS])
    a.calls, a.names = cut(a, 3 * rows[op.NUM_CALLS]), cut(a, 6 * rows[op.NUM_NAMES])
    a.path, a.met = cut(a, len(a.texts) + 2), cut_bytes(a, count)
    assert a.free[0] <= len(a.integers)
    for i in range(_NUM_COLUMNS):
        begin, first, known = begins[i], stem.begins[i], stem.lengths[i]
        end = begin + (lengths[i] if _HAS_REST[i] else known)
        if i < _NUM_INTS:
            _begin(a.integers[begin:end], stem.ints[first : first + known], _REST[i])
        else:
            _begin(a.octets[begin:end], stem.octets[first : first + known], _REST[i])
    put_first(check_kind, a.integers[begins[_CHECK_KIND] :])
    _point(a)


@kernel
def _packed(memory, begins, lengths, starts):
    starts[0] = 0
    for i in range(len(begins)):
        starts[i + 1] = starts[i] + lengths[i]
    block = np.empty(starts[len(begins)], dtype=memory.dtype)
    for i in range(len(begins)):
        put_first(memory[begins[i] : begins[i] + lengths[i]], block[starts[i] :])
    return block


@kernel
def pack(a, starts):
    """The columns one after another, those of integers and those of bytes; `starts` gets where each begins.

    Of edges, epsilons and calls there may be fewer than were laid out.
    """
    begins, lengths, rows = a.begins, a.lengths, a.rows
    rows[op.NUM_EDGES], rows[op.NUM_EPSILONS], rows[op.NUM_CALLS] = (
        a.edge_start[-1],
        a.epsilon_start[-1],
        a.call_start[-1],
    )
    for i in range(_NUM_COLUMNS):
        if _ROWS_OF[i] in (op.NUM_EDGES, op.NUM_EPSILONS, op.NUM_CALLS):
            lengths[i] = rows[_ROWS_OF[i]]
    ints = _packed(a.integers, begins[:_NUM_INTS], lengths[:_NUM_INTS], starts[0])
    return ints, _packed(a.octets, begins[_NUM_INTS:], lengths[_NUM_INTS:], starts[1])
