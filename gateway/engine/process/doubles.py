"""The forkserver that forks, and a double that takes its place at once when it dies."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from gateway.engine.process.channel import ChannelClosedError
from gateway.engine.process.child import Forkserver, end_group, reap_group
from gateway.engine.process.messages import Setup

PAUSE_S = 0.25
"""Between a double and the next one, where they die."""


class Forkservers:
    """What imports take is spent once: a double is forked from what has imported, and idles.

    Attributes:
        acting: The one that forks; None while there is none.
        double: The one that waits; its descriptor is to be looked at for its end.
    """

    def __init__(self, command: Sequence[str], setup: Setup, spare: Forkserver | None) -> None:
        """Args: spare: Started by the same command before; whoever started it closes it."""
        self.acting: Forkserver | None = None
        self.double: Forkserver | None = None
        self._command = command
        self._setup = setup
        self._spare = spare
        # Of those that act, and of those that are gone: what they forked comes to this process, and ends when it likes.
        self._groups: set[int] = set()
        self._doubled = 0.0

    def replace(self) -> Forkserver:
        """Another one acts, whose first answer is `Prepared`: the double, or a new one.

        Raises:
            ChannelClosedError: It ended.
            OSError: None can be started.
        """
        self.check()
        self.acting, self.double = self.double, None
        if self.acting is None:
            self.acting, self._spare = self._spare or Forkserver.start(self._command), None
            self._groups.add(self.acting.group)
            self.acting.begin(self._setup)
        return self.acting

    def check(self) -> None:
        """Forget a double that ended."""
        if self.double is not None and self.double.is_gone:
            self.double.close()
            self.double = None

    def stand_by(self) -> None:
        """There is a double, unless there was one a moment ago."""
        if self.double is None and self.acting is not None and time.monotonic() - self._doubled > PAUSE_S:
            self._groups = set(filter(reap_group, self._groups))
            self._doubled = time.monotonic()
            # That it is gone is noticed by the end of its worker; a descriptor may be free the next time.
            with suppress(ChannelClosedError, OSError):
                self.double = self.acting.double()

    def drop(self) -> None:
        """Kill the one that acts."""
        if self.acting is not None:
            self.acting.close()
            self.acting = None

    def close(self) -> None:
        """Kill both, and all that they and those before them forked."""
        for server in (self.acting, self.double):
            if server is not None:
                server.close()
        for group in self._groups:
            end_group(group)
        self.acting = self.double = None
