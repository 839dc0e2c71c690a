"""The supervisor's handle on the forkserver, and through it on workers and helpers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.messages import MAX_CONTROL_BYTES, End, Fork, Help, Message, Reap, Setup, pack, unpack


class Forkserver:
    """Started by the thread that calls this, and killed by the kernel when that thread ends.

    The sockets are pairs without a name, so no other process can reach them.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """It imports what it needs, and then waits for `begin`.

        Args:
            command: Starts a process that calls `forkserver.serve_forks`; two arguments are added.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  the command is the program's own
                [*command, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what a library prints belongs to the log
                pass_fds=[theirs.fileno()],
            )
        ours.setblocking(False)
        self._control = ours

    def begin(self, setup: Setup) -> None:
        """Say what its workers are made of; the answer is `Prepared`."""
        self._say(pack(setup))

    def fileno(self) -> int:
        """Readable when an answer is there."""
        return self._control.fileno()

    def fork(self) -> Channel:
        """Ask for a worker, which is at the other end; the answer is `Forked`."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._say(pack(Fork()), theirs)
        return Channel(ours)

    def end(self, pid: int) -> None:
        """Kill a worker and ask how it ended; the answer is `Reaped`."""
        # It is not reaped yet, so the id is its own.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self._say(pack(Reap(pid)))

    def fork_helper(self, end: socket.socket) -> None:
        """Ask for a helper that serves on this socket; nothing is answered."""
        self._say(pack(Help()), end)

    def end_helper(self, pid: int) -> None:
        """Have a helper killed, unless it ended; nothing is answered."""
        self._say(pack(End(pid)))

    def tell_stacks(self, pid: int) -> None:
        """Have a worker write where each of its threads stands, if it can."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGUSR1)

    def answer(self) -> Message | None:
        """The next answer; None while there is none.

        Raises:
            ChannelClosedError: The forkserver ended.
        """
        try:
            data = self._control.recv(MAX_CONTROL_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            raise ChannelClosedError(str(error)) from error
        if not data:
            raise ChannelClosedError("the forkserver ended")
        return unpack(data)

    def close(self) -> None:
        """Kill it; its workers die with it."""
        self._control.close()
        self._process.kill()
        self._process.wait()

    def _say(self, data: bytes, end: socket.socket | None = None) -> None:
        try:
            socket.send_fds(self._control, [data], [] if end is None else [end.fileno()])
        except OSError as error:
            raise ChannelClosedError(str(error)) from error
