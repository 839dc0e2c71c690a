"""Arenas used again: memory that was touched before costs nothing to touch, fresh memory costs a page fault a page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from typing import Any

from numpy.typing import NDArray

from grammars.kernels.layout import Layout, Shape, Views, zeros
from grammars.kernels.options import kernel
from grammars.network.network import BYTE_FIELDS, INT_FIELDS

# That nobody uses: how many of one form, and what those of all forms hold together.
_MAX_KEPT = 24
_MAX_KEPT_BYTES = 24 << 20
_MAX_USED_BYTES = 2 << 20
(
    _ITEM, _OTHERWISE, _EDGE_START, _EDGE_TO, _EPSILON_START, _EPSILON_TO, _CALL_START, _CALL_RULE, _CALL_RETURN,
    _SPAN_FIRST, _SPAN_CLASS, _SPAN_LOW, _SPAN_HIGH, _SPAN_EXIT, _REPEAT_RULE, _REPEAT_LOW, _REPEAT_HIGH, _REPEAT_EXIT,
    _SELECT_CHOOSE, _SELECT_AFTER, _SELECT_LOW, _SELECT_HIGH, _SELECT_ORDERED, _SELECT_SEPARATOR, _SELECT_OTHERS,
    _SELECT_EXIT, _MEMBER_START, _MEMBER_RULE, _MEMBER_REQUIRED, _CHECK_EXIT, _CHECK_GUARD, _CHECK_SLACK, _GUARD_KIND,
    _TWIN_STATE, _TWIN_SLACK, _COST, _FEWEST_BYTES,
) = range(len(INT_FIELDS))  # fmt: skip
_KIND, _ACCEPTS, _EDGE_LOW, _EDGE_HIGH = range(len(BYTE_FIELDS))


class Form(IntEnum):
    """What memory has room for: nothing about guards, guards that kernels know, guards that have to be asked."""

    PLAIN = 0
    GUARDED = 1
    ASKING = 2


class Memory:
    """The arrays of an arena that do not depend on its network, and the container that kernels take.

    Attributes:
        counters: `counters` of the arrays, where reading one costs little.
        touched: the most bytes of columns that were ever written to.
    """

    __slots__ = ("_originals", "arrays", "counters", "kernel", "num_replaced_bytes", "touched")

    def __init__(self, arrays: Views, kernel: Any) -> None:
        self.arrays = arrays
        self.counters = arrays["counters"].data
        self.kernel = kernel
        self.touched = self.num_replaced_bytes = 0
        self._originals: dict[str, NDArray[Any]] = {}

    def replace(self, field: str, shape: Shape) -> None:
        """Puts an array of zeros in the place of another one, until `restore`."""
        before = self.arrays[field]
        if self._originals.setdefault(field, before) is not before:
            self.num_replaced_bytes -= before.nbytes
        self.num_replaced_bytes += shape.num_bytes
        self._put(field, zeros(shape))

    def restore(self) -> None:
        """Takes back every replacement."""
        if not self._originals:
            return
        for field, array in self._originals.items():
            self._put(field, array)
        self._originals.clear()
        self.num_replaced_bytes = 0

    def _put(self, field: str, array: NDArray[Any]) -> None:
        self.arrays[field] = array
        self.kernel.put(field, array)


class Memories:
    """Memory of constraints that are gone, for the next ones. Thread-safe, and bounded.

    Args:
        layout_of: how memory of a form is laid out.

    Attributes:
        fixed_bytes: what memory of each form holds where its columns are empty.
    """

    def __init__(self, layout_of: Callable[[Form], Layout]) -> None:
        self._layouts = tuple(layout_of(form) for form in Form)
        # Finalizers put memory back in any thread at any time, so there is no lock to wait for.
        self._free: tuple[deque[Memory], ...] = tuple(deque(maxlen=_MAX_KEPT) for _ in Form)
        self.fixed_bytes = tuple(layout.num_fixed_bytes for layout in self._layouts)

    def take(self, form: Form) -> Memory | None:
        """Memory that somebody had and nobody has; None when there is none."""
        try:
            memory = self._free[form].pop()
        except IndexError:
            return None
        memory.restore()
        return memory

    def new(self, form: Form) -> Memory:
        """Memory that nobody had."""
        return Memory(*self._layouts[form].new())

    def give_back(self, memory: Memory, form: Form, used: int) -> None:
        """Keeps a memory in whose columns so many bytes are used, unless that is too much.

        Where all together hold too much, those go that were kept longest of the form that holds most.
        """
        if used > _MAX_USED_BYTES:
            return
        memory.touched = max(memory.touched, used)
        self._free[form].append(memory)
        held = [self._held(each) for each in Form]
        while sum(held) > _MAX_KEPT_BYTES:
            most = Form(held.index(max(held)))
            # Another thread may have taken the last one.
            with suppress(IndexError):
                self._free[most].popleft()
            held[most] = self._held(most)

    def _held(self, form: Form) -> int:
        """Bytes of the memories of a form that nobody uses."""
        fixed = self.fixed_bytes[form]
        return sum([fixed + memory.touched for memory in tuple(self._free[form])])


@kernel
def _part(block, starts, index):
    return block[starts[index] : starts[index + 1]]


@kernel
def set_network(a, ints, octets, starts, units):
    """Gives the arena another network."""
    at = starts[0]
    a.item, a.otherwise = _part(ints, at, _ITEM), _part(ints, at, _OTHERWISE)
    a.edge_start, a.edge_to = _part(ints, at, _EDGE_START), _part(ints, at, _EDGE_TO)
    a.epsilon_start, a.epsilon_to = _part(ints, at, _EPSILON_START), _part(ints, at, _EPSILON_TO)
    a.call_start = _part(ints, at, _CALL_START)
    a.call_rule, a.call_return = _part(ints, at, _CALL_RULE), _part(ints, at, _CALL_RETURN)
    a.span_first, a.span_class = _part(ints, at, _SPAN_FIRST), _part(ints, at, _SPAN_CLASS)
    a.span_low, a.span_high = _part(ints, at, _SPAN_LOW), _part(ints, at, _SPAN_HIGH)
    a.span_exit = _part(ints, at, _SPAN_EXIT)
    a.repeat_rule, a.repeat_exit = _part(ints, at, _REPEAT_RULE), _part(ints, at, _REPEAT_EXIT)
    a.repeat_low, a.repeat_high = _part(ints, at, _REPEAT_LOW), _part(ints, at, _REPEAT_HIGH)
    a.select_choose, a.select_after = _part(ints, at, _SELECT_CHOOSE), _part(ints, at, _SELECT_AFTER)
    a.select_low, a.select_high = _part(ints, at, _SELECT_LOW), _part(ints, at, _SELECT_HIGH)
    a.select_ordered, a.select_exit = _part(ints, at, _SELECT_ORDERED), _part(ints, at, _SELECT_EXIT)
    a.select_separator, a.select_others = _part(ints, at, _SELECT_SEPARATOR), _part(ints, at, _SELECT_OTHERS)
    a.member_start, a.member_rule = _part(ints, at, _MEMBER_START), _part(ints, at, _MEMBER_RULE)
    a.member_required = _part(ints, at, _MEMBER_REQUIRED)
    a.check_exit, a.check_guard = _part(ints, at, _CHECK_EXIT), _part(ints, at, _CHECK_GUARD)
    a.check_slack, a.guard_kind = _part(ints, at, _CHECK_SLACK), _part(ints, at, _GUARD_KIND)
    a.twin_state, a.twin_slack = _part(ints, at, _TWIN_STATE), _part(ints, at, _TWIN_SLACK)
    a.cost = _part(ints, at, _COST)
    at = starts[1]
    a.kind, a.accepts = _part(octets, at, _KIND), _part(octets, at, _ACCEPTS)
    a.edge_low, a.edge_high = _part(octets, at, _EDGE_LOW), _part(octets, at, _EDGE_HIGH)
    a.unit_start, a.unit_fewest, a.unit_table = units.start, units.fewest, units.table
