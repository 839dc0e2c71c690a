"""What is derived from the raw edges of a network: order, fewest bytes, dead ends, left recursion."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import kernel
from grammars.network.expansion import cut, cut_bytes
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, REPEAT, SPAN, UNREACHABLE
from grammars.network.selection import selection_cost

# Whether a state was met on the way from the root, or need not be, as all is known of it.
NOT_MET, KNOWN, MET = range(3)


@kernel
def children_first(
    kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
    otherwise, span_exit, repeat_rule, repeat_exit, span_first, select_choose, select_after, check_exit, select_low,
    select_separator, select_others, select_exit, member_start, member_rule, member_required, met, root, scratch, at,
):  # fmt: skip
    """The states that can be met from `root`, but for known ones, each after those it leads to (but for cycles).

    Args:
        met: which states are known; those that are met are marked here.
        scratch, at: memory, free from there on; where it is free now is returned first.
    """
    count = len(kind)
    order, at = cut(scratch, at, count)
    cursor, after = cut(scratch, at, count)
    path, after = cut(scratch, after, count + 1)
    placed, depth = 0, 0
    if met[root] != NOT_MET:
        return at, order[:0]
    path[0], met[root], cursor[root] = root, MET, 0
    while depth >= 0:
        s = path[depth]
        i = cursor[s]
        cursor[s] += 1
        goal = -1
        if kind[s] == SPAN:
            # A span's states stand in a row; those within a unit are reached from the boundary alone.
            inside = s + i
            if i == 0:
                goal = span_exit[item[s]]
            elif s == span_first[item[s]] and inside < count and kind[inside] == SPAN and item[inside] == item[s]:
                goal = inside
            else:
                goal = -2
        elif kind[s] == REPEAT:
            goal = repeat_rule[item[s]] if i == 0 else repeat_exit[item[s]] if i == 1 else -2
        elif kind[s] == CHECK:
            goal = check_exit[item[s]] if i == 0 else -2
        elif kind[s] != NORMAL:
            k = item[s]
            own = i - 4
            if i == 0:
                goal = select_exit[k]
            elif i == 1:
                goal = select_separator[k]
            elif i == 2:
                goal = select_others[k]
            elif i == 3:
                goal = select_after[k] if kind[s] == CHOOSE else select_choose[k]
            elif member_start[k] + own < member_start[k + 1]:
                goal = member_rule[member_start[k] + own]
            else:
                goal = -2
        else:
            edges = edge_start[s + 1] - edge_start[s]
            epsilons = epsilon_start[s + 1] - epsilon_start[s]
            calls = call_start[s + 1] - call_start[s]
            if i < edges:
                goal = edge_to[edge_start[s] + i]
            elif i < edges + epsilons:
                goal = epsilon_to[epsilon_start[s] + i - edges]
            elif i < edges + epsilons + calls:
                goal = call_rule[call_start[s] + i - edges - epsilons]
            elif i < edges + epsilons + 2 * calls:
                goal = call_return[call_start[s] + i - edges - epsilons - calls]
            elif i == edges + epsilons + 2 * calls:
                goal = otherwise[s]
            else:
                goal = -2
        if goal == -2:
            order[placed] = s
            placed += 1
            depth -= 1
        elif goal >= 0 and met[goal] == NOT_MET:
            met[goal], cursor[goal] = MET, 0
            depth += 1
            path[depth] = goal
    return at, order[:placed]


@kernel
def counted(count, each, rest):
    """`count * each + rest`, at most `UNREACHABLE`."""
    total = np.int64(count) * np.int64(each) + np.int64(rest)
    return np.int32(min(total, np.int64(UNREACHABLE)))


@kernel
def fewest_bytes(
    kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
    otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit,
    select_low, select_separator, select_others, select_exit, member_start, member_rule, member_required,
    unit_start, unit_bytes, order, nothing, fewest,
):  # fmt: skip
    """Fills in the fewest bytes from each state in `order` to its rule's return."""
    changed = True
    while changed:
        changed = False
        for s in order:
            best = fewest[s]
            if kind[s] == SPAN:
                span = item[s]
                unit = unit_start[span_class[span]]
                u = s - span_first[span]
                low = span_low[span]
                begun = 0 if u == 0 else unit_bytes[unit + u]
                left = low if u == 0 else max(low - 1, 0)
                best = counted(left, unit_bytes[unit], counted(1, begun, fewest[span_exit[span]]))
            elif kind[s] == REPEAT:
                r = item[s]
                rest = fewest[repeat_exit[r]]
                best = rest if repeat_low[r] == 0 else counted(repeat_low[r], fewest[repeat_rule[r]], rest)
            elif kind[s] == CHECK:
                best = fewest[check_exit[item[s]]]
            elif kind[s] != NORMAL:
                best = np.int32(selection_cost(
                    fewest, select_low, select_separator, select_others, select_exit, member_start, member_rule,
                    member_required, item[s], nothing, np.int64(0), kind[s] == CHOOSE,
                ))  # fmt: skip
            else:
                if accepts[s]:
                    best = 0
                for e in range(edge_start[s], edge_start[s + 1]):
                    if edge_to[e] >= 0:
                        best = min(best, 1 + fewest[edge_to[e]])
                for e in range(epsilon_start[s], epsilon_start[s + 1]):
                    best = min(best, fewest[epsilon_to[e]])
                for e in range(call_start[s], call_start[s + 1]):
                    best = min(best, fewest[call_rule[e]] + fewest[call_return[e]])
                if otherwise[s] >= 0:
                    # One unit first is always possible: edges claim a few bytes of many.
                    span = item[otherwise[s]]
                    one = unit_bytes[unit_start[span_class[span]]]
                    best = min(best, counted(1, one, fewest[otherwise[s]]))
            if best < fewest[s]:
                fewest[s] = min(best, UNREACHABLE)
                changed = True


