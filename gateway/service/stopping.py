"""Stop strings in content that has already been told from tool calls."""

from __future__ import annotations

from gateway.text import StopAutomaton, StopMatch, StopSequences


class ContentStop:
    """Passes content on up to the first stop string, holding back what may be the start of one.

    Stop strings and content are both whole characters in UTF-8, so what is held back begins on a character.
    """

    def __init__(self, stops: StopAutomaton, include_stop: bool) -> None:
        self._stops = StopSequences(stops, ())
        self._include_stop = include_stop
        self._held = b""

    @property
    def match(self) -> StopMatch | None:
        """The stop string that ended the content."""
        return self._stops.match

    def feed(self, text: str) -> str:
        """The content that is safe to send after this piece."""
        if self.match is not None:
            return ""
        begin = self._stops.num_bytes - len(self._held)
        self._stops.accept_bytes(text.encode())
        data, self._held = self._held + text.encode(), b""
        match = self._stops.match
        if match is not None:
            return data[: (match.end if self._include_stop else match.begin) - begin].decode()
        safe = len(data) - self._stops.num_held_bytes
        self._held = data[safe:]
        return data[:safe].decode()

    def finish(self) -> str:
        """What was held back, now that the content has ended or a call interrupts it."""
        held, self._held = self._held, b""
        return held.decode()
