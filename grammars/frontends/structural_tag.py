"""`StructuralTag`: free text until a trigger, then a constrained segment, then free text again."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os.path import commonprefix
from typing import NamedTuple
from weakref import WeakKeyDictionary

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.base import Constraint, Once, is_constraint, joined
from grammars.limits import Limits
from grammars.network import operations as op
from grammars.network.builder import NetworkBuilder
from grammars.vocabulary.spelling import BEGIN, SpecialTokens
from grammars.vocabulary.units import DEAD_UNIT, UnitClass

BYTES = [bytes([byte]) for byte in range(256)]
# What is before a name, and the name with the one character after it.
_LAST_WORD = re.compile(r"(.*[^\w.-])([\w.-]+[^\w.-])", re.ASCII | re.DOTALL)
_known: WeakKeyDictionary[SpecialTokens, tuple[re.Pattern[str], dict[str, bytes]]] = WeakKeyDictionary()


def units(text: str, special: SpecialTokens | None) -> list[bytes]:
    """Return the bytes of `text` one by one, but the spelling of a special token, see `special`, in one piece.

    Of names that begin at one place the longest counts. Tokens that end a text mean nothing inside of one: where
    their names occur, they are text.

    Args:
        special: None: there is no vocabulary, and all is text.
    """
    found: list[bytes] = []
    for piece in _pieces(text, special):
        found += [piece] if is_special(piece) else map(BYTES.__getitem__, piece)
    return found


def spelled(text: str, special: SpecialTokens | None) -> bytes:
    """The `units` of a text together."""
    return b"".join(_pieces(text, special))


def is_special(unit: bytes) -> bool:
    """True if a unit is a special token."""
    return unit.startswith(BEGIN)


def _pieces(text: str, special: SpecialTokens | None) -> list[bytes]:
    """Special tokens as they are spelled, and what is between their names."""
    if special is None or not len(special):
        return [text.encode()]
    known = _known.get(special)
    if known is None:
        spellings = {name: special.spelling(token_id) for name, token_id in special if name}
        longest_first = sorted(spellings, key=len, reverse=True)
        known = _known[special] = re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'})"), spellings
    pattern, spellings = known
    return [spellings.get(piece) or piece.encode() for piece in pattern.split(text)]


def step(builder: NetworkBuilder, source: int, unit: bytes, target: int) -> int:
    """An edge, or for a special token the chain that spells it: one of its own, so that it costs one token."""
    if is_special(unit):
        builder.literal(source, unit, target)
    else:
        builder.byte(source, unit[0], unit[0], target)
    return target


def emit_trie(builder: NetworkBuilder, source: int, words: Sequence[list[bytes]]) -> list[int]:
    """Paths that share their beginnings; the state after each word."""
    order = sorted(range(len(words)), key=words.__getitem__)
    # All words begin like the first and the last of them.
    size = len(commonprefix([words[order[0]], words[order[-1]]])) if order else 0  # noqa: RUF071
    rests = [words[index][size:] for index in order]
    common = [0, *(size + len(commonprefix(pair)) for pair in pairwise(rests)), 0]  # noqa: RUF071
    path, ends = [source], [source] * len(words)
    for index, before, following in zip(order, common, common[1:], strict=False):
        word = words[index]
        del path[before + 1 :]
        for unit in word[before:following]:
            path.append(step(builder, path[-1], unit, builder.state()))
        # What no other word goes on with is one chain.
        ends[index] = builder.literal(path[-1], b"".join(word[len(path) - 1 :]))
    return ends


@dataclass(frozen=True, slots=True)
class Tag:
    """Kind of segment: `begin`, then a text of `content`, then `end`; `begin` starts with a trigger."""

    begin: str
    content: Constraint
    end: str = ""


@dataclass(frozen=True, slots=True)
class StructuralTag:
    """Segments in free text, or segments alone.

    Where the name of a special token of the vocabulary stands in a beginning, an end, a trigger or the separator, that
    token is meant; free text contains no special token. The same name spelled by other tokens is text like any.

    Attributes:
        tags: the kinds of segment; several may share a beginning.
        triggers: texts that free text cannot contain: writing one begins a tag, if one begins so.
        at_least_one: the text is complete only after a segment.
        stop_after_first: the text ends with its first segment.
        separator: is between two segments when `free_text` is off.
        free_text: whether free text may come before, between and after segments.
        then: what follows the first segment, instead of free text and others.
        not_first: ASCII texts with none of which free text begins, whitespace aside; none begins another, or has a
            character in it that a trigger begins with.
    """

    tags: tuple[Tag, ...]
    triggers: tuple[str, ...] = ()
    at_least_one: bool = False
    stop_after_first: bool = False
    separator: str = ""
    free_text: bool = True
    then: Constraint | None = None
    not_first: tuple[str, ...] = ()

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        tags = joined([text for tag in self.tags for text in (tag.begin, tag.content.cache_key(), tag.end)])
        flags = (self.at_least_one, self.stop_after_first, self.separator, self.free_text, self.not_first)
        then = "" if self.then is None else self.then.cache_key()
        return f"structural_tag:{joined((tags, joined(self.triggers), repr(flags), then))}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        triggers = sorted(set(self.triggers))
        self._check(builder.limits, triggers)
        root = builder.rule()
        free = _free_text(triggers, builder.special_tokens)
        segment = self._emit_segments(builder, free.texts)
        if self.free_text:
            self._emit_with_text(builder, root, segment, free)
        else:
            self._emit_alone(builder, root, segment)
        builder.note("", "structural_tag")
        return root

    def _check(self, limits: Limits, triggers: list[str]) -> None:
        if not self.tags and (self.at_least_one or not self.free_text):
            raise InvalidGrammarError("a structural tag needs at least one tag, or free text alone")
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in triggers)
        if size > limits.max_grammar_bytes:
            raise TooComplexError("max_grammar_bytes", size, limits.max_grammar_bytes, "/triggers")
        if self.free_text and not all(triggers):
            raise InvalidGrammarError("a trigger is not empty", "/triggers")
        if (trigger := _begun(triggers)) is not None:
            raise InvalidGrammarError(f"trigger {trigger!r} begins another one", "/triggers")
        for index, tag in enumerate(self.tags):
            if not is_constraint(tag.content):
                raise InvalidGrammarError("the content of a tag is a constraint", f"/tags/{index}/content")
            if self.free_text and _trigger_of(tag.begin, triggers) is None:
                raise InvalidGrammarError("a tag begins with one of the triggers", f"/tags/{index}/begin")
        firsts, words = {trigger[0] for trigger in triggers if trigger}, sorted(self.not_first)
        if not all(text.isascii() and firsts.isdisjoint(text) for text in words) or _begun(words):
            raise InvalidGrammarError("what is not first holds what a trigger or another begins with", "/not_first")

    def _emit_segments(self, builder: NetworkBuilder, triggers: list[str]) -> dict[str, int]:
        """For each trigger, the rule of what follows it; under "" the rule of a whole segment."""
        rules: dict[str, int] = {}
        contents: dict[str, list[tuple[Tag, int]]] = {}
        for tag in self.tags:
            prefix = (_trigger_of(tag.begin, triggers) or "") if self.free_text else ""
            contents.setdefault(prefix, []).append((tag, Once(tag.content).emit(builder)))
        special, ends = builder.special_tokens, dict[str, int]()
        for prefix, fitting in contents.items():
            start = rules[prefix] = builder.rule()
            first = units(prefix, special)
            begins = [units(tag.begin, special) for tag, _ in fitting]
            if any(begin[: len(first)] != first for begin in begins):
                raise InvalidGrammarError(f"trigger {prefix!r} ends within the name of a special token", "/triggers")
            begins = [begin[len(first) :] for begin in begins]
            for state, (tag, content) in zip(emit_trie(builder, start, begins), fitting, strict=True):
                if tag.end not in ends:
                    ends[tag.end] = builder.state()
                    builder.accept(builder.literal(ends[tag.end], spelled(tag.end, special)))
                builder.call(state, content, ends[tag.end])
        return rules

    def _emit_alone(self, builder: NetworkBuilder, root: int, segments: dict[str, int]) -> None:
        end = builder.state()
        builder.call(root, segments[""], end)
        builder.accept(end)
        if not self.at_least_one:
            builder.accept(root)
        if not self.stop_after_first:
            again = builder.literal(end, spelled(self.separator, builder.special_tokens))
            builder.call(again, segments[""], end)

    def _emit_with_text(self, builder: NetworkBuilder, root: int, segments: dict[str, int], free: FreeText) -> None:
        after = builder.state()
        if self.then is None:
            builder.accept(after)
        else:
            builder.call(after, self.then.emit(builder), builder.end())
        text = free.emit(builder, segments, after, may_end=not self.at_least_one)
        builder.epsilon(root, self._emit_first(builder, text) if self.not_first else text)
        if not self.stop_after_first and self.then is None:
            again = free.emit(builder, segments, after, may_end=True) if self.at_least_one else text
            builder.epsilon(after, again)

    def _emit_first(self, builder: NetworkBuilder, text: int) -> int:
        """Emit the begin of free text: nothing leads past a word's last byte."""
        start, words = builder.state(), [word.encode() for word in self.not_first]
        ends = emit_trie(builder, start, [[*map(BYTES.__getitem__, word[:-1])] for word in words])
        builder.write_from(start, op.OTHERWISE, text)
        if not self.at_least_one:
            builder.write_from(start, op.ACCEPT)
        for end, word in zip(ends, words, strict=True):
            builder.dead(end, word[-1], word[-1])
        for byte in b" \t\n\r":
            builder.byte(start, byte, byte, start)
        return start


