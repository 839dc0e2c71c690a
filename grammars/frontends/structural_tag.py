"""`StructuralTag`: free text until a trigger, then a constrained segment, then free text again."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.errors import InvalidGrammarError
from grammars.frontends.base import Constraint
from grammars.network.builder import NetworkBuilder
from grammars.network.units import DEAD_UNIT, UnitClass


@dataclass(frozen=True, slots=True)
class Tag:
    """One kind of segment: `begin`, then a text of `content`, then `end`; `begin` starts with a trigger."""

    begin: str
    content: Constraint
    end: str = ""


@dataclass(frozen=True, slots=True)
class StructuralTag:
    """Segments in free text, or segments alone.

    Attributes:
        tags: the kinds of segment; several may share a beginning.
        triggers: texts that free text cannot contain: writing one begins a tag.
        at_least_one: the text is complete only after a segment.
        stop_after_first: the text ends with its first segment.
        separator: stands between two segments when `free_text` is off.
        free_text: whether free text may stand before, between and after segments.
    """

    tags: tuple[Tag, ...]
    triggers: tuple[str, ...] = ()
    at_least_one: bool = False
    stop_after_first: bool = False
    separator: str = ""
    free_text: bool = True

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        tags = [(tag.begin, tag.content.cache_key(), tag.end) for tag in self.tags]
        flags = (self.at_least_one, self.stop_after_first, self.separator, self.free_text)
        return f"structural_tag:{tags!r}:{self.triggers!r}:{flags!r}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        self._check()
        root = builder.rule()
        segment = self._emit_segments(builder)
        if self.free_text:
            self._emit_with_text(builder, root, segment)
        else:
            self._emit_alone(builder, root, segment)
        builder.note("", "structural_tag")
        return root

    def _check(self) -> None:
        if not self.tags:
            raise InvalidGrammarError("a structural tag needs at least one tag")
        for index, tag in enumerate(self.tags):
            if not isinstance(tag.content, Constraint):
                raise InvalidGrammarError("the content of a tag is a constraint", f"/tags/{index}/content")
            if self.free_text and not any(tag.begin.startswith(t) for t in self.triggers if t):
                raise InvalidGrammarError("a tag begins with one of the triggers", f"/tags/{index}/begin")
        if self.free_text and not all(self.triggers):
            raise InvalidGrammarError("a trigger is not empty", "/triggers")
        for trigger in self.triggers:
            if any(other != trigger and other.startswith(trigger) for other in self.triggers):
                raise InvalidGrammarError(f"trigger {trigger!r} begins another one", "/triggers")

    def _emit_segments(self, builder: NetworkBuilder) -> dict[str, int]:
        """For each trigger, the rule of what follows it; under "" the rule of a whole segment."""
        rules: dict[str, int] = {}
        contents = [(tag, tag.content.emit(builder)) for tag in self.tags]
        prefixes = self.triggers if self.free_text else ("",)
        for prefix in prefixes:
            fitting = [(tag, content) for tag, content in contents if tag.begin.startswith(prefix)]
            if not fitting:
                continue
            start = rules[prefix] = builder.rule()
            trie: dict[tuple[int, int], int] = {}
            for tag, content in fitting:
                state = start
                for byte in tag.begin[len(prefix) :].encode():
                    if (state, byte) not in trie:
                        trie[state, byte] = builder.state()
                        builder.byte(state, byte, byte, trie[state, byte])
                    state = trie[state, byte]
                after = builder.state()
                builder.call(state, content, after)
                builder.accept(builder.literal(after, tag.end.encode()))
        return rules

    def _emit_alone(self, builder: NetworkBuilder, root: int, segments: dict[str, int]) -> None:
        end = builder.state()
        builder.call(root, segments[""], end)
        builder.accept(end)
        if not self.at_least_one:
            builder.accept(root)
        if not self.stop_after_first:
            again = builder.literal(end, self.separator.encode())
            if again == end:
                builder.call(end, segments[""], end)
            else:
                builder.call(again, segments[""], end)

    def _emit_with_text(self, builder: NetworkBuilder, root: int, segments: dict[str, int]) -> None:
        after = builder.state()
        builder.accept(after)
        text = self._emit_text(builder, root, segments, after, may_end=not self.at_least_one)
        builder.epsilon(root, text)
        if not self.stop_after_first:
            builder.epsilon(after, self._emit_text(builder, after, segments, after, may_end=True))

    def _emit_text(
        self, builder: NetworkBuilder, restart: int, segments: dict[str, int], after: int, may_end: bool
    ) -> int:
        """Free text without a trigger, as the automaton of Aho and Corasick (CACM 1975) over bytes.

        Characters that begin no trigger are one span, so that free text costs what a span costs; a state that has
        read the beginning of a trigger falls back to the span on any other byte.
        """
        texts = {trigger: trigger.encode() for trigger in self.triggers}
        first_bytes = {text[0] for text in texts.values()}
        leave = builder.state()
        text = builder.span(_without_first_bytes(first_bytes), 0, None, leave)
        if may_end:
            builder.accept(leave)
        prefixes = sorted({t[:n] for t in texts.values() for n in range(1, len(t))}, key=len)
        states = {prefix: builder.state() for prefix in prefixes}
        whole = {data: trigger for trigger, data in texts.items()}
        for prefix, state in [(b"", leave), *states.items()]:
            inside = _unit_state(prefix)
            if prefix and not inside:
                builder.otherwise(state, text)
                if may_end:
                    builder.accept(state)
            following = {t[len(s)] for t in texts.values() for s in _suffixes(prefix) if _begins(t, s)}
            for byte in following:
                found = _longest_known(prefix + bytes([byte]), states, whole)
                if found in whole:
                    begin = builder.state()
                    builder.byte(state, byte, byte, begin)
                    if whole[found] in segments:
                        builder.call(begin, segments[whole[found]], after)
                else:
                    builder.byte(state, byte, byte, states[found])
            if inside:
                # Within a character the other bytes that finish it lead back into the span, at the same place in it.
                for byte, goal in enumerate(UnitClass.ANY.table[inside]):
                    if goal != DEAD_UNIT and byte not in following:
                        builder.byte(state, byte, byte, text + int(goal))
        return text


def _unit_state(prefix: bytes) -> int:
    """Where in a character `prefix` ends; 0 at a boundary."""
    state = 0
    for byte in prefix:
        state = int(UnitClass.ANY.table[state, byte])
    return state


def _suffixes(prefix: bytes) -> list[bytes]:
    return [prefix[i:] for i in range(len(prefix) + 1)]


def _begins(text: bytes, prefix: bytes) -> bool:
    return len(text) > len(prefix) and text.startswith(prefix)


def _longest_known(data: bytes, states: dict[bytes, int], whole: dict[bytes, str]) -> bytes:
    return next(suffix for suffix in _suffixes(data) if suffix in states or suffix in whole)


def _without_first_bytes(first_bytes: set[int]) -> UnitClass:
    """All characters save those whose encoding begins with one of `first_bytes`."""
    table = UnitClass.ANY.table.copy()
    for byte in first_bytes:
        table[0, byte] = DEAD_UNIT
    return UnitClass(table)
