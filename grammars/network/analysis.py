"""Analysis of the raw edges of a network: order, fewest bytes, dead ends, left recursion."""

from __future__ import annotations

import numpy as np

from grammars.jit.options import kernel
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, REPEAT, SPAN, UNREACHABLE
from grammars.network.scratch import cut, cut_bytes

# Whether a state was met on the way from the root, or need not be, as all is known of it. One that was met may lead
# back to another on the way to it; in the end it stands in its place in the order.
NOT_MET, KNOWN, MET, LEADS_BACK, PLACED = range(5)


@kernel
def children_first(a, root):
    """Puts the states that can be met from `root` into `order`, each after those it leads to (but for cycles).

    Those that `met` says are known are left out; those that are met are marked there. States that lead to one behind
    them in the order are in `hanging` too.
    """
    kind, item, met = a.kind, a.item, a.met
    count = len(kind)
    order, hanging = cut(a, count), cut(a, count)
    free = a.free[0]
    cursor, path = cut(a, count), cut(a, count + 1)
    a.free[0] = free
    placed, hung, depth = 0, 0, -1
    if met[root] == NOT_MET:
        path[0], met[root], cursor[root], depth = root, MET, 0, 0
    while depth >= 0:
        s = path[depth]
        i = cursor[s]
        cursor[s] += 1
        goal = -1
        if kind[s] == SPAN:
            # A span's states stand in a row; those within a unit are reached from the boundary alone.
            inside = s + i
            if i == 0:
                goal = a.span_exit[item[s]]
            elif s == a.span_first[item[s]] and inside < count and kind[inside] == SPAN and item[inside] == item[s]:
                goal = inside
            else:
                goal = -2
        elif kind[s] == REPEAT:
            goal = a.repeat_rule[item[s]] if i == 0 else a.repeat_exit[item[s]] if i == 1 else -2
        elif kind[s] == CHECK:
            goal = a.check_exit[item[s]] if i == 0 else -2
        elif kind[s] != NORMAL:
            k = item[s]
            own = i - 4
            if i == 0:
                goal = a.select_exit[k]
            elif i == 1:
                goal = a.select_separator[k]
            elif i == 2:
                goal = a.select_others[k]
            elif i == 3:
                # What a selection costs does not hang on this.
                goal = a.select_after[k] if kind[s] == CHOOSE else a.select_choose[k]
                if MET <= met[goal] < PLACED:
                    goal = -1
            elif a.member_start[k] + own < a.member_start[k + 1]:
                goal = a.member_rule[a.member_start[k] + own]
            else:
                goal = -2
        else:
            edges = a.edge_start[s + 1] - a.edge_start[s]
            epsilons = a.epsilon_start[s + 1] - a.epsilon_start[s]
            calls = a.call_start[s + 1] - a.call_start[s]
            if i < edges:
                goal = a.edge_to[a.edge_start[s] + i]
            elif i < edges + epsilons:
                goal = a.epsilon_to[a.epsilon_start[s] + i - edges]
            elif i < edges + epsilons + calls:
                goal = a.call_rule[a.call_start[s] + i - edges - epsilons]
            elif i < edges + epsilons + 2 * calls:
                goal = a.call_return[a.call_start[s] + i - edges - epsilons - calls]
            elif i == edges + epsilons + 2 * calls:
                goal = a.otherwise[s]
            else:
                goal = -2
        if goal == -2:
            if met[s] == LEADS_BACK:
                hanging[hung] = s
                hung += 1
            order[placed], met[s] = s, PLACED
            placed += 1
            depth -= 1
        elif goal >= 0 and met[goal] == NOT_MET:
            met[goal], cursor[goal] = MET, 0
            depth += 1
            path[depth] = goal
        elif goal >= 0 and MET <= met[goal] < PLACED:
            met[s] = LEADS_BACK
    a.order, a.hanging = order[:placed], hanging[:hung]


@kernel
def mark_tail_calls(a, first):
    """Puts -1 into `call_return`, in calls of states from `first` on, for states that do nothing but return."""
    for i in range(a.call_start[first], a.call_start[-1]):
        s = a.call_return[i]
        if (
            a.accepts[s]
            and a.kind[s] == NORMAL
            and a.edge_start[s] == a.edge_start[s + 1]
            and a.epsilon_start[s] == a.epsilon_start[s + 1]
            and a.call_start[s] == a.call_start[s + 1]
            and a.otherwise[s] < 0
        ):
            a.call_return[i] = -1


