"""The supervisor's handles on the forkserver and its double, and through it on workers and helpers."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.messages import (
    MAX_CONTROL_BYTES,
    Double,
    End,
    Fork,
    Help,
    Message,
    Prepared,
    Reap,
    Setup,
    pack,
    unpack,
)

_PR_SET_CHILD_SUBREAPER = 36


class Forkserver:
    """The sockets are pairs without a name, so no other process can reach them.

    Attributes:
        group: The process group of it, its double, and whatever they fork.
    """

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes] | None, group: int) -> None:
        """Args: process: None for a double."""
        control.setblocking(False)
        self.group = group
        self._control = control
        self._process = process
        self._pid: int | None = None

    @classmethod
    def start(cls, command: Sequence[str]) -> Self:
        """It imports what it needs, and then waits for `begin`; the kernel kills it when the calling thread ends.

        Args:
            command: Starts a process that calls `forkserver.serve_forks`; two arguments are added.

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

    def double(self) -> Forkserver:
        """Ask for another that has in memory what this one has; its first answer is `Prepared`.

        Raises:
            ChannelClosedError: The forkserver ended.
            OSError: There is no descriptor left.
        """
        # Who forks it may go first: then it is this process's child, and so are workers that are to be reaped. Not set
        # before: whatever else loses its parent, as what compiling kernels leaves, would stay here as a zombie.
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        return Forkserver(self._hand_over(Double(), _control_pair()), None, self.group)

    @property
    def is_gone(self) -> bool:
        """It ended, whatever it said before."""
        poll = select.poll()
        poll.register(self._control, 0)
        return bool(poll.poll(0))

    def begin(self, setup: Setup) -> None:
        """Say what its workers are made of; the answer is `Prepared`."""
        self._say(pack(setup))

    def fileno(self) -> int:
        """Readable when an answer is there."""
        return self._control.fileno()

    def fork(self) -> Channel:
        """Ask for a worker, which is at the other end; the answer is `Forked`, or `Failed`.

        Raises:
            ChannelClosedError: The forkserver ended.
            OSError: There is no descriptor left.
        """
        return Channel(self._hand_over(Fork(), socket.socketpair()))

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
        message = unpack(data)
        if isinstance(message, Prepared):
            self._pid = message.pid
        return message

    def close(self) -> None:
        """Kill it; its workers die with it. Its double does not."""
        self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        elif self._pid is not None:
            # It is a child of whoever forked it, or of this process: its id is its own until it is reaped here.
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def _hand_over(self, message: Message, pair: tuple[socket.socket, socket.socket]) -> socket.socket:
        """Say it with one end of the pair; returns the other."""
        ours, theirs = pair
        with theirs:
            try:
                self._say(pack(message), theirs)
            except ChannelClosedError:
                ours.close()
                raise
        return ours

    def _say(self, data: bytes, end: socket.socket | None = None) -> None:
        try:
            socket.send_fds(self._control, [data], [] if end is None else [end.fileno()])
        except OSError as error:
            raise ChannelClosedError(str(error)) from error


def reap_group(group: int) -> bool:
    """Let go of those of a forkserver's group that lost who forked them, and ended; whether any are left."""
    with suppress(ChildProcessError):
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass
        return True
    return False


def end_group(group: int) -> None:
    """Kill all of a forkserver's group; returns when they are gone."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


def _control_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
