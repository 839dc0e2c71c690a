"""The thread that starts workers, talks to the one that lives, and replaces it when it dies or hangs."""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Lock
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

from gateway.engine.errors import EngineClosedError, EngineDiedError, EngineFault, EngineUnavailableError, WireError
from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.child import Forkserver
from gateway.engine.process.conversation import Conversation
from gateway.engine.process.doubles import Forkservers
from gateway.engine.process.messages import Failed, Forked, Message, Prepared, Ready, Reaped, Setup, unpack
from gateway.engine.process.portable import Source, TakenApart
from gateway.engine.process.requests import Held, Requests
from gateway.engine.process.restarts import Restarts, Supervision
from gateway.engine.request import GenerationRequest
from gateway.engine.running import Sink
from gateway.engine.stats import EngineStats

logger = logging.getLogger(__name__)

T = TypeVar("T", bound=Message)

REAP_TIMEOUT_S = 10.0
STACKS_S = 0.2
"""What a worker that hangs gets to write where it hangs."""


class _Death(Exception):  # noqa: N818  it is an event
    """The worker, or the forkserver, is gone or of no use; the cause is the fault that it told."""


class _Source(Protocol):
    def fileno(self) -> int: ...


class Supervisor:
    """Owns the processes and the requests.

    start -> forkserver -> worker: load, serve, die -> reap, fail its requests, pause -> worker ...
                                                       `-> after too many deaths in a row: given up

    Attributes:
        settled: Set when requests are served for the first time, or never will be.
        failure: Why the first worker could not be started; None if it could.
        trouble: Why requests are not served now; empty while they are.
        ready: What the worker said of itself.
        stats: What it counted.
        pid: Of the worker that lives.
        num_restarts: Workers after the first.
        is_lost: There will be no other.
    """

    def __init__(
        self,
        command: Sequence[str],
        setup: Setup,
        taken_apart: TakenApart,
        supervision: Supervision,
        spare: Forkserver | None = None,
    ) -> None:
        self.settled = Event()
        self.failure: EngineFault | None = None
        self.trouble = "the engine is starting"
        self.ready: Ready | None = None
        self.stats = EngineStats()
        self.pid: int | None = None
        self.num_restarts = 0
        self._forkservers = Forkservers(command, setup, spare)
        self._taken_apart = taken_apart
        self._supervision = supervision
        self._restarts = Restarts(supervision.max_restarts)
        self._digests: WeakKeyDictionary[Source, bytes] = WeakKeyDictionary()
        self._requests = Requests()
        # Of helpers that were asked for while there was no forkserver to fork them.
        self._ends: list[socket.socket] = []
        self._can_help = False
        self._channel: Channel | None = None
        self._conversation: Conversation | None = None
        self._is_open = True
        self.is_lost = False
        self._lock = Lock()
        self._end: EngineFault | None = None
        self._posted: deque[Callable[[], None]] = deque()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    # For any thread.

    def submit(self, request: GenerationRequest, sink: Sink) -> None:
        """Have it served.

        Raises:
            EngineFault: It never will be.
        """
        held = Held(request, sink, time.monotonic() + self._supervision.restart_wait_s)
        self._post(lambda: self._requests.hold(held))

    def withdraw(self, request_id: str, sink: Sink) -> None:
        """Forget it.

        Raises:
            EngineFault: It is forgotten already.
        """
        self._post(lambda: self._withdraw(request_id, sink))

    def fork_helper(self) -> socket.socket:
        """A socket at whose other end a helper is as soon as there is a forkserver; closed there if none ever is."""
        ours, theirs = socket.socketpair()
        try:
            self._post(lambda: self._hand_on(theirs))
        except EngineFault:
            theirs.close()
        return ours

    def end_helper(self, pid: int) -> None:
        """Have a helper killed, unless it ended."""
        with suppress(EngineFault):  # they all ended
            self._post(lambda: self._end_helper(pid))

    def stop(self) -> None:
        """Have `run` return.

        Raises:
            EngineFault: It did already.
        """
        self._post(self._stop)

    def _post(self, command: Callable[[], None]) -> None:
        with self._lock:
            if self._end is not None:
                raise type(self._end)(str(self._end))
            self._posted.append(command)
            os.eventfd_write(self._bell, 1)

    # For the supervisor's own thread.

    def run(self) -> None:
        """Supervise until `stop`, or until the process is given up."""
        try:
            while self._is_open and not self.is_lost:
                self._live_once()
        except Exception:
            logger.exception("the supervision of the engine failed")
            self.trouble = "the supervision of the engine failed"
            self.is_lost = True
        finally:
            self._finish()

    def _live_once(self) -> None:
        """One worker, from its birth to its death, and the pause after it."""
        served_since, conversation = None, None
        try:
            conversation = self._bear()
            served_since = time.monotonic()
            self._serve(conversation)
        except _Death as death:
            self.trouble = "the engine is starting again"
            lived_s = 0.0 if served_since is None else time.monotonic() - served_since
            reason = self._bury(str(death))
            if not self.settled.is_set():
                cause = death.__cause__
                self.failure = cause if isinstance(cause, EngineFault) else EngineUnavailableError(reason)
                self.trouble = "the engine could not be started"
                self.is_lost = True
            elif self._is_open:
                has_answered = conversation is not None and conversation.stats.num_output_tokens > 0
                self._mourn(reason, self._restarts.delay_after(lived_s, has_answered=has_answered))

    def _bear(self) -> Conversation:
        """Start a worker, and the forkserver if there is none; returns when the model is loaded.

        Raises:
            _Death: It did not come up.
        """
        deadline = time.monotonic() + self._supervision.start_timeout_s
        try:
            forkserver = self._forkservers.acting
            if forkserver is None:
                forkserver = self._forkservers.replace()
                self._expect(Prepared, forkserver, forkserver.answer, deadline)
            channel = self._channel = forkserver.fork()
        except ChannelClosedError as error:
            raise _Death("the forkserver is gone") from error
        except OSError as error:
            raise _Death(f"it cannot be started: {error}") from error
        self.pid = self._expect(Forked, forkserver, forkserver.answer, deadline).pid
        self._can_help = True
        self._fork_helpers()
        self.ready = self._expect(Ready, channel, lambda: _first_message(channel), deadline)
        self._conversation = Conversation(channel, self._requests, self._taken_apart, self._digests)
        self.num_restarts += self.settled.is_set()
        self.trouble = ""
        self.settled.set()
        return self._conversation

    def _serve(self, conversation: Conversation) -> None:
        """Talk to the worker; returns when the engine is closed.

        Raises:
            _Death: It died, hangs, or talks nonsense.
        """
        channel, patience_s = conversation.channel, self._supervision.hang_timeout_s
        beat_s, silent_s, before = self._supervision.beat_s, 0.0, time.monotonic()
        try:
            while self._is_open:
                self._forkservers.stand_by()
                conversation.send_off()
                self._wait(channel.fileno(), channel.interest, before + beat_s)
                now = time.monotonic()
                # A longer time than was waited for is one in which this thread did not run either, and says nothing:
                # the machine was overloaded, or everything on it was stopped.
                silent_s = 0.0 if conversation.listen() else silent_s + min(now - before, beat_s)
                before, self.stats = now, conversation.stats
                if silent_s >= patience_s:
                    self._have_stacks_told()
                    raise _Death(f"it hung: no sign of its step loop for {patience_s:g} s")
        except ChannelClosedError as error:
            raise _Death("") from error
        except WireError as error:
            raise _Death(str(error)) from error

    def _bury(self, reason: str) -> str:
        """Make sure that the worker is dead; returns why it died. Without a worker, the forkserver is of no use."""
        self._conversation = None
        self._can_help = False
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        pid, self.pid = self.pid, None
        forkserver = self._forkservers.acting
        if forkserver is None:
            return reason
        try:
            if pid is None or not self._is_open:
                raise _Death
            forkserver.end(pid)
            deadline = time.monotonic() + REAP_TIMEOUT_S
            end = self._expect(Reaped, forkserver, forkserver.answer, deadline)
            return reason or _describe(end.exit_code)
        except (_Death, ChannelClosedError):
            self._forkservers.drop()
            return reason or "its forkserver died"

    def _mourn(self, reason: str, delay_s: float | None) -> None:
        """End the requests that the worker had, and pause before the next one; None: give up."""
        if delay_s is None:
            self.is_lost = True
            self.trouble = f"the engine died too often and is given up; the last time: {reason}"
            logger.critical("%s", self.trouble)
            return
        logger.error("the engine died (%s); it is started again in %g s", reason, delay_s)
        self._requests.end_under_way(EngineDiedError(f"the engine died while the request ran: {reason}"))
        resume = time.monotonic() + delay_s
        while self._is_open and time.monotonic() < resume:
            self._wait(None, 0, resume)

    def _finish(self) -> None:
        """Nothing is served from now on."""
        self._bury("")
        self._forkservers.close()
        if not self._is_open:
            self.trouble = "the engine is not running"
        kind = EngineUnavailableError if self._is_open else EngineClosedError
        fault = kind(self.trouble if self._is_open else "the engine was closed")
        with self._lock:
            self._end = fault
            os.close(self._bell)
        self._do_posted()
        for end in self._ends:
            end.close()
        self._requests.end_under_way(fault)
        self._requests.expire(float("inf"), fault)
        self.settled.set()

    def _expect(self, kind: type[T], source: _Source, answer: Callable[[], Message | None], deadline: float) -> T:
        """The next message, which must be of this kind.

        Raises:
            _Death: It is another one, or none comes.
        """
        while True:
            try:
                message = answer()
            except (ChannelClosedError, WireError) as error:
                raise _Death("") from error
            if isinstance(message, kind):
                return message
            if isinstance(message, Failed):
                raise _Death(str(message.error)) from message.error
            if message is not None:
                raise _Death(f"it said {type(message).__name__} where {kind.__name__} was due")
            if time.monotonic() > deadline:
                raise _Death(f"it did not come up within {self._supervision.start_timeout_s:g} s")
            if not self._is_open:
                raise _Death("it is not wanted any more")
            self._wait(source.fileno(), select.POLLIN, deadline)

    def _wait(self, descriptor: int | None, interest: int, deadline: float) -> None:
        """Return when the descriptor is ready, something was posted, or the time is over."""
        now = time.monotonic()
        if self.trouble:
            self._requests.expire(now, EngineUnavailableError(self.trouble))
            deadline = min(deadline, self._requests.next_deadline or deadline)
        poll = select.poll()
        poll.register(self._bell, select.POLLIN)
        double = self._forkservers.double
        if double is not None:
            poll.register(double.fileno(), 0)  # its end is told in any case
        if descriptor is not None:
            poll.register(descriptor, interest)
        # Rounded up: a wait that ends a moment early would be repeated for nothing.
        events = poll.poll(max(0.0, deadline - now) * 1000 + 1)
        if any(ready == self._bell for ready, _ in events):
            os.eventfd_read(self._bell)
            self._do_posted()
        if double is not None and any(ready == double.fileno() for ready, _ in events):
            self._forkservers.check()

    def _do_posted(self) -> None:
        while self._posted:
            self._posted.popleft()()

    def _withdraw(self, request_id: str, sink: Sink) -> None:
        if self._requests.withdraw(request_id, sink) and self._conversation is not None:
            self._conversation.cancel(request_id)

    def _hand_on(self, end: socket.socket) -> None:
        self._ends.append(end)
        self._fork_helpers()

    def _fork_helpers(self) -> None:
        """Behind a worker, whose start is not to be held up."""
        forkserver = self._forkservers.acting
        if forkserver is None or not self._can_help:
            return
        # A forkserver that is gone is noticed by the end of its worker; then there is another one.
        with suppress(ChannelClosedError):
            while self._ends:
                forkserver.fork_helper(self._ends[0])
                self._ends.pop(0).close()

    def _end_helper(self, pid: int) -> None:
        if self._forkservers.acting is not None:
            with suppress(ChannelClosedError):
                self._forkservers.acting.end_helper(pid)

    def _stop(self) -> None:
        self._is_open = False

    def _have_stacks_told(self) -> None:
        if self._forkservers.acting is not None and self.pid is not None:
            self._forkservers.acting.tell_stacks(self.pid)
            time.sleep(STACKS_S)


def _first_message(channel: Channel) -> Message | None:
    """What a worker says first; it says nothing more before it is spoken to."""
    frames = channel.receive()
    return unpack(frames[0]) if frames else None


def _describe(exit_code: int) -> str:
    if exit_code >= 0:
        return f"it ended with exit code {exit_code}"
    name = signal.Signals(-exit_code).name
    return f"{name}, as the kernel sends when memory runs out" if name == "SIGKILL" else name
