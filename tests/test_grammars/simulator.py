"""A slow, obvious interpreter of a network's arrays: sets of (state, count, stack), one byte at a time."""

from __future__ import annotations

import json

from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.network import AFTER, CHECK, CHOOSE, NORMAL, REPEAT, SPAN, Network
from grammars.vocabulary.units import DEAD_UNIT


class Simulator:
    """Decides membership in a network's language."""

    def __init__(self, network: Network) -> None:
        self.n = network

    @classmethod
    def of(cls, spec, limits: Limits | None = None) -> Simulator:
        """The simulator of a front end's spec."""
        builder = NetworkBuilder(limits)
        return cls(builder.finish(spec.emit(builder)))

    def must_tell_apart(self, accepted, refused):
        """Asserts that the JSON texts of the values are accepted, or refused."""
        for value in accepted:
            for text in (json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, indent=2)):
                assert self.accepts(text), text
        for value in refused:
            text = json.dumps(value, ensure_ascii=False)
            assert not self.accepts(text), text

    def accepts(self, text: str | bytes) -> bool:
        """Whether the whole text matches."""
        data = text.encode() if isinstance(text, str) else text
        self.text = b""
        current, complete = self._closure({(int(self.n.root), 0, ())})
        for position, byte in enumerate(data):
            self.text = data[: position + 1]
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
        elif kind == CHECK:
            if self._holds(self.n.checks[n.check_index[n.item[state]]]):
                yield (int(n.check_exit[n.item[state]]), 0, stack)
        elif kind in (CHOOSE, AFTER):
            yield from self._members(int(n.item[state]), kind, count or (frozenset(), 0), stack)
        else:
            assert kind == NORMAL
            for i in range(n.epsilon_start[state], n.epsilon_start[state + 1]):
                yield (int(n.epsilon_to[i]), 0, stack)
            for i in range(n.call_start[state], n.call_start[state + 1]):
                returns = int(n.call_return[i])
                yield (int(n.call_rule[i]), 0, stack if returns < 0 else (*stack, (returns, 0)))
            if n.accepts[state]:
                yield (*stack[-1], stack[:-1]) if stack else None

    def _members(self, item, kind, done, stack):
        n = self.n
        chosen, number = done
        first, last = int(n.member_start[item]), int(n.member_start[item + 1])
        low, high, ordered = int(n.select_low[item]), int(n.select_high[item]), int(n.select_ordered[item])
        missing = {i for i in range(last - first) if n.member_required[first + i] and i not in chosen}
        slots = 10**9 if high < 0 else high - number
        choices, is_blocked = [], False
        for i in range(last - first):
            if i in chosen or is_blocked:
                continue
            if n.member_rule[first + i] >= 0 and (i in missing or slots > len(missing)):
                before = set(range(i)) if i < ordered else set(range(ordered))
                choices.append((int(n.member_rule[first + i]), frozenset(chosen | before | {i})))
            is_blocked = i in missing and i < ordered
        if n.select_others[item] >= 0 and slots > len(missing) and not is_blocked:
            choices.append((int(n.select_others[item]), chosen | frozenset(range(ordered))))
        if kind == AFTER:
            if not missing and number >= low:
                yield (int(n.select_exit[item]), 0, stack)
            if choices:
                yield (int(n.select_separator[item]), 0, (*stack, (int(n.select_choose[item]), done)))
            return
        for rule, following in choices:
            yield (rule, 0, (*stack, (int(n.select_after[item]), (following, number + 1))))

    def _holds(self, check):
        if check.predicate is not None:
            return check.predicate(self.text)
        stack, current, names = [], b"", []
        text, place = self.text.decode(), 0
        while place < len(text):
            if text[place] == '"':
                end = place + 1
                while text[end] != '"':
                    end += 2 if text[end] == "\\" else 1
                current = text[place : end + 1]
                if stack and stack[-1][1]:
                    names = stack[-1][2]
                    is_new = current not in names
                    names.append(current)
                    if end == len(text) - 1:
                        return is_new
                place = end
            elif text[place] in "{[":
                stack.append([text[place], True, []])
            elif text[place] in "}]":
                stack.pop()
            elif text[place] == "," and stack:
                stack[-1][1] = True
            elif text[place] == ":" and stack:
                stack[-1][1] = False
            place += 1
        return True

    def _step(self, item, byte):
        state, count, stack = item
        n = self.n
        if int(n.kind[state]) == SPAN:
            span = int(n.item[state])
            low, high, first = int(n.span_low[span]), int(n.span_high[span]), int(n.span_first[span])
            if state == first and high >= 0 and count >= high:
                return set()
            target = int(n.classes[n.span_class[span]].table[state - first][byte])
            if target == DEAD_UNIT:
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