@kernel
def tail_calls(kind, accepts, edge_start, epsilon_start, call_start, otherwise, call_return, first):
    """Puts -1 into `call_return`, from the call `first` on, for states that do nothing but return."""
    for i in range(first, len(call_return)):
        s = call_return[i]
        if (
            accepts[s]
            and kind[s] == NORMAL
            and edge_start[s] == edge_start[s + 1]
            and epsilon_start[s] == epsilon_start[s + 1]
            and call_start[s] == call_start[s + 1]
            and otherwise[s] < 0
        ):
            call_return[i] = -1


@kernel
def drop_dead_ends(fewest, otherwise, edge_start, edge_low, edge_high, edge_to, epsilon_start, epsilon_to, call_start,
                   call_rule, call_return, select_others, member_rule, first):  # fmt: skip
    """Takes out edges, epsilons, calls and members into states that cannot return; rows close up in place.

    Where a state has an `otherwise`, such an edge stays as a claim into nowhere. States before `first` have none.
    """
    first_edge, first_epsilon, first_call = edge_start[first], epsilon_start[first], call_start[first]
    num_edges, num_epsilons, num_calls = first_edge, first_epsilon, first_call
    for s in range(first, len(otherwise)):
        if otherwise[s] >= 0 and fewest[otherwise[s]] >= UNREACHABLE:
            otherwise[s] = -1
        for e in range(first_edge, edge_start[s + 1]):
            goal = edge_to[e]
            if goal >= 0 and fewest[goal] >= UNREACHABLE:
                goal = np.int32(-1)
            if goal >= 0 or otherwise[s] >= 0:
                edge_low[num_edges], edge_high[num_edges], edge_to[num_edges] = edge_low[e], edge_high[e], goal
                num_edges += 1
        first_edge, edge_start[s + 1] = edge_start[s + 1], num_edges
        for e in range(first_epsilon, epsilon_start[s + 1]):
            if fewest[epsilon_to[e]] < UNREACHABLE:
                epsilon_to[num_epsilons] = epsilon_to[e]
                num_epsilons += 1
        first_epsilon, epsilon_start[s + 1] = epsilon_start[s + 1], num_epsilons
        for e in range(first_call, call_start[s + 1]):
            if fewest[call_rule[e]] < UNREACHABLE and fewest[call_return[e]] < UNREACHABLE:
                call_rule[num_calls], call_return[num_calls] = call_rule[e], call_return[e]
                num_calls += 1
        first_call, call_start[s + 1] = call_start[s + 1], num_calls
    for goals in (select_others, member_rule):
        for i in range(len(goals)):
            if goals[i] >= 0 and fewest[goals[i]] >= UNREACHABLE:
                goals[i] = -1