class FreeText(NamedTuple):
    """Text up to a trigger.

    Attributes:
        texts: triggers, but `heads` for those that are one of these and one of `names`; none begins another.
    """

    texts: list[str]
    heads: tuple[str, ...]
    names: list[bytes]

    def emit(self, builder: NetworkBuilder, segments: dict[str, int], after: int, may_end: bool) -> int:
        """The state where text begins, as the automaton of Aho and Corasick (CACM 1975) over bytes.

        Characters that begin no trigger are one span, so that free text costs what a span costs; a state that has
        read the beginning of a trigger falls back to the span on any other byte. After a special token, which free
        text does not contain, there is no way back: the rest of the trigger follows.
        """
        children, whole = _trie({text: units(text, builder.special_tokens) for text in self.texts})
        leave = builder.state()
        text = builder.span(_without_first_bytes(children[0]), 0, None, leave)
        if may_end:
            builder.accept(leave)
        else:
            # The same once more as plain chains, which give the fewest tokens that lead out of the text.
            for trigger in segments:
                begin = builder.literal(leave, spelled(trigger, builder.special_tokens))
                builder.call(begin, segments[trigger], after)
        states = {node: builder.state() if node else leave for node in range(len(children))}
        for node, trigger in whole.items():
            if trigger in segments:
                builder.call(states[node], segments[trigger], after)
        if self.heads:
            names = builder.state()
            builder.excluding(names, self.names, text)
            if may_end:
                builder.write_from(names, op.ACCEPT)
            for node in (node for node, trigger in whole.items() if trigger in self.heads):
                builder.epsilon(states[node], names)
        table = UnitClass.ANY.table.tolist()
        # Where in a character the text of a node ends, 0 at a boundary; None: there is no way back.
        inside: dict[int, int | None] = {0: 0}
        for node, moves, ended in _moves(children, whole):
            if ended is not None:
                # A trigger ends here within a longer one: its tag begins, or the rest of the longer one follows.
                inside[node] = None
                if ended in segments:
                    builder.call(states[node], segments[ended], after)
            place = inside[node]
            if node and place == 0:
                builder.otherwise(states[node], text)
                if may_end:
                    builder.accept(states[node])
            for unit, goal in moves.items():
                if place and (is_special(unit) or table[place][unit[0]] == DEAD_UNIT):
                    continue  # it would leave half a character behind
                step(builder, states[node], unit, states[goal])
            for unit, child in children[node].items():
                is_behind = place is None or is_special(unit)
                inside[child] = None if is_behind else table[place][unit[0]]
            if place:
                # Within a character the other bytes that finish it lead back into the span, at the same place in it.
                for byte, goal in enumerate(table[place]):
                    if goal != DEAD_UNIT and bytes([byte]) not in moves:
                        builder.byte(states[node], byte, byte, text + goal)
        return text


