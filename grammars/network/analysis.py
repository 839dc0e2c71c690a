"""What `NetworkBuilder.finish` derives from the raw edges: order, fewest bytes, dead ends, left recursion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.options import kernel
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, REPEAT, SPAN, UNREACHABLE, Ints
from grammars.network.selection import selection_cost


@kernel
def rows_of(sources: Ints, num_states: int) -> tuple[Ints, Ints]:
    """A stable order of `sources` and where the row of each state starts in it."""
    start = np.zeros(num_states + 1, dtype=np.int32)
    for source in sources:
        start[source + 1] += 1
    for state in range(num_states):
        start[state + 1] += start[state]
    order = np.empty(len(sources), dtype=np.int32)
    fill = start.copy()
    for i in range(len(sources)):
        order[fill[sources[i]]] = i
        fill[sources[i]] += 1
    return order, start


def children_first(raw: dict[str, Any], root: int) -> Ints:
    """The states that can be met from `root`, each after those it leads to (but for cycles)."""
    names = ("span_exit", "repeat_rule", "repeat_exit", "span_first", "select_choose", "select_after", "check_exit")
    columns = tuple(raw[name] for name in names)
    return _children_first(*_graph(raw), raw["otherwise"], *columns, *selection_of(raw), root)  # type: ignore[no-any-return]


@kernel
def _children_first(
    kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
    otherwise, span_exit, repeat_rule, repeat_exit, span_first, select_choose, select_after, check_exit, select_low,
    select_separator, select_others, select_exit, member_start, member_rule, member_required, root,
):  # fmt: skip
    count = len(kind)
    seen, cursor = np.zeros(count, np.uint8), np.zeros(count, np.int32)
    order, path = np.empty(count, np.int32), np.empty(count + 1, np.int32)
    placed, depth = 0, 0
    path[0], seen[root] = root, 1
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
        elif goal >= 0 and seen[goal] == 0:
            seen[goal] = 1
            depth += 1
            path[depth] = goal
    return order[:placed].copy()


def fewest_bytes(raw: dict[str, Any], order: Ints, unit_start: Ints, unit_bytes: Ints) -> Ints:
    """Fewest bytes from each state in `order` to its rule's return; `UNREACHABLE` where there is no way."""
    fewest: Ints = _fewest_bytes(
        *_graph(raw), raw["otherwise"], *items_of(raw), raw["check_exit"], *selection_of(raw), unit_start,
        unit_bytes, order, nothing_chosen(raw),
    )  # fmt: skip
    return fewest


