"""States that are closed once for all stacks that a set of triples has them on.

In an ambiguous grammar a rule is called in as many ways as there are ways from rule to rule, and each would be a stack.
So where a set grows large it is closed once more, over *frames*: one for each (state, count), with the stack -1 - f.
What lies below a frame is listed meanwhile: other frames from which the match came to it, and stacks. When all of it is
known, frames get stack nodes (Scott and Johnstone, "GLL Parsing", 2010). So there are as many triples as states, and
lines below them as edges.
"""

from __future__ import annotations

from grammars.jit.options import i64, kernel
from grammars.kernels.arena import (
    FULL,
    FULL_ARRAY,
    FULL_WORK,
    IS_AT_END,
    IS_SHARING,
    NUM_BELOW,
    RETURNING,
    STAMP,
    STEPS_LEFT,
)
from grammars.kernels.stacks import add, begin_set, push_stack, stacks_into, union_of

_NO_CALL = -1  # in `below_return`, where the match goes on behind a rule that was called: there are the same stacks


@kernel
def begin_sharing(a, done, begun):
    """Restart the set with its first `begun` triples, all but `done` of them in frames; return their number."""
    a.counters[IS_SHARING] = 1
    a.counters[IS_AT_END] = a.counters[NUM_BELOW] = a.counters[RETURNING] = 0
    begin_set(a)
    size = i64(0)
    for i in range(begun):
        state, stack, count = i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i])
        size = add(a, size, state, stack, count) if i < done else move_shared(a, size, state, stack, count)
        if size < 0:
            return size
    return size


@kernel
def move_shared(a, size, state, stack, count):
    """Adds that the match is at (state, count) on that stack; the new size, or FULL."""
    return call_shared(a, size, state, count, i64(_NO_CALL), i64(0), stack)


@kernel
def call_shared(a, size, state, count, ret, ret_count, stack):
    """Adds that a rule is at (state, count), behind which the match goes on at (ret, ret_count); the size, or FULL."""
    # That node is no stack here, but a number that nothing else has.
    frame = push_stack(a, state, count, i64(0))
    if frame < 0:
        return frame
    if a.frame_stamp[frame] != a.counters[STAMP]:
        a.frame_stamp[frame] = a.counters[STAMP]
        a.frame_below[frame] = a.frame_passed[frame] = a.frame_returned[frame] = 0
        a.frame_node[frame] = a.frame_low[frame] = 0
    row = a.counters[NUM_BELOW] + 1
    if row == len(a.below_return):
        a.counters[FULL_ARRAY] = FULL_WORK
        return i64(FULL)
    a.counters[NUM_BELOW] = row
    a.below_return[row], a.below_count[row], a.below_stack[row] = ret, ret_count, stack
    a.below_next[row] = a.frame_below[frame]
    if a.frame_returned[frame] != 0 and a.frame_passed[frame] == a.frame_below[frame]:
        _queue(a, frame)
    a.frame_below[frame] = a.frame_place[frame] = row
    return add(a, size, state, -1 - frame, count)


@kernel
def _queue(a, frame):
    a.frame_back[frame] = a.counters[RETURNING]
    a.counters[RETURNING] = frame


@kernel
def return_from(a, frame):
    """Notes that the rule returns from the frame, to all that lies below and to what will, see `go_on_behind`."""
    if a.frame_returned[frame] == 0:
        a.frame_returned[frame] = 1
        _queue(a, frame)


@kernel
def go_on_behind(a, size):
    """Adds where the match goes on behind frames that returned, on what came below them since; the size, or FULL."""
    while a.counters[RETURNING] > 0 and size >= 0:
        frame = a.counters[RETURNING]
        a.counters[RETURNING] = a.frame_back[frame]
        row, passed = i64(a.frame_below[frame]), a.frame_passed[frame]
        a.frame_passed[frame] = row
        while row > passed and size >= 0:
            ret, stack = i64(a.below_return[row]), i64(a.below_stack[row])
            if ret >= 0:
                size = move_shared(a, size, ret, stack, i64(a.below_count[row]))
            elif stack < 0:
                return_from(a, -1 - stack)
            else:
                size = _take_off(a, size, stack)
            row = i64(a.below_next[row])
    return size


@kernel
def _take_off(a, size, stack):
    """Adds where the match goes on when a rule returns to any of the stacks, but for those taken off before."""
    number = stacks_into(a, a.work_other, i64(0), stack)
    a.counters[STEPS_LEFT] -= max(number, i64(0))
    for i in range(number):
        node = i64(a.work_other[i])
        if node == 0:
            a.counters[IS_AT_END] = 1
        elif size >= 0:
            size = move_shared(a, size, i64(a.stack_return[node]), i64(a.stack_parent[node]), i64(a.stack_count[node]))
    return size if number >= 0 else number


@kernel
def put_nodes(a, kept):
    """Gives triples in frames their stack nodes; 0, or FULL."""
    for j in range(kept):
        frame = -1 - i64(a.work_stack[j])
        if frame > 0:
            status = _put_node(a, frame) if a.frame_node[frame] == 0 else i64(0)
            if status < 0:
                return status
            a.work_stack[j] = a.frame_node[frame] - 1
    return i64(0)


@kernel
def _put_node(a, goal):
    """Finds the stack nodes of a frame and of all below it; 0, or FULL.

    Frames that lie below each other have one. By Tarjan's algorithm they stand side by side at the end of `work_other`.
    """
    frame = goal
    opened = _open(a, frame, i64(0), i64(0))
    while frame > 0:
        row = i64(a.frame_place[frame])
        below = -1 - i64(a.below_stack[row]) if row > 0 else i64(-1)
        if row > 0:
            a.frame_place[frame] = a.below_next[row]
            if below >= 0 and a.frame_node[below] == 0:
                if a.frame_low[below] == 0:
                    opened = _open(a, below, opened, frame)
                    frame = below
                else:
                    a.frame_low[frame] = min(a.frame_low[frame], a.frame_low[below])
            continue
        first = i64(a.frame_index[frame]) - 1
        if a.frame_low[frame] == first + 1:
            node = _node_of(a, a.work_other[first:opened])
            if node < 0:
                return node
            for i in range(first, opened):
                a.frame_node[a.work_other[i]] = node + 1
            opened = first
        back = i64(a.frame_back[frame])
        a.frame_low[back] = min(a.frame_low[back], a.frame_low[frame])
        frame = back
    return i64(0)


@kernel
def _open(a, frame, opened, back):
    a.work_other[opened] = frame
    a.frame_index[frame] = a.frame_low[frame] = opened + 1
    a.frame_back[frame] = back
    return opened + 1


@kernel
def _node_of(a, frames):
    """The node for any of the stacks below frames that have the same; or FULL. All other frames below have theirs."""
    nodes, number = a.work_base, i64(0)
    for frame in frames:
        row = i64(a.frame_below[frame])
        while row > 0:
            ret, node = i64(a.below_return[row]), i64(a.below_stack[row])
            if node < 0:
                node = i64(a.frame_node[-1 - node]) - 1
            if node >= 0 and ret >= 0:
                node = push_stack(a, ret, i64(a.below_count[row]), node)
                if node < 0:
                    return node
            if node >= 0:
                if number == len(nodes):
                    a.counters[FULL_ARRAY] = FULL_WORK
                    return i64(FULL)
                nodes[number] = node
                number += 1
            a.counters[STEPS_LEFT] -= 1
            row = i64(a.below_next[row])
    return union_of(a, nodes[:number], nodes[number:])
