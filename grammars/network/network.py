"""The recursive transition network as data: what a front end made and what the kernels read."""

from __future__ import annotations

import json
import struct
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.network.checks import Check, restored
from grammars.network.parts import Parts
from grammars.report import EnforcementReport
from grammars.vocabulary.units import UnitClass, UnitTables, unit_tables

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

NORMAL, SPAN, REPEAT, CHOOSE, AFTER, CHECK = range(6)
UNREACHABLE = 1 << 29

# The arrays of a network, in the order in which they stand in its two blocks.
INT_FIELDS = (
    "item", "otherwise", "edge_start", "edge_to", "epsilon_start", "epsilon_to", "call_start", "call_rule",
    "call_return", "span_first", "span_class", "span_low", "span_high", "span_exit", "repeat_rule", "repeat_low",
    "repeat_high", "repeat_exit", "select_choose", "select_after", "select_low", "select_high", "select_ordered",
    "select_separator", "select_others", "select_exit", "member_start", "member_rule", "member_required", "check_exit",
    "check_index", "check_slack", "check_kind", "cost", "fewest_bytes",
)  # fmt: skip
BYTE_FIELDS = ("kind", "accepts", "edge_low", "edge_high")
NUM_STARTS = len(INT_FIELDS) + 1
_NOTE_BYTES, _PART_BYTES = 200, 500  # a line of the report, a part
_MAGIC = b"network\1"
# After the magic: bytes of the text, items of `ints` and of `octets`.
_HEAD = struct.Struct("<8sQQQ")
_INDEX = {name: index for index, name in enumerate(INT_FIELDS)}
_BYTE_INDEX = {name: index for index, name in enumerate(BYTE_FIELDS)}


