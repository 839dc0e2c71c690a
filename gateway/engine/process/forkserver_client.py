"""The client's handles on the forkserver, on its standby, and through them on all that they fork."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, Self

from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.messages import MAX_CONTROL_BYTES, Fork, Message, Setup, pack

STANDBY_CHECK_S = 0.25
"""Between looks at the standby, and so between one and the next where they die."""
_PR_SET_CHILD_SUBREAPER = 36


class Forkserver:
    """The client's handle on a forkserver. The sockets are unnamed pairs, so no other process can reach them.

    Attributes:
        group: The process group of it, its standby, and all processes that they fork.
        pid: Its own; 0 of a standby that has not said so yet.
    """

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes] | None, group: int) -> None:
        """Args: process: None for a standby."""
        control.setblocking(False)
        self.group = group
        self.pid = 0 if process is None else process.pid
        self._control = control
        self._process = process

    @classmethod
    def start(cls, command: Sequence[str]) -> Self:
        """Start a forkserver, which imports its modules and waits for `Setup`; the kernel kills it when the calling
        thread ends.

        Args:
            command: Starts a process that calls `serve_forks`; two arguments are added.

        Raises:
            OSError: There can be no further process, or descriptor.
        """
        ours, theirs = _control_pair()
        with theirs:
            try:
                process = subprocess.Popen(  # noqa: S603  the command is the program's own
                    [*command, str(theirs.fileno()), str(os.getpid())],
                    stdin=subprocess.DEVNULL,
                    stdout=2,  # what a library prints belongs to the log
                    pass_fds=[theirs.fileno()],
                    process_group=0,
                )
            except OSError:
                ours.close()
                raise
        return cls(ours, process, process.pid)

    def fork(self) -> Channel:
        """Ask for a worker and return the channel to it.

        Raises:
            ChannelClosedError: The forkserver ended.
            OSError: There is no descriptor left.
        """
        return Channel(self._connect("worker", socket.socketpair()))

    def fork_standby(self) -> Forkserver:
        """Ask for a fork of the forkserver; its first answer is `Prepared`. Raises: as `fork`."""
        # If the forkserver dies first, the standby and orphaned workers become children of this process. Not set
        # earlier: other orphans, such as those of compiling kernels, would stay here as zombies.
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        return Forkserver(self._connect("standby", _control_pair()), None, self.group)

    def say(self, message: Message, end: socket.socket | None = None) -> None:
        """Send a message; see `messages` for the answers.

        Args:
            end: Of a socket, which goes along.

        Raises:
            ChannelClosedError: The forkserver ended.
        """
        try:
            socket.send_fds(self._control, [pack(message)], [] if end is None else [end.fileno()])
        except OSError as error:
            raise ChannelClosedError(str(error)) from error

    def fileno(self) -> int:
        """Readable when an answer is there."""
        return self._control.fileno()

    @property
    def is_gone(self) -> bool:
        """True if it ended, even if answers are unread."""
        poll = select.poll()
        poll.register(self._control, 0)
        return bool(poll.poll(0))

    def receive(self) -> list[bytes]:
        """Return the next answer; none while there is none.

        Raises:
            ChannelClosedError: The forkserver ended.
        """
        try:
            data = self._control.recv(MAX_CONTROL_BYTES)
        except BlockingIOError:
            return []
        except OSError as error:
            raise ChannelClosedError(str(error)) from error
        if not data:
            raise ChannelClosedError("the forkserver ended")
        return [data]

    def close(self) -> None:
        """Kill it; its workers die with it. Its standby does not."""
        self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        elif self.pid:
            # It is a child of the process that forked it, or of this one: its id is its own until it is reaped here.
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _connect(self, kind: Literal["worker", "standby"], pair: tuple[socket.socket, socket.socket]) -> socket.socket:
        """Ask for one at one end of the pair; returns the other."""
        ours, theirs = pair
        with theirs:
            try:
                self.say(Fork(kind), theirs)
            except ChannelClosedError:
                ours.close()
                raise
        return ours


class Forkservers:
    """The primary forkserver, which forks, and a standby that replaces it at once when it dies.

    What imports take is spent once: a standby is forked from what has imported, and idles.

    Attributes:
        primary: The one that forks; None while there is none.
        standby: The one that waits.
    """

    def __init__(self, command: Sequence[str], setup: Setup, spare: Forkserver | None) -> None:
        self.primary: Forkserver | None = None
        self.standby: Forkserver | None = None
        self._command = command
        self._setup = setup
        self._spare = spare
        # Of those that act, and of those that are gone: what they forked comes to this process, and ends when it likes.
        self._groups: set[int] = set()
        self._looked = 0.0

    def replace(self) -> Forkserver:
        """Make the standby primary, or start a new forkserver; its first answer is `Prepared`.

        Raises:
            ChannelClosedError: It ended.
            OSError: None can be started.
        """
        self._check()
        self.primary, self.standby = self.standby, None
        if self.primary is None:
            self.primary, self._spare = self._spare or Forkserver.start(self._command), None
            self._groups.add(self.primary.group)
            self.primary.say(self._setup)
        return self.primary

    def keep_standby(self) -> None:
        """Fork a standby if there is none; checked every `STANDBY_CHECK_S`."""
        if self.primary is None or time.monotonic() - self._looked < STANDBY_CHECK_S:
            return
        self._looked = time.monotonic()
        self._check()
        if self.standby is None:
            self._groups = set(filter(_reap_group, self._groups))
            # That it is gone is noticed by the end of its worker; a descriptor may be free the next time.
            with suppress(ChannelClosedError, OSError):
                self.standby = self.primary.fork_standby()

    def drop(self) -> None:
        """Kill the primary."""
        if self.primary is not None:
            self.primary.close()
            self.primary = None

    def close(self) -> None:
        """Kill both, and all processes that they and their predecessors forked."""
        self.drop()
        if self.standby is not None:
            self.standby.close()
            self.standby = None
        for group in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
            with suppress(ChildProcessError):
                while True:
                    os.waitpid(-group, 0)

    def _check(self) -> None:
        """Forget a standby that ended."""
        if self.standby is not None and self.standby.is_gone:
            self.standby.close()
            self.standby = None


def _reap_group(group: int) -> bool:
    """Reap orphans of a forkserver's group that ended; True if any are left."""
    with suppress(ChildProcessError):
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass
        return True
    return False


def _control_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
