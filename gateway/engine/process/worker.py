"""The engine's side: one thread that reads messages, steps, and sends one frame with the events of each step."""

from __future__ import annotations

import logging
import os
import select
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from gateway.engine.errors import ConstraintFailedError, EngineDiedError, EngineFault, FrameTooLargeError, WireError
from gateway.engine.histograms import BOUNDS, TOKEN_HISTOGRAMS
from gateway.engine.in_process import SteppedEngine, generating, guarded, read_and_add, safe_add, safe_step
from gateway.engine.process.channel import MAX_UNSENT_BYTES, Channel, ChannelClosedError
from gateway.engine.process.messages import (
    Adapted,
    Add,
    Cancel,
    Forget,
    Keep,
    LoadAdapter,
    Message,
    Ready,
    Refused,
    Step,
    UnloadAdapter,
    pack,
    unpack,
)
from gateway.engine.protocols import StopCriterion, TokenConstraint
from gateway.engine.request import AdapterFile, TokenEvent

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """Components of a worker.

    Attributes:
        engine: The worker's own.
        restore: From a digest and the bytes of a constraint's source to a constraint at the beginning of its text:
            called for every request, so it should keep recent ones ready, and bound how many.
        watch: From stop strings to a criterion for one request.
    """

    engine: SteppedEngine
    restore: Callable[[bytes, bytes], TokenConstraint]
    watch: Callable[[Sequence[str]], StopCriterion]


class Worker:
    """Runs until the client closes its end. A heartbeat is sent between two steps, so a step that hangs is noticed."""

    def __init__(self, channel: Channel, parts: Parts, beat_s: float) -> None:
        self._channel = channel
        self._parts = parts
        self._engine = parts.engine
        self._beat_s = beat_s
        self._last_sent = 0.0
        # What constraints are made from, by digest; the client says which ones are kept.
        self._sources: dict[bytes, bytes] = {}
        self._posted: deque[Callable[[], None]] = deque()
        self._signal = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def run(self) -> None:
        """Serve.

        Raises:
            WireError: The client says what this worker does not understand.
            EngineDiedError: Nothing can be computed any more. The last events have been sent.
        """
        engine, channel = self._engine, self._channel
        try:
            self._send(Ready(os.getpid(), engine.max_model_len, engine.vocab_size, engine.eos_token_ids))
            while True:
                # A client that does not read stops the steps, but not the signs of life.
                if not engine.has_work or channel.num_unsent_bytes >= MAX_UNSENT_BYTES:
                    poll = select.poll()
                    poll.register(channel, channel.interest)
                    poll.register(self._signal, select.POLLIN)
                    poll.poll(self._beat_s * 1000)
                    with suppress(BlockingIOError):
                        os.eventfd_read(self._signal)
                while self._posted:
                    self._posted.popleft()()
                channel.flush()
                for frame in channel.receive():
                    self._obey(unpack(frame))
                can_step = engine.has_work and channel.num_unsent_bytes < MAX_UNSENT_BYTES
                self._report(safe_step(engine) if can_step else [])
                if engine.is_broken:
                    raise EngineDiedError("step after step has failed; its requests have the last cause")
        except ChannelClosedError:
            logger.debug("the client closed its end")

    def _obey(self, message: Message) -> None:
        match message:
            case Add():
                fault = self._add(message)
                if fault is not None:
                    self._send(Refused(message.request.request_id, fault))
            case Cancel(request_id):
                self._engine.cancel(request_id)
            case Keep(digest, data):
                self._sources[digest] = data
            case Forget(digest):
                self._sources.pop(digest, None)  # requests under way keep theirs
            case LoadAdapter(number, file):
                if number:
                    read_and_add(generating(self._engine), file, self._post, partial(self._adapted, number))
                else:
                    self._load_again(file)
            case UnloadAdapter(number, name):
                done = partial(self._adapted, number)
                fault = guarded(
                    lambda: generating(self._engine).remove_adapter(name, lambda: self._post(partial(done, None)))
                )
                if fault is not None:
                    done(fault)
            case _:
                raise WireError(f"no message for a worker: {type(message).__name__}")

    def _add(self, message: Add) -> EngineFault | None:
        """Queue a request; returns why it was refused."""
        request, digest, stops = message.request, message.constraint, message.stops
        try:
            if digest is not None:
                # Read for each request: what could not be read once may be the next time.
                request.constraint = self._parts.restore(digest, self._sources[digest])
            if stops is not None:
                request.stop = self._parts.watch(stops)
        except EngineFault as fault:
            return fault
        except Exception as error:
            what = "constraint" if request.constraint is None and digest is not None else "stop criterion"
            refusal = ConstraintFailedError(f"the {what} could not be made again: {error!r}")
            refusal.__cause__ = error
            return refusal
        return safe_add(self._engine, request)

    def _post(self, command: Callable[[], None]) -> None:
        """Have the step loop call something. From any thread."""
        self._posted.append(command)
        os.eventfd_write(self._signal, 1)

    def _adapted(self, number: int, fault: EngineFault | None) -> None:
        self._send(Adapted(number, fault))

    def _load_again(self, file: AdapterFile) -> None:
        """Load an adapter that the worker before had."""
        adapters = generating(self._engine).adapters
        fault = guarded(lambda: adapters.add(file.name, adapters.read(file)))
        if fault is not None:
            logger.error("the adapter %s cannot be loaded again: %s", file.name, fault)

    def _report(self, events: list[TokenEvent]) -> None:
        if not events and time.monotonic() - self._last_sent < self._beat_s:
            return
        has_end = any(event.finish_reason is not None for event in events)
        changed = BOUNDS if has_end else TOKEN_HISTOGRAMS
        try:
            self._send(Step(events, self._engine.stats(changed)))
        except FrameTooLargeError as fault:
            logger.error("what a step brought does not fit into a frame: %s", fault)
            self._send(Step([self._cut(event, fault) for event in events], self._engine.stats(changed)))

    def _cut(self, event: TokenEvent, fault: FrameTooLargeError) -> TokenEvent:
        """Return the event, or an error in place of log-probabilities of a prompt that exceed a frame."""
        if event.prompt_logprobs is None:
            return event
        if event.finish_reason is None:
            self._engine.cancel(event.request_id)
        return TokenEvent(event.request_id, [], finish_reason="error", error=fault)

    def _send(self, message: Message) -> None:
        self._channel.send(pack(message))
        self._last_sent = time.monotonic()
