"""The process from which workers are forked, and helpers: whatever else wants what they have in memory.

It imports all that workers need, once, which takes seconds, and has no other threads than idle ones. So a worker that
died is replaced in the time that the weights take to load, and what both have imported is in memory once.

api process --- Popen ---> forkserver --- fork ---> worker
     |  \\--- control -------/                        |
     \\------------------- channel -------------------/

Whoever loses its parent is killed by the kernel, so nothing outlives the API's process, however that ended. But for a
double of the forkserver: forked from it, it has in memory what that has, waits on a control socket of its own, and
takes its place when it dies. It ends when the API's process closes that socket, or ends.
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
from functools import partial
from typing import NoReturn

from gateway.engine.errors import EngineFault, InvalidEngineConfigError
from gateway.engine.process.channel import Channel
from gateway.engine.process.messages import (
    MAX_CONTROL_BYTES,
    Double,
    End,
    Failed,
    Fork,
    Forked,
    Help,
    Message,
    Prepared,
    Reap,
    Reaped,
    Setup,
    pack,
    unpack,
)
from gateway.engine.process.worker import Parts, Worker

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Forks:
    """What can be forked.

    Attributes:
        build: Makes a worker's parts, in the worker.
        prepare_help: Does, once and behind the first worker's start, what all helpers share; what it returns is a
            helper, which serves on a socket until the other end is closed. None: there is none.
    """

    build: Callable[[], Parts]
    prepare_help: Callable[[], Callable[[socket.socket], None]] | None = None


_PR_SET_PDEATHSIG = 1


def serve_forks(prepare: Callable[[Setup], Forks]) -> None:
    """Be the forkserver; returns when the client closes the control socket. To be called in a process's main thread.

    Args:
        prepare: Does what all workers share, before the first is forked; must start no thread and not touch a GPU.
    """
    control, parent = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    _die_with(parent)
    _leave_signals_to_the_parent()
    first = control.recv(MAX_CONTROL_BYTES)
    if not first:
        return
    setup = unpack(first)
    assert isinstance(setup, Setup)
    logging.basicConfig(level=setup.log_level, format="%(levelname)s %(name)s: %(message)s")
    try:
        forks = prepare(setup)
    except Exception as error:
        _say(control, Failed(_as_fault(error)))
        return
    gc.collect()
    gc.freeze()
    _say(control, Prepared(os.getpid()))
    helpers: set[int] = set()  # and doubles
    help_on: Callable[[socket.socket], None] | None = None
    is_double = False
    while True:
        data, descriptors = b"", list[int]()
        with suppress(ConnectionResetError):  # closed before it was heard what this end said last
            data, descriptors, _, _ = socket.recv_fds(control, MAX_CONTROL_BYTES, 1)
        if not data:
            if is_double:
                _leave(0)
            return
        helpers -= {pid for pid in helpers if os.waitpid(pid, os.WNOHANG)[0]}
        match unpack(data):
            case Fork():
                end = socket.socket(fileno=descriptors[0])
                answer: Message
                try:
                    answer = Forked(_fork(end, control, partial(_work, setup=setup, build=forks.build)))
                except OSError as error:
                    answer = Failed(_as_fault(error))
                _say(control, answer)
            case Reap(pid):
                _say(control, Reaped(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
            case Help():
                end = socket.socket(fileno=descriptors[0])
                if forks.prepare_help is None:
                    end.close()
                    continue
                help_on = help_on or _with_help(forks.prepare_help)
                try:
                    helpers.add(_fork(end, control, partial(_help, help_on=help_on)))
                except OSError as error:
                    logger.warning("a helper cannot be forked: %s", error)
            case Double():
                end = socket.socket(fileno=descriptors[0])
                try:
                    pid = _fork_with(end)
                except OSError:
                    continue
                if pid:
                    end.close()
                    helpers.add(pid)
                    continue
                control.close()
                control, helpers, is_double = end, set(), True
                _say(control, Prepared(os.getpid()))
            case End(pid):
                if pid in helpers:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                    helpers.remove(pid)


def _with_help(prepare: Callable[[], Callable[[socket.socket], None]]) -> Callable[[socket.socket], None]:
    help_on = prepare()
    gc.collect()
    gc.freeze()
    return help_on


def _fork_with(end: socket.socket) -> int:
    """As `os.fork`; where that fails, whoever has the other end of the socket is told by its end."""
    try:
        return os.fork()
    except OSError:  # there are too many processes, or there is too little memory
        end.close()
        raise


def _fork(end: socket.socket, control: socket.socket, work: Callable[[socket.socket], int]) -> int:
    """Have a process work on its end of a socket; returns its id.

    Raises:
        OSError: There can be none.
    """
    forkserver = os.getpid()
    pid = _fork_with(end)
    if pid:
        end.close()
        return pid
    exit_code = 1
    try:
        control.close()
        _die_with(forkserver)
        exit_code = work(end)
    except BaseException:
        logger.exception("a process of the engine fails")
    finally:
        _leave(exit_code)


def _leave(exit_code: int) -> NoReturn:
    """End a process that was forked: cleaning up is not its to do."""
    sys.stderr.flush()
    os._exit(exit_code)


def _help(end: socket.socket, help_on: Callable[[socket.socket], None]) -> int:
    help_on(end)
    return 0


def _work(end: socket.socket, setup: Setup, build: Callable[[], Parts]) -> int:
    channel = Channel(end)
    # How `Child.tell_stacks` has a step that hangs say where.
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    try:
        parts = build()
    except Exception as error:
        logger.debug("the engine cannot be made", exc_info=True)
        channel.send(pack(Failed(_as_fault(error))))
        return 1
    # Looking at all that was loaded stops every request for 0.1 s.
    gc.collect()
    gc.freeze()
    Worker(channel, parts, setup.beat_s).run()
    return 0


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before that
        os._exit(1)


def _leave_signals_to_the_parent() -> None:
    """A terminal and some service managers signal the whole group; but answers under way are to be finished first."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _as_fault(error: Exception) -> EngineFault:
    if isinstance(error, EngineFault):
        return error
    fault = InvalidEngineConfigError(f"{type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault


def _say(control: socket.socket, message: Message) -> None:
    control.send(pack(message))
