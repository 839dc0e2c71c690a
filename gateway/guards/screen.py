"""A streamed text under the rules of a policy: released, replaced, or ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gateway.core.answer import Finding, GuardAction
from gateway.guards.quotes import Quotes
from gateway.guards.rule import Applied, CompiledPattern, Span, Tagging
from gateway.guards.rules import Rules
from gateway.guards.scanner import State

_EVERYTHING = """The quick brown fox jumps over the lazy dog, and then (of course) 12 more did: "Why not?" It's 3.50.
THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG & 1234567890; 10/12/2025, 22 22 22 20, 100 %, A-1, B_2, #3, $4, ~5, *6*.
Write to Ann.Lee@example.org, or call +1 202-555-0143, (212) 555-0123, 030 901820, 2026-05-17 10:30.
See https://example.org/a/b?c=1&d=2#e, http://127.0.0.1:8000/v1, www.example.com, 2001:db8::1, C:\\dir\\file.txt.
{"name": "Jane", "number": "KX-4711", "total": 1290.5, "tags": ["a", "b"], "ok": true, "none": null}
def f(x, y=1): return x[0] ** 2 + {y: "z"}.get('k', -1)  # for i in range(10): <b>if</b> a != b | c ^ d
api_key = "not-one", password: secret, token=abc, Authorization: Bearer xyz, eyJ, AKIA, ghp_, sk-, -----BEGIN
DE89 3704 0044 0532 0130 00, 4111 1111 1111 1111, AB12CD34EF56, deadbeef0123, QUJDREVGR0g=
"""
"""Prose, numbers, JSON, code, and beginnings of common matches."""


class Screen:
    """Screens one text. `feed` it in any pieces, then `flush`; what they return may leave.

    A character is held back as long as a match that redacts or blocks may still come to cover it, and no longer. What
    overlapping matches cover is replaced as one, by the replacement of the first rule among theirs. A match that blocks
    ends the text: nothing leaves of what was held back when it was complete.

    Attributes:
        blocked: The rule that ended the text.
        num_redacted: Places where something was replaced.
    """

    def __init__(self, rules: Rules) -> None:
        self.blocked: Applied | None = None
        self._blocking: int | None = None
        self.num_redacted = 0
        self._rules = rules
        self._state: State = rules.scanner.start
        # Where the matches in each slot of the state began.
        self._starts: tuple[tuple[int, ...], ...] = ()
        self._position = 0
        self._released = 0
        # What is not forgotten: the text from `_base` on.
        self._base = 0
        self._text = ""
        # Covered by matches: begin, end, rule; apart from each other and in order.
        self._covered: list[tuple[int, int, int]] = []
        self._quotes = [(number, Quotes(source)) for number, source in rules.sources]
        self._counts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        # Offsets up to which taggers have read, and up to which they released text.
        self._read = dict.fromkeys(rules.taggings, 0)
        self._tagged = dict.fromkeys(rules.taggings, 0)

    @property
    def num_held(self) -> int:
        """Characters that are held back."""
        return self._position - self._released

    def feed(self, text: str) -> str:
        """Return what may leave after these characters."""
        if self.blocked is not None:
            return ""
        self._text += text
        is_counted = bool(self._rules.bounds or self._quotes)
        for character in text:
            step = self._state.by_character.get(character)
            if step is not None and step.is_quiet and not is_counted:
                # Most characters of most texts.
                self._state, self._starts, self._position = step.target, (), self._position + 1
            elif not self._take(character):
                break
        return self._leave()

    def flush(self) -> str:
        """Return all that was held back, for the text has ended, or is interrupted: it is judged as if it ended here.

        It may go on. A match that spans the interruption still ends the text if it blocks; if it redacts, it replaces
        what comes after.
        """
        if self.blocked is not None or not self._end():
            return ""
        return self._release(self._position)

    def untagged(self, *, is_over: bool) -> list[tuple[Tagging, int, str]]:
        """Return the texts that taggers must read now, each with its offset. With `is_over` no more text comes, or none
        before some is released."""
        due = []
        for tagging, read in self._read.items():
            num_new, hold = self._position - read, tagging.hold_characters
            if num_new > 0 and (is_over or (hold is not None and num_new >= hold)):
                begin = self._tag_begin(tagging)
                due.append((tagging, begin, self._text[begin - self._base :]))
        return due

    def tag(self, tagging: Tagging, begin: int, spans: Sequence[Span] | None, *, is_over: bool) -> str:
        """Return what may leave now that a tagger has read all that came: what it found counts as any match does.

        What it read for the first time is held back until it is read again, together with what comes after it.

        Args:
            begin: Offset of its first character.
            spans: Spans found; None if the tagger could not be asked.
        """
        if self.blocked is not None:
            return ""
        places = self._rules.taggings[tagging]
        if spans is None:
            if not tagging.is_lenient and not self._miss(next(iter(places.values()))):
                return ""
            spans = ()
        hits = sorted(
            (begin + each.begin, begin + each.end, places[each.kind]) for each in spans if each.kind in places
        )
        # What is read again may have left.
        hits = [hit for hit in hits if self._action(hit[2]) != "redact" or hit[1] > self._released]
        if hits and not self._meet(hits):
            self._tagged[tagging] = min(begin for begin, _, number in hits if number == self._blocking)
            return self._leave()
        self._tagged[tagging] = self._position if is_over else self._read[tagging]
        self._read[tagging] = self._position
        return self._leave()

    def _tag_begin(self, tagging: Tagging) -> int:
        """From where a tagger is to read next: as much again as is new to it."""
        return 0 if tagging.hold_characters is None else max(0, self._read[tagging] - tagging.hold_characters)

    def _miss(self, number: int) -> bool:
        """Count what a failed tagger covers as found; false if the text must not leave."""
        self._counts[number] = self._counts.get(number, 0) + 1
        rule = self._rules.applied[number]
        if rule.holds:
            self.blocked, self._blocking = rule if rule.ends else replace(rule, action="block"), number
        return not rule.holds

    @property
    def counts(self) -> Mapping[int, int]:
        """Return the number of matches by rule."""
        return self._counts

    def findings(self, where: str) -> list[Finding]:
        """Return the findings in the policy's order."""
        rules = [self.blocked if number == self._blocking else each for number, each in enumerate(self._rules.applied)]
        return [
            Finding(guard=each.rule.guard, kind=each.rule.kind, action=each.action, where=where, count=count)
            for number, each in enumerate(rules)
            if each is not None and (count := self._counts.get(number, 0))
        ]

    def _take(self, character: str) -> bool:
        """Process a character; false if neither it nor later text may leave."""
        position, scanner, starts = self._position, self._rules.scanner, self._starts
        state = self._state
        step = scanner.step(state, character)
        hits: list[tuple[int, int, int]] = []
        for index in step.closing:
            hits += self._hits(state.shapes[index], starts[index], position)
        if not step.sources:
            following: tuple[tuple[int, ...], ...] = ()
        else:
            met = [_merged(starts, sources, position) for sources in step.sources]
            for place, number in enumerate(step.reached):
                if number not in scanner.checked and len(met[place]) > 1:
                    met[place] = (met[place][0],)
            for place in step.completing:
                hits += self._hits(step.reached[place], met[place], position + 1)
            following = tuple([met[place] for place in step.kept])
        for number, most in self._rules.bounds:
            if position >= most:
                hits.append((most, position + 1, number))
        for number, quotes in self._quotes:
            begin = quotes.take(character, position)
            if begin is not None:
                hits.append((begin, position + 1, number))
        if hits and not self._meet(hits):
            return False
        self._state, self._starts, self._position = step.target, following, position + 1
        return True

    def _hits(self, number: int, starts: Sequence[int], end: int) -> list[tuple[int, int, int]]:
        """Return the matches of a rule that end here and pass its check."""
        what = self._rules.applied[number].rule.what
        assert isinstance(what, CompiledPattern), "a bound has no slots"
        check, base = what.check, self._base
        return [
            (start, end, number) for start in starts if check is None or check(self._text[start - base : end - base])
        ]

    def _meet(self, hits: list[tuple[int, int, int]]) -> bool:
        """Record matches; false if one of them blocks."""
        for begin, end, number in hits:
            if begin >= self._ends.get(number, 0):
                self._counts[number] = self._counts.get(number, 0) + 1
            self._ends[number] = max(end, self._ends.get(number, 0))
        blocking = min((number for begin, end, number in hits if self._ends_at(begin, end, number)), default=None)
        if blocking is not None:
            rule = self._rules.applied[blocking]
            self.blocked = rule if rule.ends else replace(rule, action="block")
            self._blocking = blocking
            return False
        for begin, end, number in hits:
            if self._action(number) == "redact":
                self._cover(max(begin, self._released), end, number)
        return True

    def _ends_at(self, begin: int, end: int, number: int) -> bool:
        rule = self._rules.applied[number]
        return rule.ends or (rule.action == "redact" and not self._can_redact(rule, max(begin, self._released), end))

    def _can_redact(self, rule: Applied, begin: int, end: int) -> bool:
        """True if a replacement is possible at this place."""
        return True

    def _kept(self, text: str) -> str:
        """Return the text that leaves unchanged."""
        return text

    def _replaced(self, count: int, replacement: str) -> str:
        """Return the replacement for this many characters."""
        return replacement

    def _action(self, number: int) -> GuardAction:
        return self._rules.applied[number].action

    def _cover(self, begin: int, end: int, number: int) -> None:
        """Add a match; those that overlap are one."""
        behind: list[tuple[int, int, int]] = []
        while self._covered and self._covered[-1][1] > begin:
            other_begin, other_end, other = self._covered.pop()
            if other_begin >= end:
                behind.append((other_begin, other_end, other))
                continue
            begin, end, number = min(begin, other_begin), max(end, other_end), min(number, other)
        if begin < end:
            self._covered.append((begin, end, number))
        self._covered.extend(reversed(behind))

    def _leave(self) -> str:
        """Release all that nothing can cover any more."""
        boundary = self._position
        for tagging, end in self._tagged.items():
            if end < boundary and self._rules.holds(tagging):
                boundary = end
        for number, starts in zip(self._state.shapes, self._starts, strict=True):
            if starts[0] < boundary and self._rules.applied[number].holds:
                boundary = starts[0]
        for number, most in self._rules.bounds:
            if most < boundary and self._rules.applied[number].holds:
                boundary = most
        for number, quotes in self._quotes:
            if quotes.begin < boundary and self._rules.applied[number].holds:
                boundary = quotes.begin
        return self._release(boundary)

    def _release(self, boundary: int) -> str:
        out: list[str] = []
        at, base, text = self._released, self._base, self._text
        num_closed = 0
        for begin, end, number in self._covered:
            if end > boundary:
                boundary = min(boundary, begin)
                break
            out.append(self._kept(text[at - base : begin - base]))
            out.append(self._replaced(end - begin, self._rules.applied[number].replacement))
            at = end
            num_closed += 1
        del self._covered[:num_closed]
        self.num_redacted += num_closed
        if boundary > at:
            out.append(self._kept(text[at - base : boundary - base]))
            at = boundary
        self._released = at
        self._forget()
        return "".join(out)

    def _forget(self) -> None:
        """Drop what left and no check will ask for."""
        needed = self._released
        for number, starts in zip(self._state.shapes, self._starts, strict=True):
            if number in self._rules.scanner.checked and starts[0] < needed:
                needed = starts[0]
        for tagging in self._read:
            needed = min(needed, self._tag_begin(tagging))
        self._text = self._text[needed - self._base :]
        self._base = needed

    def _end(self) -> bool:
        """Record the matches that are complete if the text ends here; false if one blocks."""
        hits: list[tuple[int, int, int]] = []
        for index in self._state.ending:
            hits += self._hits(self._state.shapes[index], self._starts[index], self._position)
        return not hits or self._meet(hits)


def warm(rules: Rules) -> None:
    """Work out what the characters of ordinary texts do, and load what checks need: else the first texts wait."""
    screen = Screen(rules.observe_only())
    screen.feed(_EVERYTHING)
    screen.flush()


def _merged(starts: Sequence[tuple[int, ...]], sources: tuple[int, ...], position: int) -> tuple[int, ...]:
    """Return the begins of merged matches, earliest first."""
    if len(sources) == 1:
        return starts[sources[0]] if sources[0] >= 0 else (position,)
    found = {position} if sources[-1] < 0 else set()
    for source in sources:
        if source >= 0:
            found.update(starts[source])
    return tuple(sorted(found))