def _free_text(triggers: list[str], special: SpecialTokens | None) -> FreeText:
    """Text up to one of sorted triggers; those of many names are grouped by name.

    Text after a head goes on by itself: nothing that has begun before is a beginning of another trigger there.
    """
    groups: dict[str, list[str]] = {}
    for found in filter(None, map(_LAST_WORD.fullmatch, triggers)):
        groups.setdefault(found[1], []).append(found[2])
    names = max(groups.values(), key=len, default=[])
    heads = tuple(head for head in groups if groups[head] == names)
    named = dict.fromkeys(head + name for head in heads for name in names)
    texts, written = sorted({*heads, *triggers} - named.keys()), "\n".join(named)
    firsts = {text[0] for text in texts if text}
    ends = {head[at:] for head in heads for at in range(len(head))}
    is_apart = not any(text != head and (text in head or head in text) for head in heads for text in texts)
    is_apart = (
        is_apart
        and all(text.isascii() and firsts.isdisjoint(text) for text in names)
        and not any(text[:size] in ends for text in texts for size in range(1, len(text)))
    )
    if len(names) < 2 or not is_apart or spelled(written, special) != written.encode():
        return FreeText(triggers, (), [])
    return FreeText(texts, heads, [name.encode() for name in names])


def _begun(texts: list[str]) -> str | None:
    """The first of sorted texts that begins another one."""
    return next((text for text, following in pairwise(texts) if following.startswith(text)), None)