@kernel
def idle_moves(
    kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
    span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit, select_separator, select_others,
    select_exit, member_start, member_rule, fewest, met, first, scratch, at,
):  # fmt: skip
    """Moves of unknown states that consume nothing, as rows: goal, and 1 where a stack node is pushed.

    Args:
        first: states before are known.
        scratch, at: memory, free from there on; where it is free now is returned first.
    """
    count = len(kind)
    start, at = cut(scratch, at, count + 1)
    room = len(epsilon_to) + 2 * len(call_rule) + 2 * count + len(member_rule)
    goals, at = cut(scratch, at, room)
    weights, at = cut_bytes(scratch, at, room)
    start[: first + 1] = 0
    weights[:] = 0
    used = 0
    for s in range(first, count):
        if met[s] == KNOWN:
            pass
        elif kind[s] == SPAN:
            if span_low[item[s]] == 0:
                goals[used] = span_exit[item[s]]
                used += 1
        elif kind[s] == REPEAT:
            goals[used] = repeat_rule[item[s]]
            weights[used] = 1
            used += 1
            if repeat_low[item[s]] == 0:
                goals[used] = repeat_exit[item[s]]
                used += 1
        elif kind[s] == CHECK:
            goals[used] = check_exit[item[s]]
            used += 1
        elif kind[s] == AFTER:
            goals[used] = select_exit[item[s]]
            goals[used + 1] = select_separator[item[s]]
            weights[used + 1] = 1
            used += 2
        elif kind[s] == CHOOSE:
            k = item[s]
            for m in range(member_start[k], member_start[k + 1] + 1):
                goal = select_others[k] if m == member_start[k + 1] else member_rule[m]
                if goal >= 0:
                    goals[used] = goal
                    weights[used] = 1
                    used += 1
        else:
            for e in range(epsilon_start[s], epsilon_start[s + 1]):
                goals[used] = epsilon_to[e]
                used += 1
            for e in range(call_start[s], call_start[s + 1]):
                goals[used] = call_rule[e]
                weights[used] = 1 if call_return[e] >= 0 else 0
                used += 1
                if call_return[e] >= 0 and fewest[call_rule[e]] == 0:
                    goals[used] = call_return[e]
                    used += 1
        start[s + 1] = used
    return at, goals[:used], weights[:used], start


@kernel
def may_come_back(start, goals, order, first, scratch, at):
    """Whether idle moves of states from `first` on may form a cycle.

    In an order of children first, one move of each cycle leads to a state that does not stand before its own.
    """
    count = len(start) - 1
    place, at = cut(scratch, at, count)
    place[:] = -1
    for i in range(len(order)):
        place[order[i]] = i
    for s in range(first, count):
        for e in range(start[s], start[s + 1]):
            if place[goals[e]] >= place[s]:
                return True
    return False


@kernel
def cycle_with_call(start, goals, weights, scratch, at):
    """Tarjan's strongly connected components (SIAM J. Comput. 1972); a state whose component holds a weighted move."""
    count = len(start) - 1
    index, at = cut(scratch, at, count)
    low, at = cut(scratch, at, count)
    component, at = cut(scratch, at, count)
    cursor, at = cut(scratch, at, count)
    stack, at = cut(scratch, at, count)
    path, at = cut(scratch, at, count)
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