class Network:
    """States with byte edges, epsilon edges, calls, spans, repeats, selections and check states, as arrays.

    State `s` owns the half-open slices ``edge_start[s]:edge_start[s + 1]`` of the edge arrays, and likewise
    `epsilon_*` and `call_*`. A span of a class with `n` unit states owns `n` consecutive states, the first being the
    boundary between units. Counts saturate at the upper bound, or at the lower where there is none.

    All arrays are views of two blocks, made when they are first asked for.

    Attributes:
        ints: the arrays of `INT_FIELDS`; octets: those of `BYTE_FIELDS`.
        starts: int64[2, F + 1]; where each array begins in either block.
        units: the tables of the unit classes.
        root: start state of the root rule.
        kind: NORMAL, SPAN, REPEAT, CHOOSE, AFTER or CHECK, a state.
        item: index into the span, repeat, selection or check-state arrays, a state; -1 for normal ones.
        accepts: whether the state returns from its rule.
        otherwise: span start that takes the bytes no edge of the state names; -1 for none.
        edge_to: goal, or -1: the byte is claimed and leads nowhere.
        call_return: state to go on at; -1 for a tail call, which needs no stack node.
        span_class: index into `classes`; span_low, span_high: counts of units, high -1 for no bound.
        repeat_rule: rule that is called; repeat_low, repeat_high: counts of calls.
        select_choose: state at which a member is chosen; select_after: state after one, with the set of those chosen.
        select_separator: rule between two members; select_others: rule of members that may be chosen again, or -1.
        select_ordered: how many members come in their order, before the rest.
        select_low, select_high: counts of members.
        member_start: members of a selection; member_rule: rule of a member, -1 for one that cannot be.
        check_index: index of the check that must hold; check_slack: tokens that finding another way may take.
        check_kind: how a check is evaluated: one of the kinds that `checks` names.
        cost: fewest tokens known to lead from the state (count 0) to its rule's return; an achievable number.
        fewest_bytes: the same in bytes.
        classes: the unit classes by index; checks: the checks by index.
        report: what is enforced and how.
        root_cost: `cost` of the root; most_members: of a selection.
        parts: what others may begin with as well.
    """

    def __init__(
        self,
        root: int,
        ints: Ints,
        octets: Bytes,
        starts: NDArray[np.int64],
        classes: tuple[UnitClass, ...],
        checks: tuple[Check, ...],
        report: EnforcementReport,
        units: UnitTables | None = None,
        root_cost: int | None = None,
        most_members: int | None = None,
        parts: Parts | None = None,
    ) -> None:
        self.root = root
        self.parts = parts
        self.ints, self.octets, self.starts = ints, octets, starts
        self.classes = classes
        self.checks = checks
        self.report = report
        self.units = units or unit_tables(classes)
        # What it was read from, of which its arrays are views.
        self._block: Bytes | None = None
        self.root_cost = int(self.cost[root]) if root_cost is None else root_cost
        self.most_members = int(np.diff(self.member_start).max(initial=0)) if most_members is None else most_members

    @cached_property
    def num_bytes(self) -> int:
        """Memory held, roughly where it is not arrays."""
        total = self.ints.nbytes + self.octets.nbytes + self.units.table.nbytes + _NOTE_BYTES * self.report.num_notes
        total += 0 if self.parts is None else _PART_BYTES * len(self.parts.by_key)
        for check in self.checks:
            total += len(check.data) + check.num_bytes
        return total

    def __getattr__(self, name: str) -> NDArray[Any]:
        index, block, starts = _INDEX.get(name), self.__dict__.get("ints"), 0
        if index is None:
            index, block, starts = _BYTE_INDEX.get(name), self.__dict__.get("octets"), 1
        if index is None or block is None:
            raise AttributeError(name)
        view: NDArray[Any] = block[self.starts[starts, index] : self.starts[starts, index + 1]]
        self.__dict__[name] = view
        return view

    @property
    def num_states(self) -> int:
        """Number of states."""
        return int(self.starts[1, 1])

    def is_counted(self, unit_class: int) -> bool:
        """True if some span bounds the number of units of the class."""
        return bool((self.span_high[self.span_class == unit_class] >= 0).any())

    @property
    def num_set_words(self) -> int:
        """Words of 64 bits that a set of members takes, of the largest selection."""
        return self.most_members // 64 + 1

    def to_bytes(self) -> bytes:
        """The network as one block of bytes: the sizes of its parts, what is text as JSON, then the arrays."""
        if self._block is not None:
            return self._block.tobytes()
        tables = [units.table for units in self.classes]
        checks = [(check.name, check.data) for check in self.checks]
        text = json.dumps((int(self.root), [len(table) for table in tables], checks, list(self.report.notes))).encode()
        head = _HEAD.pack(_MAGIC, len(text), self.ints.size, self.octets.size)
        arrays = (self.starts, self.ints, np.concatenate(tables or [np.zeros((0, 256), np.uint16)]), self.octets)
        parts = [head, text, *(array.tobytes() for array in arrays)]
        return b"".join([part.ljust(_aligned(len(part)), b"\0") for part in parts])

    @classmethod
    def from_bytes(cls, data: bytes) -> Network:
        """The network that `to_bytes` wrote.

        Raises:
            ValueError: `data` is no such block.
        """
        # Its own memory, which kernels may write to, and where arrays begin at multiples of eight.
        block = np.frombuffer(data, np.uint8).copy()
        if len(data) < _HEAD.size or not data.startswith(_MAGIC):
            raise ValueError("this is no network")
        _, text_size, num_ints, num_octets = _HEAD.unpack_from(data)
        at = _HEAD.size

        def following(count: int, kind: type[Any]) -> NDArray[Any]:
            nonlocal at
            size = count * np.dtype(kind).itemsize
            if at + size > len(block):
                raise ValueError("this is a part of a network")
            found: NDArray[Any] = block[at : at + size].view(kind)
            at += _aligned(size)
            return found

        root, class_sizes, checks, notes = json.loads(following(text_size, np.uint8).tobytes())
        starts = following(2 * NUM_STARTS, np.int64).reshape(2, NUM_STARTS)
        ints = following(num_ints, np.int32)
        tables = following(256 * sum(class_sizes), np.uint16).reshape(-1, 256)
        octets = following(num_octets, np.uint8)
        bounds = [0, *accumulate(class_sizes)]
        classes = tuple([UnitClass(tables[a:b].copy()) for a, b in pairwise(bounds)])
        restored_checks = tuple([restored(name, data) for name, data in checks])
        report = EnforcementReport([part for note in notes for part in note])
        network = cls(root, ints, octets, starts, classes, restored_checks, report)
        network._block = block
        return network


def _aligned(size: int) -> int:
    return -(-size // 8) * 8
