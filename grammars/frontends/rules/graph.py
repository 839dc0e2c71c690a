"""Strongly connected components of the graph of calls, without recursion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def components(graph: Mapping[str, Iterable[str]], roots: Iterable[str]) -> list[list[str]]:
    """The strongly connected components that can be met from `roots`, callees first (Tarjan, SIAM J. Comput. 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    placed: set[str] = set()
    held: list[str] = []
    found: list[list[str]] = []
    for root in roots:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        held.append(root)
        path = [(root, iter(graph[root]))]
        while path:
            name, targets = path[-1]
            target = next((t for t in targets if t not in placed), None)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[name])
                if low[name] == index[name]:
                    found.append([held.pop()])
                    while found[-1][-1] != name:
                        found[-1].append(held.pop())
                    placed.update(found[-1])
            elif target in index:
                low[name] = min(low[name], index[target])
            else:
                index[target] = low[target] = len(index)
                held.append(target)
                path.append((target, iter(graph[target])))
    return found