def _trigger_of(begin: str, triggers: list[str]) -> str | None:
    """The trigger that `begin` starts with. `triggers` are sorted, and none begins another."""
    at = bisect_right(triggers, begin)
    return triggers[at - 1] if at and begin.startswith(triggers[at - 1]) else None


def _trie(triggers: Mapping[str, Sequence[bytes]]) -> tuple[list[dict[bytes, int]], dict[int, str]]:
    """The children of each node by unit, node 0 the root; and which trigger is whole at a node."""
    children: list[dict[bytes, int]] = [{}]
    whole = {}
    for trigger, whole_trigger in triggers.items():
        node = 0
        for unit in whole_trigger:
            if unit not in children[node]:
                children[node][unit] = len(children)
                children.append({})
            node = children[node][unit]
        whole[node] = trigger
    return children, whole


def _moves(
    children: list[dict[bytes, int]], whole: dict[int, str]
) -> Iterator[tuple[int, dict[bytes, int], str | None]]:
    """Yield each node without a whole trigger, shortest texts first, with the target of each unit.

    A unit may continue the node's text or the longest end of it that is a node, too; after a special token, and from
    where another trigger has ended within the node's text, the text alone. What a trigger's first byte does anywhere,
    node 0 says. Last comes the trigger that ends within the node's text, at the node where it does.
    """
    fallback, moves = {0: 0}, {0: children[0]}
    tokens = {unit: child for unit, child in children[0].items() if is_special(unit)}
    order, ended = [0], dict[int, str]()
    for node in order:
        yield node, moves[node], ended.get(node)
        for unit, child in children[node].items():
            if child in whole:
                continue
            order.append(child)
            at, goal = node, 0
            while at and not goal and node in fallback:
                at = fallback[at]
                goal = children[at].get(unit, 0)
            if goal in whole or goal in ended:
                ended[child] = whole[goal] if goal in whole else ended[goal]
            if is_special(unit) or node not in fallback or child in ended:
                moves[child] = children[child]
                continue
            fallback[child] = goal
            moves[child] = (moves[goal] if goal else tokens) | children[child]


def _without_first_bytes(first: Iterable[bytes]) -> UnitClass:
    """Return all characters but those whose encoding begins like one of the units; special tokens begin like none."""
    table = UnitClass.ANY.table.copy()
    for unit in first:
        table[0, unit[0]] = DEAD_UNIT
    return UnitClass(table)
