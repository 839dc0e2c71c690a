"""Stop strings in content, after tool calls are parsed out."""

from __future__ import annotations

from gateway.text import StopAutomaton, StopMatch, StopSequences
from grammars import Matcher


class ContentStop:
    """Filter that passes content up to the first stop string and holds back a possible beginning of one.

    Under a constraint a stop string counts only where the content before it is a complete match; others pass.
    Stop strings and content are whole UTF-8 characters, so what is held back begins at a character.
    """

    def __init__(self, stops: StopAutomaton, include_stop: bool, matcher: Matcher | None = None) -> None:
        """Args: matcher: Matcher of the constraint over single bytes."""
        self._stops = StopSequences(stops, (), None if matcher is None else self._is_whole_at)
        self._include_stop = include_stop
        self._held = b""
        self._matcher = matcher
        self._whole: set[int] = set()
        # Completeness is recorded where a stop string may begin or may have ended.
        self._asked_at = {stop.encode()[-1 if include_stop else 0] for stop in stops.stops}

    @property
    def match(self) -> StopMatch | None:
        """Return the stop string that ended the content; None before that."""
        return self._stops.match

    def feed(self, text: str) -> str:
        """Return the content that is safe to send after this piece."""
        if self.match is not None:
            return ""
        begin = self._stops.num_bytes - len(self._held)
        self._note_whole(text.encode())
        self._stops.accept_bytes(text.encode())
        data, self._held = self._held + text.encode(), b""
        match = self._stops.match
        if match is not None:
            return data[: (match.end if self._include_stop else match.begin) - begin].decode()
        safe = len(data) - self._stops.num_held_bytes
        self._held = data[safe:]
        return data[:safe].decode()

    def finish(self) -> str:
        """Return what was held back, once the content has ended or a call interrupts it."""
        held, self._held = self._held, b""
        return held.decode()

    def _note_whole(self, data: bytes) -> None:
        """Record the offsets at which the content is a complete match while these bytes arrive."""
        if self._matcher is None:
            return
        for place, byte in enumerate(data, self._stops.num_bytes):
            if not self._include_stop and byte in self._asked_at and self._matcher.is_complete:
                self._whole.add(place)
            if not self._matcher.accept(byte):
                self._matcher = None  # e.g. a special token: no later text is complete
                return
            if self._include_stop and byte in self._asked_at and self._matcher.is_complete:
                self._whole.add(place + 1)

    def _is_whole_at(self, match: StopMatch) -> bool:
        return (match.end if self._include_stop else match.begin) in self._whole
