"""The recursive transition network as data: what a front end made and what the kernels read."""

from __future__ import annotations

import io
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grammars.network.guards import Guard, restored
from grammars.network.units import UnitClass
from grammars.report import Enforcement, EnforcementReport

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

NORMAL, SPAN, REPEAT, CHOOSE, AFTER, CHECK = range(6)
UNREACHABLE = 1 << 29


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """States with byte edges, epsilon edges, calls, spans, repeats, selections and checks, as arrays.

    State `s` owns the half-open slices ``edge_start[s]:edge_start[s + 1]`` of the edge arrays, and likewise
    `epsilon_*` and `call_*`. A span of a class with `n` unit states owns `n` consecutive states, the first being the
    boundary between units. Counts saturate at the upper bound, or at the lower where there is none.

    Attributes:
        root: start state of the root rule.
        kind: NORMAL, SPAN, REPEAT, CHOOSE, AFTER or CHECK, a state.
        item: index into the span, repeat, selection or check arrays, a state; -1 for normal ones.
        accepts: whether the state returns from its rule.
        otherwise: span start that takes the bytes no edge of the state names; -1 for none.
        edge_to: goal, or -1: the byte is claimed and leads nowhere.
        call_return: state to go on at; -1 for a tail call, which needs no stack node.
        span_class: index into `classes`; span_low, span_high: counts of units, high -1 for no bound.
        repeat_rule: rule that is called; repeat_low, repeat_high: counts of calls.
        select_choose: state at which a member is chosen; select_after: state after one, with the set of those chosen.
        select_separator: rule between two members; select_others: rule of members that may be chosen again, or -1.
        select_ordered: how many members come in their order, before the rest; select_low, select_high: counts of members.
        member_start: members of a selection; member_rule: rule of a member, -1 for one that cannot be.
        check_guard: index of the guard that must hold; check_slack: tokens that finding another way may take.
        guard_kind: how a guard is evaluated: ASKED or UNIQUE_STRING.
        cost: fewest tokens known to lead from the state (count 0) to its rule's return; an achievable number.
        fewest_bytes: the same in bytes.
        classes: the unit classes by index; guards: the guards by index.
        report: what is enforced and how.
    """

    root: int
    kind: Bytes
    item: Ints
    accepts: Bytes
    otherwise: Ints
    edge_start: Ints
    edge_low: Bytes
    edge_high: Bytes
    edge_to: Ints
    epsilon_start: Ints
    epsilon_to: Ints
    call_start: Ints
    call_rule: Ints
    call_return: Ints
    span_first: Ints
    span_class: Ints
    span_low: Ints
    span_high: Ints
    span_exit: Ints
    repeat_rule: Ints
    repeat_low: Ints
    repeat_high: Ints
    repeat_exit: Ints
    select_choose: Ints
    select_after: Ints
    select_low: Ints
    select_high: Ints
    select_ordered: Ints
    select_separator: Ints
    select_others: Ints
    select_exit: Ints
    member_start: Ints
    member_rule: Ints
    member_required: Ints
    check_exit: Ints
    check_guard: Ints
    check_slack: Ints
    guard_kind: Ints
    fewest_bytes: Ints
    cost: Ints
    classes: tuple[UnitClass, ...]
    guards: tuple[Guard, ...]
    report: EnforcementReport

    @property
    def num_states(self) -> int:
        """How many states the network has."""
        return len(self.kind)

    def to_bytes(self) -> bytes:
        """The network as one block of bytes (numpy's npz, no pickle)."""
        arrays = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("root", "classes", "guards", "report")
        }
        notes = [(entry.pointer, entry.keyword, entry.how) for entry in self.report]
        buffer = io.BytesIO()
        np.savez(
            buffer,
            allow_pickle=False,
            root=np.int64(self.root),
            guards=np.array([(guard.name, guard.data) for guard in self.guards], dtype=np.str_).reshape(-1, 2),
            notes=np.array(notes, dtype=np.str_).reshape(-1, 3),
            class_sizes=np.array([len(units.table) for units in self.classes], dtype=np.int32),
            class_tables=np.concatenate([units.table for units in self.classes] or [np.zeros((0, 256), np.uint16)]),
            **arrays,
        )
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Network:
        """The network that `to_bytes` wrote.

        Raises:
            ValueError: `data` is no such block.
        """
        with np.load(io.BytesIO(data), allow_pickle=False) as block:
            values = {name: block[name] for name in block.files}
        sizes, tables = values.pop("class_sizes"), values.pop("class_tables")
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        classes = tuple(UnitClass(tables[a:b]) for a, b in pairwise(bounds))
        report = EnforcementReport(tuple(Enforcement(*map(str, note)) for note in values.pop("notes")))
        root = int(values.pop("root"))
        guards = tuple(restored(str(name), str(data)) for name, data in values.pop("guards"))
        return cls(root=root, classes=classes, guards=guards, report=report, **values)
