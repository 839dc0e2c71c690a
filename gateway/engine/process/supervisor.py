"""An engine in a process of its own: it may die, hang or run out of memory, and this process serves on.

One thread starts workers, talks to the one that lives, and replaces it when it dies or hangs:

start -> forkserver -> worker: load, serve, die -> reap, fail its requests, pause -> worker ...
                                                   `-> after too many deaths in a row: given up
"""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from itertools import count
from math import inf
from select import POLLIN
from threading import Event
from typing import Any, Self, TypeVar

from gateway.engine.config import STABLE_S, Supervision
from gateway.engine.errors import (
    EngineClosedError,
    EngineDiedError,
    EngineFault,
    EngineUnavailableError,
    StepFailedError,
    WireError,
)
from gateway.engine.process import messages
from gateway.engine.process.channel import Channel, ChannelClosedError
from gateway.engine.process.forkserver_client import Forkserver, Forkservers
from gateway.engine.request import AdapterFile, EngineStats, GenerationRequest
from gateway.engine.running import RunningEngine, settle

logger = logging.getLogger(__name__)

T = TypeVar("T", bound=messages.Message)

REAP_TIMEOUT_S = 10.0
STACKS_S = 0.2
"""What a worker that hangs gets to write where it hangs."""


class EngineProcess(RunningEngine):
    """Engine in a process. When it dies, running requests end with `EngineDiedError`; new ones wait for the restart for
    a bounded time, or are refused with `EngineUnavailableError`.

    Attributes:
        pid: Of the process that computes; None while there is none.
    """

    def __init__(
        self,
        command: Sequence[str],
        setup: messages.Setup,
        source_of: Callable[[Any], messages.Source],
        stops_of: Callable[[Any], Sequence[str]],
        supervision: Supervision,
        spare: Forkserver | None = None,
    ) -> None:
        """Nothing is started yet.

        Args:
            command: Starts a process that calls `serve_forks`.
            setup: What its workers are made of.
            source_of: What a constraint at the beginning of its text was made from; `worker.Parts` makes it again.
            stops_of: The strings that a stop criterion looks for.
            spare: Started by the same command before, to be used for the first worker; its starter closes it.
        """
        super().__init__("portcullis-supervisor", supervision.restart_wait_s)
        self._supervision = supervision
        self.trouble = "the engine is starting"
        self.pid: int | None = None
        self._forkservers = Forkservers(command, setup, spare)
        self._source_of, self._stops_of = source_of, stops_of
        # Set when requests are served for the first time, or never will be: then there is a reason.
        self._settled = Event()
        self._failure: EngineFault | None = EngineClosedError("the engine was closed")
        self._num_deaths = 0
        self._channel: Channel | None = None
        self._sent = messages.SentConstraints()
        # Of dead workers, and of the one that lives: one tuple, so that readers in other threads see both or none.
        self._stats = EngineStats(), EngineStats()
        # Of helpers that were asked for while there was no forkserver to fork them.
        self._ends: list[socket.socket] = []
        # Adapters that workers have, and those that are being loaded or unloaded, by the numbers of their messages.
        self._adapters: dict[str, AdapterFile] = {}
        self._asked: dict[int, tuple[Future[None], AdapterFile | None]] = {}
        self._numbers = count(1)

    def start(self) -> Self:
        """Start the process, unless it was begun; returns when the model is loaded.

        Raises:
            EngineFault: It cannot be.
        """
        if self._thread.ident is None:
            self.begin()
        self._settled.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def stats(self) -> EngineStats:
        """Return the counts as of the last step, those of dead workers included."""
        past, current = self._stats
        return past.plus(current)

    def fork_helper(self) -> socket.socket:
        """Return a socket connected to a helper, which is forked as soon as there is a forkserver, see `Forks`; if
        there never is one, the other end is closed."""
        ours, theirs = socket.socketpair()
        try:
            self._post(lambda: self._fork_helpers(theirs))
        except EngineFault:
            theirs.close()
        return ours

    def end_helper(self, pid: int) -> None:
        """Kill a helper, unless it ended."""
        with suppress(EngineFault):  # they all ended
            self._post(lambda: self._end_helper(pid))

    def begin(self) -> None:
        self._signal = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        super().begin()

    def _ring(self) -> None:
        os.eventfd_write(self._signal, 1)

    # Everything below is for the supervisor's thread.

    def _run(self) -> None:
        super()._run()
        # Nothing is posted any more.
        os.close(self._signal)
        for end in self._ends:
            end.close()

    def _serve(self) -> None:
        try:
            while self._is_open and not self.is_given_up:
                self._live_once()
        finally:
            self._end_worker("")
            self._forkservers.close()
            self._settled.set()

    def _live_once(self) -> None:
        """Run one worker, from its start to its death, and the pause after it."""
        served_since = inf
        try:
            channel = self._start_worker()
            served_since = time.monotonic()
            self._converse(channel)
        except (ChannelClosedError, EngineFault) as death:
            self.trouble = "the engine is starting again"
            is_stable = time.monotonic() - served_since >= STABLE_S
            has_answered = served_since < inf and self._stats[1].num_output_tokens > 0
            # What breaks off says nothing of why.
            reason = self._end_worker("" if isinstance(death, ChannelClosedError) else str(death))
            self._stats = self.stats().plus(EngineStats()), EngineStats()
            if not self._is_open:
                return
            if not self._settled.is_set():
                self._failure = death if isinstance(death, EngineFault) else EngineUnavailableError(reason)
                self._give_up("the engine could not be started")
            else:
                self._num_deaths = 1 if is_stable else self._num_deaths + 1
                self._pause(reason, self._supervision.pause_after(self._num_deaths, has_answered=has_answered))

    def _start_worker(self) -> Channel:
        """Start a worker, and the forkserver if there is none; return when the model is loaded.

        Raises: `ChannelClosedError` where one of them dies, an `EngineFault` where it does not come up.
        """
        deadline = time.monotonic() + self._supervision.start_timeout_s
        try:
            server = self._forkservers.primary
            if server is None:
                server = self._forkservers.replace()
                server.pid = self._expect(messages.Prepared, server, deadline).pid
            channel = self._channel = server.fork()
        except OSError as error:
            raise EngineUnavailableError(f"it cannot be started: {error}") from error
        self._fork_helpers()  # after the worker, whose start is not to be held up
        ready = self._expect(messages.Ready, channel, deadline)
        self.pid, self.max_model_len, self.vocab_size = ready.pid, ready.max_model_len, ready.vocab_size
        self.eos_token_ids = ready.eos_token_ids
        self._sent = messages.SentConstraints()
        for file in self._adapters.values():
            channel.send(messages.pack(messages.LoadAdapter(0, file)))
        self.num_restarts += self._settled.is_set()
        self.trouble, self._failure = "", None
        self._settled.set()
        return channel

    def _converse(self, channel: Channel) -> None:
        """Have the worker serve; returns when the engine is closed.

        Raises: `ChannelClosedError` where it dies, an `EngineFault` where it hangs or talks nonsense.
        """
        patience_s, beat_s = self._supervision.hang_timeout_s, self._supervision.beat_s
        silent_s, before = 0.0, time.monotonic()
        while self._is_open:
            self._forkservers.keep_standby()
            for request in self._requests.take_held():
                self._send(request, channel)
            self._poll(before + beat_s, channel.fileno(), channel.interest)
            now, frames = time.monotonic(), channel.receive()
            channel.flush()
            for frame in frames:
                self._receive(messages.unpack(frame))
            # A longer time than was waited for is one in which this thread did not run either, and says nothing: the
            # machine was overloaded, or everything on it was stopped.
            silent_s = 0.0 if frames else silent_s + min(now - before, beat_s)
            before = now
            if silent_s >= patience_s:
                assert self.pid is not None
                with suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGUSR1)  # it logs the stacks of its threads, if it can
                    time.sleep(STACKS_S)
                raise EngineDiedError(f"it hung: no sign of its step loop for {patience_s:g} s")

    def _send(self, request: GenerationRequest, channel: Channel) -> None:
        """Give the worker a request; one that cannot be sent is refused. Raises `ChannelClosedError`."""
        try:
            for message in self._messages(request):
                channel.send(messages.pack(message))
        except ChannelClosedError:
            raise
        except Exception as error:
            logger.exception("a request cannot be sent to the engine")
            fault = error if isinstance(error, EngineFault) else StepFailedError(f"it cannot be sent: {error!r}")
            self._requests.refuse(request.request_id, fault)

    def _messages(self, request: GenerationRequest) -> Iterable[messages.Message]:
        digest, stops = None, None
        if request.constraint is not None:
            digest, introduction = self._sent.ensure_sent(self._source_of(request.constraint))
            yield from introduction
        if request.stop is not None:
            stops = tuple(self._stops_of(request.stop))
        yield messages.Add(replace(request, constraint=None, stop=None), digest, stops)

    def _receive(self, message: messages.Message) -> None:
        match message:
            case messages.Step(events, stats):
                past, before = self._stats
                stats.histograms = before.histograms | stats.histograms
                self._stats = past, stats
                for request_id in self._requests.deliver(events):
                    self._cancel(request_id)
            case messages.Refused(request_id, fault):
                assert isinstance(fault, EngineFault)
                self._requests.refuse(request_id, fault)
            case messages.Adapted(number, error):
                future, file = self._asked.pop(number)
                if file is not None and error is None:
                    self._adapters[file.name] = file
                assert error is None or isinstance(error, EngineFault)
                settle(future, error)
            case _:
                raise WireError(f"a worker that is ready does not say {type(message).__name__}")

    def _end_worker(self, reason: str) -> str:
        """Make sure that the worker is dead; returns why it died. Without a worker, the forkserver is of no use."""
        channel, self._channel, self.pid = self._channel, None, None
        asked, self._asked = self._asked, {}
        for future, _ in asked.values():
            settle(future, EngineDiedError("the engine died meanwhile"))
        server = self._forkservers.primary
        if channel is not None:
            channel.close()
            if server is not None and self._is_open:
                with suppress(ChannelClosedError, EngineFault):
                    server.say(messages.Reap())
                    exit_code = self._expect(messages.Reaped, server, time.monotonic() + REAP_TIMEOUT_S).exit_code
                    return reason or _describe(exit_code)
        self._forkservers.drop()
        return reason or "its forkserver died"

    def _pause(self, reason: str, delay_s: float | None) -> None:
        """End the requests that the worker had, and pause before the next one; None: give up."""
        if delay_s is None:
            self._give_up(f"the engine died too often and is given up; the last time: {reason}")
            logger.critical("%s", self.trouble)
            return
        logger.error("the engine died (%s); it is started again in %g s", reason, delay_s)
        fault = EngineDiedError(f"the engine died while the request ran: {reason}")
        self._stats[0].finished["error"] += self._requests.end_under_way(fault)
        resume = time.monotonic() + delay_s
        while self._is_open and time.monotonic() < resume:
            self._poll(resume)

    def _expect(self, kind: type[T], source: Forkserver | Channel, deadline: float) -> T:
        """Return its first message, which must be of this kind; nothing else is sent before it is addressed.

        Raises: `ChannelClosedError` where it is gone, an `EngineFault` where it says anything else, or nothing.
        """
        while not (frames := source.receive()):
            if time.monotonic() > deadline:
                raise EngineUnavailableError(f"it did not come up within {self._supervision.start_timeout_s:g} s")
            if not self._is_open:
                raise EngineClosedError("it is not wanted any more")
            self._poll(deadline, source.fileno())
        message = messages.unpack(frames[0])
        if isinstance(message, messages.Failed):
            raise message.error
        if not isinstance(message, kind):
            raise WireError(f"it said {type(message).__name__} where {kind.__name__} was due")
        return message

    def _poll(self, deadline: float, descriptor: int | None = None, interest: int = POLLIN) -> None:
        """Return when something was posted, which is done then, the descriptor is ready, or the time is over."""
        now = time.monotonic()
        if self.trouble:
            self._requests.expire(now, EngineUnavailableError(self.trouble))
            deadline = min(deadline, self._requests.next_deadline)
        poll = select.poll()
        poll.register(self._signal, POLLIN)
        if descriptor is not None:
            poll.register(descriptor, interest)
        # Rounded up: a wait that ends a moment early would be repeated for nothing.
        if any(ready == self._signal for ready, _ in poll.poll(max(0.0, deadline - now) * 1000 + 1)):
            os.eventfd_read(self._signal)
        self._do_posted()

    def _cancel(self, request_id: str) -> None:
        # A worker that is gone is noticed where it is listened to.
        if self._channel is not None:
            with suppress(ChannelClosedError):
                self._channel.send(messages.pack(messages.Cancel(request_id)))

    def _load_adapter(self, file: AdapterFile, future: Future[None]) -> None:
        self._ask(messages.LoadAdapter(next(self._numbers), file), future, file)

    def _unload_adapter(self, name: str, future: Future[None]) -> None:
        self._adapters.pop(name, None)
        self._ask(messages.UnloadAdapter(next(self._numbers), name), future)

    def _ask(
        self,
        message: messages.LoadAdapter | messages.UnloadAdapter,
        future: Future[None],
        file: AdapterFile | None = None,
    ) -> None:
        if self._channel is None or self.trouble:
            settle(future, EngineUnavailableError(self.trouble))
            return
        self._asked[message.number] = future, file
        try:
            self._channel.send(messages.pack(message))
        except ChannelClosedError:
            pass  # noticed where the worker is listened to
        except EngineFault as fault:  # too large
            del self._asked[message.number]
            settle(future, fault)

    def _fork_helpers(self, *ends: socket.socket) -> None:
        """Have helpers forked for these ends, and for those before them, once there is a worker."""
        self._ends += ends
        # A forkserver that is gone is noticed by the end of its worker; then there is another one.
        with suppress(ChannelClosedError):
            while self._ends and self._channel is not None and self._forkservers.primary is not None:
                self._forkservers.primary.say(messages.Fork("helper"), self._ends[0])
                self._ends.pop(0).close()

    def _end_helper(self, pid: int) -> None:
        if self._forkservers.primary is not None:
            with suppress(ChannelClosedError):
                self._forkservers.primary.say(messages.End(pid))


def _describe(exit_code: int) -> str:
    if exit_code >= 0:
        return f"it ended with exit code {exit_code}"
    name = signal.Signals(-exit_code).name
    return f"{name}, as the kernel sends when memory runs out" if name == "SIGKILL" else name