def nothing_chosen(raw: dict[str, Any]) -> NDArray[np.uint64]:
    """The empty set of members, large enough for every selection."""
    starts = raw["member_start"]
    most = int(np.diff(starts).max()) if len(starts) > 1 else 0
    return np.zeros(most // 64 + 1, dtype=np.uint64)


def selection_of(raw: dict[str, Any]) -> tuple[Any, ...]:
    """The arrays of selections, in the order in which kernels take them."""
    names = "select_low select_separator select_others select_exit member_start member_rule member_required"
    return tuple(raw[name] for name in names.split())


def _graph(raw: dict[str, Any]) -> tuple[Any, ...]:
    names = "kind item accepts edge_start edge_to epsilon_start epsilon_to call_start call_rule call_return"
    return tuple(raw[name] for name in names.split())


def items_of(raw: dict[str, Any]) -> tuple[Any, ...]:
    """The arrays of spans and repeats, in the order in which kernels take them."""
    names = "span_first span_class span_low span_exit repeat_rule repeat_low repeat_exit"
    return tuple(raw[name] for name in names.split())


@kernel
def counted(count, each, rest):
    """`count * each + rest`, at most `UNREACHABLE`."""
    total = np.int64(count) * np.int64(each) + np.int64(rest)
    return np.int32(min(total, np.int64(UNREACHABLE)))


@kernel
def _fewest_bytes(
    kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
    otherwise, span_first, span_class, span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit,
    select_low, select_separator, select_others, select_exit, member_start, member_rule, member_required,
    unit_start, unit_bytes, order, nothing,
):  # fmt: skip
    fewest = np.full(len(kind), UNREACHABLE, dtype=np.int32)
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
    return fewest


def without_dead_ends(raw: dict[str, Any], fewest: Ints) -> dict[str, Any]:
    """`raw` without edges, epsilons and calls into states that cannot return; tail calls have return state -1.

    Where a state has an `otherwise`, such an edge stays as a claim into nowhere.
    """
    kept = dict(raw)
    targets = ("edge_to", "epsilon_to", "call_rule", "call_return", "otherwise")
    for name in ("member_rule", "select_others"):
        goals = raw[name]
        kept[name] = np.where((goals >= 0) & (fewest[goals] < UNREACHABLE), goals, -1).astype(np.int32)
    if _has_dead_end(*(raw[name] for name in targets), fewest):
        _drop_dead_ends(raw, kept, fewest < UNREACHABLE)
    kept["call_return"] = _tail_calls(*_graph(raw)[:4], raw["epsilon_start"], raw["call_start"], raw["otherwise"],
                                      kept["call_return"])  # fmt: skip
    return kept


@kernel
def _has_dead_end(edge_to, epsilon_to, call_rule, call_return, otherwise, fewest):
    for goals in (edge_to, epsilon_to, call_rule, call_return, otherwise):
        for goal in goals:
            if goal >= 0 and fewest[goal] >= UNREACHABLE:
                return True
    return False


@kernel
def _tail_calls(kind, item, accepts, edge_start, epsilon_start, call_start, otherwise, call_return):
    """`call_return` with -1 for states that do nothing but return."""
    returns = call_return.copy()
    for i in range(len(returns)):
        s = returns[i]
        if (
            accepts[s]
            and kind[s] == NORMAL
            and edge_start[s] == edge_start[s + 1]
            and epsilon_start[s] == epsilon_start[s + 1]
            and call_start[s] == call_start[s + 1]
            and otherwise[s] < 0
        ):
            returns[i] = -1
    return returns


def _drop_dead_ends(raw: dict[str, Any], kept: dict[str, Any], live: NDArray[np.bool_]) -> None:
    spans = raw["otherwise"]
    kept["otherwise"] = np.where((spans >= 0) & live[spans], spans, -1).astype(np.int32)
    count = len(live)
    source = np.repeat(np.arange(count, dtype=np.int32), np.diff(raw["edge_start"]))
    goal = np.where((raw["edge_to"] >= 0) & live[raw["edge_to"]], raw["edge_to"], -1).astype(np.int32)
    keep = (goal >= 0) | (kept["otherwise"][source] >= 0)
    kept["edge_to"] = goal
    _keep(kept, "edge", keep, source, count, ("edge_low", "edge_high", "edge_to"))
    source = np.repeat(np.arange(count, dtype=np.int32), np.diff(raw["epsilon_start"]))
    _keep(kept, "epsilon", live[raw["epsilon_to"]], source, count, ("epsilon_to",))
    source = np.repeat(np.arange(count, dtype=np.int32), np.diff(raw["call_start"]))
    keep = live[raw["call_rule"]] & live[raw["call_return"]]
    _keep(kept, "call", keep, source, count, ("call_rule", "call_return"))


def _keep(kept: dict[str, Any], kind: str, keep: NDArray[np.bool_], source: Ints, count: int, names: Any) -> None:
    counts = np.bincount(source[keep], minlength=count)
    kept[f"{kind}_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    for name in names:
        kept[name] = kept[name][keep]


def left_recursive_state(raw: dict[str, Any], fewest: Ints) -> int:
    """A state in a cycle that makes a non-tail call before a byte is consumed; -1 when there is none."""
    if len(raw["call_rule"]) == 0 and len(raw["repeat_rule"]) == 0 and len(raw["member_rule"]) == 0:
        return -1
    graph = _graph(raw)
    names = (
        "span_low", "span_exit", "repeat_rule", "repeat_low", "repeat_exit", "check_exit", "select_separator",
        "select_others", "select_exit", "member_start", "member_rule",
    )  # fmt: skip
    goals, weights, start = _idle_moves(*graph, *(raw[name] for name in names), fewest)
    return int(_cycle_with_call(start, goals, weights))


@kernel
def _idle_moves(
    kind, item, accepts, edge_start, edge_to, epsilon_start, epsilon_to, call_start, call_rule, call_return,
    span_low, span_exit, repeat_rule, repeat_low, repeat_exit, check_exit, select_separator, select_others,
    select_exit, member_start, member_rule, fewest,
):  # fmt: skip
    """Moves that consume nothing, as rows: goal, and 1 where a stack node is pushed."""
    count = len(kind)
    start = np.zeros(count + 1, dtype=np.int32)
    room = len(epsilon_to) + 2 * len(call_rule) + 2 * count + len(member_rule)
    goals = np.empty(room, dtype=np.int32)
    weights = np.zeros(room, dtype=np.uint8)
    used = 0
    for s in range(count):
        if kind[s] == SPAN:
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
    return goals[:used], weights[:used], start


@kernel
def _cycle_with_call(start, goals, weights):
    """Tarjan's strongly connected components (SIAM J. Comput. 1972); a state whose component holds a weighted move."""
    count = len(start) - 1
    index = np.full(count, -1, dtype=np.int32)
    low = np.zeros(count, dtype=np.int32)
    component = np.full(count, -1, dtype=np.int32)
    cursor = start[:-1].copy()
    stack = np.empty(count, dtype=np.int32)
    path = np.empty(count, dtype=np.int32)
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
