"""The engine's side: one thread that reads commands, steps, and tells in one frame what each step brought."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.engine.errors import ConstraintFailedError, EngineDiedError, EngineFault, FrameTooLargeError, WireError
from gateway.engine.guarded import add, step
from gateway.engine.process.channel import MAX_UNSENT_BYTES, Channel, ChannelClosedError
from gateway.engine.process.constraints import KeptConstraints, Restore
from gateway.engine.process.messages import Add, Cancel, Forget, Keep, Message, Ready, Refused, Step, pack, unpack
from gateway.engine.protocols import StopCriterion
from gateway.engine.request import TokenEvent

if TYPE_CHECKING:
    from gateway.engine.engine import Engine

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker is composed of.

    Attributes:
        engine: The worker's own.
        restore: From the bytes of a constraint's source to a constraint.
        watch: From stop strings to a criterion for one request.
    """

    engine: Engine
    restore: Restore
    watch: Callable[[Sequence[str]], StopCriterion]


class Worker:
    """Runs until the client closes its end. A sign of life comes from between two steps, so a step that hangs is one
    that is missed."""

    def __init__(self, channel: Channel, parts: Parts, beat_s: float) -> None:
        self._channel = channel
        self._engine = parts.engine
        self._constraints = KeptConstraints(parts.restore)
        self._watch = parts.watch
        self._beat_s = beat_s
        self._last_sent = 0.0

    def run(self) -> None:
        """Serve.

        Raises:
            WireError: The client says what this worker does not understand.
            EngineDiedError: Nothing can be computed any more. What came of that was told before.
        """
        engine = self._engine
        self._send(Ready(engine.max_model_len, engine.vocab_size, engine.eos_token_ids))
        try:
            while True:
                self._listen()
                # A client that does not read stops the steps, but not the signs of life.
                can_step = engine.has_work and self._channel.num_unsent_bytes < MAX_UNSENT_BYTES
                self._tell(step(engine) if can_step else [])
                if engine.is_broken:
                    raise EngineDiedError("step after step has failed; the last cause was told to its requests")
        except ChannelClosedError:
            logger.debug("the client closed its end")

    def _listen(self) -> None:
        """Do what the client asks; wait for it while there is nothing else to do."""
        if not self._engine.has_work or self._channel.num_unsent_bytes >= MAX_UNSENT_BYTES:
            self._channel.wait(self._beat_s)
        self._channel.flush()
        for frame in self._channel.receive():
            self._obey(unpack(frame))

    def _obey(self, message: Message) -> None:
        match message:
            case Add():
                fault = self._add(message)
                if fault is not None:
                    self._send(Refused(message.request.request_id, fault))
            case Cancel(request_id):
                self._engine.cancel(request_id)
            case Keep():
                self._constraints.keep(message)
            case Forget(digest):
                self._constraints.forget(digest)
            case _:
                raise WireError(f"a worker is not told {type(message).__name__}")

    def _add(self, message: Add) -> EngineFault | None:
        """Queue a request; returns why it was refused."""
        request = message.request
        try:
            if message.constraint is not None:
                request.constraint = self._constraints.make(message.constraint)
            if message.stops is not None:
                request.stop = self._watch(message.stops)
        except EngineFault as fault:
            return fault
        except Exception as error:
            refusal = ConstraintFailedError(f"the stop criterion could not be made: {error!r}")
            refusal.__cause__ = error
            return refusal
        return add(self._engine, request)

    def _tell(self, events: list[TokenEvent]) -> None:
        if not events and time.monotonic() - self._last_sent < self._beat_s:
            return
        try:
            self._send(Step(events, self._engine.stats()))
        except FrameTooLargeError as fault:
            logger.error("what a step brought does not fit into a frame: %s", fault)
            self._send(Step([self._cut(event, fault) for event in events], self._engine.stats()))

    def _cut(self, event: TokenEvent, fault: FrameTooLargeError) -> TokenEvent:
        """The event; or the end of its request, where it tells what alone is so long: log-probabilities of a prompt."""
        if event.prompt_logprobs is None:
            return event
        if event.finish_reason is None:
            self._engine.cancel(event.request_id)
        return TokenEvent(event.request_id, [], finish_reason="error", error=fault)

    def _send(self, message: Message) -> None:
        self._channel.send(pack(message))
        self._last_sent = time.monotonic()