@kernel
def drop_dead_ends(a, first):
    """Takes out edges, epsilons, calls and members into states that cannot return; rows close up in place.

    Where a state has an `otherwise`, such an edge stays as a claim into nowhere. States before `first` have none.
    """
    fewest, otherwise = a.fewest_bytes, a.otherwise
    edge_start, epsilon_start, call_start = a.edge_start, a.epsilon_start, a.call_start
    first_edge, first_epsilon, first_call = edge_start[first], epsilon_start[first], call_start[first]
    num_edges, num_epsilons, num_calls = first_edge, first_epsilon, first_call
    for s in range(first, len(otherwise)):
        if otherwise[s] >= 0 and fewest[otherwise[s]] >= UNREACHABLE:
            otherwise[s] = -1
        for e in range(first_edge, edge_start[s + 1]):
            goal = a.edge_to[e]
            if goal >= 0 and fewest[goal] >= UNREACHABLE:
                goal = np.int32(-1)
            if goal >= 0 or otherwise[s] >= 0:
                a.edge_low[num_edges], a.edge_high[num_edges] = a.edge_low[e], a.edge_high[e]
                a.edge_to[num_edges] = goal
                num_edges += 1
        first_edge, edge_start[s + 1] = edge_start[s + 1], num_edges
        for e in range(first_epsilon, epsilon_start[s + 1]):
            if fewest[a.epsilon_to[e]] < UNREACHABLE:
                a.epsilon_to[num_epsilons] = a.epsilon_to[e]
                num_epsilons += 1
        first_epsilon, epsilon_start[s + 1] = epsilon_start[s + 1], num_epsilons
        for e in range(first_call, call_start[s + 1]):
            if fewest[a.call_rule[e]] < UNREACHABLE and fewest[a.call_return[e]] < UNREACHABLE:
                a.call_rule[num_calls], a.call_return[num_calls] = a.call_rule[e], a.call_return[e]
                num_calls += 1
        first_call, call_start[s + 1] = call_start[s + 1], num_calls
    for goals in (a.select_others, a.member_rule):
        for i in range(len(goals)):
            if goals[i] >= 0 and fewest[goals[i]] >= UNREACHABLE:
                goals[i] = -1


@kernel
def find_idle_moves(a, first):
    """Moves of unknown states that consume nothing, as rows: goal, and as a weight 1 where a stack node is pushed.

    Args:
        first: states before are known.
    """
    kind, item = a.kind, a.item
    count = len(kind)
    room = a.epsilon_start[-1] + 2 * a.call_start[-1] + 2 * count + len(a.member_rule)
    start, goals, weights = cut(a, count + 1), cut(a, room), cut_bytes(a, room)
    start[: first + 1] = 0
    weights[:] = 0
    used = 0
    for s in range(first, count):
        if a.met[s] == KNOWN:
            pass
        elif kind[s] == SPAN:
            if a.span_low[item[s]] == 0:
                goals[used], used = a.span_exit[item[s]], used + 1
        elif kind[s] == REPEAT:
            goals[used] = a.repeat_rule[item[s]]
            weights[used] = 1
            used += 1
            if a.repeat_low[item[s]] == 0:
                goals[used], used = a.repeat_exit[item[s]], used + 1
        elif kind[s] == CHECK:
            goals[used], used = a.check_exit[item[s]], used + 1
        elif kind[s] == AFTER:
            goals[used] = a.select_exit[item[s]]
            goals[used + 1] = a.select_separator[item[s]]
            weights[used + 1] = 1
            used += 2
        elif kind[s] == CHOOSE:
            k = item[s]
            for m in range(a.member_start[k], a.member_start[k + 1] + 1):
                goal = a.select_others[k] if m == a.member_start[k + 1] else a.member_rule[m]
                if goal >= 0:
                    goals[used] = goal
                    weights[used] = 1
                    used += 1
        else:
            for e in range(a.epsilon_start[s], a.epsilon_start[s + 1]):
                goals[used], used = a.epsilon_to[e], used + 1
            for e in range(a.call_start[s], a.call_start[s + 1]):
                goals[used] = a.call_rule[e]
                weights[used] = 1 if a.call_return[e] >= 0 else 0
                used += 1
                if a.call_return[e] >= 0 and a.fewest_bytes[a.call_rule[e]] == 0:
                    goals[used], used = a.call_return[e], used + 1
        start[s + 1] = used
    a.idle_start, a.idle_goal, a.idle_weight = start, goals[:used], weights[:used]


@kernel
def may_come_back(a, first):
    """True if idle moves of states from `first` on may form a cycle.

    In an order of children first, one move of each cycle leads to a state that does not stand before its own.
    """
    start, goals, order = a.idle_start, a.idle_goal, a.order
    free = a.free[0]
    place = cut(a, len(a.kind))
    a.free[0] = free
    place[:] = -1
    for i in range(len(order)):
        place[order[i]] = i
    for s in range(first, len(place)):
        for e in range(start[s], start[s + 1]):
            if place[goals[e]] >= place[s]:
                return True
    return False


@kernel
def cycle_with_call(a):
    """Tarjan's strongly connected components (SIAM J. Comput. 1972); a state whose component holds a weighted move."""
    start, goals, weights = a.idle_start, a.idle_goal, a.idle_weight
    count = len(a.kind)
    index, low, component = cut(a, count), cut(a, count), cut(a, count)
    cursor, stack, path = cut(a, count), cut(a, count), cut(a, count)
    index[:], component[:], cursor[:] = -1, -1, start[:-1]
    found, held = 0, 0
    for root in range(count):
        if index[root] >= 0:
            continue
        depth = 0
        path[0] = root
        index[root] = low[root] = found
        found += 1
        stack[held] = root
        held += 1
        while depth >= 0:
            s = path[depth]
            if cursor[s] < start[s + 1]:
                t = goals[cursor[s]]
                cursor[s] += 1
                if index[t] < 0:
                    depth += 1
                    path[depth] = t
                    index[t] = low[t] = found
                    found += 1
                    stack[held] = t
                    held += 1
                elif component[t] < 0:
                    low[s] = min(low[s], index[t])
            else:
                if low[s] == index[s]:
                    while True:
                        held -= 1
                        component[stack[held]] = s
                        if stack[held] == s:
                            break
                depth -= 1
                if depth >= 0:
                    low[path[depth]] = min(low[path[depth]], low[s])
    for s in range(count):
        for e in range(start[s], start[s + 1]):
            if weights[e] == 1 and component[s] == component[goals[e]]:
                return s
    return -1
