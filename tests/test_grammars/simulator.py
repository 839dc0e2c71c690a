"""A slow, obvious interpreter of a network's arrays: sets of (state, count, stack), one byte at a time."""

from __future__ import annotations

from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.network import NORMAL, REPEAT, SPAN, Network


class Simulator:
    """Decides membership in a network's language."""

    def __init__(self, network: Network) -> None:
        self.n = network

    @classmethod
    def of(cls, spec, limits: Limits | None = None) -> Simulator:
        """The simulator of a front end's spec."""
        builder = NetworkBuilder(limits)
        return cls(builder.finish(spec.emit(builder)))

    def accepts(self, text: str | bytes) -> bool:
        """Whether the whole text matches."""
        data = text.encode() if isinstance(text, str) else text
        current, complete = self._closure({(int(self.n.root), 0, ())})
        for byte in data:
            current, complete = self._closure(set().union(*(self._step(c, byte) for c in current)))
            if not current and not complete:
                return False
        return complete

    def _closure(self, items):
        seen, stack, complete = set(items), list(items), False
        while stack:
            for following in self._free(stack.pop()):
                if following is None:
                    complete = True
                elif following not in seen:
                    seen.add(following)
                    stack.append(following)
        return seen, complete

    def _free(self, item):
        state, count, stack = item
        n, kind = self.n, int(self.n.kind[state])
        if kind == SPAN:
            span = int(n.item[state])
            if state == n.span_first[span] and count >= n.span_low[span]:
                yield (int(n.span_exit[span]), 0, stack)
        elif kind == REPEAT:
            repeat = int(n.item[state])
            low, high = int(n.repeat_low[repeat]), int(n.repeat_high[repeat])
            if count >= low:
                yield (int(n.repeat_exit[repeat]), 0, stack)
            if high < 0 or count < high:
                yield (int(n.repeat_rule[repeat]), 0, (*stack, (state, min(count + 1, low) if high < 0 else count + 1)))
        else:
            assert kind == NORMAL
            for i in range(n.epsilon_start[state], n.epsilon_start[state + 1]):
                yield (int(n.epsilon_to[i]), 0, stack)
            for i in range(n.call_start[state], n.call_start[state + 1]):
                returns = int(n.call_return[i])
                yield (int(n.call_rule[i]), 0, stack if returns < 0 else (*stack, (returns, 0)))
            if n.accepts[state]:
                yield (*stack[-1], stack[:-1]) if stack else None

    def _step(self, item, byte):
        state, count, stack = item
        n = self.n
        if int(n.kind[state]) == SPAN:
            span = int(n.item[state])
            low, high, first = int(n.span_low[span]), int(n.span_high[span]), int(n.span_first[span])
            if state == first and high >= 0 and count >= high:
                return set()
            target = int(n.classes[n.span_class[span]].table[state - first][byte])
            if target == 255:
                return set()
            if target == 0:
                count = min(count + 1, low) if high < 0 else count + 1
            return {(first + target, count, stack)}
        found, claimed = set(), False
        for i in range(n.edge_start[state], n.edge_start[state + 1]):
            if n.edge_low[i] <= byte <= n.edge_high[i]:
                claimed = True
                if n.edge_to[i] >= 0:
                    found.add((int(n.edge_to[i]), 0, stack))
        if not claimed and n.otherwise[state] >= 0:
            inner, _ = self._closure({(int(n.otherwise[state]), 0, stack)})
            for other in inner:
                found |= self._step(other, byte)
        return found
