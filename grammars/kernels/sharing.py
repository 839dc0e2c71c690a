"""Rules that run once for all their callers, while a set of triples is closed.

In an ambiguous grammar a rule is called in as many ways as there are ways from rule to rule, and each would be a stack.
So where a set grows large it is closed once more: the callers of a rule are listed, and triples within rule r have the
stack -1 - r, until every caller is known (Scott and Johnstone, "GLL Parsing", 2010).
"""

from __future__ import annotations

from grammars.kernels.arena import FULL, FULL_ARRAY, FULL_WORK, IS_SHARING, NUM_CALLERS, STEPS_LEFT
from grammars.kernels.options import i64, kernel
from grammars.kernels.stacks import add, begin_set, either_of, push_stack, stacks_into


@kernel
def begin_sharing(a, begun):
    """Begins the set anew with its first `begun` triples, how many there are: rules are shared from now on."""
    forget_callers(a)
    a.counters[IS_SHARING] = 1
    begin_set(a)
    size = i64(0)
    for i in range(begun):
        size = add(a, size, i64(a.work_state[i]), i64(a.work_stack[i]), i64(a.work_count[i]))
    return size


@kernel
def forget_callers(a):
    """Makes the columns of rules as they were."""
    for row in range(1, a.counters[NUM_CALLERS] + 1):
        rule = a.caller_rule[row]
        a.rule_callers[rule] = a.rule_place[rule] = a.rule_node[rule] = a.rule_back[rule] = a.rule_returned[rule] = 0
    a.counters[NUM_CALLERS] = 0


@kernel
def share(a, size, rule, ret, count, stack):
    """Lists one more caller of the rule."""
    row = a.counters[NUM_CALLERS] + 1
    if row == len(a.caller_rule):
        a.counters[FULL_ARRAY] = FULL_WORK
        return i64(FULL)
    a.counters[NUM_CALLERS] = row
    a.caller_rule[row], a.caller_return[row], a.caller_count[row], a.caller_stack[row] = rule, ret, count, stack
    a.caller_next[row] = a.rule_callers[rule]
    a.rule_callers[rule] = a.rule_place[rule] = row
    size = add(a, size, rule, -1 - rule, i64(0))
    if size >= 0 and a.rule_returned[rule] != 0:
        size = add(a, size, ret, stack, count)
    return size


@kernel
def return_to_callers(a, size, rule):
    """Adds where the match goes on behind the rule, also for callers to come; the new size, or FULL."""
    row = i64(a.rule_callers[rule]) if a.rule_returned[rule] == 0 else i64(0)
    a.rule_returned[rule] = 1
    while row > 0 and size >= 0:
        size = add(a, size, i64(a.caller_return[row]), i64(a.caller_stack[row]), i64(a.caller_count[row]))
        row = i64(a.caller_next[row])
    return size


@kernel
def put_nodes(a, kept):
    """Gives triples within shared rules their stack nodes; 0, or FULL."""
    for j in range(kept):
        top = -1 - i64(a.work_stack[j])
        if top < 0:
            continue
        rule = top
        while a.rule_node[top] == 0:
            # No rule is on the way to itself: a network in which one calls itself before a byte is refused.
            below = _unknown_below(a, rule)
            if below >= 0:
                a.rule_back[below] = rule
                rule = below
                continue
            node = _node_of_callers(a, rule)
            if node < 0:
                return node
            a.rule_node[rule] = node
            rule = i64(a.rule_back[rule])
        a.work_stack[j] = a.rule_node[top]
    forget_callers(a)
    return i64(0)


@kernel
def _unknown_below(a, rule):
    """A rule that calls this one and has no stack node yet, or -1."""
    while a.rule_place[rule] > 0:
        row = a.rule_place[rule]
        caller = -1 - i64(a.caller_stack[row])
        if caller >= 0 and a.rule_node[caller] == 0:
            return caller
        a.rule_place[rule] = a.caller_next[row]
    return i64(-1)


@kernel
def _node_of_callers(a, rule):
    """The node for any of the rule's callers, the rules below which have theirs; or FULL."""
    members, number, row = a.work_base, i64(0), i64(a.rule_callers[rule])
    while row > 0:
        stack = i64(a.caller_stack[row])
        if stack < 0:
            stack = i64(a.rule_node[-1 - stack])
        node = push_stack(a, i64(a.caller_return[row]), i64(a.caller_count[row]), stack)
        number = node if node < 0 else stacks_into(a, members, number, node)
        if number < 0:
            return number
        row = i64(a.caller_next[row])
    a.counters[STEPS_LEFT] -= number
    return either_of(a, members, number)
