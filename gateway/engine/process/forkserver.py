"""Forkserver: the process from which workers and helpers are forked.

It imports once what workers need, which takes seconds, and has only idle threads. So a dead worker is replaced in the
time that its weights take to load, and imported modules are in memory once. Helpers are other processes that want the
same imports, such as compilers of constraints.

api process --- Popen ---> forkserver --- fork ---> worker
     |  \\--- control -------/                        |
     \\------------------- channel -------------------/

The kernel kills each process whose parent ends, so nothing outlives the API's process. The exception is the standby, a
fork of the forkserver that waits on its own control socket and replaces the forkserver when it dies. It ends when the
API's process closes that socket, or ends.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from gateway.engine.errors import EngineFault, InvalidEngineConfigError
from gateway.engine.process import messages
from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.worker import Parts, Worker
from gateway.logs import set_up_logs

logger = logging.getLogger(__name__)

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Forks:
    """Entry points of forked processes.

    Attributes:
        build: Makes a worker's parts, in the worker.
        prepare_help: Does, once and after the first worker's start, what all helpers share; what it returns is a
            helper, which serves on a socket until the other end is closed.
    """

    build: Callable[[], Parts]
    prepare_help: Callable[[], Callable[[socket.socket], None]]


def serve_forks(prepare: Callable[[messages.Setup], Forks]) -> None:
    """Be the forkserver, until the client closes the control socket. To be called in a process's main thread.

    Args:
        prepare: Does what all workers share, before the first is forked; must start no thread and not touch a GPU.
    """
    control, parent = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    _die_with(parent)
    # A terminal and some service managers signal the whole group; but answers under way are to be finished first.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    first = control.recv(messages.MAX_CONTROL_BYTES)
    if not first:
        return
    setup = messages.unpack(first)
    assert isinstance(setup, messages.Setup)
    set_up_logs(setup.log_level, setup.log_format)
    try:
        forks = prepare(setup)
    except Exception as error:
        control.send(messages.pack(messages.Failed(_as_fault(error))))
        return
    _freeze()
    _Server(control, setup, forks).run()


class _Server:
    """Forks, kills and reaps what the client asks for. One worker at a time; the others are helpers and a standby."""

    def __init__(self, control: socket.socket, setup: messages.Setup, forks: Forks) -> None:
        self._control = control
        self._setup = setup
        self._forks = forks
        self._help_on: Callable[[socket.socket], None] | None = None
        self._worker = 0
        self._others: set[int] = set()

    def run(self) -> NoReturn:
        """Do what the client says, until it closes the control socket."""
        self._control.send(messages.pack(messages.Prepared(os.getpid())))
        while True:
            data, descriptors = b"", list[int]()
            with suppress(ConnectionResetError):  # closed before it was heard what this end said last
                data, descriptors, _, _ = socket.recv_fds(self._control, messages.MAX_CONTROL_BYTES, 1)
            if not data:
                _leave(0)
            self._others -= {pid for pid in self._others if os.waitpid(pid, os.WNOHANG)[0]}
            match messages.unpack(data):
                case messages.Fork(kind):
                    self._fork(kind, socket.socket(fileno=descriptors[0]))
                case messages.Reap():
                    exit_code = _kill(self._worker) if self._worker else 0
                    self._worker = 0
                    self._control.send(messages.pack(messages.Reaped(exit_code)))
                case messages.End(pid) if pid in self._others:
                    _kill(pid)
                    self._others.remove(pid)

    def _fork(self, kind: str, end: socket.socket) -> None:
        """Have a process work on this end of a socket."""
        if kind == "helper" and self._help_on is None:
            self._help_on = self._forks.prepare_help()
            _freeze()
        server = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:  # there are too many processes, or there is too little memory
            if kind == "worker":
                with suppress(ChannelClosedError):
                    Channel(end).send(messages.pack(messages.Failed(_as_fault(error))))
            elif kind == "helper":
                logger.warning("a helper cannot be forked: %s", error)
            end.close()
            return
        if pid:
            end.close()
            if kind == "worker":
                self._worker = pid
            else:
                self._others.add(pid)
            return
        self._control.close()
        if kind == "standby":
            self._control, self._worker, self._others = end, 0, set()
            self._control.send(messages.pack(messages.Prepared(os.getpid())))
            return
        exit_code = 1
        try:
            _die_with(server)
            if kind == "worker":
                self._work(end)
            elif self._help_on is not None:
                self._help_on(end)
            exit_code = 0
        except BaseException:
            logger.exception("a process of the engine fails")
        finally:
            _leave(exit_code)

    def _work(self, end: socket.socket) -> None:
        channel = Channel(end)
        # How the supervisor has a step that hangs say where.
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        try:
            parts = self._forks.build()
        except Exception as error:
            logger.debug("the engine cannot be made", exc_info=True)
            channel.send(messages.pack(messages.Failed(_as_fault(error))))
            return
        _freeze()
        Worker(channel, parts, self._setup.beat_s).run()


def _freeze() -> None:
    """Looking at all that was loaded stops every request for 0.1 s, and would copy it in every process."""
    gc.collect()
    gc.freeze()


def _kill(pid: int) -> int:
    """Returns the exit code; a child's id is its own until it is waited for."""
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _leave(exit_code: int) -> NoReturn:
    """End a process that was forked, or its likes: cleaning up is not its to do."""
    sys.stderr.flush()
    os._exit(exit_code)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before that
        os._exit(1)


def _as_fault(error: Exception) -> EngineFault:
    if isinstance(error, EngineFault):
        return error
    fault = InvalidEngineConfigError(f"{type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault
